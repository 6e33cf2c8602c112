"""Pictures of single tiles (1.3, 1.4, 1.5, 1.8), drawn on a square of 100 by 100 and scaled."""

from __future__ import annotations

from typing import Final

from granada.drawing.artwork import scene
from granada.drawing.canvas import Canvas, short, width_of
from granada.drawing.palette import BRASS, BRASS_FILL, INK, IVORY, TYPE_COLOURS
from granada.rules.tiles import KINDS, TYPES, Tile

EDGE_SYMBOLS: Final = ("wall-n", "moat-n")
#: The opacity of inner double walls, which do not count (7.2).
FAINT: Final = 0.38
#: From this size on, a tile shows the name of its type instead of the icon.
NAMED: Final = 88
#: The smallest height of prices in pixels.
LEAST_PRICE: Final = 11.5


class Edges:
    """How the edges of a built tile are shown: bit sets of sides."""

    __slots__ = ("faint", "run", "traced")

    def __init__(self, faint: int = 0, traced: int = 0, run: int = 0) -> None:
        #: Inner double walls (7.2).
        self.faint: Final = faint
        #: Edges of the longest wall or moat (7.2).
        self.traced: Final = traced
        #: Edges of the longest run (10.7).
        self.run: Final = run


PLAIN: Final = Edges()


def paint_tile(
    canvas: Canvas,
    tile: Tile,
    x: float,
    y: float,
    size: float,
    edges: Edges = PLAIN,
    title: str = "",
    shows_back: bool = False,
    is_first: bool = False,
) -> None:
    """Draw a tile with its scene, edges, price and type; `is_first` marks a Granada start tile (10.6)."""
    with canvas.group(x, y, size / 100, title or canvas.speech.tile(tile)):
        canvas.symbol(f"start-{KINDS[tile.kind]}" if tile.is_start else scene(tile.type, tile.is_hut), 0, 0, 100)
        for side in range(4):
            if tile.walls >> side & 1:
                faint = FAINT if edges.faint >> side & 1 else 1
                canvas.symbol(EDGE_SYMBOLS[tile.kind], 0, 0, 100, opacity=faint, turn=side)
        for side in range(4):
            if edges.run >> side & 1:
                canvas.symbol("run-n", 0, 0, 100, turn=side)
            if edges.traced >> side & 1:
                canvas.symbol("trace-n", 0, 0, 100, turn=side)
        if not tile.is_start:
            _caption(canvas, tile, size)
        if shows_back and tile.back is not None:
            _back(canvas, tile.back, size)
        if is_first:
            _first_mark(canvas)


def _caption(canvas: Canvas, tile: Tile, size: float) -> None:
    """Draw a plate in the lower left corner with the price and the type, in words if there is room."""
    price = str(tile.price) if not tile.is_hut else ""
    letters = max(12.5, 100 * LEAST_PRICE / size)
    height = letters * 1.22
    bottom, left = 87.5, 12.5
    price_width = 0.6 * letters * len(price)
    gap = 0.26 * letters
    word = canvas.speech.name(tile) if tile.is_hut else canvas.speech.type(tile.type)
    word_size = min(letters * 0.76, (69 - price_width) / width_of(word, 1))
    is_named = size >= NAMED
    inner = price_width + (gap if price else 0) + (width_of(word, word_size) if is_named else letters)
    canvas.box(left, bottom - height, inner + 2 * gap, height, IVORY, 0.25 * letters, more=' fill-opacity=".94"')
    base = bottom - height / 2 + 0.36 * letters
    if price:
        canvas.text(left + gap, base, price, letters, is_bold=True, is_serif=True)
    start = left + gap + price_width + (gap if price else 0)
    if is_named:
        canvas.text(start, bottom - height / 2 + 0.35 * word_size, word, word_size, fits=True)
    else:
        canvas.symbol(f"icon-{TYPES[tile.type]}", start, bottom - height / 2 - letters / 2, letters, INK)


def _back(canvas: Canvas, back: Tile, size: float) -> None:
    """1.4: draw the face on the back as a tab in the upper right corner."""
    ground, ink = TYPE_COLOURS[back.type]
    letters = max(10, 100 * (LEAST_PRICE - 1) / size)
    words = f"{back.price} {canvas.speech.type(back.type)}" if size >= 1.6 * NAMED else str(back.price)
    word_size = min(7.5, (75 - 1.95 * letters) / width_of(words, 1, is_bold=True)) if size >= 1.6 * NAMED else letters
    width = width_of(words, word_size, is_bold=True) + 1.95 * letters
    height = 1.3 * letters
    left, top = 87.5 - width, 12.5
    canvas.box(left, top, width, height, ground, height / 2, IVORY)
    canvas.symbol(f"icon-{TYPES[back.type]}", left + 0.4 * letters, top + 0.2 * letters, 0.9 * letters, ink)
    base = top + height / 2 + 0.36 * word_size
    canvas.text(left + 1.5 * letters, base, words, word_size, ink, is_bold=True, fits=True)


def _first_mark(canvas: Canvas) -> None:
    """10.6: draw a brass star in the upper left corner."""
    x, y, long, near = 20.0, 20.0, 7.5, 2.9
    points = [(0, -long), (near, -near), (long, 0), (near, near), (0, long), (-near, near), (-long, 0), (-near, -near)]
    d = "M" + " ".join([f"{short(x + dx)} {short(y + dy)}" for dx, dy in points]) + "z"
    canvas.path(d, BRASS_FILL, f' stroke="{BRASS}" stroke-width=".8"')
