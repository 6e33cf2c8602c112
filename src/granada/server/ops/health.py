"""The health check: whether the database accepts writes."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from granada.server.store.sql_store import SqlStore
from granada.tables.clock import clock
from granada.tables.log import log, warn
from granada.tables.ports import Unavailable
from granada.tables.rate_limit import Buckets

#: Seconds for which a result is reused.
MAX_AGE: Final = 1.0
#: Seconds after which a database that does not answer is reported as unavailable.
TIMEOUT: Final = 3.0
#: Requests per second of one address that are answered at once; further ones take a second.
IMMEDIATE_RATE: Final = 20.0
_NO_ANSWER: Final = "The database does not answer."
#: Sentences for errors of the database; its own messages could contain hosts and paths.
_SENTENCES: Final = {
    "full": "The disk of the database is full.",
    "locked": "The database is locked by another program.",
    "disk i/o": "The database cannot write to its disk.",
    "readonly": "The database is read-only.",
}


class HealthCheck:
    """Makes a test write at most once per second, however many clients ask."""

    def __init__(self, store: SqlStore) -> None:
        self._store: Final = store
        self._trying: asyncio.Task[str | None] | None = None
        self._tried_at = 0.0
        self._reported: str | None = None
        self._immediate: Final = Buckets(IMMEDIATE_RATE, IMMEDIATE_RATE)

    async def fault(self, address: str = "") -> str | None:
        """Return a sentence about the problem to a client at an address; None if the database accepts writes."""
        if self._immediate.take(address) > 0:
            await asyncio.sleep(MAX_AGE)  # frequent checks would slow players down
        trying = self._trying
        is_stale = self._tried_at < max(time.monotonic() - MAX_AGE, self._store.failed_at)
        if trying is None or (trying.done() and is_stale):
            trying = self._trying = asyncio.create_task(self._try())
        if not trying.done():
            await asyncio.wait([trying], timeout=TIMEOUT)
        fault = trying.result() if trying.done() else _NO_ANSWER
        if fault != self._reported:
            self._reported = fault
            if fault is None:
                log("database accepts writes again")
            else:
                warn("database does not accept writes", fault=fault)
        return fault

    async def _try(self) -> str | None:
        try:
            # If an entry was just stored, no test write is needed.
            if self._store.stored_at < time.monotonic() - MAX_AGE:
                await self._store.try_writing(clock())
            return None
        except Unavailable as error:
            reason = str(error).lower()
            return next((sentence for word, sentence in _SENTENCES.items() if word in reason), _NO_ANSWER)
        finally:
            self._tried_at = time.monotonic()

    async def close(self) -> None:
        """Wait for a test write in progress."""
        if self._trying is not None:
            await asyncio.wait([self._trying])
