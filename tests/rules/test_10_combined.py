"""10: the combined game."""

from __future__ import annotations

import pytest

from granada import DIRK, City, Options, State, cell, is_lawful, new_city, new_game, tile
from granada.drawing.text import parse_city
from granada.rules.cells import NO_CELL, parse_cell
from granada.rules.components import standard
from granada.rules.tiles import ALHAMBRA, GRANADA, STARTS, Tile
from tests.kit import (
    build,
    cells_to_remove,
    cells_to_swap,
    deck,
    dirk,
    discards,
    display,
    event_lines,
    hand,
    luck,
    offers,
    play,
    plies,
    points,
    position,
    refusal,
    rule,
    settle,
    turn_over_deck,
    yard,
)

#: Both halves of the four spaces, cheap enough to be bought exactly one by one.
CHEAP_YARD = (
    *("pavilion-2-NEW", "arena-2"),
    *("seraglio-3-ESW", "bath_house-2"),
    *("pavilion-3-SW", "library-2"),
    *("seraglio-4-NE", "hostel-2"),
)
CHEAP_HAND = "y2 y2 g3 g2 b3 b2 o4 o2"


def combined(players: int = 3, *modules: str) -> State:
    """Return a position of the combined game in which no card on the display pays for a tile exactly."""
    state = position("combined", players, *modules)
    yard(state, *CHEAP_YARD)
    display(state, "y1 g1 b1 o1")
    return state


def verdict(city: City, text: str) -> str:
    """Return the rule that forbids building a tile, given as `arena-8 at 2,0`; empty if it is legal."""
    name, _, where = text.partition(" at ")
    return city.verdict(tile(name), parse_cell(where)).rule


def halves(state: State) -> tuple[list[Tile | None], list[Tile | None]]:
    """Return the Alhambra and the Granada tiles of the yard, space by space."""
    return state.yard[0::2], state.yard[1::2]


def pile_sizes(count: int) -> list[int]:
    """2.6: return the sizes of five piles of nearly equal size, larger ones first."""
    return [count // 5 + (1 if pile < count % 5 else 0) for pile in range(5)]


# 10.1, 10.2: set-up ---------------------------------------------------------------------------------------------------


@rule("10.1")
def test_10_1_two_bags_of_54_and_alhambra_start_tiles_only() -> None:
    state = new_game(Options("combined", 3), luck(1))
    alhambra, granada = halves(state)
    assert len(state.bags) == 2
    assert len(state.bags[0]) + len(alhambra) == 54
    assert len(state.bags[1]) + len(granada) == 54
    for player in state.players:
        assert player.city.tiles() == [STARTS[ALHAMBRA]]
        assert player.city.starts == (cell(0, 0), NO_CELL)


@rule("10.1")
def test_10_1_granada_faces_begin_even_and_go_on_odd() -> None:
    state = new_game(Options("combined", 4), luck(2))
    assert [face.price % 2 for face in halves(state)[1] if face] == [0, 0, 0, 0]
    assert state.marker == 1


@rule("10.2")
@pytest.mark.parametrize("seed", range(25))
def test_10_2_each_space_holds_both_kinds_and_the_first_granada_tiles_have_moats(seed: int) -> None:
    alhambra, granada = halves(new_game(Options("combined", 3), luck(seed)))
    assert [face.kind for face in alhambra if face] == [ALHAMBRA] * 4
    assert [face.kind for face in granada if face and face.walls] == [GRANADA] * 4


@rule("10.2")
def test_10_2_tiles_without_moat_stay_in_the_bag_and_may_come_later() -> None:
    state = combined()
    moatless = [face for face in standard().granada if not face.walls]
    assert all(face in state.bags[1] for face in moatless)
    state.bags[1][:] = moatless
    hand(state, 0, "y3")
    play(state, "buy arena-2 with y3", "reserve arena-2")
    assert event_lines(state, "! yard") == ["! yard 1 hospital-11"]  # the odd face of library-10, which has no moat


# 10.3: the score cards ------------------------------------------------------------------------------------------------


@rule("10.3")
@pytest.mark.parametrize("seed", range(12))
def test_10_3_only_a_is_in_the_deck_in_pile_3(seed: int) -> None:
    state = new_game(Options("combined", 3), luck(seed))
    sizes = pile_sizes(len(state.deck.cards()) - 1)
    order = turn_over_deck(state, luck(seed))
    assert "B" not in order
    assert sum(sizes[:2]) <= order.index("A") <= sum(sizes[:3])


@rule("10.3")
@pytest.mark.parametrize(
    ("cards", "first", "last"),
    [
        ("y9 y8 y7 y6 y5 g9 g8 g7 g6 g5 b9 b8 b7 b6 b5 o9 o8 o7 o6 o5", 4, 8),  # 20 cards: 4, 4 and B, 4, 4, 4
        ("yg bo y9 y8 y7 y6 y5 g9 g8 g7 g6 g5 b9 b8 b7 b6 b5 o9 o8 o7 o6 o5", 5, 10),  # 22 cards: 5, 5 and B, …
    ],
)
def test_10_3_b_is_shuffled_into_pile_2_of_the_first_reshuffle(cards: str, first: int, last: int) -> None:
    places = set()
    for seed in range(80):
        state = combined()
        deck(state)
        discards(state, cards)
        order = turn_over_deck(state, luck(seed))
        assert sorted(order) == sorted([*cards.split(), "B"])
        places.add(order.index("B"))
    assert places == set(range(first, last + 1))


@rule("10.3")
def test_10_3_without_discards_b_waits_for_the_first_real_reshuffle() -> None:
    state = combined()
    hand(state, 1, "y3")
    deck(state)
    discards(state)
    play(state, "take y1")
    assert event_lines(state) == []
    assert len(state.display) == 3
    play(state, "buy pavilion-2-NEW with y3", "reserve pavilion-2-NEW")
    assert event_lines(state)[:2] == ["! reshuffle", "! display y3"]
    play(state, "take g1")  # B was added then, and is the only card left
    assert event_lines(state, "! display") == ["! display B"]
    assert event_lines(state, "= score B 1") == ["= score B 1 total=0"]


@rule("10.3")
def test_10_3_b_comes_only_once() -> None:
    state = combined()
    deck(state)
    discards(state, "y9 g9")
    assert sorted(turn_over_deck(state, luck(0))) == ["B", "g9", "y9"]
    discards(state, "b9 o9")
    assert sorted(turn_over_deck(state, luck(0))) == ["b9", "o9"]


@rule("10.3")
def test_10_3_dirks_tiles_need_no_moat() -> None:
    drawn: list[Tile] = []
    for seed in range(20):
        tiles = dirk(new_game(Options("combined", 2), luck(seed))).tiles
        drawn += [face for face in tiles if face.kind == GRANADA and not face.walls]
    assert drawn


# 10.4: buying ---------------------------------------------------------------------------------------------------------


@rule("10.4", "3.4")
def test_10_4_both_tiles_of_every_space_can_be_bought_in_a_turn_of_nine_actions() -> None:
    state = combined()
    hand(state, 0, CHEAP_HAND)
    for name, paid in zip(CHEAP_YARD, CHEAP_HAND.split(), strict=True):
        play(state, f"buy {name} with {paid}")
        assert offers(state, "take")
    play(state, "take y1")
    assert [face.name for face in state.tray] == list(CHEAP_YARD)
    play(state, *[f"reserve {name}" for name in CHEAP_YARD])
    assert state.seat == 1
    assert None not in state.yard


@rule("10.4")
def test_10_4_either_tile_of_a_space_is_paid_in_its_currency() -> None:
    state = combined()
    hand(state, 0, "y2 g2")
    assert offers(state, "buy") == [
        "buy pavilion-2-NEW with y2",
        "buy arena-2 with y2",
        "buy bath_house-2 with g2",
    ]


@rule("10.4")
@pytest.mark.parametrize(
    ("bought", "is_bag_empty", "marker"),
    [("arena-2", False, 0), ("pavilion-2-NEW", False, 1), ("arena-2", True, 1)],
)
def test_10_4_the_marker_changes_when_a_granada_tile_was_refilled(bought: str, is_bag_empty: bool, marker: int) -> None:
    state = combined()
    hand(state, 0, "y3")
    if is_bag_empty:
        state.bags[1].clear()
    play(state, f"buy {bought} with y3", f"reserve {bought}")
    assert state.marker == marker
    new = halves(state)[1][0]
    assert (new.price % 2 if new else None) == (None if is_bag_empty else 1 - marker)


# 10.5: edges ----------------------------------------------------------------------------------------------------------

#: The hostel south of the library's moat would be reached from the seraglio.
MIXED = """
    +.......+.......+.......+.......+
    : start : tow 13% lib*2 : are 12:
    +.......+.......+~~~~~~~+.......+
            : ser 9 :
            +.......+
"""


@rule("10.5")
@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("chambers-10 at 0,1", ""),  # Alhambra to Alhambra, open to open
        ("arcades-8-N at 0,1", "5.2"),  # wall to open
        ("hospital-12 at 4,0", ""),  # Granada to Granada, open to open
        ("arena-8 at 4,0", "5.2"),  # moat to open
        ("arcades-8-N at 2,1", ""),  # wall to moat
        ("arcades-9 at 2,1", "10.5"),  # open to moat
        ("arena-10 at 1,2", "10.5"),  # moat to open
        ("hospital-12 at 1,2", "10.5"),  # Granada to Alhambra, open to open
        ("seraglio-8-S at 3,1", "10.5"),  # Alhambra to Granada, open to open
        ("tower-11-N at 3,1", "10.5"),  # wall to open
    ],
)
def test_10_5_kinds_touch_only_wall_to_moat(text: str, refused: str) -> None:
    assert verdict(parse_city(MIXED), text) == refused


@rule("10.5")
def test_10_5_nothing_can_be_built_on_the_marked_place() -> None:
    """The printed example: the arcades would need an Alhambra tile there, the library a Granada tile."""
    city = parse_city("""
        +.......+
        : start :
        +.......+.......+
        : gar 9 % lib*8 :
        +.......+.......+
        : arc 9 : here
        +.......+
    """)
    box = standard()
    faces = [*box.alhambra, *box.granada, *[face.back for face in box.granada if face.back], *box.huts]
    assert len(faces) == 54 + 108 + 24
    assert not [face for face in faces if city.may_build(face, cell(1, 2))]
    assert [face for face in faces if city.may_build(face, cell(0, 3))]


# 10.6: the two parts --------------------------------------------------------------------------------------------------

ONE_CONTACT = """
    +.......+.......+.......+
    : start : tow 13% are*8 :
    +.......+.......+.......+
"""


@rule("10.6")
def test_10_6_the_first_granada_tile_needs_a_wall_to_touch() -> None:
    granada = standard().granada
    assert not [face for face in granada if new_city(ALHAMBRA).cells_for(face)]
    walled = build(new_city(ALHAMBRA), "tower-13-E at 1,0")
    assert list(walled.cells_for(tile("arena-8"))) == [cell(2, 0)]
    assert verdict(walled, "arena-8 at 3,0") == "5.4"
    assert verdict(walled, "district-6 at 2,0") == "10.5"  # its moat is in the east


@rule("10.6")
def test_10_6_the_first_granada_tile_is_a_start_tile() -> None:
    state = combined()
    state.players[0].city = parse_city(ONE_CONTACT)
    state.players[0].reserve = (tile("park-10"),)
    assert state.players[0].city.starts == (cell(0, 0), cell(2, 0))
    assert refusal(state, "remove 2,0") == "1.5"
    assert refusal(state, "swap park-10 at 2,0") == "1.5"


@rule("10.6")
def test_10_6_the_foot_rule_holds_in_each_part_from_its_own_start() -> None:
    walls = build(new_city(ALHAMBRA), "tower-13-E at 1,0", "garden-10-W at -1,0")
    assert verdict(walls, "district-6 at -2,0") == ""
    begun = build(walls, "arena-8 at 2,0")
    assert verdict(begun, "district-6 at -2,0") == "5.3"  # next to a wall, but not reachable from the arena
    lake = build(new_city(ALHAMBRA), "tower-13-E at 1,0", "library-2 at 2,0")
    assert verdict(lake, "arcades-8-N at 2,1") == "5.3"  # next to a moat, but not reachable from the start


@rule("10.6", "5.5")
def test_10_6_holes_are_judged_over_the_whole_layout() -> None:
    nearly = parse_city("""
        +.......+.......+.......+
        : start : tow 13% are*8 :
        +.......+.......+.......+
        : arc 9 :       : are 12:
        +.......+       +.......+
        : gar 9 #       : bat 12:
        +.......+       +.......+
    """)
    assert verdict(nearly, "park-10 at 1,2") == "5.5"
    assert verdict(nearly, "hostel-10 at 2,3") == ""


@rule("10.6")
def test_10_6_the_layout_must_stay_connected() -> None:
    state = combined()
    state.players[0].city = parse_city(ONE_CONTACT)
    assert refusal(state, "remove 1,0") != ""
    assert offers(state, "remove") == []


@rule("10.6")
def test_10_6_the_granada_start_tile_need_not_go_on_touching_the_alhambra() -> None:
    state = combined()
    state.players[0].city = parse_city("""
        +.......+.......+.......+
        : start : tow 13% are*8 :
        +.......+.......+.......+
        : arc 9 : arc 8 % par 10:
        +.......+.......+.......+
    """)
    play(state, "remove 1,0")
    assert state.players[0].city == parse_city("""
        +.......+       +.......+
        : start :       ~ are*8 :
        +.......+.......+.......+
        : arc 9 : arc 8 % par 10:
        +.......+.......+.......+
    """)


@rule("10.6", "3.5")
def test_10_6_a_swap_of_kinds_needs_a_legal_result() -> None:
    state = combined()
    state.players[0].city = parse_city(MIXED)
    state.players[0].reserve = (tile("garden-10-W"), tile("hostel-12"))
    assert refusal(state, "swap hostel-12 at 1,0") == "10.5"
    assert refusal(state, "swap garden-10-W at 3,0") == "10.5"


@rule("10.6", "5.6")
@pytest.mark.parametrize("seed", range(3))
def test_10_6_rebuilding_agrees_with_is_lawful(seed: int) -> None:
    checked = 0
    for state, _ in plies(Options("combined", 2, ["huts"]), seed):
        player = state.players[state.seat]
        city = player.city
        movable = [place for place in city.places if place not in city.starts]
        if state.n % 7 or not player.reserve:
            continue
        for face in player.reserve:
            lawful = [place for place in movable if is_lawful(city.swap(face, place))]
            assert list(cells_to_swap(city, face)) == lawful
        assert list(cells_to_remove(city)) == [place for place in movable if is_lawful(city.remove(place))]
        checked += 1
    assert checked > 5


@rule("10.6")
def test_10_6_huts_belong_to_the_alhambra_part() -> None:
    hut = build(new_city(ALHAMBRA), "hut-garden-E at 1,0")
    assert verdict(hut, "arena-8 at 2,0") == ""
    assert verdict(hut, "arena-12 at 2,0") == "10.5"
    begun = build(hut, "arena-8 at 2,0")
    assert verdict(begun, "hut-garden-N at 2,1") == "10.5"
    assert verdict(begun, "tower-12 at 1,1") == ""  # reached on foot over the hut


# 10.7: scoring --------------------------------------------------------------------------------------------------------


@rule("10.7")
def test_10_7_wall_moat_and_run_around_a_corner() -> None:
    """Wall N and E of the seraglio and E of the tower; moat and run along the first two of these edges."""
    state = combined()
    state.players[0].city = parse_city("""
                +.......+.......+
                : bat 10: are 12:
        +.......+%%%%%%%+.......+
        : start : ser 4 % are*8 :
        +.......+.......+.......+
                : tow 13#
                +.......+
    """)
    scored = points(state, "A", 0)
    assert scored == {"wall": 3, "moat": 2, "run": 4, "seraglio": 2, "tower": 6, "arena": 2, "bath_house": 1}
    assert list(scored) == ["wall", "moat", "run", "seraglio", "tower", "arena", "bath_house"]


@rule("10.7")
def test_10_7_only_the_longest_run_scores() -> None:
    state = combined()
    state.players[0].city = parse_city("""
        +.......+.......+.......+
        : start : tow 13% are*8 :
        +.......+.......+.......+
        : arc 9 : arc 8 % par 10:
        +.......+.......+.......+
        : arc 10:       : are 12:
        +.......+       +.......+
        : gar 9 #       : bat 12:
        +.......+       +.......+
    """)
    scored = points(state, "A", 0)
    assert [scored[item] for item in ("wall", "moat", "run")] == [2, 2, 4]
    settle(state, 0, "school-8 at 3,0", "library-12 at 3,1")  # a moat that is not connected to another one; inner edges
    assert points(state, "A", 0)["run"] == 4


@rule("10.7")
def test_10_7_majorities_score_by_the_tables_of_their_own_game() -> None:
    state = combined()
    for seat, place in enumerate(("tower-11", "tower-12")):
        settle(state, seat, f"{place} at 0,1", "tower-13-E at 1,0")
    settle(state, 0, "arena-8 at 2,0", "arena-12 at 3,0")
    settle(state, 1, "park-10 at 2,0", "arena-4 at 3,0", "district-13 at 3,-1")
    assert points(state, "B", 0)["tower"] == points(state, "B", 1)["tower"] == 9  # (13 + 6) / 2
    assert points(state, "B", 0)["arena"] == 6  # twice three arenas in all cities
    assert points(state, "B", 1)["arena"] == 3


# 10.8, 10.9: the end --------------------------------------------------------------------------------------------------


@rule("10.8")
def test_10_8_ends_when_a_space_can_hold_neither() -> None:
    state = combined()
    hand(state, 1, "y3")
    for bag in state.bags:
        bag.clear()
    yard(state, "pavilion-2-NEW", "-")
    for bag in state.bags:
        bag.clear()
    play(state, "take y1")
    assert state.seat == 1  # one half of a space is empty, but no whole space is
    play(state, "buy pavilion-2-NEW with y3", "reserve pavilion-2-NEW")
    assert event_lines(state, "= award 2") == ["= award 2 seraglio-3-ESW -", "= award 2 bath_house-2 -"]


@rule("10.8")
def test_10_8_while_one_bag_is_empty_the_other_goes_on_refilling() -> None:
    state = combined()
    hand(state, 0, "y2 y2")
    state.bags[0].clear()
    play(state, "buy pavilion-2-NEW with y2", "buy arena-2 with y2", "take g1")
    play(state, "reserve pavilion-2-NEW", "reserve arena-2")
    alhambra, granada = halves(state)
    assert alhambra[0] is None
    assert None not in alhambra[1:]
    assert None not in granada
    assert state.seat == 1


def left_over(*names: str) -> State:
    """Return a position in which seat 0 is about to end the game, with only these tiles on the yard."""
    state = combined()
    for slot in range(8):
        yard(state, *[names[i] if i < len(names) else "-" for i in range(slot + 1)])
    for bag in state.bags:
        bag.clear()
    return state


@rule("10.9", "8.3")
def test_10_9_the_tiles_of_a_space_are_placed_before_the_next_space_is_given() -> None:
    state = left_over("garden-9-E", "-", "tower-12")
    hand(state, 0, "")
    hand(state, 1, "y5 g9")
    hand(state, 2, "")
    play(state, "take g1")
    assert event_lines(state, "=") == ["= award 1 garden-9-E 2"]
    play(state, "reserve garden-9-E")
    assert event_lines(state, "=") == ["= award 2 tower-12 2"]


@rule("10.9")
def test_10_9_the_richest_gets_both_tiles_and_chooses_their_order() -> None:
    state = left_over("garden-9-E", "arena-8")
    hand(state, 1, "y5")
    hand(state, 2, "y4 g9")
    play(state, "take g1")
    assert event_lines(state, "=") == ["= award 1 garden-9-E 2", "= award 1 arena-8 2"]
    assert state.seat == 1
    assert {"reserve arena-8", "reserve garden-9-E"} < set(offers(state))
    assert offers(state, "place arena-8") == []
    play(state, "place garden-9-E at 1,0")
    assert offers(state) == ["place arena-8 at 2,0", "reserve arena-8"]
    assert refusal(state, "reserve arena-8 as school-9") == "8.3"


@rule("10.9", "8.2")
def test_10_9_in_a_tie_both_tiles_stay() -> None:
    state = left_over("garden-9-E", "arena-8")
    hand(state, 1, "y5")
    hand(state, 2, "y4 y1")
    play(state, "take g1")
    assert event_lines(state, "= award") == ["= award 1 garden-9-E -", "= award 1 arena-8 -"]
    assert state.is_over


# 10.10, 10.11 ---------------------------------------------------------------------------------------------------------


def dirk_draws(state: State, scoring: str) -> list[Tile]:
    """Return what Dirk draws after a scoring, from 10 Alhambra and 8 Granada tiles."""
    before = len(dirk(state).tiles)
    del state.bags[0][10:], state.bags[1][8:]
    state.announced = (scoring,)
    play(state, "take y1")
    return list(dirk(state).tiles[before:])


@rule("10.10", "9.3")
def test_10_10_dirk_gets_six_and_six_at_set_up() -> None:
    tiles = dirk(new_game(Options("combined", 2), luck(5))).tiles
    assert [face.kind for face in tiles] == [ALHAMBRA] * 6 + [GRANADA] * 6
    assert not [face for face in tiles[6:] if face.price % 2]


@rule("10.10", "9.5")
@pytest.mark.parametrize(("scoring", "kinds"), [("A", [6, 6]), ("B", [3, 2])])
def test_10_10_dirk_draws_from_each_bag(scoring: str, kinds: list[int]) -> None:
    drawn = dirk_draws(combined(2), scoring)
    assert [len([face for face in drawn if face.kind == kind]) for kind in (ALHAMBRA, GRANADA)] == kinds
    assert [face.price % 2 for face in drawn if face.kind == GRANADA] == [1] * kinds[1]  # the marker shows odd


@rule("10.11", "7.5")
def test_10_11_simplified_scoring_applies_to_the_granada_types() -> None:
    state = position("combined", 2, scoring="simplified")
    dirk(state, "arena-12", "tower-12")
    settle(state, 0, "tower-13-E at 1,0", "arena-8 at 2,0", "arena-4 at 3,0")
    assert points(state, "B", 0) == {"wall": 1, "moat": 2, "run": 2, "tower": 9, "arena": 10}
    assert points(state, "B", DIRK) == {"tower": 9, "arena": 3}
