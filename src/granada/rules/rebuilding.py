"""Rebuilding (3.5): add, remove or swap a tile in your city."""

from __future__ import annotations

from typing import ClassVar, Final, final

from granada.rules.bonus import take_back_card
from granada.rules.cells import NO_CELL, cell_text, parse_cell, x_of, y_of
from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.player import Player
from granada.rules.state import Action, State
from granada.rules.tiles import BLANK, Tile
from granada.rules.verdict import LEGAL, Verdict


def cell_repr(place: int) -> str:
    """Return the Python expression for a cell."""
    return f"cell({x_of(place)}, {y_of(place)})"


#: Actions are immutable, so each is created once and cached by cell. The actions that put a tile on a cell are cached
#: with the tile.
_removes: Final[list[list[Action]]] = [[]]
_NONE: Final[list[Action]] = []


@final
class Rebuilding:
    """3.5: the possible adds, removes and swaps in a city, and the reserve for which they are valid."""

    __slots__ = ("adds", "removes", "reserve", "swaps")

    def __init__(self, player: Player) -> None:
        self.reserve: Final = player.reserve
        # Most reserves are empty: these share one empty list, which is never changed.
        self.adds: Final = _find_adds(player) if player.reserve else _NONE
        self.removes: Final = _find_removes(player)
        self.swaps: Final = _find_swaps(player) if player.reserve else _NONE


def _rebuilding(player: Player) -> Rebuilding:
    """Return the rebuilding actions, cached with the city until the city or the reserve changes."""
    kept = player.city.kept
    if kept is None or kept.reserve is not player.reserve:
        # Stored in one step, because another thread may read the same city.
        kept = Rebuilding(player)
        player.city.kept = kept
    return kept


def _find_adds(player: Player) -> list[Action]:
    found: list[Action] = []
    previous: Tile | None = None
    for tile in player.reserve:
        if tile is not previous:
            player.city.offer_cells(tile, _adds_of(tile, player.city.extent()), found)
        previous = tile
    return found


def _find_removes(player: Player) -> list[Action]:
    found: list[Action] = []
    city = player.city
    row = _removes[0]
    if len(row) < city.extent():
        row = row + [Remove(cell) for cell in range(len(row), city.extent())]
        _removes[0] = row
    city.offer_removals(row, found)
    return found


def _find_swaps(player: Player) -> list[Action]:
    found: list[Action] = []
    previous: Tile | None = None
    for tile in player.reserve:
        if tile is not previous:
            player.city.offer_swaps(tile, _swaps_of(tile, player.city.extent()), found)
        previous = tile
    return found


def _reserve_verdict(player: Player, tile: Tile) -> Verdict:
    if tile in player.reserve:
        return LEGAL
    return Verdict("3.5", "reserve", f"{tile.name} is not in the reserve with that face up")


class TileOnCell(Action):
    """An action that puts a tile from the reserve on a cell."""

    __slots__ = ("cell", "tile")

    def __init__(self, tile: Tile = BLANK, cell: int = NO_CELL) -> None:
        self.tile: Final = tile
        self.cell: Final = cell

    def __str__(self) -> str:
        return f"{self.verb} {self.tile.name} at {cell_text(self.cell)}"

    def key(self) -> tuple[object, ...]:
        return (self.tile, self.cell)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.tile!r}, {cell_repr(self.cell)})"


@final
class Add(TileOnCell):
    """3.5a: build a tile from your reserve."""

    __slots__ = ()

    verb: ClassVar[str] = "add"
    form: ClassVar[str] = "add TILE at X,Y"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        name, word, where = words.partition(" at ")
        return Add(box.tile(name), parse_cell(where)) if word else None

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        player = state.players[seat]
        if player.reserve:
            offers += _rebuilding(player).adds

    def verdict(self, state: State, seat: int) -> Verdict:
        player = state.players[seat]
        stored = _reserve_verdict(player, self.tile)
        return player.city.verdict(self.tile, self.cell) if stored is LEGAL else stored

    def do(self, state: State, seat: int, chance: Chance) -> None:
        player = state.players[seat]
        player.unstore(self.tile)
        player.own_city().put(self.tile, self.cell)
        state.finish_step()


def _adds_of(tile: Tile, count: int) -> list[Action]:
    """Return the cached actions of a tile, one for each of at least `count` cells."""
    row = tile.adds
    if len(row) < count:
        # The new list replaces the old one in one step, because another thread may be doing the same.
        row = row + [Add(tile, cell) for cell in range(len(row), count)]
        tile.adds = row
    return row


@final
class Remove(Action):
    """3.5b: move a tile from your city to your reserve."""

    __slots__ = ("cell",)

    verb: ClassVar[str] = "remove"
    form: ClassVar[str] = "remove X,Y"

    def __init__(self, cell: int = NO_CELL) -> None:
        self.cell: Final = cell

    def __str__(self) -> str:
        return f"remove {cell_text(self.cell)}"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        return Remove(parse_cell(words)) if words else None

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        offers += _rebuilding(state.players[seat]).removes

    def verdict(self, state: State, seat: int) -> Verdict:
        return state.players[seat].city.remove_verdict(self.cell)

    def do(self, state: State, seat: int, chance: Chance) -> None:
        player = state.players[seat]
        tile = player.own_city().take(self.cell)
        player.store(tile)
        take_back_card(player, tile)
        state.finish_step()

    def key(self) -> tuple[object, ...]:
        return (self.cell,)

    def __repr__(self) -> str:
        return f"Remove({cell_repr(self.cell)})"


@final
class Swap(TileOnCell):
    """3.5c: replace a tile in your city with one from your reserve, where the old one goes."""

    __slots__ = ()

    verb: ClassVar[str] = "swap"
    form: ClassVar[str] = "swap TILE at X,Y"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        name, word, where = words.partition(" at ")
        return Swap(box.tile(name), parse_cell(where)) if word else None

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        player = state.players[seat]
        if player.reserve:
            offers += _rebuilding(player).swaps

    def verdict(self, state: State, seat: int) -> Verdict:
        player = state.players[seat]
        stored = _reserve_verdict(player, self.tile)
        return player.city.swap_verdict(self.tile, self.cell) if stored is LEGAL else stored

    def do(self, state: State, seat: int, chance: Chance) -> None:
        player = state.players[seat]
        player.unstore(self.tile)
        old = player.own_city().replace(self.tile, self.cell)
        player.store(old)
        take_back_card(player, old)
        state.finish_step()


def _swaps_of(tile: Tile, count: int) -> list[Action]:
    """Return the cached actions of a tile, one for each of at least `count` cells."""
    row = tile.swaps
    if len(row) < count:
        row = row + [Swap(tile, cell) for cell in range(len(row), count)]
        tile.swaps = row
    return row
