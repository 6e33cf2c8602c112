"""What every request passes before the application: log, headers, rate limit, origin check, body limit."""

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

from granada.server.http.addresses import note_address
from granada.server.http.problems import reject
from granada.server.ops.metrics import HTTP_REQUESTS
from granada.tables.errors import TableError
from granada.tables.log import log
from granada.tables.rate_limit import Buckets

#: The status in the log of a request whose client has left; no client ever sees it.
LEFT: Final = 499

# Templates of routes

#: A route that nobody wrote; a path is never told in its place, because it may be somebody's secret.
UNKNOWN: Final = "unknown"
_PLACE: Final = re.compile(r"\\\{[^}]*\}")


def path_pattern(template: str) -> re.Pattern[str]:
    """What matches the whole paths of a template; a place matches anything but a slash."""
    return re.compile(_PLACE.sub("[^/]+", re.escape(template)))


def route_template(scope: Scope) -> str:
    """The template of the route that has served a request."""
    route = scope.get("route")
    if isinstance(route, Mount):
        return f"{route.path}/*"
    template = getattr(route, "path", None)
    return template if isinstance(template, str) and template else UNKNOWN


# Log

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SWITCHING: Final = 101


class Access:
    """Logs and counts by the template of the route: a path can be a secret link, a query a token."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        # Of a request that fails without an answer, uvicorn makes a 500; a socket that closes unaccepted is a 403.
        status = 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = _SWITCHING
            elif message["type"] == "websocket.close" and status != _SWITCHING:
                status = 403
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            asked = scope.get("method", "SOCKET")
            method = asked if asked in _METHODS or scope["type"] == "websocket" else "other"
            route = route_template(scope)
            HTTP_REQUESTS.labels(method, route, str(status)).inc()
            milliseconds = round((time.perf_counter() - start) * 1000, 1)
            log("request", method=method, route=route, status=status, ms=milliseconds)


# Headers

_CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_UNUSED: Final = ("accelerometer", "camera", "geolocation", "gyroscope", "magnetometer", "microphone", "payment", "usb")
HEADERS: Final = {
    "content-security-policy": _CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    # A table's link is its secret: no other site may learn it.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join([f"{feature}=()" for feature in _UNUSED]),
}
_STARTS: Final = ("http.response.start", "websocket.http.response.start")


class SecurityHeaders:
    """Puts the headers on every answer that does not set its own; answers of the API are not kept in caches."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        is_api = path == "/api" or path.startswith("/api/")

        async def adding(message: Message) -> None:
            if message["type"] in _STARTS:
                message.setdefault("headers", [])
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if "set-cookie" in headers:
                    # The cookie is a player's secret: no cache may give it to somebody else.
                    headers["cache-control"] = "private, no-store"
                elif is_api:
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        await self._app(scope, receive, adding)


# Rate limit

#: A file of the page counts as this part of a request: a page has about thirty, and a class opens it all at once.
ASSETS: Final = "/assets/"
ASSET: Final = 0.1


class RateLimit:
    """Refuses an address that asks too often, and sooner one that creates too much; `exempt` paths are free."""

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
        if scope["path"] in self._exempt:
            return 0.0
        key = note_address(scope, self._proxies)
        wait = self._requests.take(key, ASSET if scope["path"].startswith(ASSETS) else 1.0)
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
    """Refuses changes and sockets that a page of another site asks for; programs without cookies are no pages."""

    def __init__(self, app: ASGIApp, public_url: str = "", allowed: Sequence[str] = ()) -> None:
        self._app: Final = app
        named = [text for text in (public_url, *allowed) if text]
        self._allowed: Final = frozenset([parse_origin(text) for text in named])
        if None in self._allowed:
            raise ValueError(f"one of {', '.join(named)} is no address like https://club.example")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_unsafe = scope["type"] == "websocket" or (scope["type"] == "http" and scope["method"] not in _SAFE)
        if is_unsafe and not self._is_own(Headers(scope=scope)):
            error = TableError("forbidden_origin", "a page of another site may not act at this server")
            await reject(scope, receive, send, error)
            return
        await self._app(scope, receive, send)

    def _is_own(self, headers: Headers) -> bool:
        given = headers.getlist("origin")
        if not given:
            # Old browsers leave the origin out, newer ones tell where a request comes from in another way, too.
            site = headers.get("sec-fetch-site", "none")
            return "cookie" not in headers or site in ("same-origin", "none")
        origin = parse_origin(given[0]) if len(given) == 1 else None
        if origin is None:
            return False
        # A proxy may end TLS: the scheme is the browser's, and so is the port that Host leaves out.
        return origin in self._allowed or origin == parse_origin(f"{origin[0]}://{headers.get('host', '')}")


def parse_origin(text: str) -> _Origin | None:
    """The scheme, host and port of an address; None if it has none ("null", files, extensions)."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
        return None
    return parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port


# Body limit

#: Every command and every set of options fits many times.
BODY_LIMIT: Final = 64 * 1024
#: The most bytes of a refused body that are read after the answer, and the most seconds for that.
DRAINED: Final = 64 * 1024 * 1024
DRAIN_SECONDS: Final = 10.0


class BodyLimit:
    """Refuses bodies above the limit: at once if they are announced, otherwise when too much has come.

    A body is read before the application is called, so that it is refused whatever the application would do with it.
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
            await reject(scope, receive, send, TableError("malformed", "the header Content-Length is no number"))
            return
        # The number can have any length; a longer one than the limit's is larger, and not turned into a number.
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
                # The client broke off: nobody waits for an answer, and nothing may be done with half a body.
                await Response(status_code=LEFT)(scope, receive, send)
                return
            messages.append(message)
            more = message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > limit:
                await _reject_body(scope, receive, send, limit, size)
                return
        body = iter(messages)

        async def replayed() -> Message:
            message = next(body, None)
            return await receive() if message is None else message

        await self._app(scope, replayed, send)

    def _limit_of(self, path: str) -> int:
        for pattern, most in self._larger:
            if pattern.fullmatch(path):
                return most
        return self._limit


def _may_stream(scope: Scope) -> bool:
    """HTTP/2 and later announce nothing about a body that comes in pieces."""
    return not str(scope.get("http_version", "1.1")).startswith("1")


async def _reject_body(scope: Scope, receive: Receive, send: Send, limit: int, size: int) -> None:
    """Answer at once, then read what is still being sent before the connection is closed.

    A connection that is closed while data arrive is reset, and many clients then never see the answer.
    """

    async def answering(message: Message) -> None:
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            await send({**message, "more_body": True})
            if not Headers(scope=scope).get("expect", "").lower().startswith("100-"):
                await _drain(receive, size)
            message = {"type": "http.response.body"}
        await send(message)

    await reject(scope, receive, answering, _too_large(limit), {"connection": "close"})


async def _drain(receive: Receive, size: int) -> None:
    """Read on for a while."""
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            more = True
            while more and size < DRAINED:
                message = await receive()
                size += len(message.get("body", b""))
                more = message["type"] == "http.request" and message.get("more_body", False)


def _too_large(limit: int) -> TableError:
    return TableError("too_large", f"a request to this address may bring at most {limit} bytes")


# All together


@dataclass(frozen=True)
class Limits:
    """The limits that the middleware enforces; paths are templates as in routes."""

    public_url: str = ""
    allowed_origins: Sequence[str] = ()
    #: Requests a second from one address, and how many at once; a rate of 0 sets no limit.
    rate: float = 0.0
    burst: float = 200.0
    #: The same for POST requests to these paths, a minute.
    creations: float = 0.0
    creations_burst: float = 20.0
    creating: Collection[str] = ()
    #: Paths that are never limited, for those who watch the server.
    exempt: Collection[str] = ("/healthz",)
    trusted_proxies: int = 0
    body_limit: int = BODY_LIMIT
    larger_bodies: Mapping[str, int] = field(default_factory=dict)


def with_middleware(app: ASGIApp, limits: Limits) -> ASGIApp:
    """Wrap an application.

    The middleware wraps the whole application instead of being registered with it: the answer to an uncaught exception
    is made outside of registered middleware, and would lack the headers and the line in the log.
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
    return Access(app)
