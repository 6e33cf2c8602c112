"""What each table waits for, kept in the store: found without loading tables, by holder and by when they are due."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from granada.tables.clock import clock
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.live_table import LiveTable
from granada.tables.messages import encoder
from granada.tables.ports import OutlookStore, StoredOutlook, TableOutlook, Unavailable
from granada.tables.requests import OwnTable, OwnTables
from granada.tables.table import Table

#: Seconds for which outlooks are collected before they are stored, and before another attempt if that failed.
COLLECTING: Final = 0.5
AGAIN: Final = 5.0
#: The most tables of one holder that are listed: those that are not over first, then the newest.
MAX_OWN: Final = 200
#: A period (milliseconds) in which no process ran is noticed if it is longer than this.
SHORT: Final = 60_000


class Summary(Struct):
    """The stored part of an outlook that only readers need."""

    edition: str
    modules: list[str]
    names: list[str]
    kinds: list[str]
    #: Whether it is listed, and whether people without a seat may watch.
    is_public: bool
    spectators: bool
    #: The number of turns played, and the seat (from 1) that decides, unless a bot plays for it.
    turn: int
    deciding: int | None
    is_bot: bool
    #: Correspondence: the days for a turn, and when the time of the seat that decides is over (milliseconds).
    days: int | None
    expires_at: int | None
    #: When this was last different (milliseconds).
    at: int


#: Returns a table with everything that any process acknowledged; raises TableError.
Newest = Callable[[str], Awaitable[LiveTable]]
_decoder: Final[msgspec.json.Decoder[Summary]] = msgspec.json.Decoder(Summary)


def read_summary(text: str) -> Summary:
    """Decode a stored summary."""
    return _decoder.decode(text)


class _Facts(NamedTuple):
    """What decides whether an outlook is new."""

    phase: str
    summary: Summary
    is_due: bool
    people: dict[str, str]


def _facts_of(table: Table) -> _Facts:
    """Return what a table waits for; its time stamp is left out."""
    state = table.game.state if table.game is not None and table.is_started else None
    deciding, waits = table.deciding(), table.waits_for_person()
    expires_at = table.clocks.expires_at() if table.is_correspondence and deciding is not None else None
    is_due = deciding is not None and (table.expires_unasked if waits is not None else table.bots_play_unwatched)
    summary = Summary(
        table.options.edition,
        list(table.options.modules),
        [state.plan.name for state in table.seats],
        [state.plan.kind for state in table.seats],
        table.created.is_public,
        table.options.spectators,
        0 if state is None else state.turns,
        None if deciding is None else deciding + 1,
        deciding is not None and waits is None,
        table.options.clock.days if table.is_correspondence else None,
        expires_at,
        0,
    )
    people: dict[str, str] = {table.created.host: ""}
    for holder in dict.fromkeys([seat.plan.holder for seat in table.seats if seat.plan.holder is not None]):
        people[holder] = ",".join([str(seat + 1) for seat in table.seats_of(holder)])
    return _Facts(table.phase, summary, is_due and table.is_correspondence, people)


def summary_of(table: Table) -> Summary:
    """Return what readers need to know about a table."""
    return _facts_of(table).summary


def outlook_of(table: Table) -> TableOutlook:
    """Return what a table waits for, to be stored."""
    phase, summary, is_due, people = _facts_of(table)
    expires_at = summary.expires_at
    due_at = None if not is_due else table.changed_at if expires_at is None else expires_at
    text = encoder.encode(msgspec.structs.replace(summary, at=table.changed_at)).decode()
    return TableOutlook(table.id, table.version, phase, text, due_at, expires_at, people)


class Outlooks:
    """Stores the outlooks of tables when they change, several together, and answers questions about them."""

    def __init__(self, store: OutlookStore) -> None:
        self._store: Final = store
        #: By table: what this process noted last, and in which version. And what waits to be stored.
        self._noted: Final[dict[str, tuple[int, _Facts]]] = {}
        self._pending: dict[str, TableOutlook] = {}
        self._task: asyncio.Task[None] | None = None
        self._lock: Final = asyncio.Lock()

    def note(self, live: LiveTable) -> None:
        """Store the outlook of a table soon, if it is new."""
        table, facts = live.table, _facts_of(live.table)
        # If another process stored a version in between, it may have noted something else.
        is_known = self._noted.get(table.id) == (table.version - 1, facts)
        self._noted[table.id] = (table.version, facts)
        if is_known:
            return
        self._pending[table.id] = outlook_of(table)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._collect())

    def forget_all_but(self, tables: set[str]) -> None:
        """Forget what is known of tables that are no longer in memory."""
        for table in [table for table in self._noted if table not in tables]:
            del self._noted[table]

    async def _collect(self) -> None:
        await asyncio.sleep(COLLECTING)
        while self._pending:
            try:
                await self.flush()
            except Unavailable:
                await asyncio.sleep(AGAIN)

    async def flush(self) -> None:
        """Store what waits; raises Unavailable."""
        async with self._lock:
            pending, self._pending = self._pending, {}
            if not pending:
                return
            try:
                await self._store.note_outlooks(sorted(pending.values(), key=lambda one: one.table))
            except BaseException:
                self._pending = {**pending, **self._pending}
                raise

    async def settle(self) -> None:
        """Store what waits, before a change is acknowledged; if that fails, it is tried again later."""
        with contextlib.suppress(Unavailable):
            await self.flush()

    async def close(self) -> None:
        """Store what waits, if that is possible, and stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.settle()  # otherwise noted again when the tables are next loaded

    async def own_tables(self, holder: Holder, newest: Newest | None = None) -> OwnTables:
        """Return the tables at which a holder has a seat, or which they opened; raises Unavailable.

        Without `newest`, what other processes did in the last moments may be missing.
        """
        await self.flush()
        stored = await self._store.own_tables(holder.hash, MAX_OWN)
        found = await asyncio.gather(*[_renewed(one, holder, newest if one.is_behind else None) for one in stored])
        now = clock()
        own = [_own_table(one.outlook, one.seats, now) for one in found if one is not None]
        return OwnTables(sorted(own, key=lambda one: one.phase == "over"))

    async def due(self, before: int, limit: int) -> list[str]:
        """Return the tables that a process has to look after before a time, the most urgent first."""
        return await self._store.due(before, limit)

    # Whether the server was down

    async def downtime(self) -> tuple[int, int] | None:
        """Return when no process ran before now; None if one did until a moment ago. Raises Unavailable."""
        now = clock()
        last = await self._store.last_alive()
        return None if last is None or now - last <= SHORT else (last, now)

    async def note_alive(self) -> None:
        """Store that this process runs; raises Unavailable."""
        await self._store.note_alive(clock())


async def _renewed(stored: StoredOutlook, holder: Holder, newest: Newest | None) -> StoredOutlook | None:
    """Return a stored outlook as it is now; None if the holder has no part in the table any more."""
    if newest is None:
        return stored
    try:
        table = (await newest(stored.outlook.table)).table
    except TableError:  # it cannot be opened any more
        return stored
    outlook = outlook_of(table)
    seats = outlook.people.get(holder.hash)
    if seats is None:
        return None
    # If nothing changed, the time of the last change is the stored one.
    is_same = msgspec.structs.replace(read_summary(stored.outlook.summary), at=0) == summary_of(table)
    return StoredOutlook(stored.outlook if is_same else outlook, seats)


def _own_table(outlook: TableOutlook, seats: str, now: int) -> OwnTable:
    summary = read_summary(outlook.summary)
    own = [int(seat) for seat in seats.split(",") if seat]
    left = None if summary.expires_at is None else max(0, summary.expires_at - now)
    return OwnTable(
        outlook.table,
        outlook.phase,
        summary.edition,
        summary.modules,
        summary.names,
        summary.kinds,
        own,
        summary.turn,
        summary.deciding,
        summary.deciding in own and not summary.is_bot,
        summary.days,
        left,
        max(0, now - summary.at),
    )
