"""Serving of a table over a WebSocket, or over a stream of JSON lines for programs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from granada.api.call import POLICY, RESTART
from granada.server.ops import metrics
from granada.tables.holders import Holder
from granada.tables.live_table import Listener, LiveTable
from granada.tables.session import Session

NDJSON: Final = "application/x-ndjson"
#: Seconds between empty lines in an idle stream, so that both sides notice a lost connection.
HEARTBEAT: Final = 15.0


async def serve_socket(
    session: Session, socket: WebSocket, live: LiveTable, holder: Holder | None, seat: int | None, address: str
) -> None:
    """Serve a socket until it closes; raises TableError before it is accepted if it may not connect."""
    listener = session.enter(live, holder, seat, address)
    metrics.SOCKETS.inc()
    writer: asyncio.Task[None] | None = None
    try:
        await socket.accept()
        writer = asyncio.create_task(_write(socket, listener))
        await _read(session, socket, live, listener)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the client disconnected
    finally:
        metrics.SOCKETS.dec()
        session.leave(live, listener)
        listener.close()
        if writer is not None:
            await asyncio.gather(writer, return_exceptions=True)


async def _read(session: Session, socket: WebSocket, live: LiveTable, listener: Listener) -> None:
    while not listener.is_over:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect" or listener.is_over:
            return
        text = message.get("text")
        if not await session.receive(text if text is not None else message.get("bytes") or b"", live, listener):
            return


async def _write(socket: WebSocket, listener: Listener) -> None:
    try:
        while (message := await listener.next()) is not None:
            await socket.send_text(message.decode())
        if socket.application_state is WebSocketState.CONNECTED:
            await socket.close(POLICY if listener.is_disconnected else RESTART)
    except (WebSocketDisconnect, RuntimeError, OSError):
        listener.close()  # the client disconnected


class TableStream(StreamingResponse):
    """The messages of a table as lines of JSON; the listener is removed even if the stream never starts."""

    def __init__(self, session: Session, live: LiveTable, listener: Listener) -> None:
        super().__init__(_lines(live, listener), media_type=NDJSON, headers={"x-accel-buffering": "no"})
        self._leave: Final = partial(session.leave, live, listener)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the messages."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


async def _lines(live: LiveTable, listener: Listener) -> AsyncIterator[bytes]:
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
