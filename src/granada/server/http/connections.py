"""Limits on the duration and number of incomplete requests, so that they cannot use up all file descriptors."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

try:
    import resource
except ImportError:  # Windows sets no such limit
    resource = None  # type: ignore[assignment]

#: Seconds within which the head and the body of a request must arrive.
REQUEST_TIMEOUT: Final = 20.0
#: Incomplete requests may use 1/FILE_SHARE of the process's file descriptors, within these bounds.
FILE_SHARE: Final = 4
MIN_INCOMPLETE: Final = 32
MAX_INCOMPLETE: Final = 1000
#: The most bytes of a request line with its headers; `websockets` reads it from an environment variable.
MAX_HEAD: Final = 65_536
_TIMEOUT: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_HEAD_TOO_LARGE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
)
#: The incomplete requests of this process with their timers, the oldest first.
_incomplete: Final[dict[TimeLimitedProtocol, asyncio.TimerHandle]] = {}


def raise_file_limit(wanted: int = 65_536) -> None:
    """Raise the limit of open files as far as the system allows; every connection is a file."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        if soft != resource.RLIM_INFINITY and soft < allowed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def max_incomplete() -> int:
    """Return the maximum number of incomplete requests in this process."""
    allowed = MIN_INCOMPLETE
    if resource is not None:
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = (
            MAX_INCOMPLETE
            if soft == resource.RLIM_INFINITY
            else max(MIN_INCOMPLETE, min(MAX_INCOMPLETE, soft // FILE_SHARE))
        )
    return allowed


class TimeLimitedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 protocol with limits on incomplete requests; open sockets are not affected."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit for the first request."""
        super().connection_made(transport)
        self._update_timer()

    def data_received(self, data: bytes) -> None:
        """Handle data, and stop the time limit when the request is complete."""
        super().data_received(data)
        self._update_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the time limit."""
        self._stop_timer()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Switch to the WebSocket protocol; reject a head above its limit."""
        super().handle_websocket_upgrade(event)
        socket: Any = self.transport.get_protocol()
        # Above its limit, the library stops reading the head and waits forever.
        if not getattr(socket, "handshake_initiated", True):
            self.transport.write(_HEAD_TOO_LARGE)
            self.transport.close()

    def _update_timer(self) -> None:
        """Start the time limit at the beginning of a request, and stop it at the end."""
        is_waiting = self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()
        if not is_waiting or self.transport.get_protocol() is not self:
            self._stop_timer()
        elif self not in _incomplete:
            _incomplete[self] = self.loop.call_later(REQUEST_TIMEOUT, self._time_out)
            if len(_incomplete) > MIN_INCOMPLETE and len(_incomplete) > max_incomplete():
                next(iter(_incomplete))._time_out()

    def _stop_timer(self) -> None:
        timer = _incomplete.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _time_out(self) -> None:
        self._stop_timer()
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(_TIMEOUT)
        self.transport.close()
