"""Chapter 6: the end of a turn."""

from __future__ import annotations

import pytest

from granada import State
from tests.kit import (
    all_cards,
    announce,
    bag,
    deck,
    dirk,
    discards,
    display,
    event_lines,
    hand,
    offers,
    placing,
    play,
    position,
    rule,
    settle,
    yard,
)


def shown(state: State) -> str:
    return " ".join([card.name for card in state.display])


def words(state: State) -> list[str]:
    """Return the first two words of each event line of the last action."""
    return [" ".join(line.split()[:2]) for line in event_lines(state)]


# 6.1 ------------------------------------------------------------------------------------------------------------------


@rule("6.1")
@pytest.mark.parametrize(
    ("text", "left", "drawn"),
    [
        ("take y1", "g1 b1 o2", "y9"),
        ("take y1 g1", "b1 o2", "y9 g9"),
        ("take y1 g1 b1 o2", "", "y9 g9 b9 o9"),
    ],
)
def test_6_1_the_display_is_refilled_to_four(text: str, left: str, drawn: str) -> None:
    state = position()
    display(state, "y1 g1 b1 o2")
    deck(state, "y9 g9 b9 o9 y8 g8")
    play(state, text)
    assert shown(state) == f"{left} {drawn}".strip()
    assert event_lines(state, "! display") == [f"! display {drawn}"]


@rule("6.1")
def test_6_1_nothing_is_drawn_for_a_full_display() -> None:
    state = placing(position(), "tower-12")
    before = shown(state)
    play(state, "reserve tower-12")
    assert shown(state) == before
    assert event_lines(state, "! display") == []


@rule("6.1")
def test_6_1_a_score_card_is_laid_aside_and_replaced() -> None:
    state = position()
    display(state, "y1 g1 b1 o2")
    deck(state, "y9 g9 b9")
    announce(state, "A")
    play(state, "take y1 g1")
    assert shown(state) == "b1 o2 y9 g9"
    assert event_lines(state, "! display") == ["! display A y9 g9"]
    assert "A" not in all_cards(state)


@rule("6.1")
def test_6_1_discards_become_the_deck_when_a_card_is_needed() -> None:
    state = position()
    display(state, "y1 g1 b1 o2")
    deck(state, "y9")
    discards(state, "g6 g5")
    play(state, "take y1 g1")
    assert shown(state) == "b1 o2 y9 g6"
    assert event_lines(state)[:3] == ["! display y9", "! reshuffle", "! display g6"]
    assert state.discards == []
    assert [card.name for card in state.deck.cards()] == ["g5"]


@rule("6.1")
def test_6_1_no_reshuffle_before_a_card_is_needed() -> None:
    state = position()
    display(state, "y1 g1 b1 o2")
    deck(state, "y9")
    discards(state, "g5 g6")
    play(state, "take y1")
    assert state.deck.is_empty()
    assert len(state.discards) == 2
    assert "! reshuffle" not in event_lines(state)
    play(state, "take y9")
    assert event_lines(state, "! reshuffle") == ["! reshuffle"]


@rule("6.1")
def test_6_1_a_score_card_at_the_bottom_of_the_deck() -> None:
    state = position()
    display(state, "y1 g1 b1 o2")
    deck(state)
    announce(state, "B")
    discards(state, "g5")
    play(state, "take y1")
    assert event_lines(state, "! ") == ["! display B", "! reshuffle", "! display g5"]
    assert len(event_lines(state, "= score B")) == 3


@rule("6.1")
def test_6_1_without_any_card_left_the_display_stays_short() -> None:
    state = position()
    display(state, "y1 g1 b1 o2")
    deck(state, "y9")
    discards(state)
    play(state, "take y1 g1")
    assert shown(state) == "b1 o2 y9"
    play(state, "take b1 o2")
    assert shown(state) == "y9"
    assert event_lines(state, "! display") == event_lines(state, "! reshuffle") == []
    play(state, "take y9")
    assert (shown(state), state.seat) == ("", 0)


@rule("6.1")
def test_6_1_money_paid_in_the_turn_is_reshuffled_too() -> None:
    state = position()
    display(state, "y1 g1 b1")
    deck(state)
    discards(state)
    yard(state, "garden-8-NE")
    hand(state, 0, "y9")
    play(state, "buy garden-8-NE with y9", "reserve garden-8-NE")
    assert shown(state) == "y1 g1 b1 y9"


# 6.2 ------------------------------------------------------------------------------------------------------------------


@rule("6.2")
def test_6_2_printed_example_first_space_2_then_4_with_even_faces() -> None:
    state = position("granada")
    yard(state, "arena-13", "park-3", "school-5", "market-9")
    state.marker = 0
    bag(state, "school-12", "district-12", "library-12")
    hand(state, 0, "g3 o9 o1")
    play(state, "buy park-3 with g3", "buy market-9 with o9 o1", "reserve park-3", "reserve market-9")
    assert event_lines(state, "! yard") == ["! yard 2 school-12", "! yard 4 district-12"]
    assert [tile.name for tile in state.yard if tile] == ["arena-13", "school-12", "school-5", "district-12"]
    assert state.marker == 1


@rule("6.2")
def test_6_2_odd_faces_if_the_marker_says_so() -> None:
    state = position("granada")
    yard(state, "arena-2")
    state.marker = 1
    bag(state, "library-12", "arena-6")
    hand(state, 0, "y9")
    play(state, "buy arena-2 with y9", "reserve arena-2")
    assert event_lines(state, "! yard") == ["! yard 1 district-13"]
    assert state.marker == 0


@rule("6.2")
def test_6_2_the_marker_stays_if_nothing_was_added() -> None:
    state = position("granada")
    before = state.marker
    play(state, offers(state, "take")[0])
    assert state.marker == before
    assert event_lines(state, "! yard") == []
    yard(state, "arena-2", "-")
    bag(state)
    play(state, offers(state, "take")[0])  # the game ends
    assert state.marker == before
    assert event_lines(state, "! yard") == []


@rule("6.2")
def test_6_2_printed_example_in_alhambra() -> None:
    state = position()
    yard(state, "garden-8-NE", "tower-12", "garden-8-NW", "pavilion-6-N")
    bag(state, "pavilion-8", "seraglio-9", "garden-10")
    hand(state, 0, "g9 g3 o7")
    play(state, "buy tower-12 with g9 g3", "buy pavilion-6-N with o7", "reserve pavilion-6-N", "reserve tower-12")
    assert event_lines(state, "! yard") == ["! yard 2 pavilion-8", "! yard 4 seraglio-9"]


# 6.3 ------------------------------------------------------------------------------------------------------------------


@rule("6.3")
@pytest.mark.parametrize("letters", [("A", "B"), ("B", "A")])
def test_6_3_a_before_b(letters: tuple[str, str]) -> None:
    state = position()
    display(state, "y1 g1 b1 o2")
    announce(state, *letters)
    settle(state, 0, "tower-12 at 1,0")
    play(state, "take y1")
    assert event_lines(state, "= score") == [
        "= score A 1 tower=6 total=6",
        "= score A 2 total=0",
        "= score A 3 total=0",
        "= score B 1 tower=13 total=13",
        "= score B 2 total=0",
        "= score B 3 total=0",
    ]
    assert [player.score for player in state.players] == [19, 0, 0]
    assert state.announced == ()


@rule("6.3", "9.5")
def test_6_3_each_scoring_is_followed_by_dirks_draw() -> None:
    state = position("alhambra", 2)
    display(state, "y1 g1 b1 o2")
    announce(state, "A", "B")
    play(state, "take y1")
    assert words(state) == [
        "! display",
        *["= score"] * 3,
        "! dirk",
        *["= score"] * 3,
        "! dirk",
    ]


@rule("6.3")
def test_6_3_everything_in_order() -> None:
    state = position("granada")
    display(state, "y1 g1 b1 o2")
    announce(state, "B")
    yard(state, "arena-2")
    hand(state, 0, "y2")
    play(state, "buy arena-2 with y2", "take y1", "place arena-2 at 1,0")
    assert words(state) == ["! display", "! yard", "= score", "= score", "= score"]
    assert event_lines(state, "= score")[0] == "= score B 1 moat=3 arena=2 total=5"  # the tile of this turn counts


@rule("6.3")
def test_6_3_score_cards_leave_the_game() -> None:
    state = position()
    display(state, "y1 g1 b1 o2")
    deck(state, "y9 g9 b9")
    announce(state, "A")
    discards(state, "y5 y6 y7 y8")
    for _ in range(8):
        play(state, offers(state, "take")[0])
    assert [card.name for card in state.discards] == []  # they were reshuffled in the meantime
    assert all_cards(state)["A"] == 0


# 6.4, 6.5, 6.6 --------------------------------------------------------------------------------------------------------


@rule("6.4")
@pytest.mark.parametrize(("left", "is_over"), [(("tower-12", "tower-11"), False), (("tower-12",), True), ((), True)])
def test_6_4_the_game_ends_if_the_yard_cannot_be_refilled(left: tuple[str, ...], is_over: bool) -> None:
    state = position()
    yard(state, "garden-8-NE", "seraglio-9", "garden-8-NW", "pavilion-8")
    bag(state, *left)
    hand(state, 0, "y8 b9")
    play(state, "buy garden-8-NE with y8", "buy garden-8-NW with b9", "reserve garden-8-NE", "reserve garden-8-NW")
    assert state.is_over == is_over


@rule("6.4")
def test_6_4_an_empty_bag_does_not_end_it_while_the_yard_is_full() -> None:
    state = position()
    bag(state)
    play(state, offers(state, "take")[0])
    assert (state.is_over, state.seat) == (False, 1)


@rule("6.5")
def test_6_5_the_vizier_may_interrupt_when_all_else_is_done() -> None:
    state = position("alhambra", 3, "vizier")
    yard(state, "tower-13-E", "tower-12", "garden-8-NW", "pavilion-8")
    bag(state, "pavilion-2-NEW", "tower-9-ES")
    display(state, "y1 g1 b1 o2")
    announce(state, "A")
    hand(state, 0, "y9 y5")
    hand(state, 1, "y2")
    play(state, "buy tower-13-E with y9 y5", "reserve tower-13-E")
    # Seat 2 can use it for the tile that has just been turned up.
    assert (state.seat, offers(state)) == (1, ["vizier pavilion-2-NEW with y2", "decline"])
    assert event_lines(state, "! yard") == ["! yard 1 pavilion-2-NEW"]
    play(state, "decline")
    assert (state.seat, offers(state, "take") != []) == (1, True)


@rule("6.5")
def test_6_5_without_the_module_nobody_interrupts() -> None:
    state = position()
    yard(state, "pavilion-2-NEW")
    hand(state, 2, "y2")
    play(state, offers(state, "take")[0])
    assert (state.seat, offers(state, "vizier")) == (1, [])


@rule("6.6")
@pytest.mark.parametrize("players", [2, 3, 6])
def test_6_6_clockwise(players: int) -> None:
    state = position("alhambra", players)
    seats = []
    for _ in range(2 * players):
        seats.append(state.turn)
        play(state, offers(state, "take")[0])
    assert seats == [*range(players), *range(players)]


@rule("6.6")
def test_6_6_one_turn_however_many_actions() -> None:
    state = position()
    turns = state.turns
    yard(state, "pavilion-2-NEW")
    hand(state, 0, "y2")
    play(state, "buy pavilion-2-NEW with y2", offers(state, "take")[0], "reserve pavilion-2-NEW")
    assert (state.turns, state.turn) == (turns + 1, 1)


@rule("6.3", "6.4", "9.5")
def test_6_3_scorings_come_before_the_end_of_the_game() -> None:
    state = position("alhambra", 2)
    display(state, "o1 g9 b9 y9")
    announce(state, "A")
    yard(state, "tower-13-E", "tower-12", "garden-8-NW", "-")
    bag(state)
    dirk(state, "tower-11")
    play(state, "take o1")
    assert event_lines(state)[1:] == [
        "= score A 1 total=0",
        "= score A 2 total=0",
        "= score A dirk tower=6 total=6",  # then the bag is empty, so Dirk draws nothing
        "= award 1 tower-13-E -",
        "= award 2 tower-12 -",
        "= award 3 garden-8-NW -",
        "= score C 1 total=0",
        "= score C 2 total=0",
        "= score C dirk tower=21 total=21",
        "= end 1=0 2=0 dirk=27 winners=1+2",
    ]
