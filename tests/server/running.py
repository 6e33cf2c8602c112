"""Real servers for the tests (`granada serve` in a separate process), and their clients."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

#: Seconds within which a server starts or answers even on a slow machine.
PATIENCE = 60.0


class RunningServer:
    """A server process that can be killed and restarted on the same database and port."""

    #: What runs `granada`, and the environment in which it runs.
    program: tuple[str, ...] = (sys.executable, "-m", "granada")
    surroundings: Mapping[str, str] = os.environ

    def __init__(self, data: Path, database: str = "", port: int = 0, **environment: str) -> None:
        self.data = data
        #: More arguments of `granada serve`, and the folder that files in them belong to.
        self.arguments: Sequence[str] = ()
        self.folder: Path | None = None
        self.database = database
        self.port = port
        self.environment = {
            "GRANADA_BOT_PAUSE": "0",
            "GRANADA_BOT_THINK": "0.1",
            "GRANADA_RATE": "0",
            "GRANADA_CREATIONS": "0",
            "GRANADA_COMMANDS": "0",
            "GRANADA_SOCKETS": "0",
            "GRANADA_LOG": "json",
            **environment,
        }
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> RunningServer:
        command = [*self.program, "serve", *self.arguments, "--no-browser", "--port", str(self.port)]
        environment = {
            **{key: value for key, value in self.surroundings.items() if not key.startswith("GRANADA_")},
            "GRANADA_DATA_DIR": str(self.data),
            **self.environment,
        }
        if self.database:
            environment["GRANADA_DATABASE"] = self.database
        self.data.mkdir(parents=True, exist_ok=True)
        with (self.data / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                env=environment,
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)/", line)
        assert found, f"the server did not start: {line!r} {self.log()[-2000:]}"
        self.port = int(found[1])
        self.wait_until_healthy()
        return self

    def wait_until_healthy(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and (self.process is None or self.process.poll() is None):
            try:
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.05)
        raise AssertionError(f"the server is not responding: {self.log()[-2000:]}")

    def log(self) -> str:
        return (self.data / "server.log").read_text("utf-8")

    def kill(self) -> None:
        """Kill the server without a clean shutdown, as in a power cut."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self._wait()

    def stop(self) -> int:
        """Shut the server down as an operator would; returns its exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self._wait()

    def _wait(self) -> int:
        assert self.process is not None
        status = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status


@contextmanager
def running(data: Path, database: str = "", **environment: str) -> Iterator[RunningServer]:
    """Run a server during a test."""
    with stopping(RunningServer(data, database, 0, **environment)) as server:
        yield server


@contextmanager
def stopping(server: RunningServer) -> Iterator[RunningServer]:
    """Start a server, and stop it at the end."""
    try:
        yield server.start()
    finally:
        if server.process is not None and server.process.poll() is None:
            server.stop()


class Guest:
    """A client with its own cookie or token, using HTTP and sockets."""

    def __init__(self, server: RunningServer, token: str | None = None) -> None:
        self.server = server
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=server.url, timeout=PATIENCE, headers=headers)
        self.headers = headers

    def close(self) -> None:
        self.http.close()

    def __enter__(self) -> Guest:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def post(self, path: str, body: object | None = None, status: int | None = None) -> dict[str, Any]:
        response = self.http.post(f"/api{path}", json={} if body is None else body)
        if status is None:
            assert response.is_success, response.text
        else:
            assert response.status_code == status, response.text
        found: dict[str, Any] = response.json()
        return found

    def get(self, path: str, status: int = 200) -> dict[str, Any]:
        response = self.http.get(f"/api{path}")
        assert response.status_code == status, response.text
        found: dict[str, Any] = response.json()
        return found

    def open_table(self, seats: list[str], **options: object) -> str:
        """Open a table and return its id; each seat is `open`, `person` or a level of bot."""
        requests = [{"kind": seat} if seat in ("open", "person") else {"kind": "bot", "level": seat} for seat in seats]
        message = self.post("/tables", {"seats": requests, "options": options})
        table_id: str = message["table"]["id"]
        return table_id

    def start(self, table: str) -> dict[str, Any]:
        return self.post(f"/tables/{table}/start")

    def sit(self, table: str, seat: int, name: str | None = None) -> dict[str, Any]:
        return self.post(f"/tables/{table}/seats/{seat}/take", {"name": name})

    def command(self, table: str, **command: object) -> dict[str, Any]:
        """Send a command by POST and return the response, also if it is an error."""
        response = self.http.post(f"/api/tables/{table}/commands", json={"id": new_id(), **command})
        found: dict[str, Any] = response.json()
        return found

    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    @contextmanager
    def socket(self, table: str, query: str = "") -> Iterator[Socket]:
        url = f"{self.server.url.replace('http', 'ws', 1)}/api/tables/{table}/socket{query}"
        headers = {**self.headers, **({"cookie": self.cookie()} if self.http.cookies else {})}
        with connect(url, additional_headers=headers, open_timeout=PATIENCE, max_size=None) as connection:
            yield Socket(connection)


class Socket:
    """A socket connected to a table."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def next(self, timeout: float = PATIENCE) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.connection.recv(timeout=timeout))
        return found

    def send(self, **command: object) -> str:
        sent = {"id": new_id(), **command}
        self.connection.send(json.dumps(sent))
        return str(sent["id"])

    def ask(self, **command: object) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        sent = self.send(**command)
        while True:
            message = self.next()
            if message.get("answers") == sent:
                return message


def read_to_the_end(socket: Socket, *sent: str) -> int | None:
    """Send texts, read until the server closes the socket, and return the close code."""
    try:
        for text in sent:
            socket.connection.send(text)
        while True:
            socket.next()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else None


def new_id() -> str:
    return uuid.uuid4().hex


def play_on(socket: Socket, choose: random.Random, until: int | None = None) -> dict[str, Any]:
    """Play at random over a socket until the end or until n is `until`; returns the last message."""
    message = socket.next()
    while message["type"] != "table" or (
        message["table"]["phase"] == "playing" and (until is None or message["n"] < until)
    ):
        assert message["type"] == "table", message
        own = message["own"]
        if own and own["actions"]:
            action = choose.choice(prefer_building(own["actions"]))
            message = socket.ask(type="act", n=message["n"], action=action)
        else:
            message = socket.next()
    return message


def prefer_building(actions: list[str]) -> list[str]:
    """3.7: Leave out rebuilding if possible, because it may go on forever."""
    return [action for action in actions if not action.startswith(("remove", "swap", "add"))] or actions
