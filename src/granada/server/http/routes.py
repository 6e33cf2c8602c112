"""The endpoints that need a server: identities, program tokens, the socket and the stream of a table."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from granada.api.call import body_of
from granada.api.handlers import CHANGING, READING, WITH_BODY, OwnSeat, TableId, sockets
from granada.server.http.addresses import address_of
from granada.server.http.credentials import secret_in_cookie
from granada.server.http.request_context import HttpCall, context_of, json_response
from granada.server.http.routing import HttpEndpoints
from granada.server.http.sockets import NDJSON, TableStream, serve_socket
from granada.server.identity.transfers import VALID
from granada.tables.errors import TableError
from granada.tables.holders import Holder, hash_of
from granada.tables.messages import encoder
from granada.tables.names import clean
from granada.tables.operations import Caller
from granada.tables.requests import (
    LONGEST_PROFILE,
    EnterIdentityCode,
    Identity,
    IdentityCode,
    NewIdentityCode,
    NewProgram,
    OwnTables,
    ProgramToken,
)

#: The most bytes of a request with a profile: its characters may be escaped.
LONGEST_PROFILE_BODY: Final = 2 * LONGEST_PROFILE + 1024
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


# Identity


@endpoints.post(
    "/api/identity/code",
    tag="Identity",
    takes=NewIdentityCode,
    body_limit=LONGEST_PROFILE_BODY,
    gives=IdentityCode,
    status=201,
    errors=WITH_BODY,
    security=("browser",),
)
async def new_identity_code(request: Request) -> Response:
    """Get a code that takes this browser's identity and profile to another browser, once, within 15 minutes."""
    wanted = await body_of(HttpCall(request), NewIdentityCode)
    if len(wanted.profile) > LONGEST_PROFILE:
        raise TableError("too_large", f"a profile is limited to {LONGEST_PROFILE} characters")
    code = await context_of(request).transfers.deposit(_own_secret(request), wanted.profile)
    return json_response(encoder.encode(IdentityCode(code, VALID // 1000)), 201)


@endpoints.post(
    "/api/identity/enter",
    tag="Identity",
    takes=EnterIdentityCode,
    example=EnterIdentityCode("mint-7Q4F-K2ZD-saffron-88TX-V03C"),
    gives=Identity,
    errors=(*WITH_BODY, "bad_code", "unknown_code"),
)
async def enter_identity_code(request: Request) -> Response:
    """Become the person whose code it is; the other browser stays the same person, and so do seats of this one."""
    wanted = await body_of(HttpCall(request), EnterIdentityCode)
    context = context_of(request)
    found = await context.transfers.redeem(wanted.code, address_of(request.scope))
    adopted: list[str] = []
    secret = secret_in_cookie(request.headers)
    if secret is not None and secret != found.secret:
        caller = Caller(Holder(hash_of(secret)), address_of(request.scope))
        adopted = await context.operations.adopt(caller, Holder(hash_of(found.secret)), wanted.tables)
    response = json_response(encoder.encode(Identity(found.profile, adopted)))
    context.set_cookie(request, response, found.secret)
    return response


@endpoints.delete(
    "/api/identity",
    tag="Identity",
    status=204,
    description="The browser has no identity any more",
    errors=CHANGING,
    security=("browser",),
)
async def forget_identity(request: Request) -> Response:
    """Remove this browser's cookie, its code and its results of daily deals; tables keep their names and seats."""
    await context_of(request).transfers.forget(_own_secret(request))
    response = Response(status_code=204)
    context_of(request).remove_cookie(request, response)
    return response


def _own_secret(request: Request) -> str:
    """Return the secret in the cookie; TableError if there is none."""
    secret = secret_in_cookie(request.headers)
    if secret is None:
        raise TableError("unauthorized", "The request has no browser cookie.")
    return secret


# Own tables


@endpoints.get("/api/mine", tag="Tables", gives=OwnTables, errors=("unauthorized", "unavailable"))
async def own_tables(request: Request) -> Response:
    """List the tables at which the caller has a seat, or which they opened."""
    call = HttpCall(request)
    return json_response(encoder.encode(await call.operations.own_tables(await call.caller())))


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
