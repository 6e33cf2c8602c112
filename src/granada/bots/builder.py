"""The best level that decides at once: quick judgement, and a short look at what comes of the best few actions."""

from __future__ import annotations

from typing import ClassVar, Final

from granada.bots.budget import Budget
from granada.bots.search import SearchBot

#: So many looks ahead a decision, whatever budget it gets.
_NODES: Final = 12


class BuilderBot(SearchBot):
    """Weighs purchases, majorities, walls and the money for the next tile, and plays the best three some turns on."""

    width: ClassVar[int] = 3

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        super().__init__(seed, Budget(nodes=_NODES))
