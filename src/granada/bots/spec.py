"""Specs of bots: `novice`, `search:0.5s`, `search:400n`, `strongest:2s:4c`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from granada.bots.budget import Budget
from granada.rules.errors import BadOptions

#: The upper limits of budgets.
MOST_SECONDS = 3600.0
_MOST_CORES = 256


@dataclass(frozen=True)
class Spec:
    """The name of a bot and its limits for a decision."""

    name: str
    seconds: float | None = None
    nodes: int | None = None
    cores: int = 1

    @staticmethod
    def parse(text: str) -> Spec:
        """Read a spec; BadOptions says what is wrong.

        >>> Spec.parse("search:0.5s:2c")
        Spec(name='search', seconds=0.5, nodes=None, cores=2)
        """
        name, *parts = text.strip().split(":")
        seconds: float | None = None
        nodes: int | None = None
        cores = 1
        for part in parts:
            if re.fullmatch(r"\d{1,4}(\.\d+)?s", part) and 0 < float(part[:-1]) <= MOST_SECONDS:
                seconds = float(part[:-1])
            elif re.fullmatch(r"[1-9]\d{0,8}n", part):
                nodes = int(part[:-1])
            elif re.fullmatch(r"[1-9]\d{0,2}c", part) and int(part[:-1]) <= _MOST_CORES:
                cores = int(part[:-1])
            else:
                raise BadOptions(
                    f"'{part}' in '{text}' is not a budget: use seconds (0.5s), nodes (400n) or cores (2c)"
                )
        return Spec(name, seconds, nodes, cores)

    def budget(self) -> Budget:
        """Return a new budget for one bot."""
        return Budget(self.seconds, self.nodes, self.cores)
