"""All endpoints of the API: thin adapters from requests to the operations of `granada.tables`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from granada.locales import FALLBACK, LANGUAGES
from granada.server.http.addresses import address_of
from granada.server.http.middleware import CLIENT_DISCONNECTED
from granada.server.http.problems import problem_response
from granada.server.http.request_context import body_of, check_media, context_of, json_response, unless_disconnected
from granada.server.http.routing import (
    JSON,
    TEXT,
    Endpoints,
    parameters_of,
    read_parameters,
)
from granada.server.http.sockets import NDJSON, TableStream, serve_socket
from granada.tables import components as component_list
from granada.tables.clock import clock
from granada.tables.errors import TableError
from granada.tables.messages import Act, Message, Reason, TableOptions, encoder
from granada.tables.names import clean
from granada.tables.operations import Caller, Operations
from granada.tables.pad_messages import PadEntry, PadResult, ScorePad
from granada.tables.requests import (
    Analysis,
    AskHint,
    ComponentFacts,
    Fork,
    Hint,
    Log,
    NameSuggestions,
    NewProgram,
    NewTable,
    ProgramToken,
    Rematch,
    SeatRequest,
    SitDown,
    TableList,
)
from granada.tables.session import read_command

endpoints: Final = Endpoints()

TableId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{16}$", description="The id of a table, as in its link")]
SeatNumber = Annotated[int, Meta(ge=1, le=6, description="A seat of the table, counted from 1")]
OwnSeat = Annotated[int, Meta(ge=1, le=6, description="Which of your seats to view the table from")]
AnySeat = Annotated[
    int, Meta(ge=1, le=6, description="The seat to view the table from; any seat, because nothing is hidden any more")
]
Position = Annotated[int, Meta(ge=0, le=1_000_000, description="The number of actions played")]
ScoringName = Annotated[Literal["A", "B", "C"], Meta(description="The letter of the scoring")]
if TYPE_CHECKING:
    _Language = str
else:
    _Language = Literal[tuple(LANGUAGES)]
PictureLanguage = Annotated[_Language, Meta(description="The language of the texts in the picture")]

#: Error codes of requests that change something, that have a JSON body, that read a table, and that change seats.
CHANGING: Final = ("forbidden_origin", "unauthorized", "unavailable")
WITH_BODY: Final = (*CHANGING, "unsupported_media")
READING: Final = ("unauthorized", "spectators_off", "not_found", "old_rules", "unavailable")
SEATING: Final = ("not_found", "old_rules", "stale")
#: The security schemes of endpoints that need credentials.
AUTHENTICATED: Final = ("browser", "program")
#: The most bytes of an uploaded record, four times that of a game with six players and all modules.
LONGEST_RECORD: Final = 128 * 1024


async def _called(request: Request) -> tuple[Operations, Caller]:
    """Return the operations of the server, and who calls one of them."""
    context = context_of(request)
    return context.operations, await context.caller(request)


# Tables


@endpoints.get("/api/components", tag="Tables", gives=ComponentFacts)
async def components(request: Request) -> Response:
    """Get the components of the games, the allowed combinations, and the available bots."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return json_response(component_list.components())
    response = json_response(component_list.packed())
    response.headers["content-encoding"] = "gzip"
    response.headers["vary"] = "accept-encoding"
    return response


@endpoints.get("/api/names", tag="Tables", gives=NameSuggestions)
async def names(request: Request) -> Response:
    """Suggest names for players."""
    return json_response(encoder.encode(context_of(request).operations.suggest_names()))


@endpoints.get("/api/tables", tag="Tables", gives=TableList, errors=("unavailable",))
async def tables(request: Request) -> Response:
    """List the public tables."""
    return json_response(encoder.encode(await context_of(request).operations.public_tables()))


@endpoints.post(
    "/api/tables",
    tag="Tables",
    takes=NewTable,
    example=NewTable(
        [SeatRequest("person", "Ana"), SeatRequest("open"), SeatRequest("bot", level="greedy")], TableOptions("granada")
    ),
    gives=Message,
    status=201,
    errors=(*WITH_BODY, "bad_options", "seat_taken"),
)
async def open_table(request: Request) -> Response:
    """Open a table; the caller becomes its host."""
    wanted = await body_of(request, NewTable)
    visitor = await context_of(request).visitor(request)
    return visitor.respond(await context_of(request).operations.open_table(visitor.caller, wanted), 201)


@endpoints.get("/api/tables/{table_id}", tag="Tables", gives=Message, errors=READING)
async def table(request: Request, table_id: TableId) -> Response:
    """Get the table as the caller may see it."""
    operations, caller = await _called(request)
    return json_response(await operations.read_table(caller, table_id))


@endpoints.post(
    "/api/tables/{table_id}/seats/{seat}/take",
    tag="Tables",
    takes=SitDown,
    example=SitDown("Ben"),
    gives=Message,
    errors=(*WITH_BODY, *SEATING, "hand_seen", "seat_taken", "over", "too_many_changes"),
)
async def take_seat(request: Request, table_id: TableId, seat: SeatNumber) -> Response:
    """Take an open seat, or change the name on your own seat."""
    wanted = await body_of(request, SitDown)
    visitor = await context_of(request).visitor(request)
    return visitor.respond(await context_of(request).operations.take_seat(visitor.caller, table_id, seat, wanted.name))


@endpoints.post(
    "/api/tables/{table_id}/seats/{seat}/leave",
    tag="Tables",
    gives=Message,
    errors=(*CHANGING, *SEATING, "no_seat"),
    security=AUTHENTICATED,
)
async def leave_seat(request: Request, table_id: TableId, seat: SeatNumber) -> Response:
    """Leave a seat."""
    operations, caller = await _called(request)
    return json_response(await operations.leave_seat(caller, table_id, seat))


@endpoints.put(
    "/api/tables/{table_id}/seats/{seat}",
    tag="Tables",
    takes=SeatRequest,
    example=SeatRequest("bot", level="greedy"),
    gives=Message,
    errors=(*WITH_BODY, *SEATING, "bad_options", "not_host", "over", "running", "seat_taken", "too_many_changes"),
    security=AUTHENTICATED,
)
async def set_seat(request: Request, table_id: TableId, seat: SeatNumber) -> Response:
    """As the host, put a bot on a seat, open it, or seat a person at the same browser."""
    wanted = await body_of(request, SeatRequest)
    operations, caller = await _called(request)
    return json_response(await operations.set_seat(caller, table_id, seat, wanted))


@endpoints.post(
    "/api/tables/{table_id}/start",
    tag="Tables",
    gives=Message,
    errors=(*CHANGING, *SEATING, "not_host", "not_ready", "running"),
    security=AUTHENTICATED,
)
async def start(request: Request, table_id: TableId) -> Response:
    """Start the game."""
    operations, caller = await _called(request)
    return json_response(await operations.start(caller, table_id))


# Programs


@endpoints.post(
    "/api/programs",
    tag="Programs",
    takes=NewProgram,
    example=NewProgram("my bot"),
    gives=ProgramToken,
    status=201,
    errors=("forbidden_origin", "unsupported_media", "unavailable"),
)
async def new_program(request: Request) -> Response:
    """Get a token for a program that plays; only its hash is stored."""
    wanted = await body_of(request, NewProgram)
    name = clean(wanted.name)
    if not name:
        raise TableError("malformed", "the name of a program must contain a visible character")
    token = await context_of(request).add_program(name)
    return json_response(encoder.encode(ProgramToken(name, token)), 201)


@endpoints.delete(
    "/api/programs",
    tag="Programs",
    status=204,
    description="The token is no longer valid",
    errors=CHANGING,
    security=("program",),
)
async def remove_program(request: Request) -> Response:
    """Revoke the token that the request is sent with."""
    holder = (await context_of(request).caller(request)).known()
    if not holder.is_program:
        raise TableError("unauthorized", "send the request with the token to revoke")
    await context_of(request).remove_program(holder)
    return Response(status_code=204)


# Play


async def socket(websocket: WebSocket) -> None:
    """Receive commands and send messages."""
    arguments = read_parameters(_SOCKET_PARAMETERS, websocket)
    table_id, seat = arguments["table_id"], arguments["seat"]
    assert isinstance(table_id, str)
    context = context_of(websocket)
    caller = await context.caller(websocket)
    live = await context.operations.reader(caller, table_id)
    index = seat - 1 if isinstance(seat, int) else None
    await serve_socket(context.operations.session, websocket, live, caller.holder, index, caller.address)


def _socket_parameters(request: Request, table_id: TableId, seat: OwnSeat | None = None) -> None:
    """Declares the parameters of the socket, which is not in the OpenAPI document."""


SOCKET_PATH: Final = "/api/tables/{table_id}/socket"
_SOCKET_PARAMETERS: Final = parameters_of(SOCKET_PATH, _socket_parameters)  # type: ignore[arg-type]
socket_route: Final = WebSocketRoute(SOCKET_PATH, socket)


@endpoints.get(
    "/api/tables/{table_id}/stream",
    tag="Play",
    gives_media=NDJSON,
    description="`FromServer`, one per line; empty lines keep the stream alive",
    errors=READING,
)
async def stream(request: Request, table_id: TableId, seat: OwnSeat | None = None) -> Response:
    """Stream the messages of the socket as lines of JSON, until the game is over or the server stops."""
    context = context_of(request)
    caller = await context.caller(request)
    live = await context.operations.reader(caller, table_id)
    session, index = context.operations.session, None if seat is None else seat - 1
    listener = session.enter(live, caller.holder, index, address_of(request.scope), is_person=False)
    return TableStream(session, live, listener)


@endpoints.post(
    "/api/tables/{table_id}/commands",
    tag="Play",
    takes="Command",
    example=Act("7f3a", 12, "take y3 g2"),
    gives="Reply",
    description="The table after the command, or the answer to a question",
    errors=(
        *READING,
        *CHANGING,
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
    ),
)
async def command(request: Request, table_id: TableId) -> Response:
    """Send a command as over the socket; returns the current message, or the answer to a question."""
    context = context_of(request)
    check_media(request, JSON)
    wanted = read_command(await request.body())
    caller = await context.caller(request)
    live = await context.operations.reader(caller, table_id)
    try:
        return json_response(await context.operations.execute(caller, live, wanted))
    except TableError as error:
        return problem_response(error, current=live.message(caller.holder, None, clock()))


@endpoints.get("/api/tables/{table_id}/log", tag="Play", gives=Log, errors=READING)
async def log(request: Request, table_id: TableId, seat: OwnSeat | None = None) -> Response:
    """Get the log of the game as the caller may see it."""
    operations, caller = await _called(request)
    return json_response(encoder.encode(await operations.log(caller, table_id, seat)))


@endpoints.post(
    "/api/tables/{table_id}/hint",
    tag="Play",
    takes=AskHint,
    example=AskHint(),
    gives=Hint,
    errors=(*READING, *WITH_BODY, "no_seat", "not_running", "not_your_turn", "over", "purist", "stale"),
    security=AUTHENTICATED,
)
async def hint(request: Request, table_id: TableId) -> Response:
    """Ask the strongest bot for advice on your turn; closing the connection cancels the request."""
    wanted = await body_of(request, AskHint)
    operations, caller = await _called(request)
    caller.known()
    asking = operations.hint(caller, table_id, wanted.seat)
    found = await unless_disconnected(request, asking)
    return Response(status_code=CLIENT_DISCONNECTED) if found is None else json_response(encoder.encode(found))


@endpoints.get(
    "/api/tables/{table_id}/picture.svg",
    tag="Play",
    gives_media="image/svg+xml",
    description="The table as the caller may see it",
    errors=(*READING, "not_running"),
)
async def picture(
    request: Request, table_id: TableId, seat: OwnSeat | None = None, language: PictureLanguage = FALLBACK
) -> Response:
    """Get a picture of the table."""
    operations, caller = await _called(request)
    drawn = await operations.picture(caller, table_id, seat, language)
    return Response(drawn, media_type="image/svg+xml")


# After a scoring, and after the game


@endpoints.get("/api/tables/{table_id}/positions/{n}", tag="Afterwards", gives=Message, errors=(*READING, "running"))
async def position(request: Request, table_id: TableId, n: Position, seat: AnySeat | None = None) -> Response:
    """Get a position of a finished game, seen from any seat."""
    operations, caller = await _called(request)
    return json_response(await operations.position(caller, table_id, n, seat))


@endpoints.get("/api/tables/{table_id}/scorings/{scoring}", tag="Afterwards", gives=Message, errors=READING)
async def scoring(request: Request, table_id: TableId, scoring: ScoringName) -> Response:
    """Get the position at a past scoring as a spectator saw it."""
    operations, caller = await _called(request)
    return json_response(await operations.scoring(caller, table_id, scoring))


@endpoints.get(
    "/api/tables/{table_id}/record",
    tag="Afterwards",
    gives_media=TEXT,
    description="The record",
    errors=(*READING, "running"),
)
async def record(request: Request, table_id: TableId) -> Response:
    """Get the record of a finished game, with the seed of its shuffle."""
    operations, caller = await _called(request)
    headers = {"content-disposition": 'attachment; filename="granada.record"'}
    return Response(await operations.record(caller, table_id), media_type=TEXT, headers=headers)


@endpoints.post(
    "/api/tables/{table_id}/analysis",
    tag="Afterwards",
    gives=Analysis,
    errors=(*READING, "forbidden_origin", "running"),
)
async def analysis(request: Request, table_id: TableId) -> Response:
    """Get the strongest bot's analysis of a finished game; ask again until the status is `done`."""
    operations, caller = await _called(request)
    return json_response(encoder.encode(await operations.analysis(caller, table_id)))


@endpoints.post(
    "/api/records",
    tag="Afterwards",
    takes="A record (docs/notation.md), finished or not",
    takes_media=TEXT,
    gives=Message,
    status=201,
    errors=(*WITH_BODY, "bad_record"),
)
async def upload(request: Request) -> Response:
    """Open a table from a record, to replay it or to continue the game."""
    check_media(request, TEXT)
    try:
        text = (await request.body()).decode("utf-8")
    except UnicodeDecodeError:
        raise TableError("bad_record", "this is not a record: it is not UTF-8 text", reason=Reason("text")) from None
    visitor = await context_of(request).visitor(request)
    return visitor.respond(await context_of(request).operations.upload(visitor.caller, text), 201)


@endpoints.post(
    "/api/tables/{table_id}/fork",
    tag="Afterwards",
    takes=Fork,
    example=Fork(40),
    gives=Message,
    status=201,
    errors=(*READING, *WITH_BODY, "bad_options", "over", "running", "seat_taken"),
)
async def fork(request: Request, table_id: TableId) -> Response:
    """Continue from a position of a finished game at a new table."""
    wanted = await body_of(request, Fork)
    visitor = await context_of(request).visitor(request)
    return visitor.respond(await context_of(request).operations.fork(visitor.caller, table_id, wanted), 201)


@endpoints.post(
    "/api/tables/{table_id}/rematch",
    tag="Afterwards",
    takes=Rematch,
    example=Rematch(True),
    gives=Message,
    status=201,
    errors=(*READING, *WITH_BODY, "bad_options", "no_seat", "not_running", "running", "stale"),
    security=AUTHENTICATED,
)
async def rematch(request: Request, table_id: TableId) -> Response:
    """Join a rematch with the same players at a new table, which the first request opens."""
    wanted = await body_of(request, Rematch)
    operations, caller = await _called(request)
    return json_response(await operations.rematch(caller, table_id, wanted), 201)


# Score pad


@endpoints.post(
    "/api/score",
    tag="Scoring",
    takes=ScorePad,
    example=ScorePad(
        "granada",
        players=2,
        scorings={
            "A": [
                PadEntry(moat=4, counts={"park": 2, "school": 1}, highest={"park": 7}),
                PadEntry(moat=2, counts={"park": 2}, highest={"park": 10}),
                PadEntry(counts={"school": 3, "arena": 3}),
            ]
        },
    ),
    gives=PadResult,
    errors=("bad_options", "forbidden_origin", "unsupported_media"),
)
async def score(request: Request) -> Response:
    """Score a game played with the real board game, and report impossible entries."""
    pad = await body_of(request, ScorePad)
    caller = Caller(None, address_of(request.scope))  # no credentials needed
    return json_response(encoder.encode(await context_of(request).operations.score(caller, pad)))
