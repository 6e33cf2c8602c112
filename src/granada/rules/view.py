"""Who knows what (16): what a seat may see, and the bonus cards that it cannot know dealt anew.

A state holds nothing that a perfect memory would not know, except the unrevealed bonus cards (nothing is shuffled in
advance). So a view is a copy of the state in which those cards are missing, and which shows other hands only if asked.
"""

from __future__ import annotations

from typing import Final, Protocol

from granada.rules import pictures
from granada.rules.bonus import sorted_cards
from granada.rules.events import NOBODY
from granada.rules.money import Card
from granada.rules.state import LegalActions, Player, State
from granada.rules.tiles import Tile


class Rng(Protocol):
    """A source of random numbers, such as `random.Random`."""

    def random(self) -> float:
        """A number from 0 up to, but not including, 1."""


class View:
    """16: the game as one seat, or a spectator (NOBODY), may see it.

    `table` is a state of its own: the bonus cards that the seat may not see are None in it. Money in other hands is known
    to everybody with a good memory (16.1), so it is there for bots; a screen asks `hand`, which hides it unless the table
    plays with open money.
    """

    __slots__ = ("seat", "table")

    def __init__(self, seat: int, table: State) -> None:
        self.seat: Final = seat
        self.table: Final = table

    def hand(self, seat: int) -> tuple[Card, ...] | None:
        """16.1: the cards of a hand, or None if a screen must not show them."""
        if seat == self.seat or self.table.options.open_money:
            return self.table.players[seat].hand()
        return None

    def hand_size(self, seat: int) -> int:
        """How many cards a hand has, which everybody can see."""
        return len(self.table.players[seat].hand())

    def bonus(self, seat: int) -> tuple[Tile | None, ...]:
        """16.2: the unrevealed bonus cards of a seat, None for each that is hidden."""
        return self.table.players[seat].bonus

    @property
    def legal_actions(self) -> LegalActions:
        """What is offered, if it is this seat's decision."""
        return self.table.legal_actions

    def sample(self, rng: Rng) -> State:
        """A whole state that fits what the seat sees: hidden bonus cards are dealt anew."""
        return resample(self.table, self.seat, rng)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.seat == other.seat and self.table.key() == other.table.key()

    def __hash__(self) -> int:
        return hash((self.seat, self.table.n))

    def _repr_svg_(self) -> str | None:
        return pictures.svg_of(self)


def view_of(state: State, seat: int) -> View:
    """16.2: a copy of the state without the bonus cards that a seat may not see."""
    if not (seat == NOBODY or 0 <= seat < len(state.players)):
        raise ValueError(f"there is no seat {seat} in this game (2.1)")
    table = state.copy()
    for other, player in enumerate(table.players):
        if other != seat and player.bonus:
            player.bonus = _known(player)
    return View(seat, table)


def _known(player: Player) -> tuple[Tile | None, ...]:
    """13.3: those bonus cards of a hand that everybody has seen; None for the others."""
    return sorted_cards([card if card in player.seen_bonus else None for card in player.bonus])


def resample(state: State, seat: int, rng: Rng) -> State:
    """16.2: a copy in which the bonus cards that a seat cannot know are dealt anew from those that it has not seen."""
    sampled = view_of(state, seat).table
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
