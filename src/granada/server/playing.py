"""The routes of the game itself: the socket, and for programs a stream and a POST."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, WebSocket
from starlette.responses import Response, StreamingResponse

from granada.drawing import svg_table
from granada.rules.events import NOBODY
from granada.server.api import TableId
from granada.server.desk import read_command
from granada.server.documents import CHANGING, JSON, READING, gives, takes
from granada.server.hall import clock
from granada.server.messages import Act
from granada.server.problems import Refusal, problem_response
from granada.server.reception import check_media, reception, written

router: Final = APIRouter(prefix="/api")
_PLAY: Final[list[str | Enum]] = ["Play"]
WantedSeat = Annotated[int | None, Query(ge=1, le=6, description="Which of the own seats looks")]
NDJSON: Final = "application/x-ndjson"
#: How a command can be refused, beside what holds for everybody who looks at a table.
_REFUSED: Final = (
    "illegal",
    "no_seat",
    "not_running",
    "not_your_turn",
    "nothing_held",
    "nothing_to_undo",
    "over",
    "stale",
    "undo_off",
    "unsupported_media",
)


@router.websocket("/tables/{table_id}/socket")
async def socket(websocket: WebSocket, table_id: TableId, seat: WantedSeat = None) -> None:
    """Commands in, messages out."""
    desk = reception(websocket)
    live, holder = await desk.reader(websocket, table_id)
    await desk.desk.attend(websocket, live, holder, None if seat is None else seat - 1)


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
    desk = reception(request)
    live, holder = await desk.reader(request, table_id)
    lines = desk.desk.stream(live, holder, None if seat is None else seat - 1)
    return StreamingResponse(lines, media_type=NDJSON, headers={"x-accel-buffering": "no"})


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
    desk = reception(request)
    check_media(request, JSON)
    wanted = read_command(await request.body())
    live, holder = await desk.reader(request, table_id)
    try:
        return written(await desk.desk.obey(live, holder, wanted, None))
    except Refusal as refusal:
        return problem_response(refusal, current=live.message(holder, None, clock()))


@router.get(
    "/tables/{table_id}/picture.svg",
    tags=_PLAY,
    responses=gives(
        None, media="image/svg+xml", what="The table as who asks may see it", refuses=(*READING, "not_running")
    ),
    response_class=Response,
)
async def picture(request: Request, table_id: TableId, seat: WantedSeat = None) -> Response:
    """A picture of the table."""
    desk = reception(request)
    live, holder = await desk.reader(request, table_id)
    game = live.table.game
    if game is None:
        raise Refusal("not_running", "the game has not begun")
    own = live.seat_for(holder, None if seat is None else seat - 1)
    drawn = svg_table(game.state.view(NOBODY if own is None else own), live.table.names())
    return Response(drawn, media_type="image/svg+xml")
