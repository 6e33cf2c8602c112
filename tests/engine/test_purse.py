"""The sums of purses, compared with every choice of cards and with the payments of the rules."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from granada.engine.purse import cheapest, cheapest_payment, sums_of
from granada.rules.money import UNIT, VALUES, cards_of, number_of_cards, payments, total, worth
from tests.kit import rule

#: The sums in the bit set; larger ones do not matter for any price.
LARGEST = 30
PRICES = range(1, 14)


def purses(count: int, most: int) -> list[int]:
    """Yield purses of up to this many cards, with at most three copies of each value."""
    rng = random.Random(f"purses {count} {most}")
    box = [value for value in VALUES for _ in range(3)]
    return [sum(UNIT[value] for value in rng.sample(box, rng.randrange(most + 1))) for _ in range(count)]


def sums_by_hand(purse: int) -> set[int]:
    """Return the sums of every choice of cards."""
    values = [card.value for card in cards_of(0, purse)]
    return {sum(some) for size in range(len(values) + 1) for some in combinations(values, size)}


def as_set(sums: int) -> set[int]:
    return {amount for amount in range(sums.bit_length()) if sums >> amount & 1}


@pytest.mark.parametrize("purse", [0, *(UNIT[value] for value in VALUES), *purses(60, 9)])
def test_sums_are_those_of_every_choice_of_cards(purse: int) -> None:
    assert as_set(sums_of(purse)) == {amount for amount in sums_by_hand(purse) if amount <= LARGEST}


@rule("1.1")
def test_a_purse_of_all_cards_makes_every_sum() -> None:
    everything = sum(3 * UNIT[value] for value in VALUES)
    assert as_set(sums_of(everything)) == set(range(LARGEST + 1))
    assert number_of_cards(everything) == 27


@rule("3.3")
def test_the_cheapest_sum_is_that_of_the_cheapest_payment() -> None:
    for purse in [0, *(UNIT[value] for value in VALUES), *purses(150, 9), *purses(60, 27)]:
        sums = sums_of(purse)
        for price in PRICES:
            ways = payments(0, purse, price)
            assert cheapest(sums, price) == (total(ways[0]) if ways else 0)
            if ways:
                assert cheapest_payment(0, purse, price) == ways[0]
            assert bool(ways) == (worth(purse) >= price) == bool(cheapest(sums, price))


@rule("3.3", "3.4")
def test_the_cheapest_sum_is_the_least_that_covers_a_price() -> None:
    for purse in purses(60, 8):
        for price in PRICES:
            covering = [amount for amount in sums_by_hand(purse) if amount >= price]
            assert cheapest(sums_of(purse), price) == min(covering, default=0)


def test_the_number_of_cards_is_counted() -> None:
    for purse in purses(100, 27):
        assert number_of_cards(purse) == len(cards_of(0, purse))
