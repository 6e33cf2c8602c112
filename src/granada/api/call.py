"""A request to the API and its reply, whatever transport they use."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

import msgspec

from granada.api.endpoints import JSON
from granada.tables.errors import TableError
from granada.tables.operations import Caller, Operations

T = TypeVar("T")
#: The status of the reply to a request whose client is gone; it is never sent.
CLIENT_GONE: Final = 499
#: Close codes of sockets: the client closed it; it may not connect, is too slow or sends too much; an unexpected error;
#: the server restarts, so the client reconnects.
NORMAL: Final = 1000
POLICY: Final = 1008
INTERNAL: Final = 1011
RESTART: Final = 1012


@dataclass(frozen=True)
class Reply:
    """The reply to a request."""

    body: bytes = b""
    status: int = 200
    media_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


class Call(Protocol):
    """A request, as its handler sees it."""

    @property
    def operations(self) -> Operations:
        """Return the operations on the tables."""

    @property
    def address(self) -> str:
        """Return the address of the client, which limits apply to."""

    @property
    def media_type(self) -> str:
        """Return the media type of the body, in lower case and without parameters."""

    @property
    def accepts_gzip(self) -> bool:
        """Return whether the reply may be compressed."""

    async def body(self) -> bytes:
        """Return the body."""

    async def caller(self) -> Caller:
        """Return the caller; its holder is None without credentials."""

    async def visitor(self) -> Caller:
        """Return the caller; a new one gets credentials with the reply."""

    async def fault(self) -> str | None:
        """Return a sentence about the problem if nothing can be stored at present."""

    async def gone(self) -> None:
        """Wait until the client no longer waits for the reply; the body must have been read."""


def json_reply(content: bytes, status: int = 200) -> Reply:
    """Return a reply with encoded JSON."""
    return Reply(content, status)


def packed_reply(content: bytes) -> Reply:
    """Return a reply with encoded JSON that is compressed with gzip."""
    return Reply(content, headers={"content-encoding": "gzip", "vary": "accept-encoding"})


def check_media(call: Call, wanted: str) -> None:
    """Reject a body of another media type."""
    if call.media_type != wanted:
        raise TableError("unsupported_media", f"the body must be {wanted}")


async def body_of(call: Call, kind: type[T]) -> T:
    """Decode the JSON body of a request; TableError if it is invalid."""
    check_media(call, JSON)
    try:
        return msgspec.json.decode(await call.body(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TableError("malformed", f"the body is invalid: {error}") from None


async def unless_gone(gone: Coroutine[Any, Any, None], work: Coroutine[Any, Any, T]) -> T | None:
    """Return the result of the work; cancel it and return None if the client is gone first."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(gone)
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        for task in (working, leaving):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await leaving
