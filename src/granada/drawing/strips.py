"""Labelled rows of cards or tiles, such as a hand or a reserve, which overlap if there is too little room."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from granada.drawing.canvas import Canvas, width_of
from granada.drawing.palette import QUIET

#: Paints a card or tile at x, y with a width.
Painter = Callable[[float, float, float], None]

LABEL: Final = 20.0
_LABEL_SIZE: Final = 13.0
_GAP: Final = 5.0
_BETWEEN: Final = 22.0
#: The part of an overlapped card that should be visible, and the least part.
_COMFORT: Final = 30.0
_LEAST: Final = 8.0


class Strip:
    """Cards or tiles side by side below their label."""

    def __init__(self, label: str, width: float, painters: Sequence[Painter]) -> None:
        self.label: Final = label
        self.width: Final = width
        self.painters: Final = painters

    def need(self, step: float = math.inf) -> float:
        """Return its width if at least this part of each card or tile is visible (default: all)."""
        count = len(self.painters)
        cards = (count - 1) * min(step, self.width + _GAP) + self.width if count else 0
        return max(width_of(self.label, _LABEL_SIZE), cards)

    def paint(self, canvas: Canvas, x: float, y: float, room: float) -> None:
        """Draw the label and the cards or tiles in a given width."""
        canvas.text(x, y + 12, self.label, _LABEL_SIZE, QUIET)
        count = len(self.painters)
        step = min(self.width + _GAP, (room - self.width) / (count - 1)) if count > 1 else 0
        for i, painter in enumerate(self.painters):
            painter(x + i * step, y + LABEL, self.width)


def are_comfortable(strips: Sequence[Strip], room: float) -> bool:
    """Return whether several strips fit side by side without overlapping too much."""
    return _total(strips, _COMFORT) <= room


def _total(strips: Sequence[Strip], step: float) -> float:
    return sum([strip.need(step) + _BETWEEN for strip in strips]) - _BETWEEN


def paint_strips(canvas: Canvas, strips: Sequence[Strip], x: float, y: float, room: float) -> None:
    """Draw several strips side by side; if there is too little room, each shrinks by its share of the spare width."""
    spare = _total(strips, math.inf) - _total(strips, _LEAST)
    missing = max(0.0, _total(strips, math.inf) - room)
    share = missing / spare if spare else 0
    for strip in strips:
        width = strip.need() - share * (strip.need() - strip.need(_LEAST))
        strip.paint(canvas, x, y, width)
        x += width + _BETWEEN
