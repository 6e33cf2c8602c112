"""Cities as text, in both directions: for the terminal, and for cities in tests.

A cell is seven characters wide and one line high, with a border that it shares with its neighbours:

    +.......+.......+
    : start : tow 9 #    start: the start tile; tow 9: a tower of price 9
    +.......+%%%%%%%+
            : sch*11:    sch*11: the first tile of the other kind (10.6); ^gar would be a garden hut (1.8)
            +.......+

An edge is drawn `.` or `:` if it is open, `#` a wall, `~` a moat, `%` a wall along a moat (10.7). In a city that breaks
5.2, `<` `>` `^` `v` point to the tile that alone has a wall or moat. A free cell may hold a word, a tile one letter
beside its name: answers, such as the cells where a tile may be built.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Final

from granada.rules.cells import DIRECTIONS, NO_CELL, ORIGIN, cell, x_of, y_of
from granada.rules.city import City, new_city
from granada.rules.components import Components, standard
from granada.rules.errors import NotationError
from granada.rules.tiles import ALHAMBRA, STARTS, Tile, walls_text

#: The abbreviation of each type in a drawing.
WORDS: Final = ("pav", "ser", "arc", "cha", "gar", "tow", "are", "bat", "lib", "hst", "hsp", "mar", "par", "sch", "dis")
WIDTH: Final = 7

_BOTH: Final = "#~%"
_NORTH_SIDE: Final = "^<"
_SOUTH_SIDE: Final = "v>"
_OPEN: Final = ".:"
#: A tile (a star marks the first of its kind, a hut has no price), and optionally one letter that marks it.
_TILE: Final = re.compile(r"(start|\^[a-z]+|[a-z]{3,}[ *]?\d+)(?: +(\S)|(?<=\d)([^\s\d]))?")


def tile_text(tile: Tile, is_first: bool = False) -> str:
    """Return the text of a tile in a drawing."""
    if tile.is_start:
        return "start"
    if tile.is_hut:
        return f"^{WORDS[tile.type]}"
    return f"{WORDS[tile.type]}{'*' if is_first else ' '}{tile.price}"


# Drawing --------------------------------------------------------------------------------------------------------------


def draw_city(city: City, marks: dict[int, str] | None = None) -> str:
    """Draw a city, with words on free cells and letters on tiles, by cell."""
    answers = marks or {}
    places = [*city.places, *answers]
    left, right = min([x_of(p) for p in places]), max([x_of(p) for p in places])
    top, bottom = min([y_of(p) for p in places]), max([y_of(p) for p in places])
    lines: list[str] = []
    for y in range(top, bottom + 2):
        border = inside = ""
        for x in range(left, right + 2):
            border += _corner(city, x, y) + _edge_mark(_at(city, x, y - 1), _at(city, x, y), 0) * WIDTH
            inside += _edge_mark(_at(city, x - 1, y), _at(city, x, y), 1) + _inside(city, cell(x, y), answers)
        lines += [border.rstrip(), inside.rstrip()]
    # Rows that contain only marks have no border.
    while not lines[-1]:
        lines.pop()
    while not lines[0]:
        del lines[0]
    return "\n".join(lines)


def _at(city: City, x: int, y: int) -> Tile | None:
    return city.tile_at(cell(x, y))


def _corner(city: City, x: int, y: int) -> str:
    return "+" if any(_at(city, x + dx, y + dy) is not None for dx in (-1, 0) for dy in (-1, 0)) else " "


def _edge_mark(one: Tile | None, other: Tile | None, turn: int) -> str:
    """Return the border between a tile and the one to its south (turn 0) or east (turn 1)."""
    if one is None and other is None:
        return " "
    one_has = one is not None and bool(one.walls >> (2 - turn) & 1)
    other_has = other is not None and bool(other.walls >> 3 * turn & 1)
    if not one_has and not other_has:
        return _OPEN[turn]
    if one is None or other is None:
        known = one if one is not None else other
        assert known is not None
        return _BOTH[known.kind]
    if one_has and other_has:
        return _BOTH[one.kind if one.kind == other.kind else 2]
    return _NORTH_SIDE[turn] if one_has else _SOUTH_SIDE[turn]


def _inside(city: City, place: int, answers: dict[int, str]) -> str:
    tile, mark = city.tile_at(place), answers.get(place, "")
    if tile is None:
        if mark and not _is_mark(mark):
            raise NotationError(f"'{mark}' cannot mark a free cell: at most {WIDTH} characters, no blank, no tile")
        return mark.center(WIDTH)
    text = tile_text(tile, place == city.starts[tile.kind])
    if mark:
        marked = text + mark if len(text) == WIDTH - 1 else f"{text} {mark}"
        found = _TILE.fullmatch(marked)
        if found is None or len(mark) > 1 or mark in "+*" or found[1] != text:
            raise NotationError(f"'{mark}' cannot mark a tile: one letter or sign")
        text = marked
    return text.center(WIDTH)


def _is_mark(word: str) -> bool:
    return bool(re.fullmatch(r"[^\s+^][^\s+]*", word)) and len(word) <= WIDTH and not _TILE.fullmatch(word)


# Reading --------------------------------------------------------------------------------------------------------------


def parse_city(drawing: str, components: Components | None = None, kind: int = ALHAMBRA) -> City:
    """Return the city of a drawing, legal or not, as long as its tiles touch; its start tile is of the given kind."""
    grid = _Grid(drawing)
    box = components if components is not None else standard()
    tiles: dict[int, Tile] = {}
    first = NO_CELL
    for place, text in grid.tiles.items():
        tiles[place] = _tile_of(grid, place, text, box, kind)
        if "*" in text:
            if first != NO_CELL:
                raise grid.error(place, "a second tile is marked * as the first of its kind (10.6)")
            if tiles[place].kind == kind:
                raise grid.error(place, "a tile of the start tile's own kind is marked * (10.6)")
            first = place
    foreign = [place for place, tile in tiles.items() if tile.kind != kind]
    if foreign and first == NO_CELL:
        raise grid.error(foreign[0], "no tile is marked * as the first of the other kind (10.6)")
    city = _built(grid, tiles, kind, first)
    grid.check_borders(city)
    return city


def parse_marks(drawing: str) -> dict[int, str]:
    """Return the words on free cells and the letters on tiles of a drawing, by cell in order."""
    return dict(sorted(_Grid(drawing).marks.items()))


def _built(grid: _Grid, tiles: dict[int, Tile], kind: int, first: int) -> City:
    """Build outward from the start tile, so that each tile touches one that is already there."""
    city = new_city(kind)
    order = [ORIGIN]
    for place in order:
        for dx, dy in DIRECTIONS[:4]:
            near = cell(x_of(place) + dx, y_of(place) + dy)
            if near in tiles and near not in order:
                order.append(near)
                # A start tile holds the place, so that the marked tile becomes the first of its kind.
                is_late = tiles[near].kind != kind and near != first
                city = city.build(STARTS[kind] if is_late else tiles[near], near)
    for place, tile in tiles.items():
        if place not in order:
            raise grid.error(place, "this tile is not joined to the start tile edge by edge (5.4)")
        if tile.kind != kind and place != first:
            city = city.swap(tile, place)
    return city


def _tile_of(grid: _Grid, place: int, text: str, box: Components, kind: int) -> Tile:
    """Return the tile with this type, price and walls."""
    if text == "start":
        return STARTS[kind]
    word, price = text.strip("^0123456789 *"), int("0" + text.lstrip("^abcdefghijklmnopqrstuvwxyz *"))
    if word not in WORDS:
        raise grid.error(place, f"'{word}' is none of the types {' '.join(WORDS)}")
    type_ = WORDS.index(word)
    walls = grid.walls_of(place)
    faces = box.huts if text[0] == "^" else _faces(box)
    named = [tile for tile in faces if tile.type == type_ and tile.price == price]
    for tile in named:
        if tile.walls == walls:
            return tile
    names = " ".join(sorted({f"{tile.name} ({walls_text(tile.walls) or 'open'})" for tile in named}))
    drawn = walls_text(walls) or "no edge"
    raise grid.error(place, f"no '{text}' has walls or moats on {drawn}; there is {names or 'none of that price'}")


def _faces(box: Components) -> list[Tile]:
    backs = [tile.back for tile in box.granada if tile.back is not None]
    return [*box.alhambra, *box.granada, *backs]


class _Grid:
    """The cells and borders of a drawing; cells are counted from the start tile."""

    def __init__(self, drawing: str) -> None:
        lines = [line.rstrip() for line in dedent(drawing.expandtabs()).split("\n")]
        while lines and not lines[0]:
            del lines[0]
        self.lines: Final = lines
        corners = [(row, line.index("+")) for row, line in enumerate(lines) if "+" in line]
        if not corners:
            raise NotationError("the drawing has no tile: corners are drawn +")
        self.top, self.left = corners[0]
        texts = self._texts()
        starts = [place for place, text in texts.items() if re.fullmatch(r"start( \S)?", text)]
        if len(starts) != 1:
            raise NotationError(f"the drawing has {len(starts) or 'no'} start tiles; one is needed (1.5)")
        # From here on, the start tile is the origin.
        column, row = starts[0]
        self.top += 2 * row
        self.left += (WIDTH + 1) * column
        self.tiles: Final[dict[int, str]] = {}
        self.marks: Final[dict[int, str]] = {}
        for (x, y), text in texts.items():
            place = cell(x - column, y - row)
            found = _TILE.fullmatch(text)
            if found is not None:
                self.tiles[place] = found[1]
                if found[2] or found[3]:
                    self.marks[place] = found[2] or found[3]
            elif _is_mark(text):
                self.marks[place] = text
            else:
                raise self.error(
                    place, f"'{text}' is neither a tile (start, a type and a price, ^ and a type) nor a mark"
                )

    def _texts(self) -> dict[tuple[int, int], str]:
        """Return the text in the cells, by column and row."""
        texts: dict[tuple[int, int], str] = {}
        width = max([len(line) for line in self.lines])
        for number, line in enumerate(self.lines):
            for column, mark in enumerate(line):
                if mark == "+" and ((number - self.top) % 2 or (column - self.left) % (WIDTH + 1)):
                    raise NotationError(
                        f"line {number + 1} of the drawing: the + in column {column + 1} is off the grid;"
                        f" corners are 2 lines and {WIDTH + 1} columns apart"
                    )
            if (number - self.top) % 2:
                for start in range(self.left % (WIDTH + 1) - WIDTH, width, WIDTH + 1):
                    text = line[max(start, 0) : start + WIDTH].strip()
                    if text:
                        texts[(start - 1 - self.left) // (WIDTH + 1), (number - self.top) // 2] = text
        return texts

    def error(self, place: int, what: str) -> NotationError:
        """Return an error that names the line of a cell."""
        return NotationError(f"line {self.top + 2 * y_of(place) + 2} of the drawing: {what}")

    def _char(self, row: int, column: int) -> str:
        inside = 0 <= row < len(self.lines) and 0 <= column < len(self.lines[row])
        return self.lines[row][column] if inside else " "

    def walls_of(self, place: int) -> int:
        """Return the edges of a cell on which a wall or moat of its tile is drawn."""
        walls = 0
        for side in range(4):
            dx, dy = DIRECTIONS[side]
            row = self.top + 2 * y_of(place) + 1 + dy
            column = self.left + (WIDTH + 1) * x_of(place) + (WIDTH + 1) // 2 * (1 + dx)
            mark = self._char(row, column)
            if mark not in _BOTH + _OPEN + _NORTH_SIDE + _SOUTH_SIDE:
                raise NotationError(f"line {row + 1} of the drawing: '{mark}' is not the mark of an edge")
            own = _NORTH_SIDE if side in (1, 2) else _SOUTH_SIDE
            if mark in _BOTH + own:
                walls |= 1 << side
        return walls

    def check_borders(self, city: City) -> None:
        """Compare all borders with the city that was read, so that none is missing or superfluous."""
        width = max([len(line) for line in self.lines])
        for y in range(-self.top // 2 - 1, (len(self.lines) - self.top) // 2 + 1):
            for x in range(-self.left // (WIDTH + 1) - 1, (width - self.left) // (WIDTH + 1) + 1):
                here = _at(city, x, y)
                row, column = self.top + 2 * y, self.left + (WIDTH + 1) * x
                self._expect(row, column, _corner(city, x, y))
                self._expect(row, column + 1, _edge_mark(_at(city, x, y - 1), here, 0) * WIDTH)
                self._expect(row + 1, column, _edge_mark(_at(city, x - 1, y), here, 1))

    def _expect(self, row: int, column: int, marks: str) -> None:
        for i, mark in enumerate(marks):
            drawn = self._char(row, column + i)
            if drawn != mark:
                where = f"line {row + 1} of the drawing, column {column + i + 1}"
                raise NotationError(f"{where}: '{drawn}' is drawn where '{mark}' belongs")
