"""The newest versions of tables for readers: one query for all readers that wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

Query = Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]


class Versions:
    """Asks the database for versions; a query answers only requests from before it began."""

    def __init__(self, query: Query) -> None:
        self._query: Final = query
        self._waiting: dict[str, asyncio.Future[int]] = {}
        self._task: asyncio.Task[None] | None = None

    async def of(self, table: str) -> int:
        """The newest version of a table, as it is stored now or later."""
        found = self._waiting.get(table)
        if found is None:
            found = self._waiting[table] = asyncio.get_running_loop().create_future()
        if self._task is None:
            self._task = asyncio.create_task(self._ask())
        return await asyncio.shield(found)

    async def _ask(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting, {}
            try:
                versions = await self._query(list(asked))
            except Exception as error:  # whatever it is: nobody may wait for ever
                for future in asked.values():
                    future.set_exception(error)
                    future.exception()  # perhaps nobody waits any more
            else:
                for table, future in asked.items():
                    future.set_result(versions.get(table, 0))
        self._task = None
