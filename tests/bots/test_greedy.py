"""Single decisions of the greedy bot."""

from __future__ import annotations

from granada import State
from granada.bots import GreedyBot
from granada.records.notation import action_text, parse_action
from granada.rules.chance import First
from granada.rules.stretches import WALL
from tests.kit import bonus, display, hand, placing, position, reserve, settle, yard


def choice(state: State) -> str:
    return action_text(GreedyBot(1).choose(state.view(state.seat, remembers=True), state.offers()))


def test_it_pays_exactly_where_it_can() -> None:
    state = position()
    yard(state, "garden-8-SW", "-", "-", "-")
    hand(state, 0, "y9 y5 y3")
    assert choice(state) == "buy garden-8-SW with y5 y3"


def test_it_overpays_as_little_as_possible() -> None:
    state = position()
    yard(state, "garden-8-SW", "-", "-", "-")
    hand(state, 0, "y9 y7 y4")
    assert choice(state) == "buy garden-8-SW with y9"


def test_of_two_tiles_it_buys_the_more_valuable_one() -> None:
    state = position()
    yard(state, "pavilion-8", "tower-9-NE", "-", "-")
    hand(state, 0, "y8 g9")
    assert choice(state) == "buy tower-9-NE with g9"


def test_it_takes_the_most_money_where_it_can_buy_nothing() -> None:
    state = position()
    yard(state, "-", "-", "-", "tower-13-E")
    display(state, "y3 g7 b6 o1")
    assert choice(state) == "take g7"


def test_it_takes_the_money_that_makes_an_exact_payment_possible() -> None:
    state = position()
    yard(state, "garden-8-SW", "-", "-", "-")
    hand(state, 0, "y3")
    display(state, "y5 g5 b5 o5")
    assert choice(state) == "take y5"


def test_it_builds_where_its_wall_grows_most() -> None:
    state = position()
    settle(state, 0, "tower-9-NE at 1,0")
    state = placing(state, "chambers-8-NW")
    city = state.players[0].city
    longest = max([city.build(state.tray[0], place).stretch(WALL) for place in city.cells_for(state.tray[0])])
    state.play(parse_action(choice(state)), First())
    assert state.players[0].city.stretch(WALL) == longest


def test_it_reserves_what_it_cannot_build() -> None:
    state = position(players=2)
    settle(state, 0, "garden-6-ESW at 0,1", "pavilion-2-NEW at 0,-1")
    assert choice(placing(state, "seraglio-3-ESW")) == "reserve seraglio-3-ESW"


def test_it_reveals_whatever_it_can() -> None:
    state = position("alhambra", 3, "bonus")
    settle(state, 0, "pavilion-8 at 1,0")
    bonus(state, 0, "pavilion-8")
    assert choice(state) == "reveal pavilion-8"


def test_it_adds_a_tile_from_its_reserve_rather_than_take_little_money() -> None:
    state = position()
    yard(state, "-", "-", "-", "-")
    display(state, "y1")
    reserve(state, 0, "tower-9-NE")
    assert choice(state).startswith("add tower-9-NE at ")


def test_it_never_takes_its_city_apart_while_there_is_money() -> None:
    state = position()
    settle(state, 0, "tower-9-NE at 1,0", "pavilion-8 at 0,1")
    yard(state, "-", "-", "-", "-")
    display(state, "y1")
    assert choice(state) == "take y1"
