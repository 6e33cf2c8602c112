"""`granada doctor`: checks of an installation, each with advice if it fails."""

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
#: The result of a check: its level and a message.
Result = tuple[Level, str]
Check = Callable[[Settings], Result]

OLDEST: Final = (3, 11)
NEWEST: Final = (3, 14)
#: The packages of the `server` extra, by module name.
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
#: Turns of a test game: enough for scorings, and quick.
_TURNS: Final = 120

#: The oldest SQLite version that has the SQL features we use.
OLDEST_SQLITE: Final = (3, 35)
#: Free bytes below which there is a warning or a failure: a few busy evenings, or one, would fill the disk.
LOW_SPACE, NO_SPACE = 1_000_000_000, 100_000_000
#: Seconds to wait for a database.
DATABASE_TIMEOUT: Final = 10.0
#: 2026-01-01 and 2100-01-01: a clock outside of this range is wrong.
_EARLIEST, _LATEST = 1_767_225_600, 4_102_444_800


@dataclass(frozen=True)
class Finding:
    """The result of a check, with its name."""

    check: str
    level: Level
    message: str


def examine(settings: Settings) -> Iterator[Finding]:
    """Run every check; a check that raises an exception has failed."""
    for name, check in CHECKS.items():
        try:
            level, message = check(settings)
        except Exception as error:
            level, message = "FAIL", f"{type(error).__name__}: {error}"
        yield Finding(name, level, message)


# The installation


def python(_: Settings) -> Result:
    """Check that Granada supports this version of Python."""
    here = sys.version.split()[0]
    if OLDEST <= sys.version_info[:2] <= NEWEST:
        return "ok", here
    return "FAIL", f"{here}; install Granada with Python {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}"


def rules(_: Settings) -> Result:
    """Check that the rules are compiled."""
    if is_compiled():
        return "ok", "compiled"
    return (
        "warn",
        "interpreted, so bots are slower; install a C compiler, then reinstall Granada (not as an editable install)",
    )


def packages(_: Settings) -> Result:
    """Check that all packages of the server can be imported."""
    missing = []
    for module in PACKAGES:
        try:
            import_module(module)
        except ImportError:
            missing.append(PACKAGES[module])
    if missing:
        return "FAIL", f"{', '.join(missing)} cannot be imported; run: pip install 'granada[server]'"
    return "ok", ", ".join([f"{package} {version(package)}" for package in PACKAGES.values()])


def data(_: Settings) -> Result:
    """Check the lists of components (`load` validates them) and the pictures."""
    components = load()
    for tile in (components.alhambra[0], components.granada[0], components.huts[0]):
        if "<svg" not in paint(tile):
            return "FAIL", f"there is no picture of {tile}; reinstall Granada"
    counts = f"{len(components.alhambra)} Alhambra tiles, {len(components.granada)} Granada tiles"
    return "ok", f"{counts}, {len(components.huts)} huts, pictures"


def games(_: Settings) -> Result:
    """Check that a random game of each edition can be played and replayed."""
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


# The settings and the machine


def settings_fit(settings: Settings) -> Result:
    """Check that the settings do not conflict."""
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


def folder(settings: Settings) -> Result:
    """Check that the data folder is writable and has enough space."""
    wanted = _folder(settings)
    place = _existing(wanted)
    if not os.access(place, os.W_OK | os.X_OK):
        return "FAIL", f"{place} is not writable; change its owner to the user of the server, or set GRANADA_DATA_DIR"
    free = shutil.disk_usage(place).free
    summary = f"{wanted}{'' if place == wanted else ' (will be created)'}, {free / 1e9:.1f} GB free"
    if free < NO_SPACE:
        return "FAIL", f"{summary}; free some space, or the server will soon be unable to write"
    if free < LOW_SPACE:
        return "warn", f"{summary}; free some space soon"
    return "ok", summary


def sqlite(settings: Settings) -> Result:
    """Check the version of SQLite, and that its write-ahead log works in the folder (some network drives fail)."""
    summary = sqlite3.sqlite_version
    if not settings.is_embedded():
        return "ok", f"{summary}, not used"
    if sqlite3.sqlite_version_info[:2] < OLDEST_SQLITE:
        return "FAIL", f"{summary}; Granada needs 3.35 or newer: use a newer Python, or PostgreSQL"
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
        return (
            "FAIL",
            f"{summary}, but its write-ahead log does not work in {place}; use a folder on a local disk, or PostgreSQL",
        )
    return "ok", f"{summary}, write-ahead log works"


def database(settings: Settings) -> Result:
    """Check that the database answers and has the right version."""
    url = settings.url()
    if settings.is_embedded() and (not url.database or not Path(url.database).exists()):
        return "ok", f"{_shown(url)} will be created when the server starts"
    try:
        current, newest = schema_versions(url)
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        return (
            "FAIL",
            f"{_shown(url)} does not answer ({reason}); check that it is running, and the user name and password",
        )
    if current == newest:
        return "ok", f"{_shown(url)}, version {current}"
    if current is None:
        return "ok", f"{_shown(url)} is empty and will be set up when the server starts"
    if newest is None or current > newest:
        return (
            "FAIL",
            f"{_shown(url)} has version {current}, which is newer than this program ({newest}); upgrade Granada",
        )
    return (
        "warn",
        f"{_shown(url)} has version {current}; back it up, the next start will migrate it to version {newest}",
    )


def schema_versions(url: URL) -> tuple[str | None, str | None]:
    """Return the version of the database (None if it is empty), and that of this program."""
    from granada.server.store.migrate import newest_version, schema_version  # the check `packages` reports missing ones

    return asyncio.run(asyncio.wait_for(schema_version(url), DATABASE_TIMEOUT)), newest_version()


def port(settings: Settings) -> Result:
    """Check that the server can listen on its port."""
    place = f"{settings.host}:{settings.port}"
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as listener:
            if os.name == "posix":  # as the server does; on Windows it would share the port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return "warn", f"{place} is in use; if not by Granada itself, set GRANADA_PORT to another port"
        return "FAIL", f"the server cannot listen on {place} ({error.strerror}); set GRANADA_HOST or GRANADA_PORT"
    return "ok", f"{place} is free"


def clock(settings: Settings) -> Result:
    """Check that the clock is plausible and agrees with that of the disk; players' clocks depend on it."""
    now = time.time()
    summary = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now))
    if not _EARLIEST <= now <= _LATEST:
        return "FAIL", f"{summary} is wrong; set the clock of this machine"
    with tempfile.NamedTemporaryFile(prefix="granada-doctor-", dir=_existing(_folder(settings))) as probe:
        apart = abs(os.stat(probe.name).st_mtime - now)
    if apart > 60:
        return "warn", f"{summary}, but the disk's clock is {apart:.0f} s off; synchronise both machines"
    return "ok", summary


def _folder(settings: Settings) -> Path:
    """Return the folder of the embedded database, or the data directory."""
    url = settings.url()
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).absolute().parent
    return settings.directory().absolute()


def _existing(path: Path) -> Path:
    """Return a folder, or its nearest existing parent."""
    return next(place for place in (path, *path.parents) if place.is_dir())


def _shown(url: URL) -> str:
    """Return the address of a database without its password."""
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
