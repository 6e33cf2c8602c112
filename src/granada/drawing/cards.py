"""Pictures of cards: money (1.1), exchange cards (1.6), card backs and bonus cards (1.7)."""

from __future__ import annotations

from typing import Final

from granada.drawing.canvas import Canvas
from granada.drawing.palette import BRASS_FILL, CURRENCY_COLOURS, INK, IVORY, LINE
from granada.drawing.tiles import paint_tile
from granada.rules.money import CURRENCIES, EXCHANGE, LETTERS, Card
from granada.rules.tiles import Tile

#: The height of a card relative to its width.
SHAPE: Final = 1.4
#: The width of the card in a symbol relative to its square.
_BACK_WIDTH: Final = 0.66


def paint_card(canvas: Canvas, card: Card, x: float, y: float, width: float) -> None:
    """Draw a money or exchange card; value and currency are at the left, visible in a fan."""
    with canvas.group(x, y, width / 50, canvas.speech.card(card)):
        canvas.box(0.8, 1.2, 50, 50 * SHAPE, "#3C2C10", 6, more=' fill-opacity=".25"')
        if card.sort == EXCHANGE:
            _paint_exchange(canvas, card)
            return
        ground, ink = CURRENCY_COLOURS[card.currency]
        canvas.box(0, 0, 50, 50 * SHAPE, ground, 6, "#0003")
        canvas.box(2.5, 2.5, 45, 50 * SHAPE - 5, "none", 4, ink, ' stroke-opacity=".35"')
        canvas.text(7, 31, str(card.value), 29, ink, is_bold=True, is_serif=True)
        canvas.symbol(f"icon-{CURRENCIES[card.currency]}", 6, 42, 18, ink)
        canvas.text(28, 57, LETTERS[card.currency], 17, ink, is_bold=True)


def _paint_exchange(canvas: Canvas, card: Card) -> None:
    """1.6: draw two halves, one for each currency, with arrows between them."""
    canvas.box(0, 0, 50, 50 * SHAPE, IVORY, 6, "#0003")
    for half, currency in enumerate((card.currency, card.other)):
        ground, ink = CURRENCY_COLOURS[currency]
        top = 3 + 39 * half
        canvas.box(3, top, 44, 25, ground, 4)
        canvas.symbol(f"icon-{CURRENCIES[currency]}", 6, top + 4, 17, ink)
        canvas.text(28, top + 18, LETTERS[currency], 17, ink, is_bold=True)
    canvas.path("M8 33.5h22v-3.2l8 4.9H8zM42 36.5H20v3.2l-8-4.9h30z", INK)


def paint_back(canvas: Canvas, title: str, x: float, y: float, width: float) -> None:
    """Draw the back of a card."""
    size = width / _BACK_WIDTH
    with canvas.group(x, y, title=title):
        canvas.symbol("back-card", -0.17 * size, -0.02 * size, size)


def paint_bonus(canvas: Canvas, tile: Tile, is_revealed: bool, x: float, y: float, width: float) -> None:
    """1.7: draw a bonus card with its tile; a revealed one has a brass frame and a rosette."""
    key = "picture.bonus_revealed" if is_revealed else "picture.bonus_in_hand"
    title = canvas.speech.say(key, tile=canvas.speech.name(tile))
    with canvas.group(x, y, width / 50, title):
        frame = f' stroke-width="{3 if is_revealed else 1}"'
        canvas.box(0, 0, 50, 50 * SHAPE, IVORY, 6, BRASS_FILL if is_revealed else LINE, frame)
        if is_revealed:
            canvas.symbol("bonus", 14, 2, 22)
        else:
            canvas.text(25, 17, canvas.speech.say("picture.bonus"), 13, anchor="middle", room=46)
        paint_tile(canvas, tile, 4, 25, 42, title=title)
