"""A player's side of the table: points, hand, reserve, vizier, bonus cards and city; and Dirk's tiles (9.2)."""

from __future__ import annotations

from functools import partial
from typing import Final

from granada.drawing.canvas import Canvas, width_of
from granada.drawing.cards import SHAPE, paint_back, paint_bonus, paint_card
from granada.drawing.cities import extent, paint_city, paint_legend
from granada.drawing.palette import BRASS, BRASS_FILL, QUIET
from granada.drawing.panels import PAD, paint_panel, paint_token
from granada.drawing.shown import Shown
from granada.drawing.strips import LABEL, Painter, Strip, are_comfortable, paint_strips
from granada.drawing.tiles import paint_tile
from granada.rules.events import DIRK
from granada.rules.player import Dirk
from granada.rules.tiles import by_order

_HEAD: Final = 60.0
_CARD: Final = 44.0
_STORED: Final = _CARD * SHAPE
_STRIP: Final = LABEL + _STORED + 14
_LEGEND: Final = 26.0
_MARGIN: Final = 14.0
#: The largest tile in a city.
LARGEST: Final = 96.0
#: The greatest height of a city.
_HIGHEST: Final = 1000.0


class Side:
    """The measures of the players' panels, the same for all, so that cities can be compared."""

    def __init__(self, canvas: Canvas, shown: Shown, width: float) -> None:
        self.shown: Final = shown
        self.width: Final = width
        self.room: Final = width - 2 * PAD
        extents = [extent(player.city) for player in shown.table.players]
        across = (self.room - 2 * _MARGIN) / max([columns for _, _, columns, _ in extents])
        #: The size of tiles in cities.
        self.tile: Final = int(min(LARGEST, across, _HIGHEST / max([rows for _, _, _, rows in extents])))
        #: Whether all strips of every player fit side by side.
        strips = [_strips(canvas, shown, seat) for seat in range(len(shown.names))]
        self.is_one_row: Final = all([are_comfortable(row, self.room) for row in strips])

    def height(self, seats: list[int]) -> float:
        """Return the height of the panels of some seats."""
        rows = max([extent(self.shown.table.players[seat].city)[3] for seat in seats])
        strips = _STRIP if self.is_one_row else 2 * _STRIP
        return _HEAD + strips + _LEGEND + rows * self.tile + 2 * _MARGIN + PAD


def paint_player(canvas: Canvas, side: Side, seat: int, x: float, y: float, height: float) -> None:
    """Draw everything that belongs to a player."""
    paint_panel(canvas, x, y, side.width, height)
    _paint_head(canvas, side.shown, seat, x, y, side.width)
    left, top = x + PAD, y + _HEAD
    strips = _strips(canvas, side.shown, seat)
    for row in [strips] if side.is_one_row else [strips[:1], strips[1:]]:
        paint_strips(canvas, row, left, top, side.room)
        top += _STRIP
    city = side.shown.table.players[seat].city
    built = canvas.speech.say("picture.city_of", n=len(city.places))
    canvas.text(left, top + 13, built, 13, QUIET)
    after = 24 + width_of(built, 13)
    paint_legend(canvas, city, left + after, top + 13, 13, side.room - after)
    top += _LEGEND
    bottom = y + height - PAD
    canvas.board(left, top, side.room, bottom - top, 8)
    _, _, columns, rows = extent(city)
    x, y = left + (side.room - columns * side.tile) / 2, (top + bottom - rows * side.tile) / 2
    paint_city(canvas, city, x, y, side.tile)


def _paint_head(canvas: Canvas, shown: Shown, seat: int, x: float, y: float, width: float) -> None:
    """Draw the seat, the name, the vizier and the points; brass for the player who decides."""
    table = shown.table
    player = table.players[seat]
    right = x + width - PAD
    _paint_points(canvas, player.score, right, y)
    room = width - 2 * PAD - 38 - 106
    if player.vizier is not None:
        left = right - 192
        state = canvas.speech.say("picture.awake" if player.vizier else "picture.asleep")
        canvas.symbol("vizier-active" if player.vizier else "vizier-asleep", left, y + 8, 34)
        canvas.text(left + 39, y + 32, state, 13, BRASS if player.vizier else QUIET, room=54)
        room -= 92
    paint_token(canvas, seat, x + PAD, y + 11, 28)
    name = _shortened(shown.names[seat], 20, room)
    canvas.text(x + PAD + 38, y + 32, name, 20, is_bold=True, is_serif=True)
    if not table.is_over and table.seat == seat:
        canvas.box(x + PAD, y + _HEAD - 13, width - 2 * PAD, 3, BRASS_FILL, 1.5)
        after = 52 + width_of(name, 20, is_bold=True)
        deciding = canvas.speech.say("picture.deciding")
        if after + width_of(deciding, 13) < room:
            canvas.text(x + PAD + after, y + 32, deciding, 13, BRASS)


def _paint_points(canvas: Canvas, points: int, right: float, y: float) -> None:
    """Draw a number and its word, right-aligned."""
    word = canvas.speech.say("picture.points", n=points)
    canvas.text(right, y + 32, word, 13, QUIET, "end")
    left = right - width_of(word, 13) - 9
    canvas.text(left, y + 33, str(points), 26, anchor="end", is_bold=True, is_serif=True)


def _shortened(name: str, size: float, room: float) -> str:
    """Return a name, cut if it is too wide."""
    if width_of(name, size, is_bold=True) <= room:
        return name
    while name and width_of(name + "…", size, is_bold=True) > room:
        name = name[:-1]
    return name.rstrip() + "…"


def _strips(canvas: Canvas, shown: Shown, seat: int) -> list[Strip]:
    """Return the strips of a player: hand, tiles to be placed, reserve and bonus cards, without empty ones."""
    table = shown.table
    player = table.players[seat]
    count, hand = shown.hand_sizes[seat], shown.hands[seat]
    cards: list[Painter] = [partial(paint_back, canvas, canvas.speech.say("picture.hidden_card"))] * count
    if hand is not None:
        cards = [partial(paint_card, canvas, card) for card in hand]
    strips = [Strip(canvas.speech.say("picture.hand", n=count), _CARD, cards)]
    for label, tiles in (("picture.to_place", table.to_place(seat)), ("picture.reserve", player.reserve)):
        if tiles:
            strips.append(
                Strip(canvas.speech.say(label), _STORED, [partial(paint_tile, canvas, tile) for tile in tiles])
            )
    bonus: list[Painter] = []
    for card in player.bonus:
        if card is not None:
            bonus.append(partial(paint_bonus, canvas, card, False))
        else:
            bonus.append(partial(paint_back, canvas, canvas.speech.say("picture.hidden_bonus")))
    bonus += [partial(paint_bonus, canvas, card, True) for card in player.revealed]
    if bonus:
        strips.append(Strip(canvas.speech.say("picture.bonus_cards", n=len(bonus)), _CARD, bonus))
    return strips


# Dirk -----------------------------------------------------------------------------------------------------------------

_DIRKS: Final = 56.0


def _per_row(width: float) -> int:
    return int((width - 2 * PAD + 5) // (_DIRKS + 5))


def dirk_height(dirk: Dirk, width: float) -> float:
    """Return the height of Dirk's panel."""
    rows = -(-len(dirk.tiles) // _per_row(width))
    return _HEAD + rows * (_DIRKS + 5) - 5 + PAD


def paint_dirk(canvas: Canvas, dirk: Dirk, x: float, y: float, width: float) -> None:
    """9.2: draw Dirk's tiles in fixed order, and his points."""
    paint_panel(canvas, x, y, width, dirk_height(dirk, width))
    paint_token(canvas, DIRK, x + PAD, y + 11, 28)
    canvas.symbol("dirk", x + PAD + 36, y + 6, 38)
    name = canvas.speech.say("piece.dirk")
    canvas.text(x + PAD + 84, y + 32, name, 20, is_bold=True, is_serif=True)
    after = 102 + width_of(name, 20, is_bold=True)
    canvas.text(x + PAD + after, y + 31, canvas.speech.say("picture.tiles", n=len(dirk.tiles)), 13, QUIET)
    _paint_points(canvas, dirk.score, x + width - PAD, y)
    for i, tile in enumerate(sorted(dirk.tiles, key=by_order)):
        row, column = divmod(i, _per_row(width))
        paint_tile(canvas, tile, x + PAD + column * (_DIRKS + 5), y + _HEAD + row * (_DIRKS + 5), _DIRKS)
