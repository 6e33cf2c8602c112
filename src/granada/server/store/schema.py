"""The tables of the database; `migrations` leads there from every earlier version."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, MetaData, String, Table, Text, UniqueConstraint

metadata = MetaData()

#: What is listed of each table without reading its entries; brought up to date with them.
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

#: Everything that happened. Two processes can never both store the same version, nor one command twice.
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

#: Programs that play (the bot API), by the hash of their token.
programs = Table(
    "programs",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
)

#: The days on which the server ran (counted from 1970), with a time of each: what the age of tables is measured by.
service_days = Table(
    "service_days",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)

#: A row that is written to see whether the database can be written to.
probes = Table(
    "probes",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)
