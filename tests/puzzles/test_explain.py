"""Why a turn is the best: facts and themes follow from the rules."""

from __future__ import annotations

from collections.abc import Sequence

from granada.puzzles.effects import Effects
from granada.puzzles.explain import Fact, chance_of_scoring, ends_game, explain, themes_of
from granada.puzzles.puzzle import read_turn
from granada.rules.state import State
from tests.kit import announce, bag, display, hand, offers, play, position, reserve, settle, yard

YARD = ("tower-11-S", "garden-8-NW", "chambers-9-W", "arcades-6-NE")


def explained(state: State, turn: Sequence[str], obvious: Sequence[str]) -> list[Fact]:
    return explain(state, read_turn(turn, state.options), read_turn(obvious, state.options))


def themes(state: State, turn: Sequence[str], obvious: Sequence[str]) -> tuple[str, ...]:
    return themes_of(state, read_turn(turn, state.options), read_turn(obvious, state.options))


def garden() -> State:
    """Return a position in which a garden can be paid exactly."""
    state = position("alhambra", 3)
    yard(state, *YARD)
    hand(state, 0, "g5 g3 b5")
    display(state, "b4 y9 o7 o6")
    return state


EXACT = ("buy garden-8-NW with g5 g3", "take b4", "place garden-8-NW at -1,0")
MONEY = ("take y9",)


def test_an_exact_payment_with_its_wall_its_majority_and_its_money() -> None:
    assert explained(garden(), EXACT, MONEY) == [
        Fact("exact", tile="garden-8-NW", cards=("g5", "g3")),
        Fact("stretch", item="wall", before=0, after=2),
        Fact("majority", item="garden", before=0, after=5, scoring="A"),
        Fact("prepared", tile="chambers-9-W", cards=("b4",)),
    ]
    assert themes(garden(), EXACT, MONEY) == ("chain", "majority", "wall")


def test_a_tile_that_the_next_players_could_buy_is_named() -> None:
    state = garden()
    hand(state, 2, "g9")
    assert Fact("contested", tile="garden-8-NW", seat=2, item="over") in explained(state, EXACT, MONEY)
    hand(state, 1, "g8")
    assert Fact("contested", tile="garden-8-NW", seat=1, item="exact") in explained(state, EXACT, MONEY)
    # It says nothing if the obvious turn buys the tile, too.
    assert not [one for one in explained(state, EXACT, EXACT) if one.code == "contested"]


def test_a_rival_who_loses_a_majority_is_named() -> None:
    state = garden()
    settle(state, 1, "garden-11 at 1,0")
    [denied] = [one for one in explained(state, EXACT, MONEY) if one.code == "denied"]
    # 7.3: two players share the five points of scoring A.
    assert denied == Fact("denied", item="garden", seat=1, before=3, scoring="A")


def test_the_other_face_costs_money() -> None:
    state = position("granada", 3)
    yard(state, "school-10", "arena-2", "park-6", "market-4")
    hand(state, 0, "y9 y1 b3")
    display(state, "g9 g9 o9 o9")
    money = ("buy school-10 with y9 y1", "take g9")
    turned = next(one for one in offers(play(state.copy(), *money), "place") if " as " in one)
    turn = (*money, turned)
    face = turned.split()[5]
    assert Fact("flip", tile="school-10", face=face) in explained(state, turn, ("take g9",))
    assert themes(state, turn, ("take g9",))[0] == "flip"


def test_rebuilding_is_a_theme() -> None:
    state = garden()
    reserve(state, 0, "garden-10-N")
    turn = ("add garden-10-N at 0,-1",)
    assert themes(state, turn, MONEY)[0] == "rebuild"
    assert explained(state, turn, MONEY)[0] == Fact("add", tile="garden-10-N")
    settle(state, 0, "garden-11 at 1,0")
    assert explained(state, ("remove 1,0",), MONEY)[0] == Fact("remove")


def test_dirk_gets_a_gift() -> None:
    state = position("alhambra", 2)
    yard(state, *YARD)
    hand(state, 0, "g5 g4")
    turn = ("buy garden-8-NW with g5 g4", "give garden-8-NW")
    assert Fact("gift", tile="garden-8-NW") in explained(state, turn, turn)
    assert "dirk" in themes(state, turn, turn)


def test_the_vizier_buys_between_two_turns_and_is_woken() -> None:
    state = position("alhambra", 3, "vizier")
    yard(state, *YARD)
    display(state, "b4 y9 o7 o6")
    state.players[0].vizier = False
    assert explained(state, ("wake",), MONEY)[0] == Fact("wake")
    assert themes(state, ("wake",), MONEY)[0] == "vizier"


def test_a_scoring_that_may_follow_is_part_of_the_theme() -> None:
    state = garden()
    announce(state, "A")
    effects = Effects(state, read_turn(MONEY, state.options))
    assert chance_of_scoring(effects) == 1.0
    assert explained(state, MONEY, EXACT)[-1] == Fact("scoring", scoring="A")
    assert themes(state, MONEY, EXACT)[0] == "timing"
    announce(state, "B")
    far = garden()
    assert chance_of_scoring(Effects(far, read_turn(MONEY, far.options))) == 0.0


def test_the_end_of_the_game_is_foreseen() -> None:
    state = garden()
    bag(state)
    turn = ("buy garden-8-NW with g5 g3", "take b4", "place garden-8-NW at -1,0")
    assert ends_game(Effects(state, read_turn(turn, state.options)))
    assert not ends_game(Effects(state, read_turn(MONEY, state.options)))
    assert Fact("ends") in explained(state, turn, MONEY)
    assert "timing" in themes(state, turn, MONEY)


def test_money_alone_is_a_theme_too() -> None:
    state = garden()
    assert explained(state, ("take y9",), EXACT) == [Fact("money", cards=("y9",))]
    assert themes(state, ("take y9",), EXACT) == ("money",)
