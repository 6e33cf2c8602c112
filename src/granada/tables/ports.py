"""What tables need from outside, as protocols: a server, a test or a browser page provides it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol, TypeVar

from granada.bots.analysis import Analysis
from granada.tables.bot_jobs import AnalysisJob
from granada.tables.entries import Entry
from granada.tables.fair_queue import Owner
from granada.tables.requests import Idea

T = TypeVar("T")


class Unavailable(Exception):
    """The store cannot be reached: nothing was stored, or it is not known whether it was."""


class BotFailed(Exception):
    """A bot crashed, was too slow, or chose an action that the rules forbid; the reason is for the log."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    @property
    def loggable(self) -> str:
        """The part that may be logged: the words of an error, or an action, could name what is hidden (16)."""
        if self.reason.startswith("BotError: "):  # it names the bot and the place; then come its own words
            return re.sub(r"( failed: \w+| chose| complains).*", r"\1", self.reason)
        return self.reason.partition(": ")[0]


@dataclass(frozen=True)
class Listing:
    """A table in the list of public tables."""

    id: str
    phase: str
    is_public: bool
    created_at: int
    text: str


class Store(Protocol):
    """Durable entries of tables. Every method may raise Unavailable."""

    @property
    def is_embedded(self) -> bool:
        """Whether no other process uses the store."""

    @property
    def worker(self) -> str:
        """The name of this process among those that share the store."""

    async def append(self, entry: Entry, listing: Listing | None = None) -> bool:
        """Store an entry durably; False if its version, or its command, is stored already."""

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """The entries of a table after a version, in order."""

    async def newest_version(self, table: str) -> int:
        """The newest version of a table that any process has stored."""

    async def has_command(self, table: str, command: str) -> bool:
        """Whether a command is stored already."""

    async def listings(self, limit: int) -> list[Listing]:
        """The newest public tables, at most `limit`."""

    async def playing(self) -> list[str]:
        """The ids of all tables with a running game."""

    async def broadcast(self, messages: Sequence[str]) -> None:
        """Send messages to the other processes without storing them."""

    async def last_changes(self) -> dict[str, int]:
        """The time (ms) of the last entry, by table."""

    async def remove(self, table: str, before: int) -> bool:
        """Remove a table unless it has an entry at or after a time."""

    async def remove_unused(self, before: int) -> int:
        """Remove programs that were last used before a time; returns how many."""

    async def note_day(self, day: int, at: int) -> None:
        """Note that the server ran on a day."""

    async def service_days(self) -> list[int]:
        """A time of each day on which the server ran."""


class BotRunner(Protocol):
    """Runs bots outside the event loop. Every method raises BotFailed if there is no valid answer in time."""

    async def choose(self, record: str, level: str, seed: str, owner: Owner = ...) -> str:
        """The action for the seat that decides at the end of a record."""

    async def advise(self, record: str, level: str, seed: str, count: int, owner: Owner = ...) -> list[Idea]:
        """The best actions for that seat, at most `count`, the best first."""

    async def review(self, work: AnalysisJob, progress: Callable[[float], None]) -> Analysis:
        """The analysis of a finished game; `progress` gets the part that is done, from 0 to 1."""


class Notifier(Protocol):
    """Messages between the processes that share a store, and which of them runs a table's bots and clocks."""

    async def run(self) -> None:
        """Receive messages until cancelled."""

    async def claim(self, table: str) -> bool:
        """Whether this process runs a table; it does from now on if no other process does."""

    async def release_all_but(self, tables: Collection[str]) -> None:
        """Let other processes run all tables except these."""


class Background(Protocol):
    """Runs long work without blocking the event loop."""

    async def do(self, address: str | None, work: Callable[[], T]) -> T:
        """The result of the work; addresses share the time fairly. None: the server's own work."""


class RunInline:
    """Runs work at once, where there are no threads."""

    async def do(self, address: str | None, work: Callable[[], T]) -> T:
        """The result of the work."""
        return work()


class Metrics(Protocol):
    """What is counted and measured."""

    def action_played(self, by: str) -> None:
        """A person, a bot or a program has played an action."""

    def error_sent(self, code: str) -> None:
        """A request or a command was answered with an error."""

    def command_done(self, seconds: float) -> None:
        """A command was executed, this long after it arrived."""

    def tables_in_memory(self, count: int) -> None:
        """The number of tables in memory has changed."""

    def entry_stored(self) -> None:
        """An entry was stored."""

    def database_failed(self) -> None:
        """The database did not answer."""

    def bot_failed(self, level: str) -> None:
        """A bot gave no valid answer in time."""

    def time_commit(self) -> AbstractContextManager[object]:
        """Measures how long storing an entry takes."""

    def time_bot(self, level: str) -> AbstractContextManager[object]:
        """Measures how long a bot thinks."""


class NoMetrics:
    """Measures nothing."""

    def action_played(self, by: str) -> None:
        """Ignored."""

    def error_sent(self, code: str) -> None:
        """Ignored."""

    def command_done(self, seconds: float) -> None:
        """Ignored."""

    def tables_in_memory(self, count: int) -> None:
        """Ignored."""

    def entry_stored(self) -> None:
        """Ignored."""

    def database_failed(self) -> None:
        """Ignored."""

    def bot_failed(self, level: str) -> None:
        """Ignored."""

    def time_commit(self) -> AbstractContextManager[object]:
        """Ignored."""
        return nullcontext()

    def time_bot(self, level: str) -> AbstractContextManager[object]:
        """Ignored."""
        return nullcontext()
