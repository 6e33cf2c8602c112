"""Runs the cases of `store_contract` on IndexedDB; loaded under Pyodide by web/tests/store_worker.ts."""

from __future__ import annotations

import traceback
from typing import Any

from granada.browser.idb_store import IndexedDbStore
from tests.server import store_contract


class IndexedDbPlace:
    """The database of a browser."""

    def __init__(self, place: Any) -> None:
        self._place = place

    async def open(self) -> IndexedDbStore:
        return IndexedDbStore(await self._place.open(), self._place.channel, "w")

    async def damage(self, table: str, version: int) -> None:
        await self._place.damage(table, version)


async def run(name: str, place: Any) -> str:
    """Run a case; returns the traceback of its failure, or an empty text."""
    if not __debug__:
        return "assertions are switched off"
    try:
        await getattr(store_contract, name)(IndexedDbPlace(place))
    except Exception:
        return traceback.format_exc()
    return ""
