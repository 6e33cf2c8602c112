"""Endpoints on plain Starlette, with typed parameters and the data for the OpenAPI document."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from granada.tables.errors import TableError

Handler = Callable[..., Awaitable[Response]]
Method = Literal["GET", "POST", "PUT", "DELETE"]
JSON: Final = "application/json"
TEXT: Final = "text/plain"


@dataclass(frozen=True)
class Parameter:
    """A parameter in the path or the query; its type carries the limits and the description."""

    name: str
    place: Literal["path", "query"]
    kind: Any
    default: object

    def read(self, connection: HTTPConnection) -> object:
        """Return the value in a request; TableError if it is malformed."""
        values = connection.path_params if self.place == "path" else connection.query_params
        if self.name not in values:
            return self.default
        try:
            return msgspec.convert(values[self.name], self.kind, strict=False)
        except msgspec.ValidationError as error:
            raise TableError("malformed", f"{self.place}.{self.name}: {error}") from None


@dataclass(frozen=True)
class Endpoint:
    """One method at one path, and its entry in the OpenAPI document."""

    method: Method
    path: str
    handler: Handler
    parameters: tuple[Parameter, ...]
    #: The section of the document; None leaves the endpoint out.
    tag: str | None = None
    #: The request body: a message class, the name of a schema, or the description of a text.
    takes: type | str | None = None
    takes_media: str = JSON
    example: object = None
    #: The response body: a message class, the name of a schema, or None for a text.
    gives: type | str | None = None
    gives_media: str = JSON
    status: int = 200
    description: str = ""
    #: Error codes besides those of all endpoints.
    errors: tuple[str, ...] = ()
    #: The required security schemes; empty for the default of the document.
    security: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the handler, which is the operation id in the document."""
        return self.handler.__name__

    @property
    def summary(self) -> str:
        """The first line of the handler's docstring."""
        return (inspect.getdoc(self.handler) or "").partition("\n")[0]

    async def serve(self, request: Request) -> Response:
        """Read the parameters and call the handler."""
        return await self.handler(request, **read_parameters(self.parameters, request))


class Endpoints:
    """A list of endpoints, filled by decorators."""

    def __init__(self, others: Iterable[Endpoint] = ()) -> None:
        self._all: Final[list[Endpoint]] = list(others)

    def __iter__(self) -> Iterator[Endpoint]:
        return iter(self._all)

    def add(self, method: Method, path: str, **details: Any) -> Callable[[Handler], Handler]:
        """Add the decorated function as an endpoint."""

        def decorate(handler: Handler) -> Handler:
            self._all.append(Endpoint(method, path, handler, parameters_of(path, handler), **details))
            return handler

        return decorate

    def get(self, path: str, **details: Any) -> Callable[[Handler], Handler]:
        """Add an endpoint for GET."""
        return self.add("GET", path, **details)

    def post(self, path: str, **details: Any) -> Callable[[Handler], Handler]:
        """Add an endpoint for POST."""
        return self.add("POST", path, **details)

    def put(self, path: str, **details: Any) -> Callable[[Handler], Handler]:
        """Add an endpoint for PUT."""
        return self.add("PUT", path, **details)

    def delete(self, path: str, **details: Any) -> Callable[[Handler], Handler]:
        """Add an endpoint for DELETE."""
        return self.add("DELETE", path, **details)

    def routes(self) -> list[Route]:
        """Return one route per path, so that a 405 response can list the allowed methods."""
        by_path: dict[str, dict[str, Endpoint]] = {}
        for endpoint in self._all:
            by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
        return [_PathRoute(path, endpoints) for path, endpoints in by_path.items()]


def parameters_of(path: str, handler: Handler) -> tuple[Parameter, ...]:
    """Return the parameters of a handler after the request; those not in the path are in the query."""
    kinds = get_type_hints(handler, include_extras=True)
    found: list[Parameter] = []
    for name, parameter in list(inspect.signature(handler).parameters.items())[1:]:
        is_path = f"{{{name}}}" in path
        default = None if parameter.default is inspect.Parameter.empty else parameter.default
        found.append(Parameter(name, "path" if is_path else "query", _without_none(kinds[name]), default))
    return tuple(found)


def read_parameters(parameters: Iterable[Parameter], connection: HTTPConnection) -> dict[str, object]:
    """Return the keyword arguments for a handler."""
    return {parameter.name: parameter.read(connection) for parameter in parameters}


def _without_none(kind: Any) -> Any:
    """Return the type of an optional parameter without None, which a URL cannot contain."""
    if get_origin(kind) in (Union, UnionType):
        (kind,) = [one for one in get_args(kind) if one is not NoneType]
    return kind


class _PathRoute(Route):
    """The endpoints of one path."""

    def __init__(self, path: str, endpoints: dict[str, Endpoint]) -> None:
        async def serve(request: Request) -> Response:
            return await endpoints[request.method].serve(request)

        super().__init__(path, serve, methods=list(endpoints))
        assert self.methods is not None
        self.methods.discard("HEAD")  # Starlette adds it to every GET
        self._allowed: Final = ", ".join(sorted(self.methods))

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; 405 with the allowed methods, in a fixed order, if its method is not supported."""
        if self.methods and scope["method"] not in self.methods:
            raise HTTPException(405, headers={"allow": self._allowed})
        await super().handle(scope, receive, send)
