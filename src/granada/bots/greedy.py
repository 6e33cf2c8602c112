"""A simple bot: it buys the tile with the best value, and otherwise takes the most useful money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.bots.advice import with_expectations
from granada.bots.bot import Advice, Bot
from granada.bots.candidates import free_reveal
from granada.bots.tile_value import TileValues
from granada.engine.policy import Weighed, by_worth
from granada.rules.acting import Buy, Take
from granada.rules.huts import TakeHut
from granada.rules.money import EXCHANGE, MONEY, UNIT, Card, payments, total
from granada.rules.placing import Give, Place, Reserve
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.state import Action, State
from granada.rules.view import View
from granada.rules.vizier import UseVizier, Wake

#: Values in points: one unit of money, a card in hand, another action (3.4), an exchange card, an active vizier, a tile
#: in the reserve, and a tile in the yard that the player could pay for, or pay for exactly, next time.
COIN: Final = 0.5
CARD: Final = 0.8
ANOTHER_ACTION: Final = 10.0
EXCHANGE_CARD: Final = 2.0
VIZIER: Final = 1.5
IN_RESERVE: Final = 1.0
PAYABLE: Final = 0.2
PAYABLE_EXACTLY: Final = 1.0
#: The more expensive face is better in the reserve: it breaks ties (7.4).
HIGHER_PRICE: Final = 0.1
#: Built tiles are removed or swapped only if nothing else is possible.
LAST_RESORT: Final = -1000.0


class GreedyBot(Bot):
    """Plays the action with the highest immediate value; ties are broken at random."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        revealed = free_reveal(actions)
        if revealed is not None:
            return revealed
        weighed = _weigh(view, actions)
        most = max([one.worth for one in weighed])
        return self.pick([one.action for one in weighed if one.worth == most])

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        choice = self.choose(view, actions)
        others = [one.action for one in sorted(_weigh(view, actions), key=by_worth) if one.action != choice]
        return with_expectations(view, [choice, *others][:count], self.rng)


def _weigh(view: View, actions: Sequence[Action]) -> list[Weighed]:
    """Return all actions with their values."""
    values = TileValues(view.table, view.seat)
    return [Weighed(action, _worth(action, view.table, view.seat, values)) for action in actions]


def _worth(action: Action, table: State, seat: int, values: TileValues) -> float:
    """Return the value of an action in points."""
    if isinstance(action, Take):
        return _money_worth(action.cards) + _readiness(action.cards, table, seat)
    if isinstance(action, Buy):
        exact = ANOTHER_ACTION if total(action.cards) == action.tile.price else 0.0
        return values.best(action.tile) + exact - _money_worth(action.cards)
    if isinstance(action, UseVizier):
        return values.best(action.tile) - VIZIER - _money_worth(action.cards)
    if isinstance(action, Place):
        return values.place(action.face, action.cell) - _money_worth(action.cards)
    if isinstance(action, Reserve):
        return IN_RESERVE + HIGHER_PRICE * action.face.price
    if isinstance(action, Give):
        return values.give(action.face) - _money_worth(action.cards)
    if isinstance(action, Add):
        return values.place(action.tile, action.cell)
    if isinstance(action, TakeHut):
        hut = table.huts[action.type]
        return values.best(hut) if hut is not None else 0.0
    if isinstance(action, Wake):
        return VIZIER
    if isinstance(action, (Remove, Swap)):
        return LAST_RESORT
    return 0.0  # pass, decline, keep


def _money_worth(cards: tuple[Card, ...]) -> float:
    """Return the value of some cards in hand."""
    exchange = len([card for card in cards if card.sort == EXCHANGE])
    return COIN * total(cards) + CARD * (len(cards) - exchange) + EXCHANGE_CARD * exchange


def _readiness(cards: tuple[Card, ...], table: State, seat: int) -> float:
    """Return the value of being able to pay for the tiles in the yard after taking some cards."""
    purses = list(table.players[seat].purses)
    for card in cards:
        if card.sort == MONEY:
            purses[card.currency] += UNIT[card.value]
    ready = 0.0
    for slot, tile in enumerate(table.yard):
        if tile is not None:
            currency = table.space_of(slot)
            paid = payments(currency, purses[currency], tile.price)
            if paid:
                ready += PAYABLE_EXACTLY if total(paid[0]) == tile.price else PAYABLE
    return ready
