"""SVG pictures of a tile, a city and a whole table, self-contained and deterministic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from granada.drawing.canvas import Canvas, width_of
from granada.drawing.cities import extent, paint_city, paint_legend
from granada.drawing.majorities import majorities_height, paint_majorities
from granada.drawing.palette import GROUND, PANEL, QUIET
from granada.drawing.panels import CARDS_WIDTH, YARD_WIDTH, cards_height, paint_cards, paint_yard, yard_height
from granada.drawing.players import Side, dirk_height, paint_dirk, paint_player
from granada.drawing.shown import Shown
from granada.drawing.speech import Speech
from granada.drawing.tiles import paint_tile
from granada.drawing.words import lengths
from granada.rules.city import City
from granada.rules.state import State
from granada.rules.tiles import Tile
from granada.rules.view import View

TABLE_WIDTH: Final = 1600.0
_EDGE: Final = 20.0
_GAP: Final = 14.0
#: The numbers of player panels side by side to try, by the number of players.
_COLUMNS: Final = ((), (1,), (2,), (3,), (4, 2), (3,), (3,))
#: The smallest desirable tile in a city.
_LEAST_TILE: Final = 54


def svg_tile(tile: Tile, size: float = 160, language: str = "en") -> str:
    """Return the picture of a tile; for a Granada tile the description includes the back."""
    canvas = Canvas(language)
    paint_tile(canvas, tile, 0, 0, size, shows_back=True)
    return canvas.svg(size, size, tile.name, canvas.speech.tile(tile))


def svg_city(
    city: City, size: float = 100, marks: Mapping[int, str] | None = None, title: str = "", language: str = "en"
) -> str:
    """Return the picture of a city with tiles of a size in pixels; free cells can be marked with words."""
    canvas = Canvas(language)
    _, _, columns, rows = extent(city, marks)
    margin = max(16.0, size * 0.3)
    foot = 30 if lengths(city) else 0
    width, height = columns * size + 2 * margin, rows * size + 2 * margin
    canvas.box(0, 0, width, height + foot, PANEL, 12)
    canvas.board(0, 0, width, height, 12)
    paint_city(canvas, city, margin, margin, size, marks)
    if foot:
        paint_legend(canvas, city, margin, height + 20, 14, width - 2 * margin)
    return canvas.svg(width, height + foot, title or canvas.speech.say("picture.city"), canvas.speech.city(city))


def svg_table(piece: State | View, names: Sequence[str] | None = None, language: str = "en") -> str:
    """Return the picture of a whole table: everything for a state, what the seat may see for a view."""
    canvas = Canvas(language)
    shown = Shown(piece, names, canvas.speech)
    title, *more = _heading(canvas.speech, shown)
    canvas.text(_EDGE + 4, 44, title, 28, is_serif=True, is_bold=True)
    room = TABLE_WIDTH - 2 * _EDGE - 48 - width_of(title, 28, is_bold=True)
    canvas.text(TABLE_WIDTH - _EDGE - 4, 43, " · ".join(more), 16, QUIET, "end", room=room)
    y = _paint_middle(canvas, shown, 62)
    y = _paint_players(canvas, shown, y)
    dirk = shown.table.dirk
    if dirk is not None:
        paint_dirk(canvas, dirk, _EDGE, y, TABLE_WIDTH - 2 * _EDGE)
        y += dirk_height(dirk, TABLE_WIDTH - 2 * _EDGE) + _GAP
    heading = " · ".join([title, *more])
    return canvas.svg(TABLE_WIDTH, y - _GAP + _EDGE, heading, _table_words(canvas.speech, shown), GROUND)


def _heading(speech: Speech, shown: Shown) -> list[str]:
    """Draw what is played, and who has to decide."""
    table, options = shown.table, shown.table.options
    players = "picture.players" if table.dirk is None else "picture.players_dirk"
    parts = [speech.say(f"edition.{options.edition}"), speech.say(players, n=len(shown.names))]
    if options.modules:
        parts.append(", ".join([speech.say(f"module.{module}") for module in options.modules]))
    if options.scoring != "regular":
        parts.append(speech.say("picture.simplified"))
    parts.append(speech.say("picture.turn", n=table.turns))
    if table.is_over:
        return [*parts, speech.say("picture.over")]
    return [*parts, speech.say("picture.decides", name=shown.names[table.seat])]


def _paint_middle(canvas: Canvas, shown: Shown, y: float) -> float:
    """Draw the shared panels side by side with equal heights; returns the y of the next panels."""
    table = shown.table
    height = max(yard_height(table), cards_height(shown), majorities_height(table))
    paint_yard(canvas, table, _EDGE, y, height)
    left = _EDGE + YARD_WIDTH + _GAP
    paint_cards(canvas, shown, left, y, height)
    left += CARDS_WIDTH + _GAP
    paint_majorities(canvas, table, left, y, TABLE_WIDTH - _EDGE - left, height)
    return y + height + _GAP


def _paint_players(canvas: Canvas, shown: Shown, y: float) -> float:
    """Draw the panels of the players row by row; returns the y of the next panels."""
    seats = list(range(len(shown.names)))
    for columns in _COLUMNS[len(seats)]:
        side = Side(canvas, shown, (TABLE_WIDTH - 2 * _EDGE - (columns - 1) * _GAP) / columns)
        if side.tile >= _LEAST_TILE:
            break
    for first in range(0, len(seats), columns):
        row = seats[first : first + columns]
        height = side.height(row)
        for i, seat in enumerate(row):
            paint_player(canvas, side, seat, _EDGE + i * (side.width + _GAP), y, height)
        y += height + _GAP
    return y


def _table_words(speech: Speech, shown: Shown) -> str:
    """Return a table in words; the tiles in cities have their own titles."""
    table = shown.table
    yard = [speech.name(tile) if tile is not None else speech.say("picture.empty") for tile in table.yard]
    parts = [f"{speech.with_colon(speech.say('picture.yard'))} {', '.join(yard)}"]
    display = [speech.card(card) for card in table.display]
    parts.append(f"{speech.with_colon(speech.say('picture.display'))} {', '.join(display)}")
    for seat, player in enumerate(table.players):
        points = speech.say("picture.score", n=player.score)
        parts.append(f"{speech.with_colon(shown.names[seat])} {points}, {speech.city_summary(player.city)}")
    if table.dirk is not None:
        points, tiles = speech.say("picture.score", n=table.dirk.score), len(table.dirk.tiles)
        parts.append(f"{speech.with_colon(speech.say('piece.dirk'))} {points}, {speech.say('picture.tiles', n=tiles)}")
    return ". ".join(parts) + "."
