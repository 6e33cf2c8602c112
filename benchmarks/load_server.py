"""The server of a load test: `granada serve` in its own process, with its CPU time and memory (Linux)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

#: Seconds to wait for the server to start or stop.
TIMEOUT = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


class MeasuredServer:
    """A server with its own database, whose CPU time and memory are measured."""

    def __init__(self, python: str, data: Path, database: str, workers: int, compression: bool = False) -> None:
        self._data = data
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("GRANADA_")},
            "GRANADA_DATA_DIR": str(data),
            "GRANADA_DATABASE": database,
            "GRANADA_WORKERS": str(workers),
            "GRANADA_RATE": "0",
            "GRANADA_CREATIONS": "0",
            "GRANADA_COMMANDS": "0",
            "GRANADA_SOCKETS": "0",
            "GRANADA_LOG": "json",
            "GRANADA_COMPRESSION": str(int(compression)),
        }
        command = [python, "-m", "granada", "serve", "--no-browser", "--port", "0"]
        with (data / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
            )
        assert self._process.stdout is not None
        found = re.search(r":(\d+)/", self._process.stdout.readline())
        if found is None:
            raise SystemExit(f"the server did not start: {self.log()[-2000:]}")
        self.url = f"http://127.0.0.1:{found[1]}"
        self._wait_until_healthy()

    def _wait_until_healthy(self) -> None:
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"{self.url}/healthz", timeout=5).close()
                return
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise SystemExit(f"the server does not answer: {self.log()[-2000:]}")

    def log(self) -> str:
        """Return the server log."""
        return (self._data / "server.log").read_text("utf-8", "replace")

    def complaints(self) -> int:
        """Return the number of warnings and errors in the log."""
        return len([line for line in self.log().splitlines() if '"warning"' in line or '"error"' in line])

    def commits(self) -> tuple[float, float]:
        """Return the total seconds that entries waited until they were stored, and their number."""
        found = dict(re.findall(r"^granada_commit_seconds_(sum|count) (\S+)$", self._metrics(), re.MULTILINE))
        return float(found.get("sum", 0)), float(found.get("count", 0))

    def garbage(self) -> dict[str, tuple[float, float, float]]:
        """Return the number, the seconds and the freed objects of garbage collections of new and of all objects."""
        text = self._metrics()
        found: dict[str, tuple[float, float, float]] = {}
        for which in re.findall(r'^granada_garbage_seconds_count{which="(\w+)"}', text, re.MULTILINE):
            names = ("seconds_count", "seconds_sum", "objects_total")
            values = [re.search(rf'^granada_garbage_{name}{{which="{which}"}} (\S+)$', text, re.M) for name in names]
            count, seconds, objects = [0.0 if value is None else float(value[1]) for value in values]
            found[which] = count, seconds, objects
        return found

    def _metrics(self) -> str:
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=TIMEOUT) as response:
            text: str = response.read().decode()
        return text

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def cpu(self) -> float:
        """Return the CPU time in seconds of all its processes."""
        return sum([_cpu(pid) for pid in _process_tree(self.pid)])

    def memory(self) -> float:
        """Return the resident memory of all its processes, in MB."""
        return sum([_memory(pid) for pid in _process_tree(self.pid)])

    def blocks(self) -> float:
        """Return the number of memory blocks in use by Python; resident memory also counts freed ones."""
        found = re.search(r"^granada_memory_blocks (\S+)$", self._metrics(), re.MULTILINE)
        return 0.0 if found is None else float(found[1])

    def stop(self) -> int:
        """Stop it with SIGTERM, or SIGKILL if that does not work; returns the exit status."""
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(self.pid, signal.SIGKILL)
            return self._process.wait()
        finally:
            assert self._process.stdout is not None
            self._process.stdout.close()


def busy_time() -> float:
    """Return the total busy time of all cores of the machine, in seconds."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    user, nice, system, _idle, _waiting, *interrupts = fields
    return (user + nice + system + sum(interrupts)) / _TICKS


def _process_tree(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    found = [pid]
    for parent in found:
        for tasks in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                found += [int(child) for child in tasks.read_text().split()]
            except OSError:
                continue  # it has just ended
    return found


def _cpu(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _memory(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE / 1e6
    except OSError:
        return 0.0
