"""The longest wall, moat and run (7.2, 10.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from granada.rules.cells import NEAR
from granada.rules.codes import SIDES_OF
from granada.rules.tiles import ALHAMBRA, GRANADA, Tile

if TYPE_CHECKING:
    # A plain number of the machine when compiled, just a name for int otherwise: see `codes`.
    from mypy_extensions import i64

#: What is measured: the outer walls of either kind, and where wall and moat run together.
WALL: Final = ALHAMBRA
MOAT: Final = GRANADA
RUN: Final = 2


def longest_stretches(tiles: list[Tile | None]) -> list[list[int]]:
    """7.2, 10.7: the edges of the longest wall, moat and run; an edge is `cell * 4 + side`, seen from its tile.

    `tiles` tells what lies on each cell, as far as one ring beyond the outermost tile. A wall edge is outer if no tile
    of its kind touches it; where a tile of the other kind does, wall and moat run together.
    """
    edges: list[list[int]] = [[], [], []]
    for place, tile in enumerate(tiles):
        if tile is None:
            continue
        for side in SIDES_OF[tile.walls]:
            near = tiles[NEAR[8 * place + side]]
            if near is None or near.kind != tile.kind:
                edges[tile.kind].append(place * 4 + side)
                if near is not None and tile.kind == ALHAMBRA:
                    edges[RUN].append(place * 4 + side)
    return [_longest(edges[what], len(tiles)) for what in range(3)]


#: The edges that can share an end with each edge; known as far as they were asked for.
_touching: Final[list[list[int]]] = []


def touching(edge: int) -> list[int]:
    """The edges that can share an end with an edge."""
    if len(_touching) <= edge:
        _know_touching(edge + 1)
    return _touching[edge]


def _know_touching(count: int) -> None:
    """Make sure that `_touching` is known for so many edges: each line of the grid is seen from both its sides."""
    for edge in range(len(_touching), count):
        place, side = edge // 4, edge % 4
        left, right, opposite = (side + 3) % 4, (side + 1) % 4, (side + 2) % 4
        seen_from = [
            *((8, left), (left, right), (left, side), (4 + left, opposite), (4 + left, right), (side, left)),
            *((8, right), (right, left), (right, side), (4 + side, opposite), (4 + side, left), (side, right)),
        ]
        cells = [*NEAR[8 * place : 8 * place + 8], place]
        _touching.append([4 * cells[direction] + other for direction, other in seen_from])


def _longest(edges: list[int], cells: int) -> list[int]:
    """7.2: the largest set of edges that hang together by their corner points; the first of equal ones."""
    longest: list[int] = []
    if not edges:
        return longest
    if len(_touching) <= edges[-1]:
        _know_touching(edges[-1] + 1)
    is_left = [False] * (4 * cells)
    for edge in edges:
        is_left[edge] = True
    for first in edges:
        if not is_left[first]:
            continue
        is_left[first] = False
        stretch = [first]
        done = 0
        while done < len(stretch):
            other: i64
            for other in _touching[stretch[done]]:
                if is_left[other]:
                    is_left[other] = False
                    stretch.append(other)
            done += 1
        if len(stretch) > len(longest):
            longest = stretch
    return longest
