"""Rewards: what the points at the end are worth, and shaping by a potential."""

from __future__ import annotations

from typing import Final

from granada.rules.scoring import score_rows, scorings_to_come
from granada.rules.state import State

#: The rewards at the end of a game, by name.
REWARDS: Final = {
    "rank": "1 for the first place, -1 for the last, evenly spaced; tied players share their places (8.4)",
    "margin": "your points minus those of the best other player, in hundreds",
    "score": "your points minus the mean of the other players, in hundreds",
    "points": "your points, in hundreds",
}
#: Points are counted in hundreds, so that rewards are about as large as ranks.
SCALE: Final = 100.0


def final_rewards(name: str, points: list[int]) -> list[float]:
    """Return the reward of each seat for its points at the end; Dirk does not count (9.7)."""
    if name == "points":
        return [own / SCALE for own in points]
    if len(points) == 1:
        return [0.0]
    if name == "rank":
        return _ranks(points)
    if name == "score":
        return _leads([float(own) for own in points])
    rewards: list[float] = []
    for seat, own in enumerate(points):
        best = max([other for i, other in enumerate(points) if i != seat])
        rewards.append((own - best) / SCALE)
    return rewards


def _ranks(points: list[int]) -> list[float]:
    rewards: list[float] = []
    for own in points:
        better = len([other for other in points if other > own])
        equal = len([other for other in points if other == own])
        rewards.append(1.0 - (2 * better + equal - 1) / (len(points) - 1))
    return rewards


def _leads(points: list[float]) -> list[float]:
    """Return each seat's lead over the mean of the others; without others, its points."""
    others = len(points) - 1
    if not others:
        return [points[0] / SCALE]
    whole = sum(points)
    return [(own - (whole - own) / others) / SCALE for own in points]


def potentials(state: State) -> list[float]:
    """Return each seat's potential: its lead in points, as if the next scoring took place now (7); 0 at the end."""
    if state.is_over:
        return [0.0] * len(state.players)
    points = [float(player.score) for player in state.players]
    for row in score_rows(state, scorings_to_come(state)[0]):
        if row.seat >= 0:
            points[row.seat] += row.points
    return _leads(points)
