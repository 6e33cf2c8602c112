"""What decided a finished game, for each seat: up to three facts, computed from its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from granada.rules.scoring import Holding, holdings, rows_of
from granada.rules.state import State
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import ALHAMBRA, GRANADA, Tile
from granada.tables.requests import (
    BestTurnFact,
    Fact,
    LengthFact,
    PaymentFact,
    SeatFacts,
    SourceFact,
    TileFact,
)

#: The most facts of a seat, and the most edges by which a wall counts as a near chance.
MOST_FACTS: Final = 3
MOST_EDGES: Final = 5
#: What overpaying an average card is worth in exact payments: an action, too.
_CARD: Final = 5
#: 7.2: the wall or moat that an edge is added to, by kinds of tiles; each edge is worth a point.
_LENGTHENED: Final = {(ALHAMBRA,): "wall", (GRANADA,): "moat", (ALHAMBRA, GRANADA): "wall"}


def deciding_facts(state: State, seats: Sequence[SeatFacts]) -> list[list[Fact]]:
    """Return the facts of each seat at the end of a game, the most important first."""
    return [_facts_of(state, seats, seat) for seat in range(len(seats))]


def _facts_of(state: State, seats: Sequence[SeatFacts], seat: int) -> list[Fact]:
    own = seats[seat]
    rival = min([other for other in seats if other is not own], key=lambda other: (other.rank, other.seat))
    chance = None if own.rank == 1 else nearest_chance(state, seat)
    sources = _sources(own, rival)
    payments = iter(_payments(seats, own, rival))
    best = None if own.best_turn is None else BestTurnFact(own.best_turn)
    first = next(sources, None) if chance is None else chance
    wanted = [first, next(payments, None), best, next(payments, None), next(sources, None)]
    return [fact for fact in wanted if fact is not None][:MOST_FACTS]


def _sources(own: SeatFacts, rival: SeatFacts) -> Iterator[SourceFact]:
    """Yield where the better of two seats scored more, the largest difference first."""
    sign = 1 if own.rank <= rival.rank else -1
    items = dict.fromkeys([*own.points, *rival.points])
    found = [SourceFact(item, rival.seat, own.points.get(item, 0), rival.points.get(item, 0)) for item in items]
    found.sort(key=lambda fact: sign * (fact.rival_points - fact.own_points))
    return iter([fact for fact in found if sign * (fact.own_points - fact.rival_points) > 0])


def _payments(seats: Sequence[SeatFacts], own: SeatFacts, rival: SeatFacts) -> list[PaymentFact]:
    """Return how a seat paid compared to the others, the larger difference first."""
    found: list[tuple[float, PaymentFact]] = []
    for sort, counts, unit in (
        ("exact", [one.exact for one in seats], 1),
        ("overpaid", [one.overpaid for one in seats], _CARD),
    ):
        mine, theirs = counts[own.seat - 1], counts[rival.seat - 1]
        if mine != theirs or mine:
            found.append((abs(mine - theirs) / unit, PaymentFact("exact" if sort == "exact" else "overpaid", counts)))
    return [fact for _, fact in sorted(found, key=lambda entry: -entry[0])]


def nearest_chance(state: State, seat: int) -> TileFact | LengthFact | None:
    """Return the smallest change at scoring C that would have won the game for a seat (from 0): one edge, one tile or
    a few edges more; None if there is none.
    """
    totals = [player.score for player in state.players]
    missing = max(totals) - totals[seat] + 1
    item = _LENGTHENED[state.options.kinds]
    length = state.players[seat].city.stretch(WALL if item == "wall" else MOAT)
    longer = LengthFact(item, missing, length) if 1 <= missing <= MOST_EDGES else None
    if longer is not None and longer.more == 1:
        return longer
    return _winning_tile(state, seat) or longer


def _winning_tile(state: State, seat: int) -> TileFact | None:
    """Return the tile that would have won most clearly if it had been in a seat's city instead of where it was."""
    totals = [player.score for player in state.players]
    before = _points(state, holdings(state))
    best, margin = None, 0
    for tile, holder in _tiles_elsewhere(state, seat):
        after = _points(state, _moved(state, tile, holder, seat))
        scores = [total + after[i] - before[i] for i, total in enumerate(totals)]
        lead = scores[seat] - max([score for i, score in enumerate(scores) if i != seat])
        if lead > margin:
            best, margin = TileFact(tile.type_name, tile.name, None if holder is None else holder + 1), lead
    return best


def _tiles_elsewhere(state: State, seat: int) -> Iterator[tuple[Tile, int | None]]:
    """Yield the tiles that a seat could have had, and who built them: its reserve, the yard, and other cities."""
    for tile in state.players[seat].reserve:
        yield tile, None
    for left in state.yard:
        if left is not None:
            yield left, None
    for other, player in enumerate(state.players):
        if other != seat:
            for place in player.city.places:
                tile = player.city.tile_on(place)
                if not tile.is_start and not tile.is_hut:
                    yield tile, other


def _moved(state: State, tile: Tile, holder: int | None, seat: int) -> list[Holding]:
    """7.1: Return the holdings if a tile were in the city of another seat."""
    held, type_ = holdings(state), tile.type
    held[seat].counts[type_] += 1
    held[seat].highest[type_] = max(held[seat].highest[type_], tile.price)
    if holder is not None:
        rest = [one.price for one in state.players[holder].city.tiles() if one.type == type_ and not one.is_hut]
        rest.remove(tile.price)
        held[holder].counts[type_] -= 1
        held[holder].highest[type_] = max(rest, default=0)
    return held


def _points(state: State, held: list[Holding]) -> list[int]:
    """7: Return the points of each seat in scoring C for these holdings."""
    lengths = [[player.city.stretch(what) for player in state.players] for what in (WALL, MOAT, RUN)]
    points = [0] * len(state.players)
    for row in rows_of(held, lengths, state.options.kinds, "C", state.options.scoring == "simplified"):
        if row.seat >= 0:
            points[row.seat] += row.points
    return points
