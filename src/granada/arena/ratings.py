"""Ratings of players from games of any number of them (openskill, Plackett-Luce)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Final

from granada.arena.outcome import FORFEIT, Outcome

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

#: Games are rated in so many orders, or fewer if all together would be more than so many games.
MOST_ORDERS: Final = 12
MOST_GAMES: Final = 60_000
#: A player begins so far from the middle as a part of what is known: who wins all games shall not rise for ever.
BEGIN: Final = 0.75
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
    not learn, and no order is the right one: the games are rated in several, and the mean is taken. A new order begins
    near what is known by then: else a bot that met only strong ones, of whom nobody knew it yet, would stay unknown.
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
    known = dict.fromkeys(players, Rating(_MU, _SIGMA))
    found: dict[str, list[Rating]] = {spec: [] for spec in players}
    for order in range(max(1, min(MOST_ORDERS, MOST_GAMES // max(1, len(games))))):
        random.Random(f"order {order}").shuffle(games)
        for spec, rating in _rate_in_order(model, known, games).items():
            found[spec].append(rating)
        # Of the first orders nothing is left at the end: they only find where to begin.
        known = {spec: _mean(own[len(own) // 2 :]) for spec, own in found.items()}
    return known


def _mean(ratings: Sequence[Rating]) -> Rating:
    return Rating(fmean([one.mu for one in ratings]), fmean([one.sigma for one in ratings]))


def _rate_in_order(
    model: PlackettLuce, known: dict[str, Rating], games: Sequence[tuple[list[str], list[float]]]
) -> dict[str, Rating]:
    """The strength and the uncertainty of each player after some games, one after the other."""
    ratings = {spec: (_MU + BEGIN * (rating.mu - _MU), _SIGMA) for spec, rating in known.items()}
    for specs, ranks in games:
        teams = [[model.create_rating(list(ratings[spec]), spec)] for spec in specs]
        rated = model.rate(teams, ranks=ranks)
        for spec in dict.fromkeys(specs):
            # A bot with several seats learned from each of them.
            own = [team[0] for team, name in zip(rated, specs, strict=True) if name == spec]
            ratings[spec] = (fmean([one.mu for one in own]), fmean([one.sigma for one in own]))
    return {spec: Rating(mu, sigma) for spec, (mu, sigma) in ratings.items()}


def _all_of_it(*_: object) -> float:
    return 1.0


def ranks_of(outcome: Outcome) -> list[int]:
    """The places by seat, 0 the best; who forfeits is behind all others, and those share the victory."""
    if outcome.end == FORFEIT:
        return [0 if seat in outcome.winners else 1 for seat in range(len(outcome.pairing.line_up))]
    totals = outcome.totals()
    return [len([other for other in totals if other > total]) for total in totals]
