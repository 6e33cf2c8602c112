"""The longest wall, moat and run (7.2, 10.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from granada.rules.cells import CORNERS, NEAR
from granada.rules.codes import SIDES_OF
from granada.rules.tiles import ALHAMBRA, GRANADA, Tile

if TYPE_CHECKING:
    # A plain number of the machine when compiled, just a name for int otherwise: see `codes`.
    from mypy_extensions import i64

#: What is measured: the outer walls of each kind, and where wall and moat run together.
WALL: Final = ALHAMBRA
MOAT: Final = GRANADA
RUN: Final = 2


def longest_stretches(tiles: list[Tile | None], is_mixed: bool) -> list[list[int]]:
    """7.2, 10.7: return the edges of the longest wall, moat and run; an edge is `cell * 4 + side` of its tile.

    `tiles` contains the tile on each cell, up to one ring beyond the outermost tile; `is_mixed` says whether there can
    be tiles of both kinds. A wall edge is outer if no tile of its kind touches it; if a tile of the other kind does,
    wall and moat run together.
    """
    if not is_mixed:
        longest = _longest_round(tiles)
        is_moat = bool(longest) and _kind_of(tiles, longest[0]) == GRANADA
        return [[], longest, []] if is_moat else [longest, [], []]
    edges: list[list[int]] = [[], [], []]
    place: i64 = 0
    for tile in tiles:
        if tile is not None and tile.walls:
            kind: i64 = tile.kind
            own = edges[kind]
            side: i64
            for side in SIDES_OF[tile.walls]:
                near = tiles[NEAR[8 * place + side]]
                if near is None or near.kind != kind:
                    own.append(4 * place + side)
                    if near is not None and kind == ALHAMBRA:
                        edges[RUN].append(4 * place + side)
        place += 1
    return [_longest(some, len(tiles)) for some in edges]


def _kind_of(tiles: list[Tile | None], edge: int) -> int:
    tile = tiles[edge >> 2]
    return ALHAMBRA if tile is None else tile.kind


_NO_EDGE: Final = -1


def _longest_round(tiles: list[Tile | None]) -> list[int]:
    """7.2: the longest wall of a city of one kind, found on a walk round it.

    Such a city is connected, has no holes, and no two of its tiles touch at a corner alone (see `codes`). So its outer
    edges form one closed line, on which edges with a common corner point follow each other.
    """
    first: i64 = _first_wall(tiles)
    stretch: list[int] = []
    if first == _NO_EDGE:
        return stretch
    stretches = [stretch]
    place: i64 = first >> 2
    side: i64 = first & 3
    tile = tiles[place]
    while tile is not None:
        walls: i64 = tile.walls
        if walls >> side & 1:
            stretch.append(4 * place + side)
        elif stretch:
            stretch = []
            stretches.append(stretch)
        # Clockwise: around the corner of this tile, straight along the next one, or into the angle between the two.
        turn: i64 = side + 1 & 3
        beside: i64 = NEAR[8 * place + turn]
        next_tile = tiles[beside]
        if next_tile is None:
            side = turn
        else:
            ahead: i64 = NEAR[8 * place + 4 + side]
            angle_tile = tiles[ahead]
            if angle_tile is None:
                place, tile = beside, next_tile
            else:
                place, tile, side = ahead, angle_tile, side + 3 & 3
        if 4 * place + side == first:
            break
    if len(stretches) > 1:
        stretches[0] += stretches.pop()  # the walk ends where it started, which may be inside a stretch
    longest = stretches[0]
    for i in range(1, len(stretches)):
        other = stretches[i]
        if len(other) > len(longest) or (len(other) == len(longest) and min(other) < min(longest)):
            longest = other
    longest.sort()
    return longest


def _first_wall(tiles: list[Tile | None]) -> i64:
    """Return the first outer wall edge, in the order of cells and sides."""
    place: i64 = 0
    for tile in tiles:
        if tile is not None:
            side: i64
            for side in SIDES_OF[tile.walls]:
                if tiles[NEAR[8 * place + side]] is None:
                    return 4 * place + side
        place += 1
    return _NO_EDGE


_NO_GROUP: Final = -1


def _longest(edges: list[int], cells: int) -> list[int]:
    """7.2: return the largest set of edges connected by their corner points, the first one if tied."""
    if len(edges) < 2:
        return edges
    # Union-find: edges with a common corner point are in one group; a merged group points to a lower one.
    group_at = [_NO_GROUP] * cells
    group_of: list[int] = []
    joined: list[int] = []
    edge: i64
    for edge in edges:
        start: i64 = CORNERS[edge]
        end: i64 = CORNERS[edge + 1 if edge & 3 < 3 else edge - 3]
        group: i64 = group_at[start]
        other: i64 = group_at[end]
        if group >= 0 and other >= 0:
            group = _first_of(joined, group)
            other = _first_of(joined, other)
            if other < group:
                group, other = other, group
            joined[other] = group
        elif group < 0:
            if other >= 0:
                group = other
            else:
                group = len(joined)
                joined.append(group)
                group_at[end] = group
            group_at[start] = group
        else:
            group_at[end] = group
        group_of.append(group)
    if len(joined) == 1:
        return edges
    sizes = [0] * len(joined)
    best: i64 = 0
    most: i64 = 0
    i: i64 = 0
    for group in group_of:
        group = _first_of(joined, group)
        group_of[i] = group
        size: i64 = sizes[group] + 1
        sizes[group] = size
        if size > most or (size == most and group < best):
            best, most = group, size
        i += 1
    if most == len(edges):
        return edges
    longest: list[int] = []
    i = 0
    for edge in edges:
        if group_of[i] == best:
            longest.append(edge)
        i += 1
    return longest


def _first_of(joined: list[int], group: i64) -> i64:
    """Return the root of a group after all merges."""
    lower: i64 = joined[group]
    while lower != group:
        group = lower
        lower = joined[group]
    return group
