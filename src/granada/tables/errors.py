"""How the server refuses: a stable code, a sentence, and over HTTP a problem document (RFC 9457)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

import msgspec
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketState

from granada.server.ops.metrics import REFUSALS
from granada.tables.messages import Reason

MEDIA_TYPE: Final = "application/problem+json"
#: How a socket is closed that is refused: 1008, against the policy; 1011, a fault of the server.
_POLICY, _FAULT = 1008, 1011


class Code(NamedTuple):
    """The status and the title of a code."""

    status: int
    title: str


#: All codes; clients rely on them, so none is ever changed or used for something else.
CODES: Final[dict[str, Code]] = {
    "malformed": Code(400, "The request cannot be read"),
    "bad_options": Code(400, "These options cannot be played"),
    "bad_record": Code(400, "The record is not sound"),
    "unauthorized": Code(401, "The server does not know who asks"),
    "not_host": Code(403, "Only the host may do this"),
    "no_seat": Code(403, "Only the holder of the seat may do this"),
    "hand_seen": Code(403, "Who has seen one hand of a game cannot take another seat"),
    "forbidden_origin": Code(403, "The request comes from another site"),
    "spectators_off": Code(403, "The table admits no spectators"),
    "not_found": Code(404, "There is nothing here"),
    "method_not_allowed": Code(405, "This cannot be done here"),
    "illegal": Code(409, "The rules forbid the action"),
    "stale": Code(409, "The table has moved on"),
    "not_your_turn": Code(409, "Another seat decides"),
    "seat_taken": Code(409, "The seat is taken"),
    "not_running": Code(409, "The game has not begun"),
    "running": Code(409, "The game has begun"),
    "over": Code(409, "The game is over"),
    "purist": Code(409, "The table plays without aids"),
    "undo_off": Code(409, "The table plays without undo"),
    "nothing_to_undo": Code(409, "There is nothing to take back"),
    "nothing_held": Code(409, "No action waits for a confirmation"),
    "not_ready": Code(409, "The table is not ready"),
    "old_rules": Code(409, "The table was played under earlier rules"),
    "too_many_changes": Code(409, "Too many changes at this table"),
    "too_large": Code(413, "The request is too large"),
    "unsupported_media": Code(415, "The server does not read this type of content"),
    "too_many": Code(429, "Too many requests"),
    "internal": Code(500, "The server made a mistake"),
    "unavailable": Code(503, "The server cannot do this now"),
}
#: What a status means that only the framework chose.
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
    "method_not_allowed": "this address does not take the method of the request",
}


class TableError(Exception):
    """Something is refused, with a code of CODES, a sentence, and the rule that forbids it if one does."""

    def __init__(
        self,
        code: str,
        detail: str,
        status: int | None = None,
        rule: str | None = None,
        reason: Reason | None = None,
    ) -> None:
        super().__init__(detail)
        self.code: Final = code
        self.detail: Final = detail
        self.status: Final = CODES[code].status if status is None else status
        self.rule: Final = rule
        self.reason: Final = reason


def rule_in(sentence: str) -> str | None:
    """The rule that a sentence names: `… (2.1)`, `… (rule 6.1)`, `… against rule 3.3: …`."""
    found = re.search(r"(?:\(|\brule )(\d+(?:\.\d+)?[a-z]?)\b", sentence)
    return None if found is None else found[1]


def problem_response(
    error: TableError, headers: Mapping[str, str] | None = None, current: bytes | None = None
) -> Response:
    """The answer to a refused request, with the current message of a table if there is one; it is counted."""
    REFUSALS.labels(error.code).inc()
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


async def refuse(
    scope: Scope, receive: Receive, send: Send, error: TableError, headers: Mapping[str, str] | None = None
) -> None:
    """Answer a request, or a socket that is not yet accepted, with an error."""
    response = problem_response(error, headers)
    if scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
        await response(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": _POLICY, "reason": error.code})


def refusal_of(error: Exception) -> tuple[TableError, Mapping[str, str] | None]:
    """What an exception means to a client, with headers; of one that nobody expected it learns nothing."""
    if isinstance(error, TableError):
        return error, None
    if isinstance(error, RequestValidationError | WebSocketRequestValidationError):
        return TableError("malformed", _first_fault(error)), None
    if isinstance(error, HTTPException):
        status = error.status_code
        code = _BY_STATUS.get(status, "internal" if status >= 500 else "malformed")
        detail = _SENTENCES.get(code, str(error.detail))
        return TableError(code, detail, status), error.headers
    return TableError("internal", "something went wrong that is not your fault; it was written down"), None


def install(app: FastAPI) -> None:
    """Let an application answer every error and every failure with a problem document."""
    for kind in (TableError, HTTPException, RequestValidationError, WebSocketRequestValidationError, Exception):
        # One handler serves requests and sockets, which the framework's types cannot say.
        app.add_exception_handler(kind, cast(Any, _answer))


async def _answer(connection: Request | WebSocket, error: Exception) -> Response | None:
    error, headers = refusal_of(error)
    if isinstance(connection, Request):
        return problem_response(error, headers)
    if connection.application_state is WebSocketState.CONNECTING:
        await refuse(connection.scope, connection.receive, connection.send, error, headers)
    elif connection.application_state is WebSocketState.CONNECTED:
        await connection.close(_FAULT if error.code == "internal" else _POLICY, error.code)
    return None


def _first_fault(error: RequestValidationError | WebSocketRequestValidationError) -> str:
    """A sentence that names the place; what stood there is not said again."""
    faults: list[dict[str, Any]] = list(error.errors())
    if not faults:
        return "the request cannot be read"
    place = ".".join([str(part) for part in faults[0]["loc"]])
    rest = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{place}: {faults[0]['msg']}{rest}"
