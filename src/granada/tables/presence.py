"""Presence: which players are connected, to this process or to others that share the store."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from granada.tables.clock import clock
from granada.tables.holders import Holder
from granada.tables.live_table import Listener, LiveTable, Watching
from granada.tables.messages import Pace
from granada.tables.pace import Reader, read_readers, readers_text
from granada.tables.ports import Unavailable
from granada.tables.registry import TableRegistry

#: Milliseconds for which an announcement of another process is valid.
PRESENCE: Final = 40_000
#: Seconds for which announcements are collected before they are sent.
TOGETHER: Final = 0.05


class Presence:
    """Shows players connecting and disconnecting to the table, and announces them to other processes."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry: Final = registry
        self._store: Final = registry.store
        #: Tables whose presence is to be announced.
        self._announced: Final[list[LiveTable]] = []
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        # Other processes answer the announcement with their own.
        registry.loaded = self.announce

    def enter(self, live: LiveTable, listener: Listener) -> None:
        """Add a listener to a table; raises TableError if there are too many."""
        was_here = listener.holder is not None and live.is_here(listener.holder.hash)
        before = _viewers(live)
        live.join(listener)
        if listener.holder is not None:
            live.gone_at.pop(listener.holder.hash, None)
        self._show(live, listener, was_here)
        self._note_watching(live, before)

    def visit(self, live: LiveTable, address: str, holder: Holder | None = None) -> None:
        """Count a request to a table as a visit."""
        before, live.visited_at = _viewers(live), clock()
        live.note_address(address, live.takes_part(holder))
        self._note_watching(live, before)

    def leave(self, live: LiveTable, listener: Listener) -> None:
        """Remove a listener from a table."""
        before = _viewers(live)
        live.leave(listener)
        is_here = listener.holder is not None and live.is_here(listener.holder.hash)
        if listener.holder is not None and not is_here and live.table.seats_of(listener.holder.hash):
            live.gone_at[listener.holder.hash] = clock()
        live.used_at = clock()
        self._show(live, listener, is_here)
        self._note_watching(live, before)

    def choose_pace(self, live: LiveTable, listener: Listener, chosen: Pace) -> None:
        """Note how quickly bots should play for a listener."""
        before = _viewers(live)
        listener.pace = (chosen.speed, -1 if chosen.seen is None else chosen.seen)
        live.readers_changed.set()
        self._note_watching(live, before)

    def _note_watching(self, live: LiveTable, before: _Viewers) -> None:
        """Reschedule and announce the table if its viewers changed, because bots wait for them."""
        now = _viewers(live)
        if now.watching != before.watching:
            self._registry.changed(live)
        if now != before:
            self.announce(live)

    def _show(self, live: LiveTable, listener: Listener, is_otherwise_here: bool) -> None:
        """Show everybody that a player came or left, unless they have another connection."""
        if is_otherwise_here or listener.holder is None or not live.table.seats_of(listener.holder.hash):
            return
        live.show_presence(clock(), exclude=listener)
        self._registry.changed(live)
        self.announce(live)

    def announce(self, live: LiveTable) -> None:
        """Announce to other processes who is connected to this one, batched with other tables."""
        if self._store.is_embedded or live.table.phase == "over":
            return
        self._announced.append(live)
        if len(self._announced) == 1:
            task = asyncio.create_task(self._announce())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _announce(self) -> None:
        await asyncio.sleep(TOGETHER)
        tables = {live.table.id: live for live in self._announced}
        self._announced.clear()
        messages = [message for live in tables.values() for message in self._messages(live)]
        try:
            await self._store.broadcast(messages)
        except Unavailable:
            self._registry.metrics.database_failed()  # announced again in a later round

    def _messages(self, live: LiveTable) -> list[str]:
        here = f"here {live.table.id} {self._store.worker} {_here(live)}"
        readers = readers_text(live.readers_here())
        return [here, f"pace {live.table.id} {self._store.worker} {readers}"] if readers else [here]

    def receive_pace(self, table_id: str, worker: str, readers: str) -> None:
        """Handle the announcement of another process: how quickly the people connected to it want bots to play."""
        live = self._registry.tables.get(table_id)
        if live is not None and worker != self._store.worker:
            live.readers_elsewhere[worker] = read_readers(readers)
            live.readers_changed.set()

    def receive(self, table_id: str, worker: str, seats: str, watching: Watching) -> None:
        """Handle the announcement of another process: the seats connected to it, and its viewers."""
        live = self._registry.tables.get(table_id)
        if live is None or worker == self._store.worker:
            return
        holders = [
            live.table.seats[int(seat)].plan.holder
            for seat in seats.split(",")
            if seat.isdigit() and int(seat) < len(live.table.seats)
        ]
        if worker not in live.elsewhere and live.watching_here(clock()) != "nobody":
            self.announce(live)  # the other process does not know yet who is connected to this one
        watched = live.watching(clock())
        live.watched_elsewhere[worker] = (watching, clock())
        if watching != "person" and live.readers_elsewhere.pop(worker, None) is not None:
            live.readers_changed.set()
        before = live.elsewhere.get(worker, (frozenset(), 0))[0]
        now = frozenset([holder for holder in holders if holder is not None])
        for holder in before - now:
            live.gone_at[holder] = clock()
        for holder in now:
            live.gone_at.pop(holder, None)
        live.elsewhere[worker] = (now, clock())
        if before != now:
            live.show_presence(clock())
        if before != now or watched != live.watching(clock()):
            self._registry.changed(live)

    def forget_silent(self) -> None:
        """Drop the presence of processes that have not announced anything for long."""
        for live in self._registry.tables.values():
            for worker, (holders, at) in list(live.elsewhere.items()):
                if at < clock() - PRESENCE:
                    del live.elsewhere[worker]
                    live.watched_elsewhere.pop(worker, None)
                    live.readers_elsewhere.pop(worker, None)
                    live.readers_changed.set()
                    for holder in holders:
                        live.gone_at.setdefault(holder, clock())
                    if holders:
                        live.show_presence(clock())
                    self._registry.changed(live)

    async def close(self) -> None:
        """Wait for pending announcements."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


@dataclass(frozen=True)
class _Viewers:
    """The viewers connected to this process, and how quickly they want bots to play."""

    watching: Watching
    readers: tuple[Reader, ...]


def _viewers(live: LiveTable) -> _Viewers:
    return _Viewers(live.watching_here(clock()), live.readers_here())


def _here(live: LiveTable) -> str:
    """Return the seats whose holders are connected to this process, and its viewers, as sent to other processes."""
    holders = {one.holder.hash for one in live.listeners if one.holder is not None}
    seats = ",".join([str(i) for i, seat in enumerate(live.table.seats) if seat.plan.holder in holders]) or "-"
    return f"{seats} {live.watching_here(clock())}"
