"""The ASGI application: the routes of the API, the operator's endpoints, the API documents and the page."""

from __future__ import annotations

import hmac
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from types import FrameType
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp

from granada.api import handlers
from granada.api.endpoints import BODY_LIMIT
from granada.server.http import docs_page, openapi, problems, routes
from granada.server.http.middleware import Limits, with_middleware
from granada.server.http.page import page_routes
from granada.server.http.problems import problem_response
from granada.server.http.request_context import json_response
from granada.server.http.routes import socket_route
from granada.server.http.routing import HttpEndpoints, over_http
from granada.server.ops import metrics
from granada.server.ops.settings import Settings, settings_from
from granada.server.server import Server
from granada.tables.errors import CODES, TableError
from granada.tables.messages import encoder

#: Requests that create something; they have their own rate limit.
CREATION_PATHS: Final = (
    "/api/tables",
    "/api/records",
    "/api/programs",
    "/api/identity/code",
    "/api/tables/{table_id}/fork",
    "/api/tables/{table_id}/rematch",
    "/api/daily/{edition}/{date}/table",
    "/api/daily/{edition}/{date}/results",
)
#: Seconds after which a worker thread yields to the event loop.
SWITCH_INTERVAL: Final = 0.001
LARGER_BODIES: Final = {
    one.path: one.body_limit for one in (*handlers.endpoints, *routes.endpoints) if one.body_limit > BODY_LIMIT
}


def create() -> ASGIApp:
    """Return the application, configured from the environment; uvicorn calls this in each worker."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    return create_app(settings_from(), owns_process=True)


def create_app(settings: Settings, owns_process: bool = False) -> ASGIApp:
    """Return the application with its middleware; with `owns_process` it also controls garbage collection."""
    server = Server(settings, owns_process)
    limits = Limits(
        public_url=settings.public_url,
        rate=settings.rate,
        creations=settings.creations,
        creating=CREATION_PATHS,
        trusted_proxies=settings.trusted_proxies,
        larger_bodies=LARGER_BODIES,
    )
    return with_middleware(bare_app(server), limits)


def bare_app(server: Server) -> Starlette:
    """Return the application without middleware."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await server.open()
        _on_shutdown_signal(server.announce_restart)
        yield
        await server.close()

    endpoints = all_endpoints(server)
    routes = [*endpoints.routes(), socket_route, *page_routes()]
    app = Starlette(routes=routes, lifespan=lifespan)
    # A redirect would repeat the host and the scheme that the client claims.
    app.router.redirect_slashes = False
    app.state.context = server.context
    problems.install(app)
    return app


def _on_shutdown_signal(act: Callable[[], None]) -> None:
    """Call a function on SIGINT or SIGTERM, before uvicorn closes the connections."""
    if threading.current_thread() is not threading.main_thread():
        return  # embedded in another program, not run by uvicorn
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)

        def handle(sig: int, frame: FrameType | None, before: Any = before) -> None:
            act()
            if callable(before):
                before(sig, frame)

        signal.signal(number, handle)


def all_endpoints(server: Server) -> HttpEndpoints:
    """Return the endpoints of the API, for operators, and of the API documents."""
    endpoints = HttpEndpoints([*routes.endpoints, *map(over_http, handlers.endpoints)])
    _add_operator_endpoints(endpoints, server)
    _add_document_endpoints(endpoints)
    return endpoints


def _add_operator_endpoints(endpoints: HttpEndpoints, server: Server) -> None:
    token = server.settings.metrics_token

    @endpoints.get("/metrics")
    async def prometheus(request: Request) -> Response:
        """Get the metrics for Prometheus."""
        sent = request.headers.get("authorization", "")
        if token and not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            return problem_response(TableError("unauthorized", "the metrics need the operator's token"))
        return Response(metrics.render(), media_type=metrics.CONTENT_TYPE)


def _add_document_endpoints(endpoints: HttpEndpoints) -> None:
    # Generated on first use, because it takes a while.
    document = cache(lambda: openapi.openapi(endpoints))
    encoded = cache(lambda: encoder.encode(document()))
    socket = cache(lambda: encoder.encode(openapi.socket_schema()))
    html = cache(lambda: docs_page.page(document()))

    @endpoints.get("/api/openapi.json")
    async def openapi_json(request: Request) -> Response:
        """Get the OpenAPI 3.1 document."""
        return json_response(encoded())

    @endpoints.get("/api/socket.json")
    async def socket_json(request: Request) -> Response:
        """Get the JSON Schema of the socket messages."""
        return json_response(socket())

    @endpoints.get("/api/docs")
    async def docs(request: Request) -> Response:
        """Get the API documentation as a web page."""
        return HTMLResponse(html())

    @endpoints.get("/api/docs.css")
    async def style(request: Request) -> Response:
        """Get the style sheet of the documentation; the content security policy forbids inline styles."""
        return Response(docs_page.STYLE.read_text("utf-8"), media_type="text/css")

    @endpoints.get("/api/problems/{code}")
    async def problem(request: Request, code: str) -> Response:
        """Redirect from the `type` of a problem document to its explanation."""
        if code not in CODES:
            raise TableError("not_found", "there is no such error code")
        return RedirectResponse(f"../docs#problem-{code}")
