"""Drawing primitives for plots: self-contained SVG with light and dark colours and a text alternative."""

from __future__ import annotations

from html import escape
from typing import Final

#: Colours by purpose, for light and dark mode; all have enough contrast to the ground.
_COLOURS: Final = {
    "ground": ("#ffffff", "#1b1d22"),
    "ink": ("#1c1e21", "#e8e9ec"),
    "quiet": ("#5c6370", "#a3a9b5"),
    "line": ("#d4d7dd", "#3a3e47"),
    "first": ("#0f766e", "#2dd4bf"),
    "second": ("#b45309", "#fbbf24"),
    "third": ("#6d28d9", "#c4b5fd"),
    "fourth": ("#be123c", "#fda4af"),
}
#: The colours of data series, in order.
SERIES: Final = ("first", "second", "third", "fourth")
#: The width of a letter relative to the font size, on the safe side.
LETTER: Final = 0.58
SIZE: Final = 13


def _style() -> str:
    def rules(which: int) -> str:
        return "".join([f".f-{n}{{fill:{c[which]}}}.s-{n}{{stroke:{c[which]}}}" for n, c in _COLOURS.items()])

    return f"{rules(0)}@media (prefers-color-scheme:dark){{{rules(1)}}}"


STYLE: Final = _style()


def width_of(text: str, size: float = SIZE) -> float:
    """Return the approximate width of a text."""
    return len(text) * size * LETTER


class Plot:
    """Collects the elements of a plot."""

    def __init__(self, name: str, title: str, description: str) -> None:
        #: Unique on a page, for ids.
        self.name: Final = name
        self.title: Final = title
        self.description: Final = description
        self._parts: Final[list[str]] = []

    def text(
        self, x: float, y: float, text: str, colour: str = "ink", anchor: str = "start", size: float = SIZE
    ) -> None:
        """Draw a line of text."""
        self._parts.append(
            f'<text class="f-{colour}" x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}">'
            f"{escape(text)}</text>"
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = "line", width: float = 1) -> None:
        """Draw a straight line."""
        place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        self._parts.append(f'<line class="s-{colour}" {place} stroke-width="{width:g}"/>')

    def dot(self, x: float, y: float, colour: str, radius: float = 5, hint: str = "") -> None:
        """Draw a point; the hint is its tooltip."""
        self._parts.append(
            f'<circle class="f-{colour}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}">{_hint(hint)}</circle>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, colour: str, opacity: float = 1, hint: str = ""
    ) -> None:
        """Draw a filled rectangle."""
        place = f'x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}"'
        self._parts.append(f'<rect class="f-{colour}" {place} fill-opacity="{opacity:.2f}">{_hint(hint)}</rect>')

    def svg(self, width: float, height: float) -> str:
        """Return the whole plot."""
        name = self.name
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
            f' height="{height:.0f}" role="img" aria-labelledby="{name}-title {name}-text"'
            ' font-family="system-ui, sans-serif">'
            f'<title id="{name}-title">{escape(self.title)}</title>'
            f'<desc id="{name}-text">{escape(self.description)}</desc><style>{STYLE}</style>'
            f'<rect class="f-ground" width="100%" height="100%"/>{"".join(self._parts)}</svg>\n'
        )


def _hint(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""
