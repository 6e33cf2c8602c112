"""Cities: the building rules (5, 10.5, 10.6) and the longest walls (7.2, 10.7).

A city is never changed: building makes a new one. So copies of a game share cities, and what was found out about a city
(legal cells, removable tiles, walls) is remembered with it.

For every cell at or beside a tile the city keeps a *code*, one number that says all that the building rules ask of the
eight neighbours: which sides have a neighbour, which of those show a wall towards the cell, which are Granada tiles,
which corners are taken, and whether the cell itself is. Two facts make this enough (tests hold them against
`lawful.is_lawful`, which is chapter 5 to the letter):

* A city is connected and without holes, so two tiles never touch at a corner alone. Therefore filling or emptying a cell
  makes a hole, or cuts the layout, exactly if the free cells among its eight neighbours do not form one run.
* A new tile is reachable on foot exactly if it shares an open edge with a tile of its kind.
"""

from __future__ import annotations

from typing import Final

from granada.rules import pictures
from granada.rules.cells import NEAR, NO_CELL, ORIGIN, know_rings, ring_start, x_of, y_of
from granada.rules.tiles import ALHAMBRA, EAST, GRANADA, NORTH, SOUTH, STARTS, WEST, Tile
from granada.rules.verdict import LEGAL, Verdict

# Codes ----------------------------------------------------------------------------------------------------------------

_TAKEN: Final = 1 << 16  # bits 0-3 neighbours, 4-7 their walls, 8-11 they are Granada, 12-15 corners, 16 the cell itself


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


def _one_run(code: int) -> bool:
    return _ONE_RUN[code & 15 | code >> 8 & 0xF0]


def _fitting_walls(code: int, kind: int, is_first: bool) -> int:
    """The set of wall masks (a bit each) with which a tile of a kind may be built on a cell with this code."""
    if code & _TAKEN or not _one_run(code):
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
_FITTING: Final = [[_UNKNOWN] * (_TAKEN << 1) for _ in range(3)]


def _look_up_fitting(code: int, table: int) -> int:
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


class City:
    """A player's layout of tiles; in the combined game its Alhambra part and its Granada part."""

    __slots__ = ("_border", "_cells", "_codes", "_open", "_removable", "_stretches", "_tiles", "places", "starts")

    def __init__(
        self,
        tiles: list[Tile | None],
        codes: list[int],
        places: tuple[int, ...],
        border: tuple[int, ...],
        starts: tuple[int, ...],
    ) -> None:
        #: By cell, as far as one ring beyond the outermost tile.
        self._tiles: Final = tiles
        self._codes: Final = codes
        #: The taken cells, in order.
        self.places: Final = places
        #: The free cells beside a tile, in order.
        self._border: Final = border
        #: 1.5, 10.6: the cell of the start tile of each kind; NO_CELL for none.
        self.starts: Final = starts
        self._open: list[list[int] | None] = [None, None]
        #: Legal cells by kind and walls; with 32 added, cells to swap.
        self._cells: dict[int, tuple[int, ...]] = {}
        self._removable: tuple[int, ...] | None = None
        self._stretches: list[list[int]] | None = None

    def key(self) -> tuple[object, ...]:
        """What makes two cities equal: the same faces on the same cells."""
        return (self.places, tuple([self.tile_on(place) for place in self.places]), self.starts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, City) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def _repr_svg_(self) -> str | None:
        return pictures.svg_of(self)

    def tile_at(self, place: int) -> Tile | None:
        """The tile on a cell, or None."""
        return self._tiles[place] if 0 <= place < len(self._tiles) else None

    def tile_on(self, place: int) -> Tile:
        """The tile on a taken cell."""
        tile = self._tiles[place]
        assert tile is not None
        return tile

    def tiles(self) -> list[Tile]:
        """All tiles, in the order of their cells."""
        return [self.tile_on(place) for place in self.places]

    def neighbour(self, place: int, side: int) -> Tile | None:
        """The tile that touches a side of a taken cell, or None."""
        return self._tiles[NEAR[8 * place + side]]

    def contains(self, tile: Tile) -> bool:
        """Whether this very face is built here."""
        return tile in self._tiles

    def _code(self, place: int) -> int:
        return self._codes[place] if 0 <= place < len(self._codes) else 0

    # Building

    def cells_for(self, tile: Tile) -> tuple[int, ...]:
        """All cells where a tile may be built, in order."""
        key = tile.kind << 4 | tile.walls
        found = self._cells.get(key)
        if found is None:
            walls = tile.walls
            fitting = self._fitting(tile.kind)
            cells: list[int] = []
            for i in range(len(fitting)):
                if fitting[i] >> walls & 1:
                    cells.append(self._border[i])
            found = tuple(cells)
            self._cells[key] = found
        return found

    def may_build(self, tile: Tile, place: int) -> bool:
        """5: whether a tile may be built on a cell."""
        return bool(_look_up_fitting(self._code(place), self._table(tile.kind)) >> tile.walls & 1)

    def _table(self, kind: int) -> int:
        return kind if self.starts[kind] != NO_CELL else 2

    def _fitting(self, kind: int) -> list[int]:
        """For each cell of the border the walls that a tile of a kind could have there."""
        found = self._open[kind]
        if found is None:
            number = self._table(kind)
            table = _FITTING[number]
            codes = self._codes
            found = []
            for place in self._border:
                fitting = table[codes[place]]
                if fitting == _UNKNOWN:
                    fitting = _look_up_fitting(codes[place], number)
                found.append(fitting)
            self._open[kind] = found
        return found

    def build(self, tile: Tile, place: int) -> City:
        """The city with one more tile; the first tile of a kind is its start tile (10.6)."""
        tiles = self._tiles.copy()
        codes = self._codes.copy()
        _mark(tiles, codes, tile, place)
        border = [free for free in self._border if free != place]
        for side in range(4):
            near = NEAR[8 * place + side]
            code = codes[near]
            if not code & _TAKEN and not code & 15 & ~(1 << (side + 2) % 4):
                _insert(border, near)
        places = list(self.places)
        _insert(places, place)
        starts = self.starts
        if starts[tile.kind] == NO_CELL:
            starts = (starts[0], place) if tile.kind == GRANADA else (place, starts[1])
        return City(tiles, codes, tuple(places), tuple(border), starts)

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

    def cells_to_swap(self, tile: Tile) -> tuple[int, ...]:
        """3.5c: the cells whose tiles a tile may replace, in order."""
        key = 32 | tile.kind << 4 | tile.walls
        found = self._cells.get(key)
        if found is None:
            cells: list[int] = []
            for place in self.places:
                if self._may_swap(tile, place):
                    cells.append(place)
            found = tuple(cells)
            self._cells[key] = found
        return found

    def _may_swap(self, tile: Tile, place: int) -> bool:
        """3.5c: whether a tile may take the place of a built one.

        Every built tile shares an open edge with one of its kind, so the new one must be of that kind, and it must have
        the same walls towards all neighbours.
        """
        old = self._tiles[place]
        return (
            old is not None
            and old.kind == tile.kind
            and not (old.walls ^ tile.walls) & self._codes[place] & 15
            and place not in self.starts
        )

    def swap_verdict(self, tile: Tile, place: int) -> Verdict:
        """3.5c, 5.6, 10.6: whether a tile may take the place of a built one, and if not, why."""
        old = self.tile_at(place)
        if old is None:
            return Verdict("3.5", "empty", "no tile lies there to be swapped")
        if self._may_swap(tile, place):
            return LEGAL
        if place in self.starts:
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
                code = self._codes[place]
                if _ONE_RUN[code & 15 | code >> 8 & 0xF0] and place not in self.starts and not self._is_cut(place, code):
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
        if place in self.starts:
            return Verdict("1.5", "start", "the start tile is never removed")
        code = self._codes[place]
        if code & 15 == 15:
            return Verdict("5.5", "hole", "an empty space would be enclosed")
        if _one_run(code):
            return Verdict("5.3", "foot", "other tiles could no longer be reached on foot from the start tile")
        return Verdict("5.6", "apart", "the city would fall apart")

    def _is_cut(self, place: int, code: int) -> bool:
        """5.3: whether without the tile on a cell others of its kind could not be reached on foot.

        It is none if one can walk from each of its open neighbours to the next without it.
        """
        tile = self._tiles[place]
        if tile is None:
            return False
        own = code & (code >> 8 if tile.kind == GRANADA else ~(code >> 8)) & 15
        open_sides = _SIDES_OF[own & ~tile.walls]
        for i in range(1, len(open_sides)):
            one, other = open_sides[i - 1], open_sides[i]
            if not self._is_joined_at_corner(place, tile.kind, one, other) and not self._is_joined(
                place, tile.kind, one, other
            ):
                return True
        return False

    def _is_joined_at_corner(self, place: int, kind: int, one: int, other: int) -> bool:
        """Whether one can walk from one neighbour of a cell to the next over the tile at the corner between them."""
        if other != one + 1:
            return False
        corner = self._tiles[NEAR[8 * place + 4 + one]]
        return corner is not None and corner.kind == kind and not corner.walls & _CORNER_EDGES[one]

    def _is_joined(self, place: int, kind: int, one: int, other: int) -> bool:
        """Whether one can walk from one neighbour of a cell to another of the same kind, not over the cell itself."""
        tiles = self._tiles
        goal = NEAR[8 * place + other]
        queue = [NEAR[8 * place + one]]
        reached = [False] * len(tiles)
        reached[place] = True
        reached[queue[0]] = True
        while queue:
            here = queue.pop()
            tile = tiles[here]
            if tile is None or tile.kind != kind:
                continue
            if here == goal:
                return True
            for side in _SIDES_OF[15 & ~tile.walls]:
                near = NEAR[8 * here + side]
                if not reached[near]:
                    reached[near] = True
                    queue.append(near)
        return False

    def remove(self, place: int) -> City:
        """The city without the tile on a cell."""
        tiles = self._tiles.copy()
        codes = self._codes.copy()
        _unmark(tiles, codes, place)
        border = list(self._border)
        for side in range(4):
            near = NEAR[8 * place + side]
            if not codes[near] & (15 | _TAKEN):
                border.remove(near)
        _insert(border, place)
        return City(tiles, codes, tuple([p for p in self.places if p != place]), tuple(border), self.starts)

    def swap(self, tile: Tile, place: int) -> City:
        """The city with another tile on a cell."""
        tiles = self._tiles.copy()
        codes = self._codes.copy()
        _unmark(tiles, codes, place)
        _mark(tiles, codes, tile, place)
        return City(tiles, codes, self.places, self._border, self.starts)

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
                tile = self.tile_on(place)
                code = self._codes[place]
                for side in _SIDES_OF[tile.walls]:
                    if not code >> side & 1:
                        edges[tile.kind].append(place * 4 + side)
                    elif code >> 8 + side & 1 != tile.kind:
                        edges[tile.kind].append(place * 4 + side)
                        if tile.kind == ALHAMBRA:
                            edges[RUN].append(place * 4 + side)
            found = [_longest(edges[what]) for what in range(3)]
            self._stretches = found
        return found


def _mark(tiles: list[Tile | None], codes: list[int], tile: Tile, place: int) -> None:
    """Put a tile on a free cell, and tell its neighbours; the lists grow by a ring if it is in the outermost one."""
    if place >= _INNER[len(tiles)]:
        _grow(tiles, codes)
    tiles[place] = tile
    codes[place] |= _TAKEN
    marks = _MARKS[tile.kind << 4 | tile.walls]
    for direction in range(8):
        codes[NEAR[8 * place + direction]] |= marks[direction]


def _grow(tiles: list[Tile | None], codes: list[int]) -> None:
    """Add a ring of free cells."""
    ring = 0
    while ring_start(ring) < len(tiles):
        ring += 1
    know_rings(ring)
    more = ring_start(ring + 1) - len(tiles)
    tiles += [None] * more
    codes += [0] * more
    _INNER[len(tiles)] = ring_start(ring)


#: For each length of the lists of a city, how many cells lie inside their outermost ring.
_INNER: Final[dict[int, int]] = {1: 0}


def _unmark(tiles: list[Tile | None], codes: list[int], place: int) -> None:
    """Take a tile off its cell, and tell its neighbours."""
    tile = tiles[place]
    assert tile is not None
    tiles[place] = None
    codes[place] ^= _TAKEN
    marks = _MARKS[tile.kind << 4 | tile.walls]
    for direction in range(8):
        codes[NEAR[8 * place + direction]] ^= marks[direction]


def _insert(cells: list[int], place: int) -> None:
    """Add a cell to a list that is in order."""
    index = len(cells)
    while index and cells[index - 1] > place:
        index -= 1
    cells.insert(index, place)


#: What `City.stretch` measures: the outer walls of either kind, and where wall and moat run together.
WALL: Final = ALHAMBRA
MOAT: Final = GRANADA
RUN: Final = 2


def _ends(edge: int) -> tuple[int, int]:
    """The two corner points of an edge."""
    place, side = edge // 4, edge % 4
    north_west = y_of(place) * 1024 + x_of(place)
    return north_west + (0, 1, 1024, 0)[side], north_west + (1, 1025, 1025, 1024)[side]


def _longest(edges: list[int]) -> list[int]:
    """7.2: the largest set of edges that hang together by their corner points; the first of equal ones."""
    at_point: dict[int, list[int]] = {}
    for edge in edges:
        for point in _ends(edge):
            if point in at_point:
                at_point[point].append(edge)
            else:
                at_point[point] = [edge]
    longest: list[int] = []
    seen: set[int] = set()
    for first in edges:
        if first in seen:
            continue
        seen.add(first)
        stretch = [first]
        for edge in stretch:
            for point in _ends(edge):
                for other in at_point[point]:
                    if other not in seen:
                        seen.add(other)
                        stretch.append(other)
        if len(stretch) > len(longest):
            longest = stretch
    return longest


def new_city(kind: int) -> City:
    """1.5: a city with nothing but the start tile of a kind."""
    know_rings(1)
    return City([None], [0], (), (), (NO_CELL, NO_CELL)).build(STARTS[kind], ORIGIN)

