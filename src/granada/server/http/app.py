"""The application: everything put together."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from types import FrameType
from typing import Any, Final, Literal, cast

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp

from granada import __version__
from granada.bots.external.plugins import load_bots
from granada.server.bot_pool.pool import BotPool
from granada.server.http import docs_page, openapi, problems, routes
from granada.server.http.middleware import Limits, with_middleware
from granada.server.http.page import page_routes
from granada.server.http.problems import problem_response
from granada.server.http.request_context import RequestContext, json_response
from granada.server.http.routes import LONGEST_RECORD, socket_route
from granada.server.http.routing import Endpoints
from granada.server.ops import metrics
from granada.server.ops.background import BackgroundThread
from granada.server.ops.gc_control import GarbageCollection
from granada.server.ops.health import Health
from granada.server.ops.settings import Settings, settings_from
from granada.server.store.notifier import LocalNotifier, PostgresNotifier
from granada.server.store.sql_store import SqlStore
from granada.tables.analyses import Analyses
from granada.tables.clock import server_time
from granada.tables.errors import CODES, TableError
from granada.tables.hints import Hints
from granada.tables.live_table import Watching
from granada.tables.log import log
from granada.tables.messages import encoder
from granada.tables.operations import Operations
from granada.tables.ports import Notifier
from granada.tables.presence import Presence
from granada.tables.registry import TableRegistry
from granada.tables.requests import Health as HealthInfo
from granada.tables.scheduler import Scheduler
from granada.tables.session import Session

#: Requests that make something new, and those that may be larger than others.
CREATING: Final = (
    "/api/tables",
    "/api/records",
    "/api/programs",
    "/api/tables/{table_id}/fork",
    "/api/tables/{table_id}/rematch",
)
#: Seconds after which a worker thread gives way to the event loop, if the loop has something to do.
SWITCHING: Final = 0.001
#: Seconds between two attempts to take over what another process stored; after the last the next command does.
CATCHING_UP: Final = (0.5, 1, 2, 4, 8)
#: Seconds in which a look at a game of the past makes some progress, however busy the machine is.
REVIEW_LIMIT: Final = 60.0
LARGER: Final = {"/api/records": LONGEST_RECORD}


class Server:
    """All parts of a running server."""

    def __init__(self, settings: Settings, owns_process: bool = False) -> None:
        self.settings: Final = settings
        load_bots(settings.bot_paths())  # here to be offered; they think where all bots do, in the pool
        self.store: Final = SqlStore(settings.url(), worker=secrets.token_hex(4))
        self.health: Final = Health(self.store)
        self.background: Final = BackgroundThread()
        self.metrics: Final = metrics.PrometheusMetrics()
        self.registry: Final = TableRegistry(self.store, self.background, self.metrics)
        self.presence: Final = Presence(self.registry)
        self.session: Final = Session(self.registry, self.presence, settings.rate, settings.commands, settings.sockets)
        self.pool: Final = BotPool(
            settings.bot_processes, settings.bot_seconds, settings.bot_paths(), settings.bot_think, settings.bot_nodes
        )
        #: A process of its own: whoever looks at a game of the past keeps no bot of a running one waiting.
        self.review_pool: Final = BotPool(1, max(REVIEW_LIMIT, settings.bot_seconds))
        self.analyses: Final = Analyses(self.review_pool, self.metrics)
        operations = Operations(
            self.registry,
            self.presence,
            self.session,
            Hints(self.pool, self.metrics),
            self.analyses,
            self.background,
        )
        is_secure = settings.public_url.startswith("https:")
        self.context: Final = RequestContext(operations, self.store, self.session, is_secure)
        self.notifier: Final[Notifier] = (
            LocalNotifier() if self.store.is_embedded else PostgresNotifier(settings.url(), self._hear, self._missed)
        )
        self.scheduler: Final = Scheduler(
            self.registry, self.presence, self.pool, self.notifier, settings.bot_pause, settings.keep_days
        )
        #: None in a process that belongs to another program, such as a test.
        self.garbage: Final = GarbageCollection(lambda: self.store.stored) if owns_process else None
        self._tasks: Final[list[asyncio.Task[None]]] = []
        self._hearing: Final[set[asyncio.Task[None]]] = set()
        self._few: Final = asyncio.Semaphore(4)

    async def open(self) -> None:
        """Begin to work; raises Unavailable if the database does not answer."""
        await self.store.open()
        server_time.begin_after(await self.store.newest_at())
        await self.pool.start()
        await self.review_pool.start()
        self._tasks.append(asyncio.create_task(self.notifier.run(), name="notifier"))
        self._tasks.append(asyncio.create_task(self.scheduler.run(), name="scheduler"))
        if self.garbage is not None:
            self.garbage.start()
            self._tasks.append(asyncio.create_task(self.garbage.run(), name="garbage"))
        log("server started", version=__version__, database=self.store.url.get_backend_name())

    async def close(self) -> None:
        """Tell everybody, and end in order: what was begun is stored."""
        self.say_goodbye()
        self.scheduler.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._hearing, return_exceptions=True)
        if self.garbage is not None:
            self.garbage.stop()
        await self.presence.close()
        await self.registry.close()
        await self.health.close()
        await self.analyses.close()
        await self.review_pool.stop()
        await self.pool.stop()
        await self.store.close()
        self.background.close()
        metrics.leave()
        log("server stopped")

    def say_goodbye(self) -> None:
        """Tell all clients to come back later."""
        self.session.say_goodbye()

    def _hear(self, news: str) -> None:
        """Another process told something."""
        words = news.split(" ", 4)
        if words[0] == "entry" and words[3] != self.store.worker:
            if len(words) == 5 and self.registry.take_over(words[1], int(words[2]), words[4]):
                return
            task = asyncio.create_task(self._catch_up(words[1], int(words[2])))
            self._hearing.add(task)
            task.add_done_callback(self._hearing.discard)
        elif words[0] == "revoked":
            self.context.disconnect_program(words[1])
        elif words[0] == "here":
            self.presence.hear(words[1], words[2], words[3], cast(Watching, words[4]))

    def _missed(self) -> None:
        """News may have been missed: look at all tables, and let others keep them."""
        self.scheduler.forget()
        task = asyncio.create_task(self.context.check_programs())
        self._hearing.add(task)
        task.add_done_callback(self._hearing.discard)
        for table_id in list(self.registry.tables):
            self._hear(f"entry {table_id} {1 << 30} -")

    async def _catch_up(self, table_id: str, version: int) -> None:
        """Take over what another process stored; few at a time, and again if the database does not answer."""
        for pause in CATCHING_UP:
            try:
                async with self._few:
                    await self.registry.catch_up(table_id, version)
            except TableError:
                metrics.DATABASE_ERRORS.inc()
                await asyncio.sleep(pause)
            else:
                return


def create() -> ASGIApp:
    """The application with the settings of the environment; uvicorn calls this in each worker."""
    sys.setswitchinterval(SWITCHING)
    return create_app(settings_from(), owns_process=True)


def create_app(settings: Settings, owns_process: bool = False) -> ASGIApp:
    """The application with its middleware; a server that owns its process controls garbage collection there."""
    server = Server(settings, owns_process)
    limits = Limits(
        public_url=settings.public_url,
        rate=settings.rate,
        creations=settings.creations,
        creating=CREATING,
        trusted_proxies=settings.trusted_proxies,
        larger_bodies=LARGER,
    )
    return with_middleware(bare_app(server), limits)


def bare_app(server: Server) -> Starlette:
    """The routes, without middleware."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await server.open()
        _before_the_end(server.say_goodbye)
        yield
        await server.close()

    endpoints = all_endpoints(server)
    routes = [*endpoints.routes(), socket_route, *page_routes()]
    app = Starlette(routes=routes, lifespan=lifespan)
    # A redirect would name the host and the scheme that the request claims to be for.
    app.router.redirect_slashes = False
    app.state.context = server.context
    problems.install(app)
    return app


def _before_the_end(act: Callable[[], None]) -> None:
    """Do something when a signal to end comes, before uvicorn closes the connections."""
    if threading.current_thread() is not threading.main_thread():
        return  # not run by uvicorn, but inside another program
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)

        def handle(sig: int, frame: FrameType | None, before: Any = before) -> None:
            act()
            if callable(before):
                before(sig, frame)

        signal.signal(number, handle)


def all_endpoints(server: Server) -> Endpoints:
    """The endpoints of the API, of the operator, and of the API documents."""
    endpoints = Endpoints(routes.endpoints)
    _add_operator_endpoints(endpoints, server)
    _add_document_endpoints(endpoints)
    return endpoints


def _add_operator_endpoints(endpoints: Endpoints, server: Server) -> None:
    token = server.settings.metrics_token

    @endpoints.get("/healthz", tag="Server", gives=HealthInfo)
    async def healthz(request: Request) -> Response:
        """Check whether the server works and can write to its database; tried at most once a second."""
        fault = await server.health.fault()
        status: Literal["ok", "unavailable"] = "ok" if fault is None else "unavailable"
        health = HealthInfo(status, __version__, len(server.registry.tables), fault)
        return json_response(encoder.encode(health), 200 if fault is None else 503)

    @endpoints.get("/metrics")
    async def prometheus(request: Request) -> Response:
        """The metrics for Prometheus."""
        sent = request.headers.get("authorization", "")
        if token and not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            return problem_response(TableError("unauthorized", "the metrics need the operator's token"))
        return Response(metrics.render(), media_type=metrics.CONTENT_TYPE)


def _add_document_endpoints(endpoints: Endpoints) -> None:
    # Made once, when they are first asked for: it takes a while.
    document = cache(lambda: openapi.openapi(endpoints))
    encoded = cache(lambda: encoder.encode(document()))
    socket = cache(lambda: encoder.encode(openapi.socket_schema()))
    shown = cache(lambda: docs_page.page(document()))

    @endpoints.get("/api/openapi.json")
    async def openapi_json(request: Request) -> Response:
        """The API as OpenAPI 3.1."""
        return json_response(encoded())

    @endpoints.get("/api/socket.json")
    async def socket_json(request: Request) -> Response:
        """The messages of sockets as JSON Schema."""
        return json_response(socket())

    @endpoints.get("/api/docs")
    async def docs(request: Request) -> Response:
        """The API for people."""
        return HTMLResponse(shown())

    @endpoints.get("/api/docs.css")
    async def style(request: Request) -> Response:
        """The style of that page: a separate file, since the content policy forbids inline styles."""
        return Response(docs_page.STYLE.read_text("utf-8"), media_type="text/css")

    @endpoints.get("/api/problems/{code}")
    async def problem(request: Request, code: str) -> Response:
        """The address in the type of a problem document."""
        if code not in CODES:
            raise TableError("not_found", "there is no such code")
        return RedirectResponse(f"../docs#problem-{code}")
