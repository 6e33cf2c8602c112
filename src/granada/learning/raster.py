"""A table as pixels (`rgb_array`), drawn with NumPy alone: yard and display on top, the cities below.

SVG would need a renderer with native libraries, so this is a plain picture of the same view: tiles in the colours of
their types with their prices, dark walls, cards in the colours of their currencies, points and hand sizes as numbers.
"""

from __future__ import annotations

from typing import Final

from granada.drawing.palette import (
    BOARD,
    CURRENCY_COLOURS,
    GROUND,
    INK,
    IVORY,
    PANEL,
    SEAT_COLOURS,
    STRONG_LINE,
    TYPE_COLOURS,
)
from granada.learning.missing import missing
from granada.learning.tokens import REACH, WIDTH
from granada.rules.cells import x_of, y_of
from granada.rules.city import City
from granada.rules.money import Card, by_order
from granada.rules.tiles import Tile
from granada.rules.view import View

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None

#: The pixels of a cell, of the margin around everything, and of the side of a city.
CELL_SIZE: Final = 14
MARGIN: Final = 8
CITY_SIZE: Final = WIDTH * CELL_SIZE
_STRIP: Final = 2 * CELL_SIZE
#: The digits, five rows of three pixels each, as bits.
_DIGITS: Final = (
    (7, 5, 5, 5, 7),
    (2, 6, 2, 2, 7),
    (7, 1, 7, 4, 7),
    (7, 1, 7, 1, 7),
    (5, 5, 7, 1, 1),
    (7, 4, 7, 1, 7),
    (7, 4, 7, 5, 7),
    (7, 1, 2, 2, 2),
    (7, 5, 7, 5, 7),
    (7, 5, 7, 1, 7),
)


def picture(view: View) -> NDArray[np.uint8]:
    """Return the picture of a view: rows, columns, RGB; its size depends only on the number of players."""
    players = view.table.players
    columns = min(len(players), 3)
    rows = -(-len(players) // columns)
    width = max(columns * (CITY_SIZE + MARGIN) + MARGIN, 26 * CELL_SIZE)
    height = _STRIP + 3 * MARGIN + rows * (CITY_SIZE + CELL_SIZE + 2 * MARGIN)
    image = np.empty((height, width, 3), np.uint8)
    image[:] = _rgb(GROUND)
    _draw_middle(image, view)
    for seat in range(len(players)):
        row, column = divmod(seat, columns)
        left = MARGIN + column * (CITY_SIZE + MARGIN)
        top = _STRIP + 3 * MARGIN + row * (CITY_SIZE + CELL_SIZE + 2 * MARGIN)
        _draw_seat(image, view, seat, left, top)
    return image


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _box(image: NDArray[np.uint8], left: int, top: int, width: int, height: int, colour: str) -> None:
    image[top : top + height, left : left + width] = _rgb(colour)


def _number(image: NDArray[np.uint8], left: int, top: int, number: int, colour: str) -> None:
    """Draw a number with small digits, four pixels apart."""
    for i, digit in enumerate(str(number)):
        for y, bits in enumerate(_DIGITS[int(digit)]):
            for x in range(3):
                if bits >> (2 - x) & 1:
                    image[top + y, left + 4 * i + x] = _rgb(colour)


def _draw_middle(image: NDArray[np.uint8], view: View) -> None:
    """Draw the yard, the tiles to be placed and the display."""
    table = view.table
    left = MARGIN
    halves = len(table.options.kinds)
    for slot, tile in enumerate(table.yard):
        _box(image, left, MARGIN, _STRIP, 3, CURRENCY_COLOURS[slot // halves][0])
        _draw_tile(image, tile, left + CELL_SIZE // 2, MARGIN + CELL_SIZE // 2)
        left += _STRIP
    left += CELL_SIZE
    for tile in table.tray:
        _draw_tile(image, tile, left, MARGIN + CELL_SIZE // 2)
        left += CELL_SIZE
    left = 26 * CELL_SIZE - MARGIN - 4 * (CELL_SIZE + 2)
    for card in sorted(table.display, key=by_order):
        _draw_card(image, card, left, MARGIN)
        left += CELL_SIZE + 2


def _draw_card(image: NDArray[np.uint8], card: Card, left: int, top: int) -> None:
    ground, ink = CURRENCY_COLOURS[card.currency]
    _box(image, left, top, CELL_SIZE, _STRIP, ground)
    if card.other >= 0:
        _box(image, left, top + CELL_SIZE, CELL_SIZE, CELL_SIZE, CURRENCY_COLOURS[card.other][0])
    else:
        _number(image, left + 5, top + 4, card.value, ink)


def _draw_tile(image: NDArray[np.uint8], tile: Tile | None, left: int, top: int) -> None:
    if tile is None:
        _box(image, left, top, CELL_SIZE, CELL_SIZE, BOARD)
        return
    ground, ink = (IVORY, INK) if tile.is_start else TYPE_COLOURS[tile.type]
    _box(image, left, top, CELL_SIZE, CELL_SIZE, STRONG_LINE)
    _box(image, left + 1, top + 1, CELL_SIZE - 2, CELL_SIZE - 2, ground)
    if tile.is_hut:
        _box(image, left + 4, top + 4, CELL_SIZE - 8, CELL_SIZE - 8, ink)
    elif tile.price:
        _number(image, left + (3 if tile.price > 9 else 5), top + 4, tile.price, ink)
    edges = (
        (left, top, CELL_SIZE, 2),
        (left + CELL_SIZE - 2, top, 2, CELL_SIZE),
        (left, top + CELL_SIZE - 2, CELL_SIZE, 2),
        (left, top, 2, CELL_SIZE),
    )
    for side, edge in enumerate(edges):
        if tile.walls >> side & 1:
            _box(image, *edge, INK)


def _draw_seat(image: NDArray[np.uint8], view: View, seat: int, left: int, top: int) -> None:
    """Draw the points and the number of cards of a seat, and its city."""
    table = view.table
    player = table.players[seat]
    ground, ink = SEAT_COLOURS[seat]
    _box(image, left, top, CITY_SIZE, CELL_SIZE, ground)
    _number(image, left + 4, top + 5, player.score, ink)
    _number(image, left + CITY_SIZE // 2, top + 5, view.hand_sizes[seat], ink)
    if not table.is_over and table.seat == seat:
        _box(image, left + CITY_SIZE - CELL_SIZE, top + 4, CELL_SIZE - 4, CELL_SIZE - 8, ink)
    _box(image, left, top + CELL_SIZE, CITY_SIZE, CITY_SIZE, PANEL)
    _draw_city(image, player.city, left, top + CELL_SIZE)


def _draw_city(image: NDArray[np.uint8], city: City, left: int, top: int) -> None:
    """Draw the tiles in the window around the start tile."""
    for place, tile in zip(city.places, city.tiles(), strict=True):
        x, y = x_of(place) + REACH, y_of(place) + REACH
        if 0 <= x < WIDTH and 0 <= y < WIDTH:
            _draw_tile(image, tile, left + x * CELL_SIZE, top + y * CELL_SIZE)
