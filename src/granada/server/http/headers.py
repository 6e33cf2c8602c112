"""What every answer tells a browser to keep: nothing foreign is loaded, nothing is framed, no link is passed on."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_UNUSED: Final = ("accelerometer", "camera", "geolocation", "gyroscope", "magnetometer", "microphone", "payment", "usb")
HEADERS: Final = {
    "content-security-policy": _POLICY,
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
