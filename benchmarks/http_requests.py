"""Measure the server's CPU time per HTTP request, for two builds in one run.

    python benchmarks/http_requests.py BEFORE AFTER

BEFORE and AFTER are folders with a compiled build each. The requests alternate between both servers, so that other work
on the machine affects both.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

#: Requests of one kind per build and turn, and the number of turns.
REQUESTS = 300
TURNS = 6
TIMEOUT = 60.0


class Build:
    """A server that runs one build."""

    def __init__(self, path: Path, port: int, data: Path) -> None:
        limits = {"GRANADA_RATE": "0", "GRANADA_CREATIONS": "0", "GRANADA_COMMANDS": "0"}
        command = [
            sys.executable,
            "-m",
            "granada",
            "serve",
            "--no-browser",
            "--port",
            str(port),
            "--data-dir",
            str(data),
        ]
        environment = {**os.environ, **limits, "PYTHONPATH": str(path.absolute())}
        self._process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=TIMEOUT)
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                self.http.get("/healthz")
                break
            except httpx.TransportError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        seats = [{"kind": "person", "name": "Ana"}, {"kind": "person", "name": "Ben"}]
        opened = self.http.post("/api/tables", json={"seats": seats, "options": {"edition": "combined"}})
        self.table: str = opened.json()["table"]["id"]
        self.http.post(f"/api/tables/{self.table}/start", json={}).raise_for_status()

    def cpu_seconds(self) -> float:
        """Return the CPU time that the server has used."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def run(self, path: str) -> float:
        """Send the requests of one turn and return the CPU time that they took."""
        before = self.cpu_seconds()
        for _ in range(REQUESTS):
            self.http.get(path.format(table=self.table)).raise_for_status()
        return self.cpu_seconds() - before

    def close(self) -> None:
        """Stop the server."""
        self.http.close()
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(TIMEOUT)


def main() -> None:
    """Print a line for each kind of request."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--port", type=int, default=9101, help="the first of two ports (%(default)s)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        builds = [
            Build(path, arguments.port + i, Path(folder) / str(i))
            for i, path in enumerate((arguments.before, arguments.after))
        ]
        try:
            for path in ("/api/names", "/api/tables/{table}", "/api/tables/{table}/log"):
                used = [0.0, 0.0]
                for _ in range(TURNS):
                    for i, build in enumerate(builds):
                        used[i] += build.run(path)
                before, after = [1000 * seconds / (TURNS * REQUESTS) for seconds in used]
                print(f"{path:28} {before:.3f} ms before, {after:.3f} ms after: {before / after:.2f}x as fast")
        finally:
            for build in builds:
                build.close()


if __name__ == "__main__":
    main()
