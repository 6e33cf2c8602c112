"""The endpoints that need a server: program tokens, the socket and the stream of a table."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from granada.api.call import body_of
from granada.api.handlers import CHANGING, READING, OwnSeat, TableId, sockets
from granada.server.http.request_context import HttpCall, context_of, json_response
from granada.server.http.routing import HttpEndpoints
from granada.server.http.sockets import NDJSON, TableStream, serve_socket
from granada.tables.errors import TableError
from granada.tables.messages import encoder
from granada.tables.names import clean
from granada.tables.requests import NewProgram, ProgramToken

endpoints: Final = HttpEndpoints()


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
    wanted = await body_of(HttpCall(request), NewProgram)
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


async def _serve_socket(websocket: WebSocket) -> None:
    """Receive commands and send messages."""
    call = HttpCall(websocket)
    live, caller, seat = await _socket.serve(call, websocket)
    await serve_socket(call.operations.session, websocket, live, caller.holder, seat, caller.address)


(_socket,) = sockets
socket_route: Final = WebSocketRoute(_socket.path, _serve_socket)


@endpoints.get(
    "/api/tables/{table_id}/stream",
    tag="Play",
    gives_media=NDJSON,
    description="`FromServer`, one per line; empty lines keep the stream alive",
    errors=READING,
)
async def stream(request: Request, table_id: TableId, seat: OwnSeat | None = None) -> Response:
    """Stream the messages of the socket as lines of JSON, until the game is over or the server stops."""
    operations = context_of(request).operations
    caller = await context_of(request).caller(request)
    live = await operations.reader(caller, table_id)
    index = None if seat is None else seat - 1
    listener = operations.session.enter(live, caller.holder, index, caller.address, is_person=False)
    return TableStream(operations.session, live, listener)
