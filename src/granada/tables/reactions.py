"""Quick reactions between the players of a table: sent to everybody there, never stored."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final, get_args

from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.live_table import Listener, LiveTable
from granada.tables.messages import React, Reacted, Reaction, encoder
from granada.tables.ports import Unavailable
from granada.tables.rate_limit import MAX_ADDRESSES, Buckets
from granada.tables.registry import TableRegistry

#: Seconds between two reactions of a person, and of a seat, whoever sits there.
INTERVAL: Final = 10.0
REACTIONS: Final = frozenset(get_args(Reaction))
#: The reaction for the end of the game.
WELL_PLAYED: Final = "well"


class Reactions:
    """Sends reactions to the listeners of a table, in this process and in others."""

    def __init__(self, registry: TableRegistry, clock: Callable[[], float] = time.monotonic) -> None:
        self._registry: Final = registry
        #: By the hash of a holder, and by table and seat: each holds one reaction.
        self._limits: Final = Buckets(1 / INTERVAL, 1.0, MAX_ADDRESSES, clock)

    async def react(self, live: LiveTable, holder: Holder, command: React, sender: Listener | None) -> Reacted:
        """Send the reaction of a seat's holder to everybody else at the table; raises TableError."""
        wanted = None if command.seat is None else command.seat - 1
        own = live.table.seats_of(holder.hash)
        if not own or (wanted is not None and wanted not in own):
            raise TableError("no_seat", "Only the players of this table can react.")
        phase = live.table.phase
        if phase == "lobby":
            raise TableError("not_running", "You can react when the game has started.")
        if command.reaction == WELL_PLAYED and phase != "over":
            raise TableError("not_over", "You can say “well played” when the game is over.")
        seat = live.seat_for(holder, wanted)
        assert seat is not None
        wait = self._take(holder.hash, live.table.id, seat)
        if wait:
            raise TableError(
                "too_soon", f"You can react once every {INTERVAL:g} seconds. Try again in {math.ceil(wait)} s."
            )
        self._send(live, seat, command.reaction, sender)
        if not self._registry.store.is_embedded:
            message = f"react {live.table.id} {self._registry.store.worker} {seat} {command.reaction}"
            try:
                await self._registry.store.broadcast([message])
            except Unavailable:
                self._registry.metrics.database_failed()  # readers at other processes miss it
        return Reacted(seat + 1, command.reaction, command.id)

    def receive(self, table_id: str, worker: str, seat: str, reaction: str) -> None:
        """Send on a reaction from another process."""
        live = self._registry.tables.get(table_id)
        if live is None or worker == self._registry.store.worker or reaction not in REACTIONS:
            return
        if not seat.isdigit() or int(seat) >= len(live.table.seats):
            return
        holder = live.table.seats[int(seat)].plan.holder
        if holder is not None:
            self._take(holder, table_id, int(seat))  # the limits hold for all processes together
        self._send(live, int(seat), reaction)

    def _take(self, holder: str, table_id: str, seat: int) -> float:
        """Use up the reaction of a person and of a seat; returns the seconds to wait if there is none yet."""
        return self._limits.take(holder) or self._limits.take(f"{table_id} {seat}")

    def _send(self, live: LiveTable, seat: int, reaction: str, sender: Listener | None = None) -> None:
        message = encoder.encode(Reacted(seat + 1, reaction))
        for listener in list(live.listeners):
            if listener is not sender and live.may_read(listener.holder):
                listener.send(message)
