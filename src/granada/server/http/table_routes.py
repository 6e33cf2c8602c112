"""The routes of the API around the game: opening tables, sitting down, starting; the game itself is in `playing`."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from granada.rules.errors import BadOptions
from granada.server.http import reference
from granada.server.http.addresses import address_of
from granada.server.http.openapi import CHANGING, READING, WITH_BODY, gives, takes
from granada.server.http.request_context import body_of, context_of, written
from granada.server.http.shared_route import SharedRoute
from granada.tables import components as box
from granada.tables import lobby
from granada.tables.entries import Created
from granada.tables.errors import TableError, rule_in
from granada.tables.holders import Holder, new_secret, program_hash
from granada.tables.lobby import Wish
from granada.tables.messages import Message, TableOptions, encoder
from granada.tables.names import clean, suggest
from granada.tables.registry import clock
from granada.tables.requests import (
    Components,
    ListedTable,
    NameSuggestions,
    NewProgram,
    NewTable,
    ProgramToken,
    SeatWish,
    SitDown,
    TableList,
)

router: Final = APIRouter(prefix="/api", route_class=SharedRoute)
router.include_router(reference.router)
_TABLES: Final[list[str | Enum]] = ["Tables"]
_PROGRAMS: Final[list[str | Enum]] = ["Programs"]
_SEATING: Final = ("not_found", "old_rules", "stale")
TableId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{16}$", description="The id of a table, which is its link")]
SeatNumber = Annotated[int, Path(ge=1, le=6, description="A seat of the table, counted from 1")]
#: So many tables are listed, and so many names suggested.
MOST_LISTED: Final = 100
SUGGESTIONS: Final = 6
#: Whoever asks for this must be known.
KNOWN: Final[dict[str, Any]] = {"security": [{"browser": []}, {"program": []}]}
_EXAMPLE: Final = NewTable(
    [SeatWish("person", "Ana"), SeatWish("open"), SeatWish("bot", level="greedy")], TableOptions("granada")
)


@router.get("/components", tags=_TABLES, responses=gives(Components), response_class=Response)
async def components(request: Request) -> Response:
    """What is in the box, and which bots there are."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return written(box.components())
    response = written(box.packed())
    response.headers["content-encoding"] = "gzip"
    response.headers["vary"] = "accept-encoding"
    return response


@router.get("/names", tags=_TABLES, responses=gives(NameSuggestions), response_class=Response)
async def names() -> Response:
    """Some names to choose from."""
    found: list[str] = []
    while len(found) < SUGGESTIONS:
        found.append(suggest(found))
    return written(encoder.encode(NameSuggestions(found)))


@router.get("/tables", tags=_TABLES, responses=gives(TableList, refuses=("unavailable",)), response_class=Response)
async def tables(request: Request) -> Response:
    """The public tables."""
    listings = await context_of(request).listings(MOST_LISTED)
    listed = [
        msgspec.convert({**msgspec.json.decode(one.text), "id": one.id, "phase": one.phase}, ListedTable)
        for one in listings
    ]
    return written(encoder.encode(TableList(listed)))


@router.post(
    "/tables",
    tags=_TABLES,
    responses=gives(Message, 201, refuses=(*WITH_BODY, "bad_options", "seat_taken")),
    openapi_extra=takes(NewTable, example=_EXAMPLE),
    status_code=201,
    response_class=Response,
)
async def open_table(request: Request) -> Response:
    """Open a table; who opens it is its host."""
    context = context_of(request)
    wanted = await body_of(request, NewTable)
    guest = await context.welcome(request)
    created = new_table(wanted.options, wanted.seats, wanted.is_public, guest.holder)
    live = await context.registry.create(created, address_of(request.scope))
    return guest.answer(live.message(guest.holder, None, clock()), 201)


@router.get("/tables/{table_id}", tags=_TABLES, responses=gives(Message, refuses=READING), response_class=Response)
async def table(request: Request, table_id: TableId) -> Response:
    """The one message, as who asks may see it."""
    context = context_of(request)
    live, holder = await context.reader(request, table_id)
    return written(live.message(holder, None, clock()))


@router.post(
    "/tables/{table_id}/seats/{seat}/take",
    tags=_TABLES,
    responses=gives(Message, refuses=(*WITH_BODY, *_SEATING, "hand_seen", "seat_taken", "over", "too_many_changes")),
    openapi_extra=takes(SitDown, example=SitDown("Ben")),
    response_class=Response,
)
async def take_seat(request: Request, table_id: TableId, seat: SeatNumber) -> Response:
    """Sit down on an open seat, or write another name on the own one."""
    context = context_of(request)
    wanted = await body_of(request, SitDown)
    guest = await context.welcome(request)
    live = await context.registry.change(
        table_id, lambda table: lobby.take_seat(table, guest.holder, seat - 1, wanted.name)
    )
    return guest.answer(live.message(guest.holder, None, clock()))


@router.post(
    "/tables/{table_id}/seats/{seat}/leave",
    tags=_TABLES,
    responses=gives(Message, refuses=(*CHANGING, *_SEATING, "no_seat")),
    openapi_extra=KNOWN,
    response_class=Response,
)
async def leave_seat(request: Request, table_id: TableId, seat: SeatNumber) -> Response:
    """Stand up."""
    context = context_of(request)
    holder = await context.known(request)
    live = await context.registry.change(table_id, lambda table: lobby.leave_seat(table, holder, seat - 1))
    return written(live.message(holder, None, clock()))


@router.put(
    "/tables/{table_id}/seats/{seat}",
    tags=_TABLES,
    responses=gives(
        Message,
        refuses=(*WITH_BODY, *_SEATING, "bad_options", "not_host", "over", "running", "seat_taken", "too_many_changes"),
    ),
    openapi_extra={**takes(SeatWish, example=SeatWish("bot", level="greedy")), **KNOWN},
    response_class=Response,
)
async def set_seat(request: Request, table_id: TableId, seat: SeatNumber) -> Response:
    """The host puts a bot on a seat, opens it, or sits down a person at the same browser."""
    context = context_of(request)
    wanted = await body_of(request, SeatWish)
    holder = await context.known(request)
    live = await context.registry.change(table_id, lambda table: lobby.set_seat(table, holder, seat - 1, _wish(wanted)))
    return written(live.message(holder, None, clock()))


@router.post(
    "/tables/{table_id}/start",
    tags=_TABLES,
    responses=gives(Message, refuses=(*CHANGING, *_SEATING, "not_host", "not_ready", "running")),
    openapi_extra=KNOWN,
    response_class=Response,
)
async def start(request: Request, table_id: TableId) -> Response:
    """Begin the game."""
    context = context_of(request)
    holder = await context.known(request)
    context.presence.visit(await context.registry.table(table_id), address_of(request.scope), holder)
    live = await context.registry.change(table_id, lambda table: lobby.start(table, holder))
    return written(live.message(holder, None, clock(), is_news=True))


@router.post(
    "/programs",
    tags=_PROGRAMS,
    responses=gives(ProgramToken, 201, refuses=("forbidden_origin", "unsupported_media", "unavailable")),
    openapi_extra=takes(NewProgram, example=NewProgram("my bot")),
    status_code=201,
    response_class=Response,
)
async def new_program(request: Request) -> Response:
    """A token for a program that plays; it is shown once and only its hash is kept."""
    context = context_of(request)
    wanted = await body_of(request, NewProgram)
    name = clean(wanted.name)
    if not name:
        raise TableError("malformed", "the name of a program must have a character that can be seen")
    token = new_secret()
    await context.add_program(program_hash(token), name)
    return written(encoder.encode(ProgramToken(name, token)), 201)


@router.delete(
    "/programs",
    tags=_PROGRAMS,
    responses=gives(None, 204, what="The token is worth nothing any more", refuses=CHANGING),
    openapi_extra={"security": [{"program": []}]},
    status_code=204,
)
async def remove_program(request: Request) -> Response:
    """Give up the token that the request is made with."""
    context = context_of(request)
    holder = await context.known(request)
    if not holder.is_program:
        raise TableError("unauthorized", "this is done with the token that is given up")
    await context.remove_program(holder)
    return Response(status_code=204)


def new_table(
    options: TableOptions,
    seats: Sequence[SeatWish],
    is_public: bool,
    holder: Holder,
    opening: str | None = None,
    previous: str | None = None,
) -> Created:
    """A table as somebody wants it; TableError says what cannot be."""
    try:
        return lobby.create(options, [_wish(seat) for seat in seats], is_public, holder, opening, previous=previous)
    except BadOptions as error:
        raise TableError("bad_options", str(error), rule=rule_in(str(error))) from None


def _wish(seat: SeatWish) -> Wish:
    return Wish(seat.kind, seat.name, seat.level)
