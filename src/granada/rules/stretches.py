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


#: The corners of a cell are NW, NE, SE, SW; side `i` runs from corner `i` to the next. A corner point is known by the
#: cell whose north-western corner it is: the cell itself (8), or its neighbour in one of these directions.
CORNERS: Final = [8, 1, 5, 2]
_NOBODY: Final = -1


def _longest(edges: list[int], cells: int) -> list[int]:
    """7.2: the largest set of edges that hang together by their corner points; the first of equal ones."""
    if len(edges) < 2:
        return edges
    # Edges with a common corner point are in one group; a group that was joined with another points to a lower one.
    group_at = [_NOBODY] * cells
    group_of: list[int] = []
    joined: list[int] = []
    sizes: list[int] = []
    edge: i64
    for edge in edges:
        place: i64 = edge >> 2
        side: i64 = edge & 3
        start: i64 = NEAR[8 * place + CORNERS[side]] if side else place
        end: i64 = NEAR[8 * place + CORNERS[side + 1]] if side < 3 else place
        group: i64 = _first_of(joined, group_at[start])
        other: i64 = _first_of(joined, group_at[end])
        if group == _NOBODY:
            group = other
        elif other != _NOBODY and other != group:
            if other < group:
                group, other = other, group
            joined[other] = group
            sizes[group] += sizes[other]
        if group == _NOBODY:
            group = len(joined)
            joined.append(group)
            sizes.append(0)
        sizes[group] += 1
        group_at[start] = group
        group_at[end] = group
        group_of.append(group)
    best: i64 = 0
    for number in range(1, len(joined)):
        if joined[number] == number and sizes[number] > sizes[best]:
            best = number
    if sizes[best] == len(edges):
        return edges
    return [edge for i, edge in enumerate(edges) if _first_of(joined, group_of[i]) == best]


def _first_of(joined: list[int], group: i64) -> i64:
    """The group to which a group belongs after all joining."""
    if group >= 0:
        while (lower := joined[group]) != group:
            group = lower
    return group
