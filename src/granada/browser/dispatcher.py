"""The dispatcher: requests and sockets of the page, answered by the tables in this worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, unquote

from granada.api import handlers
from granada.api.call import INTERNAL, NORMAL, POLICY, RESTART, Call, Reply
from granada.api.endpoints import TEXT, Endpoints
from granada.api.handlers import TableId, sockets
from granada.api.problems import problem_reply, too_large
from granada.tables.errors import TableError
from granada.tables.holders import Holder, hash_of
from granada.tables.live_table import Listener, LiveTable
from granada.tables.log import fail
from granada.tables.operations import Caller, Operations
from granada.tables.service import TableService

#: The address of every request: limits per address apply to the device as a whole.
ADDRESS: Final = "device"
#: Called with "opened" and "", with "message" and its text, and with "closed" and the close code.
Send = Callable[[str, str | int], object]

endpoints: Final = Endpoints(handlers.endpoints)


@endpoints.get("/api/tables/{table_id}/handover")
async def handover(call: Call, table_id: TableId) -> Reply:
    """Get the complete record of a running game, for a server that is to continue it.

    16: A server has no such endpoint. Here everything hidden is already on this device, in a database that its user can
    read.
    """
    live = await call.operations.reader(await call.caller(), table_id)
    if live.table.game is None:
        raise TableError("not_running", "The game has not started yet.")
    return Reply(str(live.table.record()).encode(), media_type=TEXT)


@dataclass(frozen=True)
class _Target:
    """The parameters in the address of a request."""

    path_params: dict[str, str]
    query_params: dict[str, str]


class DeviceCall:
    """A call of the API by the page; its caller is always this browser."""

    accepts_gzip: Final = False
    address: Final = ADDRESS

    def __init__(self, operations: Operations, holder: Holder, content_type: str = "", body: bytes = b"") -> None:
        self.operations: Final = operations
        self.media_type: Final = content_type.partition(";")[0].strip().lower()
        self._caller: Final = Caller(holder, ADDRESS)
        self._body: Final = body
        self.is_cancelled: Final = asyncio.Event()

    async def body(self) -> bytes:
        """Return the body."""
        return self._body

    async def caller(self) -> Caller:
        """Return this browser."""
        return self._caller

    async def visitor(self) -> Caller:
        """Return this browser."""
        return self._caller

    async def fault(self) -> str | None:
        """Return None: the page reports whether the device can store anything."""
        return None

    async def gone(self) -> None:
        """Wait until the page cancels the request."""
        await self.is_cancelled.wait()


@dataclass
class _Socket:
    """A socket of the page."""

    send: Send
    #: Texts that the page sent; None closes the socket.
    incoming: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)


class Dispatcher:
    """Answers the requests and serves the sockets of one page; the secret is that of its browser."""

    def __init__(self, tables: TableService, secret: str) -> None:
        #: Referenced, because asyncio does not keep the running tasks of the tables alive.
        self.tables: Final = tables
        self._operations: Final = tables.operations
        self._session: Final = tables.session
        self._holder: Final = Holder(hash_of(secret))
        self._calls: Final[dict[int, DeviceCall]] = {}
        self._sockets: Final[dict[int, _Socket]] = {}
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    # Requests

    async def request(
        self, method: str, path: str, content_type: str = "", body: str | bytes = b"", number: int | None = None
    ) -> Reply:
        """Return the reply to a request to a path with its query; `number` lets the page cancel it."""
        content = _encoded(body) if isinstance(body, str) else body
        call = DeviceCall(self._operations, self._holder, content_type, content)
        if number is not None:
            self._calls[number] = call
        try:
            path, query = _split(path)
            endpoint, path_params = endpoints.match(method, path)
            if len(content) > endpoint.body_limit:
                raise too_large(endpoint.body_limit)
            return await endpoint.serve(call, _Target(path_params, query))
        except TableError as error:
            return problem_reply(error)
        except Exception as error:
            fail("request failed", error)
            return problem_reply(error)
        finally:
            if number is not None:
                self._calls.pop(number, None)

    def cancel(self, number: int) -> None:
        """Stop the work for a request that the page no longer waits for, as far as it can be stopped."""
        call = self._calls.get(number)
        if call is not None:
            call.is_cancelled.set()

    # Sockets

    def open(self, number: int, path: str, send: Send) -> None:
        """Open a socket; it is closed at once if it may not connect."""
        socket = self._sockets[number] = _Socket(send)
        task = asyncio.create_task(self._run(number, socket, path))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def receive(self, number: int, text: str) -> None:
        """Take a text that the page sent over a socket."""
        socket = self._sockets.get(number)
        if socket is not None:
            socket.incoming.put_nowait(_encoded(text).decode())

    def close(self, number: int) -> None:
        """Close a socket."""
        socket = self._sockets.get(number)
        if socket is not None:
            socket.incoming.put_nowait(None)

    async def _run(self, number: int, socket: _Socket, path: str) -> None:
        """Serve a socket until it is closed."""
        code = INTERNAL
        try:
            code = await self._serve(socket, path)
        except TableError:
            code = POLICY
        except Exception as error:
            fail("socket failed", error)
        finally:
            del self._sockets[number]
            socket.send("closed", code)

    async def _serve(self, socket: _Socket, path: str) -> int:
        """Serve a socket until either side closes it, and return the close code; TableError if it may not connect."""
        path, query = _split(path)
        endpoint, path_params = sockets.match("GET", path)
        call = DeviceCall(self._operations, self._holder)
        live, caller, seat = await endpoint.serve(call, _Target(path_params, query))
        listener = self._session.enter(live, caller.holder, seat, caller.address)
        writer: asyncio.Task[None] | None = None
        try:
            socket.send("opened", "")
            writer = asyncio.create_task(_write(socket, listener))
            is_closed_by_page = await self._read(socket, live, listener)
        finally:
            self._session.leave(live, listener)
            listener.close()
            if writer is not None:
                await asyncio.gather(writer, return_exceptions=True)
        if is_closed_by_page:
            return NORMAL
        return POLICY if listener.is_disconnected else RESTART

    async def _read(self, socket: _Socket, live: LiveTable, listener: Listener) -> bool:
        """Execute the commands of the page; returns whether the page closed the socket."""
        while (text := await socket.incoming.get()) is not None:
            if listener.is_over or not await self._session.receive(text, live, listener):
                return False
        return not listener.is_over


async def _write(socket: _Socket, listener: Listener) -> None:
    """Send the messages of a table to the page; closes the socket when there are no more."""
    try:
        while (message := await listener.next()) is not None:
            socket.send("message", message.decode())
    finally:
        listener.close()
        socket.incoming.put_nowait(None)


def _encoded(text: str) -> bytes:
    """Return a text of JavaScript in UTF-8; it may contain half characters (lone surrogates), which are replaced."""
    return text.encode(errors="replace")


def _split(target: str) -> tuple[str, dict[str, str]]:
    """Return the path and the query of a request's target; the last of several values counts, as over HTTP."""
    path, _, query = target.partition("?")
    return unquote(path), dict(parse_qsl(query, keep_blank_values=True))
