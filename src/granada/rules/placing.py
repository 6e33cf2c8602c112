"""Placing the tiles acquired in a turn (4): into the city, into the reserve, or to Dirk (9.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from granada.rules.acting import cards_repr, is_sorted, unsorted
from granada.rules.bonus import Reveal
from granada.rules.chance import Chance
from granada.rules.money import MONEY, Card, payments, total
from granada.rules.player import Player
from granada.rules.rebuilding import cell_repr
from granada.rules.state import Action, State, Step
from granada.rules.tiles import Tile
from granada.rules.verdict import LEGAL, Verdict
from granada.rules.without import without

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `codes`

#: 4.2: what it costs to turn a tile over.
TURNING_PRICE: Final = 3
_FREE: Final[tuple[Card, ...]] = ()


def _turning_payments(player: Player) -> list[tuple[Card, ...]]:
    """4.2: the payments for turning a tile over in which no card is superfluous."""
    found: list[tuple[Card, ...]] = []
    for currency in range(4):
        purse = player.purses[currency]
        if purse:
            found += payments(currency, purse, TURNING_PRICE)
    return found


def _tray_verdict(state: State, tile: Tile) -> Verdict:
    if tile in state.tray:
        return LEGAL
    return Verdict("4.1", "tray", f"{tile.name} does not wait to be placed")


def _turning_verdict(player: Player, tile: Tile, face: Tile, cards: tuple[Card, ...]) -> Verdict:
    """4.2: whether a face may be built or given away with this payment."""
    if face is tile:
        return Verdict("4.2", "free", "nothing is paid for the face that is up") if cards else LEGAL
    if face is not tile.back:
        return Verdict("4.2", "face", f"{face.name} is not on the back of {tile.name}")
    if not player.holds(cards):
        return Verdict("4.2", "hand", "not all of these cards are in hand")
    if any([card.sort != MONEY for card in cards]):
        return Verdict("12.5", "exchange", "an exchange card cannot help to turn a tile over")
    if any([card.currency != cards[0].currency for card in cards]):
        return Verdict("4.2", "currency", "turning a tile over is paid in one currency")
    if not is_sorted(cards):
        return unsorted("4.2")
    if total(cards) < TURNING_PRICE:
        return Verdict("4.2", "short", f"turning a tile over costs at least 3, not {total(cards)}")
    return LEGAL


def _is_cheapest(cards: tuple[Card, ...]) -> bool:
    """3.3, 4.2: whether no card of a payment for turning is superfluous."""
    return not cards or min([card.value for card in cards]) > total(cards) - TURNING_PRICE


def _pay(state: State, player: Player, cards: tuple[Card, ...]) -> None:
    if cards:
        player.give_up(cards)
        state.discards += cards


def _face_repr(tile: Tile, face: Tile, cards: tuple[Card, ...]) -> str:
    """The last arguments of an action that may turn a tile over."""
    if face is tile:
        return ""
    return f", {face!r}" + (f", {cards_repr(cards)}" if cards else "")


@final
class Place(Action):
    """4.1, 4.2: build a tile into the own city, turned over if that is paid for."""

    __slots__ = ("cards", "cell", "face", "tile")

    def __init__(self, tile: Tile, cell: int, face: Tile | None = None, cards: tuple[Card, ...] = _FREE) -> None:
        self.tile: Final = tile
        self.cell: Final = cell
        self.face: Final = tile if face is None else face
        self.cards: Final = cards

    @staticmethod
    def offer(state: State, seat: int, tile: Tile, may_turn: bool, offers: list[Action]) -> None:
        player = state.players[seat]
        cells = player.city.cells_for(tile)
        if cells:
            row = _places_of(tile, player.city.extent())
            cell: i64
            for cell in cells:
                offers.append(row[cell])
        back = tile.back
        if back is not None and may_turn and cells:
            for cards in _turning_payments(player):
                for cell in cells:
                    offers.append(Place(tile, cell, back, cards))

    def verdict(self, state: State, seat: int) -> Verdict:
        player = state.players[seat]
        waits = _tray_verdict(state, self.tile)
        if waits is not LEGAL:
            return waits
        turned = _turning_verdict(player, self.tile, self.face, self.cards)
        return player.city.verdict(self.face, self.cell) if turned is LEGAL else turned

    def is_offered(self, state: State, seat: int) -> bool:
        return _is_cheapest(self.cards)

    def do(self, state: State, seat: int, chance: Chance) -> None:
        player = state.players[seat]
        _pay(state, player, self.cards)
        state.tray = without(state.tray, self.tile)
        player.own_city().put(self.face, self.cell)

    def key(self) -> tuple[object, ...]:
        return (self.tile, self.cell, self.face, self.cards)

    def __repr__(self) -> str:
        return f"Place({self.tile!r}, {cell_repr(self.cell)}{_face_repr(self.tile, self.face, self.cards)})"


def _places_of(tile: Tile, count: int) -> list[Action]:
    """The kept plain placements of a tile, at least `count` of them, one for each cell (see `rebuilding`)."""
    row = tile.places
    if len(row) < count:
        row = row + [Place(tile, cell) for cell in range(len(row), count)]
        tile.places = row
    return row


@final
class Reserve(Action):
    """4.1, 4.3: put a tile into the own reserve, with either face up."""

    __slots__ = ("face", "tile")

    def __init__(self, tile: Tile, face: Tile | None = None) -> None:
        self.tile: Final = tile
        self.face: Final = tile if face is None else face

    @staticmethod
    def offer(tile: Tile, may_turn: bool, offers: list[Action]) -> None:
        offers.append(Reserve(tile))
        if tile.back is not None and may_turn:
            offers.append(Reserve(tile, tile.back))

    def verdict(self, state: State, seat: int) -> Verdict:
        waits = _tray_verdict(state, self.tile)
        if waits is not LEGAL:
            return waits
        if self.face is self.tile or self.face is self.tile.back:
            return LEGAL
        return Verdict("4.3", "face", f"{self.face.name} is not on the back of {self.tile.name}")

    def do(self, state: State, seat: int, chance: Chance) -> None:
        state.tray = without(state.tray, self.tile)
        state.players[seat].store(self.face)

    def key(self) -> tuple[object, ...]:
        return (self.tile, self.face)

    def __repr__(self) -> str:
        return f"Reserve({self.tile!r}{_face_repr(self.tile, self.face, _FREE)})"


@final
class Give(Action):
    """9.6: give a bought tile to Dirk, turned over if that is paid for."""

    __slots__ = ("cards", "face", "tile")

    def __init__(self, tile: Tile, face: Tile | None = None, cards: tuple[Card, ...] = _FREE) -> None:
        self.tile: Final = tile
        self.face: Final = tile if face is None else face
        self.cards: Final = cards

    @staticmethod
    def offer(state: State, seat: int, tile: Tile, offers: list[Action]) -> None:
        if state.dirk is not None and not tile.is_hut:
            offers.append(Give(tile))
            back = tile.back
            if back is not None:
                for cards in _turning_payments(state.players[seat]):
                    offers.append(Give(tile, back, cards))

    def verdict(self, state: State, seat: int) -> Verdict:
        if state.dirk is None:
            return Verdict("9.6", "dirk", "only with two players is there a Dirk")
        waits = _tray_verdict(state, self.tile)
        if waits is not LEGAL:
            return waits
        if self.tile.is_hut:
            return Verdict("14.3", "hut", "a hut is never given to Dirk")
        return _turning_verdict(state.players[seat], self.tile, self.face, self.cards)

    def is_offered(self, state: State, seat: int) -> bool:
        return _is_cheapest(self.cards)

    def do(self, state: State, seat: int, chance: Chance) -> None:
        _pay(state, state.players[seat], self.cards)
        state.tray = without(state.tray, self.tile)
        dirk = state.dirk
        if dirk is not None:
            dirk.tiles = (*dirk.tiles, self.face)

    def key(self) -> tuple[object, ...]:
        return (self.tile, self.face, self.cards)

    def __repr__(self) -> str:
        return f"Give({self.tile!r}{_face_repr(self.tile, self.face, self.cards)})"


@final
class Placing(Step):
    """4.1: each tile acquired in the turn is placed, in any order."""

    def waits(self, state: State, seat: int) -> bool:
        return bool(state.tray)

    def offer(self, state: State, seat: int, part: int, offers: list[Action]) -> bool:
        return _offer_placing(state, seat, part, True, offers)

    def admits(self, action: Action) -> Verdict:
        if isinstance(action, (Place, Reserve, Give, Reveal)):
            return LEGAL
        return Verdict("4.1", "step", "the tiles acquired in this turn must be placed now")


@final
class PlacingAward(Step):
    """8.3: left-over tiles are built or put into the reserve, in any order; not turned over, not given to Dirk."""

    def waits(self, state: State, seat: int) -> bool:
        return bool(state.tray)

    def offer(self, state: State, seat: int, part: int, offers: list[Action]) -> bool:
        return _offer_placing(state, seat, part, False, offers)

    def admits(self, action: Action) -> Verdict:
        if isinstance(action, Reveal):
            return LEGAL
        if isinstance(action, (Place, Reserve)):
            if action.face is action.tile:
                return LEGAL
            return Verdict("8.3", "turned", "a left-over tile is not turned over")
        if isinstance(action, Give):
            return Verdict("8.3", "dirk", "a left-over tile is not given to Dirk")
        return Verdict("8.3", "step", "the left-over tiles must be placed now")


def _offer_placing(state: State, seat: int, part: int, is_acquired: bool, offers: list[Action]) -> bool:
    """Tile by tile: into the city, into the reserve, to Dirk; then what can be revealed."""
    tray = state.tray
    if part < len(tray):
        tile = tray[part]
        Place.offer(state, seat, tile, is_acquired, offers)
        Reserve.offer(tile, is_acquired, offers)
        if is_acquired:
            Give.offer(state, seat, tile, offers)
    elif part == len(tray):
        Reveal.offer(state, seat, offers)
    return part <= len(tray)


PLACING: Final = Placing()
PLACING_AWARD: Final = PlacingAward()
