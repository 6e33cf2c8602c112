"""Health checks: correct results, and a bounded cost."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from granada.server.ops import health as health_module
from granada.server.ops.health import HealthCheck
from granada.server.ops.settings import Settings
from granada.server.store.sql_store import SqlStore
from granada.tables.ports import Unavailable
from tests.server.databases import Cluster
from tests.server.running import PATIENCE, Guest, RunningServer, running


def ask(server: RunningServer) -> httpx.Response:
    return httpx.get(f"{server.url}/healthz", timeout=PATIENCE)


def wait_for(server: RunningServer, status: int, detail: str = "") -> dict[str, Any]:
    until = time.monotonic() + PATIENCE
    while (answer := ask(server)).status_code != status or detail not in (answer.json()["detail"] or ""):
        assert time.monotonic() < until, answer.text
        time.sleep(0.1)
    found: dict[str, Any] = answer.json()
    return found


LOCKING = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_database_that_another_process_locks_for_writing_is_no_health(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as ana:
        assert wait_for(server, 200)["detail"] is None
        command = [sys.executable, "-c", LOCKING, str(tmp_path / "granada.sqlite")]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "locked\n"
            health = wait_for(server, 503)
            assert (health["status"], health["detail"]) == ("unavailable", "The database is locked by another program.")
            ana.get("/tables")  # reading still works
            other.communicate("")
        assert wait_for(server, 200)["status"] == "ok"
        assert server.log().count('"event":"database does not accept writes"') == 1  # not once per request


def test_a_disk_that_takes_no_more_is_no_health(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as ana:
        for _ in range(20):  # the database's log is now longer than the server's will be
            ana.open_table(["person", "person"])
        wait_for(server, 200)
        assert server.process is not None
        length = (tmp_path / "granada.sqlite-wal").stat().st_size
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (length, resource.RLIM_INFINITY))
        assert wait_for(server, 503)["detail"] == "The database cannot write to its disk."
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        wait_for(server, 200)


def test_a_full_disk_is_named() -> None:
    class Full:
        """A store whose disk is full."""

        stored_at = failed_at = float("-inf")

        async def try_writing(self, _: int) -> None:
            raise Unavailable("OperationalError: database or disk is full")

    store: Any = Full()
    assert asyncio.run(HealthCheck(store).fault()) == "The disk of the database is full."


def test_a_file_that_cannot_be_written_is_no_health(sqlite_url: str) -> None:
    async def run() -> None:
        store = SqlStore(Settings(database=sqlite_url).url())
        await store.open()
        health = HealthCheck(store)
        for held in [await store._engine.connect() for _ in range(4)]:
            await held.exec_driver_sql("PRAGMA query_only=ON")
            await held.close()
        assert await health.fault() == "The database is read-only."
        await health.close()
        await store.close()

    asyncio.run(run())


def test_a_postgresql_that_only_reads_or_is_stopped_is_no_health(
    cluster: Cluster, postgres_url: str, tmp_path: Path
) -> None:
    name = postgres_url.rpartition("/")[2]
    with running(tmp_path, postgres_url) as server:
        wait_for(server, 200)
        cluster.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        _end_connections(cluster, name)
        wait_for(server, 503, "The database is read-only.")  # after the error of the lost connections
        cluster.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        _end_connections(cluster, name)
        wait_for(server, 200)
        cluster.stop()
        try:
            assert wait_for(server, 503)["detail"] == "The database does not answer."
        finally:
            cluster.start()
        wait_for(server, 200)


def _end_connections(cluster: Cluster, name: str) -> None:
    cluster.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")


def test_a_probe_is_shared_and_its_answer_counts_for_a_second() -> None:
    class Counting:
        """A store that counts and delays the probes."""

        stored_at = failed_at = float("-inf")

        def __init__(self) -> None:
            self.tried = 0
            self.may_go = asyncio.Event()

        async def try_writing(self, _: int) -> None:
            self.tried += 1
            await self.may_go.wait()

    async def run() -> None:
        store: Any = Counting()
        health = HealthCheck(store)
        asking = [asyncio.create_task(health.fault()) for _ in range(15)]
        await asyncio.sleep(0)
        store.may_go.set()
        assert set(await asyncio.gather(*asking)) == {None}
        assert await health.fault() is None
        assert store.tried == 1
        store.stored_at = time.monotonic() + 10  # entries of players are being stored
        health._tried_at = float("-inf")
        assert await health.fault() is None
        assert store.tried == 1
        # Too frequent requests are answered, too, but not all at once.
        store.stored_at = float("-inf")
        assert set(await asyncio.gather(*[health.fault() for _ in range(200)])) == {None}
        assert store.tried <= 3

    asyncio.run(run())


def test_frequent_requests_delay_only_their_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    class Writable:
        """A store that accepts writes."""

        stored_at = failed_at = float("-inf")

        async def try_writing(self, _: int) -> None:
            pass

    delayed: list[str] = []
    address = ""

    class Sleeping:
        """Records who has to wait, without waiting."""

        def __getattr__(self, name: str) -> object:
            return getattr(asyncio, name)

        async def sleep(self, _: float) -> None:
            delayed.append(address)

    async def run() -> None:
        nonlocal address
        store: Any = Writable()
        health = HealthCheck(store)
        for address in ["192.0.2.1"] * 100 + ["192.0.2.2"] * 10:
            assert await health.fault(address) is None

    monkeypatch.setattr(health_module, "asyncio", Sleeping())
    asyncio.run(run())
    assert set(delayed) == {"192.0.2.1"}


def test_a_database_that_hangs_is_called_silent_and_is_not_asked_again_meanwhile(
    cluster: Cluster, postgres_url: str, tmp_path: Path
) -> None:
    with running(tmp_path, postgres_url) as server:
        wait_for(server, 200)
        assert cluster._process is not None
        stopped = _family(cluster._process.pid)
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            assert wait_for(server, 503)["detail"] == "The database does not answer."
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
        wait_for(server, 200)


def _family(pid: int) -> list[int]:
    """A process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *[int(child) for child in children]]
