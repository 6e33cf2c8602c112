"""The plots of a tournament: rating ladder, win matrix, points by scoring, budget curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final

from granada.arena.plot_canvas import SERIES, Plot, width_of
from granada.arena.ratings import Rating
from granada.arena.standings import EntrantStanding, Standings
from granada.bots.spec import Spec
from granada.rules.scoring import SCORINGS

WIDTH: Final = 760.0
_EDGE: Final = 20.0
_TOP: Final = 52.0
_ROW: Final = 30.0


@dataclass(frozen=True)
class Estimate:
    """A value of an entrant with its 95 % interval."""

    name: str
    value: float
    low: float
    high: float
    label: str


def strength(one: EntrantStanding) -> Estimate:
    """Return the rating of an entrant or, without ratings, its win share in percent."""
    if one.rating is not None:
        return rated(one.spec, one.rating)
    low, high = one.interval
    share = 100 * one.share
    return Estimate(one.spec, share, 100 * low, 100 * high, f"{share:.1f} % ({100 * low:.1f} – {100 * high:.1f})")


def rated(spec: str, rating: Rating) -> Estimate:
    """Return a rating with its interval."""
    value, spread = rating.points, rating.spread
    return Estimate(spec, value, value - spread, value + spread, f"{value:.0f} ± {spread:.0f}")


def plot_ladder(standings: Standings, name: str = "ladder") -> str:
    """Plot the entrants by strength, with 95 % intervals."""
    what = "Ratings" if standings.is_rated else "Win shares in percent"
    return plot_levels([strength(one) for one in standings.ladder], f"{what} with 95 % intervals", name)


def plot_levels(levels: Sequence[Estimate], title: str, name: str) -> str:
    """Plot values below each other, each with its interval."""
    plot = Plot(name, title, "; ".join([f"{level.name}: {level.label}" for level in levels]))
    plot.text(_EDGE, 30, title, size=16)
    left = _EDGE + max([width_of(level.name) for level in levels], default=0) + 16
    right = WIDTH - _EDGE - max([width_of(level.label) for level in levels], default=0) - 16
    marks = ticks(min([level.low for level in levels]), max([level.high for level in levels]))
    bottom = _TOP + _ROW * len(levels)

    def place(value: float) -> float:
        return left + (right - left) * (value - marks[0]) / (marks[-1] - marks[0])

    for mark in marks:
        plot.line(place(mark), _TOP - 6, place(mark), bottom)
        plot.text(place(mark), bottom + 16, f"{mark:g}", "quiet", "middle", 12)
    for row, level in enumerate(levels):
        y = _TOP + _ROW * (row + 0.5)
        plot.text(_EDGE, y + 4, level.name)
        plot.line(place(level.low), y, place(level.high), y, "first", 2)
        for end in (level.low, level.high):
            plot.line(place(end), y - 5, place(end), y + 5, "first", 2)
        plot.dot(place(level.value), y, "first", hint=f"{level.name}: {level.label}")
        plot.text(WIDTH - _EDGE, y + 4, level.label, anchor="end")
    return plot.svg(WIDTH, bottom + 30)


def plot_matrix(standings: Standings, name: str = "matrix") -> str:
    """Plot how often each entrant was ahead of each other."""
    ladder = standings.ladder
    left = _EDGE + max([width_of(one.spec) for one in ladder]) + 12
    across, high = max(64.0, *[width_of(one.spec) + 12 for one in ladder]), 34.0
    described = []
    title = "How often the row was ahead of the column (%)"
    for one in ladder:
        for rival in ladder:
            met = standings.meeting(one.spec, rival.spec)
            if met.games:
                described.append(f"{one.spec} ahead of {rival.spec}: {100 * met.share:.1f} % of {met.games}")
    plot = Plot(name, title, "; ".join(described))
    plot.text(_EDGE, 30, title, size=16)
    for column, rival in enumerate(ladder):
        plot.text(left + across * (column + 0.5), _TOP + 8, rival.spec, "quiet", "middle", 12)
    for row, one in enumerate(ladder):
        y = _TOP + 18 + high * row
        plot.text(_EDGE, y + high / 2 + 5, one.spec)
        for column, rival in enumerate(ladder):
            met = standings.meeting(one.spec, rival.spec)
            x = left + across * column
            if not met.games:
                plot.box(x + 1, y + 1, across - 2, high - 2, "line", 0.4)
                continue
            lead = met.share - 0.5
            low, top = met.interval
            hint = f"{one.spec} – {rival.spec}: {met.games} times, 95 % interval {100 * low:.1f} – {100 * top:.1f} %"
            colour = "first" if lead >= 0 else "second"
            plot.box(x + 1, y + 1, across - 2, high - 2, colour, 0.08 + 0.62 * abs(lead), hint)
            plot.text(x + across / 2, y + high / 2 + 5, f"{100 * met.share:.1f}", anchor="middle")
    return plot.svg(max(WIDTH, left + across * len(ladder) + _EDGE), _TOP + 18 + high * len(ladder) + _EDGE)


def plot_points(standings: Standings, name: str = "points") -> str:
    """Plot the mean points of each entrant in the three scorings."""
    ladder = standings.ladder
    title = "Mean points by scoring"
    described = [f"{one.spec}: {', '.join([f'{s} {one.points([s]):.1f}' for s in SCORINGS])}" for one in ladder]
    plot = Plot(name, title, "; ".join(described))
    plot.text(_EDGE, 30, title, size=16)
    for number, scoring in enumerate(SCORINGS):
        x = WIDTH - _EDGE - 40.0 * (len(SCORINGS) - number)
        plot.box(x, 19, 12, 12, SERIES[number])
        plot.text(x + 17, 30, scoring)
    left = _EDGE + max([width_of(one.spec) for one in ladder]) + 16
    right = WIDTH - _EDGE - 60
    most = max([one.points() for one in ladder]) or 1.0
    for row, one in enumerate(ladder):
        y = _TOP + _ROW * row
        plot.text(_EDGE, y + 19, one.spec)
        x = left
        for number, scoring in enumerate(SCORINGS):
            points = one.points([scoring])
            width = (right - left) * points / most
            plot.box(x, y + 4, width - 1, _ROW - 8, SERIES[number], hint=f"{one.spec}, {scoring}: {points:.1f}")
            x += max(width, 0)
        plot.text(x + 8, y + 19, f"{one.points():.1f}")
    return plot.svg(WIDTH, _TOP + _ROW * len(ladder) + _EDGE)


def plot_budgets(standings: Standings, name: str = "budgets") -> str | None:
    """Plot strength by budget; None if no bot played with several budgets."""
    return plot_curves(budget_curves([strength(one) for one in standings.entrants]), _budget_title(standings), name)


def _budget_title(standings: Standings) -> str:
    return f"{'Rating' if standings.is_rated else 'Win share (%)'} by budget, with 95 % intervals"


def budget_curves(levels: Sequence[Estimate]) -> dict[str, list[tuple[float, Estimate]]]:
    """Return the strength by budget of each bot that played with several budgets, of seconds or of nodes."""
    curves: dict[str, list[tuple[float, Estimate]]] = {}
    for level in levels:
        spec = Spec.parse(level.name)
        for unit, budget in (("seconds", spec.seconds), ("nodes", spec.nodes)):
            if budget is not None:
                curves.setdefault(f"{spec.name}, {unit}", []).append((float(budget), level))
    return {name: sorted(points, key=lambda p: p[0]) for name, points in curves.items() if len(points) > 1}


def plot_curves(curves: dict[str, list[tuple[float, Estimate]]], title: str, name: str) -> str | None:
    """Plot values by budget on a logarithmic scale; None if there is no curve."""
    points = [point for curve in curves.values() for point in curve]
    if not points:
        return None
    described = [
        f"{label}: {', '.join([f'{b:g}: {level.label}' for b, level in curve])}" for label, curve in curves.items()
    ]
    plot = Plot(name, title, "; ".join(described))
    plot.text(_EDGE, 30, title, size=16)
    left, right, bottom = _EDGE + 50, WIDTH - _EDGE - 10, _TOP + 260
    marks = ticks(min([level.low for _, level in points]), max([level.high for _, level in points]))
    budgets = sorted({budget for budget, _ in points})
    first, last = log10(budgets[0]), log10(budgets[-1])

    def across(budget: float) -> float:
        return left + 20 + (right - left - 40) * (log10(budget) - first) / ((last - first) or 1)

    def up(value: float) -> float:
        return bottom - (bottom - _TOP) * (value - marks[0]) / (marks[-1] - marks[0])

    for mark in marks:
        plot.line(left, up(mark), right, up(mark))
        plot.text(left - 8, up(mark) + 4, f"{mark:g}", "quiet", "end", 12)
    for budget in budgets:
        plot.text(across(budget), bottom + 18, f"{budget:g}", "quiet", "middle", 12)
    for number, (label, curve) in enumerate(curves.items()):
        colour = SERIES[number % len(SERIES)]
        plot.text(left + 8 + 200 * (number % 3), bottom + 40 + 18 * (number // 3), f"● {label}", colour)
        for (budget, level), (following, further) in pairwise(curve):
            plot.line(across(budget), up(level.value), across(following), up(further.value), colour, 2)
        for budget, level in curve:
            plot.line(across(budget), up(level.low), across(budget), up(level.high), colour, 1.5)
            plot.dot(across(budget), up(level.value), colour, hint=f"{level.name}: {level.label}")
    return plot.svg(WIDTH, bottom + 56 + 18 * ((len(curves) - 1) // 3))


def ticks(low: float, high: float) -> list[float]:
    """Return five to eleven round numbers from below the lowest to above the highest value.
    ---

    >>> ticks(1420.0, 1693.5)
    [1400, 1450, 1500, 1550, 1600, 1650, 1700]
    """
    span = max(high - low, 1e-6)
    step = 10.0 ** floor(log10(span))
    for part in (0.1, 0.2, 0.5, 1):
        if span / (step * part) <= 9:
            step *= part
            break
    first, last = floor(low / step), ceil(high / step)
    numbers = [round(step * number, 9) for number in range(first, max(last, first + 1) + 1)]
    return [int(number) if number == int(number) else number for number in numbers]
