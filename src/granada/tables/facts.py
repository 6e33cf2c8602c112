"""The facts of a finished game: points by source, payments, cities and best turns of each seat, and what decided it."""

from __future__ import annotations

import asyncio
from typing import Final
from weakref import WeakKeyDictionary

from granada.records.replay import Replay
from granada.rules.acting import Buy, Pass, Purchase, Take
from granada.rules.events import Acted, DirkDrew
from granada.rules.money import total
from granada.rules.state import Action, State
from granada.rules.tiles import by_order
from granada.rules.vizier import Wake
from granada.tables.aids import next_scoring, points_by_seat
from granada.tables.deciding import deciding_facts
from granada.tables.ports import Background
from granada.tables.requests import BestTurn, GameFacts, SeatFacts
from granada.tables.table import Table
from granada.tables.views import STRETCHES


def facts_of(reading: Replay, minutes: int | None = None, ended_at: int | None = None) -> GameFacts:
    """Replay the record of a finished game from its start, and return its facts."""
    tallies = [_Tally() for _ in reading.state.players]
    turn: _Turn | None = None
    ended = 0
    while not reading.state.is_over:
        state = reading.state
        if turn is None and state.turns > ended and _is_in_turn(state):
            turn = _Turn(state)
        if not reading.step():
            break
        acted = reading.state.events[0]
        assert isinstance(acted, Acted)
        if isinstance(acted.action, Purchase):
            tallies[acted.seat].add(acted.action)
        if turn is not None:
            turn.add(acted.action)
            if not turn.continues(reading.state):
                tallies[turn.seat].finish(turn, reading.state)
                ended = turn.number
                turn = None
    seats = [_seat_facts(reading.state, seat, tally) for seat, tally in enumerate(tallies)]
    return GameFacts(reading.state.turns, minutes, ended_at, seats, deciding_facts(reading.state, seats))


def _is_in_turn(state: State) -> bool:
    """Return whether the seat on turn decides about its turn, not about a vizier or a scoring."""
    return not state.is_over and state.seat == state.turn and state.step.is_of_turn


def _is_exact(action: Action) -> bool:
    """3.4: Return whether an action is a purchase that gives another action."""
    return isinstance(action, Buy) and total(action.cards) == action.tile.price


class _Turn:
    """A turn in progress, and the position before it."""

    def __init__(self, state: State) -> None:
        self.seat: Final = state.seat
        self._before: Final = state.copy()
        self._exact = 0
        self._is_plain = True

    @property
    def number(self) -> int:
        """The number of the turn."""
        return self._before.turns

    def add(self, action: Action) -> None:
        """Note an action of the turn."""
        self._is_plain = self._is_plain and isinstance(action, (Take, Pass, Wake))
        self._exact += _is_exact(action)

    def continues(self, state: State) -> bool:
        """Return whether the same player decides next in this turn."""
        return _is_in_turn(state) and state.turns == self.number

    def result(self, after: State) -> BestTurn | None:
        """Return the turn with its gain, from the position after it; None if it gained nothing."""
        if self._is_plain:
            return None  # most turns: nobody's points can have changed
        before, seat = self._before, self.seat
        scoring = next_scoring(before) or "C"
        gain = points_by_seat(_without_drawn(after), scoring)[seat] - points_by_seat(before, scoring)[seat]
        built = set(after.players[seat].city.tiles()) - set(before.players[seat].city.tiles())
        names = [tile.name for tile in sorted(built, key=by_order)]
        return BestTurn(before.n, after.n, before.turns, gain, scoring, names, self._exact) if gain > 0 else None


def _without_drawn(state: State) -> State:
    """Return a position without the tiles that Dirk drew after the last action (9.5), which belong to no turn."""
    drawn = sum([len(event.tiles) for event in state.events if isinstance(event, DirkDrew)])
    if state.dirk is None or not drawn:
        return state
    before = state.copy()
    assert before.dirk is not None
    before.dirk.tiles = before.dirk.tiles[:-drawn]
    return before


class _Tally:
    """What is counted for a seat while its game is replayed."""

    def __init__(self) -> None:
        self.exact = 0
        self.purchases = 0
        self.overpaid = 0
        self.best: BestTurn | None = None

    def add(self, purchase: Purchase) -> None:
        """3.4: Count a purchase; one with the vizier is always exact, but gives no further action (11.2)."""
        self.purchases += 1
        self.overpaid += total(purchase.cards) - purchase.tile.price
        self.exact += _is_exact(purchase)

    def finish(self, turn: _Turn, after: State) -> None:
        """Keep a turn if it gained more than all before."""
        found = turn.result(after)
        if found is not None and (self.best is None or found.gain > self.best.gain):
            self.best = found


def _seat_facts(state: State, seat: int, tally: _Tally) -> SeatFacts:
    player = state.players[seat]
    points: dict[str, int] = {}
    for row in state.rows:
        if row.seat == seat:
            points[row.item] = points.get(row.item, 0) + row.points
    city = player.city
    return SeatFacts(
        seat=seat + 1,
        score=player.score,
        rank=1 + len([other for other in state.players if other.score > player.score]),
        points=points,
        exact=tally.exact,
        purchases=tally.purchases,
        overpaid=tally.overpaid,
        longest={word: city.stretch(what) for word, what in STRETCHES[state.options.kinds]},
        tiles=len([tile for tile in city.tiles() if not tile.is_start]),
        best_turn=tally.best,
    )


class KeptFacts:
    """Computes the facts of finished games in the background, and keeps them as long as their tables are loaded."""

    def __init__(self, background: Background) -> None:
        self._background: Final = background
        self._found: Final[WeakKeyDictionary[Table, asyncio.Task[GameFacts]]] = WeakKeyDictionary()

    async def facts(self, table: Table, address: str) -> GameFacts:
        """Return the facts of a finished game; requests for the same game share the result."""
        work = self._found.get(table)
        if work is None or (work.done() and (work.cancelled() or work.exception() is not None)):
            text, has_open_money = str(table.record()), table.options.open_money
            minutes, ended_at = _minutes(table), table.ended_at

            def read() -> GameFacts:
                return facts_of(Replay(text, trusted=True, open_money=has_open_money), minutes, ended_at)

            work = self._found[table] = asyncio.create_task(self._background.do(address, read))
        return await asyncio.shield(work)  # a request that is cancelled must not cancel the work for others


def _minutes(table: Table) -> int | None:
    """Return how long the game took at this table, rounded."""
    if table.started_at is None or table.ended_at is None:
        return None
    return round((table.ended_at - table.started_at) / 60_000)
