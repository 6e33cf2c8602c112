"""Problem documents (RFC 9457): the reply to a request that failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from granada.api.call import Reply
from granada.tables.errors import CODES, TableError

MEDIA_TYPE: Final = "application/problem+json"


def problem_reply(error: Exception, headers: Mapping[str, str] | None = None) -> Reply:
    """Return the reply for an error; with the table's current message if the error has one."""
    error = error_of(error)
    document: dict[str, object] = {
        "type": f"/api/problems/{error.code}",
        "title": CODES[error.code].title,
        "status": error.status,
        "detail": error.detail,
        "code": error.code,
        "rule": error.rule,
        "reason": error.reason,
    }
    if error.current is not None:
        document["current"] = msgspec.Raw(error.current)
    return Reply(msgspec.json.encode(document), error.status, MEDIA_TYPE, headers or {})


def error_of(error: Exception) -> TableError:
    """Return the error to send for an exception; details of unexpected ones are not sent."""
    if isinstance(error, TableError):
        return error
    return TableError("internal", "an internal error occurred and was logged; please try again")


def too_large(limit: int) -> TableError:
    """Return the error for a body above the limit."""
    return TableError("too_large", f"the body of a request to this address is limited to {limit} bytes")
