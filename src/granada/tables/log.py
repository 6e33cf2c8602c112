"""Log events of tables; the server decides how they are written (`granada.server.ops.logs`)."""

from __future__ import annotations

import hashlib
import logging
from typing import Final

_LOGGER: Final = logging.getLogger("granada")


def log(event: str, /, **fields: object) -> None:
    """Note that something happened; the fields are numbers and words, never a table's id, a token or a name."""
    _LOGGER.info(event, extra={"fields": fields})


def warn(event: str, /, **fields: object) -> None:
    """Note something that somebody should look at."""
    _LOGGER.warning(event, extra={"fields": fields})


def fail(event: str, error: BaseException, /, **fields: object) -> None:
    """Note a failure with the place where it happened."""
    _LOGGER.error(event, extra={"fields": fields}, exc_info=error)


def shortened(table_id: str) -> str:
    """A name for a table in logs, from which its id, which is its secret link, cannot be found."""
    return hashlib.sha256(f"granada table {table_id}".encode()).hexdigest()[:10]
