"""A literal implementation of chapter 5 (with 10.5 and 10.6): slow and simple, to test the fast one in `city`."""

from __future__ import annotations

from granada.rules.cells import DIRECTIONS, NO_CELL, x_of, y_of
from granada.rules.city import City
from granada.rules.tiles import Tile

_Cell = tuple[int, int]


def is_lawful(city: City) -> bool:
    """5.6: return whether a whole city obeys the building rules."""
    tiles = {(x_of(place), y_of(place)): city.tile_on(place) for place in city.places}
    starts = {(x_of(place), y_of(place)) for place in city.starts if place != NO_CELL}
    return (
        _are_edges_lawful(tiles)
        and _is_walkable(tiles, starts)
        and _is_connected(set(tiles))
        and _has_no_holes(set(tiles))
    )


def _near(cell: _Cell, side: int) -> _Cell:
    return cell[0] + DIRECTIONS[side][0], cell[1] + DIRECTIONS[side][1]


def _are_edges_lawful(tiles: dict[_Cell, Tile]) -> bool:
    """5.2, 10.5: return whether touching edges of one kind match, and the kinds touch only wall to moat."""
    for cell, tile in tiles.items():
        for side in range(4):
            near = tiles.get(_near(cell, side))
            if near is None:
                continue
            mine, theirs = tile.walls >> side & 1, near.walls >> (side + 2) % 4 & 1
            if mine != theirs or (near.kind != tile.kind and not mine):
                return False
    return True


def _is_walkable(tiles: dict[_Cell, Tile], starts: set[_Cell]) -> bool:
    """5.3, 10.6: return whether every tile can be reached on foot from the start tile of its kind."""
    reached = set(starts)
    queue = list(starts)
    while queue:
        cell = queue.pop()
        tile = tiles[cell]
        for side in range(4):
            near = _near(cell, side)
            if near in tiles and near not in reached and tiles[near].kind == tile.kind:
                if not tile.walls >> side & 1:
                    reached.add(near)
                    queue.append(near)
    return len(reached) == len(tiles)


def _is_connected(taken: set[_Cell]) -> bool:
    """5.4, 10.6: return whether the whole layout is connected by edges."""
    return len(_flood(min(taken), taken)) == len(taken)


def _has_no_holes(taken: set[_Cell]) -> bool:
    """5.5: return whether every empty cell is connected to the outside by edges."""
    xs, ys = [x for x, _ in taken], [y for _, y in taken]
    box = {(x, y) for x in range(min(xs) - 1, max(xs) + 2) for y in range(min(ys) - 1, max(ys) + 2)}
    empty = box - taken
    return len(_flood(min(empty), empty)) == len(empty)


def _flood(first: _Cell, cells: set[_Cell]) -> set[_Cell]:
    reached = {first}
    queue = [first]
    while queue:
        cell = queue.pop()
        for side in range(4):
            near = _near(cell, side)
            if near in cells and near not in reached:
                reached.add(near)
                queue.append(near)
    return reached
