"""Protocols for what tables need from outside; a server, a test or a browser page implements them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol, TypeVar

from granada.bots.analysis import GameAnalysis
from granada.tables.bot_jobs import AnalysisJob, Compared
from granada.tables.entries import Entry
from granada.tables.fair_queue import Owner
from granada.tables.requests import Idea

T = TypeVar("T")


class Unavailable(Exception):
    """The store cannot be reached; the last entry may or may not have been stored."""


class Damaged(Exception):
    """Stored entries of a table cannot be decoded."""


class BotFailed(Exception):
    """A bot crashed, was too slow, or chose an illegal action."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    @property
    def loggable(self) -> str:
        """16: Return the part of the reason that may be logged; a bot's own words or actions could reveal secrets."""
        if self.reason.startswith("BotError: "):  # our prefix names the bot; the bot's own words follow
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
    #: The summary of its outlook, if it is stored, and whether entries of another process may have changed it since.
    summary: str | None = None
    is_behind: bool = False


@dataclass(frozen=True)
class TableOutlook:
    """What a table waits for, in a version."""

    table: str
    version: int
    phase: str
    #: JSON for readers.
    summary: str
    #: When a process has to look after the table (milliseconds), and until when it must not be removed.
    due_at: int | None
    kept_until: int | None
    #: By holder: their seats, counted from 1 and separated by commas; the host may have none.
    people: dict[str, str]


@dataclass(frozen=True)
class StoredOutlook:
    """What is stored of one of a holder's tables."""

    outlook: TableOutlook
    #: The holder's seats, as in `TableOutlook.people`.
    seats: str
    #: Whether entries of another process may have changed the outlook since.
    is_behind: bool = False


class OutlookStore(Protocol):
    """Keeps the outlooks of tables, and when a process last ran. Every method may raise Unavailable."""

    async def note_outlooks(self, outlooks: Sequence[TableOutlook]) -> None:
        """Store outlooks, unless those of newer versions are stored."""

    async def own_tables(self, holder: str, limit: int) -> list[StoredOutlook]:
        """Return the outlooks of a holder's tables: not over first, then the newest."""

    async def due(self, before: int, limit: int) -> list[str]:
        """Return the ids of the tables that are due before a time, the most urgent first."""

    async def note_alive(self, at: int) -> None:
        """Store that a process runs at a time."""

    async def last_alive(self) -> int | None:
        """Return the newest stored time at which a process ran; None if there is none."""


@dataclass(frozen=True)
class DailyEntry:
    """The first finished attempt of a holder at a daily deal."""

    holder: str
    name: str
    points: int
    margin: int
    #: The time (ms) at which the game ended.
    at: int
    #: JSON with what else is known of it.
    facts: str


class DailyStore(Protocol):
    """Attempts at the daily deals; a day is counted from 1970. Every method may raise Unavailable."""

    async def attempt(self, edition: str, day: int, holder: str) -> str | None:
        """Return the table of a holder's first attempt; None if there is none."""

    async def begin(self, edition: str, day: int, holder: str, table: str, instead_of: str | None = None) -> str:
        """Store the table of a first attempt unless there is one, other than `instead_of`; returns the stored one."""

    async def enter(self, edition: str, day: int, entry: DailyEntry) -> bool:
        """Store a result; returns False if the holder already has one on this day."""

    async def result(self, edition: str, day: int, holder: str) -> DailyEntry | None:
        """Return the result of a holder."""

    async def results(self, edition: str, day: int, limit: int, skip: int = 0) -> list[DailyEntry]:
        """Return the results of a day, the best first: most points, largest margin, earliest."""

    async def count(self, edition: str, day: int, better_than: DailyEntry | None = None) -> int:
        """Return the number of results of a day, or of those with more points, or as many and a larger margin."""

    async def remove_all_but(self, days: int) -> None:
        """Remove everything but the newest days."""

    async def forget(self, holder: str) -> None:
        """Remove the attempts and results of a holder."""


class Store(Protocol):
    """Durable entries of tables. Every method may raise Unavailable."""

    @property
    def daily(self) -> DailyStore:
        """Return the attempts at the daily deals."""

    @property
    def is_embedded(self) -> bool:
        """Return whether no other process uses the store."""

    @property
    def worker(self) -> str:
        """Return the name of this process among those that share the store."""

    async def append(self, entry: Entry, listing: Listing | None = None) -> bool:
        """Store an entry durably; returns False if its version or its command is already stored."""

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """Return the entries of a table after a version, in order; Damaged if one cannot be decoded."""

    async def newest_version(self, table: str) -> int:
        """Return the newest version of a table that any process has stored."""

    async def has_command(self, table: str, command: str) -> bool:
        """Return whether a command is stored."""

    async def listings(self, limit: int) -> list[Listing]:
        """Return the newest public tables, at most `limit`."""

    async def playing(self) -> list[str]:
        """Return the ids of all tables with a running game."""

    async def broadcast(self, messages: Sequence[str]) -> None:
        """Send messages to the other processes without storing them."""


class PrunableStore(Store, Protocol):
    """A store from which old tables are removed. Every method may raise Unavailable."""

    async def last_changes(self) -> dict[str, int]:
        """Return the time (ms) of the last entry, by table."""

    async def remove(self, table: str, before: int) -> bool:
        """Remove a table unless it has an entry at or after a time."""

    async def remove_unused(self, before: int) -> int:
        """Remove programs that were last used before a time; returns how many."""

    async def note_day(self, day: int, at: int) -> None:
        """Store that the server ran on a day."""

    async def service_days(self) -> list[int]:
        """Return one time (ms) for each day on which the server ran."""


class BotRunner(Protocol):
    """Runs bots outside the event loop. Every method raises BotFailed if there is no valid answer in time."""

    async def choose(self, record: str, level: str, seed: str, owner: Owner = ...) -> str:
        """Return the action for the seat that decides at the end of a record."""

    async def advise(self, record: str, level: str, seed: str, count: int, owner: Owner = ...) -> list[Idea]:
        """Return up to `count` recommended actions for that seat, best first."""

    async def compare(
        self, record: str, level: str, seed: str, better: Sequence[str], worse: Sequence[str], owner: Owner = ...
    ) -> Compared:
        """Return by how much a whole turn of that seat is better than another."""

    async def review(self, work: AnalysisJob, progress: Callable[[float], None]) -> GameAnalysis:
        """Return the analysis of a finished game; `progress` is called with values from 0 to 1."""


class Notifier(Protocol):
    """Passes messages between the processes that share a store, and decides which of them runs each table."""

    async def run(self) -> None:
        """Receive messages until cancelled."""

    async def claim(self, table: str) -> bool:
        """Claim the bots and clocks of a table; returns False if another process runs them."""

    async def release_all_but(self, tables: Collection[str]) -> None:
        """Release all claimed tables except these."""


class Background(Protocol):
    """Runs long work without blocking the event loop."""

    async def do(self, address: str | None, work: Callable[[], T]) -> T:
        """Return the result of the work; addresses share the time fairly. None: the server itself."""


class RunInline:
    """Runs work in the event loop, for environments without threads."""

    async def do(self, address: str | None, work: Callable[[], T]) -> T:
        """Return the result of the work."""
        return work()


class Metrics:
    """Counters and timers. This base class measures nothing."""

    def action_played(self, by: str) -> None:
        """Count an action played by a person, bot or program."""

    def error_sent(self, code: str) -> None:
        """Count an error response."""

    def command_done(self, seconds: float) -> None:
        """Record the time that a command took."""

    def tables_in_memory(self, count: int) -> None:
        """Set the number of tables in memory."""

    def entry_stored(self) -> None:
        """Count a stored entry."""

    def database_failed(self) -> None:
        """Count a failed database call."""

    def bot_failed(self, level: str) -> None:
        """Count a bot that gave no valid answer in time."""

    def time_commit(self) -> AbstractContextManager[object]:
        """Return a context manager that times the storing of an entry."""
        return nullcontext()

    def time_bot(self, level: str) -> AbstractContextManager[object]:
        """Return a context manager that times a bot."""
        return nullcontext()
