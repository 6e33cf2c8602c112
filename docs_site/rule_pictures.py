"""SVG pictures for the rules, drawn by `granada.drawing`: rows of pieces, and cities of the examples with marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from granada.drawing.artwork import scene
from granada.drawing.canvas import Canvas
from granada.drawing.cards import SHAPE, paint_bonus, paint_card
from granada.drawing.cities import extent, paint_city
from granada.drawing.palette import BRASS_FILL, IVORY, LEGAL, TRACE
from granada.drawing.tiles import EDGE_SYMBOLS, paint_tile
from granada.rules.cells import cell, x_of, y_of
from granada.rules.city import City, new_city
from granada.rules.components import tile
from granada.rules.money import Card, card
from granada.rules.tiles import ALHAMBRA, EDGES, Tile

_TILE: Final = 96.0
_CARD: Final = 60.0
_GAP: Final = 10.0
_MARGIN: Final = 12.0
_THICK: Final = ' stroke-width="5"'
#: Where the middle of each edge is, as a share of a tile.
_MIDDLES: Final = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))

Piece = Tile | Card | str
#: Returns where the north-west corner of a cell is in a picture.
Corner = Callable[[str], tuple[float, float]]


def row(language: str, pieces: Sequence[Piece], title: str, bonus: str = "") -> str:
    """Return a picture of tiles, cards and symbols side by side; `bonus` is a revealed bonus card at the end."""
    canvas = Canvas(language)
    widths = [_CARD if isinstance(piece, Card) else _TILE for piece in pieces]
    height = _CARD * SHAPE if all(isinstance(piece, Card) for piece in pieces) and not bonus else _TILE
    x = 0.0
    words = []
    for piece, width in zip(pieces, widths, strict=True):
        if isinstance(piece, Tile):
            paint_tile(canvas, piece, x, 0, width, shows_back=True)
            words.append(canvas.speech.tile(piece))
        elif isinstance(piece, Card):
            paint_card(canvas, piece, x, (height - _CARD * SHAPE) / 2, width)
            words.append(canvas.speech.card(piece))
        else:
            canvas.symbol(piece, x, 0, width)
        x += width + _GAP
    if bonus:
        paint_bonus(canvas, tile(bonus), True, x, (height - _CARD * SHAPE) / 2, _CARD)
        x += _CARD + _GAP
    return canvas.svg(x - _GAP + 2, height + 2, title, ", ".join(words) or title)


def named_row(language: str, names: Sequence[str], title: str) -> str:
    """Return a picture of the tiles or cards with these names."""
    return row(language, [tile(name) if len(name) > 2 else card(name) for name in names], title)


def city_of(tiles: dict[str, str], without: str = "") -> City:
    """Return a city of an example, legal or not; one cell can be left out."""
    city = new_city(ALHAMBRA)
    for place, name in tiles.items():
        if place not in ("0,0", without):
            city.put(tile(name), place_of(place))
    return city


def place_of(text: str) -> int:
    """Return the cell of a text such as `1,-1`."""
    x, y = text.split(",")
    return cell(int(x), int(y))


def city_words(language: str, tiles: dict[str, str]) -> str:
    """Return a city of an example in words."""
    return Canvas(language).speech.city(city_of(tiles))


def city_picture(language: str, example: dict[str, Any], title: str) -> str:
    """Return the picture of an example's city with what it is about: a new tile, a clash, a hole, counted edges."""
    canvas = Canvas(language)
    turned = str(example.get("turned", ""))
    city = city_of(example["city"], without=turned)
    around = {place_of(place): "" for place in (*example["city"], *([example["hole"]] if "hole" in example else []))}
    left, top, columns, rows = extent(city, around)

    def corner(place: str) -> tuple[float, float]:
        at = place_of(place)
        return _MARGIN + _TILE * (x_of(at) - left), _MARGIN + _TILE * (y_of(at) - top)

    def edge(text: str) -> tuple[float, float]:
        place, side = text.split()
        (x, y), (across, down) = corner(place), _MIDDLES[EDGES.index(side)]
        return x + across * _TILE, y + down * _TILE

    width, height = columns * _TILE + 2 * _MARGIN, rows * _TILE + 2 * _MARGIN
    canvas.board(0, 0, width, height, 12)
    framed = example.get("new", example.get("hut", ""))
    if framed:
        _paint_tiles(canvas, city, corner)
    else:  # the longest wall is traced
        first_x, first_y, _, _ = extent(city)
        paint_city(canvas, city, _MARGIN + _TILE * (first_x - left), _MARGIN + _TILE * (first_y - top), _TILE)
    if turned:
        _paint_turned(canvas, tile(example["city"][turned]), *corner(turned))
    if "hole" in example:
        x, y = corner(example["hole"])
        canvas.box(x + 6, y + 6, _TILE - 12, _TILE - 12, "none", 8, TRACE, f'{_THICK} stroke-dasharray="9 7"')
    if framed in example["city"]:
        x, y = corner(framed)
        colour = LEGAL if example.get("is_allowed", "rule" not in example) else TRACE
        canvas.box(x - 2, y - 2, _TILE + 4, _TILE + 4, "none", 7, IVORY, ' stroke-width="9"')
        canvas.box(x - 2, y - 2, _TILE + 4, _TILE + 4, "none", 7, colour, _THICK)
        _paint_walls(canvas, city, corner)
    if "clash" in example:
        x, y = edge(example["clash"])
        canvas.box(x - 15, y - 15, 30, 30, TRACE, 15)
        canvas.text(x, y + 8, "✗", 22, IVORY, "middle", is_bold=True)
    for number, text in enumerate(example.get("edges", ()), 1):
        x, y = edge(text)
        canvas.box(x - 13, y - 13, 26, 26, IVORY, 13, BRASS_FILL, ' stroke-width="2"')
        canvas.text(x, y + 6, str(number), 17, anchor="middle", is_bold=True)
    return canvas.svg(width, height, title, canvas.speech.city(city))


def _paint_tiles(canvas: Canvas, city: City, corner: Corner) -> None:
    """Draw all tiles with all their walls, also those inside the city."""
    for place in city.places:
        paint_tile(canvas, city.tile_on(place), *corner(f"{x_of(place)},{y_of(place)}"), _TILE)


def _paint_walls(canvas: Canvas, city: City, corner: Corner) -> None:
    """Draw all walls and moats again, above a frame."""
    for place in city.places:
        piece = city.tile_on(place)
        x, y = corner(f"{x_of(place)},{y_of(place)}")
        for side in [side for side in range(4) if piece.walls >> side & 1]:
            canvas.symbol(EDGE_SYMBOLS[piece.kind], x, y, _TILE, turn=side)


def _paint_turned(canvas: Canvas, piece: Tile, x: float, y: float) -> None:
    """5.1: draw a tile that was rotated to the right, which is not allowed."""
    canvas.symbol(scene(piece.type, piece.is_hut), x, y, _TILE, turn=1)
    for side in range(4):
        if piece.walls >> side & 1:
            canvas.symbol(EDGE_SYMBOLS[piece.kind], x, y, _TILE, turn=(side + 1) % 4)
