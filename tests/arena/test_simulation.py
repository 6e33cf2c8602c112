"""Games between bots without time limits, single or many."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import pytest

from granada import BadComponents, BadOptions, Options, Replay, replay
from granada.arena.match import play_pairing
from granada.arena.outcome import STOPPED
from granada.arena.simulation import play_game, simulate
from granada.arena.tournament import FIXED, Tournament
from granada.bots import make_bot
from granada.cli import main
from granada.rules.options import EDITIONS
from tests.arena.tournaments import duel
from tests.kit import luck, module_sets

TOURNAMENT = Tournament(
    ("greedy", "random", "random"), "granada", ("vizier", "exchange"), seats=3, games=5, seed=3, mode=FIXED
)


def records(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_same_seed_gives_the_same_records_in_one_process_and_in_several(tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2, 3):
        outcomes = list(simulate(TOURNAMENT, jobs, str(tmp_path / str(jobs))))
        outcomes.sort(key=lambda outcome: outcome.pairing.number)
        found.append((outcomes, records(tmp_path / str(jobs))))
    assert [outcome.pairing.number for outcome in found[0][0]] == [1, 2, 3, 4, 5]
    assert list(found[0][1]) == [f"00000{game}.record" for game in range(1, 6)]
    assert found[0] == found[1] == found[2]


def test_a_game_depends_on_the_seed_and_its_number_alone(tmp_path: Path) -> None:
    def played(tournament: Tournament, folder: str) -> list[bytes]:
        list(simulate(tournament, records=str(tmp_path / folder)))
        return list(records(tmp_path / folder).values())

    games = played(TOURNAMENT, "five")
    assert played(replace(TOURNAMENT, games=3), "three") == games[:3]
    assert len(set(games)) == 5
    assert played(replace(TOURNAMENT, games=1, seed=4), "other seed") != games[:1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_record_of_a_game_replays_to_the_same_end(edition: str) -> None:
    options = Options(edition, 3, module_sets(edition)[-1])
    game = play_game(options, [make_bot("greedy", seat) for seat in range(3)], luck("record"))
    assert game.is_finished
    assert game.decisions == game.state.n
    assert replay(str(game.record)).state.key() == game.state.key()


def test_a_game_is_stopped_after_so_many_turns_and_its_record_has_no_tail() -> None:
    game = play_game(Options(), [make_bot("random", seat) for seat in range(4)], luck("stopped"), max_turns=10)
    assert not game.is_finished
    assert game.state.turns == 11
    reading = replay(str(game.record), partial=True)
    assert reading.state.key() == game.state.key()
    outcome = next(simulate(replace(TOURNAMENT, max_turns=10)))
    assert (outcome.end, outcome.winners) == (STOPPED, ())


def test_what_cannot_be_played_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    for tournament, error in (
        (replace(TOURNAMENT, players=("greedy", "deep")), BadOptions),
        (replace(TOURNAMENT, modules=("huts",)), BadOptions),
        (replace(TOURNAMENT, huts=str(tmp_path)), BadComponents),
    ):
        with pytest.raises(error):
            simulate(tournament, records=str(folder))
    assert not folder.exists()


def test_an_error_in_another_process_is_raised_in_this_one(tmp_path: Path) -> None:
    (tmp_path / "000002.record").mkdir()
    with pytest.raises(IsADirectoryError):
        list(simulate(replace(TOURNAMENT, games=2), 2, str(tmp_path)))


def test_a_process_that_ends_twice_in_a_game_ends_the_simulation() -> None:
    with pytest.raises(ChildProcessError, match=r"game [12] could not be played: .* ended twice \(status 3\)"):
        list(simulate(duel("quitter", games=2), 2))


def test_a_game_leaves_no_cycles_behind_so_the_collector_can_be_off() -> None:
    options = Options("combined", 3, ("vizier", "exchange", "bonus", "huts"))

    def play() -> None:
        play_game(options, [make_bot("greedy", 1), make_bot("random", 2), make_bot("greedy", 3)], luck("gc"), 40)

    play()
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        play()
        gc.collect()
        assert [found for found in gc.garbage if type(found).__module__.startswith("granada")] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


#: A third-party bot that is derived from ours and logs its calls.
COUNTING = """
from pathlib import Path
from granada.bots import RandomBot
class Counting(RandomBot):
    def choose(self, view, actions):
        with Path(__file__).with_suffix(".calls").open("a") as calls:
            print(view.table.n, len(actions), file=calls)
        return super().choose(view, actions)
"""


def choices_of(text: str, seat: int) -> list[tuple[int, int]]:
    """Return the decisions of a seat in a record at which there was a choice, with the number of actions."""
    reading = Replay(text)
    found = []
    while True:
        state = reading.state
        if not state.is_over and state.seat == seat and len(state.offers()) > 1:
            found.append((state.n, len(state.offers())))
        if not reading.step():
            return found


def test_a_bot_derived_from_ours_is_asked_at_every_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "counting.py"
    path.write_text(COUNTING, "utf-8")

    def calls() -> list[tuple[int, int]]:
        noted = path.with_suffix(".calls")
        lines = noted.read_text("utf-8").splitlines() if noted.exists() else []
        noted.unlink(missing_ok=True)
        return [(int(line.split()[0]), int(line.split()[1])) for line in lines]

    command = ["simulate", "--players", "counting,random", "--bot-file", str(path), "--games", "2", "--seed", "3"]
    assert main([*command, "--records", str(tmp_path / "records")]) == 0
    expected = [choice for text in records(tmp_path / "records").values() for choice in choices_of(text.decode(), 0)]
    assert calls() == expected
    assert len(expected) > 40
    assert main(command) == 0  # the same games without records
    assert calls() == expected
    tournament = Tournament(("counting", "random"), games=1, bot_files=(str(path),))
    outcome = play_pairing(tournament, next(tournament.pairings()), tournament.prepare())
    assert len(calls()) == outcome.thinking[0].decisions > 10
    capsys.readouterr()


@pytest.mark.parametrize("players", [("random", "random", "random"), ("random", "greedy", "random")])
def test_a_game_is_the_same_with_and_without_its_record(players: tuple[str, ...], tmp_path: Path) -> None:
    tournament = replace(TOURNAMENT, players=players, games=2)
    outcomes = list(simulate(tournament, records=str(tmp_path)))
    assert list(simulate(tournament)) == outcomes
    for text, outcome in zip(records(tmp_path).values(), outcomes, strict=True):
        state = replay(text.decode()).state
        assert (state.n, state.turns) == (outcome.decisions, outcome.turns)
        assert [player.score for player in state.players] == outcome.totals()
