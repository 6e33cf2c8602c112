"""The longest wall, moat and run (7.2, 10.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from granada.rules.cells import NEAR
from granada.rules.codes import KIND, SIDES_OF, WALLS
from granada.rules.tiles import ALHAMBRA, GRANADA

if TYPE_CHECKING:
    # A plain number of the machine when compiled, just a name for int otherwise: codes are shifted and masked a lot.
    from mypy_extensions import i64

#: What is measured: the outer walls of either kind, and where wall and moat run together.
WALL: Final = ALHAMBRA
MOAT: Final = GRANADA
RUN: Final = 2


def longest_stretches(places: list[int], codes: list[int]) -> list[list[int]]:
    """7.2, 10.7: the edges of the longest wall, moat and run; an edge is `cell * 4 + side`, seen from its tile.

    A wall edge is outer if no tile of its kind touches it; where a tile of the other
    kind does, wall and moat run together.
    """
    edges: list[list[int]] = [[], [], []]
    for place in places:
        code: i64 = codes[place]
        kind = code >> KIND
        for side in SIDES_OF[code >> WALLS & 15]:
            is_run = code >> side & 1 and code >> 8 + side & 1 != kind
            if is_run or not code >> side & 1:
                edges[kind].append(place * 4 + side)
            if is_run and kind == ALHAMBRA:
                edges[RUN].append(place * 4 + side)
    return [_longest(edges[what], len(codes)) for what in range(3)]


def _touching(side: int) -> list[tuple[int, int]]:
    """Where the edges are that can share an end with one on a side of a cell: a direction (8: the cell), a side."""
    left, right, opposite = (side + 3) % 4, (side + 1) % 4, (side + 2) % 4
    return [
        *((8, left), (left, right), (left, side), (4 + left, opposite), (4 + left, right), (side, left)),
        *((8, right), (right, left), (right, side), (4 + side, opposite), (4 + side, left), (side, right)),
    ]


_TOUCHING: Final = [_touching(side) for side in range(4)]


def _longest(edges: list[int], cells: int) -> list[int]:
    """7.2: the largest set of edges that hang together by their corner points; the first of equal ones."""
    longest: list[int] = []
    if not edges:
        return longest
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
            place, side = stretch[done] // 4, stretch[done] % 4
            done += 1
            for direction, other_side in _TOUCHING[side]:
                near = place if direction == 8 else NEAR[8 * place + direction]
                edge = 4 * near + other_side
                if is_left[edge]:
                    is_left[edge] = False
                    stretch.append(edge)
        if len(stretch) > len(longest):
            longest = stretch
    return longest
