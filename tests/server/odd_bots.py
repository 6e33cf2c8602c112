"""Misbehaving bots for tests of the pool; those that never answer first create the file named by the seed."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from granada.bots import Advice, Bot
from granada.bots.budget import Budget
from granada.rules.rebuilding import Remove
from granada.rules.state import Action
from granada.rules.view import View


class Sleeper(Bot):
    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        super().__init__(seed, budget)
        self.started = Path(str(seed))

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        self.started.touch()
        time.sleep(600)
        return actions[0]


class Spinner(Sleeper):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        self.started.touch()
        while True:
            pass


class Hermit(Sleeper):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        os.closerange(3, 100)
        return super().choose(view, actions)


class Quitter(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        os._exit(3)


class Leaver(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        sys.exit("enough")


class Thrower(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        raise KeyError("nowhere")


class Cheat(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return Remove(0)


class Chatterer(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        print("what shall I do?", sys.stdin.read(), flush=True)
        os.write(1, b"\0\0\0\1hm")
        return self.pick(actions)


class Snooper(Bot):
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        names = sorted(os.environ)
        raise LookupError(" ".join([name for name in names if "GRANADA" in name.upper() or name == "SOMETHING_ELSE"]))


class Adviser(Bot):
    """Recommends the actions in the order in which they are offered."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return actions[0]

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        return [Advice(one, 10.0 - 2 * i, 0.9 - 0.9 * i / len(actions)) for i, one in enumerate(actions)][:count]


class Braggart(Bot):
    """Recommends an action that is not offered."""

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        return [Advice(actions[0]), Advice(Remove(0))]


class Miser(Bot):
    """Recommends nothing."""

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        return []


class Boundless(Bot):
    """Returns figures that JSON cannot represent."""

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        return [Advice(actions[0], float("inf"), float("nan"))]


class Echo(Bot):
    """Reports its limits."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        raise LookupError(f"{self.budget.seconds} s, {self.budget.nodes} nodes")


BOTS: dict[str, type[Bot]] = {
    "sleeper": Sleeper,
    "spinner": Spinner,
    "hermit": Hermit,
    "quitter": Quitter,
    "leaver": Leaver,
    "thrower": Thrower,
    "cheat": Cheat,
    "chatterer": Chatterer,
    "snooper": Snooper,
    "adviser": Adviser,
    "braggart": Braggart,
    "miser": Miser,
    "boundless": Boundless,
    "echo": Echo,
}
