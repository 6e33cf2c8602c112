"""11: the vizier's favour."""

from __future__ import annotations

import pytest

from granada import Buy, Options, State, new_game, tile
from granada.rules.money import total
from tests.kit import (
    deck,
    dirk,
    discards,
    display,
    event_lines,
    hand,
    luck,
    offers,
    play,
    position,
    refusal,
    rule,
    yard,
)

ALHAMBRA_YARD = ("pavilion-2-NEW", "seraglio-3-ESW", "arcades-4-NES", "chambers-5-NSW")
GRANADA_YARD = ("school-10", "arena-2", "library-2", "hostel-2")


def court(edition: str = "alhambra", players: int = 3, *modules: str) -> State:
    """Return a position with seat 0 on turn; the nines on the display do not pay for any tile exactly."""
    state = position(edition, players, "vizier", *modules)
    if edition == "combined":
        yard(state, *[name for pair in zip(ALHAMBRA_YARD, GRANADA_YARD, strict=True) for name in pair])
    else:
        yard(state, *(ALHAMBRA_YARD if edition == "alhambra" else GRANADA_YARD))
    display(state, "y9 g9 b9 o9")
    return state


def answers(state: State, *texts: str) -> list[int]:
    """Play these answers; return the seats that had to decide before each of them, and after the last one."""
    seats = [state.seat]
    for text in texts:
        play(state, text)
        seats.append(state.seat)
    return seats


@rule("11.1")
def test_11_1_viziers_are_active_at_the_start() -> None:
    with_viziers = new_game(Options("granada", 4, ["vizier"]), luck(1))
    assert [player.vizier for player in with_viziers.players] == [True] * 4
    without = new_game(Options("granada", 4), luck(1))
    assert [player.vizier for player in without.players] == [None] * 4
    assert refusal(without, "wake") == "11.1"


@rule("11.2", "6.5")
def test_11_2_buy_one_tile_exactly_between_turns_and_place_it() -> None:
    state = court()
    hand(state, 2, "y2")
    play(state, "take y9")
    assert state.seat == 2
    assert offers(state) == ["vizier pavilion-2-NEW with y2", "decline"]
    play(state, "vizier pavilion-2-NEW with y2")
    assert offers(state, "reserve") == ["reserve pavilion-2-NEW"]
    play(state, "place pavilion-2-NEW at 0,-1")
    assert state.players[2].city.contains(tile("pavilion-2-NEW"))
    assert state.players[2].vizier is False
    assert state.players[2].hand() == ()
    assert [card.name for card in state.discards[-1:]] == ["y2"]
    assert state.seat == state.turn == 1  # no extra action


@rule("11.2")
@pytest.mark.parametrize("cards", ["y3", "y1", "g2", "y9 y8"])
def test_11_2_players_who_cannot_pay_exactly_are_not_asked(cards: str) -> None:
    state = court()
    hand(state, 1, cards)
    play(state, "take y9")
    assert state.turn == 1


@rule("11.2")
def test_11_2_more_than_the_price_is_refused() -> None:
    state = court()
    hand(state, 2, "y2 y1")
    play(state, "take y9")
    assert refusal(state, "vizier pavilion-2-NEW with y2 y1") == "11.2"
    assert refusal(state, "vizier pavilion-2-NEW with y1") == "3.3"
    assert refusal(state, "vizier tower-12 with y2") == "3.3"
    assert refusal(state, "buy pavilion-2-NEW with y2") == "11.2"


@rule("11.2")
def test_11_2_an_inactive_vizier_gives_no_chance() -> None:
    state = court()
    hand(state, 2, "y2")
    state.players[2].vizier = False
    play(state, "take y9")
    assert state.turn == 1


@rule("11.3")
@pytest.mark.parametrize(("players", "asked"), [(2, [1, 0]), (3, [1, 2, 0]), (6, [1, 2, 3, 4, 5, 0])])
def test_11_3_order_of_precedence(players: int, asked: list[int]) -> None:
    state = court("alhambra", players)
    for seat in range(players):
        hand(state, seat, "y2")
    play(state, "take y9")
    assert answers(state, *["decline"] * players) == [*asked, 1]
    assert state.turn == 1


@rule("11.3")
def test_11_3_after_a_use_all_others_decide_again() -> None:
    state = court()
    for seat in range(3):
        hand(state, seat, "y2 g3")
    play(state, "take y9", "decline", "decline")
    assert answers(
        state,
        "vizier pavilion-2-NEW with y2",
        "reserve pavilion-2-NEW",
        "decline",
        "vizier seraglio-3-ESW with g3",
        "reserve seraglio-3-ESW",
    ) == [0, 0, 1, 2, 2, 1]  # seats 1 and 2 decide again, seat 0 does not; then seat 1 is on turn
    assert [player.vizier for player in state.players] == [False, True, False]
    assert state.turn == 1


@rule("11.3")
def test_11_3_the_asking_starts_again_with_the_player_next_on_turn() -> None:
    state = court()
    hand(state, 1, "y2 g3")
    hand(state, 2, "g3")
    hand(state, 0, "b4")
    play(state, "take y9", "decline")
    assert state.seat == 2
    assert answers(state, "vizier seraglio-3-ESW with g3", "reserve seraglio-3-ESW", "decline", "decline") == [
        *[2, 2, 1, 0],
        1,
    ]


@rule("11.3")
def test_11_3_the_refilled_yard_opens_new_chances() -> None:
    state = court()
    hand(state, 1, "y8")  # nothing costs 8 yet
    hand(state, 2, "y2")
    state.bags[0][:] = [tile("pavilion-8")]
    play(state, "take y9")
    assert answers(state, "vizier pavilion-2-NEW with y2", "reserve pavilion-2-NEW") == [2, 2, 1]
    assert offers(state) == ["vizier pavilion-8 with y8", "decline"]


@rule("11.3")
def test_11_3_no_money_is_drawn_after_a_use() -> None:
    state = court()
    hand(state, 2, "y2")
    deck(state)
    discards(state)
    state.bags[0][:] = [tile("pavilion-8")]
    play(state, "take y9", "vizier pavilion-2-NEW with y2", "reserve pavilion-2-NEW")
    assert event_lines(state) == ["! yard 1 pavilion-8"]
    assert [card.name for card in state.display] == ["g9", "b9", "o9"]


@rule("11.3")
def test_11_3_the_marker_changes_after_a_use() -> None:
    state = court("granada")
    hand(state, 2, "g2")
    assert state.marker == 1
    play(state, "take y9", "vizier arena-2 with g2", "reserve arena-2")
    assert state.yard[1] is not None
    assert state.yard[1].price % 2 == 1
    assert state.marker == 0


@rule("11.3")
def test_11_3_no_chance_before_the_first_turn() -> None:
    would_have_paid = 0
    for seed in range(30):
        state = new_game(Options("alhambra", 6, ["vizier"]), luck(seed))
        assert offers(state, "take")
        assert not offers(state, "vizier")
        exact = [a for a in state.offers() if isinstance(a, Buy) and total(a.cards) == a.tile.price]
        would_have_paid += bool(exact)
    assert would_have_paid


@rule("11.4")
def test_11_4_play_continues_with_the_player_who_was_next() -> None:
    state = court()
    hand(state, 2, "y2")
    hand(state, 0, "g3")
    turns = state.turns
    play(state, "take y9", "vizier pavilion-2-NEW with y2", "reserve pavilion-2-NEW")
    play(state, "vizier seraglio-3-ESW with g3", "reserve seraglio-3-ESW")
    assert (state.seat, state.turn, state.turns) == (1, 1, turns + 1)


@rule("11.5")
def test_11_5_not_while_left_over_tiles_are_given_away() -> None:
    state = court()
    hand(state, 0, "g4")
    hand(state, 1, "y2 b4")
    state.bags[0].clear()
    play(state, "buy seraglio-3-ESW with g4", "reserve seraglio-3-ESW")
    assert event_lines(state, "=")[:2] == ["= award 1 pavilion-2-NEW 2", "= award 3 arcades-4-NES 2"]
    assert refusal(state, "vizier arcades-4-NES with b4") == "8.3"
    assert not offers(state, "vizier")
    play(state, "reserve pavilion-2-NEW")
    assert not offers(state, "vizier")


@rule("11.5")
def test_11_5_the_state_of_the_vizier_does_not_matter_at_the_end() -> None:
    ends: list[list[str]] = []
    for is_active in (True, False):
        state = court()
        hand(state, 0, "g4")
        state.bags[0].clear()
        for player in state.players:
            player.vizier = is_active
        play(state, "buy seraglio-3-ESW with g4", "place seraglio-3-ESW at 0,1")
        ends.append(event_lines(state, "="))
    assert ends[0] == ends[1]
    assert ends[0][-1] == "= end 1=20 2=0 3=0 winners=1"  # wall 3, seraglio 17


@rule("11.6")
def test_11_6_reactivate_the_vizier() -> None:
    state = court()
    assert refusal(state, "wake") == "11.6"
    assert not offers(state, "wake")
    state.players[0].vizier = False
    assert offers(state, "wake") == ["wake"]
    play(state, "wake")
    assert state.players[0].vizier is True
    assert state.seat == 1


@rule("11.6")
def test_11_6_a_vizier_awake_again_can_be_used_at_once() -> None:
    state = court()
    hand(state, 0, "y2")
    state.players[0].vizier = False
    play(state, "wake")
    assert offers(state) == ["vizier pavilion-2-NEW with y2", "decline"]


@rule("11.6", "3.4")
def test_11_6_it_may_be_the_extra_action() -> None:
    state = court()
    hand(state, 0, "y2")
    state.players[0].vizier = False
    play(state, "buy pavilion-2-NEW with y2", "wake", "reserve pavilion-2-NEW")
    assert state.players[0].vizier is True
    assert state.turn == 1


@rule("11.6")
def test_11_6_only_in_your_turn() -> None:
    state = court()
    hand(state, 2, "y2")
    play(state, "take y9")
    assert state.seat == 2
    assert refusal(state, "wake") == "11.2"


@rule("11.7")
def test_11_7_no_hut_with_the_vizier() -> None:
    state = court("alhambra", 3, "huts")
    hand(state, 2, "y2")
    play(state, "take y9")
    assert not offers(state, "hut")
    assert refusal(state, "hut garden") != ""


@rule("11.7", "12.4")
def test_11_7_an_exchange_card_alone_can_make_the_payment_exact() -> None:
    state = court("alhambra", 3, "exchange")
    hand(state, 2, "yb b2")
    play(state, "take y9")
    assert offers(state) == ["vizier pavilion-2-NEW with yb b2", "decline"]


@rule("11.7", "4.2", "9.6", "12.4")
def test_11_7_exchange_turning_over_and_dirk_in_one_use() -> None:
    state = court("granada", 2, "exchange")
    hand(state, 1, "yb y5 g3 b5")
    discards(state)
    play(state, "take o9")
    assert "vizier school-10 with yb y5 b5" in offers(state)
    play(state, "vizier school-10 with yb y5 b5")
    assert refusal(state, "give school-10 as arena-11 with yb g3") != ""
    play(state, "give school-10 as arena-11 with g3")
    assert dirk(state).tiles[-1] == tile("arena-11")
    assert state.players[1].hand() == ()
    assert [card.name for card in state.discards] == ["yb", "y5", "b5", "g3"]
    assert state.marker == 0
    assert state.turn == 1


@rule("11.7", "4.2")
@pytest.mark.parametrize(
    ("answer", "is_turned"), [("reserve arena-2 as bath_house-3", True), ("reserve arena-2", False)]
)
def test_11_7_a_granada_tile_may_be_turned_over(answer: str, is_turned: bool) -> None:
    state = court("granada")
    hand(state, 2, "g2")
    play(state, "take y9", "vizier arena-2 with g2", answer)
    assert state.players[2].reserve == (tile("bath_house-3" if is_turned else "arena-2"),)


@rule("11.7", "8.1")
def test_11_7_the_game_ends_if_the_yard_cannot_be_refilled_after_a_use() -> None:
    state = court()
    for seat in range(3):
        hand(state, seat, "y2")
    state.bags[0].clear()
    play(state, "take g9", "vizier pavilion-2-NEW with y2", "reserve pavilion-2-NEW")
    assert event_lines(state, "=")[0] == "= award 2 seraglio-3-ESW 1"  # seat 0 took g9; nobody decides any more
    play(state, "reserve seraglio-3-ESW")
    assert state.is_over


@rule("11.7", "10.8")
def test_11_7_in_the_combined_game_a_half_empty_space_does_not_end_it() -> None:
    state = court("combined")
    hand(state, 2, "y2")
    for bag in state.bags:
        bag.clear()
    play(state, "take y9", "vizier pavilion-2-NEW with y2", "reserve pavilion-2-NEW")
    assert (state.seat, state.turn) == (1, 1)
