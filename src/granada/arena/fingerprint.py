"""A hash of what our bots choose in fixed positions with a fixed number of nodes, to notice when their play changes."""

from __future__ import annotations

import ast
import random
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from granada.arena.tournament import Tournament
from granada.bots import BOTS, LEVELS, PERSONALITIES, make_bot
from granada.bots.spec import Spec
from granada.records.luck import Luck
from granada.records.notation import action_text
from granada.rules.errors import BadOptions
from granada.rules.options import EDITIONS, Options
from granada.rules.setup import new_game
from granada.rules.state import State

#: Positions for each edition, and nodes for each decision.
_POSITIONS: Final = 5
_NODES: Final = 24
#: Random decisions between two positions.
_APART: Final = 23
_MODULES: Final = {"alhambra": ("bonus", "huts"), "granada": ("vizier",), "combined": ("vizier", "exchange")}


def fingerprint(tournament: Tournament) -> str:
    """Return a hash of the bots of a tournament: of their choices or, for bots from files, of their code.

    Bots from files are not run, because they may take any time.
    """
    found = sha256()
    for name in sorted({Spec.parse(player).name for player in tournament.players}):
        found.update(f"{name} {_behaviour(name)}\n".encode())
    for path in tournament.bot_files:
        found.update(f"{Path(path).name} {_code(Path(path))}\n".encode())
    return found.hexdigest()[:16]


@cache
def _behaviour(name: str) -> str:
    """Return a hash of what one of our bots chooses; empty for third-party bots and for a bot that cannot run here."""
    if name not in (*LEVELS, *PERSONALITIES):
        return ""
    try:
        BOTS[name].check_needs()
    except BadOptions:
        return ""
    chosen: list[str] = []
    for number, state in enumerate(_positions()):
        bot = make_bot(f"{name}:{_NODES}n", f"fingerprint {number}")
        chosen.append(action_text(bot.choose(state.view(state.seat, remembers=True), state.offers())))
    return sha256("\n".join(chosen).encode()).hexdigest()


@cache
def _positions() -> tuple[State, ...]:
    """Return positions that depend only on the rules."""
    found: list[State] = []
    for edition in EDITIONS:
        chance = Luck(random.Random(f"fingerprint {edition}"))
        state = new_game(Options(edition, 3, _MODULES[edition]), chance)
        played, wanted = 0, len(found) + _POSITIONS
        while not state.is_over and len(found) < wanted:
            offers = state.offers()
            if len(offers) > 1 and played >= _APART:
                found.append(state.copy())
                played = 0
            state.play(offers[chance.below(len(offers))], chance)
            played += 1
    return tuple(found)


def _code(path: Path) -> str:
    """Return the code of a file without comments and layout, or its bytes if it is not valid Python."""
    try:
        text = path.read_text("utf-8")
        return ast.unparse(ast.parse(text))
    except (SyntaxError, ValueError):
        return path.read_bytes().hex()
    except OSError:
        return ""
