"""The results of a tournament: win shares, points, margins, ratings and times, each with its uncertainty."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from granada.arena.intervals import interval_of_mean, interval_of_share, wilson
from granada.arena.outcome import FINISHED, FORFEIT, STOPPED, VOID, GameOutcome, Thinking
from granada.arena.ratings import Rating, ranks_of, rate
from granada.arena.tally import items_of
from granada.arena.tournament import Tournament, budget_of
from granada.rules.options import Options
from granada.rules.scoring import SCORINGS

Interval = tuple[float, float]


class Meeting:
    """How often one entrant was ahead of another, counted for each pair of seats; a tie counts half."""

    def __init__(self, by_deal: Sequence[Sequence[float]]) -> None:
        self.by_deal: Final = by_deal
        self.games: Final = sum([len(deal) for deal in by_deal])
        self.ahead: Final = sum([sum(deal) for deal in by_deal])

    @property
    def share(self) -> float:
        """The share of games in which it was ahead; one half if they never met."""
        return self.ahead / self.games if self.games else 0.5

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the share, with the games of a deal as one group."""
        return interval_of_share(self.by_deal)


class EntrantStanding:
    """The results of one entrant; a game counts once for each of its seats."""

    def __init__(self, spec: str, items: Sequence[str]) -> None:
        self.spec: Final = spec
        self.items: Final = items
        self.budget: Final = budget_of(spec)
        #: Decided games, and finished ones among them.
        self.games = 0
        self.finished = 0
        self.wins = 0.0
        self.forfeits = 0
        self.thinking: Final = Thinking()
        self.rating: Rating | None = None
        self._others = 1
        self._points: Final[Counter[tuple[str, str]]] = Counter()
        self._margins: Final[Counter[str]] = Counter()
        #: Wins and margins by deal; unpaired games have a deal each.
        self.wins_by_deal: Final[defaultdict[int, list[float]]] = defaultdict(list)
        self._margins_by_deal: Final[defaultdict[int, list[float]]] = defaultdict(list)

    def add(self, outcome: GameOutcome, seat: int) -> None:
        """Count a game from one of its seats."""
        if outcome.thinking:
            self.thinking.join(outcome.thinking[seat])
        if not outcome.is_decided:
            return
        self.games += 1
        won = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
        self.wins += won
        self.wins_by_deal[outcome.pairing.deal].append(won)
        if outcome.fault is not None:
            self.forfeits += outcome.fault.seat == seat
        if outcome.end == FINISHED:
            self._add_points(outcome, seat)

    def _add_points(self, outcome: GameOutcome, seat: int) -> None:
        self.finished += 1
        others = self._others = len(outcome.pairing.line_up) - 1
        margin = 0.0
        for other, scoring, item, points in outcome.points:
            if other == seat:
                self._points[scoring, item] += points
                self._margins[item] += points * others
                margin += points
            elif other >= 0:
                self._margins[item] -= points
                margin -= points / others
        self._margins_by_deal[outcome.pairing.deal].append(margin)

    @property
    def share(self) -> float:
        """8.4: the share of decided games that it won; a victory shared by k players counts 1/k for each."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the share, as if all games were independent."""
        return wilson(self.wins, self.games)

    @property
    def interval_by_deal(self) -> Interval:
        """The 95 % interval of the share with the games of a deal as one group, so that common luck cancels."""
        return interval_of_share(list(self.wins_by_deal.values()))

    def points(self, scorings: Sequence[str] = SCORINGS, items: Sequence[str] = ()) -> float:
        """Return the mean points in finished games, in some scorings for some items (default: all)."""
        total = sum([self._points[scoring, item] for scoring in scorings for item in items or self.items])
        return total / self.finished if self.finished else 0.0

    def margin(self, items: Sequence[str] = ()) -> float:
        """Return its mean lead in points over the average of the others at the table."""
        total = sum([self._margins[item] for item in items or self.items])
        return total / self.finished / self._others if self.finished else 0.0

    @property
    def margin_interval(self) -> Interval | None:
        """The 95 % interval of the margin, with the games of a deal as one group."""
        return interval_of_mean(list(self._margins_by_deal.values()))


class Standings:
    """The results of all entrants; they do not depend on the order of the outcomes."""

    def __init__(self, tournament: Tournament, options: Options, outcomes: Sequence[GameOutcome]) -> None:
        self.tournament: Final = tournament
        self.items: Final = items_of(options)
        ordered = sorted(outcomes, key=lambda outcome: outcome.pairing.number)
        self.outcomes: Final = ordered
        self.games: Final = len(ordered)
        self.ends: Final = dict.fromkeys((FINISHED, STOPPED, FORFEIT, VOID), 0)
        self.turns: Final = [outcome.turns for outcome in ordered if outcome.end == FINISHED]
        #: The number of games by entrant (None for void games) and reason, in the order of the games.
        self.faults: Final[Counter[tuple[str | None, str]]] = Counter()
        self._standings: Final = {spec: EntrantStanding(spec, self.items) for spec in tournament.entrants}
        #: For each pair of entrants, by deal: whether the first was ahead (1), level (1/2) or behind (0).
        self._ahead: Final[dict[tuple[str, str], defaultdict[int, list[float]]]] = {}
        for outcome in ordered:
            self._add(outcome)
        ratings = rate(tournament.players, ordered)
        #: Whether openskill is installed.
        self.is_rated: Final = ratings is not None
        for spec, rating in (ratings or {}).items():
            self._standings[spec].rating = rating

    def _add(self, outcome: GameOutcome) -> None:
        self.ends[outcome.end] += 1
        specs = [self.tournament.players[number] for number in outcome.pairing.line_up]
        if outcome.fault is not None:
            self.faults[specs[outcome.fault.seat], outcome.fault.reason] += 1
        elif outcome.end == VOID:
            self.faults[None, outcome.reason] += 1
        for seat, spec in enumerate(specs):
            self._standings[spec].add(outcome, seat)
        if outcome.is_decided:
            ranks = ranks_of(outcome)
            for seat, spec in enumerate(specs):
                for other, rival in enumerate(specs):
                    if spec != rival:
                        ahead = ((ranks[seat] < ranks[other]) + (ranks[seat] <= ranks[other])) / 2
                        self._ahead.setdefault((spec, rival), defaultdict(list))[outcome.pairing.deal].append(ahead)

    @property
    def entrants(self) -> list[EntrantStanding]:
        """All entrants in the order of the tournament."""
        return list(self._standings.values())

    @property
    def ladder(self) -> list[EntrantStanding]:
        """All entrants, best first: by rating or, without ratings, by win share."""
        if self.is_rated:
            return sorted(self.entrants, key=lambda one: -(one.rating.mu if one.rating is not None else 0.0))
        return sorted(self.entrants, key=lambda one: -one.share)

    def of(self, spec: str) -> EntrantStanding:
        """Return the results of one entrant."""
        return self._standings[spec]

    def meeting(self, spec: str, rival: str) -> Meeting:
        """Return how one entrant did against another, at tables of any size."""
        return Meeting(list(self._ahead.get((spec, rival), {}).values()))
