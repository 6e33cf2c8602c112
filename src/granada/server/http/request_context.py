"""The context: reads what a request brings, and knows who sent it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar, cast

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from granada.server.http.addresses import address_of
from granada.server.http.openapi import JSON
from granada.server.store.sql_store import Unavailable
from granada.server.store.writer import Listing
from granada.tables.analyses import Analyses
from granada.tables.background import BackgroundThread
from granada.tables.errors import TableError
from granada.tables.hints import Hints
from granada.tables.holders import (
    Holder,
    cookie_header,
    hash_of,
    new_secret,
    program_hash,
    secret_in_bearer,
    secret_in_cookie,
)
from granada.tables.live_table import LiveTable
from granada.tables.pictures import Pictures
from granada.tables.presence import Presence
from granada.tables.registry import TableRegistry, clock, unavailable
from granada.tables.session import Session

T = TypeVar("T")
#: So many programs are remembered without asking the database.
_REMEMBERED: Final = 10_000
#: For so many milliseconds.
_REMEMBERED_FOR: Final = 10_000


@dataclass(frozen=True)
class Guest:
    """Who sent a request; a browser that comes for the first time gets its secret with the answer."""

    holder: Holder
    cookie: str | None

    def answer(self, content: bytes, status: int = 200) -> Response:
        """An answer with the cookie, if there is a new one."""
        response = written(content, status)
        if self.cookie is not None:
            response.headers.append("set-cookie", self.cookie)
        return response


class RequestContext:
    """The tables, and those who come to them."""

    def __init__(
        self,
        registry: TableRegistry,
        presence: Presence,
        session: Session,
        hints: Hints,
        analyses: Analyses,
        background: BackgroundThread,
        is_secure: bool = False,
    ) -> None:
        self.registry: Final = registry
        self.presence: Final = presence
        self.session: Final = session
        self.hints: Final = hints
        self.analyses: Final = analyses
        self.background: Final = background
        self.pictures: Final = Pictures(background)
        #: Whether browsers come by https, perhaps through a proxy.
        self._is_secure: Final = is_secure
        #: The programs that were found in the database, and when.
        self._programs: Final[dict[str, int]] = {}

    async def holder_of(self, connection: HTTPConnection) -> Holder | None:
        """Who sent a request: a program by its token, a browser by its cookie, or somebody unknown."""
        token = secret_in_bearer(connection.headers)
        if token is not None:
            return await self._program(token)
        secret = secret_in_cookie(connection.headers)
        return None if secret is None else Holder(hash_of(secret))

    async def reader(self, connection: HTTPConnection, table_id: str) -> tuple[LiveTable, Holder | None]:
        """A table, and who wants to look at it and may."""
        holder = await self.holder_of(connection)
        live = await self.registry.newest(table_id)
        live.check_reader(holder)
        self.presence.visit(live, address_of(connection.scope), holder)
        return live, holder

    async def known(self, connection: HTTPConnection) -> Holder:
        """Who sent a request that only somebody known can send."""
        holder = await self.holder_of(connection)
        if holder is None:
            raise TableError("unauthorized", "the request has neither a browser cookie nor a program token")
        return holder

    async def welcome(self, connection: HTTPConnection) -> Guest:
        """Who sent a request that everybody can send; whoever is unknown is known from now on."""
        holder = await self.holder_of(connection)
        if holder is not None:
            return Guest(holder, None)
        secret = new_secret()
        return Guest(Holder(hash_of(secret)), self._cookie(connection, secret))

    def give_secret(self, connection: HTTPConnection, response: Response) -> None:
        """Let a browser keep a new secret."""
        response.headers.append("set-cookie", self._cookie(connection, new_secret()))

    def _cookie(self, connection: HTTPConnection, secret: str) -> str:
        return cookie_header(secret, self._is_secure or connection.url.scheme == "https")

    async def _program(self, token: str) -> Holder:
        hashed = program_hash(token) if token else ""
        # Not for long: another process may be told that a token is given up.
        if hashed and self._programs.get(hashed, 0) < clock() - _REMEMBERED_FOR:
            try:
                name = await self.registry.store.program(hashed, clock())
            except Unavailable:
                raise unavailable() from None
            self._programs.pop(hashed, None)
            if name is not None:
                if len(self._programs) >= _REMEMBERED:
                    self._programs.clear()
                self._programs[hashed] = clock()
        if hashed not in self._programs:
            raise TableError("unauthorized", "there is no program with this token")
        return Holder(hashed, is_program=True)

    async def add_program(self, hashed: str, name: str) -> None:
        """Note a program that plays."""
        try:
            await self.registry.store.add_program(hashed, name, clock())
        except Unavailable:
            raise unavailable() from None

    async def remove_program(self, holder: Holder) -> None:
        """Forget a program; its sockets and streams end, here and at other processes."""
        try:
            await self.registry.store.remove_program(holder.hash)
        except Unavailable:
            raise unavailable() from None
        self.dismiss_program(holder.hash)

    def dismiss_program(self, hashed: str) -> None:
        """A token was given up: it does nothing more at this process."""
        self._programs.pop(hashed, None)
        self.session.dismiss(hashed)

    async def check_programs(self) -> None:
        """News may have been missed: see whether the tokens of open sockets were given up."""
        self._programs.clear()
        holders = [listener.holder for listener in self.session.listeners]
        for hashed in {holder.hash for holder in holders if holder is not None and holder.is_program}:
            try:
                if await self.registry.store.program(hashed, clock()) is None:
                    self.dismiss_program(hashed)
            except Unavailable:
                return  # news are missed again while the database is away, and then this comes again

    async def listings(self, limit: int) -> list[Listing]:
        """The public tables."""
        try:
            found = await self.registry.store.listings(limit)
        except Unavailable:
            raise unavailable() from None
        return [listing for listing in found if listing.id not in self.registry.rejected]


def context_of(connection: HTTPConnection) -> RequestContext:
    """The context of the application that serves a connection."""
    return cast(RequestContext, connection.app.state.context)


def check_media(request: Request, wanted: str) -> None:
    """Refuse a body of another type of content."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != wanted:
        raise TableError("unsupported_media", f"the body must be {wanted}")


async def body_of(request: Request, kind: type[T]) -> T:
    """What a request brings; TableError says what is wrong with it."""
    check_media(request, JSON)
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TableError("malformed", f"the body cannot be read: {error}") from None


def written(content: bytes, status: int = 200) -> Response:
    """An answer in JSON that is written already."""
    return Response(content, status, media_type=JSON)
