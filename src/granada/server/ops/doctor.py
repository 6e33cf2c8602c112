"""`granada doctor`: check an installation, and say what to do about each problem."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import shutil
import socket
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal

from sqlalchemy.engine import URL

from granada import Luck, Options, Record, is_compiled, new_game, replay
from granada.drawing import paint
from granada.rules.components import load
from granada.rules.errors import BadOptions
from granada.rules.options import EDITIONS
from granada.server.ops.settings import Settings

Level = Literal["ok", "warn", "FAIL"]
#: The result of a check: its level and a sentence.
Found = tuple[Level, str]
Check = Callable[[Settings], Found]

OLDEST: Final = (3, 11)
NEWEST: Final = (3, 14)
#: What the server extra installs: the names of the modules and of the packages.
PACKAGES: Final = {
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

#: The first with all that the store writes.
OLDEST_SQLITE: Final = (3, 35)
#: Bytes: below the first a few busy evenings fill the disk, below the second one does.
SCARCE, TOO_LITTLE = 1_000_000_000, 100_000_000
#: So many seconds a database may take to answer.
PATIENCE: Final = 10.0
#: 2026-01-01 and 2100-01-01: the program is not older, and no certificate will be that young.
_FIRST, _LAST = 1_767_225_600, 4_102_444_800


@dataclass(frozen=True)
class Finding:
    """The result of a check, with its name."""

    what: str
    level: Level
    says: str


def examine(settings: Settings) -> Iterator[Finding]:
    """Run every check; one that breaks has failed."""
    for what, check in CHECKS.items():
        try:
            level, says = check(settings)
        except Exception as error:
            level, says = "FAIL", f"{type(error).__name__}: {error}"
        yield Finding(what, level, says)


# The program itself


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
            return "FAIL", f"there is no picture of {tile}; reinstall Granada"
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
            return "FAIL", f"a game of {edition} differs when it is replayed; reinstall Granada"
        decisions += state.n
    return "ok", f"{', '.join(EDITIONS)}: {decisions} actions played and replayed"


# The machine that it runs on


def settings_fit(settings: Settings) -> Found:
    """Whether the settings go together."""
    try:
        settings.check()
    except BadOptions as error:
        return "FAIL", str(error)
    if settings.public_url.startswith("https:") and not settings.trusted_proxies:
        return (
            "warn",
            "GRANADA_TRUSTED_PROXIES is 0, but https needs a proxy: set it to 1, or all visitors share one limit",
        )
    return "ok", f"{settings.workers} worker{'s' * (settings.workers != 1)}, {_shown(settings.url())}"


def folder(settings: Settings) -> Found:
    """Whether the data can be written, and for how long."""
    wanted = _folder(settings)
    place = _existing(wanted)
    if not os.access(place, os.W_OK | os.X_OK):
        return "FAIL", f"{place} cannot be written; give it to the user of the server, or set GRANADA_DATA_DIR"
    free = shutil.disk_usage(place).free
    says = f"{wanted}{'' if place == wanted else ' (will be made)'}, {free / 1e9:.1f} GB free"
    if free < TOO_LITTLE:
        return "FAIL", f"{says}; make room, the server would soon not be able to write"
    if free < SCARCE:
        return "warn", f"{says}; make room soon"
    return "ok", says


def sqlite(settings: Settings) -> Found:
    """Whether SQLite is new enough, and its write-ahead log works in the folder (not on some network drives)."""
    says = sqlite3.sqlite_version
    if not settings.is_embedded():
        return "ok", f"{says}, not used"
    if sqlite3.sqlite_version_info[:2] < OLDEST_SQLITE:
        return "FAIL", f"{says}; Granada needs 3.35 or newer: use a newer Python, or PostgreSQL"
    place = _existing(_folder(settings))
    with tempfile.TemporaryDirectory(prefix="granada-doctor-", dir=place) as probe:
        connection = sqlite3.connect(Path(probe) / "probe.sqlite")
        try:
            (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
            connection.execute("CREATE TABLE probe (n INTEGER)")
            connection.commit()
        finally:
            connection.close()
    if mode != "wal":
        return "FAIL", f"{says}, but no write-ahead log in {place}; use a folder on a local disk, or PostgreSQL"
    return "ok", f"{says}, write-ahead log works"


def database(settings: Settings) -> Found:
    """Whether the database answers, and has the version that this program needs."""
    url = settings.url()
    if settings.is_embedded() and (not url.database or not Path(url.database).exists()):
        return "ok", f"{_shown(url)} will be made when the server starts"
    try:
        current, newest = schema_versions(url)
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        return "FAIL", f"{_shown(url)} does not answer ({reason}); is it running, and are name and password right?"
    if current == newest:
        return "ok", f"{_shown(url)}, version {current}"
    if current is None:
        return "ok", f"{_shown(url)} is empty and will be set up when the server starts"
    if newest is None or current > newest:
        return (
            "FAIL",
            f"{_shown(url)} has version {current}, which is newer than this program ({newest}); upgrade Granada",
        )
    return "warn", f"{_shown(url)} has version {current}; back it up, the next start brings it to version {newest}"


def schema_versions(url: URL) -> tuple[str | None, str | None]:
    """The version of the database, None if it is empty, and the one that this program needs."""
    from granada.server.store.migrate import newest_version, schema_version  # where a package is missing, others tell

    return asyncio.run(asyncio.wait_for(schema_version(url), PATIENCE)), newest_version()


def port(settings: Settings) -> Found:
    """Whether the server could listen where it is to."""
    place = f"{settings.host}:{settings.port}"
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as listener:
            if os.name == "posix":  # as the server does; elsewhere it would mean to share the port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return "warn", f"{place} is in use; by Granada itself, or set GRANADA_PORT to another one"
        return "FAIL", f"{place} cannot be listened at ({error.strerror}); set GRANADA_HOST or GRANADA_PORT"
    return "ok", f"{place} is free"


def clock(settings: Settings) -> Found:
    """Whether the clock is that of this time, and agrees with that of the disk; clocks of players depend on it."""
    now = time.time()
    says = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now))
    if not _FIRST <= now <= _LAST:
        return "FAIL", f"{says} cannot be; set the clock of this machine"
    with tempfile.NamedTemporaryFile(prefix="granada-doctor-", dir=_existing(_folder(settings))) as probe:
        apart = abs(os.stat(probe.name).st_mtime - now)
    if apart > 60:
        return "warn", f"{says}, but the disk's clock is {apart:.0f} s off; synchronise both machines"
    return "ok", says


def _folder(settings: Settings) -> Path:
    """The data directory, and that of the embedded database if it is elsewhere."""
    url = settings.url()
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).absolute().parent
    return settings.directory().absolute()


def _existing(path: Path) -> Path:
    """A folder, or the nearest one above it that there is."""
    return next(place for place in (path, *path.parents) if place.is_dir())


def _shown(url: URL) -> str:
    """The address of a database without its password."""
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


CHECKS: Final[dict[str, Check]] = {
    "Python": python,
    "rules": rules,
    "packages": packages,
    "data": data,
    "games": games,
    "settings": settings_fit,
    "folder": folder,
    "SQLite": sqlite,
    "database": database,
    "port": port,
    "clock": clock,
}
