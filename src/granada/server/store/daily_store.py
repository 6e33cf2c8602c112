"""The attempts at the daily deals, and their results, in the database."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Row, and_, delete, func, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from granada.rules.options import EDITIONS
from granada.server.store.guarding import guarded
from granada.server.store.schema import daily_attempts, daily_results
from granada.tables.ports import DailyEntry

_BEST_FIRST: Final = (
    daily_results.c.points.desc(),
    daily_results.c.margin.desc(),
    daily_results.c.at,
    daily_results.c.holder,
)


class SqlDailyStore:
    """Implements `granada.tables.ports.DailyStore`; every method may raise Unavailable."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine: Final = engine
        self._insert: Final = sqlite.insert if engine.dialect.name == "sqlite" else postgresql.insert

    async def attempt(self, edition: str, day: int, holder: str) -> str | None:
        """Return the table of a holder's first attempt; None if there is none."""
        query = select(daily_attempts.c.table_id).where(_of(daily_attempts, edition, day, holder))
        async with guarded(self._engine.connect()) as connection:
            return (await connection.execute(query)).scalar()

    async def begin(self, edition: str, day: int, holder: str, table: str, instead_of: str | None = None) -> str:
        """Store the table of a first attempt unless there is one, other than `instead_of`; returns the stored one."""
        row = self._insert(daily_attempts).values(edition=edition, day=day, holder=holder, table_id=table)
        row = row.on_conflict_do_update(
            index_elements=["edition", "day", "holder"],
            set_={"table_id": table},
            where=daily_attempts.c.table_id == instead_of,
        )
        query = select(daily_attempts.c.table_id).where(_of(daily_attempts, edition, day, holder))
        async with guarded(self._engine.begin()) as connection:
            await connection.execute(row)
            return str((await connection.execute(query)).scalar_one())

    async def enter(self, edition: str, day: int, entry: DailyEntry) -> bool:
        """Store a result; False if the holder already has one on this day."""
        row = self._insert(daily_results).values(
            edition=edition,
            day=day,
            holder=entry.holder,
            name=entry.name,
            points=entry.points,
            margin=entry.margin,
            at=entry.at,
            facts=entry.facts,
        )
        async with guarded(self._engine.begin()) as connection:
            stored = await connection.execute(row.on_conflict_do_nothing())
        return stored.rowcount == 1

    async def result(self, edition: str, day: int, holder: str) -> DailyEntry | None:
        """Return the result of a holder."""
        query = select(daily_results).where(_of(daily_results, edition, day, holder))
        async with guarded(self._engine.connect()) as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else _entry(row)

    async def results(self, edition: str, day: int, limit: int, skip: int = 0) -> list[DailyEntry]:
        """Return the results of a day, the best first."""
        query = select(daily_results).where(_of(daily_results, edition, day)).order_by(*_BEST_FIRST)
        async with guarded(self._engine.connect()) as connection:
            return [_entry(row) for row in await connection.execute(query.limit(limit).offset(skip))]

    async def count(self, edition: str, day: int, better_than: DailyEntry | None = None) -> int:
        """Return the number of results of a day, or of those with more points, or as many and a larger margin."""
        query = select(func.count()).select_from(daily_results).where(_of(daily_results, edition, day))
        if better_than is not None:
            points, margin = daily_results.c.points, daily_results.c.margin
            is_as_good = and_(points == better_than.points, margin > better_than.margin)
            query = query.where(or_(points > better_than.points, is_as_good))
        async with guarded(self._engine.connect()) as connection:
            return int((await connection.execute(query)).scalar_one())

    async def remove_all_but(self, days: int) -> None:
        """Remove everything but the newest days."""
        async with guarded(self._engine.begin()) as connection:
            for table in (daily_attempts, daily_results):
                kept = select(table.c.day).distinct().order_by(table.c.day.desc()).limit(days).subquery()
                oldest = (await connection.execute(select(func.min(kept.c.day)))).scalar()
                if oldest is not None:
                    await connection.execute(delete(table).where(table.c.day < oldest))

    async def forget(self, holder: str) -> None:
        """Remove the attempts and results of a holder.

        Keys begin with edition and day, so each day is looked up: a condition on the holder alone would read all rows.
        """
        async with guarded(self._engine.begin()) as connection:
            for table in (daily_attempts, daily_results):
                for edition in EDITIONS:
                    of_edition = select(func.min(table.c.day)).where(table.c.edition == edition)
                    day = (await connection.execute(of_edition)).scalar()
                    while day is not None:
                        await connection.execute(delete(table).where(_of(table, edition, day, holder)))
                        day = (await connection.execute(of_edition.where(table.c.day > day))).scalar()


def _of(table: Any, edition: str, day: int, holder: str | None = None) -> Any:
    """Return the condition for the rows of a day, optionally of one holder."""
    of_day = and_(table.c.edition == edition, table.c.day == day)
    return of_day if holder is None else and_(of_day, table.c.holder == holder)


def _entry(row: Row[Any]) -> DailyEntry:
    return DailyEntry(row.holder, row.name, row.points, row.margin, row.at, row.facts)
