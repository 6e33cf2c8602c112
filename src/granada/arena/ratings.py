"""Ratings of players from games of any number of them (openskill, Plackett-Luce)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

from granada.arena.outcome import FORFEIT, Outcome

#: The scale of openskill: the mean of a new player, its uncertainty, and the luck in a game.
_MU: Final = 25.0
_SIGMA: Final = _MU / 3
_BETA: Final = _MU / 6
#: On the scale shown, a new player has so many points, and 400 more mean ten wins against one between two players.
MIDDLE: Final = 1500.0
SCALE: Final = 400 / (log(10) * sqrt(2) * _BETA)


@dataclass(frozen=True)
class Rating:
    """The strength of an entrant as openskill sees it, and its uncertainty."""

    mu: float
    sigma: float

    @property
    def points(self) -> float:
        """On a scale like Elo's."""
        return MIDDLE + SCALE * (self.mu - _MU)

    @property
    def spread(self) -> float:
        """95 % of the uncertainty, on the same scale, to both sides."""
        return 1.959964 * SCALE * self.sigma


def rate(players: Sequence[str], outcomes: Iterable[Outcome]) -> dict[str, Rating] | None:
    """The ratings after all decided games, in their order; None if openskill is not installed."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    # A bot does not change from game to game, so nothing is added to its uncertainty (tau).
    model = PlackettLuce(mu=_MU, sigma=_SIGMA, beta=_BETA, tau=0.0)
    ratings = {spec: model.rating(name=spec) for spec in players}
    for outcome in outcomes:
        specs = [players[number] for number in outcome.pairing.line_up]
        if not outcome.is_decided or len(set(specs)) == 1:
            continue
        teams = [[model.create_rating([ratings[spec].mu, ratings[spec].sigma], spec)] for spec in specs]
        rated = model.rate(teams, ranks=[float(rank) for rank in ranks_of(outcome)])
        for spec in dict.fromkeys(specs):
            # A bot with several seats learned from each of them.
            own = [team[0] for team, name in zip(rated, specs, strict=True) if name == spec]
            ratings[spec].mu = sum([part.mu for part in own]) / len(own)
            ratings[spec].sigma = sum([part.sigma for part in own]) / len(own)
    return {spec: Rating(rating.mu, rating.sigma) for spec, rating in ratings.items()}


def ranks_of(outcome: Outcome) -> list[int]:
    """The places by seat, 0 the best; who forfeits is behind all others, and those share the victory."""
    if outcome.end == FORFEIT:
        return [0 if seat in outcome.winners else 1 for seat in range(len(outcome.pairing.line_up))]
    totals = outcome.totals()
    return [len([other for other in totals if other > total]) for total in totals]
