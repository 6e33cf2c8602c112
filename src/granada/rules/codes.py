"""Cell codes: one integer with everything that the building rules (5, 10.5, 10.6) need to know about a cell.

A code contains which sides have a neighbour, which of these have a wall towards the cell, which are Granada tiles,
which corners are occupied, and whether the cell itself is, with which walls and kind. Two facts make this enough (tests
compare the results with `lawful.is_lawful`, a literal implementation of chapter 5):

* A city is connected and has no holes, so two tiles never touch only at a corner. Therefore filling or clearing a
  cell makes a hole, or cuts the layout, exactly if the free cells among its eight neighbours do not form one run.
* A new tile is reachable on foot exactly if it shares an open edge with a tile of its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from granada.rules.cells import INNER, NEAR, cells_of_next_ring
from granada.rules.tiles import ALHAMBRA, EAST, GRANADA, NORTH, SOUTH, WEST, Tile

if TYPE_CHECKING:
    # A native integer when compiled, an alias of int otherwise: codes are shifted and masked a lot.
    from mypy_extensions import i64

#: Bits 0-3: there is a neighbour; 4-7: it has a wall there; 8-11: it is a Granada tile; 12-15: corners; 16: the cell is
#: occupied; 17-20: the walls of its tile; 21: it is a Granada tile.
TAKEN: Final = 1 << 16
WALLS: Final = 17
KIND: Final = 21
#: The bits for the tile on the cell itself.
OWN: Final = 63 << 16


def _marks(kind: int, walls: int) -> list[int]:
    """Return what a tile adds to the codes of its eight neighbours, in the order of directions."""
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


#: The opposite of each direction.
_OPPOSITE: Final = [2, 3, 0, 1, 6, 7, 4, 5]
_MARKS: Final = [_marks(kind, walls) for kind in (ALHAMBRA, GRANADA) for walls in range(16)]


def _keeps_one_run(sides: int, corners: int) -> bool:
    """5.5: return whether the free cells around a cell that touch one of its free sides form one run."""
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


#: The results of `is_one_run` by sides and corners.
_ONE_RUN: Final = [_keeps_one_run(around & 15, around >> 4) for around in range(256)]


def is_one_run(code: i64) -> bool:
    """5.5: return whether filling or clearing the cell neither encloses a space nor cuts the layout."""
    return _ONE_RUN[code & 15 | code >> 8 & 0xF0]


def _fitting_walls(code: int, kind: int, is_first: bool) -> list[bool]:
    """Return, for each set of walls, whether such a tile of a kind may be built on a cell with this code."""
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


#: The distinct results, by the bits of the walls that fit: so few that they stay in the processor's cache.
_rows: Final[dict[int, list[bool]]] = {}


def _row_of(fitting: int) -> list[bool]:
    return _rows.setdefault(fitting, [bool(fitting >> walls & 1) for walls in range(16)])


#: An empty list, for codes that were not looked up yet.
UNKNOWN: Final[list[bool]] = []
#: A cache of `_fitting_walls`: for Alhambra tiles, Granada tiles, and the first Granada tile of the combined game. The
#: results are lists, not bit sets, because compiled code would have to box an integer but can pass on a list.
FITTING: Final = [[UNKNOWN] * TAKEN for _ in range(3)]


def look_up_fitting(code: i64, table: i64) -> list[bool]:
    """Return, for each set of walls, whether a tile with these walls may be built on a cell with this code."""
    if code & TAKEN:
        return _row_of(0)
    found = FITTING[table][code]
    if not found:
        found = _fitting_walls(code, ALHAMBRA if table == 0 else GRANADA, table == 2)
        FITTING[table][code] = found
    return found


#: The two edges with which the tile at a corner (NE, SE, SW, NW) touches the neighbours on either side of it.
CORNER_EDGES: Final = (WEST | SOUTH, NORTH | WEST, EAST | NORTH, SOUTH | EAST)
#: The sides in each set of sides, in order.
SIDES_OF: Final = [[side for side in range(4) if sides >> side & 1] for sides in range(16)]


def own_code(tile: Tile) -> i64:
    """Return what a tile adds to the code of its own cell."""
    walls: i64 = tile.walls
    kind: i64 = tile.kind
    return TAKEN | walls << WALLS | kind << KIND


def code_of(tiles: list[Tile | None], place: i64) -> i64:
    """Return the code of a cell, from the tiles on it and around it."""
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
    """Add a tile on a free cell to the codes; the list grows by a ring if the cell is in the outermost one."""
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
    """Replace a tile in the codes, updating the neighbours that see other walls or another kind."""
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
    """Remove a tile from the codes."""
    own: i64 = codes[place]
    codes[place] = own & TAKEN - 1
    first: i64 = 8 * place
    mark: i64
    for mark in _MARKS[own >> WALLS]:
        near: i64 = NEAR[first]
        code: i64 = codes[near]
        codes[near] = code ^ mark
        first += 1
