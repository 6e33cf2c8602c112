"""Sessions: listeners connect to tables, send commands, and get the messages."""

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
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.live_table import Listener, LiveTable
from granada.tables.messages import Answer, Ask, Command, Farewell, Here, Look, Problem, command_decoder, encoder
from granada.tables.presence import Presence
from granada.tables.rate_limit import Bucket, Buckets
from granada.tables.registry import TableRegistry, command_key

#: The most characters of a command.
LONGEST: Final = 4096
#: The most commands at once of one listener, and of all listeners of an address.
BURST: Final = 100.0
ADDRESS_BURST: Final = 300.0
#: A command at a table with this many listeners counts twice, because each of them gets a message.
AUDIENCE: Final = 50
#: Milliseconds that a client waits before it reconnects after a restart.
REST: Final = 1000


def read_command(text: str | bytes) -> Command:
    """Decode a command; TableError says what is wrong with the text."""
    if len(text) > LONGEST:
        raise TableError("too_large", f"a command has at most {LONGEST} characters")
    try:
        return command_decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TableError("malformed", f"this is no command: {error}") from None


class Session:
    """Connects listeners to tables and executes their commands, whatever transport they use."""

    def __init__(
        self, registry: TableRegistry, presence: Presence, rate: float = 0.0, commands: float = 0.0, sockets: int = 0
    ) -> None:
        self._registry: Final = registry
        self._presence: Final = presence
        #: Commands a second of one listener, then of all listeners of an address; 0 sets no limit.
        self._rate: Final = rate
        self._commands: Final = Buckets(commands, ADDRESS_BURST)
        self.admission: Final = Admission(sockets)
        #: Everyone who is connected, at all tables.
        self.listeners: Final[set[Listener]] = set()

    async def execute(
        self, live: LiveTable, holder: Holder | None, command: Command, listener: Listener | None
    ) -> bytes:
        """Execute a command; the reply is returned, or sent to the listener (then nothing is returned)."""
        if isinstance(command, Look):
            await self._registry.newest(live.table.id)
            return self._look(live, holder, command, listener)
        if holder is None:
            raise TableError("no_seat", "you hold no seat at this table")
        if isinstance(command, Ask):
            return encoder.encode(self._answer(live, holder, command))
        if isinstance(command, Here) and live.table.passing is None:
            # The player is there already: another page of the same device may have said so.
            return self._look(live, holder, Look(command.id, command.seat), listener)
        await self._registry.change(
            live.table.id,
            lambda table: propose(table, holder, command),
            command_key(holder, command.id),
            listener,
        )
        if listener is not None:
            return b""
        return live.message(holder, _index(command.seat), clock(), command.id, is_news=True)

    def _look(self, live: LiveTable, holder: Holder | None, command: Look, listener: Listener | None) -> bytes:
        live.check_reader(holder)
        wanted = _index(command.seat)
        if wanted is not None and (holder is None or wanted not in live.table.seats_of(holder.hash)):
            raise TableError("no_seat", f"you do not hold seat {command.seat}")
        if listener is not None:
            listener.seat = wanted
        return live.message(holder, wanted, clock(), command.id)

    def _answer(self, live: LiveTable, holder: Holder, ask: Ask) -> Answer:
        game = live.table.game
        seat = live.seat_for(holder, _index(ask.seat))
        if game is None:
            raise TableError("not_running", "the game has not begun")
        if seat is None:
            raise TableError("no_seat", "you hold no such seat at this table")
        try:
            return answer(game.state, seat, ask, live.table.options.aids == "all")
        except (NotationError, IllegalAction) as error:
            raise TableError("malformed", str(error)) from None

    async def receive(self, text: str | bytes, live: LiveTable, listener: Listener) -> bool:
        """Execute the command that a listener has sent, within its limits; False if the listener is disconnected."""
        if listener.commands.take():
            listener.send(self._problem(TableError("too_many", "too many commands; the connection is closed"), None))
            listener.send_away()
            return False
        # An address that exceeds its limit waits: no single one of its connections is to blame.
        wait = self._commands.reserve(listener.address, 1 + len(live.listeners) / AUDIENCE)
        if wait:
            await asyncio.sleep(wait)
        if listener.is_over:  # its token was revoked meanwhile, for example
            return False
        begun = time.perf_counter()
        if await self._serve(text, live, listener):
            self._registry.metrics.command_done(time.perf_counter() - begun)
        return True

    async def _serve(self, text: str | bytes, live: LiveTable, listener: Listener) -> bool:
        """Execute a command; an error is followed by the current message."""
        command: Command | None = None
        try:
            command = read_command(text)
            reply = await self.execute(live, listener.holder, command, listener)
        except TableError as error:
            listener.send(self._problem(error, command))
            listener.send(live.message(listener.holder, listener.seat, clock()))
            return False
        if reply:
            listener.send(reply)
        return True

    def enter(
        self, live: LiveTable, holder: Holder | None, seat: int | None, address: str, is_person: bool = True
    ) -> Listener:
        """Add a listener to a table; TableError if there are too many. It must `leave` in the end."""
        listener = Listener(holder, seat, is_person, address, live.takes_part(holder))
        self.admission.enter(address, listener.is_player)
        try:
            self._presence.enter(live, listener)
        except TableError:
            self.admission.leave(address, listener.is_player)
            raise
        listener.commands = Bucket(self._rate, BURST)
        self.listeners.add(listener)
        listener.send(live.message(listener.holder, listener.seat, clock()))
        return listener

    def leave(self, live: LiveTable, listener: Listener) -> None:
        """Remove a listener."""
        self.listeners.discard(listener)
        self.admission.leave(listener.address, listener.is_player)
        self._presence.leave(live, listener)

    def dismiss(self, hashed: str) -> None:
        """Close the sockets and streams of a holder whose token was revoked."""
        for listener in list(self.listeners):
            if listener.holder is not None and listener.holder.hash == hashed:
                listener.send_away()

    def say_goodbye(self) -> None:
        """Tell all listeners to reconnect after the restart, and close them."""
        farewell = encoder.encode(Farewell(REST))
        for listener in self.listeners:
            listener.send(farewell)
            listener.close()

    def _problem(self, error: TableError, command: Command | None) -> bytes:
        self._registry.metrics.error_sent(error.code)
        command_id = None if command is None else command.id
        return encoder.encode(Problem(error.code, error.detail, error.rule, command_id, error.reason))


def _index(seat: int | None) -> int | None:
    return None if seat is None else seat - 1
