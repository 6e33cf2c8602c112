"""Server settings: arguments of `granada serve`, or environment variables (`GRANADA_PORT=9000`)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import platformdirs
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from granada.bots.external.plugins import load_bots
from granada.bots.spec import MOST_SECONDS
from granada.rules.errors import BadOptions
from granada.tables.pace import MAX_PAUSE

PREFIX: Final = "GRANADA_"
#: The shortest thinking time in seconds.
MIN_THINK: Final = 0.01
#: The timeout of a bot must be at least this multiple of its thinking time, plus some seconds for starting.
THINK_FACTOR: Final = 1.2
THINK_MARGIN: Final = 1.0
#: The database drivers.
_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


@dataclass(frozen=True)
class Settings:
    """All settings; each field is also an environment variable, in capitals after GRANADA_."""

    #: sqlite:///file or postgresql://user:password@host/name; empty: a file in the data directory.
    database: str = ""
    host: str = "127.0.0.1"
    port: int = 8642
    workers: int = 1
    data_dir: str = ""
    #: The address that browsers use, if there is a proxy in front of the server.
    public_url: str = ""
    #: The number of proxies in front of the server that are trusted to report the client's address.
    trusted_proxies: int = 0
    bot_processes: int = 1
    #: Thinking time in seconds of the strong levels.
    bot_think: float = 1.0
    #: The most positions that such a bot searches, which makes its choices reproducible; 0 sets no limit.
    bot_nodes: int = 0
    #: Seconds after which a bot is stopped.
    bot_seconds: float = 20.0
    #: The most seconds that a bot waits so that people can follow; they choose the speed at the table.
    bot_pause: float = MAX_PAUSE
    #: Python files with third-party bots (docs/bots.md), separated like the folders of PATH.
    bot_files: str = ""
    #: Tables that were not used for this many days are removed; 0 keeps all.
    keep_days: int = 90
    #: 1 compresses socket messages for clients that support it, as all browsers do (docs/load.md).
    compression: int = 0
    #: Requests per second from one address; 0 sets no limit.
    rate: float = 50.0
    #: Commands per second over all sockets of one address; 0 sets no limit.
    commands: float = 100.0
    #: Open sockets and streams of one address, separately for players and for spectators; 0 sets no limit.
    sockets: int = 100
    #: New tables, records and programs per minute from one address; 0 sets no limit.
    creations: float = 60.0
    log: str = ""
    #: If set, /metrics requires it as a bearer token.
    metrics_token: str = ""

    def url(self) -> URL:
        """Return the URL of the database with its driver; BadOptions if it is invalid."""
        if not self.database:
            return URL.create("sqlite+aiosqlite", database=str(self.directory() / "granada.sqlite"))
        try:
            url = make_url(self.database)
        except ArgumentError:
            raise BadOptions(
                "the database must be an address such as sqlite:///file or postgresql://user@host/name"
            ) from None
        name = url.drivername.partition("+")[0]
        if name not in _DRIVERS:
            raise BadOptions(f"the database '{name}' is neither sqlite nor postgresql")
        return url.set(drivername=_DRIVERS[name])

    def directory(self) -> Path:
        """Return the folder of the embedded database."""
        return Path(self.data_dir) if self.data_dir else Path(platformdirs.user_data_dir("granada", appauthor=False))

    def is_embedded(self) -> bool:
        """Whether the database is an SQLite file."""
        return self.url().get_backend_name() == "sqlite"

    def check(self) -> None:
        """Raise BadOptions if the settings conflict, or a third-party bot cannot be loaded."""
        load_bots(self.bot_paths())
        if self.is_embedded() and self.workers > 1:
            raise BadOptions(
                "several workers need a PostgreSQL database; the embedded database supports only one process"
            )
        longest = min(MOST_SECONDS, (self.bot_seconds - THINK_MARGIN) / THINK_FACTOR)
        if not MIN_THINK <= self.bot_think <= longest:
            raise BadOptions(
                f"the thinking time of bots is {self.bot_think:g} s, which is not between {MIN_THINK:g} and"
                f" {longest:g} s: they are stopped after {self.bot_seconds:g} s, and also need time to start"
            )

    def bot_paths(self) -> list[str]:
        """Return the absolute paths of the files with third-party bots."""
        return [str(Path(name).resolve()) for name in self.bot_files.split(os.pathsep) if name]

    def environment(self) -> dict[str, str]:
        """Return the settings as environment variables for worker processes."""
        return {PREFIX + field.name.upper(): str(getattr(self, field.name)) for field in fields(self)}


def settings_from(environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings in the environment; BadOptions names an invalid variable."""
    values = os.environ if environment is None else environment
    found: dict[str, Any] = {}
    for field in fields(Settings):
        text = values.get(PREFIX + field.name.upper(), "").strip()
        if text:
            found[field.name] = _read(field.name, text)
    return Settings(**found)


def _read(name: str, text: str) -> str | int | float:
    kind = type(getattr(Settings(), name))
    if kind is str:
        return text
    try:
        value: int | float = kind(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1_000_000:
        raise BadOptions(f"{PREFIX}{name.upper()} is '{text}', which is not a number from 0 to 1000000")
    return value
