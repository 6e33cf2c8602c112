"""Ratings of players from games of any number of them (openskill, Plackett-Luce)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING, Final

from granada.arena.outcome import FORFEIT, Outcome

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

#: Games are rated in so many orders, or fewer if all together would be more than so many games.
MOST_ORDERS: Final = 12
MOST_GAMES: Final = 60_000
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
    """The ratings after all decided games; None if openskill is not installed.

    Each game moves the ratings from where the games before have left them, so their order tells in the result. Bots do
    not learn, and no order is the right one: the games are rated in several, and the mean is taken.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    # A bot does not change from game to game, so nothing is added to its uncertainty (tau), and every game takes from
    # it what it tells (gamma); openskill keeps people uncertain, and then the last games count most.
    model = PlackettLuce(mu=_MU, sigma=_SIGMA, beta=_BETA, tau=0.0, gamma=_all_of_it)
    games: list[tuple[list[str], list[float]]] = []
    for outcome in outcomes:
        specs = [players[number] for number in outcome.pairing.line_up]
        if outcome.is_decided and len(set(specs)) > 1:
            games.append((specs, [float(rank) for rank in ranks_of(outcome)]))
    orders = max(1, min(MOST_ORDERS, MOST_GAMES // max(1, len(games))))
    sums = dict.fromkeys(players, (0.0, 0.0))
    for order in range(orders):
        random.Random(f"order {order}").shuffle(games)
        for spec, (mu, sigma) in _rate_in_order(model, players, games).items():
            sums[spec] = (sums[spec][0] + mu, sums[spec][1] + sigma)
    return {spec: Rating(mu / orders, sigma / orders) for spec, (mu, sigma) in sums.items()}


def _rate_in_order(
    model: PlackettLuce, players: Sequence[str], games: Sequence[tuple[list[str], list[float]]]
) -> dict[str, tuple[float, float]]:
    """The strength and the uncertainty of each player after some games, one after the other."""
    ratings = dict.fromkeys(players, (_MU, _SIGMA))
    for specs, ranks in games:
        teams = [[model.create_rating(list(ratings[spec]), spec)] for spec in specs]
        rated = model.rate(teams, ranks=ranks)
        for spec in dict.fromkeys(specs):
            # A bot with several seats learned from each of them.
            own = [team[0] for team, name in zip(rated, specs, strict=True) if name == spec]
            ratings[spec] = (sum([one.mu for one in own]) / len(own), sum([one.sigma for one in own]) / len(own))
    return ratings


def _all_of_it(*_: object) -> float:
    return 1.0


def ranks_of(outcome: Outcome) -> list[int]:
    """The places by seat, 0 the best; who forfeits is behind all others, and those share the victory."""
    if outcome.end == FORFEIT:
        return [0 if seat in outcome.winners else 1 for seat in range(len(outcome.pairing.line_up))]
    totals = outcome.totals()
    return [len([other for other in totals if other > total]) for total in totals]
