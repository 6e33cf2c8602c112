"""The puzzles of the package: their games are valid, their answers legal, their tags true."""

from __future__ import annotations

from collections import Counter

import pytest

from granada.bots import make_bot
from granada.puzzles.explain import THEMES, explain, themes_of
from granada.puzzles.finder import TRIES
from granada.puzzles.puzzle import GRADES, Puzzle, read_turn
from granada.puzzles.select import city_of, rating_of
from granada.puzzles.shipped import shipped
from granada.puzzles.turns import is_whole_turn, outcome, turn_of
from granada.records.replay import replay
from granada.rules.options import EDITIONS
from granada.rules.state import State

PUZZLES = shipped()
POSITIONS: dict[int, State] = {}
#: Every n-th puzzle is tried by the weaker bots.
SAMPLE = 15


def position(puzzle: Puzzle) -> State:
    if puzzle.id not in POSITIONS:
        POSITIONS[puzzle.id] = puzzle.state()
    return POSITIONS[puzzle.id]


def turns(puzzle: Puzzle) -> list[tuple[str, ...]]:
    """Return all turns of a puzzle, the solutions first."""
    return [puzzle.best.turn, *puzzle.accepted, puzzle.obvious.turn, *[one.turn for one in puzzle.others]]


def test_there_are_hundreds_of_all_kinds() -> None:
    assert list(PUZZLES) == list(range(1, len(PUZZLES) + 1))
    assert len(PUZZLES) >= 200
    editions = Counter([one.source.edition for one in PUZZLES.values()])
    assert set(editions) == set(EDITIONS)
    assert min(editions.values()) >= 10
    assert {2, 3, 4} <= {len(one.source.bots) for one in PUZZLES.values()}
    assert {"vizier", "exchange"} <= {module for one in PUZZLES.values() for module in one.source.modules}
    assert {one.grade for one in PUZZLES.values()} == set(GRADES[1:])
    themes = Counter([theme for one in PUZZLES.values() for theme in one.themes])
    assert set(themes) <= set(THEMES)
    assert all([themes[theme] >= 10 for theme in ("chain", "wall", "majority", "flip", "timing", "vizier")])


def test_no_puzzle_is_there_twice() -> None:
    assert len({(one.source.seed, one.n) for one in PUZZLES.values()}) == len(PUZZLES)
    assert len({(one.source.seed, one.seat, one.best.turn) for one in PUZZLES.values()}) == len(PUZZLES)


def test_every_game_is_a_valid_record_to_its_end() -> None:
    for source in {one.source.seed: one.source for one in PUZZLES.values()}.values():
        state, record = source.replayed(len(source.actions))
        assert state.is_over
        assert replay(str(record)).state.key() == state.key()


@pytest.mark.parametrize("number", PUZZLES)
def test_a_puzzle_is_sound(number: int) -> None:
    puzzle, state = PUZZLES[number], position(PUZZLES[number])
    options = puzzle.source.options()
    assert state.seat == puzzle.seat
    assert not any([player.bonus for player in state.players])  # nothing is hidden that memory does not know
    results = []
    for texts in turns(puzzle):
        turn = read_turn(texts, options)
        assert is_whole_turn(state, turn), texts
        results.append(outcome(state, turn))
    right = 1 + len(puzzle.accepted)
    assert not set(results[:right]) & set(results[right:])
    wrong = [puzzle.obvious, *puzzle.others]
    assert all([puzzle.best.win > one.win and puzzle.best.lead > one.lead for one in wrong])
    best, obvious = (read_turn(one.turn, options) for one in (puzzle.best, puzzle.obvious))
    assert puzzle.themes == themes_of(state, best, obvious)
    assert explain(state, best, obvious)
    assert puzzle.grade in GRADES[1:]
    assert puzzle.rating == rating_of(puzzle)
    assert puzzle.city == city_of(state, puzzle.seat)


@pytest.mark.parametrize("number", list(PUZZLES)[::SAMPLE])
def test_the_grade_is_the_weakest_bot_that_finds_it(number: int) -> None:
    puzzle, state = PUZZLES[number], position(PUZZLES[number])
    right = {outcome(state, read_turn(turn, puzzle.source.options())) for turn in (puzzle.best.turn, *puzzle.accepted)}

    def finds(level: str) -> bool:
        seed, tries = f"{puzzle.source.seed}/{puzzle.n}", TRIES[level]
        hits = [outcome(state, turn_of(make_bot(level, f"{seed}/{i}"), state)) in right for i in range(tries)]
        return 2 * sum(hits) > tries

    quick = GRADES[: GRADES.index("search")]
    assert next((level for level in quick if finds(level)), "search") == (
        puzzle.grade if puzzle.grade in quick else "search"
    )
