"""Log events of tables; `granada.server.ops.logs` formats them."""

from __future__ import annotations

import hashlib
import logging
from typing import Final

_LOGGER: Final = logging.getLogger("granada")


def log(event: str, /, **fields: object) -> None:
    """Log an event; the fields must never contain a table's id, a token or a name."""
    _LOGGER.info(event, extra={"fields": fields})


def warn(event: str, /, **fields: object) -> None:
    """Log an event that an operator should look into."""
    _LOGGER.warning(event, extra={"fields": fields})


def fail(event: str, error: BaseException, /, **fields: object) -> None:
    """Log an error with its traceback."""
    _LOGGER.error(event, extra={"fields": fields}, exc_info=error)


def shortened(table_id: str) -> str:
    """Return a hash of a table's id for logs; the id itself is the secret link to the table."""
    return hashlib.sha256(f"granada table {table_id}".encode()).hexdigest()[:10]
