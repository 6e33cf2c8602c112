"""The outlooks of tables, the people at them, and the heartbeat, in the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, case, delete, func, literal, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from granada.server.store.guarding import guarded
from granada.server.store.schema import entries, heartbeats, outlooks, people, tables
from granada.tables.clock import clock
from granada.tables.ports import StoredOutlook, TableOutlook

#: Milliseconds within which every process has stored the outlook that an entry changed; later ones left it as it was.
RECENT: Final = 60_000


def is_behind(is_embedded: bool) -> ColumnElement[bool]:
    """Return the condition for tables with recent entries that are newer than their outlooks."""
    if is_embedded:  # the only process stores its outlooks before it reads them
        return literal(False)
    return (
        select(entries.c.version)
        .where(
            entries.c.table_id == tables.c.id,
            entries.c.version > func.coalesce(outlooks.c.version, 0),
            entries.c.at >= clock() - RECENT,
        )
        .correlate(tables, outlooks)
        .exists()
    )


class SqlOutlookStore:
    """Implements `granada.tables.ports.OutlookStore`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine: Final = engine
        self._is_embedded: Final = engine.dialect.name == "sqlite"
        self._insert: Final = sqlite.insert if self._is_embedded else postgresql.insert

    async def note_outlooks(self, outlooks: Sequence[TableOutlook]) -> None:
        """Store outlooks, unless those of newer versions are stored, or their tables were removed."""
        async with guarded(self._engine.begin()) as connection:
            for outlook in outlooks:
                await self._note(connection, outlook)

    async def _note(self, connection: AsyncConnection, outlook: TableOutlook) -> None:
        if (await connection.execute(select(tables.c.id).where(tables.c.id == outlook.table))).first() is None:
            return
        values = {
            "version": outlook.version,
            "phase": outlook.phase,
            "summary": outlook.summary,
            "due_at": outlook.due_at,
            "kept_until": outlook.kept_until,
        }
        row = self._insert(outlooks).values(table_id=outlook.table, **values)
        row = row.on_conflict_do_update(
            index_elements=["table_id"], set_=values, where=outlooks.c.version <= outlook.version
        )
        if (await connection.execute(row)).rowcount != 1:
            return
        await connection.execute(delete(people).where(people.c.table_id == outlook.table))
        rows = [
            {"holder": holder, "table_id": outlook.table, "seats": seats} for holder, seats in outlook.people.items()
        ]
        await connection.execute(people.insert(), rows)

    async def own_tables(self, holder: str, limit: int) -> list[StoredOutlook]:
        """Return the outlooks of a holder's tables: not over first, then the newest."""
        is_over = case((outlooks.c.phase == "over", 1), else_=0)
        query = (
            select(outlooks, people.c.seats, is_behind(self._is_embedded).label("is_behind"))
            .join(people, people.c.table_id == outlooks.c.table_id)
            .join(tables, tables.c.id == outlooks.c.table_id)
            .where(people.c.holder == holder)
            .order_by(is_over, tables.c.created_at.desc())
            .limit(limit)
        )
        async with guarded(self._engine.connect()) as connection:
            rows = (await connection.execute(query)).all()
        return [StoredOutlook(_outlook(row), row.seats, bool(row.is_behind)) for row in rows]

    async def due(self, before: int, limit: int) -> list[str]:
        """Return the ids of the tables that are due before a time, the most urgent first."""
        query = select(outlooks.c.table_id).where(outlooks.c.due_at <= before).order_by(outlooks.c.due_at).limit(limit)
        async with guarded(self._engine.connect()) as connection:
            return [row.table_id for row in await connection.execute(query)]

    async def note_alive(self, at: int) -> None:
        """Store that a process runs at a time."""
        row = self._insert(heartbeats).values(id=1, at=at)
        row = row.on_conflict_do_update(index_elements=["id"], set_={"at": at}, where=heartbeats.c.at < at)
        async with guarded(self._engine.begin()) as connection:
            await connection.execute(row)

    async def last_alive(self) -> int | None:
        """Return the newest stored time at which a process ran; None if there is none."""
        async with guarded(self._engine.connect()) as connection:
            newest: int | None = (await connection.execute(select(func.max(heartbeats.c.at)))).scalar()
        return newest


def _outlook(row: Row[Any]) -> TableOutlook:
    return TableOutlook(row.table_id, row.version, row.phase, row.summary, row.due_at, row.kept_until, {})
