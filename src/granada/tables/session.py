"""Playing at a table: commands come in over a socket, a stream or a POST, and the one message goes out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from granada.rules.errors import IllegalAction, NotationError
from granada.server.ops import metrics
from granada.tables.admission import Admission
from granada.tables.answers import answer
from granada.tables.commands import propose
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.limits import Bucket, Buckets
from granada.tables.live_table import Listener, LiveTable
from granada.tables.messages import Answer, Ask, Command, Farewell, Here, Look, Problem, command_decoder, encoder
from granada.tables.presence import Presence
from granada.tables.registry import TableRegistry, clock, command_key

#: No command is longer; a longer frame closes the socket.
LONGEST: Final = 4096
#: So many commands may come at once over one socket.
BURST: Final = 100.0
#: The most commands at once over all sockets of an address.
ADDRESS_BURST: Final = 300.0
#: A command at a table with this many listeners counts twice, because each of them gets a message.
AUDIENCE: Final = 50
#: Codes with which a socket is closed: come back (1012), too slow or too fast (1008).
COME_BACK: Final = 1012
TOO_MUCH: Final = 1008
#: So many milliseconds a client waits before it comes back after a restart.
REST: Final = 1000
#: Seconds between two empty lines of a quiet stream, by which both sides see that the other is there.
HEARTBEAT: Final = 15.0


def read_command(text: str | bytes) -> Command:
    """A command; TableError says what is wrong with the text."""
    if len(text) > LONGEST:
        raise TableError("too_large", f"a command has at most {LONGEST} characters")
    try:
        return command_decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TableError("malformed", f"this is no command: {error}") from None


class Session:
    """Where commands are obeyed, however they come in."""

    def __init__(
        self, registry: TableRegistry, presence: Presence, rate: float = 0.0, commands: float = 0.0, sockets: int = 0
    ) -> None:
        self._registry: Final = registry
        self._presence: Final = presence
        #: Commands a second over one socket; 0 sets no limit.
        self._rate: Final = rate
        #: The same over all sockets of an address, and how many of them there are.
        self._commands: Final = Buckets(commands, ADDRESS_BURST)
        self.admission: Final = Admission(sockets)
        #: The sockets and streams that are told when the server goes down.
        self.listeners: Final[set[Listener]] = set()

    async def obey(self, live: LiveTable, holder: Holder | None, command: Command, listener: Listener | None) -> bytes:
        """Obey a command; the answer is returned, or comes to the listener (then nothing is returned)."""
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

    async def attend(
        self, socket: WebSocket, live: LiveTable, holder: Holder | None, seat: int | None, address: str
    ) -> None:
        """Serve a socket until it closes; TableError if it is not let in, before it is accepted."""
        listener = self.enter(live, holder, seat, address)
        metrics.SOCKETS.inc()
        writer: asyncio.Task[None] | None = None
        try:
            await socket.accept()
            writer = asyncio.create_task(self._write(socket, listener))
            await self._read(socket, live, listener)
        except (WebSocketDisconnect, RuntimeError):
            pass  # it is gone; a closed socket cannot be read either
        finally:
            metrics.SOCKETS.dec()
            self.leave(live, listener)
            listener.close()
            if writer is not None:
                await asyncio.gather(writer, return_exceptions=True)

    async def _read(self, socket: WebSocket, live: LiveTable, listener: Listener) -> None:
        bucket = Bucket(self._rate, BURST)
        while not listener.is_over:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect" or listener.is_over:
                return
            text = message.get("text")
            if bucket.take():
                listener.send(_problem(TableError("too_many", "these are more commands than anybody can mean"), None))
                listener.send_away()
                return
            if not await self._may_go_on(live, listener):
                return
            begun = time.perf_counter()
            if await self.serve(text if text is not None else message.get("bytes") or b"", live, listener):
                metrics.ANSWER_SECONDS.observe(time.perf_counter() - begun)

    async def _may_go_on(self, live: LiveTable, listener: Listener) -> bool:
        """Wait for the limit of the address; False if the listener was sent away meanwhile, as with a revoked token."""
        # An address that exceeds its limit waits: no single one of its sockets is to blame.
        wait = self._commands.reserve(listener.address, 1 + len(live.listeners) / AUDIENCE)
        if wait:
            await asyncio.sleep(wait)
        return not listener.is_over

    async def serve(self, text: str | bytes, live: LiveTable, listener: Listener) -> bool:
        """Obey what came over a socket; an error is followed by the current message."""
        command: Command | None = None
        try:
            command = read_command(text)
            reply = await self.obey(live, listener.holder, command, listener)
        except TableError as error:
            listener.send(_problem(error, command))
            listener.send(live.message(listener.holder, listener.seat, clock()))
            return False
        if reply:
            listener.send(reply)
        return True

    async def _write(self, socket: WebSocket, listener: Listener) -> None:
        try:
            while (message := await listener.next()) is not None:
                await socket.send_text(message.decode())
            if socket.application_state is WebSocketState.CONNECTED:
                await socket.close(TOO_MUCH if listener.is_sent_away else COME_BACK)
        except (WebSocketDisconnect, RuntimeError, OSError):
            listener.close()  # it is gone

    async def stream(self, live: LiveTable, listener: Listener) -> AsyncIterator[bytes]:
        """The same messages as lines of JSON, for a listener that was let in."""
        while True:
            try:
                message = await asyncio.wait_for(listener.next(), HEARTBEAT)
            except TimeoutError:
                yield b"\n"
                continue
            if message is None:
                return
            yield message + b"\n"
            if live.table.phase == "over" and not listener.has_more:
                return

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
        """Tell everybody to come back after a restart."""
        farewell = encoder.encode(Farewell(REST))
        for listener in self.listeners:
            listener.send(farewell)
            listener.close()


def _problem(error: TableError, command: Command | None) -> bytes:
    metrics.REFUSALS.labels(error.code).inc()
    return encoder.encode(
        Problem(error.code, error.detail, error.rule, command.id if command is not None else None, error.reason)
    )


def _index(seat: int | None) -> int | None:
    return None if seat is None else seat - 1
