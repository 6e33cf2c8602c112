"""ASGI middleware: access log, security headers, rate limit, origin check and body limit."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from granada.api.call import CLIENT_GONE
from granada.api.endpoints import BODY_LIMIT
from granada.api.problems import too_large
from granada.server.http.addresses import note_address
from granada.server.http.problems import reject
from granada.server.http.security_headers import HEADERS
from granada.server.ops.metrics import HTTP_REQUESTS
from granada.tables.errors import TableError
from granada.tables.log import log
from granada.tables.rate_limit import Buckets

# Route templates

#: Logged if no route matches; the path itself is never logged, because it may be a secret link.
UNKNOWN: Final = "unknown"
_PLACEHOLDER: Final = re.compile(r"\\\{[^}]*\}")


def path_pattern(template: str) -> re.Pattern[str]:
    """Return a pattern for the paths of a route template; a placeholder matches anything but a slash."""
    return re.compile(_PLACEHOLDER.sub("[^/]+", re.escape(template)))


def route_template(scope: Scope) -> str:
    """Return the template of the route that served a request."""
    route = scope.get("route")
    if isinstance(route, Mount):
        return f"{route.path}/*"
    template = getattr(route, "path", None)
    return template if isinstance(template, str) and template else UNKNOWN


# Access log

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SWITCHING_PROTOCOLS: Final = 101


class AccessLog:
    """Logs and counts requests by route template; paths and queries may contain secrets."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        # If the application sends no response, uvicorn sends 500; a socket closed before it is accepted gets 403.
        status = 500

        async def observe(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = _SWITCHING_PROTOCOLS
            elif message["type"] == "websocket.close" and status != _SWITCHING_PROTOCOLS:
                status = 403
            await send(message)

        try:
            await self._app(scope, receive, observe)
        finally:
            method = scope.get("method", "SOCKET")
            if method not in _METHODS and scope["type"] != "websocket":
                method = "other"
            route = route_template(scope)
            HTTP_REQUESTS.labels(method, route, str(status)).inc()
            milliseconds = round((time.perf_counter() - start) * 1000, 1)
            log("request", method=method, route=route, status=status, ms=milliseconds)


# Security headers

_RESPONSE_STARTS: Final = ("http.response.start", "websocket.http.response.start")


class SecurityHeaders:
    """Adds the headers to every response that does not set its own; API responses are not cached."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        is_api = path == "/api" or path.startswith("/api/")

        async def add_headers(message: Message) -> None:
            if message["type"] in _RESPONSE_STARTS:
                message.setdefault("headers", [])
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if "set-cookie" in headers:
                    # The cookie is a player's secret and must not be cached.
                    headers["cache-control"] = "private, no-store"
                elif is_api:
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        await self._app(scope, receive, add_headers)


# Rate limit

#: A file of the page counts as a fraction of a request: it has about thirty, and a school class loads it all at once.
ASSETS: Final = "/assets/"
ASSET_COST: Final = 0.1


class RateLimit:
    """Limits the requests of an address, with a lower limit for creating things; `exempt` paths are not limited."""

    def __init__(
        self,
        app: ASGIApp,
        requests: Buckets,
        creations: Buckets,
        creating: Collection[str] = (),
        exempt: Collection[str] = ("/healthz",),
        proxies: int = 0,
    ) -> None:
        self._app: Final = app
        self._requests: Final = requests
        self._creations: Final = creations
        self._creating: Final = [path_pattern(template) for template in creating]
        self._exempt: Final = frozenset(exempt)
        self._proxies: Final = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = self._wait(scope) if scope["type"] in ("http", "websocket") else 0.0
        if wait > 0:
            seconds = math.ceil(wait)
            error = TableError("too_many", f"too many requests from this address; try again in {seconds} s")
            await reject(scope, receive, send, error, {"retry-after": str(seconds)})
            return
        await self._app(scope, receive, send)

    def _wait(self, scope: Scope) -> float:
        key = note_address(scope, self._proxies)
        if scope["path"] in self._exempt:
            return 0.0
        wait = self._requests.take(key, ASSET_COST if scope["path"].startswith(ASSETS) else 1.0)
        if wait == 0 and scope.get("method") == "POST":
            if any([pattern.fullmatch(scope["path"]) for pattern in self._creating]):
                return self._creations.take(key)
        return wait


# Origin

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}
#: Scheme, host and port.
_Origin = tuple[str, str, int]


class OriginGuard:
    """Rejects changes and sockets requested by pages of other sites; programs without cookies are let through."""

    def __init__(self, app: ASGIApp, public_url: str = "", allowed: Sequence[str] = ()) -> None:
        self._app: Final = app
        named = [text for text in (public_url, *allowed) if text]
        self._allowed: Final = frozenset([parse_origin(text) for text in named])
        if None in self._allowed:
            raise ValueError(f"one of {', '.join(named)} is not an address such as https://club.example")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_unsafe = scope["type"] == "websocket" or (scope["type"] == "http" and scope["method"] not in _SAFE)
        if is_unsafe and not self._is_same_site(Headers(scope=scope)):
            error = TableError("forbidden_origin", "pages of other sites may not send requests that change something")
            await reject(scope, receive, send, error)
            return
        await self._app(scope, receive, send)

    def _is_same_site(self, headers: Headers) -> bool:
        given = headers.getlist("origin")
        if not given:
            # Old browsers do not send an origin; newer ones also send Sec-Fetch-Site.
            site = headers.get("sec-fetch-site", "none")
            return "cookie" not in headers or site in ("same-origin", "none")
        origin = parse_origin(given[0]) if len(given) == 1 else None
        if origin is None:
            return False
        # A proxy may terminate TLS, so the scheme and a default port are those of the browser.
        return origin in self._allowed or origin == parse_origin(f"{origin[0]}://{headers.get('host', '')}")


def parse_origin(text: str) -> _Origin | None:
    """Return the scheme, host and port of an address; None if it has none ("null", files, extensions)."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
        return None
    return parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port


# Body limit

#: The most bytes of a rejected body, and the most seconds, to read after the response.
DRAIN_BYTES: Final = 64 * 1024 * 1024
DRAIN_SECONDS: Final = 10.0


class BodyLimit:
    """Rejects bodies above the limit: by Content-Length if there is one, otherwise when the limit is exceeded.

    The body is read before the application is called, so that the limit also applies if the application ignores it.
    """

    def __init__(self, app: ASGIApp, limit: int = BODY_LIMIT, larger: Mapping[str, int] | None = None) -> None:
        self._app: Final = app
        self._limit: Final = limit
        self._larger: Final = [(path_pattern(template), most) for template, most in (larger or {}).items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        announced = headers.get("content-length")
        if announced is None and "transfer-encoding" not in headers and not _may_stream(scope):
            await self._app(scope, receive, send)
            return
        limit = self._limit_of(scope["path"])
        if announced is not None and not (announced.isascii() and announced.isdigit()):
            await reject(scope, receive, send, TableError("malformed", "the header Content-Length is not a number"))
            return
        # Compare the length first: converting a number of any length would be expensive.
        digits = (announced or "").lstrip("0")
        if len(digits) > len(str(limit)) or int(digits or "0") > limit:
            await _reject_body(scope, receive, send, limit, 0)
            return
        messages: list[Message] = []
        size = 0
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                # The client disconnected; an incomplete body must not be processed.
                await Response(status_code=CLIENT_GONE)(scope, receive, send)
                return
            messages.append(message)
            more = message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > limit:
                await _reject_body(scope, receive, send, limit, size)
                return
        body = iter(messages)

        async def replay() -> Message:
            message = next(body, None)
            return await receive() if message is None else message

        await self._app(scope, replay, send)

    def _limit_of(self, path: str) -> int:
        for pattern, most in self._larger:
            if pattern.fullmatch(path):
                return most
        return self._limit


def _may_stream(scope: Scope) -> bool:
    """Whether a body may arrive without Content-Length or Transfer-Encoding, as in HTTP/2 and later."""
    return not str(scope.get("http_version", "1.1")).startswith("1")


async def _reject_body(scope: Scope, receive: Receive, send: Send, limit: int, size: int) -> None:
    """Send the error at once, then read the rest of the body before closing the connection.

    Closing a connection while data arrives resets it, and many clients would never see the response.
    """

    async def respond(message: Message) -> None:
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            await send({**message, "more_body": True})
            if not Headers(scope=scope).get("expect", "").lower().startswith("100-"):
                await _drain(receive, size)
            message = {"type": "http.response.body"}
        await send(message)

    await reject(scope, receive, respond, too_large(limit), {"connection": "close"})


async def _drain(receive: Receive, size: int) -> None:
    """Read and discard the rest of a body, within limits."""
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            more = True
            while more and size < DRAIN_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                more = message["type"] == "http.request" and message.get("more_body", False)


# Composition


@dataclass(frozen=True)
class Limits:
    """The limits that the middleware enforces; paths are templates as in routes."""

    public_url: str = ""
    allowed_origins: Sequence[str] = ()
    #: Requests per second from one address, and the size of a burst; a rate of 0 sets no limit.
    rate: float = 0.0
    burst: float = 200.0
    #: The same per minute, for POST requests to the paths in `creating`.
    creations: float = 0.0
    creations_burst: float = 20.0
    creating: Collection[str] = ()
    #: Paths without a rate limit, for monitoring.
    exempt: Collection[str] = ("/healthz",)
    trusted_proxies: int = 0
    body_limit: int = BODY_LIMIT
    larger_bodies: Mapping[str, int] = field(default_factory=dict)


def with_middleware(app: ASGIApp, limits: Limits) -> ASGIApp:
    """Return an application with all middleware.

    The middleware is not registered with Starlette, which handles uncaught exceptions outside of registered middleware:
    those responses would have no headers and no line in the log.
    """
    app = BodyLimit(app, limits.body_limit, limits.larger_bodies)
    app = OriginGuard(app, limits.public_url, limits.allowed_origins)
    app = RateLimit(
        app,
        Buckets(limits.rate, limits.burst),
        Buckets(limits.creations / 60, limits.creations_burst),
        limits.creating,
        limits.exempt,
        limits.trusted_proxies,
    )
    app = SecurityHeaders(app)
    return AccessLog(app)
