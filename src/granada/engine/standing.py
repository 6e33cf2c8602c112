"""Incremental counts of a state: tiles of each type by seat, the value of one more, and the longest walls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from granada.engine.weights import Weights
from granada.rules.cells import CORNERS, NEAR
from granada.rules.city import City
from granada.rules.codes import SIDES_OF
from granada.rules.scoring import (
    ALHAMBRA_POINTS,
    GRANADA_FACTORS,
    SCORINGS,
    SIMPLIFIED_POINTS,
    hut_worth,
    scorings_to_come,
)
from granada.rules.state import State
from granada.rules.tiles import ALHAMBRA_TYPES, GRANADA, NO_TYPE, TYPES, Tile

if TYPE_CHECKING:
    from mypy_extensions import i64  # a native integer when compiled

#: Literals, so that they are native integers when compiled.
TYPE_COUNT: Final = 15
_FIRST_GRANADA: Final = 6
assert len(TYPES) == TYPE_COUNT
assert len(ALHAMBRA_TYPES) == _FIRST_GRANADA
_UNKNOWN: Final = -1e9


#: The points of the three scorings are packed into one number, so that they are computed at once.
_SCORING_BITS: Final = 10
_SCORING_MASK: Final = 1023
#: Counts and highest prices of one type are packed too, a byte for each entrant.
_ONE_OF: Final = [1 << 8 * one for one in range(7)]
#: A power of two above the number of entrants that can be ahead or level.
_MOST: Final = 8


def _packed(points: list[int]) -> int:
    """Pack the points of the three scorings into one number."""
    return sum([amount << _SCORING_BITS * index for index, amount in enumerate(points)])


def in_scoring(packed: i64, index: i64) -> i64:
    """Return the points of one scoring (0 to 2) from a packed number."""
    return packed >> _SCORING_BITS * index & _SCORING_MASK


def _alhambra_share(type_: int, index: int, ahead: int, level: int) -> int:
    """7.3: return the points of an entrant with this many others ahead and level; shared points are rounded down."""
    places = ALHAMBRA_POINTS[index]
    return sum([places[place] + type_ for place in range(ahead, min(ahead + level + 1, len(places)))]) // (level + 1)


def _by_place(table: tuple[tuple[int, ...], ...]) -> list[int]:
    """Return the packed entries of a table of points by scoring and place, by the number of entrants ahead."""
    return [_packed([row[ahead] if ahead < len(row) else 0 for row in table]) for ahead in range(_MOST)]


#: 7.3: the packed points at index (type * _MOST + ahead) * _MOST + level.
_ALHAMBRA_SHARES: Final = [
    _packed([_alhambra_share(type_, index, ahead, level) for index in range(len(SCORINGS))])
    for type_ in range(_FIRST_GRANADA)
    for ahead in range(_MOST)
    for level in range(_MOST)
]
#: 7.4, 7.5: by the number of entrants ahead.
_FACTORS: Final = _by_place(GRANADA_FACTORS)
_SIMPLIFIED: Final = _by_place(SIMPLIFIED_POINTS)


def shares_of(counts: i64, highest: i64, entrants: i64, one: i64, type_: i64, is_simplified: bool) -> i64:
    """7.3, 7.4, 7.5: return the packed points of an entrant for a type; Dirk is the last entrant, if he plays."""
    own: i64 = counts >> 8 * one & 255
    if not own:
        return 0
    ahead: i64 = 0
    other: i64 = 0
    theirs: i64
    if type_ < _FIRST_GRANADA:
        level: i64 = -1  # the entrant is level with itself
        while other < entrants:
            theirs = counts & 255
            if theirs > own:
                ahead += 1
            elif theirs == own:
                level += 1
            counts >>= 8
            other += 1
        return _ALHAMBRA_SHARES[(type_ * _MOST + ahead) * _MOST + level]
    price: i64 = highest >> 8 * one & 255
    whole: i64 = 0
    while other < entrants:
        theirs = counts & 255
        whole += theirs
        if theirs > own or (theirs == own and highest & 255 > price):
            ahead += 1
        counts >>= 8
        highest >>= 8
        other += 1
    if is_simplified:
        return _SIMPLIFIED[ahead]
    factors: i64 = _FACTORS[ahead]
    return whole * factors


#: For each set of sides: the number of sides, and the corners (NW, NE, SE, SW) at their ends.
_NUMBER: Final = [len(sides) for sides in SIDES_OF]
_ENDS: Final = [(sides | sides << 1 | sides >> 3) & 15 for sides in range(16)]
#: In the marks of a cell: the bit of its north-western corner; the bits of its four sides are below it.
_CORNER: Final = 16
_SIDE_BITS: Final = [1, 2, 4, 8]


@final
class Standing:
    """Counts of a state, kept up to date by the `note` methods; gains are computed on demand."""

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
        "scorings_weight",
        "state",
        "weights",
    )

    def __init__(self, state: State, weights: Weights) -> None:
        self.state: Final = state
        self.weights: Final = weights
        players = len(state.players)
        self.entrants: Final = players + (1 if state.dirk is not None else 0)
        self._is_simplified: Final = state.options.scoring == "simplified"
        #: By entrant and type.
        self.counts: Final = [0] * (TYPE_COUNT * self.entrants)
        self.highest: Final = [0] * (TYPE_COUNT * self.entrants)
        #: The scorings to come, by their index.
        self.scorings: list[int] = []
        #: The total weight of the scorings to come: 1 for the next one, less for later ones.
        self.scorings_weight = 0.0
        self._rows = len(state.rows)
        #: The number of Dirk's tiles when he was last counted.
        self._given = -1
        self._gains: list[float] = []
        #: For each seat and kind, by cell: the sides that belong to the longest stretch, and whether it passes the
        #: cell's north-western corner; None if not computed.
        self._marks: Final[list[list[int] | None]] = [None] * (2 * players)
        self.look_at_scorings()
        for seat in range(players):
            self._count(seat, self.counts, self.highest, seat * TYPE_COUNT)
        self.note_dirk()

    def note(self, seat: int) -> None:
        """Update after the city or the revealed cards of a seat have changed."""
        counts = [0] * TYPE_COUNT
        highest = [0] * TYPE_COUNT
        self._count(seat, counts, highest, 0)
        self._marks[2 * seat] = None
        self._marks[2 * seat + 1] = None
        self._take_over(seat * TYPE_COUNT, counts, highest)

    def _count(self, seat: int, counts: list[int], highest: list[int], first: i64) -> None:
        """Count the tiles of a seat into lists of zeros, starting at index `first`."""
        player = self.state.players[seat]
        has_hut = False
        for tile in player.city.tiles():
            if tile.is_hut:
                has_hut = True
            elif tile.type != NO_TYPE:
                at: i64 = first + tile.type
                count: i64 = counts[at]
                counts[at] = count + 1
                if tile.price > highest[at]:
                    highest[at] = tile.price
        for card in player.revealed:
            counts[first + card.type] += 1
        if has_hut:
            for place in player.city.huts():
                hut = player.city.tile_on(place)
                counts[first + hut.type] += hut_worth(player, place, hut)

    def note_built(self, seat: int, tile: Tile) -> None:
        """Update after a tile was added to the city of a seat, in a game without huts."""
        at = seat * TYPE_COUNT + tile.type
        self.counts[at] += 1
        if tile.price > self.highest[at]:
            self.highest[at] = tile.price
        self._marks[2 * seat] = None
        self._marks[2 * seat + 1] = None
        self._forget_gains(tile.type)

    def note_dirk(self) -> None:
        """Update if Dirk's tiles have changed."""
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
        """Store the new counts of an entrant, and reset the gains that depend on them."""
        for type_ in range(TYPE_COUNT):
            at = first + type_
            if self.counts[at] != counts[type_] or self.highest[at] != highest[type_]:
                self.counts[at] = counts[type_]
                self.highest[at] = highest[type_]
                self._forget_gains(type_)

    def _forget_gains(self, type_: int) -> None:
        for seat in range(len(self.state.players)):
            self._gains[seat * TYPE_COUNT + type_] = _UNKNOWN

    def note_scoring(self) -> bool:
        """Update if a scoring has taken place, and return whether it has."""
        rows = len(self.state.rows)
        if rows == self._rows:
            return False
        self._rows = rows
        self.look_at_scorings()
        return True

    def look_at_scorings(self) -> None:
        """Find the scorings to come; `note_scoring` does not notice a scoring without points."""
        self.scorings = [SCORINGS.index(letter) for letter in scorings_to_come(self.state)]
        weight = 1.0
        self.scorings_weight = 0.0
        for _ in self.scorings:
            self.scorings_weight += weight
            weight *= self.weights.later
        self._gains = [_UNKNOWN] * (TYPE_COUNT * len(self.state.players))

    def share(self, one: int, type_: int, index: int) -> float:
        """Return the points of an entrant for a type in a scoring."""
        counts, highest = self._all(self.counts, type_), self._all(self.highest, type_)
        return float(in_scoring(shares_of(counts, highest, self.entrants, one, type_, self._is_simplified), index))

    def _all(self, numbers: list[int], type_: i64) -> i64:
        """The counts, or the highest prices, of a type, packed."""
        found: i64 = 0
        at: i64 = (self.entrants - 1) * TYPE_COUNT + type_
        while at >= 0:
            number: i64 = numbers[at]
            found = found << 8 | number
            at -= TYPE_COUNT
        return found

    def points(self) -> list[int]:
        """What each entrant would get for all types in the three scorings if they took place now, packed."""
        entrants: i64 = self.entrants
        found = [0] * self.entrants
        type_: i64 = 0
        while type_ < TYPE_COUNT:
            counts: i64 = self._all(self.counts, type_)
            if counts:
                highest: i64 = self._all(self.highest, type_) if type_ >= _FIRST_GRANADA else 0
                one: i64 = 0
                while one < entrants:
                    found[one] += shares_of(counts, highest, entrants, one, type_, self._is_simplified)
                    one += 1
            type_ += 1
        return found

    def gain(self, seat: int, type_: int) -> float:
        """What one more tile of a type is worth to a seat by majorities."""
        at = seat * TYPE_COUNT + type_
        found = self._gains[at]
        if found == _UNKNOWN:
            counts: i64 = self._all(self.counts, type_)
            highest: i64 = self._all(self.highest, type_) if type_ >= _FIRST_GRANADA else 0
            one: i64 = _ONE_OF[seat]
            found = self._majority(seat, type_, counts + one, highest) - self._majority(seat, type_, counts, highest)
            self._gains[at] = found
        return found

    def gift(self, seat: int, tile: Tile) -> float:
        """9.6: return the worth for a seat of giving Dirk a tile."""
        dirk = self.entrants - 1
        counts: i64 = self._all(self.counts, tile.type)
        highest: i64 = self._all(self.highest, tile.type)
        one: i64 = _ONE_OF[dirk]
        increase: i64 = max(0, tile.price - self.highest[dirk * TYPE_COUNT + tile.type])
        before = self._majority(seat, tile.type, counts, highest)
        after = self._majority(seat, tile.type, counts + one, highest + increase * one)
        return self.weights.majority * (after - before)

    def _majority(self, seat: i64, type_: i64, counts: i64, highest: i64) -> float:
        """Return the points of a type for a seat, minus those of the others, over all scorings to come."""
        players: i64 = len(self.state.players)
        entrants: i64 = self.entrants
        own: i64 = 0
        others: i64 = 0
        other: i64 = 0
        while other < players:
            points = shares_of(counts, highest, entrants, other, type_, self._is_simplified)
            if other == seat:
                own = points
            else:
                others += points
            other += 1
        weight = 1.0
        whole = 0.0
        index: i64
        for index in self.scorings:
            theirs = self.weights.others * float(in_scoring(others, index)) / float(players - 1)
            whole += weight * (float(in_scoring(own, index)) - theirs)
            weight *= self.weights.later
        return whole

    # Walls

    def wall_gain(self, seat: int, city: City, tile: Tile, cell: int) -> float:
        """Estimate, without a search, the worth of the longer wall if a tile is built on a cell."""
        code: i64 = city.code(cell)
        walls: i64 = tile.walls
        taken: i64 = code & 15
        room: i64 = _NUMBER[15 & ~(walls | taken)]
        if not walls:
            return self.weights.room * float(room)
        own: i64 = taken & (code >> 8 if tile.kind == GRANADA else ~(code >> 8))
        marks = self._marks_of(seat, city, tile.kind)
        known: i64 = len(marks)
        first: i64 = 8 * cell
        covered: i64 = 0
        side: i64
        for side in SIDES_OF[walls & own]:
            if marks[NEAR[first + side]] >> (side + 2 & 3) & 1:
                covered += 1
        free: i64 = walls & ~own
        outer: i64 = _NUMBER[free]
        grown = float(outer)
        if outer:
            is_joined = False
            ends: i64 = _ENDS[free]
            corner: i64
            for corner in SIDES_OF[ends]:
                place: i64 = CORNERS[4 * cell + corner]
                if place < known and marks[place] & _CORNER:
                    is_joined = True
                    break
            if not is_joined:
                length: i64 = city.stretch(tile.kind)
                grown = 0.3 * float(outer) + (float(outer - length) if outer > length else 0.0)
        return self.weights.wall * self.scorings_weight * (grown - float(covered)) + self.weights.room * float(room)

    def _marks_of(self, seat: int, city: City, kind: int) -> list[int]:
        found = self._marks[2 * seat + kind]
        if found is None:
            found = [0] * city.extent()
            edge: i64
            for edge in city.stretches()[kind]:
                place: i64 = edge >> 2
                marks: i64 = found[place]
                found[place] = marks | _SIDE_BITS[edge & 3]
                start: i64 = CORNERS[edge]
                marks = found[start]
                found[start] = marks | _CORNER
                end: i64 = CORNERS[edge + 1 if edge & 3 < 3 else edge - 3]
                marks = found[end]
                found[end] = marks | _CORNER
            self._marks[2 * seat + kind] = found
        return found
