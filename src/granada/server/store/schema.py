"""The current schema of the database; `migrations` has the steps from every earlier version."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

#: A summary of each table, updated together with its entries.
tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("phase", String(8), nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("listing", Text, nullable=False),
    Index("tables_by_phase", "phase", "is_public", "created_at"),
)

#: The entries of all tables. The keys prevent storing a version or a command twice.
entries = Table(
    "entries",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("command", String(96)),
    Column("body", Text, nullable=False),
    UniqueConstraint("table_id", "command", name="one_entry_a_command"),
)

#: What each table waits for, so that this is known without loading it.
outlooks = Table(
    "outlooks",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("phase", String(8), nullable=False),
    Column("summary", Text, nullable=False),
    #: When a process has to look after the table, and until when it must not be removed.
    Column("due_at", BigInteger),
    Column("kept_until", BigInteger),
    Index("outlooks_by_due", "due_at"),
)

#: The tables of each holder, with the holder's seats (from 1, separated by commas).
people = Table(
    "people",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("table_id", String(32), primary_key=True),
    Column("seats", String(16), nullable=False),
    Index("people_by_table", "table_id"),
)

#: One row with the time at which a process last ran.
heartbeats = Table(
    "heartbeats",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)

#: Registered programs (the bot API), by the hash of their token.
programs = Table(
    "programs",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
)

#: Identities on their way to another browser, by the hash of their code; sealed with the code, which is not stored.
deposits = Table(
    "deposits",
    metadata,
    Column("code", String(64), primary_key=True),
    Column("holder", String(64), nullable=False, unique=True),
    Column("expires_at", BigInteger, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
)

#: The days on which the server ran (counted from 1970), with a time on each; the age of tables is measured by them.
service_days = Table(
    "service_days",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)

#: One row for test writes of the health check.
probes = Table(
    "probes",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)

#: The table of each holder's first attempt at a daily deal; days are counted from 1970.
daily_attempts = Table(
    "daily_attempts",
    metadata,
    Column("edition", String(16), primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("holder", String(64), primary_key=True),
    Column("table_id", String(32), nullable=False),
)

#: The first finished attempts at the daily deals.
daily_results = Table(
    "daily_results",
    metadata,
    Column("edition", String(16), primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("holder", String(64), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("points", Integer, nullable=False),
    Column("margin", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("facts", Text, nullable=False),
    Index("daily_results_by_points", "edition", "day", "points", "margin"),
)
