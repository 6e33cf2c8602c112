"""Games of the daily deal, played as at a table, without one."""

from __future__ import annotations

from collections.abc import Callable

from granada.bots.greedy import GreedyBot
from granada.daily.check import bot_action
from granada.daily.deal import SEAT, DailyDeal
from granada.records.record import Record
from granada.records.shuffle import COMMITMENT, FIXED, ORDER, SEED, FixedOrder
from granada.rules.setup import new_game
from granada.rules.state import Action, State

Player = Callable[[State], Action]


def greedy(state: State) -> Action:
    """Play like a greedy bot."""
    return GreedyBot(state.n).choose(state.view(state.seat, remembers=True), state.offers())


def played(deal: DailyDeal, person: Player = greedy, bot: Player | None = None, name: str = "Ana") -> Record:
    """Return the record of a whole game; `bot` plays instead of the bots of the deal."""
    names = [name, *[f"Bot {seat}" for seat in range(len(deal.bots))]]
    record = Record(deal.options, names, {COMMITMENT: deal.commitment, SEED: deal.seed, ORDER: FIXED})
    state = new_game(deal.options, FixedOrder(deal.seed))
    record.add(state.events)
    while not state.is_over:
        if state.seat == SEAT:
            action = person(state)
        elif bot is not None:
            action = bot(state)
        else:
            action = bot_action(deal.bots[state.seat - 1], deal.seed, state)
        record.add(state.play(action, FixedOrder(deal.seed)))
    return record
