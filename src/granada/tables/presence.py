"""Who is there: players come and go, at this process and at others on the same database."""

from __future__ import annotations

import asyncio
from typing import Final

from granada.tables.clock import clock
from granada.tables.holders import Holder
from granada.tables.live_table import Listener, LiveTable, Watching
from granada.tables.ports import Unavailable
from granada.tables.registry import TableRegistry

#: What other processes said about who is there counts for so many milliseconds.
PRESENCE: Final = 40_000
#: Seconds in which announcements are collected.
TOGETHER: Final = 0.05


class Presence:
    """Lets everybody at a table see who comes and goes, and tells other processes."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry: Final = registry
        self._store: Final = registry.store
        #: The tables whose players other processes are to be told of.
        self._announced: Final[list[LiveTable]] = []
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        # So that other processes tell who is connected to them.
        registry.loaded = self.announce

    def enter(self, live: LiveTable, listener: Listener) -> None:
        """Somebody looks at a table."""
        was_here = listener.holder is not None and live.is_here(listener.holder.hash)
        before = live.watching_here(clock())
        live.join(listener)
        if listener.holder is not None:
            live.gone_at.pop(listener.holder.hash, None)
        self._show(live, listener, was_here)
        self._note_watching(live, before)

    def visit(self, live: LiveTable, address: str, holder: Holder | None = None) -> None:
        """Somebody asked about a table, or did something there, without staying connected."""
        before, live.visited_at = live.watching_here(clock()), clock()
        live.note_address(address, live.takes_part(holder))
        self._note_watching(live, before)

    def leave(self, live: LiveTable, listener: Listener) -> None:
        """Somebody looks away."""
        before = live.watching_here(clock())
        live.part(listener)
        is_here = listener.holder is not None and live.is_here(listener.holder.hash)
        if listener.holder is not None and not is_here and live.table.seats_of(listener.holder.hash):
            live.gone_at[listener.holder.hash] = clock()
        live.used_at = clock()
        self._show(live, listener, is_here)
        self._note_watching(live, before)

    def _note_watching(self, live: LiveTable, before: Watching) -> None:
        """Let the bots of a table go on as soon as somebody watches, at whichever process."""
        if live.watching_here(clock()) != before:
            self._registry.changed(live)
            self.announce(live)

    def _show(self, live: LiveTable, listener: Listener, is_otherwise_here: bool) -> None:
        """Let everybody see that a player came or went."""
        if is_otherwise_here or listener.holder is None or not live.table.seats_of(listener.holder.hash):
            return
        live.show_presence(clock(), besides=listener)
        self._registry.changed(live)
        self.announce(live)

    def announce(self, live: LiveTable) -> None:
        """Tell other processes soon who is connected to this one; those of many tables together."""
        if self._store.is_embedded or live.table.phase == "over":
            return
        self._announced.append(live)
        if len(self._announced) == 1:
            task = asyncio.create_task(self._announce())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _announce(self) -> None:
        await asyncio.sleep(TOGETHER)
        news = {live.table.id: f"here {live.table.id} {self._store.worker} {_here(live)}" for live in self._announced}
        self._announced.clear()
        try:
            await self._store.broadcast(list(news.values()))
        except Unavailable:
            self._registry.metrics.database_failed()  # the next announcement will tell it

    def hear(self, table_id: str, worker: str, seats: str, watching: Watching) -> None:
        """Another process told who is connected to it, and who watches there."""
        live = self._registry.tables.get(table_id)
        if live is None or worker == self._store.worker:
            return
        holders = [
            live.table.seats[int(seat)].plan.holder
            for seat in seats.split(",")
            if seat.isdigit() and int(seat) < len(live.table.seats)
        ]
        if worker not in live.elsewhere and live.watching_here(clock()) != "nobody":
            self.announce(live)  # it does not know yet who is connected to this one
        watched = live.watching(clock())
        live.watched_elsewhere[worker] = (watching, clock())
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
        """A process that was silent for long is gone, and those who were connected to it."""
        for live in self._registry.tables.values():
            for worker, (holders, at) in list(live.elsewhere.items()):
                if at < clock() - PRESENCE:
                    del live.elsewhere[worker]
                    live.watched_elsewhere.pop(worker, None)
                    for holder in holders:
                        live.gone_at.setdefault(holder, clock())
                    if holders:
                        live.show_presence(clock())
                    self._registry.changed(live)

    async def close(self) -> None:
        """Let announcements that began come to their end."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _here(live: LiveTable) -> str:
    """The seats whose holders are connected to this process, and who watches over it."""
    holders = {one.holder.hash for one in live.listeners if one.holder is not None}
    seats = ",".join([str(i) for i, seat in enumerate(live.table.seats) if seat.plan.holder in holders]) or "-"
    return f"{seats} {live.watching_here(clock())}"
