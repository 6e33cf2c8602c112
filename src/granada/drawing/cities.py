"""Pictures of cities: tiles side by side, with the longest wall, moat and run traced (7.2, 10.7)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from granada.drawing.canvas import Canvas, width_of
from granada.drawing.palette import BRASS_FILL, LEGAL, LEGAL_GROUND, TRACE
from granada.drawing.tiles import Edges, paint_tile
from granada.drawing.words import lengths
from granada.rules.cells import ORIGIN, cell, x_of, y_of
from granada.rules.city import City
from granada.rules.stretches import RUN
from granada.rules.tiles import ALHAMBRA

#: Stone, water, and the gold of the run.
LINE_COLOURS: Final = {"wall": "#E3CB9C", "moat": "#4D9FC6", "run": "#FFD23F"}


def extent(city: City, marks: Mapping[int, str] | None = None) -> tuple[int, int, int, int]:
    """Return the lowest x and y of a city and its marks, and the number of columns and rows."""
    places = [*city.places, *(marks or {})]
    xs, ys = [x_of(place) for place in places], [y_of(place) for place in places]
    return min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1


def paint_city(
    canvas: Canvas, city: City, x: float, y: float, size: float, marks: Mapping[int, str] | None = None
) -> None:
    """Draw all tiles with the north-west corner at x, y; marked free cells are dashed and contain a word."""
    left, top, _, _ = extent(city, marks)
    for place, word in (marks or {}).items():
        if city.tile_at(place) is None:
            _mark(canvas, x + size * (x_of(place) - left), y + size * (y_of(place) - top), size, word)
    # One soft shadow below all tiles.
    for place in city.places:
        corner = x + size * (x_of(place) - left), y + size * (y_of(place) - top) + size * 0.03
        canvas.box(*corner, size, size, "#3C2C10", size * 0.03, more=' fill-opacity=".28"')
    for place in city.places:
        tile = city.tile_on(place)
        paint_tile(
            canvas,
            tile,
            x + size * (x_of(place) - left),
            y + size * (y_of(place) - top),
            size,
            _edges(city, place),
            f"{x_of(place)},{y_of(place)}: {canvas.speech.tile(tile)}",
            is_first=place != ORIGIN and place in city.starts,
        )


def _edges(city: City, place: int) -> Edges:
    """Return how the edges of a built tile are shown."""
    tile = city.tile_on(place)
    stretches = city.stretches()
    faint = traced = run = 0
    for side in range(4):
        near = city.neighbour(place, side)
        if near is not None and near.kind == tile.kind:
            faint |= 1 << side
        if place * 4 + side in stretches[tile.kind]:
            traced |= 1 << side
        # The edges of a run are given on the Alhambra side; a picture shows both sides.
        edge = place * 4 + side if tile.kind == ALHAMBRA else _other_side(place, side)
        if edge in stretches[RUN]:
            run |= 1 << side
    return Edges(faint, traced, run)


def _other_side(place: int, side: int) -> int:
    dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
    return cell(x_of(place) + dx, y_of(place) + dy) * 4 + (side + 2) % 4


def _mark(canvas: Canvas, x: float, y: float, size: float, word: str) -> None:
    """Draw a marked free cell."""
    inset = size * 0.06
    dash = f' stroke-width="{size / 45:.3g}" stroke-dasharray="{size / 15:.3g} {size / 22:.3g}" fill-opacity=".8"'
    canvas.box(x + inset, y + inset, size - 2 * inset, size - 2 * inset, LEGAL_GROUND, size * 0.08, LEGAL, dash)
    letters = min(size * 0.34, size * 1.2 / max(1, len(word)))
    canvas.text(x + size / 2, y + size / 2 + letters * 0.36, word, letters, LEGAL, "middle", is_bold=True)


def paint_swatch(canvas: Canvas, word: str, x: float, y: float, width: float, height: float) -> None:
    """Draw a piece of a traced wall, moat or run."""
    canvas.box(x, y, width, height, LINE_COLOURS[word], height * 0.2)
    canvas.box(x, y, width, height * 0.45, BRASS_FILL if word == "run" else TRACE, height * 0.2)


def paint_legend(canvas: Canvas, city: City, x: float, y: float, size: float, room: float = math.inf) -> None:
    """Draw the lengths of wall, moat and run, each after a sample of its line; y is the baseline of the text."""
    parts = [(word, f"{canvas.speech.stretch(word)} {length}") for word, length in lengths(city)]
    if parts:
        size *= min(1, room / (sum([3.2 * size + width_of(words, size) for _, words in parts]) - 1.4 * size))
    for word, words in parts:
        paint_swatch(canvas, word, x, y - size * 0.65, size * 1.5, size * 0.62)
        canvas.text(x + size * 1.8, y, words, size, fits=True)
        x += size * 3.2 + width_of(words, size)
