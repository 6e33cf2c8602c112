"""How a notebook shows a piece of the game; `granada.drawing` puts the painter in, the rules draw nothing."""

from __future__ import annotations

from collections.abc import Callable

_painters: list[Callable[[object], str]] = []


def use_painter(painter: Callable[[object], str]) -> None:
    """Let `painter` make the SVG of tiles, cities and tables."""
    _painters[:] = [painter]


def svg_of(piece: object) -> str | None:
    """The SVG picture of a piece, or None if nobody can paint."""
    return _painters[0](piece) if _painters else None
