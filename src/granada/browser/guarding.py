"""Errors of the database of a page as Unavailable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from granada.tables.ports import Unavailable


@contextmanager
def guarded() -> Iterator[None]:
    """Raise the errors of the database as Unavailable."""
    try:
        yield
    except Exception as error:
        # An exception of JavaScript has a name, such as QuotaExceededError.
        raise Unavailable(str(getattr(error, "name", None) or type(error).__name__)) from None
