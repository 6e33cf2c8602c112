"""The results of simulations by seat."""

from __future__ import annotations

import pytest

from granada import DIRK, Options
from granada.arena.intervals import wilson
from granada.arena.outcome import FINISHED, STOPPED, GameOutcome
from granada.arena.tally import Tally, items_of
from granada.arena.tournament import Pairing


def outcome(*winners: int, end: str = FINISHED) -> GameOutcome:
    points = ((0, "A", "wall", 4), (0, "C", "wall", 6), (1, "C", "tower", 21), (DIRK, "C", "garden", 20))
    return GameOutcome(Pairing(1, 1, (0, 1, 2)), end, winners, 50, 100, points)


def test_a_shared_victory_is_divided() -> None:
    tally = Tally(Options(players=3))
    for winners in ((0,), (0, 1), (0, 1, 2)):
        tally.add(outcome(*winners))
    assert [tally.wins(seat) for seat in range(3)] == pytest.approx([1 + 1 / 2 + 1 / 3, 1 / 2 + 1 / 3, 1 / 3])
    assert sum([tally.wins(seat) for seat in range(3)]) == pytest.approx(tally.finished)
    assert [tally.shared_wins(seat) for seat in range(3)] == [2, 2, 1]


def test_points_are_means_over_finished_games() -> None:
    tally = Tally(Options(players=2))
    tally.add(outcome(1))
    tally.add(outcome(1))
    tally.add(outcome(end=STOPPED))
    assert (tally.games, tally.unfinished, tally.decisions, tally.mean(tally.turns)) == (3, 1, 300, 50)
    assert tally.points(0) == 10
    assert tally.points(0, ["A"]) == 4
    assert tally.points(1, ["C"], ["tower"]) == 21
    assert tally.points(1, items=["wall"]) == 0
    assert tally.points(DIRK) == 20


def test_nothing_is_divided_by_no_games() -> None:
    tally = Tally(Options())
    assert (tally.points(0), tally.win_rate(0), tally.interval(0)) == (0, 0, (0, 1))


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"), [(0, 10, 0, 0.2775), (5, 10, 0.2366, 0.7634), (98, 100, 0.9300, 0.9945)]
)
def test_wilson_gives_the_published_intervals(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=0.0001)


def test_items_stand_in_scoring_order() -> None:
    assert items_of(Options("combined"))[:4] == ["wall", "moat", "run", "pavilion"]
    assert items_of(Options("alhambra"))[-1] == "tower"
    assert items_of(Options("granada"))[:2] == ["moat", "arena"]
