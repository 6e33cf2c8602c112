"""The random generator of roll-outs: the same on every machine, interpreted and compiled, and fair."""

from __future__ import annotations

from collections import Counter

import pytest

from granada import Options, new_game
from granada.engine.quick_luck import QuickLuck

#: Golden values of Lehmer's generator, for compiled and interpreted runs.
GOLDEN = {
    0: [1, 9, 10, 55, 398, 262906, 2, 89547],
    1: [1, 9, 20, 3, 796, 525812, 1, 179095],
    12345: [1, 3, 49, 96, 811, 839518, 1, 556764],
    999_999_999: [0, 9, 44, 18, 186, 450302, 1, 673889],
    2**40 + 7: [0, 9, 41, 49, 744, 319162, 0, 413298],
    -3: [0, 0, 23, 49, 805, 211281, 2, 731356],
}


def numbers(seed: int) -> list[int]:
    luck = QuickLuck(seed)
    return [luck.below(count) for count in (2, 10, 54, 108, 1000, 1_000_000, 3, 1_000_000)]


@pytest.mark.parametrize(("seed", "expected"), GOLDEN.items())
def test_a_seed_gives_these_numbers_everywhere(seed: int, expected: list[int]) -> None:
    assert numbers(seed) == expected


def test_numbers_stay_in_their_range() -> None:
    for seed in (0, 1, 2_147_483_645, 2_147_483_646, 2_147_483_647, 10**30):
        luck = QuickLuck(seed)
        for count in (1, 2, 3, 7, 54, 110):
            assert all(0 <= luck.below(count) < count for _ in range(300))


def test_all_numbers_are_about_equally_likely() -> None:
    """Including the first numbers of adjacent seeds, which roll-outs use."""
    luck = QuickLuck(1)
    of_one_seed = Counter(luck.below(6) for _ in range(6000))
    of_neighbours = Counter(QuickLuck(seed).below(6) for seed in range(6000))
    for found in (of_one_seed, of_neighbours):
        assert set(found) == set(range(6))
        assert all(850 <= count <= 1150 for count in found.values()), found


def test_tiles_and_cards_come_in_the_same_order_whatever_is_drawn_between_them() -> None:
    """Roll-outs compare two actions with the same chance events, even if one takes cards and the other buys tiles."""
    orders: set[tuple[str, ...]] = set()
    for between in (0, 1, 3):
        state, luck = new_game(Options("combined", 3), QuickLuck(3)), QuickLuck(5)
        order: list[str] = []
        for bag in (state.bags[0], state.bags[1], state.bags[0]):
            order.append(repr(luck.yard_tile(bag, 0, 0)))
            for _ in range(between):
                luck.below(100)
        for _ in range(4):
            order.append(repr(luck.display_card(state.deck)))
            for _ in range(between):
                luck.below(7)
        orders.add(tuple(order))
    assert len(orders) == 1


def test_tiles_have_numbers_that_are_no_echo_of_the_others() -> None:
    first, second = new_game(Options("combined", 3), QuickLuck(3)).bags
    for seed in range(20):
        luck = QuickLuck(seed)
        rows = [
            [luck.below(40) for _ in range(40)],
            [first.index(luck.yard_tile(first[:40], 0, 0)) for _ in range(40)],
            [second.index(luck.yard_tile(second[:40], 0, 0)) for _ in range(40)],
        ]
        pieces = [{tuple(row[at : at + 4]) for at in range(36)} for row in rows]
        assert not pieces[0] & pieces[1]
        assert not pieces[0] & pieces[2]
        assert not pieces[1] & pieces[2]


def test_neighbouring_seeds_give_different_games() -> None:
    options = Options("combined", 4, ("vizier", "exchange", "bonus", "huts"))
    keys = {new_game(options, QuickLuck(seed)).key() for seed in range(40)}
    assert len(keys) == 40
    assert new_game(options, QuickLuck(7)).key() == new_game(options, QuickLuck(7)).key()
