"""Protocols of the JavaScript objects that the worker of the page passes in (web/src/device/tables_worker.ts).

Only texts, numbers and booleans cross the bridge, so that no proxy of an object has to be released. Functions that
return an Awaitable return a Promise in JavaScript; a rejected one raises an exception with a `name`.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol


class Database(Protocol):
    """The entries of tables, in IndexedDB or in memory (web/src/device/database.ts)."""

    @property
    def is_shared(self) -> bool:
        """Return whether other tabs use the same database."""

    def append(self, entry: str, listing: str) -> Awaitable[bool]:
        """Store an entry and its listing ("": none) durably; False if its version or command is already stored."""

    def entries(self, table: str, after: int) -> Awaitable[str]:
        """Return a list of the entries of a table after a version, in order."""

    def version(self, table: str) -> Awaitable[int]:
        """Return the newest version of a table; 0 if there is none."""

    def executed(self, table: str, command: str) -> Awaitable[bool]:
        """Return whether a command is stored."""

    def tables(self, phase: str) -> Awaitable[str]:
        """Return a list of the tables in a phase, in any order."""

    def changes(self) -> Awaitable[str]:
        """Return an object with the time of the last entry by table."""

    def latest(self) -> Awaitable[int]:
        """Return the time of the newest entry; 0 if there is none."""

    def remove(self, table: str, before: int) -> Awaitable[bool]:
        """Remove a table unless it has an entry at or after a time; returns whether it was removed."""

    def values(self, prefix: str) -> Awaitable[str]:
        """Return an object with the values of all keys that begin with a prefix."""

    def exchange(self, key: str, before: str, after: str) -> Awaitable[bool]:
        """Replace a value durably ("": none) if it still is the one before; returns whether it was replaced."""

    def secret(self) -> Awaitable[str]:
        """Return the secret of this browser, which is made on first use."""


class BotWorker(Protocol):
    """A second worker that runs one job at a time (web/src/device/bots_worker.ts)."""

    def start(self) -> Awaitable[object]:
        """Start the worker unless it is running; the Promise is fulfilled when it takes jobs."""

    def send(self, job: str) -> None:
        """Send it a job."""

    def receive(self) -> Awaitable[str]:
        """Return its next message; rejected if the worker dies."""

    def kill(self) -> None:
        """End the worker at once, even if it is computing."""


class Channel(Protocol):
    """Messages between the tabs of this site (BroadcastChannel)."""

    def send(self, message: str) -> None:
        """Send a message to the other tabs."""

    def receive(self) -> Awaitable[str]:
        """Return the next message of another tab."""


class Locks(Protocol):
    """Locks among the tabs of this site (Web Locks); they end with their tab."""

    def take(self, name: str) -> Awaitable[bool]:
        """Take a lock and hold it; False if another tab has it."""

    def release(self, name: str) -> None:
        """Release a lock that this tab has."""


class Bridge(Protocol):
    """Everything that JavaScript provides."""

    @property
    def database(self) -> Database:
        """Return the database."""

    @property
    def bots(self) -> BotWorker:
        """Return the worker for bots and hints."""

    @property
    def reviews(self) -> BotWorker:
        """Return the worker for analyses of finished games."""

    @property
    def channel(self) -> Channel:
        """Return the channel to the other tabs."""

    @property
    def locks(self) -> Locks:
        """Return the locks."""
