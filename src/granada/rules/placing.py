"""Placing the tiles acquired in a turn (4): in the city, in the reserve, or with Dirk (9.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final, final

from granada.rules.acting import cards_repr, unsorted
from granada.rules.bonus import Reveal
from granada.rules.cells import NO_CELL, cell_text, parse_cell
from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.errors import NotationError
from granada.rules.money import MONEY, Card, cards, cards_text, is_sorted, payments, total
from granada.rules.player import Player, without
from granada.rules.rebuilding import cell_repr
from granada.rules.state import Action, State, Step
from granada.rules.tiles import BLANK, Tile
from granada.rules.verdict import LEGAL, Verdict

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `codes`

#: 4.2: the price of turning a tile over.
TURNING_PRICE: Final = 3
_FREE: Final[tuple[Card, ...]] = ()


def _turning_payments(player: Player) -> list[tuple[Card, ...]]:
    """4.2: return the payments for turning a tile over without a superfluous card."""
    found: list[tuple[Card, ...]] = []
    for currency in range(4):
        purse = player.purses[currency]
        if purse:
            found += payments(currency, purse, TURNING_PRICE)
    return found


def _tray_verdict(state: State, tile: Tile) -> Verdict:
    if tile in state.tray:
        return LEGAL
    return Verdict("4.1", "tray", f"{tile.name} is not a tile that you have to place now")


def _turning_verdict(player: Player, tile: Tile, face: Tile, cards: tuple[Card, ...]) -> Verdict:
    """4.2: return whether a face may be built or given away with this payment."""
    if face is tile:
        return Verdict("4.2", "free", "the face that is up costs nothing") if cards else LEGAL
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
    """3.3, 4.2: return whether a payment for turning a tile over has no superfluous card."""
    return not cards or min([card.value for card in cards]) > total(cards) - TURNING_PRICE


def _pay(state: State, player: Player, cards: tuple[Card, ...]) -> None:
    if cards:
        player.give_up(cards)
        state.discards += cards


def _face_repr(tile: Tile, face: Tile, cards: tuple[Card, ...]) -> str:
    """Return the Python text of the last arguments of an action that may turn a tile over."""
    if face is tile:
        return ""
    return f", {face!r}" + (f", {cards_repr(cards)}" if cards else "")


def _face_text(tile: Tile, face: Tile, paid: tuple[Card, ...]) -> str:
    """Return the last words of an action that may turn a tile over."""
    if face is tile:
        return ""
    return f" as {face.name}" + (f" with {cards_text(paid)}" if paid else "")


def _back(box: Components, name: str, face: str) -> Tile:
    """Return the face that follows `as` in the text of an action."""
    if name == face:
        raise NotationError(f"'{name} as {face}' does not turn the tile over")
    return box.tile(face)


@final
class Place(Action):
    """4.1, 4.2: build a tile in your city, turned over if you pay for it."""

    __slots__ = ("cards", "cell", "face", "tile")

    verb: ClassVar[str] = "place"
    form: ClassVar[str] = "place TILE at X,Y [as FACE with CARDS]"

    def __init__(
        self, tile: Tile = BLANK, cell: int = NO_CELL, face: Tile | None = None, cards: tuple[Card, ...] = _FREE
    ) -> None:
        self.tile: Final = tile
        self.cell: Final = cell
        self.face: Final = tile if face is None else face
        self.cards: Final = cards

    def __str__(self) -> str:
        return f"place {self.tile.name} at {cell_text(self.cell)}{_face_text(self.tile, self.face, self.cards)}"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        name, word, rest = words.partition(" at ")
        if not word:
            return None
        where, word, rest = rest.partition(" as ")
        if not word:
            return Place(box.tile(name), parse_cell(where))
        face, word, paid = rest.partition(" with ")
        return Place(box.tile(name), parse_cell(where), _back(box, name, face), cards(paid)) if word else None

    def offer_tile(self, state: State, seat: int, tile: Tile, may_turn: bool, offers: list[Action]) -> None:
        player = state.players[seat]
        cells = player.city.cells_for(tile)
        if cells:
            row = _places_of(tile, player.city.extent())
            cell: i64
            for cell in cells:
                offers.append(row[cell])
        back = tile.back
        if back is not None and may_turn and cells:
            for paid in _turning_payments(player):
                for cell in cells:
                    offers.append(Place(tile, cell, back, paid))

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
    """Return the cached plain placements of a tile, one for each of at least `count` cells (see `rebuilding`)."""
    row = tile.places
    if len(row) < count:
        row = row + [Place(tile, cell) for cell in range(len(row), count)]
        tile.places = row
    return row


@final
class Reserve(Action):
    """4.1, 4.3: put a tile in your reserve, with either face up."""

    __slots__ = ("face", "tile")

    verb: ClassVar[str] = "reserve"
    form: ClassVar[str] = "reserve TILE [as FACE]"

    def __init__(self, tile: Tile = BLANK, face: Tile | None = None) -> None:
        self.tile: Final = tile
        self.face: Final = tile if face is None else face

    def __str__(self) -> str:
        return f"reserve {self.tile.name}{_face_text(self.tile, self.face, _FREE)}"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        name, word, face = words.partition(" as ")
        return Reserve(box.tile(name), _back(box, name, face) if word else None) if name else None

    def offer_tile(self, state: State, seat: int, tile: Tile, may_turn: bool, offers: list[Action]) -> None:
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
    """9.6: give a bought tile to Dirk, turned over if you pay for it."""

    __slots__ = ("cards", "face", "tile")

    verb: ClassVar[str] = "give"
    form: ClassVar[str] = "give TILE [as FACE with CARDS]"

    def __init__(self, tile: Tile = BLANK, face: Tile | None = None, cards: tuple[Card, ...] = _FREE) -> None:
        self.tile: Final = tile
        self.face: Final = tile if face is None else face
        self.cards: Final = cards

    def __str__(self) -> str:
        return f"give {self.tile.name}{_face_text(self.tile, self.face, self.cards)}"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        name, word, rest = words.partition(" as ")
        if not word:
            return Give(box.tile(name)) if name else None
        face, word, paid = rest.partition(" with ")
        return Give(box.tile(name), _back(box, name, face), cards(paid)) if word else None

    def offer_tile(self, state: State, seat: int, tile: Tile, may_turn: bool, offers: list[Action]) -> None:
        if state.dirk is not None and not tile.is_hut:
            offers.append(Give(tile))
            back = tile.back
            if back is not None:
                for paid in _turning_payments(state.players[seat]):
                    offers.append(Give(tile, back, paid))

    def verdict(self, state: State, seat: int) -> Verdict:
        if state.dirk is None:
            return Verdict("9.6", "dirk", "Dirk takes part only in games of two players")
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


class TrayStep(Step):
    """A step at which the tiles on the tray are placed in any order."""

    def __init__(
        self, word: str, actions: tuple[type[Action], ...], rules: str, refusal: Verdict, may_turn: bool
    ) -> None:
        super().__init__(word, actions, rules, refusal)
        self.may_turn: Final = may_turn

    def waits(self, state: State, seat: int) -> bool:
        return bool(state.tray)

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        """Append the actions tile by tile, then those without a tile of the tray."""
        for tile in state.tray:
            link = self._first
            while link is not None:
                link.blank.offer_tile(state, seat, tile, self.may_turn, offers)
                link = link.then
        super().offer(state, seat, offers)

    def parts(self, state: State, seat: int) -> Iterator[list[Action]]:
        offers: list[Action] = []
        self.offer(state, seat, offers)
        yield offers


@final
class Placing(TrayStep):
    """4.1: each tile acquired in the turn is placed."""

    is_of_turn: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__(
            "place",
            (Place, Reserve, Give, Reveal),
            "4.1",
            Verdict("4.1", "step", "the tiles acquired in this turn must be placed now"),
            may_turn=True,
        )


@final
class PlacingAward(TrayStep):
    """8.3: left-over tiles are built or put in the reserve; they are not turned over or given to Dirk."""

    def __init__(self) -> None:
        super().__init__(
            "award",
            (Place, Reserve, Reveal),
            "8.3",
            Verdict("8.3", "step", "the left-over tiles must be placed now"),
            may_turn=False,
        )

    def admits(self, action: Action) -> Verdict:
        if isinstance(action, (Place, Reserve)) and action.face is not action.tile:
            return Verdict("8.3", "turned", "a left-over tile is not turned over")
        if isinstance(action, Give):
            return Verdict("8.3", "dirk", "a left-over tile is not given to Dirk")
        return super().admits(action)


PLACING: Final = Placing()
PLACING_AWARD: Final = PlacingAward()
