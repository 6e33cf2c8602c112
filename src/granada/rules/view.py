"""Hidden information (16): what a seat may see, and resampling the bonus cards that it cannot know.

Nothing is shuffled in advance, so a player with perfect memory knows everything in a state except the unrevealed bonus
cards. A view is a copy of the state without these cards, and without the hands that a screen must not show.
"""

from __future__ import annotations

from typing import Final, Protocol, final

from granada.rules import pictures
from granada.rules.bonus import sorted_cards
from granada.rules.events import NOBODY
from granada.rules.money import Card, by_order
from granada.rules.player import Player
from granada.rules.state import State
from granada.rules.tiles import Tile


class Rng(Protocol):
    """A source of random numbers, such as `random.Random`."""

    def random(self) -> float:
        """Return a number in [0, 1)."""


@final
class View:
    """16: the game as seen by one seat, or by a spectator (NOBODY).

    `table` is an independent state in which hidden bonus cards are None. The other hands (16.1) are empty and their
    money is among the unseen cards of the deck, unless the game is played with open money or the view `remembers`: then
    they contain what a player with perfect memory knows. Screens get views that do not remember; bots may get either.
    """

    __slots__ = ("deck_size", "hand_sizes", "remembers", "seat", "table")

    def __init__(self, seat: int, table: State, hand_sizes: tuple[int, ...], deck_size: int, remembers: bool) -> None:
        self.seat: Final = seat
        self.table: Final = table
        #: The number of cards in each hand and in the deck, which everybody can see.
        self.hand_sizes: Final = hand_sizes
        self.deck_size: Final = deck_size
        self.remembers: Final = remembers

    def hand(self, seat: int) -> tuple[Card, ...] | None:
        """16.1: return the cards of a hand, or None if they are hidden."""
        if seat == self.seat or self.remembers:
            return self.table.players[seat].hand()
        return None

    def bonus(self, seat: int) -> tuple[Tile | None, ...]:
        """16.2: return the unrevealed bonus cards of a seat, with None for each hidden one."""
        return self.table.players[seat].bonus

    def sample(self, rng: Rng) -> State:
        """Return a complete state that is possible for the seat: hidden bonus cards are resampled."""
        if not self.remembers:
            raise ValueError("only a view that remembers the hands can be sampled (16.1)")
        return resample(self.table, self.seat, rng)

    def __copy__(self) -> View:
        return View(self.seat, self.table.copy(), self.hand_sizes, self.deck_size, self.remembers)

    def __deepcopy__(self, memo: object) -> View:
        return self.__copy__()

    def __reduce__(self) -> tuple[type[View], tuple[object, ...]]:
        return View, (self.seat, self.table, self.hand_sizes, self.deck_size, self.remembers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.seat, self.table.n))

    def __repr__(self) -> str:
        return f"<View of seat {self.seat}: {self.table!r}>"

    def _key(self) -> tuple[object, ...]:
        return (self.seat, self.table.key(), self.hand_sizes, self.deck_size, self.remembers)

    def _repr_svg_(self) -> str | None:
        return pictures.svg_of(self)


def view_of(state: State, seat: int, remembers: bool = False) -> View:
    """16: return a copy of the state without what a seat may not see."""
    if not (seat == NOBODY or 0 <= seat < len(state.players)):
        raise ValueError(f"there is no seat {seat} in this game (2.1)")
    table = state.copy()
    hand_sizes = tuple([player.hand_size() for player in table.players])
    deck_size = table.deck.size()
    knows_hands = remembers or state.options.open_money
    for other, player in enumerate(table.players):
        if other != seat and player.bonus:
            player.bonus = _known(player)
    if not knows_hands:
        _hide_hands(table, seat)
    return View(seat, table, hand_sizes, deck_size, knows_hands)


_EMPTY: Final = [0, 0, 0, 0]


def _hide_hands(table: State, seat: int) -> None:
    """16.1: move the cards of other hands to the deck, so that they cannot be distinguished."""
    deck = table.deck
    hidden: list[int] = []
    for other, player in enumerate(table.players):
        if other != seat:
            hidden += player.purses
            player.purses[:] = _EMPTY
            if player.exchange:
                deck.exchange += player.exchange
                player.exchange = ()
    deck.hide(hidden)
    if len(deck.exchange) > 1:
        deck.exchange = tuple(sorted(deck.exchange, key=by_order))


def _known(player: Player) -> tuple[Tile | None, ...]:
    """13.3: return the bonus cards of a hand that everybody has seen, with None for the others."""
    return sorted_cards([card if card in player.seen_bonus else None for card in player.bonus])


def resample(state: State, seat: int, rng: Rng) -> State:
    """16.2: return a copy in which the bonus cards that a seat cannot know are resampled from the unseen ones."""
    sampled = view_of(state, seat, remembers=True).table
    seen: list[Tile | None] = []
    for player in sampled.players:
        seen += player.bonus
        seen += player.revealed
    left = [card for card in state.options.components.bonus if card not in seen]
    for player in sampled.players:
        if None in player.bonus:
            hand: list[Tile | None] = [card for card in player.bonus if card is not None]
            while len(hand) < len(player.bonus):
                hand.append(left.pop(int(rng.random() * len(left))))
            player.bonus = sorted_cards(hand)
    return sampled
