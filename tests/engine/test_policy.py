"""The quick policy: it considers only offered actions, decides in every position, and its games end."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from granada import (
    Action,
    Buy,
    Decline,
    Give,
    Keep,
    Options,
    Place,
    Remove,
    Reveal,
    State,
    Swap,
    UseVizier,
    Wake,
    action_text,
    new_game,
)
from granada.engine.policy import Policy, Weighed, by_worth
from granada.engine.quick_luck import QuickLuck
from granada.engine.rollout import play_quickly
from granada.engine.weights import Weights
from granada.rules.flow import Acting
from granada.rules.options import EDITIONS
from tests.engine.games import MAX_TURNS, mixed, mixed_plies, tables
from tests.golden.quick import FIXED
from tests.kit import all_options, bag, display, hand, module_sets, placing, play, position, rule, settle, yard

WEIGHTS = Weights()
OPTIONS = [options for options in all_options() if options.players in (2, 3, 4)]
#: Every kind of action that the quick policy considers, in a game with all modules.
NAMED = {"Take", "Buy", "Add", "TakeHut", "Wake", "Place", "Reserve", "Give", "UseVizier", "Decline", "Reveal", "Keep"}


def texts(actions: list[Action]) -> list[str]:
    return [action_text(action) for action in actions]


def names(weighed: list[Weighed]) -> list[str]:
    return [type(one.action).__name__ for one in weighed]


@rule("3.3", "4.1", "11.2", "12.4", "13.2", "14.2")
@pytest.mark.parametrize("options", OPTIONS, ids=repr)
def test_all_that_is_weighed_and_chosen_is_offered(options: Options) -> None:
    for state, _, _ in mixed_plies(options, f"offered {options}", 45):
        offered = set(state.offers())
        policy = Policy(state, WEIGHTS)
        weighed = [one.action for one in policy.weigh()]
        assert set(weighed) <= offered, set(texts(weighed)) - set(texts(list(offered)))
        assert len(set(weighed)) == len(weighed)
        assert policy.choose() in offered


@pytest.mark.parametrize("options", tables(2, 4), ids=repr)
def test_the_same_holds_to_the_end_of_a_game(options: Options) -> None:
    """Including the tiles left over (8.2); every worth is finite."""
    seen: Counter[str] = Counter()
    for state, _, _ in mixed_plies(options, f"to the end {options}"):
        offered = set(state.offers())
        policy = Policy(state, WEIGHTS)
        weighed = policy.weigh()
        seen.update(names(weighed))
        assert {one.action for one in weighed} <= offered
        assert all(math.isfinite(one.worth) for one in weighed)
        assert policy.choose() in offered
        assert not any(isinstance(one.action, (Remove, Swap)) for one in weighed)
    assert state.is_over
    assert {"Take", "Buy", "Place", "Reserve"} <= set(seen)


def test_every_kind_of_action_comes_up() -> None:
    seen: Counter[str] = Counter()
    turned = exchanged = 0
    for options in (Options("combined", players, module_sets("combined")[-1]) for players in (2, 4)):
        for state in mixed(options, f"to the end {options}"):
            weighed = Policy(state, WEIGHTS).weigh()
            seen.update(names(weighed))
            turned += any(isinstance(one.action, Place) and bool(one.action.cards) for one in weighed)
            exchanged += any(isinstance(one.action, Buy) and one.action.cards[0].value == 0 for one in weighed)
    assert set(seen) == NAMED
    assert turned
    assert exchanged


@rule("3.4", "12.4")
def test_exact_payments_are_seen_with_every_exchange_card() -> None:
    state = position("alhambra", 3, "exchange")
    yard(state, "garden-8-NW", "-", "-", "-")
    hand(state, state.seat, "yg yb y2 g9 g7 b6")  # exact only with the second exchange card, not the first
    weighed = {action_text(one.action): one.worth for one in Policy(state, WEIGHTS).weigh()}
    bought = {text: worth for text, worth in weighed.items() if text.startswith("buy ")}
    best = max(bought, key=lambda text: bought[text])
    assert "yb" in best
    assert "y2" in best
    assert "b6" in best


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_works_with_what_a_seat_may_see(edition: str) -> None:
    """16.2: a view lacks the bonus cards of other players, which does not change the evaluation."""
    for state in mixed(Options(edition, 3, module_sets(edition)[-1]), f"seen {edition}", every=3):
        view = state.view(state.seat, remembers=True)
        seen = [(one.action, one.worth) for one in Policy(view.table, WEIGHTS).weigh()]
        assert seen == [(one.action, one.worth) for one in Policy(state, WEIGHTS).weigh()]


def test_weighing_and_choosing_leave_the_state_alone() -> None:
    for state in mixed(Options("combined", 2, module_sets("combined")[-1]), "alone", every=5):
        key = state.key()
        policy = Policy(state, WEIGHTS)
        policy.weigh()
        policy.choose()
        assert state.key() == key


@pytest.mark.parametrize(
    "options",
    [
        Options("combined", 2, ("vizier", "bonus", "huts")),
        Options("combined", 2, ("vizier", "exchange")),
        Options("alhambra", 3),
        Options("granada", 4),
    ],
    ids=repr,
)
def test_the_choice_is_the_best_of_what_is_weighed(options: Options) -> None:
    """The choice takes a short cut for purchases, but its worth is close to the best."""
    for state in mixed(options, "best"):
        policy = Policy(state, WEIGHTS)
        weighed = sorted(policy.weigh(), key=by_worth)
        chosen = policy.choose()
        if not weighed:
            assert chosen == state.offers()[0]
        elif isinstance(state.step, Acting):
            worth = {one.action: one.worth for one in weighed}
            # The short cut assumes one and a half cards for each purchase.
            assert worth[chosen] >= weighed[0].worth - 4 * WEIGHTS.card
        else:
            assert chosen == max(weighed, key=lambda one: one.worth).action


@pytest.mark.parametrize("options", [o for o in all_options() if o.players in (2, 3, 6)], ids=repr)
def test_play_ahead_reaches_the_end_of_every_game(options: Options) -> None:
    luck = QuickLuck(options.players)
    state = new_game(options, luck)
    decisions = play_quickly(state, WEIGHTS, luck, MAX_TURNS)
    assert state.is_over
    assert decisions == state.n > state.turns // 2


def test_play_ahead_stops_at_the_turn_limit() -> None:
    luck = QuickLuck(1)
    state = new_game(Options("alhambra", 3), luck)
    for turns in (2, 5, 6, 20):
        before = state.n
        assert play_quickly(state, WEIGHTS, luck, turns) == state.n - before
        assert state.turns == turns
        assert isinstance(state.step, Acting)
    assert play_quickly(state, WEIGHTS, luck, 20) == 0
    assert play_quickly(state, WEIGHTS, luck, 3) == 0


def test_the_same_seed_plays_the_same_game() -> None:
    def game(seed: int) -> State:
        luck = QuickLuck(seed)
        state = new_game(Options("combined", 2, module_sets("combined")[-1]), luck)
        play_quickly(state, WEIGHTS, luck, MAX_TURNS)
        return state

    assert game(4).key() == game(4).key()
    assert game(4).key() != game(5).key()


#: Points, turns and decisions of games of the quick policy, as golden values.
GOLDEN: dict[str, tuple[int, ...]] = {
    "alhambra": (111, 131, 139, 93, 249),
    "granada": (155, 152, 160, 98, 239),
    "combined": (347, 266, 291, 200, 523),
}


def figures(edition: str) -> tuple[int, ...]:
    luck = QuickLuck(11)
    state = new_game(Options(edition, 3, module_sets(edition)[-1]), luck)
    play_quickly(state, FIXED, luck, MAX_TURNS)
    return (*[player.score for player in state.players], state.turns, state.n)


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_are_the_same_interpreted_and_compiled(edition: str) -> None:
    """After an intended change of the quick policy, copy `figures` from this test's output."""
    assert figures(edition) == GOLDEN[edition]


# What quick play thinks -----------------------------------------------------------------------------------------------


def best(state: State, weights: Weights = WEIGHTS) -> str:
    return action_text(Policy(state, weights).choose())


@rule("3.4")
def test_an_exact_payment_is_better_than_an_expensive_one() -> None:
    state = position()
    yard(state, "garden-8-NW", "garden-9-E", "-", "-")
    hand(state, 0, "y8 g9 g7")
    assert best(state) == "buy garden-8-NW with y8"
    hand(state, 0, "y9 g9")
    assert best(state) == "buy garden-9-E with g9"


@rule("11.6")
def test_a_vizier_is_reactivated_when_nothing_else_is_better() -> None:
    state = position("alhambra", 3, "vizier")
    state.players[0].vizier = False
    weighed = {type(one.action): one.worth for one in Policy(state, WEIGHTS).weigh()}
    assert weighed[Wake] == WEIGHTS.vizier + 1.0
    assert isinstance(Policy(state, Weights(vizier=50.0)).choose(), Wake)


@rule("13.2")
def test_bonus_cards_are_revealed_when_it_is_asked_for_them() -> None:
    seen = 0
    for state in mixed(Options("alhambra", 4, ("bonus",)), "reveal"):
        weighed = Policy(state, WEIGHTS).weigh()
        if any(isinstance(one.action, Keep) for one in weighed):
            chosen = Policy(state, WEIGHTS).choose()
            is_able = any(isinstance(one.action, Reveal) for one in weighed)
            assert isinstance(chosen, Reveal if is_able else Keep)
            seen += 1
    assert seen


@rule("11.2")
def test_a_vizier_that_is_worth_much_is_not_used() -> None:
    seen = used = 0
    for state in mixed(Options("alhambra", 4, ("vizier",)), "vizier"):
        weighed = Policy(state, Weights(vizier=100.0)).weigh()
        if any(isinstance(one.action, UseVizier) for one in weighed):
            seen += 1
            assert isinstance(Policy(state, Weights(vizier=100.0)).choose(), Decline)
            used += isinstance(Policy(state, Weights(vizier=-100.0)).choose(), UseVizier)
    assert used == seen > 3


@rule("4.2")
def test_turning_a_tile_over_is_paid_as_cheaply_as_possible() -> None:
    state = position("granada", 3)
    tile = next(tile for tile in state.bags[0] if tile.back is not None)
    placing(state, tile.name)
    hand(state, 0, "y9 g4 b2 o2 o2")
    turned = [one.action for one in Policy(state, WEIGHTS).weigh() if isinstance(one.action, (Place, Give))]
    paid = {" ".join(card.name for card in action.cards) for action in turned if action.face is tile.back}
    assert paid == {"g4"}


def test_a_purse_too_small_turns_nothing_over() -> None:
    state = position("granada", 3)
    tile = next(tile for tile in state.bags[0] if tile.back is not None)
    placing(state, tile.name)
    hand(state, 0, "y2 g2 b2 o2")
    weighed = Policy(state, WEIGHTS).weigh()
    assert weighed
    assert {one.action.face for one in weighed if hasattr(one.action, "face")} == {tile}


def test_weights_survive_a_round_trip_through_a_dict() -> None:
    usual = Weights().as_dict()
    assert Weights(**usual).as_dict() == usual
    for name in usual:
        assert Weights(**{name: 99.0}).as_dict() == usual | {name: 99.0}
        assert getattr(Weights(**{name: 99.0}), name) == 99.0


@rule("8.3")
def test_8_3_quick_play_builds_every_left_over_tile_before_it_stores_one() -> None:
    """A tile in the reserve does not score after the last turn."""
    state = position()
    settle(state, 0, "arcades-4-NES at 1,0", "seraglio-3-ESW at 0,1", "garden-8-NW at 0,-1")
    hand(state, 0, "g2 b2")
    for seat in (0, 1, 2):  # nobody competes for pavilions; for arcades all do
        settle(state, seat, *[f"arcades-{price} at {x},3" for x, price in enumerate(("5-NW", "6-SW", "6-NE"))][seat:])
    yard(state, "-", "pavilion-2-NEW", "arcades-9", "-")
    bag(state)
    display(state, "o1 y9 g9 b9")
    play(state, "take o1")
    policy = Policy(state, Weights(reserve=5.0))
    first = policy.choose()
    assert action_text(first) == "place arcades-9 at -1,0"
    play(state, action_text(first))
    policy.follow(0, first)
    assert action_text(policy.choose()) == "place pavilion-2-NEW at -1,-1"
