"""How much a request may bring."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from granada.server.http.leaving import LEFT
from granada.server.http.templates import path_pattern
from granada.tables.errors import TableError, refuse

#: Every command and every set of options fits many times.
BODY_LIMIT: Final = 64 * 1024
#: The most bytes of a refused body that are read after the answer, and the most seconds for that.
DRAINED: Final = 64 * 1024 * 1024
DRAIN_SECONDS: Final = 10.0


class BodyLimit:
    """Refuses bodies above the limit: at once if they are announced, otherwise when too much has come.

    A body is read before the application is called, so that it is refused whatever the application would do with it.
    """

    def __init__(self, app: ASGIApp, limit: int = BODY_LIMIT, larger: Mapping[str, int] | None = None) -> None:
        self._app: Final = app
        self._limit: Final = limit
        self._larger: Final = [(path_pattern(template), most) for template, most in (larger or {}).items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        announced = headers.get("content-length")
        if announced is None and "transfer-encoding" not in headers and not _may_stream(scope):
            await self._app(scope, receive, send)
            return
        limit = self._limit_of(scope["path"])
        if announced is not None and not (announced.isascii() and announced.isdigit()):
            await refuse(scope, receive, send, TableError("malformed", "the header Content-Length is no number"))
            return
        # The number can have any length; a longer one than the limit's is larger, and not turned into a number.
        digits = (announced or "").lstrip("0")
        if len(digits) > len(str(limit)) or int(digits or "0") > limit:
            await _refuse(scope, receive, send, limit, 0)
            return
        messages: list[Message] = []
        size = 0
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                # The client broke off: nobody waits for an answer, and nothing may be done with half a body.
                await Response(status_code=LEFT)(scope, receive, send)
                return
            messages.append(message)
            more = message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > limit:
                await _refuse(scope, receive, send, limit, size)
                return
        body = iter(messages)

        async def replayed() -> Message:
            message = next(body, None)
            return await receive() if message is None else message

        await self._app(scope, replayed, send)

    def _limit_of(self, path: str) -> int:
        for pattern, most in self._larger:
            if pattern.fullmatch(path):
                return most
        return self._limit


def _may_stream(scope: Scope) -> bool:
    """HTTP/2 and later announce nothing about a body that comes in pieces."""
    return not str(scope.get("http_version", "1.1")).startswith("1")


async def _refuse(scope: Scope, receive: Receive, send: Send, limit: int, size: int) -> None:
    """Answer at once, then read what is still being sent before the connection is closed.

    A connection that is closed while data arrive is reset, and many clients then never see the answer.
    """

    async def answering(message: Message) -> None:
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            await send({**message, "more_body": True})
            if not Headers(scope=scope).get("expect", "").lower().startswith("100-"):
                await _drain(receive, size)
            message = {"type": "http.response.body"}
        await send(message)

    await refuse(scope, receive, answering, _too_large(limit), {"connection": "close"})


async def _drain(receive: Receive, size: int) -> None:
    """Read on for a while."""
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            more = True
            while more and size < DRAINED:
                message = await receive()
                size += len(message.get("body", b""))
                more = message["type"] == "http.request" and message.get("more_body", False)


def _too_large(limit: int) -> TableError:
    return TableError("too_large", f"a request to this address may bring at most {limit} bytes")
