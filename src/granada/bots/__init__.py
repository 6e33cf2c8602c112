"""Bots: players that choose among the offered actions from what their seat may see, never from the state.

May import: rules, records, drawing, engine. Start reading: `bot.py` (the interface), then `search.py`.
"""

from __future__ import annotations

from typing import Final

from granada.bots.bot import Advice, Bot
from granada.bots.builder import BuilderBot
from granada.bots.greedy import GreedyBot
from granada.bots.novice import NoviceBot
from granada.bots.personalities import CourtierBot, MasonBot
from granada.bots.random_bot import RandomBot
from granada.bots.search import SearchBot
from granada.bots.spec import Spec
from granada.bots.strongest import StrongestBot
from granada.rules.errors import BadOptions

__all__ = ["BOTS", "LEVELS", "PERSONALITIES", "Advice", "Bot", "GreedyBot", "RandomBot", "check_bot", "make_bot"]

#: The levels from the weakest to the strongest; each beats the one before it.
LEVELS: Final = ("random", "novice", "greedy", "builder", "search", "strongest")
#: Bots with their own style, for variety.
PERSONALITIES: Final = ("mason", "courtier")
#: All bots by name; third-party bots are added to them (`granada.bots.external.plugins`).
BOTS: Final[dict[str, type[Bot]]] = {
    "random": RandomBot,
    "novice": NoviceBot,
    "greedy": GreedyBot,
    "builder": BuilderBot,
    "search": SearchBot,
    "strongest": StrongestBot,
    "mason": MasonBot,
    "courtier": CourtierBot,
}


def check_bot(spec: str) -> None:
    """Raise BadOptions, with a list of all bots, if there is no such bot."""
    name = Spec.parse(spec).name
    if name not in BOTS:
        raise BadOptions(f"the bot '{name}' is none of {', '.join(BOTS)}")


def make_bot(spec: str, seed: int | str) -> Bot:
    """Return the bot of a spec (a name, optionally with a budget: `search:0.5s`); its seed decides its choices."""
    check_bot(spec)
    parsed = Spec.parse(spec)
    return BOTS[parsed.name](seed, parsed.budget())
