"""Which sites may act in the name of a player: the server's own pages, and those that are named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from granada.tables.errors import TableError, refuse

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
            await refuse(scope, receive, send, error)
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
