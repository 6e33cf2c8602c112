"""The standing tournaments can be played, and docs/ladder.md shows their results."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import ladder
from benchmarks.ladder_report import _verdict, write_report
from benchmarks.ladder_tournaments import ENTRIES, SET_UPS, Entry, Target
from granada import Options
from granada.arena.tournament import FIXED, Tournament

DUEL = Tournament(("greedy", "random"), "granada", ("vizier",), games=4, mode=FIXED, rotate=True, paired=True)
SMALL = (
    Entry(
        "granada-greedy-random",
        DUEL,
        (Target("greedy", 0.3), Target("greedy", 0.4, 0.99), Target("random", 0.9, rival="greedy")),
    ),
    Entry("granada-all-3", replace(DUEL, players=("greedy", "random", "greedy:2s"), mode="round-robin", games=2)),
    Entry("granada-missing", DUEL),
)


def test_every_set_up_is_played_by_two_three_and_four() -> None:
    for set_up in SET_UPS:
        here = [entry.tournament for entry in ENTRIES if entry.tournament.edition == set_up]
        assert {tournament.seats for tournament in here} == {2, 3, 4}
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_tournament_has_options_that_fit_and_players_that_are_wanted(entry: Entry) -> None:
    tournament = entry.tournament
    Options(tournament.edition, tournament.seats, tournament.modules, tournament.scoring)
    assert tournament.rotate
    assert tournament.paired
    for target in entry.targets:
        assert {target.player, target.rival or target.player} <= set(tournament.players)


def test_a_scale_gives_whole_deals() -> None:
    for entry in ENTRIES:
        for scale in (0.01, 0.1, 0.77, 3):
            assert entry.scaled(scale).tournament.games % entry.tournament.seats == 0
        assert entry.scaled(1).tournament.size >= entry.tournament.size


def test_the_document_tells_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "ENTRIES", SMALL)
    places = ["--results", str(tmp_path / "results"), "--docs", str(tmp_path), "--jobs", "1"]
    for entry in SMALL[:2]:
        assert ladder.main(["--only", entry.name, "--scale", "0.5", *places]) == 0
    text = (tmp_path / "ladder.md").read_text("utf-8")
    assert "| granada-greedy-random | greedy wins | 30.0 % |  | 100.0 % |" in text
    assert "| granada-greedy-random | greedy wins | 40.0 % | 99.0 % | 100.0 % |" in text
    assert text.count("the interval is too wide") == 1
    assert "| granada-greedy-random | random ahead of greedy | 90.0 % |  | 0.0 % |" in text
    assert "**no** |" in text
    assert "`granada arena --players greedy,random --edition granada --mode fixed --modules vizier --games 2" in text
    assert "The bots have changed" not in text
    assert "## Not played yet\n\ngranada-missing\n" in text
    assert "## Fewer games than planned" not in text
    times = _told(text, "## Time per decision")
    assert re.findall(r"^\| (\S+) \| \d", times, re.M) == ["greedy", "random", "greedy:2s"]
    monkeypatch.setattr("granada.arena.results.fingerprint", lambda tournament: "other")
    assert ladder.main(["--write", *places]) == 0
    assert (tmp_path / "ladder.md").read_text("utf-8").count("**The bots have changed") == 2
    pictures = sorted((tmp_path / "ladder").glob("*.svg"))
    assert [path.name for path in pictures] == ["granada-all-3-matrix.svg", "granada-all-3.svg", "granada-overview.svg"]
    for path in pictures:
        ET.parse(path)
        assert f"(ladder/{path.name})" in text


def test_what_is_told_of_games_that_are_not_here_is_told_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "ENTRIES", SMALL)
    docs = ["--docs", str(tmp_path), "--jobs", "1"]
    assert ladder.main(["--results", str(tmp_path / "lost"), "--scale", "0.5", *docs]) == 0
    before = (tmp_path / "ladder.md").read_text("utf-8")
    assert "## Ratings\n" in before
    assert ladder.main(["--write", "--results", str(tmp_path / "empty"), *docs]) == 0
    # Two tournaments have half their games and can be continued.
    few = "\n## Fewer games than planned\n\ngranada-greedy-random, granada-missing\n"
    assert (tmp_path / "ladder.md").read_text("utf-8") == before + few
    # The section of a stored tournament is rewritten with all its games; the others stay.
    assert ladder.main(["--only", "granada-missing", "--results", str(tmp_path / "here"), *docs]) == 0
    after = (tmp_path / "ladder.md").read_text("utf-8")
    assert _told(after, "## Ratings") == _told(before, "## Ratings")
    for entry in SMALL[:2]:
        assert _told(after, f"### {entry.name}") == _told(before, f"### {entry.name}")
    assert _told(after, "## Targets") == _told(before, "## Targets")
    assert "\n2 games," in _told(before, "### granada-missing")
    assert "\n4 games," in _told(after, "### granada-missing")


def test_fewer_games_than_are_told_of_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ladder, "ENTRIES", SMALL[:1])
    docs = ["--docs", str(tmp_path), "--jobs", "1"]
    assert ladder.main(["--results", str(tmp_path / "lost"), *docs]) == 0
    before = (tmp_path / "ladder.md").read_text("utf-8")
    assert ladder.main(["--results", str(tmp_path / "here"), "--scale", "0.5", *docs]) == 0
    assert "granada-greedy-random is left unchanged: the report has more games" in capsys.readouterr().err
    assert (tmp_path / "ladder.md").read_text("utf-8") == before


def test_games_with_another_seed_count_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = ["--results", str(tmp_path / "results"), "--docs", str(tmp_path), "--jobs", "1"]
    for seed in (1, 2):
        first, *_ = SMALL
        monkeypatch.setattr(
            ladder, "ENTRIES", [replace(first, tournament=replace(DUEL, seed=seed, games=2 + 2 * seed))]
        )
        assert ladder.main(places) == 0
        (tmp_path / "results" / f"{first.name}.jsonl").unlink()
    text = (tmp_path / "ladder.md").read_text("utf-8")
    assert _shares(_told(text, "## Targets"), first.name)[0] == (1.0, 10)
    assert "In addition, with seed 1 and the bots of the time: greedy wins 100.0 % of 4 games (" in text
    assert "\n6 games," in _told(text, f"### {first.name}")


def _told(text: str, heading: str) -> str:
    """Return the text below a heading."""
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("option", ["--jobs=0", "--jobs=-1", "--scale=nan", "--scale=0", "--scale=much"])
def test_numbers_that_make_no_sense_are_refused(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        ladder.main(["--list", option])
    assert refused.value.code == 2
    assert option.partition("=")[2] in capsys.readouterr().err


def test_games_that_were_added_later_are_in_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "ENTRIES", SMALL)
    places = ["--results", str(tmp_path / "results"), "--docs", str(tmp_path), "--jobs", "1"]
    for scale in ("0.5", "1"):
        assert ladder.main(["--only", "granada-greedy-random", "--scale", scale, *places]) == 0
    text = (tmp_path / "ladder.md").read_text("utf-8")
    assert "--modules vizier --games 4 --seed" in text
    assert "\n4 games, 0 unfinished" in text


def test_what_is_wanted_in_several_editions_is_told_of_all_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = (Target("greedy", 0.9, 0.5),)
    entries = (
        Entry("granada-greedy-random", replace(DUEL, games=8), wanted),
        Entry("alhambra-greedy-random", replace(DUEL, players=("greedy", "novice"), edition="alhambra"), wanted),
        Entry("alhambra-alone", replace(DUEL, edition="alhambra"), wanted),
    )
    monkeypatch.setattr(ladder, "ENTRIES", entries)
    assert ladder.main(["--results", str(tmp_path / "results"), "--docs", str(tmp_path), "--jobs", "1"]) == 0
    text = (tmp_path / "ladder.md").read_text("utf-8")
    won = sum([share * games for share, games in _shares(text, "-greedy-random")])
    together = text.partition("## Targets, combined")[2].partition("##")[0]
    assert "alone" not in together
    [(share, games)] = _shares(together, " greedy-random")
    assert games == 12
    assert share * games == pytest.approx(won, abs=0.01)


def test_what_is_wanted_with_several_budgets_is_told_of_all_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = []
    for budget in ("0.2s", "0.4s"):
        duel = replace(DUEL, players=(f"greedy:{budget}", "random"))
        entries.append(Entry(f"granada-doubling-{budget}", duel, (Target(f"greedy:{budget}", 0.5, 0.5),)))
    monkeypatch.setattr(ladder, "ENTRIES", entries)
    assert ladder.main(["--results", str(tmp_path / "results"), "--docs", str(tmp_path), "--jobs", "1"]) == 0
    together = (tmp_path / "ladder.md").read_text("utf-8").partition("## Targets, combined")[2]
    assert "| doubling | granada | greedy:0.2s or greedy:0.4s wins | 50.0 % | 50.0 % | 100.0 % |" in together
    assert _shares(together, " doubling")[0] == (1.0, 8)


def _shares(text: str, name: str) -> list[tuple[float, int]]:
    """Return the shares and numbers of games in the rows of a table."""
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("|") and name in line.split(" | ")[0]]
    return [(float(row[-4].rstrip(" %")) / 100, int(row[-2])) for row in rows]


def test_other_names_and_other_tournaments_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ladder.main(["--only", "chess", "--results", str(tmp_path)]) == 2
    assert "there is no tournament chess" in capsys.readouterr().err
    (tmp_path / "granada-missing.jsonl").write_text("my diary\n")
    write_report(tmp_path, tmp_path, SMALL)
    assert "granada-missing is skipped: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("share", "interval", "told"),
    [
        (0.9, (0.86, 0.94), "yes"),
        (0.9, (0.85, 0.94), "yes"),
        (0.9, (0.84, 0.95), "yes, but not with certainty"),
        (0.9, (0.60, 1.00), "the share is, but the interval is too wide: more games needed"),
        (0.8, (0.70, 0.90), "no, but within the interval"),
        (0.8, (0.77, 0.84), "**no**"),
    ],
)
def test_a_figure_is_met_beyond_doubt_only_if_its_whole_interval_is(
    share: float, interval: tuple[float, float], told: str
) -> None:
    assert _verdict(Target("greedy", 0.85, 0.6), share, interval) == told
