"""A canvas for shapes, texts and symbols, which becomes one self-contained SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from xml.sax.saxutils import escape

from granada.drawing.artwork import definitions
from granada.drawing.palette import BOARD, INK, SANS, SERIF
from granada.drawing.speech import Speech
from granada.drawing.words import printable

_GROUND: Final = "ground-star"


def short(value: float) -> str:
    """Return a number with at most two decimals, as short as possible."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


_NARROW: Final = "fijlrt.,:·'()| "
_WIDE: Final = "mwMW"


def width_of(words: str, size: float, is_bold: bool = False) -> float:
    """Return the approximate width of a text; `Canvas.text` can make it exact for any font."""
    units = sum([0.33 if letter in _NARROW else 0.86 if letter in _WIDE else 0.58 for letter in words])
    return units * size * (1.08 if is_bold else 1)


class Canvas:
    """Collects the elements of a picture in drawing order, and the symbols they use."""

    def __init__(self, language: str = "en") -> None:
        #: The texts in the language of the picture.
        self.speech: Final = Speech(language)
        self._parts: Final[list[str]] = []
        #: An ordered set, by first use.
        self._symbols: Final[dict[str, None]] = {}
        self._has_ground = False

    def symbol(
        self, name: str, x: float, y: float, size: float, colour: str = "", opacity: float = 1, turn: int = 0
    ) -> None:
        """Draw a symbol; `colour` is for one-colour icons, `turn` counts quarter turns to the right."""
        self._symbols[name] = None
        more = f' color="{colour}"' if colour else ""
        more += f' opacity="{short(opacity)}"' if opacity < 1 else ""
        more += f' transform="rotate({90 * turn} {short(x + size / 2)} {short(y + size / 2)})"' if turn else ""
        place = f' x="{short(x)}" y="{short(y)}"' if x or y else ""
        self._parts.append(f'<use href="#{name}"{place} width="{short(size)}" height="{short(size)}"{more}/>')

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        radius: float = 0,
        stroke: str = "",
        more: str = "",
    ) -> None:
        """Draw a rectangle, optionally with round corners."""
        look = f' rx="{short(radius)}"' if radius else ""
        look += f' stroke="{stroke}"' if stroke else ""
        size = f'width="{short(width)}" height="{short(height)}"'
        self._parts.append(f'<rect x="{short(x)}" y="{short(y)}" {size} fill="{fill}"{look}{more}/>')

    def board(self, x: float, y: float, width: float, height: float, radius: float) -> None:
        """Draw the ground of a city, with the star pattern."""
        self._symbols["pattern-star"] = None
        self._has_ground = True
        self.box(x, y, width, height, BOARD, radius)
        self.box(x, y, width, height, f"url(#{_GROUND})", radius)

    def path(self, d: str, fill: str, more: str = "") -> None:
        """Draw a path."""
        self._parts.append(f'<path d="{d}" fill="{fill}"{more}/>')

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        fill: str = INK,
        anchor: str = "start",
        is_bold: bool = False,
        is_serif: bool = False,
        fits: bool = False,
        room: float = math.inf,
    ) -> None:
        """Draw a line of text with its baseline at y; `fits` makes it exactly as wide as `width_of` says.

        Where there is little room it becomes smaller, and fits.
        """
        wide = width_of(words, size, is_bold)
        if wide > 0.8 * room:  # fonts differ
            size, fits = size * min(1, room / wide), True
        look = f' fill="{fill}"' if fill != INK else ""
        look += f' text-anchor="{anchor}"' if anchor != "start" else ""
        look += ' font-weight="700"' if is_bold else ""
        look += f' font-family="{SERIF}"' if is_serif else ""
        look += f' textLength="{short(width_of(words, size, is_bold))}"' if fits else ""
        place = f'x="{short(x)}" y="{short(y)}" font-size="{short(size)}"'
        self._parts.append(f"<text {place}{look}>{escape(printable(words))}</text>")

    @contextmanager
    def group(self, x: float, y: float, scale: float = 1, title: str = "") -> Iterator[None]:
        """Move and scale everything drawn inside; the title is for tooltips and screen readers."""
        grow = f" scale({scale:.4g})" if scale != 1 else ""
        self._parts.append(f'<g transform="translate({short(x)} {short(y)}){grow}">')
        if title:
            self._parts.append(f"<title>{escape(printable(title))}</title>")
        yield
        self._parts.append("</g>")

    def svg(self, width: float, height: float, title: str, description: str, ground: str = "") -> str:
        """Return the whole picture with all its symbols, optionally on a ground of one colour."""
        size = f'width="{short(width)}" height="{short(height)}" viewBox="0 0 {short(width)} {short(height)}"'
        defined = definitions(self._symbols)
        if self._has_ground:
            defined += (
                f'<pattern id="{_GROUND}" width="96" height="96" patternUnits="userSpaceOnUse">'
                '<use href="#pattern-star" width="96" height="96" opacity=".55"/></pattern>'
            )
        under = f'<rect width="{short(width)}" height="{short(height)}" fill="{ground}"/>' if ground else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" lang="{self.speech.language}"'
            f' font-family="{SANS}" fill="{INK}" style="max-width:100%;height:auto">'
            f"<title>{escape(printable(title))}</title><desc>{escape(printable(description))}</desc>"
            f"<defs>{defined}</defs>{under}{''.join(self._parts)}</svg>\n"
        )
