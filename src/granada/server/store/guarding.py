"""Errors of the database as Unavailable, described without secrets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from granada.tables.ports import Unavailable

#: SQLite errors that are safe to report: they contain no path and no value.
_SAFE_ERRORS: Final = (
    "database or disk is full",
    "database is locked",
    "attempt to write a readonly database",
    "disk I/O error",
)


@asynccontextmanager
async def guarded(context: AbstractAsyncContextManager[AsyncConnection]) -> AsyncIterator[AsyncConnection]:
    """Use a connection; its errors are raised as Unavailable."""
    try:
        async with context as connection:
            yield connection
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise Unavailable(reason_of(error)) from None


def reason_of(error: BaseException) -> str:
    """Describe an error without the statement and its values, which may contain secrets."""
    origin = getattr(error, "orig", None) or error
    origin = origin.__cause__ or origin  # errors of the PostgreSQL driver are wrapped twice
    name, message = type(origin).__name__, str(origin)
    return f"{name}: {message}" if message in _SAFE_ERRORS else name
