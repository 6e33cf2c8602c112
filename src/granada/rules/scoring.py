"""Scoring (7, 9.4, 10.7, 13.2, 14.5): the points and the reasons for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from granada.rules.chance import Chance
from granada.rules.events import DIRK, Row, Scored
from granada.rules.player import Player
from granada.rules.state import State, Step
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import ALHAMBRA, ALHAMBRA_TYPES, NO_TYPE, TYPES, Tile

SCORINGS: Final = ("A", "B", "C")
#: 7.3: the points for each place in a pavilion majority, by scoring; each following type is worth one more per place.
ALHAMBRA_POINTS: Final = ((1,), (8, 1), (16, 8, 1))
#: 7.4: the factors for the number of tiles of the type in all cities.
GRANADA_FACTORS: Final = ((1,), (2, 1), (3, 2, 1))
#: 7.5: the points of the simplified scoring.
SIMPLIFIED_POINTS: Final = ((3,), (10, 3), (18, 10, 3))
#: More tiles of a type than anyone can have.
MANY: Final = 1_000
#: 10.7: the points for an edge of the run.
RUN_POINTS: Final = 2


@final
class Holding:
    """What counts in the majorities for a player or Dirk: the number of tiles and the highest price of each type."""

    __slots__ = ("counts", "highest", "seat")

    def __init__(self, seat: int, tiles: Iterable[Tile]) -> None:
        self.seat: Final = seat
        self.counts: Final = [0] * len(TYPES)
        self.highest: Final = [0] * len(TYPES)
        for tile in tiles:
            if tile.type != NO_TYPE and not tile.is_hut:
                self.counts[tile.type] += 1
                self.highest[tile.type] = max(self.highest[tile.type], tile.price)


def holdings(state: State) -> list[Holding]:
    """7.1: return the holdings of each seat, then of Dirk (9.4)."""
    found: list[Holding] = []
    for seat, player in enumerate(state.players):
        holding = Holding(seat, player.city.tiles())
        for card in player.revealed:
            holding.counts[card.type] += 1  # 13.2
        if state.huts:  # searching for huts takes longer than counting all tiles
            for place in player.city.huts():
                hut = player.city.tile_on(place)
                holding.counts[hut.type] += hut_worth(player, place, hut)
        found.append(holding)
    if state.dirk is not None:
        found.append(Holding(DIRK, state.dirk.tiles))
    return found


def hut_worth(player: Player, place: int, hut: Tile) -> int:
    """14.5: return the number of neighbouring buildings of the hut's type without a wall between."""
    worth = 0
    for side in range(4):
        if not hut.walls >> side & 1:
            near = player.city.neighbour(place, side)
            if near is not None and near.type == hut.type and not near.is_hut:
                worth += 1
    return worth


def score_rows(state: State, scoring: str) -> list[Row]:
    """7: return all points of a scoring if it took place now, item by item in scoring order."""
    rows: list[Row] = []
    for what, item, points in ((WALL, "wall", 1), (MOAT, "moat", 1), (RUN, "run", RUN_POINTS)):
        for seat, player in enumerate(state.players):
            length = player.city.stretch(what)
            if length:
                rows.append(Row(seat, scoring, item, 0, length * points))
    _score_types(holdings(state), state.options.kinds, scoring, state.options.scoring == "simplified", rows)
    return rows


def rows_of(
    held: list[Holding], lengths: list[list[int]], kinds: tuple[int, ...], scoring: str, is_simplified: bool
) -> list[Row]:
    """7: return the same for counted holdings, and the length of each seat's WALL, MOAT and RUN."""
    rows: list[Row] = []
    for what, item, points in ((WALL, "wall", 1), (MOAT, "moat", 1), (RUN, "run", RUN_POINTS)):
        for seat, length in enumerate(lengths[what]):
            if length:
                rows.append(Row(seat, scoring, item, 0, length * points))
    _score_types(held, kinds, scoring, is_simplified, rows)
    return rows


def _score_types(
    held: list[Holding], kinds: tuple[int, ...], scoring: str, is_simplified: bool, rows: list[Row]
) -> None:
    """7.1, 10.7: add the points of the types, in their printed order."""
    index = SCORINGS.index(scoring)
    for kind in kinds:
        if kind == ALHAMBRA:
            for type_ in range(len(ALHAMBRA_TYPES)):
                _score_alhambra(held, type_, index, rows)
        else:
            for type_ in range(len(ALHAMBRA_TYPES), len(TYPES)):
                _score_granada(held, type_, index, is_simplified, rows)


def _score_alhambra(held: list[Holding], type_: int, index: int, rows: list[Row]) -> None:
    """7.3: add the points of a type; tied players share those of the places that they occupy together, rounded down."""
    points = ALHAMBRA_POINTS[index]
    place = 0
    tied = _next_tied(held, type_, MANY)
    while tied and place < len(points):
        shared = 0
        for i in range(place, min(place + len(tied), len(points))):
            shared += points[i] + type_
        share = shared // len(tied)
        if share:
            for holding in tied:
                rows.append(Row(holding.seat, SCORINGS[index], TYPES[type_], place + 1, share))
        place += len(tied)
        tied = _next_tied(held, type_, tied[0].counts[type_])


def _next_tied(held: list[Holding], type_: int, limit: int) -> list[Holding]:
    """7.3: return the holdings with the most tiles of a type, of those with at least one but fewer than a limit."""
    most = 0
    tied: list[Holding] = []
    for holding in held:
        count = holding.counts[type_]
        if most < count < limit:
            most = count
            tied = [holding]
        elif count == most and count:
            tied.append(holding)
    return tied


def _score_granada(held: list[Holding], type_: int, index: int, is_simplified: bool, rows: list[Row]) -> None:
    """7.4, 7.5: add the points of a type; ties are broken by the highest price, which is unique."""
    ranked: list[Holding] = []
    count = 0
    for holding in held:
        own = holding.counts[type_]
        if own:
            count += own
            rank = len(ranked)
            while rank and _is_ahead(holding, ranked[rank - 1], type_):
                rank -= 1
            ranked.insert(rank, holding)
    if not ranked:
        return
    if is_simplified:
        points = list(SIMPLIFIED_POINTS[index])
    else:
        points = [factor * count for factor in GRANADA_FACTORS[index]]
    for place in range(min(len(points), len(ranked))):
        rows.append(Row(ranked[place].seat, SCORINGS[index], TYPES[type_], place + 1, points[place]))


def _is_ahead(one: Holding, other: Holding, type_: int) -> bool:
    """7.4: return whether one has more tiles of a type, or as many and a higher price."""
    more = one.counts[type_] - other.counts[type_]
    return more > 0 or (more == 0 and one.highest[type_] > other.highest[type_])


def scorings_to_come(state: State) -> list[str]:
    """6.1, 6.3, 8.4, 10.3: return the scorings still to come, in order; none after the end of the game."""
    if state.is_over:
        return []
    letters = list(state.announced)
    for task in state.tasks():
        step = task.step
        if isinstance(step, Scoring):  # due now, although players may have to decide about bonus cards first (13.2)
            letters.append(step.letter)
    if "C" in letters:
        return ["C"]  # the game ends, even if score cards are left
    letters.append("C")
    for pile in state.deck.piles:
        if pile.score is not None:
            letters.append(pile.score.name)
    if state.pending is not None:
        letters.append(state.pending.name)
    return [letter for letter in SCORINGS if letter in letters]


@final
class Scoring(Step):
    """6.3, 8.4: a scoring takes place."""

    def __init__(self, letter: str) -> None:
        super().__init__(f"score_{letter}")
        self.letter: Final = letter

    def run(self, state: State, seat: int, chance: Chance) -> None:
        rows = score_rows(state, self.letter)
        state.rows += tuple(rows)
        for i, player in enumerate(state.players):
            player.score += self._emit(state, i, rows)
        dirk = state.dirk
        if dirk is not None:
            dirk.score += self._emit(state, DIRK, rows)

    def _emit(self, state: State, seat: int, rows: list[Row]) -> int:
        """Emit the rows of a seat or Dirk, and return their points."""
        own: list[Row] = []
        gained = 0
        for row in rows:
            if row.seat == seat:
                own.append(row)
                gained += row.points
        state.emit(Scored(self.letter, seat, tuple(own), gained))
        return gained


SCORING: Final = {letter: Scoring(letter) for letter in SCORINGS}
