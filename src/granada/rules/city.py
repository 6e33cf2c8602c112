"""Cities: the building rules (5, 10.5, 10.6) and the longest walls (7.2, 10.7).

A city is never changed: building makes a new one. So copies of a game share cities, and what was found out about a city
(legal cells, removable tiles, walls) is remembered with it.

For every cell the city keeps a *code*, one number that says all that the building rules ask: which sides have a
neighbour, which of those show a wall towards the cell, which are Granada tiles, which corners are taken, and whether
the cell itself is, with which walls and kind. Two facts make this enough (tests hold them against
`lawful.is_lawful`, which is chapter 5 to the letter):

* A city is connected and without holes, so two tiles never touch at a corner alone. Therefore filling or emptying a
  cell makes a hole, or cuts the layout, exactly if the free cells among its eight neighbours do not form one run.
* A new tile is reachable on foot exactly if it shares an open edge with a tile of its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from granada.rules import pictures
from granada.rules.cells import NEAR, NO_CELL, ORIGIN, know_rings, ring_start
from granada.rules.tiles import ALHAMBRA, EAST, GRANADA, NORTH, SOUTH, STARTS, WEST, Tile
from granada.rules.verdict import LEGAL, Verdict

if TYPE_CHECKING:
    # A plain number of the machine when compiled, just a name for int otherwise: codes are shifted and masked a lot.
    from mypy_extensions import i64

# Codes ----------------------------------------------------------------------------------------------------------------

#: Bits 0-3: there is a neighbour; 4-7: it has a wall there; 8-11: it is Granada; 12-15: corners;
#: 16: the cell is taken; 17-20: by a tile with these walls; 21: of Granada.
_TAKEN: Final = 1 << 16
_WALLS: Final = 17
_KIND: Final = 21


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


#: 5.5 by sides and corners: whether the cell can be filled, or emptied, without a hole and without cutting the layout.
_ONE_RUN: Final = [_keeps_one_run(around & 15, around >> 4) for around in range(256)]


def _one_run(code: i64) -> bool:
    return _ONE_RUN[code & 15 | code >> 8 & 0xF0]


def _fitting_walls(code: int, kind: int, is_first: bool) -> int:
    """The set of wall masks (a bit each) with which a tile of a kind may be built on a cell with this code."""
    if not _one_run(code):
        return 0
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
    return fitting


_UNKNOWN: Final = -1
#: `_fitting_walls` looked up: for Alhambra tiles, Granada tiles, and the first Granada tile of the combined game.
_FITTING: Final = [[_UNKNOWN] * _TAKEN for _ in range(3)]


def _look_up_fitting(code: int, table: int) -> int:
    if code & _TAKEN:
        return 0
    found = _FITTING[table][code]
    if found == _UNKNOWN:
        found = _fitting_walls(code, ALHAMBRA if table == 0 else GRANADA, table == 2)
        _FITTING[table][code] = found
    return found


SIDE_WORDS: Final = ("north", "east", "south", "west")
#: The two edges with which the tile at a corner (NE, SE, SW, NW) touches the neighbours on both sides of it.
_CORNER_EDGES: Final = (WEST | SOUTH, NORTH | WEST, EAST | NORTH, SOUTH | EAST)
#: The sides of each set of sides, in order.
_SIDES_OF: Final = [[side for side in range(4) if sides >> side & 1] for sides in range(16)]

# The city -------------------------------------------------------------------------------------------------------------


@final
class City:
    """A player's layout of tiles; in the combined game its Alhambra part and its Granada part."""

    __slots__ = (
        "_alhambra_fitting",
        "_border",
        "_codes",
        "_granada_fitting",
        "_removable",
        "_stretches",
        "_tiles",
        "places",
        "starts",
    )

    def __init__(
        self,
        codes: list[int],
        places: list[int],
        tiles: list[Tile],
        border: list[int],
        starts: tuple[int, ...],
    ) -> None:
        #: By cell, as far as one ring beyond the outermost tile.
        self._codes: Final = codes
        #: The taken cells, in order, and the tiles on them.
        self.places: Final = places
        self._tiles: Final = tiles
        #: The free cells beside a tile, in order.
        self._border: Final = border
        #: 1.5, 10.6: the cell of the start tile of each kind; NO_CELL for none.
        self.starts: Final = starts
        self._alhambra_fitting: list[int] | None = None
        self._granada_fitting: list[int] | None = None
        self._removable: tuple[int, ...] | None = None
        self._stretches: list[list[int]] | None = None

    def key(self) -> tuple[object, ...]:
        """What makes two cities equal: the same faces on the same cells."""
        return (tuple(self.places), tuple(self._tiles), self.starts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, City) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def _repr_svg_(self) -> str | None:
        return pictures.svg_of(self)

    def tile_at(self, place: int) -> Tile | None:
        """The tile on a cell, or None."""
        return self.tile_on(place) if self._code(place) & _TAKEN else None

    def tile_on(self, place: int) -> Tile:
        """The tile on a taken cell."""
        return self._tiles[self.places.index(place)]

    def tiles(self) -> list[Tile]:
        """All tiles, in the order of their cells."""
        return self._tiles.copy()

    def neighbour(self, place: int, side: int) -> Tile | None:
        """The tile that touches a side of a taken cell, or None."""
        return self.tile_at(NEAR[8 * place + side])

    def contains(self, tile: Tile) -> bool:
        """Whether this very face is built here."""
        return tile in self._tiles

    def _is_start(self, place: int) -> bool:
        """1.5, 10.6: whether the tile on a cell is a start tile."""
        return place == self.starts[0] or place == self.starts[1]

    def _code(self, place: int) -> int:
        return self._codes[place] if 0 <= place < len(self._codes) else 0

    # Building

    def cells_for(self, tile: Tile) -> list[int]:
        """All cells where a tile may be built, in order."""
        bit: i64 = 1 << tile.walls
        border = self._border
        cells: list[int] = []
        i: i64 = 0
        fitting: i64
        for fitting in self._fitting(tile.kind):
            if fitting & bit:
                cells.append(border[i])
            i += 1
        return cells

    def may_build(self, tile: Tile, place: int) -> bool:
        """5: whether a tile may be built on a cell."""
        return bool(_look_up_fitting(self._code(place), self._table(tile.kind)) >> tile.walls & 1)

    def _table(self, kind: int) -> int:
        return kind if self.starts[kind] != NO_CELL else 2

    def _fitting(self, kind: int) -> list[int]:
        """For each cell of the border the walls that a tile of a kind could have there."""
        found = self._granada_fitting if kind == GRANADA else self._alhambra_fitting
        if found is None:
            number = self._table(kind)
            table = _FITTING[number]
            codes = self._codes
            found = []
            place: i64
            for place in self._border:
                code: i64 = codes[place]
                fitting: i64 = table[code]
                if fitting == _UNKNOWN:
                    fitting = _look_up_fitting(codes[place], number)
                found.append(fitting)
            if kind == GRANADA:
                self._granada_fitting = found
            else:
                self._alhambra_fitting = found
        return found

    def build(self, tile: Tile, place: int) -> City:
        """The city with one more tile; the first tile of a kind is its start tile (10.6)."""
        codes = self._codes.copy()
        _mark(codes, tile, place)
        border = self._border.copy()
        if self.places:
            border.remove(place)
        for side in range(4):
            near = NEAR[8 * place + side]
            code = codes[near]
            if not code & _TAKEN and not code & 15 & ~(1 << (side + 2) % 4):
                border.insert(_rank(border, near), near)
        places, tiles = self.places.copy(), self._tiles.copy()
        index = _rank(places, place)
        places.insert(index, place)
        tiles.insert(index, tile)
        starts = self.starts
        if starts[tile.kind] == NO_CELL:
            starts = (starts[0], place) if tile.kind == GRANADA else (place, starts[1])
        return City(codes, places, tiles, border, starts)

    def verdict(self, tile: Tile, place: int) -> Verdict:
        """5, 10.5, 10.6: whether a tile may be built on a cell, and if not, why."""
        if self.may_build(tile, place):
            return LEGAL
        code = self._code(place)
        if code & _TAKEN:
            return Verdict("5.4", "taken", "a tile lies there already")
        if not code & 15:
            return Verdict("5.4", "touch", "the tile would not touch the city along an edge")
        side = self._unlike_side(tile, code, False)
        if side >= 0:
            return Verdict("5.2", "edge", f"its {SIDE_WORDS[side]} edge and the edge that it touches are not alike")
        side = self._unlike_side(tile, code, True)
        if side >= 0:
            return Verdict(
                "10.5",
                "kinds",
                f"on its {SIDE_WORDS[side]} edge an Alhambra and a Granada tile would touch without wall against moat",
            )
        if self._table(tile.kind) != 2 and not self._has_open_side(tile, code):
            return Verdict("5.3", "foot", "the tile could not be reached on foot from the start tile")
        return Verdict("5.5", "hole", "an empty space would be enclosed")

    def _unlike_side(self, tile: Tile, code: int, foreign: bool) -> int:
        """The first side that breaks 5.2 (or 10.5 towards the other kind), or -1."""
        for side in range(4):
            if not code >> side & 1 or (code >> 8 + side & 1 != tile.kind) != foreign:
                continue
            mine, theirs = tile.walls >> side & 1, code >> 4 + side & 1
            if not (mine and theirs) if foreign else mine != theirs:
                return side
        return -1

    def _has_open_side(self, tile: Tile, code: int) -> bool:
        for side in range(4):
            if code >> side & 1 and code >> 8 + side & 1 == tile.kind and not tile.walls >> side & 1:
                return True
        return False

    # Rebuilding

    def cells_to_swap(self, tile: Tile) -> list[int]:
        """3.5c: the cells whose tiles a tile may replace, in order.

        Every built tile shares an open edge with one of its kind, so the new one must be of that kind, and it must have
        the same walls towards all neighbours.
        """
        kind: i64 = tile.kind
        walls: i64 = tile.walls
        cells: list[int] = []
        for place in self.places:
            code: i64 = self._codes[place]
            if code >> _KIND == kind and not (code >> _WALLS ^ walls) & code & 15 and not self._is_start(place):
                cells.append(place)
        return cells

    def swap_verdict(self, tile: Tile, place: int) -> Verdict:
        """3.5c, 5.6, 10.6: whether a tile may take the place of a built one, and if not, why."""
        old = self.tile_at(place)
        if old is None:
            return Verdict("3.5", "empty", "no tile lies there to be swapped")
        if place in self.cells_to_swap(tile):
            return LEGAL
        if self._is_start(place):
            return Verdict("1.5", "start", "the start tile is never swapped")
        if old.kind != tile.kind:
            return Verdict("10.5", "kinds", "the tiles of the other kind beside it would not meet it wall to moat")
        unlike = (old.walls ^ tile.walls) & self._codes[place] & 15
        side = _SIDES_OF[unlike][0]
        return Verdict("5.2", "edge", f"its {SIDE_WORDS[side]} edge and the edge that it touches would not be alike")

    def removable(self) -> tuple[int, ...]:
        """3.5b: the cells whose tiles may be removed, in order."""
        found = self._removable
        if found is None:
            cells: list[int] = []
            for place in self.places:
                code: i64 = self._codes[place]
                if _one_run(code) and not self._is_start(place) and not self._is_cut(place, code):
                    cells.append(place)
            found = tuple(cells)
            self._removable = found
        return found

    def remove_verdict(self, place: int) -> Verdict:
        """3.5b, 5.6: whether the tile on a cell may be removed, and if not, why."""
        if self.tile_at(place) is None:
            return Verdict("3.5", "empty", "no tile lies there to be removed")
        if place in self.removable():
            return LEGAL
        if self._is_start(place):
            return Verdict("1.5", "start", "the start tile is never removed")
        code = self._codes[place]
        if code & 15 == 15:
            return Verdict("5.5", "hole", "an empty space would be enclosed")
        if _one_run(code):
            return Verdict("5.3", "foot", "other tiles could no longer be reached on foot from the start tile")
        return Verdict("5.6", "apart", "the city would fall apart")

    def _is_cut(self, place: int, code: i64) -> bool:
        """5.3: whether without the tile on a cell others of its kind could not be reached on foot.

        It is none if one can walk from each of its open neighbours to the next without it.
        """
        kind = code >> _KIND
        own = code & (code >> 8 if kind == GRANADA else ~(code >> 8)) & 15
        open_sides = _SIDES_OF[own & ~(code >> _WALLS)]
        for i in range(1, len(open_sides)):
            one, other = open_sides[i - 1], open_sides[i]
            if not self._is_joined_at_corner(place, kind, one, other) and not self._is_joined(place, kind, one, other):
                return True
        return False

    def _is_joined_at_corner(self, place: int, kind: i64, one: int, other: int) -> bool:
        """Whether one can walk from one neighbour of a cell to the next over the tile at the corner between them."""
        if other != one + 1:
            return False
        corner: i64 = self._codes[NEAR[8 * place + 4 + one]]
        return bool(corner & _TAKEN) and corner >> _KIND == kind and not corner >> _WALLS & _CORNER_EDGES[one]

    def _is_joined(self, place: int, kind: i64, one: int, other: int) -> bool:
        """Whether one can walk from one neighbour of a cell to another of the same kind, not over the cell itself."""
        codes = self._codes
        goal = NEAR[8 * place + other]
        queue = [NEAR[8 * place + one]]
        reached = [False] * len(codes)
        reached[place] = True
        reached[queue[0]] = True
        while queue:
            here: i64 = queue.pop()
            code: i64 = codes[here]
            if not code & _TAKEN or code >> _KIND != kind:
                continue
            if here == goal:
                return True
            side: i64
            for side in _SIDES_OF[15 & ~(code >> _WALLS)]:
                near: i64 = NEAR[8 * here + side]
                if not reached[near]:
                    reached[near] = True
                    queue.append(near)
        return False

    def remove(self, place: int) -> City:
        """The city without the tile on a cell."""
        codes = self._codes.copy()
        _unmark(codes, place)
        border = self._border.copy()
        for side in range(4):
            near = NEAR[8 * place + side]
            if not codes[near] & (15 | _TAKEN):
                border.remove(near)
        border.insert(_rank(border, place), place)
        places, tiles = self.places.copy(), self._tiles.copy()
        index = places.index(place)
        del places[index]
        del tiles[index]
        return City(codes, places, tiles, border, self.starts)

    def swap(self, tile: Tile, place: int) -> City:
        """The city with another tile on a cell."""
        codes = self._codes.copy()
        _unmark(codes, place)
        _mark(codes, tile, place)
        tiles = self._tiles.copy()
        tiles[self.places.index(place)] = tile
        return City(codes, self.places, tiles, self._border, self.starts)

    # Walls

    def stretch(self, what: int) -> int:
        """7.2, 10.7: how many edges the longest wall (WALL), moat (MOAT) or run (RUN) has."""
        return len(self.stretches()[what])

    def stretches(self) -> list[list[int]]:
        """The edges of the longest wall, moat and run; an edge is `cell * 4 + side`, seen from its tile."""
        found = self._stretches
        if found is None:
            edges: list[list[int]] = [[], [], []]
            for place in self.places:
                code: i64 = self._codes[place]
                kind = code >> _KIND
                for side in _SIDES_OF[code >> _WALLS & 15]:
                    if not code >> side & 1:
                        edges[kind].append(place * 4 + side)
                    elif code >> 8 + side & 1 != kind:
                        edges[kind].append(place * 4 + side)
                        if kind == ALHAMBRA:
                            edges[RUN].append(place * 4 + side)
            found = [_longest(edges[what], len(self._codes)) for what in range(3)]
            self._stretches = found
        return found


def _mark(codes: list[int], tile: Tile, place: int) -> None:
    """Put a tile on a free cell, and tell its neighbours; the list grows by a ring if the cell is in its outermost."""
    if place >= _INNER[len(codes)]:
        _grow(codes)
    codes[place] |= _TAKEN | tile.walls << _WALLS | tile.kind << _KIND
    first: i64 = 8 * place
    mark: i64
    for mark in _MARKS[tile.kind << 4 | tile.walls]:
        near: i64 = NEAR[first]
        code: i64 = codes[near]
        codes[near] = code | mark
        first += 1


def _unmark(codes: list[int], place: int) -> None:
    """Take a tile off its cell, and tell its neighbours."""
    own = codes[place]
    codes[place] = own & _TAKEN - 1
    first: i64 = 8 * place
    mark: i64
    for mark in _MARKS[own >> _WALLS]:
        near: i64 = NEAR[first]
        code: i64 = codes[near]
        codes[near] = code ^ mark
        first += 1


def _grow(codes: list[int]) -> None:
    """Add a ring of free cells."""
    ring = 0
    while ring_start(ring) < len(codes):
        ring += 1
    know_rings(ring)
    codes += [0] * (ring_start(ring + 1) - len(codes))
    _INNER[len(codes)] = ring_start(ring)


#: For each length of the list of codes, how many cells lie inside its outermost ring.
_INNER: Final[dict[int, int]] = {1: 0}


def _rank(cells: list[int], place: int) -> int:
    """Where a cell belongs in a list that is in order."""
    index = len(cells)
    while index and cells[index - 1] > place:
        index -= 1
    return index


#: What `City.stretch` measures: the outer walls of either kind, and where wall and moat run together.
WALL: Final = ALHAMBRA
MOAT: Final = GRANADA
RUN: Final = 2


def _touching(side: int) -> list[tuple[int, int]]:
    """Where the edges are that can share an end with one on a side of a cell: a direction (8: the cell), a side."""
    left, right, opposite = (side + 3) % 4, (side + 1) % 4, (side + 2) % 4
    return [
        *((8, left), (left, right), (left, side), (4 + left, opposite), (4 + left, right), (side, left)),
        *((8, right), (right, left), (right, side), (4 + side, opposite), (4 + side, left), (side, right)),
    ]


_TOUCHING: Final = [_touching(side) for side in range(4)]


def _longest(edges: list[int], cells: int) -> list[int]:
    """7.2: the largest set of edges that hang together by their corner points; the first of equal ones."""
    longest: list[int] = []
    if not edges:
        return longest
    is_left = [False] * (4 * cells)
    for edge in edges:
        is_left[edge] = True
    for first in edges:
        if not is_left[first]:
            continue
        is_left[first] = False
        stretch = [first]
        done = 0
        while done < len(stretch):
            place, side = stretch[done] // 4, stretch[done] % 4
            done += 1
            for direction, other_side in _TOUCHING[side]:
                near = place if direction == 8 else NEAR[8 * place + direction]
                edge = 4 * near + other_side
                if is_left[edge]:
                    is_left[edge] = False
                    stretch.append(edge)
        if len(stretch) > len(longest):
            longest = stretch
    return longest


def new_city(kind: int) -> City:
    """1.5: a city with nothing but the start tile of a kind."""
    know_rings(1)
    return City([0], [], [], [], (NO_CELL, NO_CELL)).build(STARTS[kind], ORIGIN)
