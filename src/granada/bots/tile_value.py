"""The value of tiles for a seat: the change of points if the last scoring took place now."""

from __future__ import annotations

from typing import Final

from granada.engine.evaluation import outline
from granada.rules.city import City
from granada.rules.scoring import score_rows, scorings_to_come
from granada.rules.state import State
from granada.rules.tiles import Tile

#: The value of any tile in the city: a step towards a majority.
STEP: Final = 4.0
#: The value of each tile in the yard that would still fit somewhere.
ROOM: Final = 0.4


class TileValues:
    """The values of tiles for the city of a seat, computed on demand and cached."""

    def __init__(self, table: State, seat: int) -> None:
        self._table: Final = table.copy()
        self._seat: Final = seat
        self._player: Final = self._table.players[seat]
        self._city: Final = self._player.city
        self._scorings: Final = len(scorings_to_come(table))
        self._yard: Final = [tile for tile in table.yard if tile is not None]
        self._hut_types: Final = {tile.type for tile in self._city.tiles() if tile.is_hut}
        self._lead_now: float | None = None
        self._majorities: Final[dict[Tile, float]] = {}
        self._places: Final[dict[tuple[Tile, int], float]] = {}
        self._best: Final[dict[Tile, float]] = {}

    def best(self, tile: Tile) -> float:
        """Return the value of a face at its best place; 0 if it fits nowhere."""
        found = self._best.get(tile)
        if found is None:
            found = max([self.place(tile, cell) for cell in self._city.cells_for(tile)], default=0.0)
            self._best[tile] = found
        return found

    def place(self, tile: Tile, cell: int) -> float:
        """Return the value of building a face on a legal cell."""
        found = self._places.get((tile, cell))
        if found is None:
            city = self._city.build(tile, cell)
            walls = self._scorings * (outline(city) - outline(self._city))
            room = ROOM * len([other for other in self._yard if city.cells_for(other)])
            found = STEP + walls + room + self._majority(tile, city)
            self._places[tile, cell] = found
        return found

    def give(self, tile: Tile) -> float:
        """9.6: return the value of giving a face to Dirk."""
        dirk = self._table.dirk
        if dirk is None:
            return 0.0
        before, tiles = self._lead_before(), dirk.tiles
        dirk.tiles = (*tiles, tile)
        after = self._lead()
        dirk.tiles = tiles
        return after - before

    def _majority(self, tile: Tile, city: City) -> float:
        """Return the change of the lead by majorities; it depends on the cell only where huts are involved (14.5)."""
        is_same_everywhere = not tile.is_hut and tile.type not in self._hut_types
        found = self._majorities.get(tile) if is_same_everywhere else None
        if found is None:
            before = self._lead_before() + outline(city) - outline(self._city)
            self._player.city = city
            found = self._lead() - before
            self._player.city = self._city
            self._majorities[tile] = found
        return found

    def _lead_before(self) -> float:
        """Return the lead before any action."""
        if self._lead_now is None:
            self._lead_now = self._lead()
        return self._lead_now

    def _lead(self) -> float:
        """Return the points of the seat in scoring C, minus the average of the others."""
        points = [0] * (len(self._table.players) + 1)
        for row in score_rows(self._table, "C"):
            points[row.seat] += row.points  # Dirk, seat -1, is the last and does not compete (9.7)
        others = [score for seat, score in enumerate(points[:-1]) if seat != self._seat]
        return points[self._seat] - sum(others) / len(others)
