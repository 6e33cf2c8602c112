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
from granada.server.http.connections import MAX_HEAD, TimeLimitedProtocol, raise_file_limit
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

#: Seconds that open requests get to finish when the server stops.
SHUTDOWN_TIMEOUT: Final = 5
#: Seconds to wait for the server before the browser is opened anyway.
START_TIMEOUT: Final = 30.0


class QuietServer(uvicorn.Server):
    """Exits with status 0 after a signal, which uvicorn would raise again."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle SIGINT or SIGTERM; a second SIGINT exits at once."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def serve(settings: Settings, opens_browser: bool) -> int:
    """Run the server until it is stopped by a signal; returns the exit status."""
    settings.check()
    lock = _lock_database(settings) if settings.is_embedded() else None
    listening = _listen(settings)
    asyncio.run(_prepare(settings))
    os.environ.update(settings.environment())
    os.environ.setdefault("WEBSOCKETS_MAX_LINE_LENGTH", str(MAX_HEAD))
    raise_file_limit()
    config = _config(settings)
    print(f"Granada is at {_address(settings, listening)}", flush=True)
    print("Press Ctrl-C to stop it.", flush=True)
    if opens_browser:
        threading.Thread(target=_open_browser, args=(_address(settings, listening),), daemon=True).start()
    try:
        return _run(config, listening)
    finally:
        if lock is not None:
            lock.close()


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
        # With more than a hundred busy connections, uvloop starves some of them for seconds.
        loop="asyncio",
        http=TimeLimitedProtocol,
        h11_max_incomplete_event_size=MAX_HEAD,
        ws="websockets-sansio",
        ws_max_size=4 * LONGEST,
        # Costs a fifth more CPU time and 50 KB per socket, and saves five sixths of the bytes (docs/load.md).
        ws_per_message_deflate=bool(settings.compression),
        ws_ping_interval=20,
        ws_ping_timeout=20,
        access_log=False,
        server_header=False,
        # GRANADA_TRUSTED_PROXIES decides which proxies to trust.
        proxy_headers=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        log_config=log_config(style_of(settings.log)),
    )


def _lock_database(settings: Settings) -> IO[bytes]:
    """Create the folder of an embedded database and lock it for this server until the returned file is closed."""
    database = Path(settings.url().database or "granada.sqlite")
    try:
        database.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = database.with_name(f"{database.name}.lock").open("wb")
    except OSError as error:
        raise BadOptions(f"the database {database} cannot be created: {error.strerror}") from None
    if fcntl is not None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise BadOptions(
                f"another server uses the database {database}; choose another one with --data-dir"
            ) from None
    return lock


async def _prepare(settings: Settings) -> None:
    """Migrate the database before any worker starts; BadOptions if that fails."""
    store = SqlStore(settings.url())
    try:
        await store.open()
    except Unavailable as error:
        raise BadOptions(f"the database does not answer ({error}); run granada doctor") from None
    except NewerSchema as error:
        raise BadOptions(f"{error}: upgrade Granada, or restore the backup from before the upgrade") from None
    await store.close()


def _listen(settings: Settings) -> socket.socket:
    """Bind the port before anything else starts; BadOptions if it is in use."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is given.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        raise BadOptions(
            f"{settings.host} port {settings.port} cannot be used: {error.strerror}; choose another one with --port"
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
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"{address}healthz", timeout=2).close()
            break
        except OSError:
            time.sleep(0.2)
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        print("No browser could be opened.", file=sys.stderr)
