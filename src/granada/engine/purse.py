"""The sums that a purse can pay, as a bit set: faster than listing the payments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from granada.rules.money import UNIT, Card, money

if TYPE_CHECKING:
    from mypy_extensions import i64  # a native integer when compiled

#: Sums of 31 and more do not matter: no tile costs more than 13, and no card is worth more than 9.
_SUMS: Final = 0x7FFFFFFF


def sums_of(purse: i64) -> i64:
    """Return all sums of cards of a purse as a bit set."""
    sums: i64 = 1
    value: i64 = 1
    while purse:
        copies: i64 = purse & 3
        while copies:
            sums |= sums << value & _SUMS
            copies -= 1
        value += 1
        purse >>= 2
    return sums


def cheapest(sums: i64, price: i64) -> i64:
    """Return the lowest sum that covers a price; 0 if there is none."""
    rest: i64 = sums >> price
    if not rest:
        return 0
    while not rest & 1:
        rest >>= 1
        price += 1
    return price


def cheapest_payment(currency: int, purse: i64, price: i64) -> tuple[Card, ...]:
    """3.3: return the first payment with the lowest sum, in the order of `payments`; the purse must cover the price."""
    missing: i64 = cheapest(sums_of(purse), price)
    cards: list[Card] = []
    value: i64 = 9
    while missing:
        unit: i64 = UNIT[value]
        while value <= missing and purse & 3 * unit and sums_of(purse - unit) >> missing - value & 1:
            purse -= unit
            missing -= value
            cards.append(money(currency, value))
        purse &= unit - 1
        value -= 1
    return tuple(cards)
