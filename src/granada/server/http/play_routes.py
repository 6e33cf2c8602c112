"""The routes of the game itself: the socket, and for programs a stream and a POST."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, Literal

from fastapi import APIRouter, Query, Request, WebSocket
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from granada.locales import FALLBACK, LANGUAGES
from granada.rules.events import NOBODY
from granada.server.http.addresses import address_of
from granada.server.http.leaving import LEFT, unless_left
from granada.server.http.openapi import CHANGING, JSON, READING, WITH_BODY, gives, takes
from granada.server.http.request_context import body_of, check_media, context_of, written
from granada.server.http.table_routes import KNOWN, TableId
from granada.tables.errors import TableError, problem_response
from granada.tables.live_table import Listener, LiveTable
from granada.tables.messages import Act, encoder
from granada.tables.registry import clock
from granada.tables.requests import AskHint, Hint, Log
from granada.tables.session import Session, read_command

router: Final = APIRouter(prefix="/api")
_PLAY: Final[list[str | Enum]] = ["Play"]
WantedSeat = Annotated[int | None, Query(ge=1, le=6, description="Which of the own seats looks")]
if TYPE_CHECKING:
    _Language = str
else:
    _Language = Literal[tuple(LANGUAGES)]
PictureLanguage = Annotated[_Language, Query(description="The language of the words in the picture")]
NDJSON: Final = "application/x-ndjson"
#: Errors of a command, besides those of every request that reads a table.
_REFUSED: Final = (
    "illegal",
    "no_seat",
    "not_running",
    "not_your_turn",
    "nothing_held",
    "nothing_to_undo",
    "over",
    "stale",
    "too_many_changes",
    "undo_off",
    "unsupported_media",
)


@router.websocket("/tables/{table_id}/socket")
async def socket(websocket: WebSocket, table_id: TableId, seat: WantedSeat = None) -> None:
    """Commands in, messages out."""
    context = context_of(websocket)
    live, holder = await context.reader(websocket, table_id)
    address = address_of(websocket.scope)
    await context.session.attend(websocket, live, holder, None if seat is None else seat - 1, address)


@router.get(
    "/tables/{table_id}/stream",
    tags=_PLAY,
    responses=gives(
        None, media=NDJSON, what="`FromServer`, one a line; empty lines keep the stream alive", refuses=READING
    ),
    response_class=Response,
)
async def stream(request: Request, table_id: TableId, seat: WantedSeat = None) -> Response:
    """The messages of the socket as lines of JSON, for programs; it ends when the game is over, or the server stops."""
    context = context_of(request)
    live, holder = await context.reader(request, table_id)
    index = None if seat is None else seat - 1
    listener = context.session.enter(live, holder, index, address_of(request.scope), is_person=False)
    return _Stream(context.session, live, listener)


class _Stream(StreamingResponse):
    """A stream of messages; its listener leaves also if the stream never begins."""

    def __init__(self, context: Session, live: LiveTable, listener: Listener) -> None:
        super().__init__(context.stream(live, listener), media_type=NDJSON, headers={"x-accel-buffering": "no"})
        self._leave: Final = partial(context.leave, live, listener)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the messages."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


@router.post(
    "/tables/{table_id}/commands",
    tags=_PLAY,
    responses=gives(
        "Reply", what="The table after the command, or the answer", refuses=(*READING, *CHANGING, *_REFUSED)
    ),
    openapi_extra=takes("Command", example=Act("7f3a", 12, "take y3 g2")),
    response_class=Response,
)
async def command(request: Request, table_id: TableId) -> Response:
    """The commands of the socket, one a request; the answer is the current message, or the answer to a question."""
    context = context_of(request)
    check_media(request, JSON)
    wanted = read_command(await request.body())
    live, holder = await context.reader(request, table_id)
    try:
        return written(await context.session.obey(live, holder, wanted, None))
    except TableError as error:
        return problem_response(error, current=live.message(holder, None, clock()))


@router.get("/tables/{table_id}/log", tags=_PLAY, responses=gives(Log, refuses=READING), response_class=Response)
async def log(request: Request, table_id: TableId, seat: WantedSeat = None) -> Response:
    """All that has happened in the game, as who asks may see it; nothing before the game has begun."""
    context = context_of(request)
    live, holder = await context.reader(request, table_id)
    own = live.seat_for(holder, None if seat is None else seat - 1)
    game = live.table.game
    lines = [] if game is None else game.history.log_for(NOBODY if own is None else own)
    return written(encoder.encode(Log(lines)))


@router.post(
    "/tables/{table_id}/hint",
    tags=_PLAY,
    responses=gives(
        Hint, refuses=(*READING, *WITH_BODY, "no_seat", "not_running", "not_your_turn", "over", "purist", "stale")
    ),
    openapi_extra={**takes(AskHint, example=AskHint()), **KNOWN},
    response_class=Response,
)
async def hint(request: Request, table_id: TableId) -> Response:
    """What the strongest bot would do for the own seat that decides; who closes the connection stops its thinking."""
    context = context_of(request)
    wanted = await body_of(request, AskHint)
    holder = await context.known(request)
    live = await context.registry.newest(table_id)
    asking = context.hints.hint(live, holder, wanted.seat, address_of(request.scope))
    found = await unless_left(request, asking)
    return Response(status_code=LEFT) if found is None else written(encoder.encode(found))


@router.get(
    "/tables/{table_id}/picture.svg",
    tags=_PLAY,
    responses=gives(
        None, media="image/svg+xml", what="The table as who asks may see it", refuses=(*READING, "not_running")
    ),
    response_class=Response,
)
async def picture(
    request: Request, table_id: TableId, seat: WantedSeat = None, language: PictureLanguage = FALLBACK
) -> Response:
    """A picture of the table, with words in a language."""
    context = context_of(request)
    live, holder = await context.reader(request, table_id)
    own = live.seat_for(holder, None if seat is None else seat - 1)
    drawn = await context.pictures.picture(live, own, language, address_of(request.scope))
    return Response(drawn, media_type="image/svg+xml")
