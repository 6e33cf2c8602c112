"""A time limit for slow requests, and a limit of unfinished ones, so that they never use up the server's files."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

try:
    import resource
except ImportError:  # Windows sets no such limit
    resource = None  # type: ignore[assignment]

#: Seconds in which the head and the body of a request have to arrive.
TIME_TO_ASK: Final = 20.0
#: Unfinished requests use at most one in this many of the files that the process may open.
SHARE: Final = 4
#: The bounds of that number, whatever the system allows.
FEWEST, MOST = 32, 1000
#: The most bytes of a request line with its headers; the WebSocket library needs it as a variable of the environment.
LONGEST_HEAD: Final = 65_536
_TOO_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_LONG: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
#: The unfinished requests of this process, the oldest first.
_unfinished: Final[dict[TimeLimitedProtocol, asyncio.TimerHandle]] = {}


def raise_file_limit(wanted: int = 65_536) -> None:
    """Raise the limit of open files to what the system allows; every connection is a file."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        if soft != resource.RLIM_INFINITY and soft < allowed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def most_unfinished() -> int:
    """How many unfinished requests this process keeps at once."""
    allowed = FEWEST
    if resource is not None:
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = MOST if soft == resource.RLIM_INFINITY else max(FEWEST, min(MOST, soft // SHARE))
    return allowed


class TimeLimitedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1, but requests that are never finished are closed; this does not affect sockets."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connected; from now on the first request has to come."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """A piece of a request came, perhaps its last."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._finish()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """A socket is asked for: what follows is not HTTP any more."""
        super().handle_websocket_upgrade(event)
        socket: Any = self.transport.get_protocol()
        # Beyond its limit the library stops reading the header and waits for ever.
        if not getattr(socket, "handshake_initiated", True):
            self.transport.write(_TOO_LONG)
            self.transport.close()

    def _watch(self) -> None:
        """Set the time limit with the first piece of a request, and take it away with the last."""
        is_waiting = self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()
        if not is_waiting or self.transport.get_protocol() is not self:
            self._finish()
        elif self not in _unfinished:
            _unfinished[self] = self.loop.call_later(TIME_TO_ASK, self._give_up)
            if len(_unfinished) > FEWEST and len(_unfinished) > most_unfinished():
                next(iter(_unfinished))._give_up()

    def _finish(self) -> None:
        timer = _unfinished.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _give_up(self) -> None:
        self._finish()
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(_TOO_LATE)
        self.transport.close()
