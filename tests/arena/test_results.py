"""The results file: outcomes are kept, and a run can be continued."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from granada.arena.outcome import GameOutcome
from granada.arena.results import BadResults, Results, play_missing, read_results
from granada.arena.tournament import Tournament
from tests.arena.tournaments import TRIO, played, without_times

SMALL = replace(TRIO, games=2, max_turns=10)


def play(tournament: Tournament, path: Path, most: int = 1000) -> list[GameOutcome]:
    """Play at most `games` games and return the outcomes of this run."""
    found: list[GameOutcome] = []
    with Results(tournament, str(path)) as results:
        games = play_missing(results)
        for outcome in games:
            found.append(outcome)
            if len(found) == most:
                break
        games.close()  # type: ignore[attr-defined]
    return found


def stored(path: Path) -> list[GameOutcome]:
    return without_times(read_results(str(path))[1])


def test_a_run_goes_on_where_it_stopped_and_gives_the_same(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    assert len(play(SMALL, path, 2)) == 2
    assert len(play(SMALL, path)) == SMALL.size - 2
    assert play(SMALL, path) == []
    assert stored(path) == without_times(played(SMALL))
    assert read_results(str(path))[0] == SMALL


def test_a_line_that_was_cut_is_dropped_and_its_game_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play(SMALL, path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    assert len(play(SMALL, path)) == 1
    assert stored(path) == without_times(played(SMALL))
    path.write_bytes(whole[:30])  # even the first line is incomplete
    assert len(play(SMALL, path, 1)) == 1


def test_more_games_are_added_and_fewer_leave_the_others_out(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play(SMALL, path)
    assert len(play(replace(SMALL, games=3), path)) == 3
    with Results(SMALL, str(path)) as results:
        assert len(results.played()) == SMALL.size
        assert len(results.outcomes) == SMALL.size + 3


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seed": 6}, "its seed is 5, not 6"),
        ({"players": ("random", "greedy")}, "its players is random,greedy,random:2s, not random,greedy"),
        ({"paired": False}, "its paired is on, not off"),
        ({"modules": ()}, "its modules is vizier, not none"),
    ],
)
def test_another_tournament_is_refused_and_nothing_is_changed(
    change: dict[str, object], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    play(SMALL, path, 1)
    before = path.read_bytes()
    with pytest.raises(BadResults) as refused, Results(Tournament.from_data({**SMALL.as_data(), **change}), str(path)):
        pass
    assert str(refused.value) == f"{path} holds another tournament: {reason}"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        b"my diary",
        b"my\ndiary\n",
        b"{}\n",
        b"\xff\xfe\n",
        b'{"format":"granada-arena-9"}\n',
        b'{"format":"granada-arena-1","tournament":[]}\n',
    ],
)
def test_a_file_of_something_else_is_left_as_it_is(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "diary"
    path.write_bytes(content)
    with pytest.raises(BadResults, match="is not a results file; it was not changed"), Results(SMALL, str(path)):
        pass
    assert path.read_bytes() == content


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play(SMALL, path, 1)
    path.write_bytes(path.read_bytes() + b"{}\n")
    with pytest.raises(BadResults, match="line 3: not the outcome of a game"), Results(SMALL, str(path)):
        pass


@pytest.mark.parametrize(
    "change",
    [
        {"end": "weird"},
        {"line_up": [0, 7]},
        {"line_up": 3},
        {"game": "x"},
        {"game": 0},
        {"deal": None},
        {"winners": [2]},
        {"fault": {"seat": 5, "reason": "it fell asleep"}},
        {"points": [[4, "A", "wall", 3]]},
        {"points": [[0, "A", "wall", "many"]]},
        {"thinking": [7]},
    ],
    ids=str,
)
def test_a_line_that_cannot_be_is_named(change: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play(SMALL, path, 1)
    header, line = path.read_text("utf-8").splitlines()
    path.write_text(f"{header}\n{json.dumps({**json.loads(line), **change})}\n", "utf-8")
    with pytest.raises(BadResults, match="line 2: not the outcome of a game"), Results(SMALL, str(path)):
        pass


def test_two_runs_do_not_write_the_same_file(tmp_path: Path) -> None:
    path = str(tmp_path / "results.jsonl")
    with Results(SMALL, path), pytest.raises(BadResults, match="is being written by another run"), Results(SMALL, path):
        pass


def test_what_cannot_be_written_is_complained_about(tmp_path: Path) -> None:
    for path, reason in ((tmp_path, "Is a directory"), (tmp_path / "missing" / "file", "No such file or directory")):
        with pytest.raises(BadResults, match=reason), Results(SMALL, str(path)):
            pass


def test_a_device_is_no_file_of_results() -> None:
    with (
        pytest.raises(BadResults, match="is not a regular file"),
        Results(SMALL, os.devnull),
    ):
        pass
    with pytest.raises(BadResults, match="is not a regular file"):
        read_results(os.devnull)


def test_games_of_other_versions_of_the_bots_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "results.jsonl")
    with Results(SMALL, path) as results:
        assert not results.is_mixed
    with Results(SMALL, path) as results:
        assert not results.is_mixed
    monkeypatch.setattr("granada.arena.results.fingerprint", lambda tournament: "other")
    with Results(SMALL, path) as results:
        assert results.is_mixed


def test_without_a_file_results_are_kept_in_memory() -> None:
    with Results(SMALL) as results:
        assert without_times(
            sorted(play_missing(results), key=lambda outcome: outcome.pairing.number)
        ) == without_times(results.played())
