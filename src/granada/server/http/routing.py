"""Endpoints as routes of Starlette: those of the API, and those that only a server has."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import Any, Final, cast

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from granada.api.call import Reply
from granada.api.endpoints import Endpoint, Endpoints
from granada.server.http.request_context import HttpCall


class HttpEndpoints(Endpoints[Response]):
    """Endpoints whose handlers take a request of Starlette and return its response."""

    def routes(self) -> list[Route]:
        """Return one route per path, so that a 405 response can list the allowed methods."""
        return [_PathRoute(path, endpoints) for path, endpoints in self.by_path().items()]


def over_http(endpoint: Endpoint[Reply]) -> Endpoint[Response]:
    """Return an endpoint of the API as one of HTTP."""
    handle = endpoint.handler

    @wraps(handle)
    async def serve(request: Request, **arguments: object) -> Response:
        call = HttpCall(request)
        return call.response(await handle(call, **arguments))

    return replace(cast(Endpoint[Any], endpoint), handler=serve)


class _PathRoute(Route):
    """The endpoints of one path."""

    def __init__(self, path: str, endpoints: dict[str, Endpoint[Response]]) -> None:
        async def serve(request: Request) -> Response:
            return await endpoints[request.method].serve(request, request)

        super().__init__(path, serve, methods=list(endpoints))
        assert self.methods is not None
        self.methods.discard("HEAD")  # Starlette adds it to every GET
        self._allowed: Final = ", ".join(sorted(self.methods))

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; 405 with the allowed methods, in a fixed order, if its method is not supported."""
        if self.methods and scope["method"] not in self.methods:
            raise HTTPException(405, headers={"allow": self._allowed})
        await super().handle(scope, receive, send)
