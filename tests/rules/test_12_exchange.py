"""12: the exchange offices."""

from __future__ import annotations

import random
from itertools import accumulate, pairwise

import pytest

from granada import Options, State, new_game
from granada.rules.money import EXCHANGE_CARDS, UNIT, Card, mixed_payments, total
from tests.kit import (
    deck,
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
    turn_over_deck,
    yard,
)

EXCHANGE = {card.name for card in EXCHANGE_CARDS}


def office(edition: str = "alhambra", players: int = 3) -> State:
    """Return a position with seat 0 on turn and the printed example's hand: denar 7 and 2, gulden 9, card yb."""
    state = position(edition, players, "exchange")
    if edition == "alhambra":
        yard(state, "garden-11", "seraglio-5-SW", "pavilion-7-E", "tower-7-NEW")
    display(state, "y1 g1 b1 o1")
    hand(state, 0, "yb y9 b7 b2")
    return state


def names(state: State, seat: int) -> list[str]:
    return [card.name for card in state.players[seat].hand()]


@rule("12.1")
@pytest.mark.parametrize(("edition", "scores"), [("alhambra", [0, 1, 0, 1, 0]), ("combined", [0, 0, 1, 0, 0])])
@pytest.mark.parametrize("seed", range(8))
def test_12_1_two_exchange_cards_each_lie_in_piles_2_3_and_4(edition: str, scores: list[int], seed: int) -> None:
    state = new_game(Options(edition, 3, ["exchange"]), luck(seed))
    share, extra = divmod(len(state.deck.cards()) - 6 - sum(scores), 5)
    exchange = [0, 2, 2, 2, 0]
    sizes = [share + (1 if pile < extra else 0) + exchange[pile] + scores[pile] for pile in range(5)]
    order = turn_over_deck(state, luck(seed))
    piles = [order[start:end] for start, end in pairwise([0, *accumulate(sizes)])]
    assert [len([name for name in pile if name in EXCHANGE]) for pile in piles] == exchange
    assert [len([name for name in pile if name in "AB"]) for pile in piles] == scores
    assert {name for name in order if name in EXCHANGE} == EXCHANGE


@rule("12.1")
def test_12_1_nobody_is_dealt_an_exchange_card() -> None:
    for seed in range(20):
        state = new_game(Options("granada", 6, ["exchange"]), luck(seed))
        assert not [player for player in state.players if player.exchange]
        assert not EXCHANGE & {card.name for card in state.display}


@rule("12.2")
def test_12_2_an_exchange_card_fills_one_of_the_four_places() -> None:
    state = office()
    deck(state, "yg y9 y8")
    play(state, "take y1 g1")
    assert [card.name for card in state.display] == ["b1", "o1", "yg", "y9"]


@rule("12.3", "3.2")
def test_12_3_an_exchange_card_is_taken_alone() -> None:
    state = office()
    display(state, "y1 yg bo b2")
    assert set(offers(state, "take")) == {"take yg", "take bo", "take y1", "take b2", "take y1 b2"}
    assert refusal(state, "take yg y1") == "12.3"
    assert refusal(state, "take yg bo") == "12.3"
    assert refusal(state, "take gb") == "3.2"
    play(state, "take yg")
    assert names(state, 0) == ["yg", "yb", "y9", "b7", "b2"]
    assert state.turn == 1


@rule("12.3")
def test_12_3_hands_hold_any_number_of_them() -> None:
    state = office()
    hand(state, 0, "yg yb yo gb go")
    display(state, "bo y1 y1 y1")
    play(state, "take bo")
    assert names(state, 0) == ["yg", "yb", "yo", "gb", "go", "bo"]


@rule("12.4")
def test_12_4_the_printed_example_buys_the_garden_or_the_pavilion() -> None:
    state = office()
    assert set(offers(state, "buy")) == {
        "buy garden-11 with yb y9 b2",  # exactly, as printed
        "buy garden-11 with yb y9 b7",
        "buy pavilion-7-E with b7",  # exactly, as printed
        "buy pavilion-7-E with yb y9",
    }


@rule("12.4", "3.4")
def test_12_4_a_mixed_payment_can_be_exact() -> None:
    state = office()
    play(state, "buy garden-11 with yb y9 b2", "buy pavilion-7-E with b7")
    assert offers(state, "take")  # both were exact
    assert names(state, 0) == []
    assert [card.name for card in state.discards[-4:]] == ["yb", "y9", "b2", "b7"]


@rule("12.4", "3.4")
def test_12_4_a_mixed_payment_above_the_price_ends_the_actions() -> None:
    state = office()
    play(state, "buy garden-11 with yb y9 b7")
    assert offers(state) == [text for text in offers(state) if text.startswith(("place", "reserve"))]


@rule("12.4")
def test_12_4_one_of_the_two_currencies_alone_is_enough() -> None:
    state = office()
    yard(state, "pavilion-7-E", "seraglio-5-SW", "garden-11", "tower-7-NEW")
    assert "buy pavilion-7-E with yb b7" in offers(state)  # only denar, on the gulden space
    play(state, "buy pavilion-7-E with yb b7")
    assert offers(state, "take")


@rule("12.4", "3.3")
def test_12_4_a_needless_exchange_card_is_accepted_but_not_offered() -> None:
    state = office()
    assert "buy pavilion-7-E with yb b7" not in offers(state)
    assert refusal(state, "buy pavilion-7-E with yb b7") == ""
    play(state, "buy pavilion-7-E with yb b7")
    assert names(state, 0) == ["y9", "b2"]
    assert offers(state, "take")  # 7 for 7 is exact


@rule("12.4")
@pytest.mark.parametrize(
    ("cards", "text", "refused"),
    [
        ("go g5 o2", "buy tower-7-NEW with go g5 o2", ""),
        ("yb y5 o2", "buy tower-7-NEW with yb y5 o2", "12.4"),  # the card does not show the currency of the space
        ("go y5 o2", "buy tower-7-NEW with go y5 o2", "3.3"),  # gulden are not on the card
        ("go bo g5 o2", "buy tower-7-NEW with go bo g5 o2", "12.4"),  # one exchange card for one tile
        ("go g4 o2", "buy tower-7-NEW with go g4 o2", "3.3"),  # 6 for 7: the card itself has no value
        ("go", "buy tower-7-NEW with go", "3.3"),
        ("g5 o2", "buy tower-7-NEW with go g5 o2", "3.3"),  # not in hand
    ],
)
def test_12_4_what_an_exchange_card_can_pay(cards: str, text: str, refused: str) -> None:
    state = office()
    hand(state, 0, cards)
    assert refusal(state, text) == refused
    assert (text in offers(state)) == (not refused)


@rule("12.4")
def test_12_4_it_is_played_for_one_tile_only() -> None:
    state = office()
    hand(state, 0, "yb y9 y2 b5 b2")
    yard(state, "garden-11", "seraglio-5-SW", "pavilion-7-E", "tower-7-NEW")
    play(state, "buy garden-11 with yb y9 b2")
    assert refusal(state, "buy pavilion-7-E with yb y2 b5") == "3.3"


@rule("12.4", "6.1")
def test_12_4_it_is_reshuffled_like_money() -> None:
    state = office()
    hand(state, 0, "yb y9 b7")
    deck(state)
    discards(state)
    play(state, "buy garden-11 with yb y9 b7", "reserve garden-11")
    display(state, "y1")
    play(state, "take y1")
    assert event_lines(state, "!") == ["! reshuffle", "! display yb y9 b7"]


@rule("12.5", "8.2")
def test_12_5_it_counts_nothing_when_left_over_tiles_are_given_away() -> None:
    state = office()
    hand(state, 0, "g9")
    hand(state, 1, "yg yb yo gb go bo")
    hand(state, 2, "y1")
    state.bags[0].clear()
    play(state, "buy seraglio-5-SW with g9", "reserve seraglio-5-SW")
    assert event_lines(state, "=") == ["= award 1 garden-11 3", "= award 3 pavilion-7-E -", "= award 4 tower-7-NEW -"]


@rule("12.5", "4.2")
@pytest.mark.parametrize(
    ("paid", "refused"), [("y3", ""), ("b3", ""), ("yb y2 b1", "12.5"), ("yb y3", "12.5"), ("y2 b1", "4.2")]
)
def test_12_5_it_cannot_help_to_turn_a_tile_over(paid: str, refused: str) -> None:
    state = office("granada")
    yard(state, "arena-8", "park-10", "library-2", "hostel-2")
    hand(state, 0, "yb y9 y3 y2 b3 b1")
    play(state, "buy arena-8 with y9")
    assert refusal(state, f"place arena-8 at -1,0 as school-9 with {paid}") == refused
    assert not [text for text in offers(state, "place") if " with yb" in text]


@rule("12.4")
def test_payments_that_were_found_before_are_not_mixed_up() -> None:
    """The cache is smaller than the number of payments, so entries overwrite each other."""
    rng = random.Random("purses")
    asked: list[tuple[Card, int, int, int, int]] = []
    for _ in range(6000):
        exchange = rng.choice(EXCHANGE_CARDS)
        own, foreign = [sum([rng.randrange(4) % 3 << 2 * digit for digit in range(4)]) for _ in range(2)]
        asked.append((exchange, rng.choice((exchange.currency, exchange.other)), own, foreign, rng.randrange(2, 14)))
    first = [mixed_payments(*one) for one in asked]
    for (exchange, currency, own, foreign, price), ways in zip(asked, first, strict=True):
        for head, *cards in ways:
            paid = [0, 0, 0, 0]
            for card in cards:
                paid[card.currency] += UNIT[card.value]
            other = exchange.other if currency == exchange.currency else exchange.currency
            assert head is exchange
            assert total(tuple(cards)) >= price
            assert paid[other]
            assert all(paid[currency] >> 2 * digit & 3 <= own >> 2 * digit & 3 for digit in range(9))
            assert all(paid[other] >> 2 * digit & 3 <= foreign >> 2 * digit & 3 for digit in range(9))
    assert [mixed_payments(*one) for one in reversed(asked)] == first[::-1]
