"""Codes of cells: one number that says all that the building rules (5, 10.5, 10.6) ask of a cell.

A code tells which sides have a neighbour, which of those show a wall towards the cell, which are Granada tiles, which
corners are taken, and whether the cell itself is, with which walls and kind. Two facts make this enough (tests hold
them against `lawful.is_lawful`, which is chapter 5 to the letter):

* A city is connected and without holes, so two tiles never touch at a corner alone. Therefore filling or emptying a
  cell makes a hole, or cuts the layout, exactly if the free cells among its eight neighbours do not form one run.
* A new tile is reachable on foot exactly if it shares an open edge with a tile of its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from granada.rules.cells import INNER, NEAR, cells_of_next_ring
from granada.rules.tiles import ALHAMBRA, EAST, GRANADA, NORTH, SOUTH, WEST, Tile

if TYPE_CHECKING:
    # A plain number of the machine when compiled, just a name for int otherwise: codes are shifted and masked a lot.
    from mypy_extensions import i64

#: Bits 0-3: there is a neighbour; 4-7: it has a wall there; 8-11: it is Granada; 12-15: corners;
#: 16: the cell is taken; 17-20: by a tile with these walls; 21: of Granada.
TAKEN: Final = 1 << 16
WALLS: Final = 17
KIND: Final = 21
#: The part of a code that tells of the tile on the cell itself.
OWN: Final = 63 << 16


def _marks(kind: int, walls: int) -> list[int]:
    """What a tile adds to the codes of its eight neighbours, in the order of directions."""
    marks: list[int] = []
    for side in range(4):
        seen_from = (side + 2) % 4
        mark = 1 << seen_from
        if walls >> side & 1:
            mark |= 1 << 4 + seen_from
        if kind == GRANADA:
            mark |= 1 << 8 + seen_from
        marks.append(mark)
    for corner in range(4):
        marks.append(1 << 12 + (corner + 2) % 4)
    return marks


#: For each direction the one that leads back.
_OPPOSITE: Final = [2, 3, 0, 1, 6, 7, 4, 5]
_MARKS: Final = [_marks(kind, walls) for kind in (ALHAMBRA, GRANADA) for walls in range(16)]


def _keeps_one_run(sides: int, corners: int) -> bool:
    """5.5: whether the free cells round a cell that touch one of its free sides form one run."""
    ring = [not (sides >> i // 2 if i % 2 == 0 else corners >> i // 2) & 1 for i in range(8)]
    if sides == 15 or not sides:
        return False
    starts = 0
    for i in range(8):
        if ring[i] and not ring[i - 1]:
            run = i
            has_side = False
            while ring[run % 8]:
                has_side = has_side or run % 2 == 0
                run += 1
            starts += 1
            if not has_side:
                return False
    return starts == 1


#: The answers of `is_one_run` by sides and corners.
_ONE_RUN: Final = [_keeps_one_run(around & 15, around >> 4) for around in range(256)]


def is_one_run(code: i64) -> bool:
    """5.5: whether the cell can be filled, or emptied, without a hole and without cutting the layout."""
    return _ONE_RUN[code & 15 | code >> 8 & 0xF0]


def _fitting_walls(code: int, kind: int, is_first: bool) -> list[bool]:
    """For each set of walls, whether a tile of a kind with these walls may be built on a cell with this code."""
    if not is_one_run(code):
        return _row_of(0)
    sides, walls = code & 15, code >> 4 & 15
    granada = code >> 8 & 15
    own = sides & granada if kind == GRANADA else sides & ~granada
    foreign = sides & ~own
    fitting = 0
    for mask in range(16):
        if (mask ^ walls) & own or foreign & ~(mask & walls):
            continue
        if own & ~mask or (is_first and foreign):
            fitting |= 1 << mask
    return _row_of(fitting)


#: The different answers, by the bits of the walls that fit: they are few, and the processor keeps them at hand.
_rows: Final[dict[int, list[bool]]] = {}


def _row_of(fitting: int) -> list[bool]:
    return _rows.setdefault(fitting, [bool(fitting >> walls & 1) for walls in range(16)])


#: A list without answers, for a code that was not asked for yet.
UNKNOWN: Final[list[bool]] = []
#: `_fitting_walls` looked up: for Alhambra tiles, Granada tiles, and the first Granada tile of the combined game.
#: The answers are lists, not numbers with a bit each: compiled code can pass on a list, but makes a new number.
FITTING: Final = [[UNKNOWN] * TAKEN for _ in range(3)]


def look_up_fitting(code: i64, table: i64) -> list[bool]:
    """For each set of walls, whether a tile with these walls may be built on a cell with this code."""
    if code & TAKEN:
        return _row_of(0)
    found = FITTING[table][code]
    if not found:
        found = _fitting_walls(code, ALHAMBRA if table == 0 else GRANADA, table == 2)
        FITTING[table][code] = found
    return found


#: The two edges with which the tile at a corner (NE, SE, SW, NW) touches the neighbours on both sides of it.
CORNER_EDGES: Final = (WEST | SOUTH, NORTH | WEST, EAST | NORTH, SOUTH | EAST)
#: The sides of each set of sides, in order.
SIDES_OF: Final = [[side for side in range(4) if sides >> side & 1] for sides in range(16)]


def own_code(tile: Tile) -> i64:
    """What a tile adds to the code of its own cell."""
    walls: i64 = tile.walls
    kind: i64 = tile.kind
    return TAKEN | walls << WALLS | kind << KIND


def code_of(tiles: list[Tile | None], place: i64) -> i64:
    """The code of one cell, from the tiles on it and round it."""
    count: i64 = len(tiles)
    if not 0 <= place < count:
        return 0
    tile = tiles[place]
    code: i64 = 0 if tile is None else own_code(tile)
    first: i64 = 8 * place
    opposite: i64
    for opposite in _OPPOSITE:
        near: i64 = NEAR[first]
        if near < count:
            tile = tiles[near]
            if tile is not None:
                code |= _MARKS[tile.kind << 4 | tile.walls][opposite]
        first += 1
    return code


def mark(codes: list[int], tile: Tile, place: i64) -> None:
    """Put a tile on a free cell, and tell its neighbours; the list grows by a ring if the cell is in its outermost."""
    while place >= INNER[len(codes)]:
        codes += [0] * cells_of_next_ring(len(codes))
    own: i64 = codes[place] | own_code(tile)
    codes[place] = own
    first: i64 = 8 * place
    mark: i64
    for mark in _MARKS[own >> WALLS]:
        near: i64 = NEAR[first]
        code: i64 = codes[near]
        codes[near] = code | mark
        first += 1


def remark(codes: list[int], tile: Tile, place: i64) -> None:
    """Put a tile on a cell in place of another, and tell the neighbours that see other walls, or another kind, now."""
    own: i64 = codes[place]
    new: i64 = own & TAKEN - 1 | own_code(tile)
    codes[place] = new
    marks = _MARKS[new >> WALLS]
    first: i64 = 8 * place
    side: i64 = 0
    before: i64
    for before in _MARKS[own >> WALLS]:
        change: i64 = before ^ marks[side]
        if change:
            near: i64 = NEAR[first + side]
            code: i64 = codes[near]
            codes[near] = code ^ change
        side += 1


def unmark(codes: list[int], place: i64) -> None:
    """Take a tile off its cell, and tell its neighbours."""
    own: i64 = codes[place]
    codes[place] = own & TAKEN - 1
    first: i64 = 8 * place
    mark: i64
    for mark in _MARKS[own >> WALLS]:
        near: i64 = NEAR[first]
        code: i64 = codes[near]
        codes[near] = code ^ mark
        first += 1
