"""Error responses: every error is sent as a problem document (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketState

from granada.server.ops.metrics import ERRORS
from granada.tables.errors import CODES, TableError

MEDIA_TYPE: Final = "application/problem+json"
#: Close codes: 1008, policy violation; 1011, internal error.
_POLICY, _INTERNAL = 1008, 1011
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
_SENTENCES: Final = {
    "not_found": "there is nothing at this address",
    "method_not_allowed": "this address does not support the method of the request",
}


def problem_response(
    error: TableError, headers: Mapping[str, str] | None = None, current: bytes | None = None
) -> Response:
    """Return the response for an error, with the table's current message if given, and count the error."""
    ERRORS.labels(error.code).inc()
    document: dict[str, object] = {
        "type": f"/api/problems/{error.code}",
        "title": CODES[error.code].title,
        "status": error.status,
        "detail": error.detail,
        "code": error.code,
        "rule": error.rule,
        "reason": error.reason,
    }
    if current is not None:
        document["current"] = msgspec.Raw(current)
    return Response(msgspec.json.encode(document), error.status, headers, MEDIA_TYPE)


async def reject(
    scope: Scope, receive: Receive, send: Send, error: TableError, headers: Mapping[str, str] | None = None
) -> None:
    """Send an error in response to a request, or to a socket that is not accepted yet."""
    response = problem_response(error, headers)
    if scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
        await response(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": _POLICY, "reason": error.code})


def error_of(error: Exception) -> tuple[TableError, Mapping[str, str] | None]:
    """Return the error and headers to send for an exception; details of unexpected ones are not sent."""
    if isinstance(error, TableError):
        return error, None
    if isinstance(error, HTTPException):
        status = error.status_code
        code = _BY_STATUS.get(status, "internal" if status >= 500 else "malformed")
        detail = _SENTENCES.get(code, str(error.detail))
        return TableError(code, detail, status), error.headers
    return TableError("internal", "an internal error occurred and was logged; please try again"), None


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
        await connection.close(_INTERNAL if error.code == "internal" else _POLICY, error.code)
    return None
