"""The registry: all tables that this process has in memory, and the one way in which they change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from granada.records.record import RecordError
from granada.tables.clock import clock
from granada.tables.commands import Proposal
from granada.tables.entries import Created, Entry, Played, Resumed, decode_entry
from granada.tables.errors import TableError, rule_in
from granada.tables.holders import Holder, is_table_id, new_table_id
from granada.tables.live_table import Listener, LiveTable, first_listing, listing_after
from granada.tables.log import log, shortened, warn
from granada.tables.ports import Background, Listing, Metrics, NoMetrics, RunInline, Store, Unavailable
from granada.tables.table import Table

#: How often a command is tried when other processes are quicker each time.
ATTEMPTS: Final = 5
#: How many rejected tables are remembered.
MOST_REJECTED: Final = 10_000
#: What can be said against the table that one sees after somebody else was quicker.
_BEHIND: Final = ("stale", "not_your_turn", "over", "running", "not_running", "seat_taken", "nothing_held", "no_seat")

#: A table with more entries is read in a thread.
FEW_ENTRIES: Final = 40

Decide = Callable[[Table], Proposal]


class TableRegistry:
    """The tables in memory; each changes only by an entry that is stored, and is told of only after that."""

    def __init__(self, store: Store, background: Background | None = None, metrics: Metrics | None = None) -> None:
        self.store: Final = store
        self.metrics: Final[Metrics] = NoMetrics() if metrics is None else metrics
        self._background: Final[Background] = RunInline() if background is None else background
        self.tables: Final[dict[str, LiveTable]] = {}
        #: Stored tables that the rules reject, with the rule: they are not read again for every request.
        self.rejected: Final[dict[str, str]] = {}
        self._loading: Final[dict[str, asyncio.Task[LiveTable]]] = {}
        self._tasks: Final[set[asyncio.Task[object]]] = set()
        #: Called after every change of a table, and when somebody comes or goes.
        self.changed: Callable[[LiveTable], None] = lambda _: None
        #: Called when a table was read from the database.
        self.loaded: Callable[[LiveTable], None] = lambda _: None

    # Finding

    async def table(self, table_id: str) -> LiveTable:
        """A table, from memory or from the database."""
        live = self.tables.get(table_id)
        if live is None:
            if not is_table_id(table_id):
                raise TableError("not_found", "there is no such table")
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
        """A table for a reader: with everything that any process acknowledged before this call.

        While the database does not answer, nothing new is acknowledged, and a reader gets what this process knows.
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
            raise TableError("not_found", "there is no such table")
        is_long = len(entries) > FEW_ENTRIES or _opening_of(entries[0]) is not None
        read = partial(_table_of, entries)
        try:
            live = LiveTable(await self._background.do(None, read) if is_long else read())
        except RecordError as error:
            raise self._reject(table_id, error) from None
        live.loaded_at = live.used_at = clock()
        self.tables[table_id] = live
        self.metrics.tables_in_memory(len(self.tables))
        self.changed(live)
        self.loaded(live)
        return live

    async def _guarded_entries(self, table_id: str, after: int) -> list[Entry]:
        try:
            return await self.store.entries(table_id, after)
        except Unavailable:
            raise unavailable() from None

    def _reject(self, table_id: str, error: RecordError) -> TableError:
        """Remember that the rules reject what is stored of a table."""
        if len(self.rejected) >= MOST_REJECTED:
            self.rejected.clear()
        rule = rule_in(error.reason) or ""
        if table_id not in self.rejected:
            warn("table rejected by the rules", table=shortened(table_id), rule=rule)
        self.rejected[table_id] = rule
        return _old_rules(rule)

    def forget_idle(self, before: int) -> int:
        """Put tables out of memory that nobody looks at and that were not used since a time."""
        idle = [
            live
            for live in self.tables.values()
            if not live.listeners and not live.lock.locked() and live.used_at < before and not live.is_kept_busy
        ]
        for live in idle:
            del self.tables[live.table.id]
        self.metrics.tables_in_memory(len(self.tables))
        return len(idle)

    # Changing

    async def create(self, created: Created, address: str | None = None) -> LiveTable:
        """Open a table, for somebody at an address."""
        entry = Entry(new_table_id(), 1, clock(), created)
        # A long record that is played on from must not make others wait.
        read = partial(Table, entry)
        table = read() if created.opening is None else await self._background.do(address, read)
        await self._append(entry, first_listing(table, entry.at))
        live = LiveTable(table)
        if address is not None:
            live.note_address(address, is_player=True)
        live.loaded_at = live.used_at = entry.at
        self.tables[table.id] = live
        self.metrics.tables_in_memory(len(self.tables))
        log("table opened", table=shortened(table.id), edition=table.options.edition, seats=len(table.seats))
        return live

    async def change(
        self, table_id: str, decide: Decide, command: str | None = None, sender: Listener | None = None
    ) -> LiveTable:
        """Let a command change a table: what it brings is stored, and then told; TableError says why not.

        A command that began is not broken off when its sender goes: what is stored must also be told.
        """
        live = await self.table(table_id)
        task = asyncio.create_task(self._change(live, decide, command, sender))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        try:
            await asyncio.shield(task)
        finally:
            del task  # an error refers to this frame: with the task in it, only a garbage collection would free both
        return live

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited for it may be gone

    async def _change(self, live: LiveTable, decide: Decide, command: str | None, sender: Listener | None) -> None:
        async with live.lock:
            if live.was_left_alone:
                await self._resume(live)
            for _ in range(ATTEMPTS):
                if command is not None and command in live.table.commands:
                    self._repeat(live, command, sender)
                    return
                try:
                    proposal = decide(live.table)
                except TableError as error:
                    if not self.store.is_embedded and await self._catch_up(live):
                        continue  # the news of what another process stored were still on their way
                    if command is not None and error.code in _BEHIND and await self._was_obeyed(live, command):
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
                    return
                # If nobody else stored anything, the same command did, so long ago that it is no longer remembered.
                if not await self._catch_up(live) and command is not None and await self._was_obeyed(live, command):
                    self._repeat(live, command, sender)
                    return
        raise TableError("stale", "the table changes faster than this command can follow")

    async def _resume(self, live: LiveTable) -> None:
        """The time in which nobody looked after a table is nobody's."""
        entry = Entry(live.table.id, live.table.version + 1, clock(), Resumed())
        if await self._append(entry, None):
            live.table.apply(entry)
            self._note(live, entry, None)

    def _note(self, live: LiveTable, entry: Entry, sender: Listener | None) -> None:
        """Tell everybody what is stored."""
        if isinstance(entry.body, Played) and live.table.phase == "over":
            log(
                "game over",
                table=shortened(live.table.id),
                actions=live.table.game.state.n if live.table.game else 0,
            )
        live.used_at = entry.at
        live.tell(clock(), sender, _id_of(entry.command))
        self.changed(live)

    def _repeat(self, live: LiveTable, command: str, sender: Listener | None) -> None:
        if sender is not None:
            sender.send(live.message(sender.holder, sender.seat, clock(), _id_of(command)))

    async def _was_obeyed(self, live: LiveTable, command: str) -> bool:
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
        """Take over what other processes stored, and tell it; whether there was anything."""
        before = live.table.version
        for entry in await self._guarded_entries(live.table.id, live.table.version):
            if entry.version == live.table.version + 1:
                try:
                    live.table.apply(entry)
                except RecordError as error:  # a process of another version stored it
                    raise self._reject(live.table.id, error) from None
                self._note(live, entry, None)
        return live.table.version > before

    def take_over(self, table_id: str, version: int, written: str) -> bool:
        """Take over an entry that another process stored and sent; False if the database must be asked for more."""
        live = self.tables.get(table_id)
        if live is None:
            return table_id not in self._loading  # nobody here looks at it
        if version <= live.table.version:
            return True
        if version > live.table.version + 1 or live.lock.locked():
            return False
        entry = decode_entry(written)
        live.table.apply(entry)
        self._note(live, entry, None)
        return True

    async def catch_up(self, table_id: str, version: int) -> None:
        """Another process stored something."""
        if table_id in self._loading:  # what is being read may be older
            await asyncio.wait([self._loading[table_id]])
        live = self.tables.get(table_id)
        if live is not None and live.table.version < version:
            async with live.lock:
                if live.table.version < version:
                    await self._catch_up(live)

    async def close(self) -> None:
        """Let everything that began come to its end."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)


def _table_of(entries: Sequence[Entry]) -> Table:
    """The sum of all entries."""
    table = Table(entries[0])
    for entry in entries[1:]:
        table.apply(entry)
    return table


def _opening_of(first: Entry) -> str | None:
    return first.body.opening if isinstance(first.body, Created) else None


def command_key(holder: Holder, command_id: str) -> str:
    """Under which a command is remembered: nobody can use up the id of somebody else's."""
    return f"{holder.hash[:16]}:{command_id}"


def _id_of(command: str | None) -> str | None:
    return None if command is None else command.partition(":")[2]


def _old_rules(rule: str) -> TableError:
    named = f" (rule {rule})" if rule else ""
    return TableError(
        "old_rules",
        f"this table was played under earlier rules and cannot be opened any more{named}",
        rule=rule or None,
    )


def unavailable() -> TableError:
    """The database does not answer; whether something was stored is known when the same comes again."""
    return TableError("unavailable", "the database does not answer: send the same again in a moment")
