"""Requests over HTTP: who sends them, what they contain, and whether the client is still connected."""

from __future__ import annotations

from typing import Final, cast

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from granada.api.call import Reply
from granada.api.endpoints import JSON
from granada.server.http.addresses import address_of
from granada.server.http.credentials import (
    cookie_header,
    expired_cookie_header,
    secret_in_bearer,
    secret_in_cookie,
)
from granada.server.identity.transfers import Transfers
from granada.server.ops.health import HealthCheck
from granada.server.store.sql_store import SqlStore
from granada.tables.clock import clock
from granada.tables.errors import TableError
from granada.tables.holders import Holder, hash_of, new_secret, program_hash
from granada.tables.operations import Caller, Operations
from granada.tables.ports import Unavailable
from granada.tables.registry import unavailable
from granada.tables.session import Session

#: The size of the cache of valid program tokens, and how long an entry is valid, in milliseconds.
_CACHE_SIZE: Final = 10_000
_CACHE_TIME: Final = 10_000


class RequestContext:
    """Identifies callers: browsers by their cookie, programs by their token."""

    def __init__(
        self, operations: Operations, store: SqlStore, session: Session, health: HealthCheck, is_secure: bool = False
    ) -> None:
        self.operations: Final = operations
        self.health: Final = health
        self.transfers: Final = Transfers(store)
        self._store: Final = store
        self._session: Final = session
        #: Whether browsers use https, perhaps through a proxy.
        self._is_secure: Final = is_secure
        #: When a program was last found in the database, by the hash of its token.
        self._programs: Final[dict[str, int]] = {}

    async def caller(self, connection: HTTPConnection) -> Caller:
        """Return the caller of a request; its holder is None without credentials."""
        return Caller(await self._holder(connection), address_of(connection.scope))

    def set_cookie(self, connection: HTTPConnection, response: Response, secret: str) -> None:
        """Add a cookie with a new secret to a response."""
        response.headers.append("set-cookie", self._cookie(connection, secret))

    def remove_cookie(self, connection: HTTPConnection, response: Response) -> None:
        """Remove the cookie of a browser with a response."""
        response.headers.append("set-cookie", expired_cookie_header(self._uses_https(connection)))

    def _cookie(self, connection: HTTPConnection, secret: str) -> str:
        return cookie_header(secret, self._uses_https(connection))

    def _uses_https(self, connection: HTTPConnection) -> bool:
        return self._is_secure or connection.url.scheme == "https"

    async def _holder(self, connection: HTTPConnection) -> Holder | None:
        token = secret_in_bearer(connection.headers)
        if token is not None:
            return await self._program(token)
        secret = secret_in_cookie(connection.headers)
        return None if secret is None else Holder(hash_of(secret))

    # Programs

    async def _program(self, token: str) -> Holder:
        hashed = program_hash(token) if token else ""
        # Cached only briefly, because another process may revoke the token.
        if hashed and self._programs.get(hashed, 0) < clock() - _CACHE_TIME:
            try:
                name = await self._store.program(hashed, clock())
            except Unavailable:
                raise unavailable() from None
            self._programs.pop(hashed, None)
            if name is not None:
                if len(self._programs) >= _CACHE_SIZE:
                    self._programs.clear()
                self._programs[hashed] = clock()
        if hashed not in self._programs:
            raise TableError("unauthorized", "there is no program with this token")
        return Holder(hashed, is_program=True)

    async def add_program(self, name: str) -> str:
        """Register a program and return its token, of which only the hash is stored."""
        token = new_secret()
        try:
            await self._store.add_program(program_hash(token), name, clock())
        except Unavailable:
            raise unavailable() from None
        return token

    async def remove_program(self, holder: Holder) -> None:
        """Revoke the token of a program and close its connections in all processes."""
        try:
            await self._store.remove_program(holder.hash)
        except Unavailable:
            raise unavailable() from None
        self.disconnect_program(holder.hash)

    def disconnect_program(self, hashed: str) -> None:
        """Close the connections of a program whose token was revoked."""
        self._programs.pop(hashed, None)
        self._session.dismiss(hashed)

    async def check_programs(self) -> None:
        """Close the connections of programs that were revoked while notifications were missed."""
        self._programs.clear()
        holders = [listener.holder for listener in self._session.listeners]
        for hashed in {holder.hash for holder in holders if holder is not None and holder.is_program}:
            try:
                if await self._store.program(hashed, clock()) is None:
                    self.disconnect_program(hashed)
            except Unavailable:
                return  # the notifier calls this again when the database is back


def context_of(connection: HTTPConnection) -> RequestContext:
    """Return the context of the application that serves a connection."""
    return cast(RequestContext, connection.app.state.context)


class HttpCall:
    """A call of the API over HTTP."""

    __slots__ = ("_connection", "_context", "_secret", "operations")

    def __init__(self, connection: HTTPConnection) -> None:
        self._connection: Final = connection
        self._context: Final = context_of(connection)
        self.operations: Final = self._context.operations
        #: The secret of a new browser, which the response sets as a cookie.
        self._secret: str | None = None

    @property
    def address(self) -> str:
        """The address of the client."""
        return address_of(self._connection.scope)

    @property
    def media_type(self) -> str:
        """The media type of the body, in lower case and without parameters."""
        return self._connection.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def accepts_gzip(self) -> bool:
        """Whether the client can decompress a reply."""
        return "gzip" in self._connection.headers.get("accept-encoding", "")

    async def body(self) -> bytes:
        """Return the body."""
        assert isinstance(self._connection, Request)
        return await self._connection.body()

    async def caller(self) -> Caller:
        """Return the caller; its holder is None without credentials."""
        return await self._context.caller(self._connection)

    async def visitor(self) -> Caller:
        """Return the caller; a new browser gets a cookie with the response."""
        caller = await self.caller()
        if caller.holder is not None:
            return caller
        self._secret = new_secret()
        return Caller(Holder(hash_of(self._secret)), caller.address)

    async def fault(self) -> str | None:
        """Return a sentence about the problem if the database does not accept writes."""
        return await self._context.health.fault(self.address)

    async def gone(self) -> None:
        """Wait until the client disconnects; the body must have been read."""
        assert isinstance(self._connection, Request)
        await disconnected(self._connection)

    def response(self, reply: Reply) -> Response:
        """Return the response of Starlette for a reply, with the cookie of a new browser."""
        response = response_of(reply)
        if self._secret is not None:
            self._context.set_cookie(self._connection, response, self._secret)
        return response


def response_of(reply: Reply) -> Response:
    """Return the response of Starlette for a reply."""
    return Response(reply.body, reply.status, reply.headers, reply.media_type)


def json_response(content: bytes, status: int = 200) -> Response:
    """Return a response with encoded JSON."""
    return Response(content, status, media_type=JSON)


async def disconnected(request: Request) -> None:
    """Wait until the client disconnects; the body of the request must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
