"""Chapter 9: two players and Dirk."""

from __future__ import annotations

import pytest

from granada import DIRK, Options, State, cards, event_text, new_game, parse_action, winners
from granada.rules.components import standard
from tests.kit import (
    all_cards,
    announce,
    bag,
    deck,
    dirk,
    display,
    event_lines,
    hand,
    luck,
    offers,
    placing,
    play,
    points,
    position,
    refusal,
    row,
    rule,
    shares,
    yard,
)


def with_score_card(edition: str, *letters: str) -> State:
    """Return a game of two in which these scorings take place at the end of this turn."""
    state = position(edition, 2)
    display(state, "o1 y9 g9 b9")
    deck(state, "y1 y2 y3 y4 y5")
    announce(state, *letters)
    return state


# 9.1, 9.2, 9.3 --------------------------------------------------------------------------------------------------------


@rule("9.1")
@pytest.mark.parametrize("edition", ["alhambra", "granada"])
def test_9_1_two_copies_of_each_money_card(edition: str) -> None:
    money = all_cards(new_game(Options(edition, 2), luck("two")))
    assert (money.pop("A"), money.pop("B")) == (1, 1)
    assert money == {f"{letter}{value}": 2 for letter in "ygbo" for value in range(1, 10)}
    assert money.total() == 72


@rule("9.2")
def test_9_2_dirk_has_no_turns_and_no_money() -> None:
    state = position("alhambra", 2)
    seats = set()
    for _ in range(6):
        seats.add(state.seat)
        play(state, offers(state, "take")[0])
    assert seats == {0, 1}
    assert len(state.players) == 2


@rule("9.2")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_9_2_no_dirk_with_more_players(players: int) -> None:
    state = new_game(Options("alhambra", players), luck(players))
    assert state.dirk is None
    assert not [event for event in state.events if event_text(event).startswith("! dirk")]


@rule("9.3")
@pytest.mark.parametrize("edition", ["alhambra", "granada"])
def test_9_3_six_tiles_after_the_yard_has_been_filled(edition: str) -> None:
    state = new_game(Options(edition, 2), luck(edition))
    lines = [event_text(event) for event in state.events]
    assert lines[4] == f"! dirk {' '.join([tile.name for tile in dirk(state).tiles])}"
    assert len(dirk(state).tiles) == 6
    assert len(state.bags[0]) == 44
    on_table = [*dirk(state).tiles, *state.yard, *state.bags[0]]
    assert set(on_table) == set(standard().alhambra if edition == "alhambra" else standard().granada)


@rule("9.3")
def test_9_3_granada_even_face_up() -> None:
    for seed in range(20):
        state = new_game(Options("granada", 2), luck(seed))
        assert [tile.price % 2 for tile in dirk(state).tiles] == [0] * 6
        assert state.marker == 1


# 9.4 ------------------------------------------------------------------------------------------------------------------


@rule("9.4")
def test_9_4_majorities_like_a_player_in_alhambra() -> None:
    state = position("alhambra", 2)
    row(state, 0, "tower-12")
    row(state, 1, "tower-11", "tower-10-W")
    dirk(state, "tower-13-E", "tower-9-ES")
    assert shares(state, "A", "tower") == [0, 3, 3]
    assert shares(state, "B", "tower") == [0, 9, 9]
    assert shares(state, "C", "tower") == [6, 17, 17]


@rule("9.4")
def test_9_4_granada_his_tiles_count_for_n_and_break_ties() -> None:
    state = position("granada", 2)
    row(state, 0, "school-9", "school-2")
    row(state, 1, "school-3", "school-4")
    dirk(state, "school-12", "school-6")
    assert shares(state, "A", "school") == [0, 0, 6]
    assert shares(state, "B", "school") == [6, 0, 12]
    assert shares(state, "C", "school") == [12, 6, 18]


@rule("9.4")
@pytest.mark.parametrize(
    ("edition", "names", "item"),
    [("alhambra", ("tower-7-NEW", "tower-8-NES"), "tower"), ("granada", ("arena-2", "arena-4"), "arena")],
)
def test_9_4_never_walls_or_moats(edition: str, names: tuple[str, ...], item: str) -> None:
    state = position(edition, 2)
    dirk(state, *names)
    for letter in "ABC":
        assert list(points(state, letter, DIRK)) == [item]


@rule("9.4")
def test_9_4_his_points_are_written_down() -> None:
    state = with_score_card("alhambra", "B")
    dirk(state, "tower-12", "garden-11")
    play(state, "take o1")
    assert event_lines(state, "= score") == [
        "= score B 1 total=0",
        "= score B 2 total=0",
        "= score B dirk garden=12 tower=13 total=25",
    ]
    assert dirk(state).score == 25


# 9.5 ------------------------------------------------------------------------------------------------------------------

TEN = [tile.name for tile in standard().alhambra[:10]]


@rule("9.5")
@pytest.mark.parametrize(
    ("letter", "left", "drawn"),
    [
        ("A", 10, 6),
        ("A", 6, 6),
        ("A", 4, 4),
        ("A", 0, 0),
        ("B", 10, 3),
        ("B", 9, 3),
        ("B", 8, 2),
        ("B", 2, 0),
        ("B", 0, 0),
    ],
)
def test_9_5_six_after_a_and_a_third_after_b(letter: str, left: int, drawn: int) -> None:
    state = with_score_card("alhambra", letter)
    bag(state, *TEN[:left])
    before = len(dirk(state).tiles)
    play(state, "take o1")
    assert len(dirk(state).tiles) - before == drawn
    assert len(state.bags[0]) == left - drawn
    assert event_lines(state, "! dirk") == ([f"! dirk {' '.join(TEN[:drawn])}"] if drawn else [])
    assert not state.is_over  # the yard is full


@rule("9.5")
def test_9_5_right_after_the_scoring_not_before() -> None:
    state = with_score_card("alhambra", "A")
    dirk(state, "pavilion-8")
    bag(state, *["seraglio-3-ESW", "seraglio-4-NE"])
    play(state, "take o1")
    assert event_lines(state, "= score A dirk") == ["= score A dirk pavilion=1 total=1"]
    assert [tile.name for tile in dirk(state).tiles] == ["pavilion-8", "seraglio-3-ESW", "seraglio-4-NE"]


@rule("9.5")
def test_9_5_what_he_draws_after_a_counts_in_b() -> None:
    state = with_score_card("alhambra", "A", "B")
    dirk(state, "pavilion-8")
    bag(state, *TEN)  # seven pavilions and three seraglios
    play(state, "take o1")
    assert event_lines(state, "= score B dirk") == ["= score B dirk pavilion=8 total=8"]
    assert len(dirk(state).tiles) == 1 + 6 + 1  # a third of four


@rule("9.5")
@pytest.mark.parametrize("letter", ["A", "B"])
@pytest.mark.parametrize(("marker", "parity"), [(0, 1), (1, 0)])
def test_9_5_granada_with_the_face_of_the_marker_after_the_refill(letter: str, marker: int, parity: int) -> None:
    state = with_score_card("granada", letter)
    yard(state, "arena-2")
    state.marker = marker
    hand(state, 0, "y3")
    play(state, "buy arena-2 with y3", "reserve arena-2")
    # The display was full, so no card was drawn; the next turn takes one and does not move the marker.
    assert state.marker == parity
    play(state, "take o1")
    drawn = dirk(state).tiles[6:]
    assert {tile.price % 2 for tile in drawn} == {parity}
    assert state.marker == parity  # Dirk's draws do not move it


@rule("9.5")
@pytest.mark.parametrize(("marker", "parity"), [(0, 1), (1, 0)])
def test_9_5_granada_when_the_same_turn_refills_the_yard(marker: int, parity: int) -> None:
    state = with_score_card("granada", "A")
    yard(state, "arena-2")
    state.marker = marker
    hand(state, 0, "y2")
    play(state, "buy arena-2 with y2", "take o1", "reserve arena-2")
    assert {tile.price % 2 for tile in dirk(state).tiles[6:]} == {parity}
    (line,) = event_lines(state, "! yard")
    assert int(line.rpartition("-")[2]) % 2 == marker
    assert state.marker == parity


@rule("9.5")
@pytest.mark.parametrize("letter", ["A", "B"])
def test_9_5_in_the_turn_that_ends_the_game(letter: str) -> None:
    # The yard could not be refilled, so the bag is empty: the scoring takes place, and there is nothing to draw.
    state = with_score_card("alhambra", letter)
    yard(state, "tower-13-E", "tower-12", "tower-11", "-")
    bag(state)
    dirk(state, "pavilion-8")
    play(state, "take o1")
    assert [line.split()[2:4] for line in event_lines(state, "= score")] == [
        *[[letter, seat] for seat in ("1", "2", "dirk")],
        *[["C", seat] for seat in ("1", "2", "dirk")],
    ]
    assert event_lines(state, "! dirk") == []
    assert state.is_over


@rule("9.5")
def test_9_5_he_may_take_the_last_tiles_and_the_next_purchase_ends_the_game() -> None:
    state = with_score_card("alhambra", "A")
    yard(state, "garden-8-NE", "tower-12", "tower-11", "tower-10-W")
    bag(state, *TEN[:5])
    hand(state, 1, "y9")
    play(state, "take o1")
    assert (state.bags[0], state.is_over) == ([], False)
    play(state, "buy garden-8-NE with y9", "reserve garden-8-NE")
    assert event_lines(state, "= award") == ["= award 2 tower-12 -", "= award 3 tower-11 -", "= award 4 tower-10-W 1"]


# 9.6 ------------------------------------------------------------------------------------------------------------------


@rule("9.6")
def test_9_6_a_bought_tile_may_be_given_to_dirk() -> None:
    state = position("alhambra", 2)
    dirk(state, "pavilion-8")
    yard(state, "garden-8-NE")
    hand(state, 0, "y9")
    play(state, "buy garden-8-NE with y9")
    assert "give garden-8-NE" in offers(state)
    play(state, "give garden-8-NE")
    assert [tile.name for tile in dirk(state).tiles] == ["pavilion-8", "garden-8-NE"]
    assert state.players[0].reserve == ()
    assert state.seat == 1


@rule("9.6")
def test_9_6_as_bought_or_turned_over_for_3() -> None:
    state = placing(position("granada", 2), "arena-6", "library-12")
    dirk(state, "pavilion-8")
    hand(state, 0, "y9 o2 o1")
    assert set(offers(state, "give")) == {
        "give arena-6",
        "give arena-6 as hospital-7 with y9",
        "give arena-6 as hospital-7 with o2 o1",
        "give library-12",
        "give library-12 as district-13 with y9",
        "give library-12 as district-13 with o2 o1",
    }
    play(state, "give arena-6 as hospital-7 with o2 o1", "give library-12")
    assert [tile.name for tile in dirk(state).tiles] == ["pavilion-8", "hospital-7", "library-12"]
    assert state.players[0].hand() == cards("y9")
    assert state.discards == list(cards("o2 o1"))
    assert state.seat == 1  # exactly 3, and no extra action


@rule("9.6")
@pytest.mark.parametrize("paid", ["o2", "g2 o1", "b3"], ids=["too little", "two currencies", "not in hand"])
def test_9_6_turning_is_paid_as_in_4_2(paid: str) -> None:
    state = placing(position("granada", 2), "arena-6")
    hand(state, 0, "g2 o2 o1")
    assert refusal(state, f"give arena-6 as hospital-7 with {paid}") == "4.2"


@rule("9.6")
def test_9_6_superfluous_cards_are_accepted_but_not_offered() -> None:
    state = placing(position("granada", 2), "arena-6")
    hand(state, 0, "o3 o1")
    action = parse_action("give arena-6 as hospital-7 with o3 o1")
    assert state.is_legal(action)
    assert action not in state.legal_actions


@rule("9.6")
def test_9_6_without_dirk_nothing_can_be_given() -> None:
    state = placing(position("alhambra", 3), "garden-10")
    assert refusal(state, "give garden-10") == "9.6"
    assert offers(state, "give") == []


@rule("9.6")
def test_9_6_only_tiles_of_this_turn() -> None:
    state = placing(position("alhambra", 2), "garden-10")
    assert refusal(state, "give garden-11") == "4.1"


# 9.7 ------------------------------------------------------------------------------------------------------------------


@rule("9.7")
@pytest.mark.parametrize(
    ("scores", "best", "line"),
    [
        ((10, 20, 99), (1,), "= end 1=10 2=20 dirk=99 winners=2"),
        ((20, 20, 99), (0, 1), "= end 1=20 2=20 dirk=99 winners=1+2"),
        ((20, 10, 20), (0,), "= end 1=20 2=10 dirk=20 winners=1"),
        ((20, 10, 0), (0,), "= end 1=20 2=10 dirk=0 winners=1"),
    ],
)
def test_9_7_the_winner_is_the_better_of_the_two_players(
    scores: tuple[int, int, int], best: tuple[int, ...], line: str
) -> None:
    state = position("alhambra", 2)
    dirk(state).tiles = ()
    state.players[0].score, state.players[1].score, dirk(state).score = scores
    yard(state, "-", "-", "-", "-")
    bag(state)
    play(state, offers(state, "take")[0])
    assert event_lines(state)[-1] == line
    assert winners(state) == best
