"""Chapter 4: placing the tiles of a turn."""

from __future__ import annotations

import pytest

from granada import Place, Reserve, State, cards, cell, parse_action, tile
from tests.kit import (
    display,
    hand,
    offers,
    placing,
    play,
    position,
    refusal,
    rule,
    settle,
    yard,
)


def city_of(state: State, seat: int = 0) -> list[str]:
    """Return the built tiles, without the start tile."""
    return [tile.name for tile in state.players[seat].city.tiles() if not tile.is_start]


def reserve_of(state: State, seat: int = 0) -> list[str]:
    return [tile.name for tile in state.players[seat].reserve]


def to_next_turn(state: State) -> None:
    """Let the others take cards until the first player is on turn again."""
    while state.seat != 0:
        play(state, offers(state, "take")[0])


# 4.1 ------------------------------------------------------------------------------------------------------------------


@rule("4.1")
def test_4_1_into_the_city_or_into_the_reserve() -> None:
    state = placing(position(), "tower-7-NEW")
    assert offers(state) == ["place tower-7-NEW at 0,-1", "reserve tower-7-NEW"]
    assert city_of(play(state.copy(), "place tower-7-NEW at 0,-1")) == ["tower-7-NEW"]
    assert reserve_of(play(state.copy(), "reserve tower-7-NEW")) == ["tower-7-NEW"]


@rule("4.1")
@pytest.mark.parametrize("first", ["garden-10", "tower-12", "arcades-9"])
def test_4_1_in_any_order(first: str) -> None:
    names = ["garden-10", "tower-12", "arcades-9"]
    state = placing(position(), *names)
    assert {f"reserve {name}" for name in names} <= set(offers(state))
    play(state, f"place {first} at 1,0")
    names.remove(first)
    assert set(offers(state, "reserve")) == {f"reserve {name}" for name in names}
    play(state, f"reserve {names[1]}", f"place {names[0]} at 2,0")
    assert city_of(state) == [first, names[0]]
    assert state.seat == 1


@rule("4.1")
def test_4_1_one_tile_can_make_room_for_another() -> None:
    # A tower with walls north, east and west fits only north of an open edge, which the garden adds.
    state = placing(position(), "tower-7-NEW", "garden-10")
    settle(state, 0, "pavilion-2-NEW at 0,-1")
    assert offers(state, "place tower-7-NEW") == []
    play(state, "place garden-10 at 1,0")
    assert offers(state, "place tower-7-NEW") == ["place tower-7-NEW at 1,-1"]


@rule("4.1")
@pytest.mark.parametrize("text", ["take y1", "buy tower-12 with y9", "remove 1,0", "add tower-12 at 1,0", "pass"])
def test_4_1_nothing_else_can_be_done(text: str) -> None:
    assert refusal(placing(position(), "garden-10"), text) == "4.1"


@rule("4.1")
@pytest.mark.parametrize("text", ["place tower-12 at 1,0", "reserve tower-12"])
def test_4_1_only_tiles_of_this_turn(text: str) -> None:
    assert refusal(placing(position(), "garden-10"), text) == "4.1"


@rule("4.1")
def test_4_1_at_the_end_of_the_turn_only() -> None:
    state = position()
    yard(state, "pavilion-8")
    hand(state, 0, "y8")
    play(state, "buy pavilion-8 with y8")
    assert refusal(state, "place pavilion-8 at 1,0") == "3.1"
    play(state, offers(state, "take")[0])
    assert refusal(state, "place pavilion-8 at 1,0") == ""


# 4.2 ------------------------------------------------------------------------------------------------------------------


@rule("4.2")
def test_4_2_printed_example_arena_to_hospital_for_3_library_to_district_for_5() -> None:
    state = placing(position("granada"), "arena-6", "library-12")
    hand(state, 0, "g5 o2 o1")
    play(state, "place arena-6 at -1,0 as hospital-7 with o2 o1")
    assert state.players[0].hand() == cards("g5")
    assert state.seat == 0  # no extra action for paying exactly 3: the other tile must still be placed
    assert offers(state, "take") == offers(state, "buy") == []
    play(state, "place library-12 at 1,0 as district-13 with g5")
    assert set(city_of(state)) == {"hospital-7", "district-13"}
    assert state.players[0].hand() == ()
    assert state.discards == list(cards("o2 o1") + cards("g5"))  # no change
    assert state.seat == 1


@rule("4.2")
def test_4_2_the_face_that_was_up_costs_nothing() -> None:
    state = placing(position("granada"), "library-12")
    assert set(offers(state, "place")) == {f"place library-12 at {where}" for where in ("0,-1", "1,0", "-1,0")}
    play(state, "place library-12 at 1,0")
    assert city_of(state) == ["library-12"]


@rule("4.2")
@pytest.mark.parametrize(
    ("paid", "number"),
    [
        ("o3", ""),
        ("o2 o1", ""),
        ("y9", ""),
        ("g2 g2", ""),
        ("o3 o2 o1", ""),
        ("o2", "4.2"),
        ("g2 o1", "4.2"),
        ("y9 g2", "4.2"),
        ("b3", "4.2"),
    ],
    ids=["3", "2 and 1", "9", "4", "superfluous", "2", "two currencies", "9 and another currency", "not in hand"],
)
def test_4_2_at_least_3_of_one_currency(paid: str, number: str) -> None:
    state = placing(position("granada"), "arena-6")
    hand(state, 0, "y9 g2 g2 o3 o2 o1")
    assert refusal(state, f"place arena-6 at -1,0 as hospital-7 with {paid}") == number


@rule("4.2")
def test_4_2_offers_have_no_superfluous_card() -> None:
    state = placing(position("granada"), "arena-6")
    hand(state, 0, "y9 g2 g2 o3 o2 o1")
    paid = {text.partition(" with ")[2] for text in offers(state, "place") if " as hospital-7 " in text}
    assert paid == {"y9", "g2 g2", "o3", "o2 o1"}
    superfluous = parse_action("place arena-6 at -1,0 as hospital-7 with o3 o1")
    assert state.is_legal(superfluous)
    assert superfluous not in state.legal_actions
    assert parse_action("place arena-6 at -1,0 as hospital-7 with o3") in state.legal_actions


@rule("4.2")
def test_4_2_superfluous_cards_are_gone() -> None:
    state = placing(position("granada"), "arena-6")
    hand(state, 0, "o3 o2 o1")
    play(state, "place arena-6 at -1,0 as hospital-7 with o3 o2 o1")
    assert state.players[0].hand() == ()
    assert state.discards == list(cards("o3 o2 o1"))


@rule("4.2")
def test_4_2_paid_for_each_tile_separately() -> None:
    state = placing(position("granada"), "arena-6", "library-12")
    hand(state, 0, "o9")
    play(state, "place arena-6 at -1,0 as hospital-7 with o9")
    assert refusal(state, "place library-12 at 1,0 as district-13 with o9") == "4.2"
    assert not [text for text in offers(state, "place") if " as " in text]


@rule("4.2")
def test_4_2_turned_and_unpaid_is_refused() -> None:
    state = placing(position("granada"), "arena-6")
    assert state.is_legal(Place(tile("arena-6"), cell(-1, 0), tile("hospital-7"))).rule == "4.2"


@rule("4.2")
def test_4_2_only_the_back_of_the_tile() -> None:
    state = placing(position("granada"), "arena-6")
    hand(state, 0, "o3")
    assert refusal(state, "place arena-6 at -1,0 as district-13 with o3") == "4.2"


@rule("4.2")
def test_4_2_nothing_is_paid_for_the_face_that_is_up() -> None:
    state = placing(position("granada"), "arena-6")
    hand(state, 0, "o3")
    assert state.is_legal(Place(tile("arena-6"), cell(-1, 0), tile("arena-6"), cards("o3"))).rule == "4.2"


@rule("4.2")
def test_4_2_money_taken_in_the_same_turn_may_be_used() -> None:
    state = position("granada")
    yard(state, "arena-6")
    display(state, "o3 g1 g1 g1")
    hand(state, 0, "y6")
    play(state, "buy arena-6 with y6", "take o3", "place arena-6 at 0,-1 as hospital-7 with o3")
    assert city_of(state) == ["hospital-7"]


@rule("4.2")
@pytest.mark.parametrize("paid", ["yg y3", "yg y2 g1"])
def test_4_2_an_exchange_card_cannot_help(paid: str) -> None:
    state = placing(position("granada", 3, "exchange"), "arena-6")
    hand(state, 0, "yg y3 y2 g1")
    assert refusal(state, f"place arena-6 at -1,0 as hospital-7 with {paid}") in ("4.2", "12.5")
    assert {text.partition(" with ")[2] for text in offers(state, "place") if " as " in text} == {"y3"}


@rule("4.2")
def test_4_2_an_alhambra_tile_has_no_other_face() -> None:
    state = placing(position(), "garden-10")
    hand(state, 0, "o3")
    assert refusal(state, "place garden-10 at 1,0 as garden-11 with o3") == "4.2"
    assert not [text for text in offers(state) if " as " in text]


# 4.3, 4.4 -------------------------------------------------------------------------------------------------------------


@rule("4.3")
@pytest.mark.parametrize(
    ("text", "face"), [("reserve arena-6", "arena-6"), ("reserve arena-6 as hospital-7", "hospital-7")]
)
def test_4_3_into_the_reserve_with_either_face_free(text: str, face: str) -> None:
    state = placing(position("granada"), "arena-6")
    hand(state, 0, "o3")
    assert offers(state, "reserve") == ["reserve arena-6", "reserve arena-6 as hospital-7"]
    play(state, text)
    assert reserve_of(state) == [face]
    assert state.players[0].hand() == cards("o3")


@rule("4.3")
def test_4_3_only_its_own_faces() -> None:
    state = placing(position("granada"), "arena-6")
    assert state.is_legal(Reserve(tile("arena-6"), tile("district-13"))).rule == "4.3"


@rule("4.4")
@pytest.mark.parametrize(
    ("text", "up", "down"), [("", "arena-6", "hospital-7"), (" as hospital-7", "hospital-7", "arena-6")]
)
def test_4_4_never_turned_over_again(text: str, up: str, down: str) -> None:
    state = placing(position("granada"), "arena-6")
    play(state, f"reserve arena-6{text}")
    to_next_turn(state)
    hand(state, 0, "y9 g9 b9 o9")
    assert {offer.split()[1] for offer in offers(state, "add")} == {up}
    assert refusal(state, f"add {down} at 0,-1") == "3.5"
    play(state, f"add {up} at 0,-1")
    to_next_turn(state)
    play(state, "remove 0,-1")
    assert reserve_of(state) == [up]
    assert not {up, down} & set(city_of(state))
