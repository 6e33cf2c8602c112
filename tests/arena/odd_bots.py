"""Bots that misbehave in different ways; tournaments load them from this file."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

from granada.bots import Bot
from granada.bots.budget import Budget
from granada.rules.acting import Buy
from granada.rules.money import MONEY
from granada.rules.rebuilding import Remove
from granada.rules.state import Action
from granada.rules.view import View


class ThrowerBot(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        raise KeyError("nowhere")


class CheatBot(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        print("nobody will see it")
        return Remove(0)


class SpenderBot(Bot):
    """Overpays with all its money of a currency where it can."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        table = view.table
        for tile in [tile for tile in table.yard if tile is not None]:
            currency = table.space_of(table.slot_of(tile))
            hand = [
                card for card in table.players[view.seat].hand() if card.sort == MONEY and card.currency == currency
            ]
            action = Buy(tile, tuple(hand))
            if hand and table.is_legal(action) and action not in actions:
                return action
        return actions[0]


class LeaverBot(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        sys.exit("enough")


class InterrupterBot(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        raise KeyboardInterrupt


class QuitterBot(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        os._exit(3)


class SpinnerBot(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        while True:
            pass


class UnmadeBot(Bot):
    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        raise OSError("my table of openings is missing")

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return actions[0]


class SlowBot(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        time.sleep(0.02)
        return self.pick(actions)
