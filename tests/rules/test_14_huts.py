"""14: the huts."""

from __future__ import annotations

import pytest

from granada import Options, State, is_lawful, new_game, tile
from granada.rules.components import standard
from granada.rules.scoring import holdings
from granada.rules.tiles import ALHAMBRA_TYPES, TYPES
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


def site(players: int = 3, *modules: str) -> State:
    """Return a position with seat 0 on turn; the huts with the lowest number of each type are turned up."""
    state = position("alhambra", players, "huts", *modules)
    colours = [[hut for hut in standard().huts if hut.type == type_] for type_ in range(6)]
    state.huts = tuple(huts[0] for huts in colours)
    state.piles = tuple(tuple(huts[1:]) for huts in colours)
    yard(state, "pavilion-2-NEW", "chambers-11", "seraglio-9", "arcades-4-NES")
    display(state, "y9 g9 b9 o9")
    return state


def count(state: State, type_name: str) -> int:
    """Return how many tiles of a type count for seat 0 in a scoring; its city must be legal."""
    assert is_lawful(state.players[0].city)
    return holdings(state)[0].counts[TYPES.index(type_name)]


@rule("14.1")
@pytest.mark.parametrize("seed", range(5))
def test_14_1_the_top_hut_of_each_colour_is_turned_up(seed: int) -> None:
    state = new_game(Options("alhambra", 3, ["huts"]), luck(seed))
    up = [hut for hut in state.huts if hut]
    assert [hut.type_name for hut in up] == list(ALHAMBRA_TYPES)
    assert [len(pile) for pile in state.piles] == [2, 2, 3, 3, 4, 4]
    all_huts = [*up, *[hut for pile in state.piles for hut in pile]]
    assert sorted(hut.name for hut in all_huts) == sorted(hut.name for hut in standard().huts)


@rule("14.1")
def test_14_1_piles_are_shuffled() -> None:
    ups = {new_game(Options("alhambra", 3, ["huts"]), luck(seed)).huts for seed in range(5)}
    assert len(ups) == 5


@rule("14.2")
def test_14_2_take_a_face_up_hut_and_the_next_is_turned_up() -> None:
    state = site()
    assert offers(state, "hut") == [f"hut {name}" for name in ALHAMBRA_TYPES]
    play(state, "hut garden")
    assert state.tray == (tile("hut-garden-S"),)
    assert event_lines(state) == ["! hut hut-garden-N"]
    assert state.huts[4] == tile("hut-garden-N")
    assert len(state.piles[4]) == 3
    assert state.discards == []


@rule("14.2", "3.4")
def test_14_2_it_gives_no_extra_action() -> None:
    state = site()
    hand(state, 0, "y2")
    play(state, "hut garden")
    assert refusal(state, "buy pavilion-2-NEW with y2") == "4.1"
    assert {text.split()[0] for text in offers(state)} == {"place", "reserve"}


@rule("14.2", "3.4")
def test_14_2_it_may_be_the_extra_action_after_an_exact_payment() -> None:
    state = site()
    hand(state, 0, "y2")
    play(state, "buy pavilion-2-NEW with y2", "hut tower")
    assert state.tray == (tile("pavilion-2-NEW"), tile("hut-tower-S"))
    play(state, "reserve hut-tower-S", "reserve pavilion-2-NEW")
    assert state.seat == 1


@rule("14.2")
def test_14_2_a_pile_can_be_used_up() -> None:
    state = site()
    for name in ("hut-pavilion-N", "hut-pavilion-W", "hut-pavilion-ES"):
        play(state, "hut pavilion", f"reserve {name}")
    assert state.huts[0] is None
    assert refusal(state, "hut pavilion") == "14.2"
    assert offers(state, "hut") == [f"hut {name}" for name in ALHAMBRA_TYPES[1:]]


@rule("14.2")
def test_14_2_there_are_none_without_the_module() -> None:
    state = position("alhambra", 3)
    assert refusal(state, "hut garden") == "14.2"
    assert offers(state, "hut") == []


@rule("14.3")
def test_14_3_it_is_placed_by_the_building_rules() -> None:
    state = site()
    play(state, "hut garden")  # a wall in the south
    assert set(offers(state)) == {
        *("place hut-garden-S at 0,1", "place hut-garden-S at -1,0", "place hut-garden-S at 1,0"),
        "reserve hut-garden-S",
    }
    assert refusal(state, "place hut-garden-S at 0,-1") == "5.2"
    play(state, "place hut-garden-S at 0,1")
    assert state.players[0].city.contains(tile("hut-garden-S"))


@rule("14.3", "3.5")
def test_14_3_rebuilding_applies_to_it() -> None:
    state = site()
    settle(state, 0, "hut-garden-S at 0,1")
    state.players[0].reserve = (tile("hut-tower-S"), tile("garden-12-S"))
    assert set(offers(state, "swap")) == {"swap hut-tower-S at 0,1", "swap garden-12-S at 0,1"}
    assert "add hut-tower-S at 1,0" in offers(state)
    play(state, "remove 0,1")
    assert tile("hut-garden-S") in state.players[0].reserve
    assert len(state.players[0].city.places) == 1


@rule("14.3", "9.6")
def test_14_3_it_is_never_given_to_dirk() -> None:
    state = site(2)
    hand(state, 0, "y2")
    play(state, "buy pavilion-2-NEW with y2", "hut garden")
    assert offers(state, "give") == ["give pavilion-2-NEW"]
    assert refusal(state, "give hut-garden-S") == "14.3"


@rule("14.4")
@pytest.mark.parametrize(
    ("built", "reserve", "may_take"),
    [
        (["hut-garden-S at 0,1", "hut-tower-S at 1,0", "hut-garden-N at 0,-1"], [], False),
        (["hut-garden-S at 0,1", "hut-tower-S at 1,0"], ["hut-garden-N"], False),
        ([], ["hut-tower-S", "hut-garden-S", "hut-garden-N"], False),
        (["hut-garden-S at 0,1", "tower-12 at 1,0"], ["hut-garden-N", "tower-11"], True),
    ],
)
def test_14_4_a_player_owns_at_most_three(built: list[str], reserve: list[str], may_take: bool) -> None:
    state = site()
    settle(state, 0, *built)
    state.players[0].reserve = tuple(tile(name) for name in reserve)
    assert refusal(state, "hut chambers") == ("" if may_take else "14.4")
    assert bool(offers(state, "hut")) == may_take


@rule("14.4")
def test_14_4_the_huts_of_others_do_not_count() -> None:
    state = site()
    settle(state, 1, "hut-garden-S at 0,1", "hut-tower-S at 1,0", "hut-garden-N at 0,-1")
    assert refusal(state, "hut chambers") == ""


@rule("14.5")
def test_14_5_the_printed_example() -> None:
    """An arcades hut next to two arcades, another next to one, and a tower hut behind the wall of a tower."""
    state = site()
    settle(state, 0, "hut-arcades-N at 1,0", "arcades-9 at 2,0", "arcades-10 at 1,1", "hut-arcades-E at 3,0")
    settle(state, 0, "tower-11-S at 0,1", "chambers-10 at 1,2", "hut-tower-N at 0,2")
    assert count(state, "arcades") == 2 + 2 + 1
    assert count(state, "tower") == 1 + 0
    assert refusal(state, "hut garden") == "14.4"  # three huts are built


@rule("14.5")
@pytest.mark.parametrize(
    ("gardens", "worth"),
    [
        ([], 0),
        (["garden-10 at -1,2"], 1),
        (["garden-10 at -1,2", "garden-9-E at 1,2"], 2),
    ],
)
def test_14_5_a_hut_counts_its_neighbours_of_the_same_type(gardens: list[str], worth: int) -> None:
    state = site()
    settle(state, 0, "tower-12 at 0,1", "hut-garden-S at 0,2", *gardens)
    assert count(state, "garden") == len(gardens) + worth
    assert count(state, "tower") == 1


@rule("14.5")
def test_14_5_a_hut_counts_as_three_at_most() -> None:
    state = site()
    settle(state, 0, "garden-11 at 0,1", "hut-garden-S at 0,2", "garden-10 at -1,2", "garden-9-E at 1,2")
    assert count(state, "garden") == 3 + 3
    state.players[1].city = state.players[0].city
    bonus(state, 1, "garden-10")
    state.players[1].revealed = (tile("garden-10"),)
    assert points(state, "B", 0)["garden"] == 5  # 6 against 7 gardens
    assert points(state, "B", 1)["garden"] == 12


@rule("14.5")
def test_14_5_huts_are_no_buildings_for_each_other() -> None:
    state = site()
    settle(state, 0, "hut-garden-N at 1,0", "hut-garden-E at 2,0")
    assert count(state, "garden") == 0
    assert "garden" not in points(state, "C", 0)
    settle(state, 0, "garden-10 at 1,1")
    assert count(state, "garden") == 2  # the garden, and the hut above it


@rule("14.5", "7.2")
def test_14_5_its_walls_count_as_usual() -> None:
    state = site()
    settle(state, 0, "hut-garden-NW at -1,0", "pavilion-6-N at 0,-1")
    assert points(state, "A", 0) == {"wall": 2, "pavilion": 1}


@rule("14.5", "7.1")
def test_14_5_a_hut_in_the_reserve_counts_nothing() -> None:
    state = site()
    settle(state, 0, "garden-11 at 0,1")
    state.players[0].reserve = (tile("hut-garden-S"),)
    assert count(state, "garden") == 1
