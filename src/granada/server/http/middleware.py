"""The edge of the server: what every request passes before the application sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from starlette.types import ASGIApp

from granada.server.http.access import Access
from granada.server.http.bodies import BODY_LIMIT, BodyLimit
from granada.server.http.headers import SecurityHeaders
from granada.server.http.origin import OriginGuard
from granada.tables.limits import Buckets, RateLimit


@dataclass(frozen=True)
class Middleware:
    """What the edge lets pass; paths are templates as routes have them."""

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


def around(app: ASGIApp, edge: Middleware) -> ASGIApp:
    """An application with the edge around it.

    It is put around the whole application, not added to its middlewares: the answer to an uncaught exception is made
    outside of those, and would lack the headers and the line in the log.
    """
    app = BodyLimit(app, edge.body_limit, edge.larger_bodies)
    app = OriginGuard(app, edge.public_url, edge.allowed_origins)
    app = RateLimit(
        app,
        Buckets(edge.rate, edge.burst),
        Buckets(edge.creations / 60, edge.creations_burst),
        edge.creating,
        edge.exempt,
        edge.trusted_proxies,
    )
    app = SecurityHeaders(app)
    return Access(app)
