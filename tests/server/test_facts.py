"""The facts of a finished game, and what decided it: small cases counted by hand, and all golden games."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from granada import tile
from granada.records.replay import Replay
from granada.rules.money import cards, total
from granada.rules.scoring import holdings
from granada.rules.state import State
from granada.rules.tiles import ALHAMBRA_TYPES, GRANADA, Tile, by_order
from granada.tables.aids import majority, points_by_seat
from granada.tables.deciding import deciding_facts, nearest_chance
from granada.tables.facts import facts_of
from granada.tables.requests import (
    BestTurnFact,
    GameFacts,
    LengthFact,
    PaymentFact,
    SeatFacts,
    SourceFact,
    TileFact,
)
from granada.tables.views import public_view
from tests.kit import dirk, position, reserve, row, settle
from tests.server.running import Guest, RunningServer, play_on, running
from tests.server.test_api import error_code

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.record"))


@cache
def golden(path: Path) -> tuple[str, GameFacts]:
    text = path.read_text("utf-8")
    return text, facts_of(Replay(text, trusted=True))


def state_of(path: Path, until: int | None = None) -> State:
    return Replay(path.read_text("utf-8"), trusted=True).run(until)


def empty(edition: str, players: int) -> State:
    """Return a game with empty cities and an empty yard."""
    state = position(edition, players)
    state.yard[:] = [None] * len(state.yard)
    if state.dirk is not None:
        state.dirk.tiles = ()
    return state


def seat_facts(
    seat: int, score: int, rank: int, points: dict[str, int], exact: int = 0, overpaid: int = 0
) -> SeatFacts:
    return SeatFacts(seat, score, rank, points, exact, 9, overpaid, {}, 9, None)


def at_the_end(state: State, *scores: int) -> State:
    """Give the players these points, as if scoring C had taken place."""
    for player, score in zip(state.players, scores, strict=True):
        player.score = score
    return state


# The nearest chance, counted by hand


def test_a_longer_wall_would_have_won() -> None:
    """7.2: each edge is worth a point, and takes nothing from anybody."""
    state = empty("alhambra", 3)
    settle(state, 0, "garden-8-NE at 1,0")
    assert nearest_chance(at_the_end(state, 50, 50, 20), 0) == LengthFact("wall", 1, 2)
    assert nearest_chance(at_the_end(state, 46, 50, 20), 0) == LengthFact("wall", 5, 2)
    assert nearest_chance(at_the_end(state, 45, 50, 20), 0) is None
    assert nearest_chance(at_the_end(empty("granada", 3), 46, 50, 20), 0) == LengthFact("moat", 5, 0)
    assert nearest_chance(at_the_end(empty("combined", 3), 46, 50, 20), 0) == LengthFact("wall", 5, 0)


def test_a_tile_of_another_city_would_have_won() -> None:
    """7.3: in C, towers give 21 and 13 points; with one of seat 2, the two players change places."""
    state = empty("alhambra", 3)
    row(state, 0, "tower-9-NW")
    row(state, 1, "tower-10-W", "tower-11")
    assert nearest_chance(at_the_end(state, 90, 100, 40), 0) == TileFact("tower", "tower-10-W", 2)  # 98 to 92
    assert nearest_chance(at_the_end(state, 84, 100, 40), 0) is None  # 92 to 92
    assert nearest_chance(at_the_end(state, 99, 100, 40), 0) == TileFact("tower", "tower-10-W", 2)  # not two edges
    assert nearest_chance(at_the_end(state, 90, 100, 99), 0) is None  # 98 to 99


def test_a_tile_of_the_reserve_or_the_yard_would_have_won() -> None:
    """7.3: two towers each give 17 points; a third one gives 21, and 13 are left for the other player."""
    state = empty("alhambra", 3)
    row(state, 0, "tower-9-NW", "tower-9-NE")
    row(state, 1, "tower-10-W", "tower-11")
    at_the_end(state, 90, 96, 40)
    assert nearest_chance(state, 0) == TileFact("tower", "tower-10-W", 2)
    state.yard[0] = tile("tower-12")
    assert nearest_chance(state, 0) == TileFact("tower", "tower-12", None)
    reserve(state, 0, "tower-13-E")
    assert nearest_chance(state, 0) == TileFact("tower", "tower-13-E", None)


def test_a_better_granada_tile_would_have_won() -> None:
    """7.4: a type gives 3 and 2 points for each of its tiles in all cities, and the higher price breaks ties."""
    state = empty("granada", 3)
    row(state, 0, "park-11")
    row(state, 1, "park-7", "park-9")
    at_the_end(state, 81, 86, 40)  # with 6 and 9
    assert nearest_chance(state, 0) == TileFact("park", "park-7", 2)  # 9 and 6: 84 to 83
    reserve(state, 0, "park-10")
    assert nearest_chance(state, 0) == TileFact("park", "park-10", None)  # 12 and 8: 87 to 85
    assert nearest_chance(at_the_end(state, 79, 86, 40), 0) is None  # 85 to 85


def test_the_tiles_of_dirk_count_but_nobody_could_have_them() -> None:
    """9.4: Dirk and seat 2 share 34 points; without one of its towers, seat 1 shares with Dirk."""
    state = empty("alhambra", 2)
    dirk(state, "tower-7-NEW", "tower-8-NES")
    row(state, 0, "tower-9-NW")
    assert nearest_chance(at_the_end(state, 78, 90), 0) is None  # a tower of Dirk would give 8 points more
    row(state, 1, "tower-10-W", "tower-11")
    assert nearest_chance(at_the_end(state, 90, 105), 0) == TileFact("tower", "tower-10-W", 2)  # 101 to 94
    assert nearest_chance(at_the_end(state, 83, 105), 0) is None  # 94 to 94


# Three facts


def test_facts_compare_with_the_second_or_with_the_winner() -> None:
    state = at_the_end(empty("alhambra", 3), 100, 80, 50)
    exact, overpaid = PaymentFact("exact", [5, 3, 9]), PaymentFact("overpaid", [0, 20, 3])
    seats = [
        seat_facts(1, 100, 1, {"wall": 40, "tower": 60}, 5, 0),
        seat_facts(2, 80, 2, {"wall": 20, "tower": 60}, 3, 20),
        seat_facts(3, 50, 3, {"wall": 26, "garden": 24}, 9, 3),
    ]
    assert deciding_facts(state, seats) == [
        [SourceFact("wall", 2, 40, 20), overpaid, exact],
        [SourceFact("wall", 1, 20, 40), overpaid, exact],
        [SourceFact("tower", 1, 0, 60), exact, overpaid],
    ]


def test_tied_winners_are_compared_with_each_other() -> None:
    state = at_the_end(empty("granada", 3), 60, 20, 60)
    seats = [
        seat_facts(1, 60, 1, {"park": 50, "moat": 10}),
        seat_facts(2, 20, 3, {"park": 20}),
        seat_facts(3, 60, 1, {"park": 20, "school": 40}),
    ]
    assert deciding_facts(state, seats) == [
        [SourceFact("park", 3, 50, 20), SourceFact("moat", 3, 10, 0)],
        [SourceFact("park", 1, 20, 50), SourceFact("moat", 1, 0, 10)],
        [SourceFact("school", 1, 40, 0)],
    ]


# All golden games


each_golden = pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)


@each_golden
def test_points_and_payments_are_those_of_the_record(path: Path) -> None:
    """3.4, 7, 11.2: counted again from the text."""
    text, found = golden(path)
    points: list[Counter[str]] = [Counter() for _ in found.seats]
    paid: list[list[tuple[str, int]]] = [[] for _ in found.seats]
    for line in text.splitlines():
        if scored := re.fullmatch(r"= score [ABC] ([1-6])((?: \w+=\d+)*) total=\d+", line):
            points[int(scored[1]) - 1].update({item: int(n) for item, n in re.findall(r"(\w+)=(\d+)", scored[2])})
        elif bought := re.fullmatch(r"([1-6]) (buy|vizier) [a-z_]+-(\d+)\S* with (.+)", line):
            paid[int(bought[1]) - 1].append((bought[2], total(cards(bought[4])) - int(bought[3])))
    for seat, counted, purchases in zip(found.seats, points, paid, strict=True):
        assert seat.points == counted
        assert seat.score == counted.total()
        assert seat.purchases == len(purchases)
        assert seat.overpaid == sum([over for _, over in purchases])
        assert seat.exact == purchases.count(("buy", 0))
    ended = re.search(r"^= end (?:\d=\d+ )+(?:dirk=\d+ )?winners=(\S+)$", text, re.MULTILINE)
    assert ended is not None
    assert [str(seat.seat) for seat in found.seats if seat.rank == 1] == ended[1].split(",")
    assert [seat.rank for seat in found.seats] == [
        1 + len([other for other in found.seats if other.score > seat.score]) for seat in found.seats
    ]


@each_golden
def test_cities_are_those_at_the_end(path: Path) -> None:
    """7.2, 10.7."""
    _, found = golden(path)
    view = public_view(state_of(path), has_aids=True)
    assert found.turns == view.turns
    for seat, player in zip(found.seats, view.players, strict=True):
        assert seat.longest == player.lengths
        assert seat.tiles == len([tile for tile in player.city.values() if not tile.startswith("start-")])


@each_golden
def test_best_turns_gain_what_the_positions_before_and_after_say(path: Path) -> None:
    """7, 9.5: what Dirk draws after a scoring is no part of the turn before it."""
    text, found = golden(path)
    for seat in found.seats:
        best = seat.best_turn
        assert best is not None
        before, after = state_of(path, best.n), state_of(path, best.end)
        assert (before.turns, before.turn, before.seat) == (best.turn, seat.seat - 1, seat.seat - 1)
        assert after.is_over or after.turns > best.turn or after.seat != before.seat or not after.step.is_of_turn
        drawn = [line for line in lines_after(text, best.end) if line.startswith("! dirk ")]
        if not drawn:
            gain = points_by_seat(after, best.scoring)[before.seat] - points_by_seat(before, best.scoring)[before.seat]
            assert gain == best.gain
        built = Counter(after.players[before.seat].city.tiles()) - Counter(before.players[before.seat].city.tiles())
        assert best.tiles == [tile.name for tile in sorted(built, key=by_order)]
        assert BestTurnFact(best) in found.deciding[before.seat]


@each_golden
def test_near_chances_would_have_won(path: Path) -> None:
    """7: with the points of all types counted again, differently."""
    _, found = golden(path)
    state = state_of(path)
    item = "moat" if state.options.edition == "granada" else "wall"
    for index, (seat, (first, *_)) in enumerate(zip(found.seats, found.deciding, strict=True)):
        missing = max([other.score for other in found.seats]) - seat.score + 1
        chances = {tile.name for tile, holder in elsewhere(state, index) if margin(state, tile, holder, index) > 0}
        if seat.rank == 1:
            assert isinstance(first, SourceFact)
        elif missing == 1 or (missing <= 5 and not chances):
            assert first == LengthFact(item, missing, seat.longest[item])
        elif chances:
            assert isinstance(first, TileFact)
            assert first.tile in chances
        else:
            assert isinstance(first, SourceFact)
            assert first.own_points < first.rival_points


def lines_after(text: str, n: int) -> list[str]:
    """Return the lines of what happened after the n-th action, up to the next one."""
    lines = text.partition("\n\n")[2].splitlines()
    actions = [i for i, line in enumerate(lines) if line[0].isdigit()] + [len(lines)]
    return lines[actions[n - 1] : actions[n]]


def elsewhere(state: State, seat: int) -> list[tuple[Tile, int | None]]:
    """Return the tiles that are neither in the city of a seat nor Dirk's, with the seat that has them in its city."""
    loose = [*state.players[seat].reserve, *[tile for tile in state.yard if tile is not None]]
    built = [
        (tile, i)
        for i, player in enumerate(state.players)
        if i != seat
        for tile in player.city.tiles()
        if not tile.is_start and not tile.is_hut
    ]
    return [*[(tile, None) for tile in loose], *built]


def margin(state: State, tile: Tile, holder: int | None, seat: int) -> int:
    """Return by how much a seat would have won if it had had a tile instead of its holder."""
    held = majority(holdings(state), tile.type)
    counts, prices = held.counts.copy(), [set[int]() for _ in held.counts]
    before = type_points(state, tile.type, counts, held.highest)
    for i, player in enumerate(state.players):
        prices[i] = {one.price for one in player.city.tiles() if one.type == tile.type and not one.is_hut}
    counts[seat] += 1
    prices[seat].add(tile.price)
    if holder is not None:
        counts[holder] -= 1
        if tile.kind == GRANADA:
            prices[holder].remove(tile.price)
    highest = [max(some, default=0) for some in prices]
    highest[len(state.players) :] = held.highest[len(state.players) :]
    after = type_points(state, tile.type, counts, highest)
    scores = [player.score + after[i] - before[i] for i, player in enumerate(state.players)]
    return scores[seat] - max(scores[:seat] + scores[seat + 1 :])


def type_points(state: State, type_: int, counts: list[int], highest: list[int]) -> list[int]:
    """7.3, 7.4, 7.5: return everybody's points for a type in scoring C."""
    is_granada = type_ >= len(ALHAMBRA_TYPES)
    keys = [(count, high if is_granada else 0) for count, high in zip(counts, highest, strict=True)]
    if not is_granada:
        worth = [base + type_ for base in (16, 8, 1)]
    elif state.options.scoring == "simplified":
        worth = [18, 10, 3]
    else:
        worth = [factor * sum(counts) for factor in (3, 2, 1)]
    found: list[int] = []
    for key in keys:
        first, tied = sum([other > key for other in keys]), keys.count(key)
        found.append(sum(worth[first : first + tied]) // tied if key[0] else 0)
    return found


# Over HTTP


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("facts")) as found:
        yield found


def test_facts_are_given_to_everybody_after_the_game(server: RunningServer) -> None:
    with Guest(server) as host, Guest(server) as other:
        seats = [{"kind": "person", "name": "Ana"}, {"kind": "person", "name": "Ben"}]
        table = host.post("/tables", {"seats": seats})["table"]["id"]
        assert error_code(other.http.get(f"/api/tables/{table}/facts")) == "running"
        host.start(table)
        assert error_code(host.http.get(f"/api/tables/{table}/facts")) == "running"
        with host.socket(table) as socket:
            last = play_on(socket, random.Random(3))
        found = other.get(f"/tables/{table}/facts")
        assert found == host.get(f"/tables/{table}/facts")
        assert [seat["score"] for seat in found["seats"]] == [player["score"] for player in last["view"]["players"]]
        assert found["minutes"] == 0
        assert isinstance(found["ended_at"], int)
        record = host.http.get(f"/api/tables/{table}/record").text
        assert found == {
            **msgspec.to_builtins(facts_of(Replay(record))),
            "minutes": 0,
            "ended_at": found["ended_at"],
        }
        host.post(f"/tables/{table}/rematch", {})
        assert host.get(f"/tables/{table}/facts")["ended_at"] == found["ended_at"]


def test_a_record_was_not_played_at_its_table(server: RunningServer) -> None:
    with Guest(server) as guest:
        text, expected = golden(GOLDEN[0])
        uploaded = guest.http.post("/api/records", content=text, headers={"content-type": "text/plain; charset=utf-8"})
        found = guest.get(f"/tables/{uploaded.json()['table']['id']}/facts")
        assert found == msgspec.to_builtins(expected)
        assert (found["minutes"], found["ended_at"]) == (None, None)
