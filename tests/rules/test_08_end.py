"""Chapter 8: the end of the game."""

from __future__ import annotations

import pytest

from granada import State, parse_action, winners
from tests.kit import (
    bag,
    display,
    event_lines,
    hand,
    offers,
    play,
    position,
    refusal,
    row,
    rule,
    settle,
    yard,
)


def last_turn(state: State, *names: str) -> State:
    """Play the turn after which the yard cannot be refilled: space 4 stays empty, the others have these tiles."""
    yard(state, *names, *["-"] * (4 - len(names)))
    bag(state)
    display(state, "o1 y9 g9 b9")
    return play(state, "take o1")


# 8.1 ------------------------------------------------------------------------------------------------------------------


@rule("8.1")
def test_8_1_the_yard_is_refilled_as_far_as_possible() -> None:
    state = position()
    yard(state, "garden-8-NE", "seraglio-9", "garden-8-NW", "pavilion-8")
    bag(state, "tower-12")
    hand(state, 0, "y8 b9")
    play(state, "buy garden-8-NW with b9", "reserve garden-8-NW")
    assert not state.is_over  # one was left
    yard(state, "garden-8-NE", "seraglio-9", "garden-6-ESW", "pavilion-8")
    bag(state, "tower-11")
    hand(state, 1, "y8 b9")
    play(state, "buy garden-8-NE with y8", "buy garden-6-ESW with b9", "reserve garden-8-NE", "reserve garden-6-ESW")
    assert event_lines(state, "! yard") == ["! yard 1 tower-11"]
    assert event_lines(state, "= award")[0] == "= award 1 tower-11 1"  # the player before has 8 left


@rule("8.1")
def test_8_1_after_the_turn_not_in_it() -> None:
    state = position()
    yard(state, "garden-8-NE", "seraglio-9", "garden-8-NW", "pavilion-8")
    bag(state)
    display(state, "y1 y9 g9 b9")
    hand(state, 0, "y8 g9")
    for text in ("buy garden-8-NE with y8", "buy seraglio-9 with g9", "take y1", "place garden-8-NE at 1,0"):
        play(state, text)
        assert (state.seat, event_lines(state)) == (0, [])
    play(state, "place seraglio-9 at -1,0")
    assert event_lines(state, "= award") == ["= award 3 garden-8-NW -", "= award 4 pavilion-8 -"]
    assert state.is_over


# 8.2 ------------------------------------------------------------------------------------------------------------------


@rule("8.2")
@pytest.mark.parametrize(
    ("hands", "winner"),
    [
        (("y1", "", ""), "1"),
        (("", "y9", "y8"), "2"),
        (("y9", "", "y5 y3 y2"), "3"),
        (("y5", "y3 y2", "y4"), "-"),
        (("y5", "y3 y2", "y6"), "3"),
        (("", "", ""), "-"),
        (("g9", "b9", "o9"), "-"),
        (("y3", "y2 g9 b9 o9", ""), "1"),
    ],
    ids=[
        "whatever the price",
        "the most money",
        "the sum, not the highest card",
        "a tie for the most",
        "a tie for less",
        "nobody has any",
        "only other currencies",
        "other currencies do not help",
    ],
)
def test_8_2_the_most_money_of_the_currency(hands: tuple[str, ...], winner: str) -> None:
    state = position()
    for seat, text in enumerate(hands):
        hand(state, seat, text)
    last_turn(state, "tower-13-E")
    assert event_lines(state, "= award") == [f"= award 1 tower-13-E {winner}"]
    if winner == "-":
        assert state.is_over
        assert [player.reserve for player in state.players] == [(), (), ()]
    else:
        assert state.seat == int(winner) - 1
        assert [tile.name for tile in state.tray] == ["tower-13-E"]


@rule("8.2")
def test_8_2_in_order_of_the_spaces() -> None:
    state = position()
    hand(state, 0, "b2")
    hand(state, 1, "y2 b1")
    last_turn(state, "tower-13-E", "tower-12", "tower-11")
    assert event_lines(state, "= award") == ["= award 1 tower-13-E 2", "= award 2 tower-12 -", "= award 3 tower-11 1"]
    play(state, "reserve tower-13-E")
    assert event_lines(state, "= award") == []
    assert (state.seat, [text.split()[1] for text in offers(state, "reserve")]) == (0, ["tower-11"])


@rule("8.2")
def test_8_2_nothing_is_paid() -> None:
    state = position()
    hand(state, 0, "y2")
    hand(state, 1, "")
    last_turn(state, "tower-13-E")
    play(state, "reserve tower-13-E")
    assert [card.name for card in state.players[0].hand()] == ["y2", "o1"]


@rule("8.2")
def test_8_2_an_empty_space_is_skipped() -> None:
    state = position()
    hand(state, 0, "y5 g5 b5")
    last_turn(state, "-", "tower-12", "-")
    assert event_lines(state, "= award") == ["= award 2 tower-12 1"]


@rule("8.2")
def test_8_2_exchange_cards_are_no_money() -> None:
    state = position("alhambra", 3, "exchange")
    hand(state, 0, "yg g9")
    hand(state, 1, "y1")
    last_turn(state, "tower-13-E")
    assert event_lines(state, "= award") == ["= award 1 tower-13-E 2"]


@rule("8.2")
def test_8_2_viziers_cannot_be_used() -> None:
    state = position("alhambra", 3, "vizier")
    hand(state, 1, "y9 y4")
    hand(state, 2, "y9 y9")
    last_turn(state, "tower-13-E")
    assert (state.seat, offers(state, "vizier")) == (2, [])
    play(state, "reserve tower-13-E")
    assert state.is_over


# 8.3 ------------------------------------------------------------------------------------------------------------------


@rule("8.3")
def test_8_3_alhambra_all_are_given_away_before_one_is_placed() -> None:
    state = position()
    hand(state, 0, "y2 g2")
    last_turn(state, "garden-10", "tower-7-NEW")
    assert event_lines(state, "= award") == ["= award 1 garden-10 1", "= award 2 tower-7-NEW 1"]
    assert set(offers(state)) == {
        *[f"place garden-10 at {where}" for where in ("0,-1", "1,0", "0,1", "-1,0")],
        "reserve garden-10",
        "place tower-7-NEW at 0,-1",
        "reserve tower-7-NEW",
    }
    play(state, "place garden-10 at 1,0")
    assert set(offers(state)) == {"place tower-7-NEW at 0,-1", "place tower-7-NEW at 1,-1", "reserve tower-7-NEW"}
    play(state, "place tower-7-NEW at 1,-1")
    assert state.is_over
    assert event_lines(state, "= score C 1") == ["= score C 1 wall=3 garden=20 tower=21 total=44"]


@rule("8.3")
def test_8_3_alhambra_placing_a_later_tile_first_makes_room_for_an_earlier_one() -> None:
    state = position()
    hand(state, 0, "g2 b2")
    settle(state, 0, "arcades-4-NES at 1,0", "seraglio-3-ESW at 0,1", "garden-8-NW at 0,-1")
    last_turn(state, "-", "pavilion-2-NEW", "arcades-9")
    assert not offers(state, "place pavilion-2-NEW")
    play(state, "place arcades-9 at -1,0")
    assert offers(state, "place pavilion-2-NEW") == ["place pavilion-2-NEW at -1,-1"]
    play(state, "place pavilion-2-NEW at -1,-1")
    assert state.is_over
    assert state.players[0].reserve == ()


@rule("8.3")
def test_8_3_alhambra_players_place_in_turn_order_from_the_player_next_on_turn() -> None:
    state = position("alhambra", 4)
    display(state, "o1 y9 g9 b9")
    play(state, "take o1")
    for seat, text in enumerate(("y2", "b2", "o3", "g2")):
        hand(state, seat, text)
    last_turn(state, "garden-10", "tower-12", "tower-11")  # by seat 1, so that seat 2 is next, which gets nothing
    assert [(seat, tile.name) for seat, tile in state.awards] == [(0, "garden-10"), (1, "tower-11")]
    assert (state.seat, [tile.name for tile in state.tray]) == (3, ["tower-12"])
    play(state, "reserve tower-12")
    assert (state.seat, [tile.name for tile in state.tray]) == (0, ["garden-10"])
    assert not state.is_legal(parse_action("reserve tower-11"))  # another player's
    play(state, "reserve garden-10")
    assert (state.seat, state.awards) == (1, ())
    play(state, "reserve tower-11")
    assert state.is_over


@rule("8.3")
def test_8_3_granada_placed_at_once_before_the_next_is_given() -> None:
    state = position("granada")
    hand(state, 0, "y2 g2")
    last_turn(state, "park-2", "park-8")
    assert event_lines(state, "= award") == ["= award 1 park-2 1"]
    assert ([tile.name for tile in state.tray], state.awards) == (["park-2"], ())
    play(state, "reserve park-2")
    assert event_lines(state, "= award") == ["= award 2 park-8 1"]
    assert [tile.name for tile in state.tray] == ["park-8"]


@rule("8.3")
def test_8_3_the_player_may_decline_to_build() -> None:
    state = position("granada")
    hand(state, 0, "y2")
    row(state, 1, "school-9", "school-2")
    last_turn(state, "school-12")
    play(state, "reserve school-12")
    # If it were built, it would raise the points of the other majority from 6 to 9.
    assert "school=6" in event_lines(state, "= score C 2")[0]
    assert [tile.name for tile in state.players[0].reserve] == ["school-12"]


@rule("8.3")
def test_8_3_what_cannot_be_built_goes_to_the_reserve() -> None:
    state = position()
    hand(state, 0, "y2")
    settle(
        state, 0, "pavilion-2-NEW at 0,-1", "arcades-4-NES at 1,0", "seraglio-3-ESW at 0,1", "chambers-5-NSW at -1,0"
    )
    last_turn(state, "garden-10")
    assert offers(state) == ["reserve garden-10"]


@rule("8.3")
@pytest.mark.parametrize(
    "text",
    [
        "place arena-6 at -1,0 as hospital-7 with y9",
        "reserve arena-6 as hospital-7",
        "give arena-6",
        "give arena-6 as hospital-7 with y9",
        "take y9",
        "pass",
    ],
)
@pytest.mark.parametrize("players", [2, 3])
def test_8_3_not_turned_over_and_not_given_to_dirk(players: int, text: str) -> None:
    state = position("granada", players)
    hand(state, 0, "y9")
    last_turn(state, "arena-6")
    assert refusal(state, text) == "8.3"
    assert not [offer for offer in offers(state) if " as " in offer or offer.startswith("give")]


@rule("8.3")
@pytest.mark.parametrize("text", ["place tower-12 at 1,0", "reserve tower-12"])
def test_8_3_only_the_tile_that_was_given(text: str) -> None:
    state = position()
    hand(state, 0, "y2")
    last_turn(state, "garden-10")
    assert not state.is_legal(parse_action(text))


# 8.4 ------------------------------------------------------------------------------------------------------------------


@rule("8.4")
@pytest.mark.parametrize(
    ("scores", "line", "best"),
    [
        ((30, 20, 25), "= end 1=30 2=20 3=25 winners=1", (0,)),
        ((20, 25, 25), "= end 1=20 2=25 3=25 winners=2+3", (1, 2)),
        ((7, 7, 7), "= end 1=7 2=7 3=7 winners=1+2+3", (0, 1, 2)),
        ((0, 0, 0), "= end 1=0 2=0 3=0 winners=1+2+3", (0, 1, 2)),
    ],
)
def test_8_4_most_points_wins(scores: tuple[int, ...], line: str, best: tuple[int, ...]) -> None:
    state = position()
    for player, score in zip(state.players, scores, strict=True):
        player.score = score
    last_turn(state)
    assert event_lines(state)[-1] == line
    assert winners(state) == best


@rule("8.4")
def test_8_4_scoring_c_follows() -> None:
    state = position()
    row(state, 0, "pavilion-8")
    row(state, 1, "pavilion-2-NEW", "pavilion-3-SW", "pavilion-6-N")
    row(state, 2, "pavilion-4-ES", "pavilion-7-E")
    last_turn(state, "tower-13-E")
    rows = {(found.seat, found.item): found.points for found in state.rows if found.scoring == "C"}
    # The printed example: 16, 8 and 1 for the most pavilions.
    assert [rows[seat, "pavilion"] for seat in (1, 2, 0)] == [16, 8, 1]
    assert [line.split()[2:4] for line in event_lines(state, "= score")] == [["C", seat] for seat in "123"]
    assert event_lines(state)[-1].startswith("= end ")


@rule("8.4")
def test_8_4_nothing_can_be_done_afterwards() -> None:
    state = last_turn(position())
    assert state.is_over
    assert state.offers() == []
    assert list(state.legal_actions) == []
    assert not state.legal_actions
    assert refusal(state, "take y9") == "8.4"
    assert parse_action("take y9") not in state.legal_actions
