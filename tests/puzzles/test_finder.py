"""Finding puzzles: the same seed finds the same, only clear positions pass, and a run continues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from granada.bots.halving import Candidate
from granada.puzzles import finder, games
from granada.puzzles.bot_game import BotGame
from granada.puzzles.explorer import Gap, distinct, explorer
from granada.puzzles.files import BadPuzzles, Examined, line_of, read_lines
from granada.puzzles.finder import Contest, Effort, examine, find_in_game, seed_of
from granada.puzzles.puzzle import Puzzle, Source, read_turn, turn_text
from granada.puzzles.select import appended, select
from granada.puzzles.shipped import shipped
from granada.puzzles.turns import is_whole_turn, outcome
from granada.puzzles.variants import variants
from granada.rules.options import Options
from granada.rules.state import State

TINY = Effort(quick=24, nodes=24, series=1, samples=8)
#: Roll-outs from later positions are shorter.
MIDDLE = 60
SMALL = Effort(quick=60, nodes=120, series=2, samples=64)


@pytest.fixture
def quick_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let quick bots play short games."""
    monkeypatch.setattr(finder, "PLAYERS", {"greedy": 1})
    monkeypatch.setattr(finder, "SET_UPS", {("granada", 2, ()): 1})
    monkeypatch.setattr(finder, "TAKES", 1.0)
    monkeypatch.setattr(finder, "ERRORS", 0.5)
    monkeypatch.setattr(finder, "HOPELESS", 9.0)
    monkeypatch.setattr(finder, "MOST_OF_GAME", 1)


def late() -> Puzzle:
    """Return a shipped puzzle from the end of a game, where roll-outs are short."""
    return max(shipped().values(), key=lambda one: one.n / len(one.source.actions))


@pytest.mark.usefixtures("quick_games")
def test_the_same_seed_finds_the_same_puzzles() -> None:
    first, second = (find_in_game(seed_of(5, 2), TINY) for _ in range(2))
    assert first == second
    assert first
    for puzzle in first:
        state, options = puzzle.state(), puzzle.source.options()
        assert state.seat == puzzle.seat
        best = read_turn(puzzle.best.turn, options)
        assert is_whole_turn(state, best)
        assert outcome(state, best) != outcome(state, read_turn(puzzle.obvious.turn, options))


def test_a_clear_position_is_found_again_with_other_luck() -> None:
    compared = [one for one in shipped().values() if one.others]
    clear = sorted(compared, key=lambda one: one.others[0].win - one.best.win + (one.n < MIDDLE))

    def is_found(puzzle: Puzzle) -> bool:
        source = Source(puzzle.source.edition, puzzle.source.modules, puzzle.source.bots, "0" * 64, ())
        found = examine(puzzle.state(), source, SMALL)
        return found is not None and found.best.turn == puzzle.best.turn

    assert any(is_found(puzzle) for puzzle in clear[:4])


def test_a_turn_that_is_not_the_best_loses_the_contest() -> None:
    puzzle = late()
    state, options = puzzle.state(), puzzle.source.options()
    best, worse = (read_turn(one.turn, options) for one in (puzzle.best, puzzle.others[-1]))
    assert Contest(state, Candidate(best, 0.0), [Candidate(worse, 0.0)], "1", set()).run(SMALL)
    assert not Contest(state, Candidate(worse, 0.0), [Candidate(best, 0.0)], "1", set()).run(SMALL)


def test_turns_in_another_order_are_the_same() -> None:
    compared = 0
    for puzzle in shipped().values():
        state, turn = puzzle.state(), read_turn(puzzle.best.turn, puzzle.source.options())
        other = (*turn[:-2], *reversed(turn[-2:]))
        if len(turn) > 1 and is_whole_turn(state, other):
            compared += 1
            assert len(distinct(state, [Candidate(turn, 0.0), Candidate(other, 0.0)])) == 1
    assert compared


def test_variants_differ_in_one_decision_and_are_whole_turns() -> None:
    puzzle = late()
    state, turn = puzzle.state(), read_turn(puzzle.best.turn, puzzle.source.options())
    found = variants(state, turn)
    assert found
    for one in found:
        assert is_whole_turn(state, one.turn)
        assert outcome(state, one.turn) != outcome(state, turn)


def test_an_exploration_names_different_whole_turns() -> None:
    state = late().state()
    found = explorer("1", 24).explore(state)
    assert len({outcome(state, one.turn) for one in found}) == len(found) > 1
    assert all([is_whole_turn(state, one.turn) for one in found])


def test_the_gap_of_paired_samples() -> None:
    gap = Gap([1.0, 2.0, 3.0, 4.0], [0.0, 2.0, 2.0, 2.0])
    assert (gap.mean, gap.count) == (1.0, 4)
    assert gap.error == pytest.approx((2 / 3) ** 0.5 / 2)
    assert gap.least(2.0) == pytest.approx(1.0 - 2 * gap.error)
    assert gap.most(2.0) == pytest.approx(1.0 + 2 * gap.error)


# Runs over many games


def nothing_in(number: int) -> Examined:
    return Examined(number, ())


def test_a_run_continues_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = late()
    asked: list[str] = []

    def find(seed: str, effort: Effort) -> list[Puzzle]:
        asked.append(seed)
        return [puzzle] if seed == seed_of(7, 2) else []

    monkeypatch.setattr(games, "find_in_game", find)
    path = tmp_path / "found.jsonl"
    assert [one.number for one in games.examine_games(7, 3, TINY, 1, path)] == [1, 2, 3]
    path.write_text(path.read_text("utf-8")[:-4], "utf-8")  # the process was killed while it wrote
    asked.clear()
    assert [one.number for one in games.examine_games(7, 4, TINY, 1, path)] == [3, 4]
    assert asked == [seed_of(7, 3), seed_of(7, 4)]
    assert [(one.number, list(one.puzzles)) for one in games.done_in(path)] == [
        (1, []),
        (2, [puzzle]),
        (3, []),
        (4, []),
    ]


def test_several_processes_examine_each_game_once() -> None:
    run: Callable[..., object] = games._run
    found = run(partial(nothing_in), [3, 1, 2], 2)
    assert sorted([one.number for one in found]) == [1, 2, 3]  # type: ignore[attr-defined]


def test_a_damaged_file_names_its_line() -> None:
    with pytest.raises(BadPuzzles, match="line 2: KeyError: 'edition'"):
        list(read_lines(['{"game":1}', '{"game":2,"puzzles":[]}']))
    with pytest.raises(BadPuzzles, match="line 1: JSONDecodeError"):
        list(read_lines(["{"]))


def test_a_game_survives_its_line() -> None:
    game = Examined(4, (late(),))
    assert next(read_lines([line_of(game)])) == game


@pytest.mark.usefixtures("quick_games")
def test_choosing_completes_games_and_numbers_puzzles() -> None:
    seed = seed_of(5, 2)
    [puzzle] = find_in_game(seed, TINY)
    [game] = select([Examined(2, (puzzle, puzzle))], 10)  # the same turn again is left out
    [chosen] = game.puzzles
    assert (chosen.id, chosen.best, chosen.n) == (1, puzzle.best, puzzle.n)
    assert chosen.source.actions[: puzzle.n] == puzzle.source.actions[: puzzle.n]
    assert chosen.source.replayed(len(chosen.source.actions))[0].is_over
    assert chosen.city["0,0"] == "start-granada"
    assert chosen.themes


def test_new_puzzles_are_numbered_after_those_that_are_there() -> None:
    old = Examined(1, (late(),))
    other = replace(late(), n=0)
    same, added = appended([old], [Examined(7, (late(), other))])
    assert same == old
    assert added == Examined(7, (replace(other, id=late().id + 1),))


def test_a_search_for_the_vizier_examines_only_positions_in_which_it_can_act(monkeypatch: pytest.MonkeyPatch) -> None:
    """11.2, 11.6: in games with viziers, and only where the vizier can buy or be reactivated."""
    monkeypatch.setattr(finder, "PLAYERS", {"greedy": 1})
    seen: list[Puzzle] = []

    def examine(state: State, source: Source, effort: Effort) -> None:
        assert effort.only_vizier
        assert "vizier" in source.modules
        texts = [str(offer) for offer in state.offers()]
        assert "wake" in texts or any([text.startswith("vizier ") for text in texts])
        seen.append(late())

    monkeypatch.setattr(finder, "examine", examine)
    find_in_game(seed_of(5, 3), replace(TINY, only_vizier=True))
    assert seen


def test_a_game_between_bots_is_repeated_from_its_seed() -> None:
    played: list[list[str]] = []
    for _ in range(2):
        game = BotGame(Options("alhambra", 2), ("greedy", "builder"), "a" * 64)
        while game.goes_on and game.state.n < 40:
            game.step()
        played.append(game.actions)
    assert played[0] == played[1]
    assert turn_text(read_turn(played[0], Options())) == tuple(played[0])
