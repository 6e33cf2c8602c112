"""Endpoints with typed parameters, and the data for the OpenAPI document, independent of any web framework."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Final, Generic, Literal, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from granada.tables.errors import TableError

Method = Literal["GET", "POST", "PUT", "DELETE"]
JSON: Final = "application/json"
TEXT: Final = "text/plain"
SVG: Final = "image/svg+xml"
#: The most bytes of a request body, far more than any command or set of options needs.
BODY_LIMIT: Final = 64 * 1024
NOTHING_HERE: Final = "there is nothing at this address"
NO_SUCH_METHOD: Final = "this address does not support the method of the request"

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
H = TypeVar("H", bound=Callable[..., Awaitable[Any]])


class Addressed(Protocol):
    """The parameters in the address of a request, as they were sent."""

    @property
    def path_params(self) -> Mapping[str, Any]:
        """Return the parameters in the path."""

    @property
    def query_params(self) -> Mapping[str, str]:
        """Return the parameters in the query."""


@dataclass(frozen=True)
class Parameter:
    """A parameter in the path or the query; its type carries the limits and the description."""

    name: str
    place: Literal["path", "query"]
    kind: Any
    default: object

    def read(self, request: Addressed) -> object:
        """Return the value in a request; TableError if it is malformed."""
        values = request.path_params if self.place == "path" else request.query_params
        if self.name not in values:
            return self.default
        try:
            return msgspec.convert(values[self.name], self.kind, strict=False)
        except msgspec.ValidationError as error:
            raise TableError("malformed", f"{self.place}.{self.name}: {error}") from None


@dataclass(frozen=True)
class Endpoint(Generic[R_co]):
    """One method at one path, and its entry in the OpenAPI document."""

    method: Method
    path: str
    handler: Callable[..., Awaitable[R_co]]
    parameters: tuple[Parameter, ...]
    #: The section of the document; None leaves the endpoint out.
    tag: str | None = None
    #: The request body: a message class, the name of a schema, or the description of a text.
    takes: type | str | None = None
    takes_media: str = JSON
    body_limit: int = BODY_LIMIT
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

    async def serve(self, call: object, request: Addressed) -> R_co:
        """Read the parameters and call the handler."""
        return await self.handler(call, **read_parameters(self.parameters, request))


class Endpoints(Generic[R]):
    """A list of endpoints, filled by decorators."""

    def __init__(self, others: Iterable[Endpoint[R]] = ()) -> None:
        self._all: Final[list[Endpoint[R]]] = list(others)
        #: The pattern and the endpoints of each path; built by the first `match`.
        self._patterns: list[tuple[re.Pattern[str], dict[str, Endpoint[R]]]] = []

    def __iter__(self) -> Iterator[Endpoint[R]]:
        return iter(self._all)

    def add(self, method: Method, path: str, **details: Any) -> Callable[[H], H]:
        """Add the decorated function as an endpoint."""

        def decorate(handler: H) -> H:
            self._all.append(Endpoint(method, path, handler, parameters_of(path, handler), **details))
            self._patterns.clear()
            return handler

        return decorate

    def get(self, path: str, **details: Any) -> Callable[[H], H]:
        """Add an endpoint for GET."""
        return self.add("GET", path, **details)

    def post(self, path: str, **details: Any) -> Callable[[H], H]:
        """Add an endpoint for POST."""
        return self.add("POST", path, **details)

    def put(self, path: str, **details: Any) -> Callable[[H], H]:
        """Add an endpoint for PUT."""
        return self.add("PUT", path, **details)

    def delete(self, path: str, **details: Any) -> Callable[[H], H]:
        """Add an endpoint for DELETE."""
        return self.add("DELETE", path, **details)

    def by_path(self) -> dict[str, dict[str, Endpoint[R]]]:
        """Return the endpoints by path template and method."""
        found: dict[str, dict[str, Endpoint[R]]] = {}
        for endpoint in self._all:
            found.setdefault(endpoint.path, {})[endpoint.method] = endpoint
        return found

    def match(self, method: str, path: str) -> tuple[Endpoint[R], dict[str, str]]:
        """Return the endpoint for a request and the parameters in its path; TableError if there is none."""
        if not self._patterns:
            self._patterns = [(_pattern(template), endpoints) for template, endpoints in self.by_path().items()]
        for pattern, endpoints in self._patterns:
            found = pattern.fullmatch(path)
            if found is not None:
                if method not in endpoints:
                    raise TableError("method_not_allowed", NO_SUCH_METHOD)
                return endpoints[method], found.groupdict()
        raise TableError("not_found", NOTHING_HERE)


def parameters_of(path: str, handler: Callable[..., object]) -> tuple[Parameter, ...]:
    """Return the parameters of a handler after the call; those not in the path are in the query."""
    kinds = get_type_hints(handler, include_extras=True)
    found: list[Parameter] = []
    for name, parameter in list(inspect.signature(handler).parameters.items())[1:]:
        is_path = f"{{{name}}}" in path
        default = None if parameter.default is inspect.Parameter.empty else parameter.default
        found.append(Parameter(name, "path" if is_path else "query", _without_none(kinds[name]), default))
    return tuple(found)


def read_parameters(parameters: Iterable[Parameter], request: Addressed) -> dict[str, object]:
    """Return the keyword arguments for a handler."""
    return {parameter.name: parameter.read(request) for parameter in parameters}


def _without_none(kind: Any) -> Any:
    """Return the type of an optional parameter without None, which a URL cannot contain."""
    if get_origin(kind) in (Union, UnionType):
        (kind,) = [one for one in get_args(kind) if one is not NoneType]
    return kind


def _pattern(template: str) -> re.Pattern[str]:
    """Return a pattern with one named group per placeholder, which matches anything but a slash."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(template)))
