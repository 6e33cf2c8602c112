"""Pictures of pieces for notebooks; `granada` sets the painter, because the rules must not import `granada.drawing`."""

from __future__ import annotations

from collections.abc import Callable

_painters: list[Callable[[object], str]] = []


def use_painter(painter: Callable[[object], str]) -> None:
    """Set the function that returns the SVG picture of a piece."""
    _painters[:] = [painter]


def svg_of(piece: object) -> str | None:
    """Return the SVG picture of a piece, or None if no painter is set."""
    return _painters[0](piece) if _painters else None
