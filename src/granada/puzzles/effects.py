"""What a turn does, in the terms of the rules: what is paid, built, gained in the next scoring, and prepared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.bots.turns import is_exact
from granada.rules.acting import Buy, Purchase, Take
from granada.rules.chance import First
from granada.rules.money import EXCHANGE, Card, payments, total
from granada.rules.placing import Give, Place, Reserve
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.scoring import score_rows, scorings_to_come
from granada.rules.state import Action, State
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import Tile
from granada.rules.vizier import UseVizier, Wake

#: 10.7: the stretches with their names.
STRETCHES: Final = (("wall", WALL), ("moat", MOAT), ("run", RUN))


def next_scoring(state: State) -> str:
    """6.1, 8.4: return the letter of the next scoring."""
    return next(iter(scorings_to_come(state)), "C")


def uses_vizier(turn: Sequence[Action]) -> bool:
    """11.2, 11.6: return whether a turn lets the vizier buy or reactivates it."""
    return any([isinstance(one, (UseVizier, Wake)) for one in turn])


class Effects:
    """What a turn does for its seat and the others, without the chance events after it."""

    def __init__(self, state: State, turn: Sequence[Action]) -> None:
        self.before: Final = state
        self.seat: Final = state.seat
        self.turn: Final = tuple(turn)
        self.scoring: Final = next_scoring(state)
        self.after: Final = _after(state, turn)
        self._rows_before: Final = _points(state, self.scoring)
        self._rows_after: Final = _points(self.after, self.scoring)

    # What is played

    @property
    def purchases(self) -> list[Purchase]:
        """The purchases, with or without the vizier."""
        return [one for one in self.turn if isinstance(one, Purchase)]

    @property
    def exact(self) -> list[Buy]:
        """3.4: the exact payments, each of which gives another action."""
        return [one for one in self.turn if isinstance(one, Buy) and is_exact(one)]

    @property
    def uses_vizier(self) -> bool:
        """11.2, 11.6: whether the vizier buys or is reactivated."""
        return uses_vizier(self.turn)

    @property
    def taken(self) -> tuple[Card, ...]:
        """The cards that are taken."""
        return next((one.cards for one in self.turn if isinstance(one, Take)), ())

    @property
    def exchanged(self) -> list[Card]:
        """12.3, 12.4: the exchange cards that are taken or paid with."""
        cards = [card for one in self.turn if isinstance(one, (Take, Purchase)) for card in one.cards]
        return [card for card in cards if card.sort == EXCHANGE]

    @property
    def turned(self) -> list[tuple[Tile, Tile]]:
        """4.2, 4.3: the tiles that are turned over, each with its new face."""
        found = [(one.tile, one.face) for one in self.turn if isinstance(one, (Place, Reserve, Give))]
        return [(tile, face) for tile, face in found if face is not tile]

    @property
    def gifts(self) -> list[Tile]:
        """9.6: the faces that Dirk gets."""
        return [one.face for one in self.turn if isinstance(one, Give)]

    @property
    def rebuilt(self) -> list[Action]:
        """3.5: the rebuilding."""
        return [one for one in self.turn if isinstance(one, (Add, Remove, Swap))]

    # What it changes

    def stretch(self, what: int) -> tuple[int, int]:
        """7.2, 10.7: return the length of a stretch of the seat's city before and after."""
        before, after = (state.players[self.seat].city.stretch(what) for state in (self.before, self.after))
        return before, after

    def points(self, seat: int, item: str) -> tuple[int, int]:
        """7: return the points of a seat for an item if the next scoring took place before and after the turn."""
        return self._rows_before.get((seat, item), 0), self._rows_after.get((seat, item), 0)

    def items(self) -> list[str]:
        """Return what scores before or after, in scoring order."""
        return list(dict.fromkeys([item for _, item in (*self._rows_before, *self._rows_after)]))

    def seats(self) -> list[int]:
        """Return the seats that score, and Dirk."""
        return list(dict.fromkeys([seat for seat, _ in (*self._rows_before, *self._rows_after)]))

    def total(self, items: Sequence[str]) -> int:
        """Return how many points the seat gains for some items."""
        changes = [self.points(self.seat, item) for item in items]
        return sum([after - before for before, after in changes])

    def prepared(self) -> list[Tile]:
        """3.4: return the tiles of the yard that the seat can pay exactly after the turn, but not before it."""
        found: list[Tile] = []
        for slot, tile in enumerate(self.after.yard):
            if tile is not None:
                currency = self.after.space_of(slot)
                pays = [_pays_exactly(one, self.seat, currency, tile) for one in (self.before, self.after)]
                if pays == [False, True]:
                    found.append(tile)
        return found


def _after(state: State, turn: Sequence[Action]) -> State:
    """Return the state right after the last action, before anything is refilled."""
    after, seat = state.copy(), state.seat
    for action in turn[:-1]:
        after.play(action, First())
    turn[-1].do(after, seat, First())
    return after


def _points(state: State, scoring: str) -> dict[tuple[int, str], int]:
    return {(row.seat, row.item): row.points for row in score_rows(state, scoring)}


def _pays_exactly(state: State, seat: int, currency: int, tile: Tile) -> bool:
    ways = payments(currency, state.players[seat].purses[currency], tile.price)
    return bool(ways) and total(ways[0]) == tile.price


def payable_by(state: State, tile: Tile, seat: int) -> str | None:
    """3.3: return whether a seat could pay a tile of the yard exactly or with too much; None if it cannot."""
    slot = state.slot_of(tile)
    if slot < 0:
        return None
    currency = state.space_of(slot)
    ways = payments(currency, state.players[seat].purses[currency], tile.price)
    if not ways:
        return None
    return "exact" if total(ways[0]) == tile.price else "over"
