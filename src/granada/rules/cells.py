"""Cells of a city, numbered ring by ring around the start tile.

Cities are compact, so data about their cells fits in short lists that grow by whole rings. Cell 0 is the start tile;
ring r contains the cells with max(|x|, |y|) == r, clockwise from its north-west corner.
"""

from __future__ import annotations

from typing import Final

from granada.rules.errors import NotationError

ORIGIN: Final = 0
NO_CELL: Final = -1
#: No city can reach farther: there are 108 tiles, and three huts (1.3, 1.4, 14.4).
LARGEST: Final = 111
#: Directions: the four sides N, E, S, W, then the four corners NE, SE, SW, NW.
DIRECTIONS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))

_xs: Final = [0]
_ys: Final = [0]
#: The cell next to cell c in direction d, at index 8 * c + d; filled in up to the ring passed to `ensure_rings`.
NEAR: Final[list[int]] = []
#: The corner points of cell c, at index 4 * c + i for NW, NE, SE, SW. A point is identified by the cell whose
#: north-west corner it is. Side i of a cell runs from corner i to corner i + 1. Filled in as far as NEAR.
CORNERS: Final[list[int]] = []


def ring_start(ring: int) -> int:
    """Return the first cell of a ring, which is also the number of cells inside the ring."""
    return (2 * ring - 1) * (2 * ring - 1) if ring else 0


def cell(x: int, y: int) -> int:
    """Return the cell x steps east and y steps south of the start tile."""
    ring = max(abs(x), abs(y))
    if not ring:
        return ORIGIN
    if ring > LARGEST + 1:
        raise NotationError(f"the cell {x},{y} is farther out than any city can reach")
    first = ring_start(ring)
    if y == -ring:
        return first + x + ring
    if x == ring:
        return first + 2 * ring + y + ring
    if y == ring:
        return first + 4 * ring + ring - x
    return first + 6 * ring + ring - y


def ensure_rings(ring: int) -> None:
    """Fill in NEAR for all cells up to a ring."""
    while len(NEAR) < 8 * ring_start(ring + 1):
        _add_next_ring()


#: For the number of cells in whole rings, the number of them inside the outermost ring.
INNER: Final[dict[int, int]] = {1: 0}


def cells_of_next_ring(count: int) -> int:
    """Fill in NEAR for the ring around the first `count` cells, and return the number of its cells."""
    ring = 0
    while ring_start(ring) < count:
        ring += 1
    ensure_rings(ring)
    size = ring_start(ring + 1)
    INNER[size] = count
    return size - count


def _add_next_ring() -> None:
    ring = 0
    while 8 * ring_start(ring) < len(NEAR) or (ring == 0 and NEAR):
        ring += 1
    for place in range(ring_start(ring), ring_start(ring + 1)):
        x, y = x_of(place), y_of(place)
        for dx, dy in DIRECTIONS:
            NEAR.append(cell(x + dx, y + dy))
        CORNERS.extend([place, cell(x + 1, y), cell(x + 1, y + 1), cell(x, y + 1)])


def _ensure_coordinates(place: int) -> None:
    while len(_xs) <= place:
        ring = max(abs(_xs[-1]), abs(_ys[-1])) + 1
        for i in range(2 * ring + 1):
            _add(i - ring, -ring)
        for i in range(1, 2 * ring + 1):
            _add(ring, i - ring)
        for i in range(1, 2 * ring + 1):
            _add(ring - i, ring)
        for i in range(1, 2 * ring):
            _add(-ring, ring - i)


def _add(x: int, y: int) -> None:
    _xs.append(x)
    _ys.append(y)


def x_of(place: int) -> int:
    """Return how far east of the start tile a cell is."""
    if place >= len(_xs):
        _ensure_coordinates(place)
    return _xs[place]


def y_of(place: int) -> int:
    """Return how far south of the start tile a cell is."""
    if place >= len(_ys):
        _ensure_coordinates(place)
    return _ys[place]


_parsed: Final[dict[str, int]] = {}


def parse_cell(text: str) -> int:
    """Return the cell with a text such as `-1,2`."""
    found = _parsed.get(text)
    if found is None:
        first, comma, second = text.partition(",")
        if not comma:
            raise NotationError(f"'{text}' is not a cell: the form is x,y")
        found = cell(_coordinate(first), _coordinate(second))
        _parsed[text] = found
    return found


def _coordinate(text: str) -> int:
    digits = text[1:] if text.startswith("-") else text
    is_short = digits.isascii() and digits.isdigit() and len(digits) <= 3
    if not is_short or str(int(text)) != text or int(digits) > LARGEST:
        raise NotationError(f"'{text}' is not a plain number, as cells need")
    return int(text)


def cell_text(place: int) -> str:
    """Return the text of a cell, such as `-1,2`."""
    return f"{x_of(place)},{y_of(place)}"
