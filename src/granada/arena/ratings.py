"""Ratings of players from games of any number of them (openskill, Plackett-Luce)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Final

from granada.arena.outcome import FORFEIT, GameOutcome

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

#: Games are rated in up to MOST_ORDERS orders, but no more than MOST_GAMES in all.
MOST_ORDERS: Final = 12
MOST_GAMES: Final = 60_000
#: A new order starts from this part of the known difference to the mean, so that a bot that wins every game does not
#: rise for ever.
BEGIN: Final = 0.75
#: The scale of openskill: the mean of a new player, its uncertainty, and the luck in a game.
_MU: Final = 25.0
_SIGMA: Final = _MU / 3
_BETA: Final = _MU / 6
#: On the scale shown, a new player has MIDDLE points, and 400 points more mean ten wins to one between two players.
MIDDLE: Final = 1500.0
SCALE: Final = 400 / (log(10) * sqrt(2) * _BETA)


@dataclass(frozen=True)
class Rating:
    """The strength of an entrant and its uncertainty, in openskill's units."""

    mu: float
    sigma: float

    @property
    def points(self) -> float:
        """The rating on a scale like Elo's."""
        return MIDDLE + SCALE * (self.mu - _MU)

    @property
    def spread(self) -> float:
        """Half the width of the 95 % interval, on the same scale."""
        return 1.959964 * SCALE * self.sigma


def rate(players: Sequence[str], outcomes: Iterable[GameOutcome]) -> dict[str, Rating] | None:
    """Return the ratings after all decided games; None if openskill is not installed.

    Ratings depend on the order of the games, but bots do not learn, so no order is the right one: the games are rated
    in several orders, and the mean is taken. Each order starts near the ratings known by then; otherwise a bot that
    met only strong bots before their strength was known would be rated too low.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    # Bots do not change, so no uncertainty is added from game to game (tau = 0), and every game reduces it fully
    # (gamma = 1). openskill's defaults are for people: the last games would count most.
    model = PlackettLuce(mu=_MU, sigma=_SIGMA, beta=_BETA, tau=0.0, gamma=_all_of_it)
    games: list[tuple[list[str], list[float]]] = []
    for outcome in outcomes:
        specs = [players[number] for number in outcome.pairing.line_up]
        if outcome.is_decided and len(set(specs)) > 1:
            games.append((specs, [float(rank) for rank in ranks_of(outcome)]))
    known = dict.fromkeys(players, Rating(_MU, _SIGMA))
    found: dict[str, list[Rating]] = {spec: [] for spec in players}
    for order in range(max(1, min(MOST_ORDERS, MOST_GAMES // max(1, len(games))))):
        random.Random(f"order {order}").shuffle(games)
        for spec, rating in _rate_in_order(model, known, games).items():
            found[spec].append(rating)
        # The first half of the orders only finds the starting point.
        known = {spec: _mean(own[len(own) // 2 :]) for spec, own in found.items()}
    return known


def _mean(ratings: Sequence[Rating]) -> Rating:
    return Rating(fmean([one.mu for one in ratings]), fmean([one.sigma for one in ratings]))


def _rate_in_order(
    model: PlackettLuce, known: dict[str, Rating], games: Sequence[tuple[list[str], list[float]]]
) -> dict[str, Rating]:
    """Return the ratings after rating the games in this order."""
    ratings = {spec: (_MU + BEGIN * (rating.mu - _MU), _SIGMA) for spec, rating in known.items()}
    for specs, ranks in games:
        teams = [[model.create_rating(list(ratings[spec]), spec)] for spec in specs]
        rated = model.rate(teams, ranks=ranks)
        for spec in dict.fromkeys(specs):
            # A bot with several seats gets the mean of their ratings.
            own = [team[0] for team, name in zip(rated, specs, strict=True) if name == spec]
            ratings[spec] = (fmean([one.mu for one in own]), fmean([one.sigma for one in own]))
    return {spec: Rating(mu, sigma) for spec, (mu, sigma) in ratings.items()}


def _all_of_it(*_: object) -> float:
    return 1.0


def ranks_of(outcome: GameOutcome) -> list[int]:
    """Return the rank of each seat, 0 for the best; a bot that forfeits comes last, and the others share the win."""
    if outcome.end == FORFEIT:
        return [0 if seat in outcome.winners else 1 for seat in range(len(outcome.pairing.line_up))]
    totals = outcome.totals()
    return [len([other for other in totals if other > total]) for total in totals]
