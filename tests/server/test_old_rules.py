"""Stored tables that the corrected rules reject: they give an error, and the others still work."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from sqlalchemy.engine import make_url
from websockets.exceptions import InvalidStatus

from granada.records.lines import RecordLines
from granada.records.record import Record, RecordError
from granada.records.replay import replay
from granada.server.store.sql_store import SqlStore
from granada.tables.entries import Body, Created, Entry, GameStarted, Played, SeatPlan
from granada.tables.holders import new_table_id
from granada.tables.messages import TableOptions
from granada.tables.ports import Listing
from tests.kit import rule
from tests.server.running import PATIENCE, Guest, play_on, running

OLD = Path(__file__).parent.parent / "old_rules"


def read(name: str) -> Record:
    """Return a record that was legal before the rules were corrected, without checking it."""
    source = RecordLines((OLD / f"{name}.record").read_text("utf-8"))
    source.record.lines = [line.text for line in source.lines]
    return source.record


def entries_of(record: Record, table: str, kind: str, level: str | None) -> list[Entry]:
    """Return the entries that an earlier server stored for a game."""
    parts: list[list[str]] = [[]]
    for line in record.lines:
        if line[0].isdigit():
            parts.append([])
        parts[-1].append(line)
    plans = tuple([SeatPlan(kind, name, level) for name in record.names])  # type: ignore[arg-type]
    options = record.options
    table_options = msgspec.convert({"edition": options.edition, "modules": list(options.modules)}, TableOptions)
    bodies: list[Body] = [Created(table_options, plans, True, "h" * 64), GameStarted("5" * 64, tuple(parts[0]))]
    bodies += [Played(int(part[0][0]) - 1, tuple(part), "person") for part in parts[1:]]
    return stored(bodies, table)


def stored(bodies: Sequence[Body], table: str) -> list[Entry]:
    # Recent times, so that the clean-up does not remove the table.
    return [Entry(table, version, time.time_ns() // 1_000_000, body) for version, body in enumerate(bodies, start=1)]


async def fill(url: str, tables: dict[str, tuple[str, list[Entry]]]) -> None:
    store = SqlStore(make_url(url.replace("sqlite:", "sqlite+aiosqlite:")))
    await store.open()
    for table, (phase, entries) in tables.items():
        for entry in entries:
            text = json.dumps({"edition": "alhambra", "modules": [], "names": ["A", "B"], "open": 0})
            assert await store.append(entry, Listing(table, phase, True, entry.at, text))
    await store.close()


@pytest.mark.parametrize(
    ("name", "line", "number", "text"),
    [
        ("awards", 594, "8.3", "the rules give '= award 3 chambers-7-NE 2', not '2 place seraglio-4-NE at 2,-2'"),
        ("reveals", 529, "13.2", "expected an action of seat 1 here, not '2 keep'"),
    ],
)
@rule("8.3", "13.2")
def test_a_record_of_earlier_rules_is_rejected_with_its_line_and_rule(
    name: str, line: int, number: str, text: str
) -> None:
    with pytest.raises(RecordError) as caught:
        replay((OLD / f"{name}.record").read_text("utf-8"), partial=True)
    assert str(caught.value) == f"line {line}: {text} (rule {number})"


def wait_until_listed(guest: Guest, expected: set[str]) -> None:
    """Wait until the public tables are these; the server loads running tables soon after its start."""
    until = time.monotonic() + PATIENCE
    while (found := {one["id"] for one in guest.get("/tables")["tables"]}) != expected:
        assert time.monotonic() < until, found
        time.sleep(0.1)


@rule("8.3", "13.2")
def test_a_server_with_tables_of_earlier_rules_starts_and_serves_the_others(tmp_path: Path, sqlite_url: str) -> None:
    awards, reveals = read("awards"), read("reveals")
    ids = {name: new_table_id() for name in ("awards", "reveals", "over", "opening", "sound")}
    cut = Record(awards.options, awards.names)
    cut.lines = awards.lines[: awards.lines.index("= award 1 seraglio-4-NE 2") + 1]
    sound = Record(awards.options, awards.names)
    sound.lines = awards.lines[: awards.lines.index("= award 1 seraglio-4-NE 2") - 10]
    while not sound.lines[-1][0].isdigit():  # cut after a complete action
        sound.lines.pop()
    sound.lines.pop()
    opening = entries_of(cut, ids["opening"], "person", None)[0].body
    assert isinstance(opening, Created)
    opening = msgspec.structs.replace(opening, opening=str(awards))
    tables = {
        ids["awards"]: ("playing", entries_of(cut, ids["awards"], "bot", "greedy")),  # the scheduler loads it
        ids["reveals"]: ("playing", entries_of(reveals, ids["reveals"], "person", None)),
        ids["over"]: ("over", entries_of(awards, ids["over"], "person", None)),
        ids["opening"]: ("lobby", stored([opening], ids["opening"])),
        ids["sound"]: ("playing", entries_of(sound, ids["sound"], "person", None)),
    }
    asyncio.run(fill(sqlite_url, tables))
    with running(tmp_path, sqlite_url) as server, Guest(server) as guest:
        for name, number in (("awards", "8.3"), ("reveals", "13.2"), ("over", "8.3"), ("opening", "8.3")):
            for path in ("", "/log", "/record"):
                check_rejected(guest, f"/tables/{ids[name]}{path}", number)
            with pytest.raises(InvalidStatus) as refused, guest.socket(ids[name]):
                pass
            assert refused.value.response.status_code == 409
        assert guest.get(f"/tables/{ids['sound']}")["table"]["phase"] == "playing"
        table = play_some(guest)
        wait_until_listed(guest, {ids["sound"]})
        assert guest.get(f"/tables/{table}")["table"]["phase"] == "playing"
        log = server.log()
        assert "Traceback" not in log
        assert log.count("table rejected by the rules") == 4  # once each, regardless of the number of requests
        assert not [table for table in ids.values() if table in log]


def check_rejected(guest: Guest, path: str, number: str) -> None:
    problem = guest.get(path, status=409)
    assert (problem["code"], problem["rule"]) == ("old_rules", number)
    assert problem["detail"] == (
        f"This table was played with an earlier version of the rules and can no longer be opened (rule {number})."
    )


def play_some(guest: Guest) -> str:
    """Open a table and play some actions."""
    table = guest.open_table(["person", "person"])
    guest.start(table)
    with guest.socket(table) as socket:
        play_on(socket, random.Random("old rules"), until=5)
    return table
