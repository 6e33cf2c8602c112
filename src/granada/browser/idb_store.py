"""The store of a page: the entries of its tables in IndexedDB, shared by all tabs of the site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from granada.browser.bridge import Channel, Database
from granada.browser.daily_store import IndexedDbDailyStore
from granada.browser.guarding import guarded as _guarded
from granada.tables.entries import Entry, decode_body, encode_body, encode_entry
from granada.tables.ports import Damaged, Listing


class _EntryRow(Struct, omit_defaults=True):
    """A stored entry, as in web/src/device/database.ts."""

    table_id: str
    version: int
    at: int
    body: str
    command: str | None = None


class _TableRow(Struct):
    """A stored table."""

    id: str
    phase: str
    is_public: bool
    created_at: int
    listing: str


_encoder: Final = msgspec.json.Encoder()
_entries: Final[msgspec.json.Decoder[list[_EntryRow]]] = msgspec.json.Decoder(list[_EntryRow])
_tables: Final[msgspec.json.Decoder[list[msgspec.Raw]]] = msgspec.json.Decoder(list[msgspec.Raw])
_table: Final[msgspec.json.Decoder[_TableRow]] = msgspec.json.Decoder(_TableRow)
_changes: Final[msgspec.json.Decoder[dict[str, int]]] = msgspec.json.Decoder(dict[str, int])


class IndexedDbStore:
    """The entries of the tables on this device. Other tabs get every stored entry through the channel."""

    def __init__(self, database: Database, channel: Channel, worker: str) -> None:
        self._database: Final = database
        self._channel: Final = channel
        #: Whether no other tab uses the database.
        self.is_embedded: Final = not database.is_shared
        #: The name of this tab in notifications.
        self.worker: Final = worker
        self.daily: Final = IndexedDbDailyStore(database)

    async def append(self, entry: Entry, listing: Listing | None = None) -> bool:
        """Store an entry durably; False if its version or command is stored already, or the version before is not."""
        row = _EntryRow(entry.table, entry.version, entry.at, encode_body(entry.body), entry.command)
        with _guarded():
            is_stored = await self._database.append(_text(row), "" if listing is None else _text(_row(listing)))
        if is_stored and not self.is_embedded:
            self._channel.send(f"entry {entry.table} {entry.version} {self.worker} {encode_entry(entry).decode()}")
        return is_stored

    async def broadcast(self, messages: Sequence[str]) -> None:
        """Send messages to the other tabs without storing them."""
        if not self.is_embedded:
            for message in messages:
                self._channel.send(message)

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """Return the entries of a table after a version, in order; Damaged if one cannot be decoded."""
        with _guarded():
            text = await self._database.entries(table, after)
        try:
            rows = _entries.decode(text)
            return [Entry(table, row.version, row.at, decode_body(row.body), row.command) for row in rows]
        except msgspec.DecodeError as error:
            raise Damaged(str(error)) from None

    async def newest_version(self, table: str) -> int:
        """Return the newest version of a table that any tab has stored."""
        with _guarded():
            return await self._database.version(table)

    async def has_command(self, table: str, command: str) -> bool:
        """Return whether a command is stored."""
        with _guarded():
            return await self._database.executed(table, command)

    async def listings(self, limit: int) -> list[Listing]:
        """Return the newest public tables whose game is not over."""
        found: list[Listing] = []
        for phase in ("lobby", "playing"):
            found += [one for one in await self._listed(phase) if one.is_public]
        return found[:limit]

    async def playing(self) -> list[str]:
        """Return the ids of all tables with a running game."""
        return [one.id for one in await self._listed("playing")]

    async def _listed(self, phase: str) -> list[Listing]:
        """Return all tables in a phase, the newest first; a damaged row does not hide the others."""
        with _guarded():
            rows = _tables.decode(await self._database.tables(phase))
        found: list[Listing] = []
        for raw in rows:
            try:
                row = _table.decode(raw)
            except msgspec.DecodeError:
                continue
            found.append(Listing(row.id, row.phase, row.is_public, row.created_at, row.listing))
        return sorted(found, key=lambda one: -one.created_at)

    async def newest_at(self) -> int:
        """Return the time (milliseconds) of the newest entry; 0 if there is none."""
        with _guarded():
            return await self._database.latest()

    async def last_changes(self) -> dict[str, int]:
        """Return the time (milliseconds) of each table's newest entry."""
        with _guarded():
            return _changes.decode(await self._database.changes())

    async def remove(self, table: str, before: int) -> bool:
        """Remove a table unless it has an entry at or after a time; returns whether it was removed."""
        with _guarded():
            return await self._database.remove(table, before)


def _row(listing: Listing) -> _TableRow:
    return _TableRow(listing.id, listing.phase, listing.is_public, listing.created_at, listing.text)


def _text(row: Struct) -> str:
    return _encoder.encode(row).decode()
