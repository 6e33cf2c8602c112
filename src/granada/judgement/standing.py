"""Who has what: the tiles of each type by seat, what one more would change, and where the longest walls run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from granada.judgement.temper import Temper
from granada.rules.cells import NEAR
from granada.rules.city import City
from granada.rules.scoring import (
    ALHAMBRA_POINTS,
    GRANADA_FACTORS,
    SCORINGS,
    SIMPLIFIED_POINTS,
    hut_worth,
    scorings_to_come,
)
from granada.rules.state import State
from granada.rules.stretches import touching
from granada.rules.tiles import ALHAMBRA_TYPES, NO_TYPE, TYPES, Tile

if TYPE_CHECKING:
    from mypy_extensions import i64  # a plain number of the machine when compiled

#: Written out, so that they are plain numbers when compiled.
TYPE_COUNT: Final = 15
_FIRST_GRANADA: Final = 6
assert len(TYPES) == TYPE_COUNT
assert len(ALHAMBRA_TYPES) == _FIRST_GRANADA
_UNKNOWN: Final = -1e9


def _flat(table: tuple[tuple[int, ...], ...]) -> list[int]:
    """Three numbers a scoring."""
    return [row[place] if place < len(row) else 0 for row in table for place in range(3)]


#: 7.3, 7.4, 7.5: points and factors by scoring and place.
_POINTS: Final = _flat(ALHAMBRA_POINTS)
_FACTORS: Final = _flat(GRANADA_FACTORS)
_SIMPLIFIED: Final = _flat(SIMPLIFIED_POINTS)


def share_of(
    counts: list[int], highest: list[int], entrants: i64, one: i64, type_: i64, index: i64, is_simplified: bool
) -> float:
    """7.3, 7.4, 7.5: what an entrant (Dirk is the last, if he plays) gets for a type in a scoring."""
    own: i64 = counts[one * TYPE_COUNT + type_]
    if not own:
        return 0.0
    is_granada: bool = type_ >= _FIRST_GRANADA
    price: i64 = highest[one * TYPE_COUNT + type_] if is_granada else 0
    ahead: i64 = 0
    level: i64 = 0
    whole: i64 = 0
    at: i64 = type_
    other: i64 = 0
    while other < entrants:
        theirs: i64 = counts[at]
        whole += theirs
        if theirs > own:
            ahead += 1
        elif theirs == own and other != one:
            if not is_granada:
                level += 1
            elif highest[at] > price:
                ahead += 1
        at += TYPE_COUNT
        other += 1
    if ahead > index:
        return 0.0
    points: i64 = 0
    if is_granada:
        points = _SIMPLIFIED[3 * index + ahead] if is_simplified else whole * _FACTORS[3 * index + ahead]
        return float(points)
    place: i64 = ahead
    while place <= ahead + level and place <= index:
        points += _POINTS[3 * index + place] + type_
        place += 1
    return float(points // (level + 1))


@final
class Standing:
    """A count of a state, kept up to date by `note`; worths are worked out when they are asked for."""

    __slots__ = (
        "_gains",
        "_given",
        "_is_simplified",
        "_marks",
        "_rows",
        "counts",
        "entrants",
        "highest",
        "scorings",
        "state",
        "temper",
        "weight",
    )

    def __init__(self, state: State, temper: Temper) -> None:
        self.state: Final = state
        self.temper: Final = temper
        players = len(state.players)
        self.entrants: Final = players + (1 if state.dirk is not None else 0)
        self._is_simplified: Final = state.options.scoring == "simplified"
        #: By entrant and type.
        self.counts: Final = [0] * (TYPE_COUNT * self.entrants)
        self.highest: Final = [0] * (TYPE_COUNT * self.entrants)
        #: The scorings to come, by their index.
        self.scorings: list[int] = []
        #: How often what is built now counts: the next scoring once, later ones less.
        self.weight = 0.0
        self._rows = -1
        #: How many tiles Dirk had when he was last counted.
        self._given = -1
        self._gains: Final = [_UNKNOWN] * (TYPE_COUNT * players)
        #: For each seat and kind, which edges belong to the longest stretch; None: not known.
        self._marks: Final[list[list[bool] | None]] = [None] * (2 * players)
        self.note_scoring()
        for seat in range(players):
            self.note(seat)
        self.note_dirk()

    def note(self, seat: int) -> None:
        """The city of a seat, or what it has revealed, has changed."""
        first = seat * TYPE_COUNT
        counts = [0] * TYPE_COUNT
        highest = [0] * TYPE_COUNT
        player = self.state.players[seat]
        has_hut = False
        for tile in player.city.tiles():
            if tile.is_hut:
                has_hut = True
            elif tile.type != NO_TYPE:
                at = tile.type
                counts[at] += 1
                if tile.price > highest[at]:
                    highest[at] = tile.price
        for card in player.revealed:
            counts[card.type] += 1
        if has_hut:
            for place in player.city.huts():
                hut = player.city.tile_on(place)
                counts[hut.type] += hut_worth(player, place, hut)
        self._marks[2 * seat] = None
        self._marks[2 * seat + 1] = None
        self._take_over(first, counts, highest)

    def note_dirk(self) -> None:
        """What Dirk has may have changed."""
        dirk = self.state.dirk
        if dirk is None or len(dirk.tiles) == self._given:
            return
        self._given = len(dirk.tiles)
        counts = [0] * TYPE_COUNT
        highest = [0] * TYPE_COUNT
        for tile in dirk.tiles:
            counts[tile.type] += 1
            if tile.price > highest[tile.type]:
                highest[tile.type] = tile.price
        self._take_over((self.entrants - 1) * TYPE_COUNT, counts, highest)

    def _take_over(self, first: int, counts: list[int], highest: list[int]) -> None:
        """Keep the new count of an entrant, and forget what depends on what has changed."""
        for type_ in range(TYPE_COUNT):
            at = first + type_
            if self.counts[at] != counts[type_] or self.highest[at] != highest[type_]:
                self.counts[at] = counts[type_]
                self.highest[at] = highest[type_]
                for seat in range(len(self.state.players)):
                    self._gains[seat * TYPE_COUNT + type_] = _UNKNOWN

    def note_scoring(self) -> bool:
        """A scoring may have taken place; tells whether it has."""
        rows = len(self.state.rows)
        if rows == self._rows:
            return False
        self._rows = rows
        self.scorings = [SCORINGS.index(letter) for letter in scorings_to_come(self.state)]
        weight = 1.0
        self.weight = 0.0
        for _ in self.scorings:
            self.weight += weight
            weight *= self.temper.later
        for at in range(len(self._gains)):
            self._gains[at] = _UNKNOWN
        return True

    def share(self, one: int, type_: int, index: int) -> float:
        """What an entrant would get for a type in a scoring."""
        return share_of(self.counts, self.highest, self.entrants, one, type_, index, self._is_simplified)

    def gain(self, seat: int, type_: int) -> float:
        """What one more tile of a type is worth to a seat by majorities."""
        at = seat * TYPE_COUNT + type_
        found = self._gains[at]
        if found == _UNKNOWN:
            before = self._majority(seat, type_)
            self.counts[at] += 1
            found = self._majority(seat, type_) - before
            self.counts[at] -= 1
            self._gains[at] = found
        return found

    def gift(self, seat: int, tile: Tile) -> float:
        """9.6: what it is worth to a seat that Dirk gets a tile."""
        at = (self.entrants - 1) * TYPE_COUNT + tile.type
        before, highest = self._majority(seat, tile.type), self.highest[at]
        self.counts[at] += 1
        self.highest[at] = max(highest, tile.price)
        after = self._majority(seat, tile.type)
        self.counts[at] -= 1
        self.highest[at] = highest
        return self.temper.majority * (after - before)

    def _majority(self, seat: int, type_: int) -> float:
        """The points of a type for a seat, less those of the others, over all scorings to come."""
        players = len(self.state.players)
        weight = 1.0
        whole = 0.0
        for index in self.scorings:
            others = 0.0
            for other in range(players):
                if other != seat:
                    others += self.share(other, type_, index)
            whole += weight * (self.share(seat, type_, index) - self.temper.others * others / (players - 1))
            weight *= self.temper.later
        return whole

    # Walls

    def wall_gain(self, seat: int, city: City, tile: Tile, cell: int) -> float:
        """About how many edges the longest wall of a city grows by if a tile is built on a cell; no search."""
        marks = self._marks_of(seat, city, tile.kind)
        known: i64 = len(marks)
        walls: i64 = tile.walls
        outer: i64 = 0
        covered: i64 = 0
        room: i64 = 0
        is_joined = False
        side: i64 = 0
        bit: i64 = 1
        first: i64 = 8 * cell
        while side < 4:
            near: i64 = NEAR[first + side]
            other = city.tile_at(near)
            if walls & bit:
                if other is None or other.kind != tile.kind:
                    outer += 1
                    if not is_joined:
                        edge: i64
                        for edge in touching(4 * cell + side):
                            if edge < known and marks[edge]:
                                is_joined = True
                                break
                else:
                    facing: i64 = 4 * near + (side + 2 if side < 2 else side - 2)
                    if facing < known and marks[facing]:
                        covered += 1
            elif other is None:
                room += 1
            side += 1
            bit += bit
        length: i64 = city.stretch(tile.kind)
        grown = float(outer)
        if not is_joined:
            grown = 0.3 * float(outer) + (float(outer - length) if outer > length else 0.0)
        return self.temper.wall * self.weight * (grown - float(covered)) + self.temper.room * float(room)

    def _marks_of(self, seat: int, city: City, kind: int) -> list[bool]:
        found = self._marks[2 * seat + kind]
        if found is None:
            edges = city.stretches()[kind]
            longest = 0
            for edge in edges:
                if edge > longest:
                    longest = edge
            found = [False] * (longest + 1)
            for edge in edges:
                found[edge] = True
            self._marks[2 * seat + kind] = found
        return found
