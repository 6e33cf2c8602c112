"""Requests whose answer takes a while: who has left waits for nothing any more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

from starlette.requests import Request

T = TypeVar("T")
#: The status in the log of a request that nobody waited for; no client ever sees it.
LEFT: Final = 499


async def unless_left(request: Request, work: Coroutine[Any, Any, T]) -> T | None:
    """What some work brings; None if who asked closed the connection before: then the work is cancelled."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        for task in (working, leaving):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await leaving


async def _left(request: Request) -> None:
    """Wait until the connection is closed; the body of the request has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
