"""The score pad: points of a game with the real box, and impossible entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from granada import DIRK, Options, State, score_rows
from granada.rules.scoring import holdings, hut_worth
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import TYPES
from granada.score_pad import CODES, SeatEntry, entries_needed, pad_problems, pad_rows
from granada.tables.errors import TableError
from granada.tables.pad_messages import ScorePad, ScoringName, TypeName
from granada.tables.score_pads import result_of
from tests.kit import rule
from tests.server.moments import GAMES, greedy_plies
from tests.server.running import Guest, RunningServer, running
from tests.server.test_api import error_code

Json = dict[str, Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("pad")) as found:
        yield found


# Positions of real games


def entries_of(state: State, with_prices: bool = True) -> list[SeatEntry]:
    """Return the score pad of a position, read off the cities."""
    entries: list[SeatEntry] = []
    for seat, holding in enumerate(holdings(state)):
        highest = tuple(holding.highest) if with_prices else (0,) * len(TYPES)
        if holding.seat == DIRK:
            entries.append(SeatEntry(counts=tuple(holding.counts), highest=highest))
            continue
        player = state.players[seat]
        bonus, huts = [0] * len(TYPES), [0] * len(TYPES)
        for card in player.revealed:
            bonus[card.type] += 1
        for place in player.city.huts():
            hut = player.city.tile_on(place)
            huts[hut.type] += hut_worth(player, place, hut)
        counts = [holding.counts[type_] - bonus[type_] - huts[type_] for type_ in range(len(TYPES))]
        wall, moat, run = [player.city.stretch(what) for what in (WALL, MOAT, RUN)]
        entries.append(SeatEntry(wall, moat, run, tuple(counts), highest, tuple(bonus), tuple(huts)))
    return entries


@rule("7", "9.4", "10.7", "13.2", "14.5")
@pytest.mark.parametrize("options", GAMES, ids=repr)
def test_the_pad_gives_the_points_of_the_rules_and_doubts_nothing_that_was_played(options: Options) -> None:
    before: list[SeatEntry] | None = None
    for number, (state, _) in enumerate(greedy_plies(options, f"pad {options}")):
        if number % 25 == 0:
            entries = entries_of(state)
            assert len(entries) == entries_needed(options)
            for letter in "ABC":
                assert repr(pad_rows(options, letter, entries)) == repr(score_rows(state, letter))
                assert pad_problems(options, {letter: entries}) == []
            if before is not None:
                assert pad_problems(options, {"A": before, "C": entries}) == []
            before = entries


@rule("7.4")
def test_prices_are_only_asked_for_where_they_decide() -> None:
    options = Options("granada", 4)
    seen = 0
    for state, _ in greedy_plies(options, "ties"):
        entries = entries_of(state, with_prices=False)
        for letter in "ABC":
            missing = {(one.item, one.seat) for one in pad_problems(options, {letter: entries})}
            assert {one.code for one in pad_problems(options, {letter: entries})} <= {"price_missing"}
            for type_, word in enumerate(TYPES):
                if not [item for item, _ in missing if item == word]:
                    rows = [row for row in pad_rows(options, letter, entries) if row.item == word]
                    assert repr(rows) == repr([row for row in score_rows(state, letter) if row.item == word])
                else:
                    counts = [entry.counts[type_] for entry in entries]
                    seats = [seat for item, seat in missing if item == word]
                    assert all(counts.count(counts[seat]) > 1 for seat in seats if seat is not None)
                    seen += 1
    assert seen > 10


# Impossible entries


def pad(edition: str, *entries: Json, modules: list[str] | None = None, letter: str = "C") -> Json:
    """Return a pad with one scoring of two players and Dirk; missing entries are empty."""
    whole = [*entries, *[{} for _ in range(3 - len(entries))]]
    return {"edition": edition, "modules": modules or [], "scorings": {letter: whole}}


def problems_of(wanted: Json) -> list[tuple[int | None, str | None, str, str]]:
    result = result_of(msgspec.convert(wanted, ScorePad))
    for one in result.problems:
        assert one.code in CODES
        assert one.detail
        assert one.scoring in wanted["scorings"]
    return [(one.seat, one.item, one.code, one.rule) for one in result.problems]


def counts(**numbers: int) -> Json:
    return {"counts": numbers}


IMPOSSIBLE: list[tuple[Json, list[tuple[int | None, str | None, str, str]]]] = [
    # Tiles
    (pad("alhambra", counts(pavilion=4), counts(pavilion=4)), [(None, "pavilion", "too_many_tiles", "1.3")]),
    (pad("alhambra", counts(pavilion=4), counts(pavilion=3)), []),
    (pad("alhambra", counts(tower=4), counts(tower=4), counts(tower=4)), [(None, "tower", "too_many_tiles", "1.3")]),
    (pad("granada", counts(park=7), counts(park=6)), [(None, "park", "too_many_tiles", "1.4")]),
    (pad("granada", counts(park=7), counts(park=5)), []),
    (pad("alhambra", counts(park=1)), [(1, "park", "not_played", "15")]),
    (pad("granada", {"counts": {"tower": 0, "garden": 1}}), [(1, "garden", "not_played", "15")]),
    (
        pad(
            "granada",
            counts(arena=12, library=12, hostel=12, hospital=12),
            counts(market=7),
        ),
        [(None, None, "too_many_tiles", "1.4")],
    ),
    # Walls
    (pad("alhambra", {"wall": 80}), []),
    (pad("alhambra", {"wall": 81}), [(1, "wall", "too_long", "7.2")]),
    (pad("alhambra", {"wall": 60}, {"wall": 21}), [(None, "wall", "too_long", "7.2")]),
    (pad("granada", {"moat": 81}), [(1, "moat", "too_long", "7.2")]),
    (pad("alhambra", {"wall": 81}, modules=["huts"]), []),
    (pad("alhambra", {"moat": 1, "run": 1}), [(1, "moat", "not_played", "15"), (1, "run", "not_played", "15")]),
    (pad("granada", {"wall": 1}), [(1, "wall", "not_played", "15")]),
    (pad("combined", {"wall": 4, "moat": 3, "run": 3}), []),
    (pad("combined", {"wall": 4, "moat": 3, "run": 4}), [(1, "run", "too_long", "10.7")]),
    (pad("combined", {"wall": 2, "moat": 3, "run": None}), []),
    # Dirk
    (pad("alhambra", {}, {}, {"wall": 3}), [(0, "wall", "not_for_dirk", "9.4")]),
    (
        pad("alhambra", {}, {}, {"counts": {"tower": 1}, "bonus": {"tower": 1}}, modules=["bonus"]),
        [(0, "tower", "not_for_dirk", "13.1")],
    ),
    (
        pad("alhambra", {}, {}, {"counts": {"tower": 1}, "huts": {"tower": 1}}, modules=["huts"]),
        [(0, "tower", "not_for_dirk", "14.3")],
    ),
    # Prices
    (pad("granada", {"counts": {"park": 1}, "highest": {"park": 14}}), [(1, "park", "no_such_price", "1.4")]),
    (pad("granada", {"counts": {"park": 1}, "highest": {"park": 1}}), [(1, "park", "no_such_price", "1.4")]),
    (pad("alhambra", {"counts": {"tower": 1}, "highest": {"tower": 6}}), [(1, "tower", "no_such_price", "1.3")]),
    (pad("alhambra", {"counts": {"tower": 1}, "highest": {"tower": 7}}), []),
    (pad("granada", {"highest": {"park": 5}}), [(1, "park", "price_without_tile", "7.4")]),
    (pad("granada", {"counts": {"park": 4}, "highest": {"park": 4}}), [(1, "park", "price_too_low", "1.4")]),
    (pad("granada", {"counts": {"park": 3}, "highest": {"park": 4}}), []),
    (
        pad(
            "granada", {"counts": {"park": 3}, "highest": {"park": 4}}, {"counts": {"park": 2}, "highest": {"park": 5}}
        ),
        [(None, "park", "price_too_low", "1.4")],
    ),
    (
        pad(
            "granada",
            {"counts": {"park": 1}, "highest": {"park": 9}},
            {},
            {"counts": {"park": 2}, "highest": {"park": 9}},
        ),
        [(1, "park", "price_twice", "1.4"), (0, "park", "price_twice", "1.4")],
    ),
    (
        pad("granada", counts(park=2), {"counts": {"park": 2}, "highest": {"park": 9}}, counts(park=2)),
        [(1, "park", "price_missing", "7.4"), (0, "park", "price_missing", "7.4")],
    ),
    # Only the first place scores in A, and it is not tied; in B the second place scores, too.
    (pad("granada", counts(park=1), counts(park=2), counts(park=1), letter="A"), []),
    (
        pad("granada", counts(park=1), counts(park=2), counts(park=1), letter="B"),
        [(1, "park", "price_missing", "7.4"), (0, "park", "price_missing", "7.4")],
    ),
    (pad("granada", {}, {}, letter="A"), []),
    (pad("alhambra", counts(tower=2), counts(tower=2)), []),
    # Bonus cards
    (
        pad("alhambra", {"counts": {"tower": 1}, "bonus": {"tower": 1}}),
        [(1, "tower", "not_played", "15")],
    ),
    (pad("alhambra", {"counts": {"tower": 1}, "bonus": {"tower": 1}}, modules=["bonus"]), []),
    (
        pad("alhambra", {"counts": {"tower": 1}, "bonus": {"tower": 2}}, modules=["bonus"]),
        [(1, "tower", "bonus_card_without_tile", "13.2")],
    ),
    (
        pad(
            "alhambra",
            {"counts": {"tower": 2, "garden": 2}, "bonus": {"tower": 2, "garden": 2}},
            modules=["bonus"],
        ),
        [(1, None, "too_many_bonus_cards", "13.1")],
    ),
    (
        pad(
            "alhambra",
            {"counts": {"pavilion": 1}, "bonus": {"pavilion": 1}},
            {"counts": {"pavilion": 1}, "bonus": {"pavilion": 1}},
            modules=["bonus"],
        ),
        [(None, "pavilion", "too_many_bonus_cards", "1.7")],
    ),
    (
        pad("combined", {"counts": {"park": 1}, "bonus": {"park": 1}}, modules=["bonus"]),
        [(1, "park", "not_played", "15")],
    ),
    # Huts
    (pad("alhambra", {"counts": {"tower": 3}, "huts": {"tower": 9}}, modules=["huts"]), []),
    (
        pad("alhambra", {"counts": {"tower": 3}, "huts": {"tower": 10}}, modules=["huts"]),
        [(1, None, "too_many_huts", "14.4")],
    ),
    (
        pad(
            "alhambra",
            {
                "counts": {"tower": 2, "garden": 3, "chambers": 1},
                "huts": {"tower": 3, "garden": 1, "chambers": 1},
            },
            modules=["huts"],
        ),
        [(1, None, "too_many_huts", "14.4")],
    ),
    (pad("alhambra", {"huts": {"tower": 1}}, modules=["huts"]), [(1, "tower", "hut_without_tile", "14.5")]),
    (pad("alhambra", {"counts": {"tower": 1}, "huts": {"tower": 1}}), [(1, "tower", "not_played", "15")]),
    (
        pad(
            "alhambra",
            {"counts": {"pavilion": 3}, "huts": {"pavilion": 6}},
            {"counts": {"pavilion": 3}, "huts": {"pavilion": 6}},
            modules=["huts"],
        ),
        [(None, "pavilion", "too_many_huts", "1.8")],
    ),
]


@rule("1.3", "1.4", "1.7", "1.8", "7.2", "7.4", "9.4", "10.7", "13.1", "13.2", "14.3", "14.4", "14.5", "15")
@pytest.mark.parametrize(("wanted", "found"), IMPOSSIBLE)
def test_what_cannot_be_right_is_found_and_nothing_else(
    wanted: Json, found: list[tuple[int | None, str | None, str, str]]
) -> None:
    assert problems_of(wanted) == found


@rule("9.2")
def test_dirk_loses_no_tiles() -> None:
    wanted = pad("alhambra", {}, {}, counts(tower=2, garden=1))
    wanted["scorings"] = {"A": wanted["scorings"]["C"], "C": [{}, {}, counts(tower=1, garden=3)]}
    assert problems_of(wanted) == [(0, "tower", "dirk_loses_tiles", "9.2")]
    wanted["players"] = 3  # no other player can have all tiles
    assert problems_of(wanted) == []


def test_every_code_is_found_somewhere() -> None:
    seen = {code for _, found in IMPOSSIBLE for _, _, code, _ in found}
    assert seen | {"dirk_loses_tiles"} == set(CODES)


def test_all_problems_are_found_at_once_and_points_are_counted_anyway() -> None:
    wanted = pad("granada", {"wall": 3, "moat": 4, "counts": {"park": 20}}, {"highest": {"park": 3}, "moat": 2})
    assert problems_of(wanted) == [
        (1, "wall", "not_played", "15"),
        (2, "park", "price_without_tile", "7.4"),
        (None, "park", "too_many_tiles", "1.4"),
    ]
    assert result_of(msgspec.convert(wanted, ScorePad)).totals == [64, 2, 0]


# Points


@rule("7.3", "7.4", "9.4", "10.7")
def test_points_with_their_reasons_by_scoring_and_in_all(server: RunningServer) -> None:
    first = [
        {"wall": 3, "moat": 2, "run": 2, "counts": {"tower": 1, "school": 1}},
        {"counts": {"tower": 1}},
        {"counts": {"school": 2}},
    ]
    second = [
        {"wall": 5, "moat": 2, "run": 2, "counts": {"tower": 2, "school": 2}, "highest": {"school": 5}},
        {"moat": 1, "counts": {"tower": 1}},
        {"counts": {"school": 2}, "highest": {"school": 12}},
    ]
    with Guest(server) as guest:
        result = guest.post("/score", {"edition": "combined", "scorings": {"B": second, "A": first}})
        assert not guest.http.cookies  # works without a cookie
    assert result["problems"] == []
    assert result["by_scoring"] == {"A": [3 + 2 + 4 + 3, 3, 3], "B": [5 + 2 + 4 + 13 + 4, 1 + 6, 8]}
    assert result["totals"] == [12 + 28, 3 + 7, 3 + 8]
    assert [(one["scoring"], one["seat"], one["item"], one["place"], one["points"]) for one in result["rows"]] == [
        ("A", 1, "wall", 0, 3),
        ("A", 1, "moat", 0, 2),
        ("A", 1, "run", 0, 4),
        ("A", 1, "tower", 1, 3),
        ("A", 2, "tower", 1, 3),
        ("A", 0, "school", 1, 3),
        ("B", 1, "wall", 0, 5),
        ("B", 1, "moat", 0, 2),
        ("B", 2, "moat", 0, 1),
        ("B", 1, "run", 0, 4),
        ("B", 1, "tower", 1, 13),
        ("B", 2, "tower", 2, 6),
        ("B", 0, "school", 1, 8),
        ("B", 1, "school", 2, 4),
    ]


@rule("7.5", "13.2", "14.5")
def test_modules_and_the_simplified_scoring_count(server: RunningServer) -> None:
    with Guest(server) as guest:
        entries: list[Json] = [
            {"counts": {"tower": 2}, "bonus": {"tower": 1}},
            {"counts": {"tower": 1}, "huts": {"tower": 1}},
            {"counts": {"tower": 2, "park": 2}},
        ]
        wanted = {"edition": "combined", "modules": ["bonus", "huts"], "scoring": "simplified", "players": 3}
        result = guest.post("/score", {**wanted, "scorings": {"B": entries}})
        assert result["problems"] == []
        assert result["totals"] == [13, 3, 3 + 10]


def test_an_empty_pad_has_no_points() -> None:
    result = result_of(ScorePad(players=4))
    assert (result.rows, result.totals, result.by_scoring, result.problems) == ([], [0] * 4, {}, [])


# Errors


@rule("15")
@pytest.mark.parametrize(
    ("options", "rule_number"),
    [
        ({"edition": "granada", "modules": ["bonus"]}, "15"),
        ({"edition": "granada", "modules": ["huts"]}, "15"),
        ({"edition": "alhambra", "scoring": "simplified"}, "7.5"),
        ({"edition": "alhambra", "modules": ["vizier", "vizier"]}, "15"),
    ],
)
def test_what_cannot_be_combined_is_refused(server: RunningServer, options: Json, rule_number: str) -> None:
    with Guest(server) as guest:
        response = guest.http.post("/api/score", json={**options, "scorings": {}})
        assert error_code(response) == "bad_options"
        assert response.json()["rule"] == rule_number


@pytest.mark.parametrize(
    "wanted",
    [
        {"players": 7},
        {"players": 1},
        {"edition": "chess"},
        {"scorings": {"D": []}},
        {"scorings": {"A": [{}, {}]}},
        {"players": 3, "scorings": {"A": [{}, {}, {}, {}]}},
        {"scorings": {"A": [{}] * 8}},
        {"scorings": {"A": [{"counts": {"castle": 1}}, {}, {}]}},
        {"scorings": {"A": [{"counts": {"tower": -1}}, {}, {}]}},
        {"scorings": {"A": [{"counts": {"tower": 100}}, {}, {}]}},
        {"scorings": {"A": [{"wall": 1.5}, {}, {}]}},
        {"scorings": {"A": [{"walls": 1}, {}, {}]}},
        {"dirk": True},
        [],
    ],
)
def test_what_cannot_be_read_is_refused(server: RunningServer, wanted: Any) -> None:
    with Guest(server) as guest:
        assert error_code(guest.http.post("/api/score", json=wanted)) == "malformed"


def test_the_number_of_entries_is_said() -> None:
    with pytest.raises(TableError, match=r"Scoring A has 2 entries instead of 3, the last of them Dirk's \(9.4\)"):
        result_of(msgspec.convert({"scorings": {"A": [{}, {}]}}, ScorePad))


def test_the_words_of_the_pad_are_those_of_the_rules() -> None:
    assert get_args(TypeName) == TYPES
    assert get_args(ScoringName) == ("A", "B", "C")
