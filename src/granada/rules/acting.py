"""The money actions of a turn (3): take money, buy a tile, pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, final

from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.money import (
    CARDS,
    EXCHANGE,
    MONEY,
    Card,
    cards,
    cards_text,
    is_sorted,
    mixed_payments,
    payments,
    total,
    worth,
)
from granada.rules.player import Player, without
from granada.rules.state import Action, State
from granada.rules.tiles import BLANK, Tile
from granada.rules.verdict import LEGAL, Verdict

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `codes`

#: 3.2: the highest sum of several cards that are taken together.
TAKE_LIMIT: Final = 5

#: A cache of the ways to take several cards, by the small cards on display; cleared at this size.
_TAKES: Final = 50_000
_takes: Final[dict[tuple[Card, ...], tuple[Take, ...]]] = {}


def unsorted(rule: str) -> Verdict:
    """Return the verdict for cards that are not in the order of the notation."""
    return Verdict(rule, "order", "the cards must be sorted: exchange cards, then y, g, b, o, each from high to low")


def cards_repr(some: tuple[Card, ...]) -> str:
    """Return the Python expression for cards."""
    return f"cards('{cards_text(some)}')"


@final
class Take(Action):
    """3.2, 12.3: take one card from the display, or several money cards with a sum of at most 5."""

    __slots__ = ("cards",)

    verb: ClassVar[str] = "take"
    form: ClassVar[str] = "take CARDS"

    def __init__(self, cards: tuple[Card, ...] = ()) -> None:
        self.cards: Final = cards

    def __str__(self) -> str:
        return f"take {cards_text(self.cards)}"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        return Take(cards(words)) if words else None

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        offers += takes_of(state)

    def verdict(self, state: State, seat: int) -> Verdict:
        left = list(state.display)
        for card in self.cards:
            if card not in left:
                return Verdict("3.2", "display", f"{card.name} is not on the display")
            left.remove(card)
        if not self.cards:
            return Verdict("3.2", "none", "at least one card must be taken")
        if not is_sorted(self.cards):
            return unsorted("3.2")
        if len(self.cards) > 1:
            if any([card.sort == EXCHANGE for card in self.cards]):
                return Verdict("12.3", "together", "an exchange card is never taken together with another card")
            if total(self.cards) > TAKE_LIMIT:
                return Verdict("3.2", "limit", f"several cards may sum to at most 5, not {total(self.cards)}")
        return LEGAL

    def do(self, state: State, seat: int, chance: Chance) -> None:
        player = state.players[seat]
        for card in self.cards:
            state.display = without(state.display, card)
            player.receive(card)
        state.finish_step()

    def key(self) -> tuple[object, ...]:
        return (self.cards,)

    def __repr__(self) -> str:
        return f"Take({cards_repr(self.cards)})"


def takes_of(state: State) -> list[Take]:
    """3.2: return all different ways to take cards from the display, as a list that must not be changed.

    They are kept with the state, because many decisions do not change the display. Stored as one tuple, see `money`.
    """
    kept = state.kept_takes
    if kept is None or kept[0] is not state.display:
        kept = (state.display, _find_takes(state.display))
        state.kept_takes = kept
    return kept[1]


def _find_takes(display: tuple[Card, ...]) -> list[Take]:
    takes: list[Take] = []
    small: list[Card] = []
    seen: i64 = 0  # one bit per card order; there are fewer than 64
    for card in display:
        bit: i64 = _BITS[card.order]
        if not seen & bit:
            seen |= bit
            takes.append(_single_takes[card.order])
        if 0 < card.value < TAKE_LIMIT:
            rank = len(small)
            while rank and small[rank - 1].order > card.order:
                rank -= 1
            small.insert(rank, card)
    if len(small) > 1:
        takes += _takes_of_several(tuple(small))
    return takes


def _number_of_cards(take: Take) -> int:
    return len(take.cards)


def _takes_of_several(cards: tuple[Card, ...]) -> tuple[Take, ...]:
    """3.2: return all different ways to take two or more of these sorted cards with a sum of at most 5."""
    found = _takes.get(cards)
    if found is None:
        subsets: list[tuple[Card, ...]] = []
        for choice in range(1 << len(cards)):
            some = tuple([card for i, card in enumerate(cards) if choice >> i & 1])
            if len(some) > 1 and total(some) <= TAKE_LIMIT and some not in subsets:
                subsets.append(some)
        found = tuple(sorted([Take(some) for some in subsets], key=_number_of_cards))
        if len(_takes) >= _TAKES:
            _takes.clear()
        _takes[cards] = found
    return found


#: The action that takes a single card, by card order.
_single_takes: Final[list[Take]] = [Take((card,)) for card in CARDS]
#: Looked up, because mypyc 2.4 miscompiles shifts of native integers by 31 or more.
_BITS: Final = [1 << card.order for card in CARDS]


class Purchase(Action):
    """An action that pays for a tile from the yard."""

    __slots__ = ("cards", "tile")

    def __init__(self, tile: Tile = BLANK, cards: tuple[Card, ...] = ()) -> None:
        self.tile: Final = tile
        self.cards: Final = cards

    def __str__(self) -> str:
        return f"{self.verb} {self.tile.name} with {cards_text(self.cards)}"

    def key(self) -> tuple[object, ...]:
        return (self.tile, self.cards)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.tile!r}, {cards_repr(self.cards)})"


@final
class Buy(Purchase):
    """3.3, 12.4: buy a tile from the yard with cards from hand; an exact payment gives another action (3.4)."""

    __slots__ = ()

    verb: ClassVar[str] = "buy"
    form: ClassVar[str] = "buy TILE with CARDS"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        name, word, paid = words.partition(" with ")
        return Buy(box.tile(name), cards(paid)) if word else None

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        player = state.players[seat]
        purses = player.purses
        halves: i64 = len(state.options.kinds)
        slot: i64 = 0
        for tile in state.yard:
            if tile is not None:
                currency: i64 = slot // halves
                purse: i64 = purses[currency]
                if worth(purse) >= tile.price:
                    offers += _buys_of(tile, currency, purse)
                if player.exchange:
                    for paid in exchange_payments(player, currency, tile.price):
                        offers.append(Buy(tile, paid))
            slot += 1

    def verdict(self, state: State, seat: int) -> Verdict:
        return purchase_verdict(state, seat, self.tile, self.cards)

    def is_offered(self, state: State, seat: int) -> bool:
        return not _has_superfluous_card(state, self.tile, self.cards)

    def do(self, state: State, seat: int, chance: Chance) -> None:
        if total(self.cards) != self.tile.price:
            state.finish_step()
        purchase(state, seat, self.tile, self.cards)


#: A cache of purchases by tile and purse, because most turns change neither: a hash table of fixed size in which a new
#: entry overwrites the old one. Each entry is stored as one tuple (see `money`). The table is large enough for many
#: games in turn, and small enough to stay in the processor's cache.
_BUYS: Final = 1 << 11
_buys: Final[list[tuple[Tile | None, int, list[Action]]]] = [(None, 0, [])] * _BUYS


def _buys_of(tile: Tile, currency: i64, purse: i64) -> list[Action]:
    """3.3: return the purchases of a tile with money of one currency, as a list that must not be changed."""
    key: i64 = purse << 2 | currency
    order: i64 = tile.order
    entry: i64 = key * 40503 + order * 48271 >> 5 & _BUYS - 1
    known = _buys[entry]
    if known[0] is tile and known[1] == key:
        return known[2]
    found: list[Action] = [Buy(tile, paid) for paid in payments(currency, purse, tile.price)]
    _buys[entry] = (tile, key, found)
    return found


def exchange_payments(player: Player, currency: int, price: int, most: int = 0) -> list[tuple[Card, ...]]:
    """12.4: return the payments with each exchange card in hand that shows the currency, at most `most` of each."""
    found: list[tuple[Card, ...]] = []
    for card in player.exchange:
        if card.currency == currency or card.other == currency:
            other = card.other if card.currency == currency else card.currency
            own, foreign = player.purses[currency], player.purses[other]
            if foreign and worth(own) + worth(foreign) >= price:
                ways = mixed_payments(card, currency, own, foreign, price)
                found += ways[:most] if most else ways
    return found


def purchase_verdict(state: State, seat: int, tile: Tile, cards: tuple[Card, ...]) -> Verdict:
    """3.3, 12.4: return whether a seat may buy a tile of the yard with these cards."""
    slot = state.slot_of(tile)
    if slot < 0:
        return Verdict("3.3", "yard", f"{tile.name} is not on the yard with that face up")
    currency = state.space_of(slot)
    if not state.players[seat].holds(cards):
        return Verdict("3.3", "hand", "not all of these cards are in hand")
    if not is_sorted(cards):
        return unsorted("3.3")
    other = -1
    exchange = [card for card in cards if card.sort == EXCHANGE]
    if len(exchange) > 1:
        return Verdict("12.4", "exchange", "only one exchange card may be played with a purchase")
    if exchange:
        shown = (exchange[0].currency, exchange[0].other)
        if currency not in shown:
            return Verdict("12.4", "exchange", "the exchange card does not show the currency of the space")
        other = shown[0] + shown[1] - currency
    for card in cards:
        if card.sort == MONEY and card.currency != currency and card.currency != other:
            return Verdict("3.3", "currency", f"{card.name} is not in the currency of the space")
    if total(cards) < tile.price:
        return Verdict("3.3", "short", f"{total(cards)} is less than the price of {tile.price}")
    return LEGAL


def _has_superfluous_card(state: State, tile: Tile, cards: tuple[Card, ...]) -> bool:
    """3.3: return whether the price would be covered without one of the cards."""
    money = [card for card in cards if card.sort == MONEY]
    if min([card.value for card in money]) <= total(cards) - tile.price:
        return True
    currency = state.space_of(state.slot_of(tile))
    return len(money) < len(cards) and not any([card.currency != currency for card in money])


def purchase(state: State, seat: int, tile: Tile, cards: tuple[Card, ...]) -> None:
    """3.3: discard the cards and set the tile aside until it is placed."""
    state.players[seat].give_up(cards)
    state.discards += cards
    state.yard[state.slot_of(tile)] = None
    state.tray = (*state.tray, tile)


@final
class Pass(Action):
    """3.7: do nothing, if no other action is possible."""

    __slots__ = ()

    verb: ClassVar[str] = "pass"
    form: ClassVar[str] = "pass"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        return None if words else PASS

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        # With a card on the display, there is always another action.
        if not state.display and not state.step.offers_before(Pass, state, seat):
            offers.append(PASS)

    def verdict(self, state: State, seat: int) -> Verdict:
        for action in state.legal_actions:  # if it is offered, it is the only action
            return LEGAL if action is PASS else Verdict("3.7", "must", "an action must be taken if one is possible")
        return LEGAL

    def do(self, state: State, seat: int, chance: Chance) -> None:
        state.finish_step()


PASS: Final = Pass()
