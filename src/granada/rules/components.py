"""The components of a box (1.3, 1.4, 1.7, 1.8), loaded from CSV files and checked against the printed facts."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, final

from granada.rules.errors import BadComponents, NotationError
from granada.rules.tiles import (
    ALHAMBRA,
    ALHAMBRA_TYPES,
    EDGES,
    GRANADA,
    GRANADA_TYPES,
    STARTS,
    TYPES,
    Tile,
    walls_text,
)

#: 1.3: number of tiles and lowest and highest price of each Alhambra type.
ALHAMBRA_FACTS: Final = ((7, 2, 8), (7, 3, 9), (9, 4, 10), (9, 5, 11), (11, 6, 12), (11, 7, 13))
#: 1.8: number of huts of each Alhambra type.
HUT_COUNTS: Final = (3, 3, 4, 4, 5, 5)
#: 1.3, 1.7: the number of Alhambra tiles without a wall.
OPEN_TILES: Final = 10
#: 1.4: pairs of types that the rulebook shows on the two faces of one tile.
PRINTED_PAIRS: Final = (("arena", "hospital"), ("library", "district"))


@final
class Components:
    """All tiles and huts of a box, with lookup by name."""

    def __init__(self, alhambra: list[Tile], granada: list[Tile], huts: list[Tile], texts: tuple[str, ...]) -> None:
        #: The source name and the text of the lists of Granada tiles and huts, from which the same box can be loaded
        #: again.
        self.texts: Final = texts
        self.alhambra: Final = tuple(alhambra)
        #: The even faces; `back` is the odd one.
        self.granada: Final = tuple(granada)
        self.huts: Final = tuple(huts)
        #: 1.7: the tiles that have a bonus card.
        self.bonus: Final = tuple([tile for tile in alhambra if not tile.walls])
        self._by_name: Final[dict[str, Tile]] = {}
        for tile in (*alhambra, *granada, *huts):
            self._by_name[tile.name] = tile
            if tile.back is not None:
                self._by_name[tile.back.name] = tile.back

    def tile(self, name: str) -> Tile:
        """Return the face with this name."""
        found = self._by_name.get(name)
        if found is None:
            raise NotationError(f"'{name}' is not a tile of this game (1.3, 1.4, 1.8)")
        return found

    def find(self, name: str) -> Tile | None:
        """Return the face with this name, or None."""
        return self._by_name.get(name)

    def __copy__(self) -> Components:
        return self

    def __deepcopy__(self, memo: object) -> Components:
        return self

    def __reduce__(self) -> tuple[Callable[..., Components], tuple[str, ...]]:
        """Tiles are compared by identity, so unpickling must return the box that was loaded from the same lists."""
        return (shipped, ()) if self is standard() else (from_texts, self.texts)

    def __repr__(self) -> str:
        return "standard()" if self is standard() else "<components with own lists of tiles or huts>"

    def of_kind(self, kind: int) -> tuple[Tile, ...]:
        """Return the tiles for the bag of a kind, Granada tiles as their even faces."""
        return self.alhambra if kind == ALHAMBRA else self.granada


def load(granada_tiles: str | Path | None = None, huts: str | Path | None = None) -> Components:
    """Return the components, with your own list of Granada tiles or huts if given."""
    folder = resources.files("granada") / "data"
    granada_source = "granada_tiles.csv" if granada_tiles is None else str(granada_tiles)
    granada_text = (folder / granada_source).read_text("utf-8") if granada_tiles is None else _read(granada_tiles)
    huts_source = "huts.csv" if huts is None else str(huts)
    huts_text = (folder / huts_source).read_text("utf-8") if huts is None else _read(huts)
    return from_texts(granada_source, granada_text, huts_source, huts_text)


def from_texts(granada_source: str, granada_text: str, huts_source: str, huts_text: str) -> Components:
    """Return the components for two lists; errors name the sources of the lists."""
    found = _loaded.get((granada_text, huts_text))
    if found is None:
        texts = (granada_source, granada_text, huts_source, huts_text)
        found = Components(
            _alhambra_tiles(), _granada(granada_source, granada_text), _huts(huts_source, huts_text), texts
        )
        _loaded[granada_text, huts_text] = found
    return found


#: The same lists give the same components, because tiles are compared by identity.
_loaded: Final[dict[tuple[str, str], Components]] = {}


def _alhambra_tiles() -> list[Tile]:
    name = "alhambra_tiles.csv"
    return _alhambra(name, (resources.files("granada") / "data" / name).read_text("utf-8"))


@cache
def standard() -> Components:
    """Return the components that come with the package."""
    return load()


def shipped() -> Components:
    """Return `standard()`, for unpickling."""
    return standard()


def box_of(tile: Tile) -> Components:
    """Return the components that contain a tile."""
    for box in _loaded.values():
        if box.find(tile.name) is tile:
            return box
    raise TypeError(f"{tile.name} is not in any loaded components, so it cannot be pickled")


def tile_in(box: Components, name: str) -> Tile:
    """Return the face with this name in these components, for unpickling."""
    return box.tile(name)


def tile(name: str) -> Tile:
    """Return the face with this name among the standard components, or a start tile."""
    for start in STARTS:
        if start.name == name:
            return start
    return standard().tile(name)


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadComponents(f"cannot read {path}: {reason}") from None


@final
class _Rows:
    """The rows of a CSV file; its errors name the file and the line."""

    def __init__(self, source: str, text: str, columns: tuple[str, ...]) -> None:
        self.source: Final = source
        self.line = 1
        try:
            rows = list(csv.reader(io.StringIO(text)))
        except csv.Error as error:
            raise self.error(f"not a list of components: {error}") from None
        if not rows or tuple(rows[0]) != columns:
            raise self.error(f"the first line must be '{','.join(columns)}'")
        self.rows: list[tuple[int, list[str]]] = []
        for number, row in enumerate(rows[1:], start=2):
            if not row:
                continue
            self.line = number
            if len(row) != len(columns):
                raise self.error(f"{len(columns)} fields are required, not {len(row)}")
            self.rows.append((number, row))

    def error(self, what: str) -> BadComponents:
        return BadComponents(f"{self.source}, line {self.line}: {what}")

    def type_in(self, word: str, types: tuple[str, ...]) -> int:
        if word not in types:
            raise self.error(f"'{word}' is not one of the types {', '.join(types)} (1.3, 1.4)")
        return TYPES.index(word)

    def price(self, word: str) -> int:
        if not (word.isascii() and word.isdigit() and len(word) < 3):
            raise self.error(f"'{word}' is not a price (1.3, 1.4)")
        return int(word)

    def walls(self, word: str) -> int:
        walls = sum([1 << i for i, letter in enumerate(EDGES) if letter in word])
        if walls_text(walls) != word:
            raise self.error(f"'{word}' is not a list of edges in the order N, E, S, W")
        if walls == 15:
            raise self.error("a tile has walls or moats on at most three edges (1.3, 1.4)")
        return walls


def _alhambra(source: str, text: str) -> list[Tile]:
    """1.3: return the Alhambra tiles."""
    rows = _Rows(source, text, ("type", "price", "walls"))
    tiles: list[Tile] = []
    for number, (word, price_word, walls_word) in rows.rows:
        rows.line = number
        type_ = rows.type_in(word, ALHAMBRA_TYPES)
        price, walls = rows.price(price_word), rows.walls(walls_word)
        name = f"{word}-{price}" + (f"-{walls_word}" if walls else "")
        if any([tile.name == name for tile in tiles]):
            raise rows.error(f"{name} occurs twice (1.3)")
        tiles.append(Tile(name, ALHAMBRA, type_, price, walls, len(tiles), False))
    for type_, (count, low, high) in enumerate(ALHAMBRA_FACTS):
        prices = sorted([tile.price for tile in tiles if tile.type == type_])
        if len(prices) != count or prices[0] != low or prices[-1] != high:
            raise BadComponents(
                f"{source}: there are {count} tiles of type {TYPES[type_]}, priced {low} to {high} (1.3)"
            )
    if len([tile for tile in tiles if not tile.walls]) != OPEN_TILES:
        raise BadComponents(f"{source}: exactly {OPEN_TILES} tiles have no wall (1.3)")
    return tiles


def _granada(source: str, text: str) -> list[Tile]:
    """1.4: return the Granada tiles as their even faces."""
    rows = _Rows(source, text, ("even_price", "even_type", "odd_type", "moats"))
    tiles: list[Tile] = []
    seen: set[str] = set()
    for number, (price_word, even_word, odd_word, moats_word) in rows.rows:
        rows.line = number
        price, moats = rows.price(price_word), rows.walls(moats_word)
        even_type = rows.type_in(even_word, GRANADA_TYPES)
        odd_type = rows.type_in(odd_word, GRANADA_TYPES)
        if price % 2 or not 2 <= price <= 12:
            raise rows.error("the price of the even face is one of 2, 4, 6, 8, 10, 12 (1.4)")
        if even_type == odd_type:
            raise rows.error("the two faces show different types (1.4)")
        order = 100 + 2 * len(tiles)
        even = Tile(f"{even_word}-{price}", GRANADA, even_type, price, moats, order, False)
        odd = Tile(f"{odd_word}-{price + 1}", GRANADA, odd_type, price + 1, moats, order + 1, False)
        for face in (even, odd):
            if face.name in seen:
                raise rows.error(f"{face.name} occurs twice: each type has each price once (1.4)")
            seen.add(face.name)
        even.back, odd.back = odd, even
        tiles.append(even)
    if len(tiles) != 54:
        raise BadComponents(f"{source}: there are 54 Granada tiles, not {len(tiles)} (1.4)")
    for one, other in PRINTED_PAIRS:
        if not any([{t.type_name, t.back.type_name} == {one, other} for t in tiles if t.back]):
            raise BadComponents(f"{source}: one tile shows {one} and {other} on its two faces (1.4)")
    return tiles


def _huts(source: str, text: str) -> list[Tile]:
    """1.8: return the huts; equal huts are the same object."""
    rows = _Rows(source, text, ("type", "walls"))
    huts: list[Tile] = []
    by_name: dict[str, Tile] = {}
    for number, (word, walls_word) in rows.rows:
        rows.line = number
        type_, walls = rows.type_in(word, ALHAMBRA_TYPES), rows.walls(walls_word)
        if not walls:
            raise rows.error("every hut has at least one wall (1.8)")
        name = f"hut-{word}-{walls_word}"
        if name not in by_name:
            by_name[name] = Tile(name, ALHAMBRA, type_, 0, walls, 300 + len(huts), True)
        huts.append(by_name[name])
    for type_, count in enumerate(HUT_COUNTS):
        if len([hut for hut in huts if hut.type == type_]) != count:
            raise BadComponents(f"{source}: there are {count} huts of type {TYPES[type_]} (1.8)")
    return huts
