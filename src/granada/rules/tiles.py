"""Tiles (1.3, 1.4, 1.5, 1.8): a tile is one of its faces; a moat is a wall of a Granada tile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from granada.rules import pictures

if TYPE_CHECKING:
    from granada.rules.state import Action

ALHAMBRA: Final = 0
GRANADA: Final = 1
KINDS: Final = ("alhambra", "granada")

ALHAMBRA_TYPES: Final = ("pavilion", "seraglio", "arcades", "chambers", "garden", "tower")
GRANADA_TYPES: Final = (
    "arena",
    "bath_house",
    "library",
    "hostel",
    "hospital",
    "market",
    "park",
    "school",
    "district",
)
#: All types in scoring order (7.1, 10.7); `Tile.type` is an index into it.
TYPES: Final = ALHAMBRA_TYPES + GRANADA_TYPES
NO_TYPE: Final = -1

NORTH: Final = 1
EAST: Final = 2
SOUTH: Final = 4
WEST: Final = 8
#: Letters of the four edges, in the order of the notation; edge `i` has the bit `1 << i`.
EDGES: Final = "NESW"


def walls_text(walls: int) -> str:
    """Return the edges of a set of walls, in the order N, E, S, W."""
    return "".join([letter for i, letter in enumerate(EDGES) if walls >> i & 1])


@final
class Tile:
    """One face of a tile: its kind, type, price and walls, and the face on its back (only Granada tiles)."""

    __slots__ = ("adds", "back", "is_hut", "kind", "name", "order", "places", "price", "swaps", "type", "walls")

    def __init__(self, name: str, kind: int, type_: int, price: int, walls: int, order: int, is_hut: bool) -> None:
        self.name: Final = name
        self.kind: Final = kind
        self.type: Final = type_
        self.price: Final = price
        self.walls: Final = walls
        self.order: Final = order
        self.is_hut: Final = is_hut
        self.back: Tile | None = None
        #: The cached actions that put it on each cell (see `rebuilding` and `placing`).
        self.adds: list[Action] = []
        self.swaps: list[Action] = []
        self.places: list[Action] = []

    @property
    def is_start(self) -> bool:
        """1.5: whether it is a start tile, which has no type."""
        return self.type == NO_TYPE

    @property
    def type_name(self) -> str:
        """The name of its type, or `start`."""
        return "start" if self.type == NO_TYPE else TYPES[self.type]

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"tile({self.name!r})"

    def __copy__(self) -> Tile:
        return self

    def __deepcopy__(self, memo: object) -> Tile:
        return self

    def __reduce__(self) -> tuple[Callable[..., Tile], tuple[object, ...]]:
        """Tiles are compared by identity, so unpickling must return the one with this name in the same box."""
        from granada.rules import components  # imported late, because components contain tiles

        if self.type == NO_TYPE or components.standard().find(self.name) is self:
            return components.tile, (self.name,)
        return components.tile_in, (components.box_of(self), self.name)

    def _repr_svg_(self) -> str | None:
        return pictures.svg_of(self)


#: 1.5: the start tile of each kind.
STARTS: Final = (
    Tile("start-alhambra", ALHAMBRA, NO_TYPE, 0, 0, -2, False),
    Tile("start-granada", GRANADA, NO_TYPE, 0, 0, -1, False),
)
#: The tile of a blank action (see `state.Step`), which is never legal to play.
BLANK: Final = STARTS[0]


def by_order(tile: Tile) -> int:
    """Sort key: the fixed order of tiles."""
    return tile.order
