"""How certain a mean is."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

#: How many standard deviations hold 95 % of a normal distribution.
DEVIATIONS: Final = 1.959964
#: Fewer values say too little about their own spread.
FEWEST: Final = 5


def interval_of_mean(groups: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """The 95 % interval of the mean of all values, of which those of a group depend on each other.

    Groups are independent, so their sums tell how far the mean may be off (by Student's distribution): luck that
    helped one value of a group and hurt another cancels. None for fewer than five groups, and if all sums are equal.
    """
    sizes = sum([len(group) for group in groups])
    if len(groups) < FEWEST:
        return None
    middle = sum([sum(group) for group in groups]) / sizes
    squares = sum([(sum(group) - middle * len(group)) ** 2 for group in groups])
    if squares < 1e-9:
        return None
    spread = _student(len(groups) - 1) * sqrt(squares * len(groups) / (len(groups) - 1)) / sizes
    return (middle - spread, middle + spread)


def interval_of_share(groups: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """The same for values from 0 to 1: nothing beyond them is possible."""
    found = interval_of_mean(groups)
    return None if found is None else (max(0.0, found[0]), min(1.0, found[1]))


def _student(freedom: int) -> float:
    """How many standard errors hold 95 % of Student's distribution: its series about the normal one, to 1 %."""
    z = DEVIATIONS
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
