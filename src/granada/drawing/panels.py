"""The middle of the table: yard (1.9, 10.2), huts (14.1), display and supply."""

from __future__ import annotations

from typing import Final

from granada.drawing.canvas import Canvas, width_of
from granada.drawing.cards import SHAPE, paint_card
from granada.drawing.palette import (
    CURRENCY_COLOURS,
    DIRK_COLOURS,
    INK,
    PANEL,
    QUIET,
    SEAT_COLOURS,
    STRONG_LINE,
    TYPE_COLOURS,
    WELL,
)
from granada.drawing.shown import Shown
from granada.drawing.speech import ENGLISH, Speech
from granada.drawing.tiles import paint_tile
from granada.rules.events import DIRK
from granada.rules.money import CURRENCIES, LETTERS
from granada.rules.state import State
from granada.rules.tiles import GRANADA, TYPES

PAD: Final = 16.0
RADIUS: Final = 14.0
#: The corner radii of each seat's token relative to its size: top left, top right, bottom right, bottom left.
_TOKENS: Final = (
    (0.5, 0.5, 0.5, 0.5),
    (0.12, 0.12, 0.12, 0.12),
    (0.5, 0.5, 0.12, 0.12),
    (0.12, 0.5, 0.12, 0.5),
    (0.5, 0.12, 0.5, 0.5),
    (0.12, 0.12, 0.5, 0.5),
)


def paint_panel(canvas: Canvas, x: float, y: float, width: float, height: float, heading: str = "") -> None:
    """Draw the ground of a panel."""
    canvas.box(x, y, width, height, PANEL, RADIUS)
    if heading:
        canvas.text(x + PAD, y + 27, heading, 17, is_serif=True, is_bold=True)


def paint_token(canvas: Canvas, seat: int, x: float, y: float, size: float) -> None:
    """Draw the token of a seat: a colour, a shape and its number; Dirk's is a D."""
    ground, ink = DIRK_COLOURS if seat == DIRK else SEAT_COLOURS[seat]
    a, b, c, d = [size * share for share in _TOKENS[1 if seat == DIRK else seat]]
    canvas.path(
        f"M{x + a:.4g} {y:.4g}h{size - a - b:.4g}a{b:.4g} {b:.4g} 0 0 1 {b:.4g} {b:.4g}v{size - b - c:.4g}"
        f"a{c:.4g} {c:.4g} 0 0 1-{c:.4g} {c:.4g}h-{size - c - d:.4g}a{d:.4g} {d:.4g} 0 0 1-{d:.4g}-{d:.4g}"
        f"v-{size - d - a:.4g}a{a:.4g} {a:.4g} 0 0 1 {a:.4g}-{a:.4g}z",
        ground,
    )
    letter = "D" if seat == DIRK else str(seat + 1)
    canvas.text(x + size / 2, y + size * 0.71, letter, size * 0.6, ink, "middle", is_bold=True)


def paint_type(canvas: Canvas, type_: int, x: float, y: float, size: float) -> None:
    """Draw the icon of a type on its colour."""
    ground, ink = TYPE_COLOURS[type_]
    canvas.box(x, y, size, size, ground, size * 0.2, "#0002")
    canvas.symbol(f"icon-{TYPES[type_]}", x + size * 0.12, y + size * 0.12, size * 0.76, ink)


# Yard and huts --------------------------------------------------------------------------------------------------------

YARD_WIDTH: Final = 690.0
_SPACE: Final = (YARD_WIDTH - 2 * PAD - 3 * 12) / 4
_HUT: Final = 62.0


def yard_height(table: State) -> float:
    """Return the height of the panel of the yard and the huts."""
    return 40 + 34 + len(table.options.kinds) * (_SPACE + 8) - 8 + (44 + _HUT if table.huts else 0) + PAD


def paint_yard(canvas: Canvas, table: State, x: float, y: float, height: float) -> None:
    """1.9, 10.2: draw four spaces in the colours of their currencies, with one tile of each kind."""
    paint_panel(canvas, x, y, YARD_WIDTH, height, canvas.speech.say("picture.yard"))
    kinds = len(table.options.kinds)
    for space in range(4):
        left, top = x + PAD + space * (_SPACE + 12), y + 40
        ground, ink = CURRENCY_COLOURS[space]
        canvas.box(left, top, _SPACE, 27, ground, 7)
        canvas.symbol(f"icon-{CURRENCIES[space]}", left + 7, top + 4.5, 18, ink)
        canvas.text(left + 31, top + 19, canvas.speech.currency(space), 15, ink, room=_SPACE - 60)
        canvas.text(left + _SPACE - 10, top + 19, LETTERS[space], 16, ink, "end", is_bold=True)
        for half in range(kinds):
            tile = table.yard[space * kinds + half]
            bottom = top + 34 + half * (_SPACE + 8)
            if tile is not None:
                paint_tile(canvas, tile, left, bottom, _SPACE, shows_back=True)
            else:
                _paint_empty(canvas, left, bottom, _SPACE)
    if table.huts:
        _paint_huts(canvas, table, x + PAD, y + height - PAD - _HUT)


def _paint_empty(canvas: Canvas, x: float, y: float, size: float) -> None:
    canvas.box(x + 1, y + 1, size - 2, size - 2, WELL, 7, STRONG_LINE, ' stroke-dasharray="6 5" stroke-opacity=".6"')
    canvas.text(x + size / 2, y + size / 2 + 4.5, canvas.speech.say("picture.empty"), 13, QUIET, "middle")


def _paint_huts(canvas: Canvas, table: State, x: float, y: float) -> None:
    """14.1: draw the face-up hut of each type, and the number of huts below it."""
    canvas.text(x, y - 12, canvas.speech.say("picture.huts"), 17, is_serif=True, is_bold=True)
    step = (YARD_WIDTH - 2 * PAD + 6) / len(table.huts)
    for i, hut in enumerate(table.huts):
        left = x + i * step
        if hut is None:
            _paint_empty(canvas, left, y, _HUT)
            continue
        paint_tile(canvas, hut, left, y, _HUT)
        below = len(table.piles[i])
        if below:
            canvas.text(left + _HUT + 7, y + _HUT / 2 - 2, f"+{below}", 15, is_bold=True, is_serif=True)
        words = canvas.speech.say("picture.below" if below else "picture.last")
        canvas.text(left + _HUT + 7, y + _HUT / 2 + 14, words, 12, QUIET, room=step - _HUT - 9)


# Display and supply ---------------------------------------------------------------------------------------------------

CARDS_WIDTH: Final = 410.0
_CARD: Final = 80.0
_LINE: Final = 46.0


def _supplies(speech: Speech, shown: Shown) -> list[tuple[str, str, str]]:
    """Draw a symbol, a number and what it counts."""
    table = shown.table
    rows = [
        ("deck", str(shown.deck_size), speech.say("picture.deck")),
        ("back-card", str(len(table.discards)), speech.say("picture.discarded")),
    ]
    for half, bag in enumerate(table.bags):
        tiles = speech.say("picture.in_bag", edition=speech.kind(table.options.kinds[half]))
        rows.append(("bag", str(len(bag)), tiles))
    if GRANADA in table.options.kinds:
        parity = speech.say("picture.odd" if table.marker else "picture.even")
        rows.append(("flip", parity, speech.say("picture.faces")))
    return rows


def cards_height(shown: Shown) -> float:
    """Return the height of the panel of display and supply."""
    return 40 + _CARD * SHAPE + 10 + (len(_supplies(ENGLISH, shown)) + 1) // 2 * _LINE + PAD - 4


def paint_cards(canvas: Canvas, shown: Shown, x: float, y: float, height: float) -> None:
    """1.9: draw the display, then what is left in deck and bags."""
    paint_panel(canvas, x, y, CARDS_WIDTH, height, canvas.speech.say("picture.display"))
    _paint_score_cards(canvas, shown, x + CARDS_WIDTH - PAD, y)
    step = (CARDS_WIDTH - 2 * PAD - _CARD) / 3
    for i, card in enumerate(shown.table.display):
        paint_card(canvas, card, x + PAD + i * step, y + 40, _CARD)
    top = y + 40 + _CARD * SHAPE + 10
    supplies = _supplies(canvas.speech, shown)
    line = (y + height - PAD + 4 - top) / ((len(supplies) + 1) // 2)
    icon = min(54.0, line * 0.8)
    column = (CARDS_WIDTH - 2 * PAD) / 2 + 4
    for i, (symbol, number, words) in enumerate(supplies):
        is_alone = i % 2 == 0 and i == len(supplies) - 1
        left, middle = x + PAD + i % 2 * column, top + i // 2 * line + line / 2
        canvas.symbol(symbol, left, middle - icon / 2, icon, INK)
        canvas.text(left + icon + 8, middle + 7, number, 20, is_bold=True, is_serif=True)
        before = icon + 15 + width_of(number, 20, is_bold=True)
        canvas.text(left + before, middle + 6, words, 13, QUIET, room=(2 * column if is_alone else column) - before - 8)


def _paint_score_cards(canvas: Canvas, shown: Shown, right: float, y: float) -> None:
    """6.1: draw the scorings announced and those to come, from the right."""
    parts = [(letter, "picture.to_come") for letter in shown.score_cards().split()]
    parts += [(letter, "picture.scored") for letter in shown.table.announced]
    for letter, key in reversed(parts):
        words = canvas.speech.say(key, card=letter)
        canvas.text(right, y + 26, words, 13, QUIET, "end", fits=True)
        right -= width_of(words, 13) + 27
        canvas.symbol(f"score-{letter.lower()}", right, y + 10, 24)
        right -= 12
