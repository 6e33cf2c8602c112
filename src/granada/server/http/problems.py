"""Error responses: every error is sent as a problem document (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketState

from granada.api import problems as api_problems
from granada.api.call import INTERNAL, POLICY
from granada.api.endpoints import NO_SUCH_METHOD, NOTHING_HERE
from granada.api.problems import problem_reply
from granada.server.http.request_context import response_of
from granada.server.ops.metrics import ERRORS
from granada.tables.errors import TableError

#: Error codes for statuses set by Starlette.
_BY_STATUS: Final = {
    401: "unauthorized",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media",
    429: "too_many",
    503: "unavailable",
}
_SENTENCES: Final = {"not_found": NOTHING_HERE, "method_not_allowed": NO_SUCH_METHOD}


def problem_response(error: TableError, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response for an error, and count the error."""
    ERRORS.labels(error.code).inc()
    return response_of(problem_reply(error, headers))


async def reject(
    scope: Scope, receive: Receive, send: Send, error: TableError, headers: Mapping[str, str] | None = None
) -> None:
    """Send an error in response to a request, or to a socket that is not accepted yet."""
    response = problem_response(error, headers)
    if scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
        await response(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": POLICY, "reason": error.code})


def error_of(error: Exception) -> tuple[TableError, Mapping[str, str] | None]:
    """Return the error and headers to send for an exception; details of unexpected ones are not sent."""
    if isinstance(error, HTTPException):
        status = error.status_code
        code = _BY_STATUS.get(status, "internal" if status >= 500 else "malformed")
        detail = _SENTENCES.get(code, str(error.detail))
        return TableError(code, detail, status), error.headers
    return api_problems.error_of(error), None


def install(app: Starlette) -> None:
    """Make an application send every error as a problem document."""
    for kind in (TableError, HTTPException, Exception):
        # One handler for requests and sockets, which Starlette's types do not allow.
        app.add_exception_handler(kind, cast(Any, _handle))


async def _handle(connection: Request | WebSocket, error: Exception) -> Response | None:
    error, headers = error_of(error)
    if isinstance(connection, Request):
        return problem_response(error, headers)
    if connection.application_state is WebSocketState.CONNECTING:
        await reject(connection.scope, connection.receive, connection.send, error, headers)
    elif connection.application_state is WebSocketState.CONNECTED:
        await connection.close(INTERNAL if error.code == "internal" else POLICY, error.code)
    return None
