"""Incremental counts: shares as in a scoring, updates, and the growth of walls."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from granada import DIRK, Options, State, score_rows
from granada.engine.policy import Policy
from granada.engine.standing import TYPE_COUNT, Standing
from granada.engine.weights import Weights
from granada.rules.bonus import Revealing
from granada.rules.cells import NEAR
from granada.rules.events import Scored
from granada.rules.scoring import SCORINGS, Scoring, hut_worth, scorings_to_come
from granada.rules.stretches import WALL
from granada.rules.tiles import TYPES
from tests.engine.games import mixed, mixed_plies, tables
from tests.kit import announce, dirk, luck, points, position, rule

WEIGHTS = Weights()
#: Only the next scoring and the points of the seat count, with weight 1 for walls and majorities.
PLAIN = Weights(majority=1.0, wall=1.0, later=0.0, others=0.0, room=0.0)


def entrants(state: State) -> list[int]:
    """7.1, 9.4: return the entrants of the majorities in the order of a standing: the seats, then Dirk."""
    return [*range(len(state.players)), *([DIRK] if state.dirk is not None else [])]


def check_shares(state: State) -> None:
    standing = Standing(state, WEIGHTS)
    assert standing.entrants == len(entrants(state))
    for index, letter in enumerate(SCORINGS):
        rows = {(row.seat, row.item): row.points for row in score_rows(state, letter)}
        for one, seat in enumerate(entrants(state)):
            for type_, name in enumerate(TYPES):
                expected = rows.get((seat, name), 0)
                assert standing.share(one, type_, index) == expected, (letter, seat, name)


@rule("7.1", "7.3", "7.4", "7.5", "9.4", "13.2", "14.5")
@pytest.mark.parametrize("options", tables(2, 3, 4, 6), ids=repr)
def test_shares_are_those_of_a_scoring_held_now(options: Options) -> None:
    for state in mixed(options, f"shares {options}", every=9):
        check_shares(state)


def test_the_games_of_these_tests_show_what_they_are_about() -> None:
    """The positions include revealed cards, huts that count, ties of two and three, and majorities of Dirk."""
    seen: Counter[str] = Counter()
    for options in tables(2, 3):
        for state in mixed(options, f"shares {options}", every=9):
            seen["revealed"] += any(player.revealed for player in state.players)
            for player in state.players:
                for place in player.city.huts():
                    seen["hut"] += hut_worth(player, place, player.city.tile_on(place)) > 0
            standing = Standing(state, WEIGHTS)
            for type_ in range(TYPE_COUNT):
                held = [standing.counts[one * TYPE_COUNT + type_] for one in range(standing.entrants)]
                seen[f"tie of {held.count(max(held))}"] += max(held) > 0
            seen["Dirk"] += any(row.seat == DIRK and row.place == 1 for row in score_rows(state, "C"))
    assert min(seen[what] for what in ("revealed", "hut", "tie of 2", "tie of 3", "Dirk")) >= 20, seen


@rule("7.3", "7.4", "7.5")
def test_shares_of_any_counts_are_those_of_a_scoring() -> None:
    """Including counts that are rare in games: many ties, and large numbers."""
    rng = random.Random("counts")
    for options in tables(2, 3, 6):
        state = position(options.edition, options.players, scoring=options.scoring)
        of_edition = [tile for bag in state.bags for tile in bag]
        empty = [player.city for player in state.players]
        for _ in range(30):
            left = rng.sample(of_edition, len(of_edition))
            for player, city in zip(state.players, empty, strict=True):
                player.city = city
                for x in range(1, 1 + rng.randrange(9)):
                    player.city = player.city.build(left.pop(), city.places[0] + x)
            if state.dirk is not None:
                dirk(state).tiles = tuple(left[: rng.randrange(9)])
            check_shares(state)


def known(standing: Standing, seats: int) -> list[object]:
    gains = [[standing.gain(seat, type_) for type_ in range(TYPE_COUNT)] for seat in range(seats)]
    return [standing.counts, standing.highest, standing.scorings, standing.scorings_weight, gains]


@pytest.mark.parametrize("options", tables(2, 3), ids=repr)
def test_a_standing_that_follows_a_game_is_as_good_as_a_new_one(options: Options) -> None:
    policy: Policy | None = None
    before = None
    for state, action, _ in mixed_plies(options, f"follow {options}"):
        if policy is None or before is None:
            policy = Policy(state, WEIGHTS)
        else:
            policy.follow(*before)
        fresh = Standing(state, WEIGHTS)
        assert known(policy.standing, options.players) == known(fresh, options.players)
        seat = state.seat
        for tile in [tile for tile in (*state.tray, *state.yard) if tile is not None][:2]:
            city = state.players[seat].city
            for cell in city.cells_for(tile)[:4]:
                assert policy.standing.wall_gain(seat, city, tile, cell) == fresh.wall_gain(seat, city, tile, cell)
            if state.dirk is not None:
                assert policy.standing.gift(seat, tile) == fresh.gift(seat, tile)
        before = (seat, action)


@rule("6.3", "8.4")
@pytest.mark.parametrize("options", tables(2, 3, 5), ids=repr)
def test_the_scorings_to_come_are_those_that_have_not_taken_place(options: Options) -> None:
    """A scoring is still to come while players may reveal bonus cards before it."""
    held: set[str] = set()
    last = None
    for state, _, _ in mixed_plies(options, f"scorings {options}"):
        held |= {event.scoring for event in state.events if isinstance(event, Scored)}
        assert scorings_to_come(state) == [letter for letter in SCORINGS if letter not in held]
        last = state
    assert last is not None
    assert last.is_over
    assert scorings_to_come(last) == []
    assert held | {event.scoring for event in last.events if isinstance(event, Scored)} == set(SCORINGS)


@rule("13.2")
def test_a_scoring_is_still_to_come_while_players_decide_about_bonus_cards() -> None:
    seen: Counter[str] = Counter()
    for game in range(6):
        for state, _, _ in mixed_plies(Options("alhambra", 4, ("bonus",)), f"asked {game}"):
            if isinstance(state.step, Revealing):
                at_hand = next(task.step.letter for task in state.tasks() if isinstance(task.step, Scoring))
                assert scorings_to_come(state)[0] == at_hand
                seen[at_hand] += 1
    assert set(seen) == set(SCORINGS)


@rule("9.6")
def test_a_gift_to_dirk_is_worth_what_the_scoring_changes() -> None:
    seen = 0
    for options in tables(2):
        for state in mixed(options, f"gift {options}", every=11):
            standing = Standing(state, PLAIN)
            letter = SCORINGS[standing.scorings[0]]
            for tile in [tile for tile in state.yard if tile is not None]:
                given = state.copy()
                dirk(given).tiles += (tile,)
                for seat in range(2):
                    change = sum(points(given, letter, seat).values()) - sum(points(state, letter, seat).values())
                    assert standing.gift(seat, tile) == change
                    seen += change != 0
    assert seen > 20


@rule("7.3")
def test_the_gain_of_one_more_tile_is_what_the_scoring_changes() -> None:
    """Exact for Alhambra tiles; for Granada tiles the price that breaks ties (7.4) is ignored."""
    seen = 0
    for players in (2, 3, 5):
        for state in mixed(Options("alhambra", players, ("bonus",)), f"gain {players}", every=7):
            standing = Standing(state, PLAIN)
            letter = SCORINGS[standing.scorings[0]]
            seat = state.seat
            for tile in [tile for tile in state.yard if tile is not None]:
                built = state.copy()
                city = built.players[seat].city
                built.players[seat].city = city.build(tile, 12 + max(city.places))
                name = TYPES[tile.type]
                change = points(built, letter, seat).get(name, 0) - points(state, letter, seat).get(name, 0)
                assert standing.gain(seat, tile.type) == change
                seen += change != 0
    assert seen > 50


def test_weights_of_scorings_fall() -> None:
    state = position()
    assert Standing(state, Weights(later=0.5)).scorings_weight == 1.75
    announce(state, "B")
    assert Standing(state, Weights(later=0.5)).scorings_weight == 1.5
    assert Standing(state, Weights(later=0.0)).scorings_weight == 1.0


@rule("7.2")
@pytest.mark.parametrize("edition", ["alhambra", "granada", "combined"])
def test_walls_grow_about_as_the_standing_says(edition: str) -> None:
    """Without a search the estimate is too low if a tile joins the longest wall with another one.

    Measured over 8 games of each edition, at all places where a tile joins the longest wall and covers none of it:
    exact for 87 to 90 % of them, and never too much. Positions of one game are alike, so this leaves room.
    """
    exact = seen = 0
    for game in range(4):
        for state in mixed(Options(edition, 3), f"walls {game}"):
            standing = Standing(state, PLAIN)
            seat, city = state.seat, state.players[state.seat].city
            for tile in [tile for tile in state.yard if tile is not None]:
                for cell in city.cells_for(tile):
                    guess = standing.wall_gain(seat, city, tile, cell)
                    assert math.isfinite(guess)
                    assert -4 <= guess <= 4
                    before = set(city.stretches()[tile.kind])
                    after = set(city.build(tile, cell).stretches()[tile.kind])
                    own = {4 * cell + side for side in range(4)} & after
                    if before and own and before <= after:
                        grown = len(after) - len(before)
                        assert guess <= grown
                        seen += 1
                        exact += guess == grown
    assert seen > 150
    assert exact > 0.75 * seen, (exact, seen)


@rule("7.2")
def test_what_a_tile_covers_of_the_longest_wall_is_lost() -> None:
    seen = 0
    for game in range(4):
        for state in mixed(Options("alhambra", 3), f"covering {game}"):
            city = state.players[state.seat].city
            longest = city.stretches()[WALL]
            for tile in [tile for tile in state.yard if tile is not None]:
                for cell in city.cells_for(tile):
                    covered = [edge for edge in longest if NEAR[8 * (edge // 4) + edge % 4] == cell]
                    outer = [side for side in range(4) if tile.walls >> side & 1 and not city.neighbour(cell, side)]
                    if covered:
                        guess = Standing(state, PLAIN).wall_gain(state.seat, city, tile, cell)
                        assert guess <= len(outer) - len(covered)
                        seen += 1
    assert seen > 20


def test_a_standing_leaves_its_state_alone() -> None:
    options = Options("combined", 2, ("vizier", "exchange", "bonus", "huts"))
    for state in mixed(options, "alone", every=20):
        key = state.key()
        standing = Standing(state, WEIGHTS)
        counts = standing.counts.copy()
        known(standing, 2)
        for tile in [tile for tile in state.yard if tile is not None]:
            standing.gift(0, tile)
        assert state.key() == key
        assert standing.counts == counts


def test_following_an_action_that_holds_a_scoring() -> None:
    state = position("alhambra", 3)
    announce(state, "A", "B")
    state.players[1].city = state.players[1].city.build(state.bags[0][0], state.players[1].city.places[0] + 1)
    policy = Policy(state, WEIGHTS)
    assert policy.standing.scorings == [0, 1, 2]
    seat, action = state.seat, state.offers()[0]
    state.play(action, luck("held"))
    policy.follow(seat, action)
    assert scorings_to_come(state) == ["C"]
    assert policy.standing.scorings == [2]
