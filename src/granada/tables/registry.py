"""The registry of the tables in memory, and the only way to change them: decide, store, apply, send."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from granada.records.record import RecordError
from granada.tables.clock import clock
from granada.tables.commands import Proposal
from granada.tables.entries import Adopted, Created, Entry, Played, Resumed, Seated, decode_entry
from granada.tables.errors import TableError, rule_in
from granada.tables.holders import Holder, is_table_id, new_table_id
from granada.tables.live_table import Listener, LiveTable, first_listing, listing_after
from granada.tables.log import log, shortened, warn
from granada.tables.ports import Background, Damaged, Listing, Metrics, RunInline, Store, Unavailable
from granada.tables.rate_limit import Buckets
from granada.tables.table import Table

#: Attempts to store a command while other processes store entries first.
ATTEMPTS: Final = 5
#: The limit of remembered rejected tables.
MAX_REJECTED: Final = 10_000
#: Errors that a repeated command can cause, because it has already changed the table.
_REPEATED: Final = ("stale", "not_your_turn", "over", "running", "not_running", "seat_taken", "nothing_held", "no_seat")

#: New correspondence games of one address: a second, and at once. Their bots play although nobody watches.
CORRESPONDENCE_RATE: Final = 30 / 3600
CORRESPONDENCE_BURST: Final = 60
#: A table with more entries is loaded in the background.
FEW_ENTRIES: Final = 40

Decide = Callable[[Table], Proposal]


class TableRegistry:
    """The tables in memory. A change is stored first, then applied, then sent to listeners."""

    def __init__(self, store: Store, background: Background | None = None, metrics: Metrics | None = None) -> None:
        self.store: Final = store
        self.metrics: Final = Metrics() if metrics is None else metrics
        self._background: Final[Background] = RunInline() if background is None else background
        self.tables: Final[dict[str, LiveTable]] = {}
        #: Stored tables that the rules reject, with the rule; cached to avoid loading them for every request.
        self.rejected: Final[dict[str, str]] = {}
        #: When no process ran, before this one started; None if the server was not down.
        self.downtime: tuple[int, int] | None = None
        self._correspondence: Final = Buckets(CORRESPONDENCE_RATE, CORRESPONDENCE_BURST)
        self._loading: Final[dict[str, asyncio.Task[LiveTable]]] = {}
        self._tasks: Final[set[asyncio.Task[object]]] = set()
        #: Called after every change of a table or of its viewers.
        self.changed: Callable[[LiveTable], None] = lambda _: None
        #: Called when this process has stored a change of a table, or loaded it.
        self.noted: Callable[[LiveTable], None] = lambda _: None
        #: Called before a change is acknowledged that may give somebody a part in a table.
        self.joined: Callable[[], Awaitable[None]] = _nothing
        #: Called when a game is over, in every process that has the table in memory.
        self.finished: Callable[[LiveTable], None] = lambda _: None
        #: Called when a table was loaded from the store.
        self.loaded: Callable[[LiveTable], None] = lambda _: None

    # Lookup

    async def table(self, table_id: str) -> LiveTable:
        """Return a table, from memory or from the store; raises TableError."""
        live = self.tables.get(table_id)
        if live is None:
            if not is_table_id(table_id):
                raise TableError("not_found", "There is no such table.")
            if table_id in self.rejected:
                raise _old_rules(self.rejected[table_id])
            loading = self._loading.get(table_id)
            if loading is None:
                loading = asyncio.create_task(self._load(table_id))
                self._loading[table_id] = loading
                loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
            try:
                live = await asyncio.shield(loading)
            finally:
                del loading  # as in `change`
        live.used_at = clock()
        return live

    async def newest(self, table_id: str) -> LiveTable:
        """Return a table with everything that any process acknowledged before this call.

        While the database is unavailable nothing new can be acknowledged, so the table in memory is returned.
        """
        live = await self.table(table_id)
        if not self.store.is_embedded:
            try:
                await self.catch_up(table_id, await self.store.newest_version(table_id))
            except (Unavailable, TableError):
                self.metrics.database_failed()
        return live

    async def _load(self, table_id: str) -> LiveTable:
        entries = await self._guarded_entries(table_id, 0)
        if not entries:
            raise TableError("not_found", "There is no such table.")
        is_long = len(entries) > FEW_ENTRIES or _opening_of(entries[0]) is not None
        read = partial(_table_of, entries)
        try:
            live = LiveTable(await self._background.do(None, read) if is_long else read())
        except RecordError as error:
            raise self._reject(table_id, error) from None
        except Damaged:
            raise self._damaged(table_id) from None
        live.loaded_at = live.used_at = clock()
        self.tables[table_id] = live
        self.metrics.tables_in_memory(len(self.tables))
        self.changed(live)
        self.loaded(live)
        self.noted(live)
        return live

    async def _guarded_entries(self, table_id: str, after: int) -> list[Entry]:
        try:
            return await self.store.entries(table_id, after)
        except Unavailable:
            raise unavailable() from None
        except Damaged:
            raise self._damaged(table_id) from None

    def _damaged(self, table_id: str) -> TableError:
        warn("table damaged", table=shortened(table_id))
        return TableError(
            "damaged", "What is stored of this table is damaged, so it cannot be opened. Nothing was removed."
        )

    def _reject(self, table_id: str, error: RecordError) -> TableError:
        """Remember that the rules reject a stored table, and return the error."""
        if len(self.rejected) >= MAX_REJECTED:
            self.rejected.clear()
        rule = rule_in(error.reason) or ""
        if table_id not in self.rejected:
            warn("table rejected by the rules", table=shortened(table_id), rule=rule)
        self.rejected[table_id] = rule
        return _old_rules(rule)

    def forget_idle(self, before: int) -> int:
        """Remove tables from memory that have no listeners and were not used since a time."""
        idle = [
            live
            for live in self.tables.values()
            if not live.listeners and not live.lock.locked() and live.used_at < before and not live.has_task
        ]
        for live in idle:
            del self.tables[live.table.id]
        self.metrics.tables_in_memory(len(self.tables))
        return len(idle)

    # Changes

    async def create(self, created: Created, address: str | None = None) -> LiveTable:
        """Open a table for an address; raises TableError if it has opened too many correspondence games."""
        if created.options.clock.mode == "days" and address is not None and self._correspondence.take(address):
            raise TableError(
                "too_many", "Too many correspondence games were opened from your address. Try again later."
            )
        entry = Entry(new_table_id(), 1, clock(), created)
        # Replaying a long record must not block the event loop.
        read = partial(Table, entry)
        table = read() if created.opening is None else await self._background.do(address, read)
        await self._append(entry, first_listing(table, entry.at))
        live = LiveTable(table)
        if address is not None:
            live.note_address(address, is_player=True)
        live.loaded_at = live.used_at = entry.at
        self.tables[table.id] = live
        self.metrics.tables_in_memory(len(self.tables))
        self.noted(live)
        await self.joined()
        log("table opened", table=shortened(table.id), edition=table.options.edition, seats=len(table.seats))
        return live

    async def change(
        self, table_id: str, decide: Decide, command: str | None = None, sender: Listener | None = None
    ) -> LiveTable:
        """Decide, store, apply and send a change of a table; raises TableError if it is rejected.

        The change is not cancelled when its sender disconnects: what is stored must also be applied and sent.
        """
        live = await self.table(table_id)
        task = asyncio.create_task(self._change(live, decide, command, sender))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        try:
            await asyncio.shield(task)
        finally:
            del task  # breaks the reference cycle between the task's exception and this frame
        return live

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the caller may have been cancelled, so retrieve it here

    async def _change(self, live: LiveTable, decide: Decide, command: str | None, sender: Listener | None) -> None:
        async with live.lock:
            missing = self._missing_time(live)
            if missing is not None:
                await self._resume(live, missing)
            for _ in range(ATTEMPTS):
                if command is not None and command in live.table.commands:
                    self._repeat(live, command, sender)
                    return
                try:
                    proposal = decide(live.table)
                except TableError as error:
                    if not self.store.is_embedded and await self._catch_up(live):
                        continue  # another process had stored something that had not arrived yet
                    if command is not None and error.code in _REPEATED and await self._was_executed(live, command):
                        self._repeat(live, command, sender)
                        return
                    raise
                table = live.table
                entry = Entry(table.id, table.version + 1, max(clock(), table.changed_at), proposal.body, command)
                if await self._append(entry, listing_after(table, proposal.body, proposal.move)):
                    table.apply(entry, proposal.move)
                    if isinstance(entry.body, Played):
                        self.metrics.action_played(entry.body.by)
                    self._note(live, entry, sender)
                    self.noted(live)
                    if isinstance(entry.body, Seated | Adopted):
                        await self.joined()
                    return
                # Nothing new is stored, so the command itself is: too long ago to be in `table.commands`.
                if not await self._catch_up(live) and command is not None and await self._was_executed(live, command):
                    self._repeat(live, command, sender)
                    return
        raise TableError("stale", "The table is changing too fast. Try again.")

    async def resume(self, live: LiveTable) -> None:
        """Store that the time in which no process ran the table is not charged to any clock; TableError if it fails."""
        async with live.lock:
            missing = self._missing_time(live)
            if missing is not None:
                await self._resume(live, missing)

    def _missing_time(self, live: LiveTable) -> Resumed | None:
        """Return the time in which no process ran a table while one of its clocks expired, if it is not stored yet."""
        if not live.table.is_correspondence:
            return Resumed() if live.was_unattended else None
        down = self.downtime
        if down is None or live.table.clocks.running is None or live.table.changed_at >= down[1]:
            return None
        return Resumed(*down)

    async def _resume(self, live: LiveTable, missing: Resumed) -> None:
        entry = Entry(live.table.id, live.table.version + 1, max(clock(), live.table.changed_at), missing)
        if await self._append(entry, None):
            live.table.apply(entry)
            self._note(live, entry, None)
            self.noted(live)

    def _note(self, live: LiveTable, entry: Entry, sender: Listener | None) -> None:
        """Send a stored entry to all listeners."""
        if isinstance(entry.body, Played) and live.table.phase == "over":
            log(
                "game over",
                table=shortened(live.table.id),
                actions=live.table.game.state.n if live.table.game else 0,
            )
            self.finished(live)
        live.used_at = entry.at
        live.broadcast(clock(), sender, _id_of(entry.command))
        self.changed(live)

    def _repeat(self, live: LiveTable, command: str, sender: Listener | None) -> None:
        if sender is not None:
            sender.send(live.message(sender.holder, sender.seat, clock(), _id_of(command)))

    async def _was_executed(self, live: LiveTable, command: str) -> bool:
        try:
            return await self.store.has_command(live.table.id, command)
        except Unavailable:
            raise unavailable() from None

    async def _append(self, entry: Entry, listing: Listing | None) -> bool:
        with self.metrics.time_commit():
            try:
                is_stored = await self.store.append(entry, listing)
            except Unavailable:
                self.metrics.database_failed()
                raise unavailable() from None
        if is_stored:
            self.metrics.entry_stored()
        return is_stored

    async def _catch_up(self, live: LiveTable) -> bool:
        """Apply and send what other processes stored; returns whether there was anything."""
        before = live.table.version
        for entry in await self._guarded_entries(live.table.id, live.table.version):
            if entry.version == live.table.version + 1:
                try:
                    live.table.apply(entry)
                except RecordError as error:  # stored by a process with another version of the rules
                    raise self._reject(live.table.id, error) from None
                self._note(live, entry, None)
        return live.table.version > before

    def receive(self, table_id: str, version: int, text: str) -> bool:
        """Apply an entry that another process stored and sent; returns False if entries in between are missing."""
        live = self.tables.get(table_id)
        if live is None:
            return table_id not in self._loading  # not in memory: nothing to update
        if version <= live.table.version:
            return True
        if version > live.table.version + 1 or live.lock.locked():
            return False
        entry = decode_entry(text)
        live.table.apply(entry)
        self._note(live, entry, None)
        return True

    async def catch_up(self, table_id: str, version: int) -> None:
        """Load what other processes stored up to a version, if the table is in memory."""
        if table_id in self._loading:  # what is being loaded may be older
            await asyncio.wait([self._loading[table_id]])
        live = self.tables.get(table_id)
        if live is not None and live.table.version < version:
            async with live.lock:
                if live.table.version < version:
                    await self._catch_up(live)

    async def close(self) -> None:
        """Wait for pending changes."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)


async def _nothing() -> None:
    pass


def _table_of(entries: Sequence[Entry]) -> Table:
    """Rebuild a table from its entries; Damaged if one is missing."""
    if not isinstance(entries[0].body, Created) or [one.version for one in entries] != list(range(1, len(entries) + 1)):
        raise Damaged("an entry is missing")
    table = Table(entries[0])
    for entry in entries[1:]:
        table.apply(entry)
    return table


def _opening_of(first: Entry) -> str | None:
    return first.body.opening if isinstance(first.body, Created) else None


def command_key(holder: Holder, command_id: str) -> str:
    """Return the key of a command; it includes the holder, so that ids of different clients cannot collide."""
    return f"{holder.hash[:16]}:{command_id}"


def _id_of(command: str | None) -> str | None:
    return None if command is None else command.partition(":")[2]


def _old_rules(rule: str) -> TableError:
    named = f" (rule {rule})" if rule else ""
    return TableError(
        "old_rules",
        f"This table was played with an earlier version of the rules and can no longer be opened{named}.",
        rule=rule or None,
    )


def unavailable() -> TableError:
    """Return the error for an unavailable database; repeating the command is safe even if it was stored."""
    return TableError("unavailable", "The database is not responding. Try again in a moment.")
