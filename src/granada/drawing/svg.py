"""SVG pictures of a tile, a city and a whole table; each is self-contained and the same whenever it is drawn again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from granada.drawing.canvas import Canvas
from granada.drawing.cities import extent, paint_city, paint_legend
from granada.drawing.majorities import majorities_height, paint_majorities
from granada.drawing.palette import GROUND, PANEL, QUIET
from granada.drawing.panels import CARDS_WIDTH, YARD_WIDTH, cards_height, paint_cards, paint_yard, yard_height
from granada.drawing.players import Side, dirk_height, paint_dirk, paint_player
from granada.drawing.shown import Shown
from granada.drawing.tiles import paint_tile
from granada.drawing.words import city_summary, city_words, counted, lengths, tile_words
from granada.rules.city import City
from granada.rules.state import State
from granada.rules.tiles import Tile
from granada.rules.view import View

TABLE_WIDTH: Final = 1600.0
_EDGE: Final = 20.0
_GAP: Final = 14.0
#: How many panels of players may stand side by side, by the number of players; the first is tried first.
_COLUMNS: Final = ((), (), (2,), (3,), (4, 2), (3,), (3,))
#: Tiles of cities should be at least this large.
_LEAST_TILE: Final = 54
_TITLES: Final = {"alhambra": "Alhambra", "granada": "Granada", "combined": "Alhambra and Granada"}


def svg_tile(tile: Tile, size: float = 160) -> str:
    """The picture of a tile; a Granada tile also tells what is on its back."""
    canvas = Canvas()
    paint_tile(canvas, tile, 0, 0, size, shows_back=True)
    return canvas.svg(size, size, tile.name, tile_words(tile))


def svg_city(city: City, size: float = 100, marks: Mapping[int, str] | None = None, title: str = "City") -> str:
    """The picture of a city with tiles of a size in pixels; free cells can be marked with words."""
    canvas = Canvas()
    _, _, columns, rows = extent(city, marks)
    margin = max(16.0, size * 0.3)
    foot = 30 if lengths(city) else 0
    width, height = columns * size + 2 * margin, rows * size + 2 * margin
    canvas.box(0, 0, width, height + foot, PANEL, 12)
    canvas.board(0, 0, width, height, 12)
    paint_city(canvas, city, margin, margin, size, marks)
    if foot:
        paint_legend(canvas, city, margin, height + 20, 14)
    return canvas.svg(width, height + foot, title, city_words(city))


def svg_table(piece: State | View, names: Sequence[str] | None = None) -> str:
    """The picture of a whole table: a state shows everything, a view what its seat may see."""
    shown = Shown(piece, names)
    canvas = Canvas()
    canvas.text(_EDGE + 4, 44, _TITLES[shown.table.options.edition], 28, is_serif=True, is_bold=True)
    canvas.text(TABLE_WIDTH - _EDGE - 4, 43, shown.heading().partition(" · ")[2], 16, QUIET, "end")
    y = _paint_middle(canvas, shown, 62)
    y = _paint_players(canvas, shown, y)
    dirk = shown.table.dirk
    if dirk is not None:
        paint_dirk(canvas, dirk, _EDGE, y, TABLE_WIDTH - 2 * _EDGE)
        y += dirk_height(dirk, TABLE_WIDTH - 2 * _EDGE) + _GAP
    return canvas.svg(TABLE_WIDTH, y - _GAP + _EDGE, shown.heading(), _table_words(shown), GROUND)


def _paint_middle(canvas: Canvas, shown: Shown, y: float) -> float:
    """The panels that all players share, side by side and equally high; returns where the next ones begin."""
    table = shown.table
    height = max(yard_height(table), cards_height(shown), majorities_height(table))
    paint_yard(canvas, table, _EDGE, y, height)
    left = _EDGE + YARD_WIDTH + _GAP
    paint_cards(canvas, shown, left, y, height)
    left += CARDS_WIDTH + _GAP
    paint_majorities(canvas, table, left, y, TABLE_WIDTH - _EDGE - left, height)
    return y + height + _GAP


def _paint_players(canvas: Canvas, shown: Shown, y: float) -> float:
    """The panels of the players row by row; returns where the next ones begin."""
    seats = list(range(len(shown.names)))
    for columns in _COLUMNS[len(seats)]:
        side = Side(shown, (TABLE_WIDTH - 2 * _EDGE - (columns - 1) * _GAP) / columns)
        if side.tile >= _LEAST_TILE:
            break
    for first in range(0, len(seats), columns):
        row = seats[first : first + columns]
        height = side.height(row)
        for i, seat in enumerate(row):
            paint_player(canvas, side, seat, _EDGE + i * (side.width + _GAP), y, height)
        y += height + _GAP
    return y


def _table_words(shown: Shown) -> str:
    """A table in words; the tiles of the cities have titles of their own."""
    table = shown.table
    told = ["Yard: " + ", ".join([tile.name if tile is not None else "empty" for tile in table.yard])]
    told.append("Display: " + " ".join([card.name for card in table.display]))
    for seat, player in enumerate(table.players):
        told.append(f"{shown.names[seat]}: {counted(player.score, 'point')}, {city_summary(player.city)}")
    if table.dirk is not None:
        told.append(f"Dirk: {counted(table.dirk.score, 'point')}, {counted(len(table.dirk.tiles), 'tile')}")
    return ". ".join(told) + "."
