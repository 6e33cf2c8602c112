"""The context of a request: its caller, its body, and whether the client is still connected."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from granada.server.http.addresses import address_of
from granada.server.http.credentials import cookie_header, secret_in_bearer, secret_in_cookie
from granada.server.http.routing import JSON
from granada.server.store.sql_store import SqlStore
from granada.tables.clock import clock
from granada.tables.errors import TableError
from granada.tables.holders import Holder, hash_of, new_secret, program_hash
from granada.tables.operations import Caller, Operations
from granada.tables.ports import Unavailable
from granada.tables.registry import unavailable
from granada.tables.session import Session

T = TypeVar("T")
#: The size of the cache of valid program tokens, and how long an entry is valid, in milliseconds.
_CACHE_SIZE: Final = 10_000
_CACHE_TIME: Final = 10_000


@dataclass(frozen=True)
class Visitor:
    """A caller who may be new; a new browser gets its cookie with the response."""

    caller: Caller
    cookie: str | None

    def respond(self, content: bytes, status: int = 200) -> Response:
        """Return a JSON response, with the cookie if it is new."""
        response = json_response(content, status)
        if self.cookie is not None:
            response.headers.append("set-cookie", self.cookie)
        return response


class RequestContext:
    """Identifies callers: browsers by their cookie, programs by their token."""

    def __init__(self, operations: Operations, store: SqlStore, session: Session, is_secure: bool = False) -> None:
        self.operations: Final = operations
        self._store: Final = store
        self._session: Final = session
        #: Whether browsers use https, perhaps through a proxy.
        self._is_secure: Final = is_secure
        #: When a program was last found in the database, by the hash of its token.
        self._programs: Final[dict[str, int]] = {}

    async def caller(self, connection: HTTPConnection) -> Caller:
        """Return the caller of a request; its holder is None without credentials."""
        return Caller(await self._holder(connection), address_of(connection.scope))

    async def visitor(self, connection: HTTPConnection) -> Visitor:
        """Return the caller of a request that needs no credentials; a new browser gets a secret."""
        caller = await self.caller(connection)
        if caller.holder is not None:
            return Visitor(caller, None)
        secret = new_secret()
        return Visitor(Caller(Holder(hash_of(secret)), caller.address), self._cookie(connection, secret))

    def set_cookie(self, connection: HTTPConnection, response: Response) -> None:
        """Add a cookie with a new secret to a response."""
        response.headers.append("set-cookie", self._cookie(connection, new_secret()))

    def _cookie(self, connection: HTTPConnection, secret: str) -> str:
        return cookie_header(secret, self._is_secure or connection.url.scheme == "https")

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


def check_media(request: Request, wanted: str) -> None:
    """Reject a body of another media type."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != wanted:
        raise TableError("unsupported_media", f"the body must be {wanted}")


async def body_of(request: Request, kind: type[T]) -> T:
    """Decode the JSON body of a request; TableError if it is invalid."""
    check_media(request, JSON)
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TableError("malformed", f"the body is invalid: {error}") from None


def json_response(content: bytes, status: int = 200) -> Response:
    """Return a response with encoded JSON."""
    return Response(content, status, media_type=JSON)


async def unless_disconnected(request: Request, work: Coroutine[Any, Any, T]) -> T | None:
    """Return the result of a coroutine; cancel it and return None if the client disconnects first."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        for task in (working, leaving):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await leaving


async def _disconnected(request: Request) -> None:
    """Wait until the client disconnects; the body of the request must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
