"""The routes after a scoring and after the game: looking back, playing on, playing again, records in and out."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Annotated, Final, Literal

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from granada.records.lines import RecordLines
from granada.records.record import Record, RecordError
from granada.records.replay import Replay
from granada.rules.events import NOBODY
from granada.rules.options import Options
from granada.server.http.addresses import address_of
from granada.server.http.openapi import READING, TEXT, WITH_BODY, gives, takes
from granada.server.http.request_context import body_of, check_media, context_of, written
from granada.server.http.table_routes import KNOWN, TableId, new_table
from granada.tables.commands import Proposal
from granada.tables.entries import Created, Followed, SeatPlan
from granada.tables.errors import TableError, rule_in
from granada.tables.holders import Holder
from granada.tables.live_table import LiveTable
from granada.tables.lobby import OPEN
from granada.tables.messages import Message, Reason, TableInfo, TableOptions, encoder
from granada.tables.names import clean
from granada.tables.registry import clock
from granada.tables.requests import LONGEST_NAME, Analysis, Fork, Rematch, SeatWish
from granada.tables.table import Table
from granada.tables.views import events_for, own_view, public_view

router: Final = APIRouter(prefix="/api")
_AFTERWARDS: Final[list[str | Enum]] = ["Afterwards"]
Position = Annotated[int, Path(ge=0, le=1_000_000, description="How many actions were played")]
ScoringName = Annotated[Literal["A", "B", "C"], Path(description="The letter of the scoring")]
AnySeat = Annotated[int | None, Query(ge=1, le=6, description="The seat that looks; any, for nothing is hidden now")]
#: No record that is uploaded is longer; a game of six with all modules has a quarter of this.
LONGEST: Final = 128 * 1024


@router.get(
    "/tables/{table_id}/positions/{n}",
    tags=_AFTERWARDS,
    responses=gives(Message, refuses=(*READING, "running")),
    response_class=Response,
)
async def position(request: Request, table_id: TableId, n: Position, seat: AnySeat = None) -> Response:
    """A position of a game that is over, seen from any seat: the one message of that moment."""
    context = context_of(request)
    live, holder = await context.reader(request, table_id)
    table = _over(live)
    index = None if seat is None else seat - 1
    if index is not None and index >= len(table.seats):
        raise TableError("not_found", f"this table has no seat {seat}")
    info = live.info(holder, clock())
    reading = _reading(table, n)
    seen = await context.background.do(address_of(request.scope), lambda: _seen(reading(), index, table.version, info))
    return written(seen)


@router.get(
    "/tables/{table_id}/scorings/{scoring}",
    tags=_AFTERWARDS,
    responses=gives(Message, refuses=READING),
    response_class=Response,
)
async def scoring(request: Request, table_id: TableId, scoring: ScoringName) -> Response:
    """Return the message of a scoring that has taken place, as a spectator saw it, so that it can be shown again."""
    context = context_of(request)
    live, holder = await context.reader(request, table_id)
    table = live.table
    n = None if table.game is None else table.game.history.scored_at(scoring)
    if n is None:
        raise TableError("not_found", f"scoring {scoring} has not taken place")
    info = live.info(holder, clock())
    reading = _reading(table, n)
    has_aids = table.options.aids == "all"
    version = table.version
    seen = await context.background.do(
        address_of(request.scope), lambda: _seen(reading(), None, version, info, has_aids)
    )
    return written(seen)


def _seen(reading: Replay, seat: int | None, version: int, info: TableInfo, has_aids: bool = True) -> bytes:
    """The one message of a position."""
    state = reading.state
    message = Message(
        version,
        state.n,
        info,
        public_view(state, has_aids),
        own_view(state, seat, None, may_undo=False, has_aids=has_aids) if seat is not None else None,
        events_for(state.events, NOBODY if seat is None else seat),
    )
    return encoder.encode(message)


@router.get(
    "/tables/{table_id}/record",
    tags=_AFTERWARDS,
    responses=gives(None, media=TEXT, what="The record", refuses=(*READING, "running")),
    response_class=Response,
)
async def record(request: Request, table_id: TableId) -> Response:
    """The record of a game that is over, with the seed of its luck."""
    context = context_of(request)
    live, _ = await context.reader(request, table_id)
    headers = {"content-disposition": 'attachment; filename="granada.record"'}
    return Response(str(_over(live).record()), media_type=TEXT, headers=headers)


@router.post(
    "/tables/{table_id}/analysis",
    tags=_AFTERWARDS,
    responses=gives(Analysis, refuses=(*READING, "forbidden_origin", "running")),
    response_class=Response,
)
async def analysis(request: Request, table_id: TableId) -> Response:
    """What the strongest bot finds in a game that is over; it takes a while: ask again until the status is `done`."""
    context = context_of(request)
    live, _ = await context.reader(request, table_id)
    return written(encoder.encode(context.analyses.analysis(_over(live), address_of(request.scope))))


@router.post(
    "/records",
    tags=_AFTERWARDS,
    responses=gives(Message, 201, refuses=(*WITH_BODY, "bad_record")),
    openapi_extra=takes("A record (docs/notation.md), finished or not", TEXT),
    status_code=201,
    response_class=Response,
)
async def upload(request: Request) -> Response:
    """Open a table with a record: to go through it, or to play it on."""
    context = context_of(request)
    check_media(request, TEXT)
    text = _text(await request.body())
    guest = await context.welcome(request)
    checked = await context.background.do(address_of(request.scope), lambda: _checked(text))
    live = await context.registry.create(
        Created(
            _table_options(checked.options),
            tuple([SeatPlan("open", clean(name)) for name in checked.names]),
            is_public=False,
            host=guest.holder.hash,
            opening=str(checked),
        ),
        address_of(request.scope),
    )
    return guest.answer(live.message(guest.holder, None, clock()), 201)


@router.post(
    "/tables/{table_id}/fork",
    tags=_AFTERWARDS,
    responses=gives(Message, 201, refuses=(*READING, *WITH_BODY, "bad_options", "over", "running", "seat_taken")),
    openapi_extra=takes(Fork, example=Fork(40)),
    status_code=201,
    response_class=Response,
)
async def fork(request: Request, table_id: TableId) -> Response:
    """Play on from a position of a game that is over, at a new table."""
    context = context_of(request)
    wanted = await body_of(request, Fork)
    guest = await context.welcome(request)
    live = await context.registry.newest(table_id)
    live.check_reader(guest.holder)
    table = _over(live)
    reading = await context.background.do(address_of(request.scope), _reading(table, wanted.n))
    if reading.state.is_over:
        raise TableError("over", "nothing can be played after the end of the game")
    if wanted.seats is not None and len(wanted.seats) != len(table.seats):
        raise TableError("bad_options", f"the game has {len(table.seats)} seats")
    opening = reading.record
    opening.extra = {}
    seats = wanted.seats
    if seats is None:
        seats = [_as_before(state.plan, guest.holder) for state in table.seats]
    created = new_table(table.options, seats, False, guest.holder, str(opening), table.id)
    forked = await context.registry.create(created, address_of(request.scope))
    return guest.answer(forked.message(guest.holder, None, clock()), 201)


@router.post(
    "/tables/{table_id}/rematch",
    tags=_AFTERWARDS,
    responses=gives(
        Message, 201, refuses=(*READING, *WITH_BODY, "bad_options", "no_seat", "not_running", "running", "stale")
    ),
    openapi_extra={**takes(Rematch, example=Rematch(True)), **KNOWN},
    status_code=201,
    response_class=Response,
)
async def rematch(request: Request, table_id: TableId) -> Response:
    """Play again with the same people, on a new table that all are told of; the first who asks opens it."""
    context = context_of(request)
    wanted = await body_of(request, Rematch)
    holder = await context.known(request)
    live = await context.registry.newest(table_id)
    table = _over(live)
    if not (table.seats_of(holder.hash) or table.created.host == holder.hash):
        raise TableError("no_seat", "only who played can ask for a rematch")
    if table.next is None:
        again = await context.registry.create(_again(table, holder, wanted.same_deal), address_of(request.scope))

        def follow(now: Table) -> Proposal:
            if now.next is not None:
                raise TableError("running", "there is a rematch")
            return Proposal(Followed(again.table.id))

        try:
            await context.registry.change(table_id, follow)
        except TableError as error:
            if error.code != "running":
                raise
    assert live.table.next is not None
    found = await context.registry.newest(live.table.next)
    return written(found.message(holder, None, clock()), 201)


def _over(live: LiveTable) -> Table:
    """The table, if its game is over: before that its record would tell what is hidden (16)."""
    if live.table.phase != "over":
        raise TableError("running", "this is told when the game is over (16)")
    return live.table


def _reading(table: Table, n: int) -> Callable[[], Replay]:
    """How the record of a table is read until so many actions were played."""
    game = table.game
    assert game is not None
    if n > game.state.n:
        raise TableError("not_found", f"only {game.state.n} actions were played")
    text, open_money = str(table.record()), table.options.open_money

    def read() -> Replay:
        reading = Replay(text, trusted=True, open_money=open_money)
        _read_on(reading, n)
        return reading

    return read


def _read_on(reading: Replay, until: int | None = None) -> None:
    """Go through a record; not by its own loop, which once compiled would let no other thread in between."""
    while (until is None or reading.state.n < until) and reading.step():
        pass


def _again(table: Table, holder: Holder, same_deal: bool) -> Created:
    """The table of a rematch; with the same deal everybody moves on to the next seat."""
    plans = [seat.plan if seat.plan.kind != "open" else OPEN for seat in table.seats]
    if not same_deal:
        return Created(table.options, tuple(plans), table.created.is_public, holder.hash, previous=table.id)
    if table.created.opening is not None or table.seed is None:
        raise TableError("bad_options", "a game that was played on from a position has no deal of its own")
    moved = (*plans[1:], plans[0])
    return Created(table.options, moved, table.created.is_public, holder.hash, seed=table.seed, previous=table.id)


def _as_before(plan: SeatPlan, holder: Holder) -> SeatWish:
    if plan.kind == "bot":
        return SeatWish("bot", plan.name, plan.level)
    return SeatWish("person", plan.name) if plan.holder == holder.hash else SeatWish("open")


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise TableError("bad_record", "this is no record: it is not UTF-8 text", reason=Reason("text")) from None


def _checked(text: str) -> Record:
    """A record that keeps the rules, as far as it goes."""
    try:
        reading = Replay(RecordLines(text), partial=True)
        _read_on(reading)
    except RecordError as error:
        reason = Reason(error.code, error.expected, error.line)
        raise TableError("bad_record", str(error), rule=rule_in(error.reason), reason=reason) from None
    checked = reading.record
    if any(line.startswith("! bonus") and "?" in line for line in checked.lines):
        detail = "a record with hidden bonus cards cannot be played on (16.2)"
        raise TableError("bad_record", detail, rule="16.2", reason=Reason("hidden"))
    if len(checked.names) != len({clean(name) for name in checked.names}):
        raise TableError("bad_record", "two players have the same name", reason=Reason("names"))
    if any(len(name) > LONGEST_NAME for name in checked.names):
        detail = f"the name of a player has more than {LONGEST_NAME} characters"
        raise TableError("bad_record", detail, reason=Reason("names"))
    # A seed that is not this server's proves nothing here, and other notes are not the table's.
    checked.extra = {}
    return checked


def _table_options(options: Options) -> TableOptions:
    return msgspec.convert(
        {
            "edition": options.edition,
            "modules": list(options.modules),
            "scoring": options.scoring,
            "ages": list(options.ages),
        },
        TableOptions,
    )
