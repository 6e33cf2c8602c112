"""Aids for players."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from granada import NOBODY, Buy, Options, State, Take, action_text
from granada.records.notation import seat_text
from granada.rules.events import Displayed, Scored
from granada.rules.money import COPIES, MONEY_CARDS, SCORE, Card, total
from granada.rules.options import EDITIONS
from granada.rules.scoring import score_rows
from granada.rules.setup import new_game
from granada.tables import messages
from granada.tables.aids import aids_of, next_scoring, offers_of, unseen_money
from granada.tables.views import own_view
from tests.kit import (
    announce,
    bag,
    deck,
    dirk,
    discards,
    display,
    hand,
    luck,
    play,
    position,
    row,
    rule,
    settle,
    yard,
)
from tests.server.moments import GAMES, greedy_plies, moments
from tests.server.oracle import resampled

per_game = pytest.mark.parametrize("options", GAMES, ids=repr)


def aids(state: State) -> messages.Aids:
    return aids_of(state.view(NOBODY))


def majority(state: State, type_: str) -> messages.Majority:
    return next(found for found in aids(state).majorities if found.type == type_)


# Majorities -----------------------------------------------------------------------------------------------------------


@rule("7.3")
def test_in_alhambra_ties_share_a_rank_and_the_next_one_is_left_out() -> None:
    state = position("alhambra", 4)
    row(state, 0, "tower-13-E")
    row(state, 1, "tower-9-NE", "tower-10-W")
    row(state, 2, "tower-9-ES", "tower-11")
    found = majority(state, "tower")
    assert found.counts == [1, 2, 2, 0]
    assert found.highest == [13, 10, 11, 0]
    assert found.ranks == [3, 1, 1, 0]


@rule("7.4")
def test_in_granada_ties_are_broken_by_the_highest_price() -> None:
    state = position("granada", 4)
    row(state, 0, "school-2", "school-9")
    row(state, 1, "school-4", "school-12")
    row(state, 2, "school-13")
    found = majority(state, "school")
    assert found.counts == [2, 2, 1, 0]
    assert found.highest == [9, 12, 13, 0]
    assert found.ranks == [2, 1, 3, 0]


@rule("9.4")
def test_dirk_is_ranked_after_the_seats() -> None:
    state = position("alhambra", 2)
    row(state, 1, "garden-10")
    dirk(state, "garden-11", "garden-12-S", "tower-11")
    assert majority(state, "garden").counts == [0, 1, 2]
    assert majority(state, "garden").ranks == [0, 2, 1]
    assert majority(state, "tower").ranks == [0, 0, 1]
    assert [found.seat for found in aids(state).points if found.item == "garden"] == [0]


@rule("13.2", "14.5")
def test_revealed_bonus_cards_and_huts_count() -> None:
    state = position("alhambra", 3, "bonus", "huts")
    settle(state, 0, "garden-10 at 1,0", "hut-garden-S at 1,-1")
    assert majority(state, "garden").counts == [1, 0, 0]  # separated by the wall of the hut
    settle(state, 0, "hut-garden-N at 1,1")
    assert majority(state, "garden").counts == [1, 0, 0]
    settle(state, 0, "hut-garden-E at 2,0")
    assert majority(state, "garden").counts == [2, 0, 0]
    state.players[0].revealed = tuple([found for found in state.options.components.bonus if found.name == "garden-10"])
    assert majority(state, "garden").counts == [3, 0, 0]


@rule("7.1", "7.3", "7.4")
@per_game
def test_ranks_are_the_places_of_the_scorings(options: Options) -> None:
    for state in moments(options, 5):
        found = {majority.type: majority for majority in aids(state).majorities}
        places = {(points.item, points.seat): points.place for points in score_rows(state, "C") if points.place}
        ranks = {
            (type_, seat if seat < options.players else -1): rank
            for type_, majority in found.items()
            for seat, rank in enumerate(majority.ranks)
            if 0 < rank <= 3
        }
        assert places == ranks


# The next scoring -----------------------------------------------------------------------------------------------------


@rule("6.3", "8.4")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 4])
def test_the_points_foretold_are_those_of_the_scoring_that_comes(edition: str, players: int) -> None:
    met: set[str] = set()
    seen: messages.Aids | None = None  # while the cities are unchanged
    for state, action in greedy_plies(Options(edition, players, ["exchange"]), "points"):
        scored = [event for event in state.events if isinstance(event, Scored)]
        if scored and seen is not None:
            assert scored[0].scoring == seen.next_scoring
            for event in scored[: players + (state.dirk is not None)]:
                assert event.total == sum([found.points for found in seen.points if found.seat == event.seat + 1])
            met.add(scored[0].scoring)
        seen = aids(state) if isinstance(action, Take) else None
    assert met


@rule("2.6", "10.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_scorings_come_in_order(edition: str) -> None:
    order: list[str | None] = []
    for state, action in greedy_plies(Options(edition, 2), "order"):
        order.append(next_scoring(state))
        last = state.copy()
        last.play(action, luck("order"))
    assert list(dict.fromkeys(order)) == ["A", "B", "C"]
    assert order == sorted(order, key=str)
    assert last.is_over
    assert next_scoring(last) is None


@rule("8.1")
def test_once_the_end_has_begun_only_the_last_scoring_is_to_come() -> None:
    state = position("alhambra", 3)
    hand(state, 0, "y2 g9")
    yard(state, "pavilion-2-NEW")
    bag(state)
    display(state, "o9 o8 o7 o6")
    assert aids(state).next_scoring == "A"
    play(state, "buy pavilion-2-NEW with y2", "take o9", "reserve pavilion-2-NEW")
    assert state.tray  # a left-over tile, awarded to the seat with the most money
    assert aids(state).next_scoring == "C"
    assert aids(state).unseen.scores == {}


# Unseen components ----------------------------------------------------------------------------------------------------


@rule("16.1", "16.2")
@per_game
def test_what_is_unseen_is_what_does_not_lie_on_the_table(options: Options) -> None:
    for state in moments(options, 5):
        unseen = aids(state).unseen
        copies = COPIES if options.players > 2 else COPIES - 1
        cards = copies * len(MONEY_CARDS) + (6 if "exchange" in options.modules else 0)
        assert sum(unseen.money.values()) + unseen.exchange == cards - len(state.display) - len(state.discards)
        faces = [len(left) * (2 if kind else 1) for kind, left in zip(options.kinds, state.bags, strict=True)]
        assert sum(unseen.tiles.values()) == sum(faces)


def sorted_names(cards: tuple[Card, ...]) -> dict[str, int]:
    """Count cards by currency, and exchange cards."""
    counts = Counter(["exchange" if card.name[1] in "ygbo" else card.name[0] for card in cards])
    return {key: counts[key] for key in (*"ygbo", "exchange")}


@rule("16.1", "16.2")
@per_game
@pytest.mark.parametrize("is_open", [False, True])
def test_unseen_money_is_what_the_reader_cannot_see(options: Options, is_open: bool) -> None:
    """Count the deck and the hidden hands: never the seat's own, and none with open money."""
    if is_open:
        options = options.with_open_money()
    for state in moments(options, 5):
        in_deck = tuple([card for card in state.deck.cards() if card.sort != SCORE])
        for seat in range(options.players):
            hidden = () if is_open else [player.hand() for other, player in enumerate(state.players) if other != seat]
            found = unseen_money(state, seat)
            cards = (*in_deck, *[card for cards in hidden for card in cards])
            assert {**found.money, "exchange": found.exchange} == sorted_names(cards)
            assert found == own_view(state, seat, None, False, True).unseen
        spectator = aids(state).unseen
        hands = () if is_open else tuple([card for player in state.players for card in player.hand()])
        assert {**spectator.money, "exchange": spectator.exchange} == sorted_names((*in_deck, *hands))


@rule("16.1")
def test_unseen_money_does_not_depend_on_where_hidden_cards_are() -> None:
    state = new_game(Options("alhambra", 3, ["exchange"]), luck(1))
    found = unseen_money(state, 0)
    for seed in range(5):
        assert unseen_money(resampled(state, 0, random.Random(seed)), 0) == found


@rule("3.2", "16.1")
def test_unseen_money_stays_the_same_when_the_reader_takes_cards() -> None:
    state = position("alhambra", 3)
    hand(state, 0, "y2 g9")
    display(state, "o1 o2 o3 g7")
    before = unseen_money(state, 0)
    for card in state.display[:2]:
        state.players[0].receive(card)
    display(state, "o3 g7")
    assert unseen_money(state, 0) == before


@rule("1.4")
def test_a_granada_tile_in_the_bag_counts_for_both_its_faces() -> None:
    state = position("granada", 3)
    bag(state, "school-10", "school-12")
    left = {type_: count for type_, count in aids(state).unseen.tiles.items() if count}
    assert left == {"arena": 1, "hospital": 1, "school": 2}


@rule("2.6")
def test_score_cards_lie_in_the_second_and_the_fourth_pile() -> None:
    state = new_game(Options("alhambra", 3), luck(1))
    sizes = [pile.size for pile in state.deck.piles]
    assert aids(state).unseen.scores == {
        "A": (sizes[0], sizes[0] + sizes[1] - 1),
        "B": (sum(sizes[:3]), sum(sizes[:4]) - 1),
    }
    announce(state, "A", "B")
    assert aids(state).unseen.scores == {"A": (0, 0), "B": (1, 1)}


@rule("10.3")
def test_the_second_score_card_of_the_combined_game_waits_for_the_discards() -> None:
    state = position("combined", 3)
    for seat in range(3):
        hand(state, seat, "")
    deck(state, "y1 y2 y3")
    discards(state, "g9 g8 g7 g6 g5 g4 g3")
    display(state, "b9")
    hand(state, 0, "o9 o8 o7 o6")
    # Fewest: three cards of the deck, the first pile of seven discards. Most: all fifteen cards are discarded then.
    assert aids(state).unseen.scores == {"B": (3 + 2, 3 + 3 + 3)}
    discards(state)
    assert aids(state).unseen.scores == {"B": (3 + 1, 3 + 2 + 2)}  # without discards the card stays out


@rule("2.6", "6.1", "10.3", "12.1")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("is_open", [False, True])
def test_score_cards_come_where_they_can_lie(edition: str, players: int, is_open: bool) -> None:
    foretold: list[tuple[int, dict[str, tuple[int, int]]]] = []
    come: dict[str, int] = {}
    drawn = 0
    for state, _ in greedy_plies(Options(edition, players, ["exchange"], open_money=is_open), "scores"):
        for event in state.events if state.n else []:
            for card in event.cards if isinstance(event, Displayed) else ():
                if card.sort == SCORE:
                    come[card.name] = drawn
                drawn += 1
        foretold.append((drawn, aids(state).unseen.scores))
    assert list(come) == list(foretold[0][1]) == ["A", "B"]
    for before, scores in foretold:
        for letter, (fewest, most) in scores.items():
            assert before + fewest <= come[letter] <= before + most
    assert not foretold[-1][1]


# Payments -------------------------------------------------------------------------------------------------------------


def offer(state: State) -> tuple[str, int, str]:
    """Return the offer for seat 0 and the first tile of the yard."""
    found = offers_of(state, 0)[0]
    return found.fit, found.by, " ".join(found.payment)


@rule("3.3", "3.4")
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("y9 y5 y3", ("exact", 0, "y5 y3")),
        ("y8 y5 y3", ("exact", 0, "y8")),
        ("y9 y5 y2", ("over", 1, "y9")),
        ("y7 y4", ("over", 3, "y7 y4")),
        ("y4 y3 g9", ("short", 1, "")),
        ("", ("short", 8, "")),
    ],
)
def test_a_price_is_paid_exactly_or_with_the_least_too_much(cards: str, expected: tuple[str, int, str]) -> None:
    state = position("alhambra", 3)
    yard(state, "garden-8-NW")
    hand(state, 0, cards)
    assert offer(state) == expected


@rule("12.4")
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("yg y5 g3", ("exact", 0, "yg y5 g3")),
        ("yg y5 y3 g8", ("exact", 0, "y5 y3")),
        ("yg y9 g8", ("exact", 0, "yg g8")),
        ("yg yb y2 g1 b4", ("short", 2, "")),
        ("bo y7 b9", ("short", 1, "")),
        ("yg g9", ("over", 1, "yg g9")),
    ],
)
def test_one_exchange_card_may_help_to_pay(cards: str, expected: tuple[str, int, str]) -> None:
    state = position("alhambra", 3, "exchange")
    yard(state, "garden-8-NW")
    hand(state, 0, cards)
    assert offer(state) == expected


@rule("3.3", "12.4")
@per_game
def test_the_offers_agree_with_the_purchases_of_the_rules(options: Options) -> None:
    for state in moments(options, 3):
        if state.tray or not isinstance(state.offers()[0], Take):
            continue
        buys = [action for action in state.offers() if isinstance(action, Buy)]
        found = offers_of(state, state.seat)
        assert [offer.tile for offer in found] == [tile.name for tile in state.yard if tile is not None]
        for offer in found:
            paid = [action for action in buys if action.tile.name == offer.tile]
            assert (offer.fit == "short") == (not paid)
            assert (offer.fit == "exact") == (offer.by == 0)
            if paid:
                assert offer.by == min([total(action.cards) for action in paid]) - paid[0].tile.price
                assert f"buy {offer.tile} with {' '.join(offer.payment)}" in [action_text(action) for action in paid]
            else:
                assert offer.by > 0


def test_dirk_and_the_seats_of_points_are_counted_as_on_the_wire() -> None:
    state = position("alhambra", 2)
    for found, points in zip(aids(state).points, score_rows(state, "A"), strict=True):
        assert seat_text(points.seat) == (str(found.seat) if found.seat else "dirk")
        assert (found.item, found.place, found.points) == (points.item, points.place, points.points)
    assert {found.seat for found in aids(state).points} == {0}  # only he has tiles
