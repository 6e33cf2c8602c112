"""Sessions: listeners connect to tables, send commands and receive messages."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import msgspec

from granada.rules.errors import IllegalAction, NotationError
from granada.tables.admission import Admission
from granada.tables.answers import answer
from granada.tables.clock import clock
from granada.tables.commands import propose
from granada.tables.correspondence import let_bot
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.live_table import Listener, LiveTable
from granada.tables.messages import (
    Answer,
    Ask,
    Command,
    Here,
    LetBot,
    Look,
    Pace,
    Problem,
    React,
    Reconnect,
    command_decoder,
    encoder,
)
from granada.tables.presence import Presence
from granada.tables.rate_limit import Bucket, Buckets
from granada.tables.reactions import Reactions
from granada.tables.registry import TableRegistry, command_key

#: The limit of characters in a command.
LONGEST: Final = 4096
#: The burst limit of commands, for one listener and for all listeners of an address.
BURST: Final = 100.0
ADDRESS_BURST: Final = 300.0
#: A command at a table with this many listeners counts twice, because each of them gets a message.
AUDIENCE: Final = 50
#: Milliseconds that a client waits before it reconnects after a restart.
REST: Final = 1000


def read_command(text: str | bytes) -> Command:
    """Decode a command; raises TableError if it is malformed."""
    if len(text) > LONGEST:
        raise TableError("too_large", f"A command may have at most {LONGEST} characters.")
    try:
        return command_decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TableError("malformed", f"This is not a valid command: {error}") from None


class Session:
    """Connects listeners to tables and executes their commands, whatever transport they use."""

    def __init__(
        self, registry: TableRegistry, presence: Presence, rate: float = 0.0, commands: float = 0.0, sockets: int = 0
    ) -> None:
        self._registry: Final = registry
        self._presence: Final = presence
        self.reactions: Final = Reactions(registry)
        #: Commands a second of one listener, then of all listeners of an address; 0 sets no limit.
        self._rate: Final = rate
        self._commands: Final = Buckets(commands, ADDRESS_BURST)
        self.admission: Final = Admission(sockets)
        #: The listeners of all tables.
        self.listeners: Final[set[Listener]] = set()

    async def execute(
        self, live: LiveTable, holder: Holder | None, command: Command, listener: Listener | None
    ) -> bytes:
        """Execute a command; the reply is returned, or sent to the listener (then nothing is returned)."""
        if isinstance(command, Look):
            await self._registry.newest(live.table.id)
            return self._look(live, holder, command, listener)
        if isinstance(command, Pace):
            if listener is None:
                return self._look(live, holder, Look(command.id), None)
            self._presence.choose_pace(live, listener, command)
            return b""
        if holder is None:
            raise TableError("no_seat", "You have no seat at this table.")
        if isinstance(command, Ask):
            return encoder.encode(self._answer(live, holder, command))
        if isinstance(command, React):
            return encoder.encode(await self.reactions.react(live, holder, command, listener))
        if isinstance(command, Here) and live.table.passing is None:
            # Another page of the same device has already sent it.
            return self._look(live, holder, Look(command.id, command.seat), listener)
        await self._registry.change(
            live.table.id,
            lambda table: (
                let_bot(table, holder, command, clock())
                if isinstance(command, LetBot)
                else propose(table, holder, command)
            ),
            command_key(holder, command.id),
            listener,
        )
        if listener is not None:
            return b""
        wanted = None if isinstance(command, LetBot) else _index(command.seat)
        return live.message(holder, wanted, clock(), command.id, with_events=True)

    def _look(self, live: LiveTable, holder: Holder | None, command: Look, listener: Listener | None) -> bytes:
        live.check_reader(holder)
        wanted = _index(command.seat)
        if wanted is not None and (holder is None or wanted not in live.table.seats_of(holder.hash)):
            raise TableError("no_seat", f"Seat {command.seat} is not yours.")
        if listener is not None:
            listener.seat = wanted
        return live.message(holder, wanted, clock(), command.id)

    def _answer(self, live: LiveTable, holder: Holder, ask: Ask) -> Answer:
        game = live.table.game
        seat = live.seat_for(holder, _index(ask.seat))
        if game is None:
            raise TableError("not_running", "The game has not started yet.")
        if seat is None:
            raise TableError("no_seat", "You do not have this seat.")
        try:
            return answer(game.state, seat, ask, live.table.options.aids == "all")
        except (NotationError, IllegalAction) as error:
            raise TableError("malformed", str(error)) from None

    async def receive(self, text: str | bytes, live: LiveTable, listener: Listener) -> bool:
        """Execute a command from a listener within its rate limits; returns False if it is disconnected."""
        if listener.commands.take():
            error = TableError("too_many", "Too many commands. The connection was closed; reconnect in a moment.")
            listener.send(self._problem(error, None))
            listener.disconnect()
            return False
        # Many clients may share an address, so delay their commands instead of disconnecting one of them.
        wait = self._commands.reserve(listener.address, 1 + len(live.listeners) / AUDIENCE)
        if wait:
            await asyncio.sleep(wait)
        if listener.is_over:  # closed meanwhile, for example because its token was revoked
            return False
        started_at = time.perf_counter()
        if await self._serve(text, live, listener):
            self._registry.metrics.command_done(time.perf_counter() - started_at)
        return True

    async def _serve(self, text: str | bytes, live: LiveTable, listener: Listener) -> bool:
        """Execute a command; an error is followed by the current message."""
        command: Command | None = None
        try:
            command = read_command(text)
            reply = await self.execute(live, listener.holder, command, listener)
        except TableError as error:
            listener.send(self._problem(error, command))
            if not isinstance(command, React):  # a refused reaction is no reason to read the table again
                listener.send(live.message(listener.holder, listener.seat, clock()))
            return False
        if reply:
            listener.send(reply)
        return True

    def enter(
        self, live: LiveTable, holder: Holder | None, seat: int | None, address: str, is_person: bool = True
    ) -> Listener:
        """Add a listener to a table; raises TableError if there are too many. Call `leave` when it is done."""
        listener = Listener(holder, seat, is_person, address, live.takes_part(holder))
        self.admission.enter(listener)
        try:
            self._presence.enter(live, listener)
        except TableError:
            self.admission.leave(listener)
            raise
        listener.commands = Bucket(self._rate, BURST)
        self.listeners.add(listener)
        listener.send(live.message(listener.holder, listener.seat, clock()))
        return listener

    def leave(self, live: LiveTable, listener: Listener) -> None:
        """Remove a listener."""
        self.listeners.discard(listener)
        self.admission.leave(listener)
        self._presence.leave(live, listener)

    def dismiss(self, hashed: str) -> None:
        """Close the sockets and streams of a holder whose token was revoked."""
        for listener in list(self.listeners):
            if listener.holder is not None and listener.holder.hash == hashed:
                listener.disconnect()

    def announce_restart(self) -> None:
        """Ask all listeners to reconnect after the restart, and close them."""
        message = encoder.encode(Reconnect(REST))
        for listener in self.listeners:
            listener.send(message)
            listener.close()

    def _problem(self, error: TableError, command: Command | None) -> bytes:
        self._registry.metrics.error_sent(error.code)
        command_id = None if command is None else command.id
        return encoder.encode(Problem(error.code, error.detail, error.rule, command_id, error.reason))


def _index(seat: int | None) -> int | None:
    return None if seat is None else seat - 1
