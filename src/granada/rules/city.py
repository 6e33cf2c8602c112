"""Cities: the building rules (5, 10.5, 10.6) and the longest walls (7.2, 10.7).

Building only puts a tile on a cell; everything else is computed on demand and cached until the city changes: whether
one tile fits, from the tiles around its cell; all possible placements and removals, from a code stored for every cell
(see `codes`). Code that only plays actions, such as a replay, does not pay for it. Copies of a game share their cities
until one of them builds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from granada.rules import pictures
from granada.rules.cells import INNER, NEAR, NO_CELL, ORIGIN, cells_of_next_ring, x_of, y_of
from granada.rules.codes import (
    CORNER_EDGES,
    FITTING,
    KIND,
    OWN,
    SIDES_OF,
    TAKEN,
    WALLS,
    code_of,
    is_one_run,
    look_up_fitting,
    mark,
    own_code,
    remark,
    unmark,
)
from granada.rules.stretches import longest_stretches
from granada.rules.tiles import GRANADA, STARTS, Tile
from granada.rules.verdict import LEGAL, Verdict

if TYPE_CHECKING:
    # A native integer when compiled, an alias of int otherwise: see `codes`.
    from mypy_extensions import i64

    from granada.rules.rebuilding import Rebuilding
    from granada.rules.state import Action

SIDE_WORDS: Final = ("north", "east", "south", "west")
#: For each side, the bit for this cell in the code of the cell on that side.
_OPPOSITE: Final = [4, 8, 1, 2]


@final
class City:
    """The layout of a player; in the combined game, its Alhambra part and its Granada part."""

    __slots__ = (
        "_alhambra_fitting",
        "_border",
        "_built",
        "_changed",
        "_codes",
        "_granada_fitting",
        "_places",
        "_stretches",
        "_tiles",
        "is_shared",
        "kept",
        "starts",
    )

    def __init__(
        self,
        tiles: list[Tile | None],
        codes: list[int],
        places: list[int],
        border: list[int],
        starts: tuple[int, ...],
    ) -> None:
        #: The tile on each cell, up to one ring beyond the outermost tile.
        self._tiles: Final = tiles
        #: 1.5, 10.6: the cell of the start tile of each kind, or NO_CELL.
        self.starts = starts
        #: Whether several states share this city; a shared city must be copied before it is changed.
        self.is_shared = False
        #: The cells that have changed since the attributes below were updated.
        self._changed: Final[list[int]] = []
        #: The code of each cell, at the time of the last update.
        self._codes: Final = codes
        #: The occupied cells, in order.
        self._places: Final = places
        #: The free cells next to a tile, in order.
        self._border: Final = border
        self._built: list[Tile] | None = None
        self._alhambra_fitting: list[list[bool]] | None = None
        self._granada_fitting: list[list[bool]] | None = None
        self._stretches: list[list[int]] | None = None
        #: The last rebuilding actions offered (see `rebuilding`).
        self.kept: Rebuilding | None = None

    def copy(self) -> City:
        """Return an independent copy."""
        self._catch_up()
        return City(self._tiles.copy(), self._codes.copy(), self._places.copy(), self._border.copy(), self.starts)

    def __copy__(self) -> City:
        return self.copy()

    def __deepcopy__(self, memo: object) -> City:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., City], tuple[object, ...]]:
        return city_of, (self.places.copy(), self.tiles().copy(), self.starts)

    @property
    def places(self) -> list[int]:
        """The occupied cells, in order."""
        self._catch_up()
        return self._places

    def settle(self) -> None:
        """Compute all cached values, so that several threads can read this city."""
        self._catch_up()

    @property
    def is_settled(self) -> bool:
        """Whether all cached values are up to date."""
        return not self._changed

    def _note(self, place: int) -> None:
        """Record that the tile on a cell has changed."""
        self._changed.append(place)
        self._built = None
        self._stretches = None
        self.kept = None

    def _catch_up(self) -> None:
        """Update codes, places and border; cells that have changed back cost nothing."""
        if not self._changed:
            return
        place: i64
        for place in self._changed:
            tile = self._tiles[place]
            before: i64 = self._codes[place] if place < len(self._codes) else 0
            before &= OWN
            after: i64 = 0 if tile is None else own_code(tile)
            if before == after:
                continue
            if tile is None:
                unmark(self._codes, place)
                self._empty(place)
            elif before:
                remark(self._codes, tile, place)
            else:
                mark(self._codes, tile, place)
                self._fill(place)
        self._changed.clear()
        self._alhambra_fitting = None
        self._granada_fitting = None

    def key(self) -> tuple[object, ...]:
        """Return what makes two cities equal: the same faces on the same cells."""
        return (tuple(self.places), tuple(self.tiles()), self.starts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, City) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        """Return the Python expression for the city, start tiles first."""
        first = [start for start in self.starts if start not in (ORIGIN, NO_CELL)]
        order = first + [place for place in self.places if place != ORIGIN and place not in first]
        kind = self.starts.index(ORIGIN) if ORIGIN in self.starts else 0
        built = [f".build({self.tile_on(place)!r}, cell({x_of(place)}, {y_of(place)}))" for place in order]
        return f"new_city({kind})" + "".join(built)

    def _repr_svg_(self) -> str | None:
        return pictures.svg_of(self)

    def tile_at(self, place: int) -> Tile | None:
        """Return the tile on a cell, or None."""
        return self._tiles[place] if 0 <= place < len(self._tiles) else None

    def tile_on(self, place: int) -> Tile:
        """Return the tile on an occupied cell."""
        tile = self._tiles[place]
        assert tile is not None
        return tile

    def tiles(self) -> list[Tile]:
        """Return all tiles in the order of their cells, as a list that must not be changed."""
        found = self._built
        if found is None:
            found = [tile for tile in self._tiles if tile is not None]
            self._built = found
        return found

    def neighbour(self, place: int, side: int) -> Tile | None:
        """Return the tile next to a side of an occupied cell, or None."""
        return self.tile_at(NEAR[8 * place + side])

    def extent(self) -> int:
        """Return the number of cells up to one ring beyond the outermost tile."""
        return len(self._tiles)

    def huts(self) -> list[int]:
        """14.5: return the cells of the huts, in order."""
        return [place for place, tile in enumerate(self._tiles) if tile is not None and tile.is_hut]

    def contains(self, tile: Tile) -> bool:
        """Return whether this face is built in the city."""
        return tile in self.tiles()

    def _is_start(self, place: i64) -> bool:
        """1.5, 10.6: return whether the tile on a cell is a start tile."""
        return place == self.starts[0] or place == self.starts[1]

    def code(self, place: i64) -> i64:
        """Return the code of a cell, computed again if the stored codes are out of date."""
        if self._changed:
            return code_of(self._tiles, place)
        return self._codes[place] if 0 <= place < len(self._codes) else 0

    # Building

    def cells_for(self, tile: Tile) -> list[int]:
        """Return all cells where a tile may be built, in order."""
        self._catch_up()
        walls: i64 = tile.walls
        border = self._border
        cells: list[int] = []
        i: i64 = 0
        for fitting in self._fitting(tile.kind):
            if fitting[walls]:
                cells.append(border[i])
            i += 1
        return cells

    def offer_cells(self, tile: Tile, by_cell: list[Action], offers: list[Action]) -> None:
        """Append the action of each cell where a tile may be built; `by_cell` has one for every cell of the extent."""
        self._catch_up()
        walls: i64 = tile.walls
        border = self._border
        i: i64 = 0
        for fitting in self._fitting(tile.kind):
            if fitting[walls]:
                offers.append(by_cell[border[i]])
            i += 1

    def may_build(self, tile: Tile, place: int) -> bool:
        """5: return whether a tile may be built on a cell."""
        return look_up_fitting(self.code(place), self._table(tile.kind))[tile.walls]

    def _table(self, kind: i64) -> i64:
        return kind if self.starts[kind] != NO_CELL else 2

    def _fitting(self, kind: i64) -> list[list[bool]]:
        """Return, for each cell of the border and each set of walls, whether a tile of this kind fits there."""
        found = self._granada_fitting if kind == GRANADA else self._alhambra_fitting
        if found is None:
            number = self._table(kind)
            table = FITTING[number]
            codes = self._codes
            found = []
            place: i64
            for place in self._border:
                code: i64 = codes[place]
                fitting = table[code]
                if not fitting:
                    fitting = look_up_fitting(code, number)
                found.append(fitting)
            if kind == GRANADA:
                self._granada_fitting = found
            else:
                self._alhambra_fitting = found
        return found

    def build(self, tile: Tile, place: int) -> City:
        """Return a city with one more tile; this city does not change."""
        city = self.copy()
        city.put(tile, place)
        return city

    def put(self, tile: Tile, place: int) -> None:
        """Build a tile in this city; the first tile of a kind is its start tile (10.6)."""
        tiles = self._tiles
        while place >= INNER[len(tiles)]:
            tiles += [None] * cells_of_next_ring(len(tiles))
        tiles[place] = tile
        self._note(place)
        if self.starts[tile.kind] == NO_CELL:
            self.starts = (self.starts[0], place) if tile.kind == GRANADA else (place, self.starts[1])

    def _fill(self, place: i64) -> None:
        """Mark a cell as occupied; its free neighbours join the border."""
        codes, border = self._codes, self._border
        own: i64 = codes[place]
        if own & 15:
            _take_out(border, place)
        first: i64 = 8 * place
        bit: i64
        for bit in _OPPOSITE:
            near: i64 = NEAR[first]
            code: i64 = codes[near]
            if not code & TAKEN and code & 15 == bit:
                border.insert(_rank(border, near), near)
            first += 1
        self._places.insert(_rank(self._places, place), place)

    def verdict(self, tile: Tile, place: int) -> Verdict:
        """5, 10.5, 10.6: return whether a tile may be built on a cell, and the reason if not."""
        if self.may_build(tile, place):
            return LEGAL
        code = self.code(place)
        if code & TAKEN:
            return Verdict("5.4", "taken", "there is already a tile on this cell")
        if not code & 15:
            return Verdict("5.4", "touch", "the tile would not touch the city along an edge")
        side = self._unlike_side(tile, code, False)
        if side >= 0:
            return Verdict("5.2", "edge", f"its {SIDE_WORDS[side]} edge does not match the edge that it touches")
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
        """Return the first side that breaks 5.2 (or 10.5 towards the other kind), or -1."""
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

    def offer_swaps(self, tile: Tile, by_cell: list[Action], offers: list[Action]) -> None:
        """3.5c: append the action of each cell whose tile may be replaced by this one.

        Every built tile shares an open edge with one of its kind, so the new tile must be of the same kind and have the
        same walls towards all neighbours.
        """
        self._catch_up()
        codes = self._codes
        walls: i64 = tile.walls
        kind: i64 = tile.kind
        start: i64 = self.starts[kind]
        place: i64
        for place in self._places:
            code: i64 = codes[place]
            if not (code >> WALLS ^ walls) & code & 15 and code >> KIND == kind and place != start:
                offers.append(by_cell[place])

    def _may_swap(self, tile: Tile, place: int, code: i64) -> bool:
        walls: i64 = tile.walls
        return code >> KIND == tile.kind and not (code >> WALLS ^ walls) & code & 15 and not self._is_start(place)

    def swap_verdict(self, tile: Tile, place: int) -> Verdict:
        """3.5c, 5.6, 10.6: return whether a tile may replace the one on a cell, and the reason if not."""
        old = self.tile_at(place)
        if old is None:
            return Verdict("3.5", "empty", "there is no tile on this cell to swap")
        code = self.code(place)
        if self._may_swap(tile, place, code):
            return LEGAL
        if self._is_start(place):
            return Verdict("1.5", "start", "the start tile is never swapped")
        if old.kind != tile.kind:
            return Verdict("10.5", "kinds", "the tiles of the other kind beside it would not meet it wall to moat")
        unlike = (old.walls ^ tile.walls) & code & 15
        side = SIDES_OF[unlike][0]
        return Verdict("5.2", "edge", f"its {SIDE_WORDS[side]} edge would not match the edge that it touches")

    def offer_removals(self, by_cell: list[Action], offers: list[Action]) -> None:
        """3.5b: append the action of each cell whose tile may be removed."""
        self._catch_up()
        codes = self._codes
        one: i64 = self.starts[0]
        other: i64 = self.starts[1]
        place: i64
        for place in self._places:
            code: i64 = codes[place]
            if is_one_run(code) and place != one and place != other and not self._is_cut(place, code):
                offers.append(by_cell[place])

    def _may_remove(self, place: int, code: i64) -> bool:
        return is_one_run(code) and not self._is_start(place) and not self._is_cut(place, code)

    def remove_verdict(self, place: int) -> Verdict:
        """3.5b, 5.6: return whether the tile on a cell may be removed, and the reason if not."""
        if self.tile_at(place) is None:
            return Verdict("3.5", "empty", "there is no tile on this cell to remove")
        code = self.code(place)
        if self._may_remove(place, code):
            return LEGAL
        if self._is_start(place):
            return Verdict("1.5", "start", "the start tile is never removed")
        if code & 15 == 15:
            return Verdict("5.5", "hole", "an empty space would be enclosed")
        if is_one_run(code):
            return Verdict("5.3", "foot", "other tiles could no longer be reached on foot from the start tile")
        return Verdict("5.6", "apart", "the city would fall apart")

    def _is_cut(self, place: i64, code: i64) -> bool:
        """5.3: return whether other tiles of its kind could not be reached on foot without the tile on a cell.

        They can be if there is a way around it from each of its open neighbours to the next.
        """
        kind = code >> KIND
        own = code & (code >> 8 if kind == GRANADA else ~(code >> 8)) & 15
        open_sides: i64 = own & ~(code >> WALLS)
        if not open_sides & open_sides - 1:
            return False  # a tile with one open neighbour is a dead end
        one: i64 = -1
        other: i64
        for other in SIDES_OF[open_sides]:
            if one >= 0 and not (
                self._is_joined_at_corner(place, kind, one, other) or self._is_joined(place, kind, one, other)
            ):
                return True
            one = other
        return False

    def _is_joined_at_corner(self, place: i64, kind: i64, one: i64, other: i64) -> bool:
        """Return whether the tile at the corner between two neighbours of a cell connects them on foot."""
        if other != one + 1:
            return False
        corner = self._tiles[NEAR[8 * place + 4 + one]]
        return corner is not None and corner.kind == kind and not corner.walls & CORNER_EDGES[one]

    def _is_joined(self, place: i64, kind: i64, one: i64, other: i64) -> bool:
        """Return whether two neighbours of a cell, of the same kind, are connected on foot without the cell itself."""
        tiles = self._tiles
        goal: i64 = NEAR[8 * place + other]
        queue = [NEAR[8 * place + one]]
        reached = [False] * len(tiles)
        reached[place] = True
        reached[queue[0]] = True
        here: i64
        for here in queue:  # the queue grows during the loop
            tile = tiles[here]
            if tile is None or tile.kind != kind:
                continue
            side: i64
            for side in SIDES_OF[15 & ~tile.walls]:
                near: i64 = NEAR[8 * here + side]
                if near == goal:  # its side towards the cell is open, so it is of the same kind
                    return True
                if not reached[near]:
                    reached[near] = True
                    queue.append(near)
        return False

    def remove(self, place: int) -> City:
        """Return a city without the tile on a cell; this city does not change."""
        city = self.copy()
        city.take(place)
        return city

    def take(self, place: int) -> Tile:
        """Remove the tile on a cell from this city and return it."""
        tile = self.tile_on(place)
        self._tiles[place] = None
        self._note(place)
        return tile

    def _empty(self, place: i64) -> None:
        """Mark a cell as free: it joins the border, and its free neighbours without another tile leave it."""
        codes, border = self._codes, self._border
        first: i64 = 8 * place
        for _ in range(4):
            near: i64 = NEAR[first]
            code: i64 = codes[near]
            if not code & (15 | TAKEN):
                _take_out(border, near)
            first += 1
        border.insert(_rank(border, place), place)
        _take_out(self._places, place)

    def swap(self, tile: Tile, place: int) -> City:
        """Return a city with another tile on a cell; this city does not change."""
        city = self.copy()
        city.replace(tile, place)
        return city

    def replace(self, tile: Tile, place: int) -> Tile:
        """Put another tile on an occupied cell of this city, and return the old one."""
        old = self.tile_on(place)
        self._tiles[place] = tile
        self._note(place)
        return old

    # Walls

    def stretch(self, what: int) -> int:
        """7.2, 10.7: return the length of the longest wall (WALL), moat (MOAT) or run (RUN), in edges."""
        return len(self.stretches()[what])

    def stretches(self) -> list[list[int]]:
        """Return the edges of the longest wall, moat and run; an edge is `cell * 4 + side`, as seen from its tile."""
        found = self._stretches
        if found is None:
            found = longest_stretches(self._tiles, NO_CELL not in self.starts)
            self._stretches = found
        return found


def _take_out(cells: list[int], place: i64) -> None:
    """Remove a cell from a sorted list."""
    cells.pop(_rank(cells, place) - 1)


def _rank(cells: list[int], place: i64) -> i64:
    """Return the index of a cell in a sorted list."""
    index: i64 = len(cells)
    while index:
        other: i64 = cells[index - 1]
        if other <= place:
            break
        index -= 1
    return index


def new_city(kind: int) -> City:
    """1.5: return a city with only the start tile of a kind."""
    return City([None], [0], [], [], (NO_CELL, NO_CELL)).build(STARTS[kind], ORIGIN)


def city_of(places: list[int], tiles: list[Tile], starts: tuple[int, ...]) -> City:
    """Return the city with these tiles on these cells, for unpickling."""
    city = City([None], [0], [], [], starts)
    for place, tile in zip(places, tiles, strict=True):
        city.put(tile, place)
    return city
