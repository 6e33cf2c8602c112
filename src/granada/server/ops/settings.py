"""The settings of a server: arguments of `granada serve`, or the environment (`GRANADA_PORT=9000`)."""

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

PREFIX: Final = "GRANADA_"
#: So many seconds a bot needs at least to look at anything.
LEAST_THINKING: Final = 0.01
#: It may take so many times what it was given, and so many seconds before and after, until it is given up.
THINKING_LATE: Final = 1.2
BESIDE_THINKING: Final = 1.0
#: The drivers that the databases are reached with.
_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


@dataclass(frozen=True)
class Settings:
    """Everything that can be set; each field is also a variable of the environment, in capitals behind GRANADA_."""

    #: sqlite:///file or postgresql://user:password@host/name; nothing: a file in the data directory.
    database: str = ""
    host: str = "127.0.0.1"
    port: int = 8642
    workers: int = 1
    data_dir: str = ""
    #: The address by which browsers reach the server, if a proxy stands before it.
    public_url: str = ""
    #: How many proxies before the server are trusted to name the client's address.
    trusted_proxies: int = 0
    bot_processes: int = 1
    #: How many seconds a bot that can think long thinks, after how many any bot is given up, and how long one waits
    #: before it acts, so that people can follow.
    bot_think: float = 1.0
    #: If set, such a bot looks at no more positions than this, so that it chooses the same again.
    bot_nodes: int = 0
    bot_seconds: float = 20.0
    bot_pause: float = 0.5
    #: Python files with bots of others (docs/bots.md), separated like the folders of PATH.
    bot_files: str = ""
    #: Tables that nobody touched for so many days are removed; 0 keeps all.
    keep_days: int = 90
    #: 1: sockets compress what they send to clients that ask for it, as all browsers do (docs/load.md).
    compression: int = 0
    #: Requests a second from one address; 0 sets no limit.
    rate: float = 50.0
    #: Commands a second over all sockets of one address; 0 sets no limit.
    commands: float = 100.0
    #: Open sockets and streams of one address, of players and as many again of spectators; 0 sets no limit.
    sockets: int = 100
    #: New tables, records and programs a minute from one address; 0 sets no limit.
    creations: float = 60.0
    log: str = ""
    #: If set, /metrics asks for it as a bearer token.
    metrics_token: str = ""

    def url(self) -> URL:
        """The database with its driver; BadOptions says what is wrong with it."""
        if not self.database:
            return URL.create("sqlite+aiosqlite", database=str(self.directory() / "granada.sqlite"))
        try:
            url = make_url(self.database)
        except ArgumentError:
            raise BadOptions("the database is no address like sqlite:///file or postgresql://user@host/name") from None
        name = url.drivername.partition("+")[0]
        if name not in _DRIVERS:
            raise BadOptions(f"the database '{name}' is neither sqlite nor postgresql")
        return url.set(drivername=_DRIVERS[name])

    def directory(self) -> Path:
        """Where the embedded database lies."""
        return Path(self.data_dir) if self.data_dir else Path(platformdirs.user_data_dir("granada", appauthor=False))

    def is_embedded(self) -> bool:
        """Whether the database is a file of one process."""
        return self.url().get_backend_name() == "sqlite"

    def check(self) -> None:
        """Raise BadOptions if the settings do not fit together, or the bots of others cannot be loaded."""
        load_bots(self.bot_paths())
        if self.is_embedded() and self.workers > 1:
            raise BadOptions("several workers need a PostgreSQL database: the embedded one belongs to one process")
        longest = min(MOST_SECONDS, (self.bot_seconds - BESIDE_THINKING) / THINKING_LATE)
        if not LEAST_THINKING <= self.bot_think <= longest:
            raise BadOptions(
                f"bots are to think for {self.bot_think:g} s, which is not between {LEAST_THINKING:g} and"
                f" {longest:g} s: they are given up after {self.bot_seconds:g} s, and also need time to start"
            )

    def bot_paths(self) -> list[str]:
        """The files with bots of others, wherever a process runs."""
        return [str(Path(name).resolve()) for name in self.bot_files.split(os.pathsep) if name]

    def environment(self) -> dict[str, str]:
        """The settings as variables, for processes that are started with them."""
        return {PREFIX + field.name.upper(): str(getattr(self, field.name)) for field in fields(self)}


def settings_from(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of the environment; BadOptions names a variable that cannot be read."""
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
        raise BadOptions(f"{PREFIX}{name.upper()} is '{text}', which is no number from 0 on")
    return value
