"""Migration of a database to the schema of this program."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import create_async_engine

#: An arbitrary key: if several processes start at once, one migrates and the others wait (PostgreSQL).
_LOCK: Final = 0x6772616E


class NewerSchema(Exception):
    """The database was migrated by a newer version of Granada."""


def migrate(connection: Connection) -> None:
    """Migrate to the newest version inside the transaction of this connection; raises NewerSchema."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    else:
        # The driver starts no transaction for a CREATE TABLE; a power cut could leave an incomplete schema.
        connection.execute(text("BEGIN IMMEDIATE"))
    config = _config()
    current = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(config)
    if current is not None and current not in {script.revision for script in scripts.walk_revisions()}:
        newest = scripts.get_current_head()
        raise NewerSchema(f"the database has version {current}, which is newer than this program ({newest})")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def newest_version() -> str | None:
    """Return the schema version of this program."""
    return ScriptDirectory.from_config(_config()).get_current_head()


async def schema_version(url: URL) -> str | None:
    """Return the schema version of a database; None if it is empty."""
    engine = create_async_engine(url)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(lambda plain: MigrationContext.configure(plain).get_current_revision())
    finally:
        await engine.dispose()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
