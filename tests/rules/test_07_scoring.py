"""Chapter 7: scoring."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from granada import BadOptions, City, Options, State, is_lawful, new_city, score_rows, x_of, y_of
from granada.drawing.text import parse_city
from granada.rules.components import standard
from granada.rules.scoring import Holding, holdings, rows_of
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import ALHAMBRA, ALHAMBRA_TYPES, GRANADA, GRANADA_TYPES, TYPES
from tests.kit import (
    announce,
    build,
    display,
    event_lines,
    offers,
    play,
    plies,
    points,
    position,
    reserve,
    row,
    rule,
    shares,
)

# 7.1 ------------------------------------------------------------------------------------------------------------------


@rule("7.1")
@pytest.mark.parametrize(
    ("edition", "wall", "types"), [("alhambra", "wall", ALHAMBRA_TYPES), ("granada", "moat", GRANADA_TYPES)]
)
def test_7_1_walls_first_and_then_the_types_in_printed_order(edition: str, wall: str, types: tuple[str, ...]) -> None:
    state = position(edition)
    lowest = {one.type_name: one.name for one in reversed(state.options.components.of_kind(state.options.kinds[0]))}
    row(state, 0, *[lowest[type_name] for type_name in reversed(types)])
    for letter in "ABC":
        assert list(points(state, letter, 0)) == [wall, *types]
        assert [found.item for found in score_rows(state, letter)] == [wall, *types]


@rule("7.1")
def test_7_1_printed_order() -> None:
    assert ALHAMBRA_TYPES == ("pavilion", "seraglio", "arcades", "chambers", "garden", "tower")
    assert " ".join(GRANADA_TYPES) == "arena bath_house library hostel hospital market park school district"


@rule("7.1")
def test_7_1_reserves_never_count() -> None:
    state = position()
    row(state, 0, "tower-12")
    reserve(state, 1, "tower-11", "tower-13-E", "tower-9-ES", "pavilion-2-NEW")
    assert points(state, "A", 0) == {"tower": 6}
    assert points(state, "A", 1) == {}


@rule("7.1")
def test_7_1_reserves_do_not_count_for_n_in_granada() -> None:
    state = position("granada")
    row(state, 0, "school-12")
    reserve(state, 1, "school-2", "school-4")
    assert shares(state, "C", "school") == [3, 0, 0]


# 7.2 ------------------------------------------------------------------------------------------------------------------


@rule("7.2")
def test_7_2_worked_example_a_wall_of_8() -> None:
    city = parse_city(
        """
                +#######+
                # pav 2 #
        +.......+.......+#######+
        # cha 9 : start : tow 8 #
        +.......+.......+#######+
        # arc 6 : gar 10: arc 6 #
        +#######+.......+.......+
                : arc 9 : ser 6 #
                +.......+#######+
        """
    )
    assert city == build(
        new_city(ALHAMBRA),
        "pavilion-2-NEW at 0,-1",
        "chambers-9-W at -1,0",
        "tower-8-NES at 1,0",
        "arcades-6-SW at -1,1",
        "garden-10 at 0,1",
        "arcades-6-NE at 1,1",
        "arcades-9 at 0,2",
        "seraglio-6-ES at 1,2",
    )
    assert is_lawful(city)
    assert city.stretch(WALL) == 8
    state = position()
    state.players[1].city = city
    assert shares(state, "A", "wall") == [0, 8, 0]


@rule("7.2")
@pytest.mark.parametrize(
    ("length", "drawing"),
    [
        (
            0,
            """
        +.......+
        : start :
        +.......+
            """,
        ),
        (
            0,  # a double wall is an inner wall
            """
        +.......+.......+
        : arc 9 : pav 8 :
        +.......+.......+
        : start : ser 9 :
        +.......+.......+
        : gar 9 # ser 7 :
        +.......+.......+
            """,
        ),
        (
            2,  # three stretches
            """
        +.......+#######+
        : start : gar 10:
        +.......+.......+
        # cha 9 : gar 9 #
        +.......+.......+
        # tow 10: arc 9 :
        +.......+.......+
            """,
        ),
        (
            3,  # around two corners, past the end of an inner wall
            """
        +.......+.......+
        : start : pav 8 :
        +.......+.......+
        : gar 9 # ser 5 :
        +.......+#######+
        : tow 9 #
        +#######+
            """,
        ),
        (
            12,  # a closed ring
            """
                +#######+
                # pav 2 #
        +#######+.......+#######+
        # cha 5 : start : arc 4 #
        +#######+.......+#######+
                # ser 3 #
                +#######+
            """,
        ),
    ],
    ids=["nothing", "inner", "the longest of several", "corners", "ring"],
)
def test_7_2_the_longest_stretch_of_outer_wall(length: int, drawing: str) -> None:
    city = parse_city(drawing)
    assert (city.stretch(WALL), city.stretch(MOAT)) == (length, 0)
    assert is_lawful(city)


@rule("7.2")
def test_7_2_the_longest_moat() -> None:
    city = parse_city(
        """
        +.......+~~~~~~~+
        : start : are 2 ~
        +.......+~~~~~~~+
        : lib 10:
        +.......+
        """,
        kind=GRANADA,
    )
    assert (city.stretch(MOAT), city.stretch(WALL)) == (3, 0)
    state = position("granada")
    state.players[2].city = city
    assert shares(state, "B", "moat") == [0, 0, 3]


@rule("7.2")
@pytest.mark.parametrize("edition", ["alhambra", "granada"])
def test_7_2_agrees_with_corner_points_in_random_games(edition: str) -> None:
    seen: set[City] = set()
    for seed in range(4):
        for state, _ in plies(Options(edition, 4), seed, 120):
            seen.add(state.players[state.seat].city)
    lengths = Counter([city.stretch(MOAT if edition == "granada" else WALL) for city in seen])
    assert len(lengths) > 5  # many different lengths
    for city in seen:
        at_point = Counter([point for edge in outer_edges(city) for point in edge])
        assert max(at_point.values(), default=0) <= 2  # the remark in parentheses in the rule
        assert city.stretch(MOAT if edition == "granada" else WALL) == longest(outer_edges(city))


_Point = tuple[int, int]


def outer_edges(city: City) -> list[tuple[_Point, _Point]]:
    """Return the walls without a tile on the other side, by their end points."""
    found: list[tuple[_Point, _Point]] = []
    for place in city.places:
        x, y = x_of(place), y_of(place)
        corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)]
        for side, ends in enumerate(pairwise(corners)):
            if city.tile_on(place).walls >> side & 1 and city.neighbour(place, side) is None:
                found.append(ends)
    return found


def longest(edges: list[tuple[_Point, _Point]]) -> int:
    """Return the longest stretch by merging edges with common end points one by one."""
    groups: list[tuple[int, set[_Point]]] = []
    for ends in edges:
        touching = [group for group in groups if group[1] & set(ends)]
        joined = set(ends).union(*[points for _, points in touching])
        groups = [group for group in groups if group not in touching]
        groups.append((1 + sum([count for count, _ in touching]), joined))
    return max([count for count, _ in groups], default=0)


# 7.3 ------------------------------------------------------------------------------------------------------------------


def with_tiles(type_name: str, *counts: int) -> State:
    """Return a game of Alhambra in which each seat has built this number of tiles of a type."""
    state = position("alhambra", len(counts))
    names = [one.name for one in standard().alhambra if one.type_name == type_name]
    for seat, count in enumerate(counts):
        row(state, seat, *[names.pop() for _ in range(count)])
    return state


ALHAMBRA_TABLE = {
    "pavilion": ([1, 0, 0], [8, 1, 0], [16, 8, 1]),
    "seraglio": ([2, 0, 0], [9, 2, 0], [17, 9, 2]),
    "arcades": ([3, 0, 0], [10, 3, 0], [18, 10, 3]),
    "chambers": ([4, 0, 0], [11, 4, 0], [19, 11, 4]),
    "garden": ([5, 0, 0], [12, 5, 0], [20, 12, 5]),
    "tower": ([6, 0, 0], [13, 6, 0], [21, 13, 6]),
}


@rule("7.3")
@pytest.mark.parametrize("type_name", ALHAMBRA_TABLE)
def test_7_3_the_table(type_name: str) -> None:
    state = with_tiles(type_name, 3, 2, 1)
    assert tuple([shares(state, letter, type_name) for letter in "ABC"]) == ALHAMBRA_TABLE[type_name]


@rule("7.3")
@pytest.mark.parametrize(
    ("letter", "counts", "expected"),
    [
        ("B", (3, 3, 1), [9, 9, 0]),
        ("B", (3, 2, 2), [13, 3, 3]),
        ("B", (2, 2, 2), [6, 6, 6]),
        ("B", (4, 2, 2, 2), [13, 2, 2, 2]),
        ("A", (3, 3, 1), [3, 3, 0]),
        ("A", (1, 1, 1), [2, 2, 2]),
        ("A", (1, 1, 1, 1), [1, 1, 1, 1]),
        ("C", (3, 3, 1), [17, 17, 6]),
        ("C", (4, 2, 2), [21, 9, 9]),
        ("C", (2, 2, 2), [13, 13, 13]),
        ("C", (4, 2, 2, 2), [21, 6, 6, 6]),
        ("C", (4, 3, 1, 1), [21, 13, 3, 3]),
        ("C", (4, 3, 1, 1, 1), [21, 13, 2, 2, 2]),
        ("C", (2, 2, 2, 2), [10, 10, 10, 10]),
        ("C", (2, 2, 2, 1), [13, 13, 13, 0]),
        ("C", (3, 3, 2, 2), [17, 17, 3, 3]),
        ("C", (1, 3, 0, 2, 4), [0, 13, 0, 6, 21]),
        ("C", (0, 0, 1), [0, 0, 21]),
        ("C", (0, 0, 0), [0, 0, 0]),
    ],
)
def test_7_3_tied_players_share_rounded_down(letter: str, counts: tuple[int, ...], expected: list[int]) -> None:
    assert shares(with_tiles("tower", *counts), letter, "tower") == expected


@rule("7.3")
def test_7_3_a_share_of_zero_is_not_a_row() -> None:
    state = with_tiles("pavilion", 1, 1, 0)
    assert shares(state, "A", "pavilion") == [0, 0, 0]
    assert "pavilion" not in points(state, "A", 0)


@rule("7.3")
def test_7_3_the_number_counts_not_the_price() -> None:
    state = position()
    row(state, 0, "tower-13-E")
    row(state, 1, "tower-7-NEW", "tower-8-NES")
    assert shares(state, "A", "tower") == [0, 6, 0]


@rule("7.3")
def test_7_3_rows_contain_the_places() -> None:
    rows = [found for found in score_rows(with_tiles("tower", 4, 2, 2), "C") if found.item == "tower"]
    assert [(found.seat, found.scoring, found.place, found.points) for found in rows] == [
        (0, "C", 1, 21),
        (1, "C", 2, 9),
        (2, "C", 2, 9),
    ]


# 7.4 ------------------------------------------------------------------------------------------------------------------


def with_schools(*prices: list[int], scoring: str = "regular") -> State:
    """Return a game of Granada in which each seat has built schools of these prices."""
    state = position("granada", len(prices), scoring=scoring)
    for seat, own in enumerate(prices):
        row(state, seat, *[f"school-{price}" for price in own])
    return state


@rule("7.4")
@pytest.mark.parametrize(
    ("letter", "prices", "expected"),
    [
        ("A", ([2, 3, 4], [12, 13], [10, 11]), [7, 0, 0]),
        ("A", ([2, 3, 4], [5, 6, 7], [12, 13]), [0, 8, 0]),
        ("B", ([2, 3, 4, 5], [6, 7, 8], [12, 13]), [18, 9, 0]),
        ("C", ([3, 4, 5, 9], [6, 7, 8, 12], [2, 13]), [20, 30, 10]),
        ("B", ([3, 4, 5, 9], [6, 7, 8, 12], [2, 13]), [10, 20, 0]),
        ("A", ([3, 4, 5, 9], [6, 7, 8, 12], [2, 13]), [0, 10, 0]),
    ],
    ids=["printed A", "printed A, tied", "printed B", "printed C", "the same in B", "the same in A"],
)
def test_7_4_printed_examples(letter: str, prices: tuple[list[int], ...], expected: list[int]) -> None:
    assert shares(with_schools(*prices), letter, "school") == expected


@rule("7.4")
@pytest.mark.parametrize(
    ("letter", "prices", "expected"),
    [
        ("C", ([2], [4], [3]), [3, 9, 6]),
        ("B", ([2], [4], [3]), [0, 6, 3]),
        ("A", ([13, 2], [12, 11], [10, 9]), [6, 0, 0]),
        ("C", ([2], [5], [4], [3]), [0, 12, 8, 4]),
        ("C", ([2, 3], [13], [12], [11]), [15, 10, 5, 0]),
        ("C", ([], [7], []), [0, 3, 0]),
        ("B", ([], [7], []), [0, 2, 0]),
        ("A", ([], [7], []), [0, 1, 0]),
        ("C", ([], [], []), [0, 0, 0]),
    ],
)
def test_7_4_the_highest_price_breaks_ties(letter: str, prices: tuple[list[int], ...], expected: list[int]) -> None:
    assert shares(with_schools(*prices), letter, "school") == expected


@rule("7.4")
def test_7_4_only_prices_of_the_same_type_break_ties() -> None:
    state = with_schools([2], [3], [])
    row(state, 2, "arena-12", "arena-13")
    state.players[0].city = build(state.players[0].city, "park-13 at -1,0")
    assert shares(state, "A", "school") == [0, 2, 0]


@rule("7.4")
def test_7_4_faces_that_are_down_do_not_count() -> None:
    state = with_schools([9], [], [])  # its back is an arena
    assert points(state, "C", 0) == {"school": 3}


# 7.5, 7.6 -------------------------------------------------------------------------------------------------------------


@rule("7.5")
@pytest.mark.parametrize(("letter", "expected"), [("A", [0, 3, 0, 0]), ("B", [3, 10, 0, 0]), ("C", [10, 18, 3, 0])])
def test_7_5_simplified_scoring(letter: str, expected: list[int]) -> None:
    state = with_schools([3, 4, 5, 9], [6, 7, 8, 12], [2, 13], [10], scoring="simplified")
    assert shares(state, letter, "school") == expected


@rule("7.5")
def test_7_5_moats_score_as_usual() -> None:
    state = position("granada", 3, scoring="simplified")
    row(state, 0, "arena-2")
    assert points(state, "C", 0) == {"moat": 3, "arena": 18}


@rule("7.5")
def test_7_5_not_for_alhambra() -> None:
    with pytest.raises(BadOptions, match=r"7\.5"):
        Options("alhambra", 3, scoring="simplified")


@rule("7.6")
def test_7_6_no_upper_bound() -> None:
    state = position()
    state.players[0].score = 98
    state.players[1].score = 199
    row(state, 0, "tower-12")
    row(state, 1, "garden-11")
    display(state, "y1 g1 b1 o2")
    announce(state, "B")
    play(state, offers(state, "take")[0])
    assert [player.score for player in state.players] == [98 + 13, 199 + 12, 0]
    assert event_lines(state, "= score B 1") == ["= score B 1 tower=13 total=13"]


# Counted by hand ------------------------------------------------------------------------------------------------------


@rule("7.1", "7.3", "7.4", "7.5", "9.4", "10.7")
@pytest.mark.parametrize(
    "options", [Options("alhambra", 2), Options("granada", 3), Options("combined", 2, scoring="simplified")], ids=repr
)
def test_7_points_follow_from_holdings_and_lengths_alone(options: Options) -> None:
    for state, _ in plies(options, f"counted {options}", 60):
        lengths = [[player.city.stretch(what) for player in state.players] for what in (WALL, MOAT, RUN)]
        for letter in "ABC":
            counted = rows_of(holdings(state), lengths, options.kinds, letter, options.scoring == "simplified")
            assert repr(counted) == repr(score_rows(state, letter))


@rule("7.4")
def test_7_4_worked_examples_with_counted_tiles() -> None:
    def shares_of(letter: str, counts: list[int], highest: list[int]) -> dict[int, int]:
        held = [Holding(seat, ()) for seat in range(len(counts))]
        for holding, count, price in zip(held, counts, highest, strict=True):
            holding.counts[TYPES.index("school")] = count
            holding.highest[TYPES.index("school")] = price
        rows = rows_of(held, [[0, 0, 0]] * 3, (GRANADA,), letter, is_simplified=False)
        return {found.seat: found.points for found in rows}

    assert shares_of("B", [4, 3, 2], [0, 0, 0]) == {0: 18, 1: 9}
    assert shares_of("C", [4, 4, 2], [9, 12, 0]) == {1: 30, 0: 20, 2: 10}


@rule("7.2", "10.7")
def test_10_7_counted_lengths() -> None:
    rows = rows_of([], [[8, 0], [3, 5], [2, 0]], (), "A", is_simplified=False)
    assert [(found.seat, found.item, found.points) for found in rows] == [
        (0, "wall", 8),
        (0, "moat", 3),
        (1, "moat", 5),
        (0, "run", 4),
    ]
