"""How certain a mean is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from granada.arena.tally import DEVIATIONS, wilson

#: Fewer values say too little about their own spread.
FEWEST: Final = 5

Groups = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Share:
    """A part of the games that was won, and how much is known by it."""

    share: float
    games: int
    #: As many games that do not depend on each other would err as much.
    values: float
    #: The degrees of freedom of that estimate; 0 if it is none.
    freedom: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval, by Wilson's formula."""
        return wilson(self.share * self.values, self.values, _student(self.freedom) if self.freedom else DEVIATIONS)


def share_of(groups: Groups) -> Share:
    """The share of games that come in groups which do not depend on each other.

    Where their errors are not known, because groups are few or all alike, a group counts like one value.
    """
    share, error, games = _mean(groups), _error(groups), sum([len(group) for group in groups])
    if error is None:
        return Share(share, games, len(groups))
    return Share(share, games, share * (1 - share) / error**2, len(groups) - 1)


def together(shares: Sequence[Share]) -> Share:
    """The share of all games of several shares, which do not depend on each other; every game counts alike."""
    games = sum([one.games for one in shares])
    if not games:
        return Share(0.0, 0, 0)
    share = sum([one.share * one.games for one in shares]) / games
    values = games**2 / sum([one.games**2 / one.values for one in shares if one.games])
    return Share(share, games, values, sum([one.freedom for one in shares]))


def interval_of_mean(groups: Groups) -> tuple[float, float] | None:
    """The 95 % interval of the mean of all values, of which those of a group depend on each other.

    Groups are independent, so their sums tell how far the mean may be off (by Student's distribution): luck that
    helped one value of a group and hurt another cancels. None for fewer than five groups, and if all sums are equal.
    """
    middle, error = _mean(groups), _error(groups)
    if error is None:
        return None
    spread = _student(len(groups) - 1) * error
    return (middle - spread, middle + spread)


def interval_of_share(groups: Groups) -> tuple[float, float]:
    """The same for values from 0 to 1."""
    return share_of(groups).interval


def _mean(groups: Groups) -> float:
    return sum([sum(group) for group in groups]) / (sum([len(group) for group in groups]) or 1)


def _error(groups: Groups) -> float | None:
    """The standard error of the mean; None if the groups do not tell it."""
    if len(groups) < FEWEST:
        return None
    middle = _mean(groups)
    squares = sum([(sum(group) - middle * len(group)) ** 2 for group in groups])
    if squares < 1e-9:
        return None
    return sqrt(squares * len(groups) / (len(groups) - 1)) / sum([len(group) for group in groups])


def _student(freedom: int) -> float:
    """How many standard errors hold 95 % of Student's distribution: its series about the normal one, to 1 %."""
    z = DEVIATIONS
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
