"""Whether the server can do its work: it can if the database can be written to."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from granada.server.store.sql_store import SqlStore
from granada.tables.clock import clock
from granada.tables.log import log, warn
from granada.tables.ports import Unavailable
from granada.tables.rate_limit import Bucket

#: Seconds for which an answer counts, and after which a database that is silent is called unavailable.
FRESH: Final = 1.0
PATIENCE: Final = 3.0
#: The most answers a second that come at once; further ones take a second.
PROMPT: Final = 20.0
_SILENT: Final = "The database does not answer."
#: What a database reports when it cannot write, and what we answer; its own words could name hosts and files.
_SENTENCES: Final = {
    "full": "The disk of the database is full.",
    "locked": "The database is locked by another program.",
    "disk i/o": "The database cannot write to its disk.",
    "readonly": "The database can be read, but not written to.",
}


class Health:
    """Tries a write at most once a second, however many ask."""

    def __init__(self, store: SqlStore) -> None:
        self._store: Final = store
        self._trying: asyncio.Task[str | None] | None = None
        self._tried_at = 0.0
        self._said: str | None = None
        self._prompt: Final = Bucket(PROMPT, PROMPT)

    async def fault(self) -> str | None:
        """What is wrong, in a sentence; None if the database can be written to."""
        if self._prompt.take() > 0:
            await asyncio.sleep(FRESH)  # nobody needs more frequent answers, and they would slow players down
        trying = self._trying
        is_stale = self._tried_at < max(time.monotonic() - FRESH, self._store.failed_at)
        if trying is None or (trying.done() and is_stale):
            trying = self._trying = asyncio.create_task(self._try())
        if not trying.done():
            await asyncio.wait([trying], timeout=PATIENCE)
        said = trying.result() if trying.done() else _SILENT
        if said != self._said:
            self._said = said
            if said is None:
                log("database can be written to again")
            else:
                warn("database cannot be written to", says=said)
        return said

    async def _try(self) -> str | None:
        try:
            # An entry was just stored, so writing works.
            if self._store.stored_at < time.monotonic() - FRESH:
                await self._store.try_writing(clock())
            return None
        except Unavailable as error:
            reason = str(error).lower()
            return next((sentence for word, sentence in _SENTENCES.items() if word in reason), _SILENT)
        finally:
            self._tried_at = time.monotonic()

    async def close(self) -> None:
        """Wait until nothing is being tried."""
        if self._trying is not None:
            await asyncio.wait([self._trying])
