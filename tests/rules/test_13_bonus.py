"""13: bonus cards."""

from __future__ import annotations

import pytest

from granada import Options, State, new_game, tile
from granada.rules.components import standard
from tests.kit import (
    bonus,
    display,
    event_lines,
    hand,
    luck,
    offers,
    play,
    points,
    position,
    refusal,
    rule,
    settle,
    yard,
)


def table(*modules: str) -> State:
    """Return a game of three without bonus cards, seat 0 on turn; the display does not pay for any tile exactly."""
    state = position("alhambra", 3, "bonus", *modules)
    for seat in range(3):
        bonus(state, seat)
    yard(state, "pavilion-2-NEW", "chambers-10", "seraglio-9", "arcades-4-NES")
    display(state, "y9 g9 b9 o9")
    return state


def two_gardens() -> State:
    """Seats 0 and 1 have a garden each; seat 0 holds the bonus card of its garden."""
    state = table()
    settle(state, 0, "garden-10 at 1,0")
    settle(state, 1, "garden-11 at 1,0")
    bonus(state, 0, "garden-10")
    return state


@rule("13.1")
@pytest.mark.parametrize(("players", "each"), [(2, 3), (3, 3), (4, 2), (5, 2), (6, 1)])
def test_13_1_how_many_cards_are_dealt(players: int, each: int) -> None:
    hands = set()
    for seed in range(5):
        state = new_game(Options("alhambra", players, ["bonus"]), luck(seed))
        dealt = [card for player in state.players for card in player.bonus]
        assert [len(player.bonus) for player in state.players] == [each] * players
        assert len(set(dealt)) == each * players
        assert set(dealt) <= {face for face in standard().alhambra if not face.walls}
        hands.add(state.players[0].bonus)
    assert len(hands) > 1


@rule("13.2")
def test_13_2_a_revealed_card_counts_as_one_more_tile() -> None:
    """The printed example: the garden for 10 without walls and its card count as two gardens."""
    state = two_gardens()
    assert points(state, "A", 0)["garden"] == points(state, "A", 1)["garden"] == 2  # 5 shared
    play(state, "reveal garden-10")
    assert points(state, "A", 0) == {"garden": 5}
    assert points(state, "A", 1) == {}
    assert points(state, "C", 0) == {"garden": 20}
    assert points(state, "C", 1) == {"garden": 12}


@rule("13.2")
def test_13_2_revealing_is_followed_by_the_decision_itself() -> None:
    state = two_gardens()
    before = offers(state)
    play(state, "reveal garden-10")
    assert offers(state) == [text for text in before if text != "reveal garden-10"]
    assert state.players[0].bonus == ()
    assert state.players[0].revealed == (tile("garden-10"),)
    assert refusal(state, "reveal garden-10") == "13.2"


@rule("13.2")
@pytest.mark.parametrize(
    ("built", "reserve", "card"),
    [
        (["garden-10-N at 0,-1"], "garden-11", "garden-10"),  # another garden for 10
        (["garden-11 at 1,0"], "garden-10", "garden-10"),  # the tile is in the reserve
        (["garden-10 at 1,0"], "garden-11", "garden-11"),  # the card of the tile in the reserve
        (["garden-10 at 1,0"], "garden-11", "tower-12"),  # no such tile
    ],
)
def test_13_2_exactly_the_tile_on_the_card_must_be_built(built: list[str], reserve: str, card: str) -> None:
    state = table()
    settle(state, 0, *built)
    state.players[0].reserve = (tile(reserve),)
    bonus(state, 0, card)
    assert refusal(state, f"reveal {card}") == "13.2"
    assert not offers(state, "reveal")


@rule("13.2")
def test_13_2_only_your_card_at_your_decision() -> None:
    state = two_gardens()
    play(state, "take y9")
    assert state.seat == 1
    assert refusal(state, "reveal garden-10") == "13.2"  # the card of seat 0
    assert refusal(state, "reveal garden-11") == "13.2"  # the tile of seat 1, but not the card


@rule("13.2", "4.1")
def test_13_2_while_tiles_are_placed() -> None:
    state = table()
    hand(state, 0, "y2 g9 g2")
    bonus(state, 0, "chambers-10")
    play(state, "buy pavilion-2-NEW with y2", "buy chambers-10 with g9 g2", "place chambers-10 at 1,0")
    play(state, "reveal chambers-10", "reserve pavilion-2-NEW")
    assert state.players[0].revealed == (tile("chambers-10"),)


@rule("13.2", "11.2")
def test_13_2_while_the_vizier_may_be_used() -> None:
    state = table("vizier")
    settle(state, 2, "garden-11 at 1,0")
    bonus(state, 2, "garden-11")
    hand(state, 2, "y2")
    play(state, "take y9")
    assert offers(state) == ["vizier pavilion-2-NEW with y2", "decline", "reveal garden-11"]
    play(state, "reveal garden-11")
    assert offers(state) == ["vizier pavilion-2-NEW with y2", "decline"]


@rule("13.2", "8.3")
def test_13_2_while_a_left_over_tile_is_placed() -> None:
    state = two_gardens()
    hand(state, 0, "y9 b9")
    state.bags[0].clear()
    play(state, "buy pavilion-2-NEW with y9", "reserve pavilion-2-NEW")
    assert "= award 3 seraglio-9 1" in event_lines(state, "=")
    play(state, "reveal garden-10", "place seraglio-9 at 0,1")
    assert "garden=20" in event_lines(state, "= score C 1")[0].split()


# Asking before a scoring ----------------------------------------------------------------------------------------------


def asked(state: State) -> list[int]:
    """Return the seats that are asked before scoring A at the end of this turn, if all keep their cards."""
    state.announced = ("A",)
    play(state, "take y9")
    seats: list[int] = []
    while offers(state)[-1] == "keep":
        seats.append(state.seat)
        play(state, "keep")
    return seats


@rule("13.2")
def test_13_2_asked_in_turn_order_from_the_player_next_on_turn() -> None:
    state = table()
    for seat, name in enumerate(("garden-10", "garden-11", "tower-12")):
        settle(state, seat, f"{name} at 1,0")
        bonus(state, seat, name)
    assert asked(state) == [1, 2, 0]


@rule("13.2")
@pytest.mark.parametrize(
    ("cards", "revealed", "built", "is_asked"),
    [
        (["tower-12"], [], ["tower-12"], True),
        (["tower-11"], [], ["tower-12"], True),  # being asked reveals nothing
        ([], [], ["tower-12"], False),  # no card
        (["tower-12"], [], [], False),  # nothing built; the tower is in the reserve
        (["tower-12"], [], ["chambers-9-W"], False),  # only a tile with walls
        (["tower-11"], ["tower-12"], ["tower-12"], False),  # the card of the only tile without walls is revealed
        (["tower-11"], ["tower-12"], ["tower-12", "garden-11"], True),  # the card of another tile is not
        ([], ["tower-12"], ["tower-12", "garden-11"], False),
    ],
)
def test_13_2_which_players_are_asked(cards: list[str], revealed: list[str], built: list[str], is_asked: bool) -> None:
    state = table()
    settle(state, 1, *[f"{name} at {-1 - x},0" for x, name in enumerate(built)])
    bonus(state, 1, *cards)
    state.players[1].revealed = tuple(tile(name) for name in revealed)
    state.players[1].reserve = (tile("arcades-10"),) if "tower-12" in built else (tile("tower-12"),)
    assert asked(state) == ([1] if is_asked else [])


@rule("13.2")
def test_13_2_players_are_asked_even_if_they_have_nothing_to_reveal() -> None:
    state = table()
    settle(state, 1, "tower-12 at 1,0")
    bonus(state, 1, "tower-11")
    state.announced = ("A",)
    play(state, "take y9")
    assert offers(state) == ["keep"]
    assert refusal(state, "take g9") == "13.2"


@rule("13.2", "7.3")
def test_13_2_asked_until_nothing_is_left_and_the_scoring_counts_it() -> None:
    state = table()
    settle(state, 1, "tower-12 at 1,0", "garden-10 at 2,0")
    bonus(state, 1, "garden-10", "tower-12")
    settle(state, 2, "tower-11 at 1,0")
    state.announced = ("A",)
    play(state, "take y9", "reveal tower-12")
    assert (state.seat, offers(state)) == (1, ["reveal garden-10", "keep"])
    play(state, "reveal garden-10")
    assert event_lines(state, "=") == [
        "= score A 1 total=0",
        "= score A 2 garden=5 tower=6 total=11",
        "= score A 3 total=0",
    ]


@rule("13.2")
def test_13_2_asked_until_the_cards_are_kept() -> None:
    state = table()
    settle(state, 1, "tower-12 at 1,0", "garden-10 at 2,0")
    bonus(state, 1, "garden-10", "tower-12")
    state.announced = ("A",)
    play(state, "take y9", "reveal tower-12", "keep")
    assert "= score A 2 garden=5 tower=6 total=11" in event_lines(state)
    assert state.players[1].bonus == (tile("garden-10"),)


def three_asked() -> State:
    """Return a position before scoring A in which seats 1, 2 and 0 can each reveal a card."""
    state = table()
    for seat, name in enumerate(("garden-10", "garden-11", "tower-12")):
        settle(state, seat, f"{name} at 1,0")
        bonus(state, seat, name)
    state.announced = ("A",)
    return play(state, "take y9")


@rule("13.2")
def test_13_2_a_player_who_kept_is_asked_again_after_another_reveals() -> None:
    state = three_asked()
    play(state, "keep")
    assert state.seat == 2
    play(state, "reveal tower-12")
    assert (state.seat, offers(state)) == (1, ["reveal garden-11", "keep"])
    play(state, "reveal garden-11")
    assert (state.seat, offers(state)) == (0, ["reveal garden-10", "keep"])
    play(state, "keep")
    assert event_lines(state, "=") == [
        "= score A 1 total=0",
        "= score A 2 garden=5 total=5",
        "= score A 3 tower=6 total=6",
    ]


@rule("13.2")
def test_13_2_players_who_kept_are_asked_again_in_turn_order() -> None:
    state = three_asked()
    play(state, "keep", "keep")
    assert state.seat == 0
    play(state, "reveal garden-10")
    assert state.seat == 1
    play(state, "keep")
    assert state.seat == 2
    play(state, "keep")
    assert event_lines(state, "=")


@rule("13.2")
def test_13_2_without_a_reveal_nobody_is_asked_twice() -> None:
    state = three_asked()
    play(state, "keep", "keep", "keep")
    assert event_lines(state, "=")


@rule("13.2")
def test_13_2_a_player_who_reveals_is_asked_after_those_before_them_in_turn_order() -> None:
    state = three_asked()
    settle(state, 2, "tower-12 at 1,0", "tower-11 at 2,0")
    bonus(state, 2, "tower-11", "tower-12")
    play(state, "keep", "reveal tower-12")
    assert (state.seat, offers(state)) == (1, ["reveal garden-11", "keep"])
    play(state, "keep")
    assert (state.seat, offers(state)) == (2, ["reveal tower-11", "keep"])
    play(state, "keep")
    assert (state.seat, offers(state)) == (0, ["reveal garden-10", "keep"])


@rule("13.2", "6.3")
def test_13_2_asked_again_before_each_scoring() -> None:
    state = table()
    settle(state, 1, "tower-12 at 1,0")
    settle(state, 2, "tower-11 at 1,0")
    bonus(state, 1, "tower-12")
    state.announced = ("A", "B")
    play(state, "take y9", "keep")
    assert event_lines(state, "=")[1:] == ["= score A 2 tower=3 total=3", "= score A 3 tower=3 total=3"]
    play(state, "reveal tower-12")
    assert event_lines(state, "=")[1:] == ["= score B 2 tower=13 total=13", "= score B 3 tower=6 total=6"]


@rule("13.2", "8.4")
def test_13_2_asked_before_scoring_c() -> None:
    state = two_gardens()
    hand(state, 0, "y9")
    state.bags[0].clear()
    play(state, "buy pavilion-2-NEW with y9", "reserve pavilion-2-NEW")
    assert (state.seat, offers(state)) == (0, ["reveal garden-10", "keep"])
    play(state, "reveal garden-10")
    assert event_lines(state, "=")[:2] == ["= score C 1 garden=20 total=20", "= score C 2 garden=12 total=12"]


# Removing the tile ----------------------------------------------------------------------------------------------------


@rule("13.3")
@pytest.mark.parametrize("action", ["remove 1,0", "swap tower-12 at 1,0"])
def test_13_3_the_card_goes_back_to_the_hand_when_the_tile_leaves_the_city(action: str) -> None:
    state = two_gardens()
    state.players[0].reserve = (tile("tower-12"),)
    play(state, "reveal garden-10", action)
    player = state.players[0]
    assert player.revealed == ()
    assert player.bonus == (tile("garden-10"),)
    assert tile("garden-10") in player.reserve
    assert "garden" not in points(state, "A", 0)
    assert points(state, "A", 1) == {"garden": 5}


@rule("13.3")
def test_13_3_it_may_be_revealed_again_when_the_tile_is_built_again() -> None:
    state = two_gardens()
    display(state, "y9 y9 y9 g9")
    play(state, "reveal garden-10", "remove 1,0", "take y9", "take y9")
    assert refusal(state, "reveal garden-10") == "13.2"
    play(state, "add garden-10 at 0,1", "take y9", "take g9", "reveal garden-10")
    assert state.players[0].revealed == (tile("garden-10"),)
    assert points(state, "A", 0) == {"garden": 5}


@rule("13.3")
def test_13_3_removing_another_tile_leaves_the_card_where_it_is() -> None:
    state = two_gardens()
    settle(state, 0, "tower-12 at 0,1")
    play(state, "reveal garden-10", "remove 0,1")
    assert state.players[0].revealed == (tile("garden-10"),)


@rule("13.3", "16.2")
def test_13_3_a_card_that_went_back_is_known_to_everybody() -> None:
    state = two_gardens()
    bonus(state, 0, "garden-10", "tower-11")
    assert state.view(1).bonus(0) == (None, None)
    play(state, "reveal garden-10", "remove 1,0")
    assert state.view(1).bonus(0) == (tile("garden-10"), None)
