"""Running the server: one process, or several on one port."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import urllib.request
import webbrowser
from pathlib import Path
from types import FrameType
from typing import IO, Final

import uvicorn
from uvicorn.supervisors import Multiprocess

from granada.rules.errors import BadOptions
from granada.server.http.connections import LONGEST_HEAD, TimeLimitedProtocol, raise_file_limit
from granada.server.ops import metrics
from granada.server.ops.logs import log_config, style_of
from granada.server.ops.settings import Settings
from granada.server.store.migrate import NewerSchema
from granada.server.store.sql_store import SqlStore
from granada.tables.ports import Unavailable
from granada.tables.session import LONGEST

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

#: So many seconds requests get to end when the server goes down, and a browser waits for the server to come up.
GRACE: Final = 5
PATIENCE: Final = 30.0


class QuietServer(uvicorn.Server):
    """Ends with the status of success after a signal, which uvicorn would raise once more."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal to end came."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def serve(settings: Settings, opens_browser: bool) -> int:
    """Serve until a signal comes; returns the exit status."""
    settings.check()
    held = _take_file(settings) if settings.is_embedded() else None
    listening = _listen(settings)
    asyncio.run(_prepare(settings))
    os.environ.update(settings.environment())
    os.environ.setdefault("WEBSOCKETS_MAX_LINE_LENGTH", str(LONGEST_HEAD))
    raise_file_limit()
    config = _config(settings)
    print(f"Granada is at {_address(settings, listening)}", flush=True)
    print("Press Ctrl-C to stop it.", flush=True)
    if opens_browser:
        threading.Thread(target=_open_browser, args=(_address(settings, listening),), daemon=True).start()
    try:
        return _run(config, listening)
    finally:
        if held is not None:
            held.close()


def _run(config: uvicorn.Config, listening: socket.socket) -> int:
    if config.workers > 1:
        metrics.share(Path(tempfile.mkdtemp(prefix="granada-metrics-")))
        Multiprocess(config, sockets=[listening]).run()
        return 0
    server = QuietServer(config)
    server.run(sockets=[listening])
    return 0 if server.started else 1


def _config(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        "granada.server.http.app:create",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        # With more than a hundred busy connections uvloop lets some wait for seconds; asyncio is fair.
        loop="asyncio",
        http=TimeLimitedProtocol,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        ws="websockets-sansio",
        ws_max_size=4 * LONGEST,
        # It costs a fifth more processor time and 50 KB a socket, and saves five sixths of the bytes (docs/load.md).
        ws_per_message_deflate=bool(settings.compression),
        ws_ping_interval=20,
        ws_ping_timeout=20,
        access_log=False,
        server_header=False,
        # Whom to believe about addresses is a setting of ours (GRANADA_TRUSTED_PROXIES).
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
        log_config=log_config(style_of(settings.log)),
    )


def _take_file(settings: Settings) -> IO[bytes]:
    """Make the directory of an embedded database, which belongs to one server: a lock that ends with the process."""
    database = Path(settings.url().database or "granada.sqlite")
    try:
        database.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        held = database.with_name(f"{database.name}.lock").open("wb")
    except OSError as error:
        raise BadOptions(f"the database {database} cannot be made: {error.strerror}") from None
    if fcntl is not None:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            held.close()
            raise BadOptions(f"another server uses the database {database} (choose another by --data-dir)") from None
    return held


async def _prepare(settings: Settings) -> None:
    """Bring the database to this version before any worker starts; BadOptions if it does not answer."""
    store = SqlStore(settings.url())
    try:
        await store.open()
    except Unavailable as error:
        raise BadOptions(f"the database does not answer ({error}): see granada doctor") from None
    except NewerSchema as error:
        raise BadOptions(f"{error}: upgrade Granada, or restore the backup from before the upgrade") from None
    await store.close()


def _listen(settings: Settings) -> socket.socket:
    """The port, taken before anything else begins; BadOptions if somebody has it."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Named as TCP, so that asyncio sends every message at once (TCP_NODELAY) and does not wait for more.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        raise BadOptions(
            f"{settings.host} port {settings.port} cannot be used: {error.strerror} (choose another by --port)"
        ) from None
    listening.set_inheritable(True)
    return listening


def _address(settings: Settings, listening: socket.socket) -> str:
    if settings.public_url:
        return settings.public_url
    host = "localhost" if settings.host in ("0.0.0.0", "::", "127.0.0.1", "::1") else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/"


def _open_browser(address: str) -> None:
    """Open the page as soon as the server answers."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{address}healthz", timeout=2).close()
            break
        except OSError:
            time.sleep(0.2)
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        print("No browser could be opened.", file=sys.stderr)
