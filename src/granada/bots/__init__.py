"""Bots: players that choose among the offered actions from what their seat may see, never from the state."""

from __future__ import annotations

from typing import Final

from granada.bots.bot import Bot
from granada.bots.greedy import GreedyBot
from granada.bots.random_bot import RandomBot
from granada.rules.errors import BadOptions

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "check_bot", "make_bot"]

#: The bots by the names under which they are asked for.
BOTS: Final[dict[str, type[Bot]]] = {"greedy": GreedyBot, "random": RandomBot}


def check_bot(spec: str) -> None:
    """Raise BadOptions, with the names of those that there are, if there is no such bot."""
    if spec not in BOTS:
        raise BadOptions(f"the bot '{spec}' is none of {', '.join(BOTS)}")


def make_bot(spec: str, seed: int | str) -> Bot:
    """The bot of a name; with the same seed it chooses the same."""
    check_bot(spec)
    return BOTS[spec](seed)
