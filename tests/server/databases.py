"""A real PostgreSQL cluster for the tests, with an empty database for each test."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from tests.apt import find_or_install

#: Seconds within which a cluster starts or stops even on a slow machine.
PATIENCE = 60.0
#: The role that owns everything.
USER = "granada"
MISSING = (
    "These tests need PostgreSQL: install it (Debian: apt-get install postgresql), or run them as root so that they can"
)


class Cluster:
    """A cluster in a temporary directory; it can be stopped and restarted on the same port."""

    def __init__(self, programs: Path, directory: Path) -> None:
        self._programs = programs
        self._directory = directory
        self._data = directory / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0
        #: PostgreSQL does not run as root, so tests that do switch to its account.
        self._account: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            self._account = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(directory, user.pw_uid, user.pw_gid)

    def url(self, database: str) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def create(self) -> None:
        self._run("initdb", "--no-sync", "--no-locale", "--encoding=UTF8", "--auth=reject", f"--username={USER}")
        (self._data / "pg_hba.conf").write_text("host all all 127.0.0.1/32 trust\n")

    def start(self) -> None:
        for _ in range(5):  # another process may take the free port first
            self.spawn()
            if self.is_ready():
                return
            self.port = 0
        raise AssertionError(f"PostgreSQL did not start: {(self._directory / 'log').read_text()[-2000:]}")

    def spawn(self) -> None:
        """Start the process; call it in the main thread, because the cluster ends with the calling thread."""
        self.port = self.port or _free_port()
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self._directory,
            "fsync": "on",
            "shared_buffers": "16MB",
        }
        command: list[str | Path] = [self._programs / "postgres", "-D", self._data]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        if shutil.which("setpriv"):  # stops the cluster even if the tests are killed
            command[:0] = ["setpriv", "--pdeathsig", "INT"]
        with (self._directory / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **self._account)

    def is_ready(self) -> bool:
        """Wait for the cluster; returns whether it accepts connections."""
        assert self._process is not None
        until = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < until:
            try:
                self.execute("SELECT 1")
                return True
            except (OSError, TimeoutError, asyncpg.PostgresError):
                time.sleep(0.05)
        self.stop()
        return False

    def stop(self, mode: str = "immediate") -> None:
        """Stop the cluster, by default abruptly, as in a power cut."""
        if self._process is not None and self._process.poll() is None:
            self._run("pg_ctl", "stop", "-m", mode, "-w")
        if self._process is not None:
            self._process.wait(PATIENCE)

    def execute(self, statement: str, database: str = "postgres") -> None:
        asyncio.run(_execute(self.url(database), statement))

    def _run(self, program: str, *arguments: str) -> None:
        command: list[str | Path] = [self._programs / program, "-D", self._data, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False, **self._account)
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"

    @contextmanager
    def database(self) -> Iterator[str]:
        """Yield the URL of an empty database, and remove it afterwards."""
        name = f"granada_{uuid.uuid4().hex[:12]}"
        self.execute(f"CREATE DATABASE {name}")
        try:
            yield self.url(name)
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def postgres() -> Iterator[Cluster]:
    """Yield a local cluster with durable commits, and remove it afterwards."""
    programs = find_programs()
    directory = Path(tempfile.mkdtemp(prefix="granada-pg-", dir="/tmp"))  # the path of a Unix socket must be short
    cluster = Cluster(programs, directory)
    try:
        cluster.create()
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(directory, ignore_errors=True)


def find_programs() -> Path:
    """Return the directory of PostgreSQL's programs, installing them if possible."""
    return find_or_install(_installed, "postgresql", MISSING)


def _installed() -> Path | None:
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: float(place.parent.name), reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        places.append(Path(on_path).resolve().parent)
    return next((place for place in places if (place / "initdb").exists() and (place / "postgres").exists()), None)


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url, timeout=10)
    try:
        await connection.execute(statement)
    finally:
        await connection.close(timeout=10)
