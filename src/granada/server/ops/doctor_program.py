"""What the doctor checks of the program itself."""

from __future__ import annotations

import random
import sys
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from granada import Luck, Options, Record, is_compiled, new_game, replay
from granada.drawing import paint
from granada.rules.components import load
from granada.rules.options import EDITIONS
from granada.server.ops.settings import Settings

if TYPE_CHECKING:
    from granada.server.ops.doctor import Found

OLDEST: Final = (3, 11)
NEWEST: Final = (3, 14)
#: What the server extra installs: the names of the modules and of the packages.
PACKAGES: Final = {
    "fastapi": "fastapi",
    "starlette": "starlette",
    "uvicorn": "uvicorn",
    "websockets": "websockets",
    "msgspec": "msgspec",
    "sqlalchemy": "SQLAlchemy",
    "greenlet": "greenlet",
    "aiosqlite": "aiosqlite",
    "asyncpg": "asyncpg",
    "alembic": "alembic",
    "prometheus_client": "prometheus-client",
    "platformdirs": "platformdirs",
}
#: Enough to meet scorings, and few enough that nobody waits.
_TURNS: Final = 120


def python(_: Settings) -> Found:
    """Whether this is a Python that the package is tested with."""
    here = sys.version.split()[0]
    if OLDEST <= sys.version_info[:2] <= NEWEST:
        return "ok", here
    return "FAIL", f"{here}; install Granada with Python {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}"


def rules(_: Settings) -> Found:
    """Whether the rules run compiled."""
    if is_compiled():
        return "ok", "compiled"
    return "warn", "interpreted, so bots think slower; install Granada where there is a C compiler, not editable"


def packages(_: Settings) -> Found:
    """Whether all that the server needs can be imported."""
    missing = []
    for module in PACKAGES:
        try:
            import_module(module)
        except ImportError:
            missing.append(PACKAGES[module])
    if missing:
        return "FAIL", f"{', '.join(missing)} cannot be imported; run: pip install 'granada[server]'"
    return "ok", ", ".join([f"{package} {version(package)}" for package in PACKAGES.values()])


def data(_: Settings) -> Found:
    """Whether the lists of components are whole (they are checked when they are read), and the pictures there."""
    components = load()
    for tile in (components.alhambra[0], components.granada[0], components.huts[0]):
        if "<svg" not in paint(tile):
            return "FAIL", f"there is no picture of {tile}; install Granada anew"
    counts = f"{len(components.alhambra)} Alhambra tiles, {len(components.granada)} Granada tiles"
    return "ok", f"{counts}, {len(components.huts)} huts, pictures"


def games(_: Settings) -> Found:
    """Whether a random game of each edition can be played and replayed."""
    decisions = 0
    for edition in EDITIONS:
        options = Options(edition, 3, ("vizier", "exchange"))
        luck = Luck(random.Random("doctor"))
        state = new_game(options, luck)
        record = Record(options)
        record.add(state.events)
        while not state.is_over and state.turns <= _TURNS:
            actions = state.offers()
            record.add(state.play(actions[luck.below(len(actions))], luck))
        if replay(str(record), partial=not state.is_over).state.key() != state.key():
            return "FAIL", f"a game of {edition} is another one when it is replayed; install Granada anew"
        decisions += state.n
    return "ok", f"{', '.join(EDITIONS)}: {decisions} actions played and replayed"
