"""The static evaluation: points of the scorings to come if they took place now, plus the value of money and tiles."""

from __future__ import annotations

from math import exp
from typing import Final, final

from granada.engine.standing import Standing, in_scoring
from granada.rules.city import City
from granada.rules.money import number_of_cards, worth
from granada.rules.scoring import RUN_POINTS, SCORINGS
from granada.rules.stretches import MOAT, RUN, WALL

#: The value in points of what a player holds: a unit of money, a money card, a tile in the reserve, an active vizier.
COIN: Final = 0.5
CARD: Final = 0.4
RESERVED: Final = 1.0
VIZIER: Final = 2.0
EXCHANGE_CARD: Final = 2.0
#: The weight of a scoring relative to the one before it: a majority of today may be lost by then.
LATER: Final = 0.85
#: The scale of the logistic curve from leads to win chances, in points: at the end and at the beginning of the game.
SURE: Final = 9.0
SURE_EARLY: Final = 16.0
#: In the combined edition there are more points, so the scale is larger by this factor.
SURE_COMBINED: Final = 1.5


def outline(city: City) -> int:
    """7.2, 10.7: return the points of a city's longest wall, moat and run."""
    return city.stretch(WALL) + city.stretch(MOAT) + RUN_POINTS * city.stretch(RUN)


def scoring_points(standing: Standing) -> list[list[float]]:
    """Return the points of each entrant in each of the three scorings if it took place now."""
    types = standing.points()
    outlines = [outline(player.city) for player in standing.state.players]
    outlines += [0] * (standing.entrants - len(outlines))
    found: list[list[float]] = []
    for index in range(len(SCORINGS)):
        found.append([float(in_scoring(types[one], index) + outlines[one]) for one in range(standing.entrants)])
    return found


@final
class Outlook:
    """The evaluation of a position for all seats, from which lead, win chance and features follow."""

    __slots__ = ("points", "stage", "standing", "totals")

    def __init__(self, standing: Standing) -> None:
        self.standing: Final = standing
        #: The points of each entrant in each scoring, if it took place now.
        self.points: Final = scoring_points(standing)
        self.stage: Final = stage(standing)
        #: The estimated final points of each seat, without Dirk.
        self.totals: Final = _totals(standing, self.points, self.stage)


def promises(standing: Standing) -> list[float]:
    """Return the estimated final points of each seat, without Dirk."""
    return Outlook(standing).totals


def _totals(standing: Standing, points: list[list[float]], left: float) -> list[float]:
    state = standing.state
    found = [float(player.score) for player in state.players]
    weight = 1.0
    for index in standing.scorings:
        of_scoring = points[index]
        for seat in range(len(found)):
            found[seat] += weight * of_scoring[seat]
        weight *= LATER
    if not standing.scorings:
        return found
    for seat, player in enumerate(state.players):
        coins = 0
        cards = 0
        for purse in player.purses:
            coins += worth(purse)
            cards += number_of_cards(purse)
        held = COIN * coins + CARD * cards + RESERVED * len(player.reserve) + EXCHANGE_CARD * len(player.exchange)
        if player.vizier:
            held += VIZIER
        found[seat] += held * left
    return found


def stage(standing: Standing) -> float:
    """Return how much of the game is left: near 1 at the beginning, 0 at the end."""
    left = 0
    for bag in standing.state.bags:
        left += len(bag)
    per_seat = left / len(standing.state.players)
    return per_seat / (per_seat + 2.0)


def lead_of(totals: list[float], seat: int) -> float:
    """Return the lead of a seat over the best other; negative if it is behind."""
    best = -1e9
    for other, total in enumerate(totals):
        if other != seat and total > best:
            best = total
    return totals[seat] - best


def chance_of(lead: float, left: float, kinds: int = 1) -> float:
    """Return the chance to win with a lead, if this part of the game is left and there are `kinds` kinds of tile."""
    scale = SURE + (SURE_EARLY - SURE) * left
    if kinds > 1:
        scale *= SURE_COMBINED
    x = lead / scale
    if x > 30.0:
        return 1.0
    if x < -30.0:
        return 0.0
    return 1.0 / (1.0 + exp(-x))
