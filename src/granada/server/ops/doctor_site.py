"""What the doctor checks of the place where the server runs."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import socket
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy.engine import URL

from granada.rules.errors import BadOptions
from granada.server.ops.settings import Settings

if TYPE_CHECKING:
    from granada.server.ops.doctor import Found

#: The first with all that the store writes.
OLDEST_SQLITE: Final = (3, 35)
#: Bytes: below the first a few busy evenings fill the disk, below the second one does.
SCARCE, TOO_LITTLE = 1_000_000_000, 100_000_000
#: So many seconds a database may take to answer.
PATIENCE: Final = 10.0
#: 2026-01-01 and 2100-01-01: the program is not older, and no certificate will be that young.
_FIRST, _LAST = 1_767_225_600, 4_102_444_800


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
