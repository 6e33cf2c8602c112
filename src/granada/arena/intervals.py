"""Confidence intervals of means and win shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

#: 95 % of a normal distribution lie within this many standard deviations.
DEVIATIONS: Final = 1.959964
#: With fewer groups there is no estimate of the error.
FEWEST: Final = 5

Groups = Sequence[Sequence[float]]


def wilson(wins: float, games: float, deviations: float = DEVIATIONS) -> tuple[float, float]:
    """Return the 95 % interval of a rate by Wilson's formula, which stays between 0 and 1 even for few games."""
    if not games:
        return (0.0, 1.0)
    rate, z2 = wins / games, deviations**2
    middle = rate + z2 / (2 * games)
    spread = deviations * sqrt(rate * (1 - rate) / games + z2 / (4 * games * games))
    scale = 1 + z2 / games
    return (max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


@dataclass(frozen=True)
class Share:
    """A share of games, with its effective sample size."""

    share: float
    games: int
    #: The number of independent games with the same error.
    values: float
    #: The degrees of freedom of that estimate; 0 if the error is unknown.
    freedom: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval by Wilson's formula."""
        return wilson(self.share * self.values, self.values, _student(self.freedom) if self.freedom else DEVIATIONS)


def share_of(groups: Groups) -> Share:
    """Return the share of games that come in independent groups.

    If the error cannot be estimated, because there are few groups or all are equal, each group counts as one value.
    """
    share, error, games = _mean(groups), _error(groups), sum([len(group) for group in groups])
    if error is None:
        return Share(share, games, len(groups))
    return Share(share, games, share * (1 - share) / error**2, len(groups) - 1)


def together(shares: Sequence[Share]) -> Share:
    """Combine independent shares; every game has the same weight."""
    games = sum([one.games for one in shares])
    if not games:
        return Share(0.0, 0, 0)
    share = sum([one.share * one.games for one in shares]) / games
    values = games**2 / sum([one.games**2 / one.values for one in shares if one.games])
    return Share(share, games, values, sum([one.freedom for one in shares]))


def interval_of_mean(groups: Groups) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean of values that come in independent groups (Student's distribution).

    Luck that helped one value of a group and hurt another cancels. None for fewer than five groups, or if all sums are
    equal.
    """
    middle, error = _mean(groups), _error(groups)
    if error is None:
        return None
    spread = _student(len(groups) - 1) * error
    return (middle - spread, middle + spread)


def interval_of_share(groups: Groups) -> tuple[float, float]:
    """Return the same for values from 0 to 1."""
    return share_of(groups).interval


def _mean(groups: Groups) -> float:
    return sum([sum(group) for group in groups]) / (sum([len(group) for group in groups]) or 1)


def _error(groups: Groups) -> float | None:
    """Return the standard error of the mean; None if it cannot be estimated."""
    if len(groups) < FEWEST:
        return None
    middle = _mean(groups)
    squares = sum([(sum(group) - middle * len(group)) ** 2 for group in groups])
    if squares < 1e-9:
        return None
    return sqrt(squares * len(groups) / (len(groups) - 1)) / sum([len(group) for group in groups])


def _student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's distribution by its series around the normal one, exact to 1 %."""
    z = DEVIATIONS
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
