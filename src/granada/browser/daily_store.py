"""The attempts at the daily deals, and their results, in the database of the page."""

from __future__ import annotations

from typing import Final

import msgspec

from granada.browser.bridge import Database
from granada.browser.guarding import guarded
from granada.tables.ports import DailyEntry

#: The keys begin with this; then come `table` or `result`, the day, the edition and the holder, between colons.
_PREFIX: Final = "daily"
_encoder: Final = msgspec.json.Encoder()
_entry: Final[msgspec.json.Decoder[DailyEntry]] = msgspec.json.Decoder(DailyEntry)
_values: Final[msgspec.json.Decoder[dict[str, str]]] = msgspec.json.Decoder(dict[str, str])


class IndexedDbDailyStore:
    """Implements `granada.tables.ports.DailyStore`; usually there is one holder."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    async def attempt(self, edition: str, day: int, holder: str) -> str | None:
        """Return the table of a holder's first attempt; None if there is none."""
        key = _key("table", edition, day, holder)
        return (await self._find(key)).get(key)

    async def begin(self, edition: str, day: int, holder: str, table: str, instead_of: str | None = None) -> str:
        """Store the table of a first attempt unless there is one, other than `instead_of`; returns the stored one."""
        key = _key("table", edition, day, holder)
        while True:
            known = (await self._find(key)).get(key, "")
            if known not in ("", instead_of):
                return known
            with guarded():
                if await self._database.exchange(key, known, table):
                    return table

    async def enter(self, edition: str, day: int, entry: DailyEntry) -> bool:
        """Store a result; False if the holder already has one on this day."""
        text = _encoder.encode(entry).decode()
        with guarded():
            return await self._database.exchange(_key("result", edition, day, entry.holder), "", text)

    async def result(self, edition: str, day: int, holder: str) -> DailyEntry | None:
        """Return the result of a holder."""
        return next((one for one in await self._results(edition, day) if one.holder == holder), None)

    async def results(self, edition: str, day: int, limit: int, skip: int = 0) -> list[DailyEntry]:
        """Return the results of a day, the best first."""
        return (await self._results(edition, day))[skip : skip + limit]

    async def count(self, edition: str, day: int, better_than: DailyEntry | None = None) -> int:
        """Return the number of results of a day, or of those with more points, or as many and a larger margin."""
        found = await self._results(edition, day)
        if better_than is not None:
            wanted = better_than.points, better_than.margin
            found = [one for one in found if (one.points, one.margin) > wanted]
        return len(found)

    async def remove_all_but(self, days: int) -> None:
        """Remove everything but the newest days."""
        found = await self._find(f"{_PREFIX}:")
        for sort in ("table", "result"):
            own = {key: value for key, value in found.items() if key.split(":")[1] == sort}
            kept = sorted({key.split(":")[2] for key in own})[-days:]
            for key, value in own.items():
                if key.split(":")[2] not in kept:
                    with guarded():
                        await self._database.exchange(key, value, "")

    async def forget(self, holder: str) -> None:
        """Remove the attempts and results of a holder."""
        for key, value in (await self._find(f"{_PREFIX}:")).items():
            if key.split(":", 4)[4] == holder:
                with guarded():
                    await self._database.exchange(key, value, "")

    async def _results(self, edition: str, day: int) -> list[DailyEntry]:
        """Return the results of a day, the best first; a damaged one does not hide the others."""
        found: list[DailyEntry] = []
        for value in (await self._find(_key("result", edition, day, ""))).values():
            try:
                found.append(_entry.decode(value))
            except msgspec.DecodeError:
                continue
        return sorted(found, key=lambda one: (-one.points, -one.margin, one.at, one.holder))

    async def _find(self, prefix: str) -> dict[str, str]:
        with guarded():
            return _values.decode(await self._database.values(prefix))


def _key(sort: str, edition: str, day: int, holder: str) -> str:
    return f"{_PREFIX}:{sort}:{day:06}:{edition}:{holder}"
