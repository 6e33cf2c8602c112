"""Who asked for what: a line of the log and a count for each request, without any secret."""

from __future__ import annotations

import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from granada.server.http.templates import route_template
from granada.server.ops.logs import log
from granada.server.ops.metrics import HTTP_REQUESTS

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SWITCHING: Final = 101


class Access:
    """Logs and counts by the template of the route: a path can be a secret link, a query a token."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        # Of a request that fails without an answer, uvicorn makes a 500; a socket that closes unaccepted is a 403.
        status = 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = _SWITCHING
            elif message["type"] == "websocket.close" and status != _SWITCHING:
                status = 403
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            asked = scope.get("method", "SOCKET")
            method = asked if asked in _METHODS or scope["type"] == "websocket" else "other"
            route = route_template(scope)
            HTTP_REQUESTS.labels(method, route, str(status)).inc()
            milliseconds = round((time.perf_counter() - start) * 1000, 1)
            log("request", method=method, route=route, status=status, ms=milliseconds)
