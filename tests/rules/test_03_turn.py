"""Chapter 3: the turn."""

from __future__ import annotations

import pytest

from granada import IllegalAction, NotationError, cards, parse_action, play_at_random
from tests.kit import (
    deck,
    display,
    hand,
    luck,
    offers,
    placing,
    play,
    position,
    refusal,
    reserve,
    rule,
    settle,
    yard,
)

# 3.1 ------------------------------------------------------------------------------------------------------------------


@rule("3.1")
def test_3_1_one_of_three_actions() -> None:
    state = position()
    display(state, "y9")
    yard(state, "pavilion-2-NEW", "tower-13-E", "tower-12", "tower-11")
    hand(state, 0, "y3")
    settle(state, 0, "chambers-10 at 1,0")
    reserve(state, 0, "chambers-11")
    assert set(offers(state)) == {
        "take y9",
        "buy pavilion-2-NEW with y3",
        *[f"add chambers-11 at {where}" for where in ("0,-1", "0,1", "-1,0", "1,-1", "2,0", "1,1")],
        "remove 1,0",
        "swap chambers-11 at 1,0",
    }


@rule("3.1")
@pytest.mark.parametrize("text", ["place tower-12 at 1,0", "reserve tower-12", "give tower-12", "decline", "keep"])
def test_3_1_nothing_else_is_an_action_of_the_turn(text: str) -> None:
    state = position()
    assert refusal(state, text) == "3.1"
    with pytest.raises(IllegalAction, match=r"3\.1"):
        state.check(parse_action(text))


@rule("3.1")
@pytest.mark.parametrize("text", ["take y1", "remove 1,0", "add tower-12 at 0,1", "swap tower-12 at 1,0"])
def test_3_1_one_action_and_the_turn_is_over(text: str) -> None:
    state = position()
    display(state, "y1 y2 y3 y4")
    settle(state, 0, "tower-11 at 1,0")
    reserve(state, 0, "tower-12")
    play(state, text)
    assert state.seat == 1


# 3.2 ------------------------------------------------------------------------------------------------------------------


@rule("3.2")
@pytest.mark.parametrize(
    ("shown", "takes"),
    [
        # The printed example: both cards on the left, or one of the two on the right (or one on the left).
        ("y3 g2 b7 o9", {"y3", "g2", "b7", "o9", "y3 g2"}),
        ("y3 g3 b4 o2", {"y3", "g3", "b4", "o2", "y3 o2", "g3 o2"}),
        ("y5 y1 g9 b6", {"y5", "y1", "g9", "b6"}),
        ("y1 g1 b1 o2", {"y1", "g1", "b1", "o2", "y1 g1", "y1 b1", "y1 o2", "g1 b1", "g1 o2", "b1 o2"}
         | {"y1 g1 b1", "y1 g1 o2", "y1 b1 o2", "g1 b1 o2", "y1 g1 b1 o2"}),
        ("y1 g1 b1 o3", {"y1", "g1", "b1", "o3", "y1 g1", "y1 b1", "y1 o3", "g1 b1", "g1 o3", "b1 o3"}
         | {"y1 g1 b1", "y1 g1 o3", "y1 b1 o3", "g1 b1 o3"}),
        ("y2 y2 y1 y9", {"y9", "y2", "y1", "y2 y2", "y2 y1", "y2 y2 y1"}),
        ("b9", {"b9"}),
    ],
    ids=["printed", "5 but not 6", "a 5 only alone", "four cards of 5", "not four of 6", "twins", "short display"],
)  # fmt: skip
def test_3_2_one_card_or_several_up_to_5(shown: str, takes: set[str]) -> None:
    state = position()
    display(state, shown)
    found = offers(state, "take")
    assert set(found) == {f"take {some}" for some in takes}
    assert len(found) == len(takes)


@rule("3.2")
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("take y3 g2", ""),
        ("take y3 b3", "3.2"),
        ("take y3 g2 b3", "3.2"),
        ("take g2 o9", "3.2"),
        ("take y4", "3.2"),
        ("take y3 y3", "3.2"),
        ("take A", "3.2"),
    ],
    ids=["5", "6", "8", "a large one with a small one", "not there", "once there", "no money"],
)
def test_3_2_refused(text: str, number: str) -> None:
    state = position()
    display(state, "y3 g2 b3 o9")
    assert refusal(state, text) == number


@rule("3.2")
def test_3_2_cards_are_named_in_order() -> None:
    with pytest.raises(NotationError, match="sorted"):
        parse_action("take g2 y3")


@rule("3.2")
def test_3_2_an_exchange_card_is_taken_alone() -> None:
    state = position("alhambra", 3, "exchange")
    display(state, "yb y1 g1")
    assert set(offers(state, "take")) == {"take yb", "take y1", "take g1", "take y1 g1"}
    assert refusal(state, "take yb y1") == "12.3"


@rule("3.2")
def test_3_2_the_cards_go_to_the_hand() -> None:
    state = position()
    display(state, "y3 g2 b7 o9")
    deck(state, "y1 y1")
    hand(state, 0, "b7")
    play(state, "take y3 g2")
    assert state.players[0].hand() == cards("y3 g2 b7")
    assert [card.name for card in state.display] == ["b7", "o9", "y1", "y1"]


# 3.3 ------------------------------------------------------------------------------------------------------------------


@rule("3.3")
def test_3_3_printed_example_a_garden_of_10_paid_with_11() -> None:
    state = position()
    yard(state, "tower-12", "tower-11", "garden-10", "tower-13-E")
    hand(state, 0, "b6 b5")
    play(state, "buy garden-10 with b6 b5")
    assert state.players[0].hand() == ()
    assert state.discards == list(cards("b6 b5"))
    assert state.yard[2] is None
    assert [tile.name for tile in state.tray] == ["garden-10"]
    assert refusal(state, "take y1") == "4.1"  # no further action: the tile must be placed
    play(state, "reserve garden-10")
    assert state.seat == 1


@rule("3.3")
@pytest.mark.parametrize(
    "text",
    [
        "buy garden-10 with b9",
        "buy garden-10 with g9 g1",
        "buy garden-10 with b9 o1",
        "buy garden-10 with b9 b2",
        "buy garden-10 with b9 b1 b1",
        "buy tower-12 with b9 b3",
        "buy garden-11 with b9 b3",
    ],
    ids=["too little", "wrong currency", "two currencies", "not in hand", "once in hand", "other space", "not there"],
)
def test_3_3_refused(text: str) -> None:
    state = position()
    yard(state, "tower-12", "tower-11", "garden-10", "tower-13-E")
    hand(state, 0, "g9 g1 b9 b3 b1 o1")
    assert refusal(state, text) == "3.3"


@rule("3.3")
def test_3_3_granada_only_the_face_that_is_up() -> None:
    state = position("granada")
    yard(state, "arena-6")
    hand(state, 0, "y7")
    assert refusal(state, "buy arena-6 with y7") == ""
    assert refusal(state, "buy hospital-7 with y7") == "3.3"


@rule("3.3")
def test_3_3_offers_have_no_superfluous_card() -> None:
    state = position()
    yard(state, "garden-8-NE", "tower-12", "tower-11", "tower-13-E")
    hand(state, 0, "y9 y5 y4 y3 y1 g9")
    assert set(offers(state, "buy")) == {
        "buy garden-8-NE with y9",
        "buy garden-8-NE with y5 y4",
        "buy garden-8-NE with y5 y3",
        "buy garden-8-NE with y4 y3 y1",
    }


@rule("3.3")
@pytest.mark.parametrize("paid", ["y9 y1", "y9 y5 y4 y3 y1", "y5 y4 y1", "y5 y3 y1"])
def test_3_3_superfluous_cards_are_accepted_but_not_offered(paid: str) -> None:
    state = position()
    yard(state, "garden-8-NE")
    hand(state, 0, "y9 y5 y4 y3 y1")
    action = parse_action(f"buy garden-8-NE with {paid}")
    assert state.is_legal(action)
    assert action not in state.legal_actions
    assert action not in list(state.legal_actions)
    play(state, f"buy garden-8-NE with {paid}")
    assert state.discards == list(cards(paid))
    assert refusal(state, "reserve garden-8-NE") == ""  # overpaid: no further action


@rule("3.3")
def test_3_3_offered_is_what_legal_actions_contain() -> None:
    state = position()
    yard(state, "garden-8-NE")
    hand(state, 0, "y9 y5 y4 y3 y1")
    for action in state.offers():
        assert action in state.legal_actions
    assert parse_action("buy garden-8-NE with y5") not in state.legal_actions
    assert "buy garden-8-NE with y9" not in state.legal_actions  # texts are not actions


@rule("3.3")
def test_3_3_equal_cards_make_one_offer() -> None:
    state = position()
    yard(state, "pavilion-8", "tower-12", "tower-11", "tower-13-E")
    hand(state, 0, "y4 y4 y4")
    assert offers(state, "buy") == ["buy pavilion-8 with y4 y4"]


# 3.4 ------------------------------------------------------------------------------------------------------------------


@rule("3.4")
@pytest.mark.parametrize("last", ["take y1 g1 b1 o2", "remove 1,0", "add tower-12 at 0,-1", "swap tower-12 at 1,0"])
def test_3_4_five_actions_in_a_turn(last: str) -> None:
    state = position()
    yard(state, "pavilion-2-NEW", "seraglio-3-ESW", "arcades-4-NES", "chambers-5-NSW")
    hand(state, 0, "y2 g2 g1 b4 o4 o1")
    display(state, "y1 g1 b1 o2")
    settle(state, 0, "tower-11 at 1,0")
    reserve(state, 0, "tower-12")
    before = state.n
    play(
        state,
        "buy arcades-4-NES with b4",
        "buy pavilion-2-NEW with y2",
        "buy seraglio-3-ESW with g2 g1",
        "buy chambers-5-NSW with o4 o1",
        last,
    )
    assert state.n - before == 5
    assert offers(state, "take") == offers(state, "buy") == []
    play(
        state, *[f"reserve {name}" for name in ("pavilion-2-NEW", "seraglio-3-ESW", "arcades-4-NES", "chambers-5-NSW")]
    )
    assert state.seat == 1


@rule("3.4")
@pytest.mark.parametrize(("paid", "is_exact"), [("y8", True), ("y5 y3", True), ("y9", False), ("y5 y4", False)])
def test_3_4_only_an_exact_payment_gives_another_action(paid: str, is_exact: bool) -> None:
    state = position()
    yard(state, "garden-8-NE")
    hand(state, 0, "y9 y8 y5 y4 y3")
    play(state, f"buy garden-8-NE with {paid}")
    assert bool(offers(state, "take")) == is_exact
    assert bool(offers(state, "reserve")) == (not is_exact)


@rule("3.4", "4.1")
def test_3_4_printed_example_two_exact_payments_and_a_swap() -> None:
    state = position()
    settle(state, 0, "chambers-10 at 1,0")
    reserve(state, 0, "chambers-11")
    yard(state, "pavilion-8", "garden-10", "tower-12", "tower-11")
    hand(state, 0, "y8 g9 g1")
    play(state, "buy pavilion-8 with y8", "buy garden-10 with g9 g1", "swap chambers-11 at 1,0")
    play(state, "place garden-10 at 2,0", "reserve pavilion-8")
    assert [tile.name for tile in state.players[0].city.tiles()] == ["start-alhambra", "chambers-11", "garden-10"]
    assert {tile.name for tile in state.players[0].reserve} == {"chambers-10", "pavilion-8"}
    assert state.seat == 1


# 3.5 ------------------------------------------------------------------------------------------------------------------


@rule("3.5")
def test_3_5_a_build_from_the_reserve() -> None:
    state = position()
    reserve(state, 0, "garden-10-N", "tower-12")
    play(state, "add garden-10-N at 1,0")
    assert [tile.name for tile in state.players[0].city.tiles()] == ["start-alhambra", "garden-10-N"]
    assert [tile.name for tile in state.players[0].reserve] == ["tower-12"]


@rule("3.5")
def test_3_5_b_take_into_the_reserve() -> None:
    state = position("granada")
    settle(state, 0, "hospital-7 at -1,0")
    play(state, "remove -1,0")
    assert [tile.name for tile in state.players[0].city.tiles()] == ["start-granada"]
    assert [tile.name for tile in state.players[0].reserve] == ["hospital-7"]


@rule("3.5")
def test_3_5_c_swap_exactly_in_the_place() -> None:
    state = position()
    settle(state, 0, "garden-10 at 1,0", "garden-11 at 2,0")
    reserve(state, 0, "tower-12")
    play(state, "swap tower-12 at 1,0")
    city = state.players[0].city
    assert [tile.name for tile in city.tiles()] == ["start-alhambra", "tower-12", "garden-11"]
    assert [tile.name for tile in state.players[0].reserve] == ["garden-10"]


@rule("3.5", "5.6")
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("add tower-13-E at -1,0", "5.2"),
        ("add tower-13-E at 3,1", "5.4"),
        ("add tower-12 at 0,-1", "3.5"),
        ("remove 1,0", "5.6"),
        ("remove 5,5", "3.5"),
        ("swap tower-13-E at 1,0", "5.2"),
        ("swap tower-13-E at 0,1", "3.5"),
        ("swap tower-12 at 1,0", "3.5"),
        ("swap garden-11 at 1,0", "3.5"),
    ],
    ids=[
        "add: unlike edges",
        "add: over a corner",
        "add: not in the reserve",
        "remove: falls apart",
        "remove: nothing there",
        "swap: unlike edges",
        "swap: nothing there",
        "swap: not in the reserve",
        "swap: two tiles of the city",
    ],
)
def test_3_5_refused(text: str, number: str) -> None:
    state = position()
    settle(state, 0, "garden-10 at 1,0", "garden-11 at 2,0")
    reserve(state, 0, "tower-13-E")
    reserve(state, 1, "tower-12")
    assert refusal(state, text) == number


@rule("3.5")
def test_3_5_only_your_city_and_reserve() -> None:
    state = position()
    settle(state, 1, "garden-10 at 1,0")
    reserve(state, 1, "tower-12")
    assert offers(state, "add") == offers(state, "remove") == offers(state, "swap") == []


@rule("3.5", "4.4")
@pytest.mark.parametrize("text", ["add arena-6 at 0,-1", "swap arena-6 at -1,0"])
def test_3_5_rebuilding_turns_nothing_over(text: str) -> None:
    state = position("granada")
    settle(state, 0, "school-2 at -1,0")
    reserve(state, 0, "hospital-7")
    assert refusal(state, text) == "3.5"
    assert not [offer for offer in offers(state) if "arena-6" in offer]


# 3.6, 3.7 -------------------------------------------------------------------------------------------------------------


@rule("3.6")
def test_3_6_nothing_is_refilled_during_a_turn() -> None:
    state = position()
    yard(state, "pavilion-2-NEW")
    display(state, "y1 g1 b1 o1")
    hand(state, 0, "y2")
    play(state, "buy pavilion-2-NEW with y2")
    assert state.yard[0] is None
    play(state, "take y1 g1")
    assert [card.name for card in state.display] == ["b1", "o1"]
    assert state.yard[0] is None
    play(state, "reserve pavilion-2-NEW")
    assert len(state.display) == 4
    assert state.yard[0] is not None


@rule("3.7")
def test_3_7_pass_only_without_any_action() -> None:
    state = position()
    display(state, "")
    deck(state)
    yard(state, "tower-13-E", "tower-12", "tower-11", "garden-12-S")
    assert offers(state) == ["pass"]
    assert refusal(state, "pass") == ""
    play(state, "pass")
    assert (state.seat, offers(state)) == (1, ["pass"])


@rule("3.7")
@pytest.mark.parametrize("what", ["money", "buy", "add", "remove"])
def test_3_7_an_action_must_be_taken_if_one_is_possible(what: str) -> None:
    state = position()
    display(state, "y9" if what == "money" else "")
    deck(state)
    yard(state, "pavilion-2-NEW")
    if what == "buy":
        hand(state, 0, "y9")
    if what == "add":
        reserve(state, 0, "tower-12")
    if what == "remove":
        settle(state, 0, "tower-12 at 1,0")
    assert refusal(state, "pass") == "3.7"
    assert "pass" not in offers(state)
    assert parse_action("pass") not in state.legal_actions


@rule("3.7")
def test_3_7_the_extra_action_must_be_taken_too() -> None:
    state = position()
    yard(state, "pavilion-2-NEW")
    hand(state, 0, "y2")
    play(state, "buy pavilion-2-NEW with y2")
    assert refusal(state, "pass") == "3.7"
    assert refusal(state, "reserve pavilion-2-NEW") == "3.1"


@rule("3.7")
def test_3_7_an_impossible_extra_action_is_passed() -> None:
    state = position()
    display(state, "")
    deck(state)
    yard(state, "pavilion-2-NEW", "tower-13-E", "tower-12", "tower-11")
    hand(state, 0, "y2")
    play(state, "buy pavilion-2-NEW with y2")
    assert offers(state) == ["pass"]
    play(state, "pass")
    assert "reserve pavilion-2-NEW" in offers(state)


@rule("3.7")
def test_3_7_a_tile_that_waits_must_be_placed() -> None:
    assert refusal(placing(position(), "tower-12"), "pass") == "4.1"


@rule("3.7")
def test_3_7_simulations_stop_after_a_number_of_turns() -> None:
    state = position()
    begun = state.turns
    play_at_random(state, luck("endless"), max_turns=begun + 10)
    assert not state.is_over
    assert state.turns == begun + 11
