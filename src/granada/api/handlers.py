"""The endpoints that need no server: thin adapters from calls to the operations of `granada.tables`."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Annotated, Final, Literal

from msgspec import Meta

from granada import __version__
from granada.api.call import CLIENT_GONE, Call, Reply, body_of, check_media, json_reply, packed_reply, unless_gone
from granada.api.endpoints import JSON, SVG, TEXT, Endpoints
from granada.locales import FALLBACK, LANGUAGES
from granada.tables import components as component_list
from granada.tables.clock import clock
from granada.tables.daily_messages import DailyDay, DailyStart
from granada.tables.errors import TableError
from granada.tables.live_table import LiveTable
from granada.tables.messages import Act, Message, React, Reason, TableOptions, encoder
from granada.tables.operations import Caller, Operations
from granada.tables.pad_messages import PadEntry, PadResult, ScorePad
from granada.tables.puzzle_messages import (
    OpenPuzzle,
    PuzzleAttempt,
    PuzzleInfo,
    PuzzleList,
    PuzzleRatings,
    PuzzleVerdict,
)
from granada.tables.requests import (
    Analysis,
    AskHint,
    ComponentFacts,
    Fork,
    GameFacts,
    Health,
    Hint,
    Log,
    NameSuggestions,
    NewTable,
    Rematch,
    SeatRequest,
    SitDown,
    TableList,
)
from granada.tables.session import read_command

endpoints: Final = Endpoints[Reply]()

TableId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{16}$", description="The id of a table, as in its link")]
SeatNumber = Annotated[int, Meta(ge=1, le=6, description="A seat of the table, counted from 1")]
OwnSeat = Annotated[int, Meta(ge=1, le=6, description="Which of your seats to view the table from")]
AnySeat = Annotated[
    int, Meta(ge=1, le=6, description="The seat to view the table from; any seat, because nothing is hidden any more")
]
Position = Annotated[int, Meta(ge=0, le=1_000_000, description="The number of actions played")]
EditionName = Annotated[Literal["alhambra", "granada", "combined"], Meta(description="The edition of a daily deal")]
DealDate = Annotated[
    str,
    Meta(
        pattern=r"^(today|[0-9]{4}-[0-9]{2}-[0-9]{2})$(?!\n)",
        description="The day of a daily deal (UTC), as in `2026-11-18`, or `today`",
    ),
]
PuzzleNumber = Annotated[int, Meta(ge=1, le=1_000_000, description="The number of the puzzle")]
ScoringName = Annotated[Literal["A", "B", "C"], Meta(description="The letter of the scoring")]
if TYPE_CHECKING:
    _Language = str
else:
    _Language = Literal[tuple(LANGUAGES)]
PictureLanguage = Annotated[_Language, Meta(description="The language of the texts in the picture")]

#: Error codes of requests that change something, that have a JSON body, that read a table, and that change seats.
CHANGING: Final = ("forbidden_origin", "unauthorized", "unavailable")
WITH_BODY: Final = (*CHANGING, "unsupported_media")
READING: Final = ("unauthorized", "spectators_off", "not_found", "old_rules", "damaged", "unavailable")
SEATING: Final = ("not_found", "old_rules", "damaged", "stale")
#: The security schemes of endpoints that need credentials.
AUTHENTICATED: Final = ("browser", "program")
#: The most bytes of an uploaded record, four times that of a game with six players and all modules.
LONGEST_RECORD: Final = 128 * 1024


async def _called(call: Call) -> tuple[Operations, Caller]:
    """Return the operations, and who calls one of them."""
    return call.operations, await call.caller()


async def _text_of(call: Call, code: str) -> str:
    """Return the text of a request with a record; TableError with the code if it is none."""
    check_media(call, TEXT)
    try:
        return (await call.body()).decode("utf-8")
    except UnicodeDecodeError:
        raise TableError(code, "this is not a record: it is not UTF-8 text", reason=Reason("text")) from None


# Tables


@endpoints.get("/api/components", tag="Tables", gives=ComponentFacts)
async def components(call: Call) -> Reply:
    """Get the components of the games, the allowed combinations, and the available bots."""
    if not call.accepts_gzip:
        return json_reply(component_list.components())
    return packed_reply(component_list.packed())


@endpoints.get("/api/names", tag="Tables", gives=NameSuggestions)
async def names(call: Call) -> Reply:
    """Suggest names for players."""
    return json_reply(encoder.encode(call.operations.suggest_names()))


@endpoints.get("/api/tables", tag="Tables", gives=TableList, errors=("unavailable",))
async def tables(call: Call) -> Reply:
    """List the public tables."""
    return json_reply(encoder.encode(await call.operations.public_tables()))


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
async def open_table(call: Call) -> Reply:
    """Open a table; the caller becomes its host."""
    wanted = await body_of(call, NewTable)
    return json_reply(await call.operations.open_table(await call.visitor(), wanted), 201)


@endpoints.get("/api/tables/{table_id}", tag="Tables", gives=Message, errors=READING)
async def table(call: Call, table_id: TableId) -> Reply:
    """Get the table as the caller may see it."""
    operations, caller = await _called(call)
    return json_reply(await operations.read_table(caller, table_id))


@endpoints.post(
    "/api/tables/{table_id}/seats/{seat}/take",
    tag="Tables",
    takes=SitDown,
    example=SitDown("Ben"),
    gives=Message,
    errors=(*WITH_BODY, *SEATING, "hand_seen", "seat_taken", "over", "too_many_changes"),
)
async def take_seat(call: Call, table_id: TableId, seat: SeatNumber) -> Reply:
    """Take an open seat, or change the name on your own seat."""
    wanted = await body_of(call, SitDown)
    return json_reply(await call.operations.take_seat(await call.visitor(), table_id, seat, wanted.name))


@endpoints.post(
    "/api/tables/{table_id}/seats/{seat}/leave",
    tag="Tables",
    gives=Message,
    errors=(*CHANGING, *SEATING, "no_seat"),
    security=AUTHENTICATED,
)
async def leave_seat(call: Call, table_id: TableId, seat: SeatNumber) -> Reply:
    """Leave a seat."""
    operations, caller = await _called(call)
    return json_reply(await operations.leave_seat(caller, table_id, seat))


@endpoints.put(
    "/api/tables/{table_id}/seats/{seat}",
    tag="Tables",
    takes=SeatRequest,
    example=SeatRequest("bot", level="greedy"),
    gives=Message,
    errors=(*WITH_BODY, *SEATING, "bad_options", "not_host", "over", "running", "seat_taken", "too_many_changes"),
    security=AUTHENTICATED,
)
async def set_seat(call: Call, table_id: TableId, seat: SeatNumber) -> Reply:
    """As the host, put a bot on a seat, open it, or seat a person at the same browser."""
    wanted = await body_of(call, SeatRequest)
    operations, caller = await _called(call)
    return json_reply(await operations.set_seat(caller, table_id, seat, wanted))


@endpoints.post(
    "/api/tables/{table_id}/start",
    tag="Tables",
    gives=Message,
    errors=(*CHANGING, *SEATING, "not_host", "not_ready", "running"),
    security=AUTHENTICATED,
)
async def start(call: Call, table_id: TableId) -> Reply:
    """Start the game."""
    operations, caller = await _called(call)
    return json_reply(await operations.start(caller, table_id))


# Play

#: The endpoint of a table's socket, which is not in the OpenAPI document.
sockets: Final = Endpoints[tuple[LiveTable, Caller, int | None]]()


@sockets.get("/api/tables/{table_id}/socket")
async def socket(call: Call, table_id: TableId, seat: OwnSeat | None = None) -> tuple[LiveTable, Caller, int | None]:
    """Return the table, the caller and the seat (from 0) that a socket may be opened for."""
    operations, caller = await _called(call)
    return await operations.reader(caller, table_id), caller, None if seat is None else seat - 1


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
        "not_late",
        "not_over",
        "not_running",
        "not_your_turn",
        "nothing_held",
        "nothing_to_undo",
        "over",
        "stale",
        "too_many_changes",
        "too_soon",
        "undo_off",
        "unsupported_media",
    ),
)
async def command(call: Call, table_id: TableId) -> Reply:
    """Send a command as over the socket; returns the current message, or the answer to a question."""
    check_media(call, JSON)
    wanted = read_command(await call.body())
    operations, caller = await _called(call)
    live = await operations.reader(caller, table_id)
    try:
        return json_reply(await operations.execute(caller, live, wanted))
    except TableError as error:
        if isinstance(wanted, React):  # refused or not, a reaction changes nothing at the table
            raise
        raise error.with_current(live.message(caller.holder, None, clock())) from None


@endpoints.get("/api/tables/{table_id}/log", tag="Play", gives=Log, errors=READING)
async def log(call: Call, table_id: TableId, seat: OwnSeat | None = None) -> Reply:
    """Get the log of the game as the caller may see it."""
    operations, caller = await _called(call)
    content = encoder.encode(await operations.log(caller, table_id, seat))
    # The log of a long game is the largest part of what a table loads. Others have written nothing in it.
    return packed_reply(gzip.compress(content, mtime=0)) if call.accepts_gzip else json_reply(content)


@endpoints.post(
    "/api/tables/{table_id}/hint",
    tag="Play",
    takes=AskHint,
    example=AskHint(),
    gives=Hint,
    errors=(*READING, *WITH_BODY, "no_seat", "not_running", "not_your_turn", "over", "purist", "stale"),
    security=AUTHENTICATED,
)
async def hint(call: Call, table_id: TableId) -> Reply:
    """Ask the strongest bot for advice on your turn; closing the connection cancels the request."""
    wanted = await body_of(call, AskHint)
    operations, caller = await _called(call)
    caller.known()
    found = await unless_gone(call.gone(), operations.hint(caller, table_id, wanted.seat))
    return Reply(status=CLIENT_GONE) if found is None else json_reply(encoder.encode(found))


@endpoints.get(
    "/api/tables/{table_id}/picture.svg",
    tag="Play",
    gives_media=SVG,
    description="The table as the caller may see it",
    errors=(*READING, "not_running"),
)
async def picture(
    call: Call, table_id: TableId, seat: OwnSeat | None = None, language: PictureLanguage = FALLBACK
) -> Reply:
    """Get a picture of the table."""
    operations, caller = await _called(call)
    drawn = await operations.picture(caller, table_id, seat, language)
    return Reply(drawn.encode(), media_type=SVG)


# After a scoring, and after the game


@endpoints.get("/api/tables/{table_id}/positions/{n}", tag="Afterwards", gives=Message, errors=(*READING, "running"))
async def position(call: Call, table_id: TableId, n: Position, seat: AnySeat | None = None) -> Reply:
    """Get a position of a finished game, seen from any seat."""
    operations, caller = await _called(call)
    return json_reply(await operations.position(caller, table_id, n, seat))


@endpoints.get("/api/tables/{table_id}/scorings/{scoring}", tag="Afterwards", gives=Message, errors=READING)
async def scoring(call: Call, table_id: TableId, scoring: ScoringName) -> Reply:
    """Get the position at a past scoring as a spectator saw it."""
    operations, caller = await _called(call)
    return json_reply(await operations.scoring(caller, table_id, scoring))


@endpoints.get(
    "/api/tables/{table_id}/record",
    tag="Afterwards",
    gives_media=TEXT,
    description="The record",
    errors=(*READING, "running"),
)
async def record(call: Call, table_id: TableId) -> Reply:
    """Get the record of a finished game, with the seed of its shuffle."""
    operations, caller = await _called(call)
    headers = {"content-disposition": 'attachment; filename="granada.record"'}
    return Reply((await operations.record(caller, table_id)).encode(), media_type=TEXT, headers=headers)


@endpoints.get("/api/tables/{table_id}/facts", tag="Afterwards", gives=GameFacts, errors=(*READING, "running"))
async def facts(call: Call, table_id: TableId) -> Reply:
    """Get the facts of a finished game: points by source, payments, best turns, and what decided it."""
    operations, caller = await _called(call)
    return json_reply(encoder.encode(await operations.facts(caller, table_id)))


@endpoints.post(
    "/api/tables/{table_id}/analysis",
    tag="Afterwards",
    gives=Analysis,
    errors=(*READING, "forbidden_origin", "running"),
)
async def analysis(call: Call, table_id: TableId) -> Reply:
    """Get the strongest bot's analysis of a finished game; ask again until the status is `done`."""
    operations, caller = await _called(call)
    return json_reply(encoder.encode(await operations.analysis(caller, table_id)))


@endpoints.post(
    "/api/records",
    tag="Afterwards",
    takes="A record (docs/notation.md), finished or not",
    takes_media=TEXT,
    body_limit=LONGEST_RECORD,
    gives=Message,
    status=201,
    errors=(*WITH_BODY, "bad_record"),
)
async def upload(call: Call) -> Reply:
    """Open a table from a record, to replay it or to continue the game."""
    text = await _text_of(call, "bad_record")
    return json_reply(await call.operations.upload(await call.visitor(), text), 201)


@endpoints.post(
    "/api/tables/{table_id}/fork",
    tag="Afterwards",
    takes=Fork,
    example=Fork(40),
    gives=Message,
    status=201,
    errors=(*READING, *WITH_BODY, "bad_options", "over", "running", "seat_taken"),
)
async def fork(call: Call, table_id: TableId) -> Reply:
    """Continue from a position of a finished game at a new table."""
    wanted = await body_of(call, Fork)
    return json_reply(await call.operations.fork(await call.visitor(), table_id, wanted), 201)


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
async def rematch(call: Call, table_id: TableId) -> Reply:
    """Join a rematch at a new table, which the first request opens; it starts when all people have joined."""
    wanted = await body_of(call, Rematch)
    operations, caller = await _called(call)
    return json_reply(await operations.rematch(caller, table_id, wanted), 201)


# The daily deal


@endpoints.get(
    "/api/daily/{edition}/{date}", tag="Daily", gives=DailyDay, errors=("daily_future", "daily_past", "unavailable")
)
async def daily(call: Call, edition: EditionName, date: DealDate) -> Reply:
    """Get the deal of a day, your attempt at it, and the list of results as far as it is open to you."""
    caller = await call.caller()
    return json_reply(encoder.encode(await call.operations.daily.day(caller.holder, edition, date)))


@endpoints.post(
    "/api/daily/{edition}/{date}/table",
    tag="Daily",
    takes=DailyStart,
    example=DailyStart("Ana"),
    gives=Message,
    status=201,
    errors=(*WITH_BODY, *READING, "daily_future", "daily_past", "seat_taken"),
)
async def open_daily(call: Call, edition: EditionName, date: DealDate) -> Reply:
    """Open the table of your first attempt at a daily deal, or one for practice if you have a result."""
    wanted = await body_of(call, DailyStart)
    caller = await call.visitor()
    message = await call.operations.daily.open_table(caller.known(), caller.address, edition, date, wanted)
    return json_reply(message, 201)


@endpoints.post(
    "/api/daily/{edition}/{date}/results",
    tag="Daily",
    takes="The record of a finished game of the deal (docs/daily.md)",
    takes_media=TEXT,
    gives=DailyDay,
    errors=(*WITH_BODY, "bad_result", "daily_future", "daily_past"),
)
async def submit_daily(call: Call, edition: EditionName, date: DealDate) -> Reply:
    """Enter the result of a game of today's deal that was played elsewhere; only your first result counts."""
    text = await _text_of(call, "bad_result")
    caller = await call.visitor()
    found = await call.operations.daily.submit(caller.known(), caller.address, edition, date, text)
    return json_reply(encoder.encode(found))


# Puzzles


@endpoints.get("/api/puzzles", tag="Puzzles", gives=PuzzleList)
async def puzzles(call: Call) -> Reply:
    """List all puzzles."""
    return (
        packed_reply(call.operations.packed_puzzles()) if call.accepts_gzip else json_reply(call.operations.puzzles())
    )


@endpoints.get("/api/puzzles/ratings", tag="Puzzles", gives=PuzzleRatings)
async def puzzle_ratings(call: Call) -> Reply:
    """Get the rating of every puzzle, to choose the next one."""
    return json_reply(encoder.encode(call.operations.puzzle_ratings()))


@endpoints.get("/api/puzzles/{number}", tag="Puzzles", gives=PuzzleInfo, errors=("not_found",))
async def puzzle(call: Call, number: PuzzleNumber) -> Reply:
    """Get a puzzle: what has to be found, and who finds it."""
    caller = Caller(None, call.address)  # no credentials needed
    return json_reply(encoder.encode(await call.operations.puzzle(caller, number)))


@endpoints.post(
    "/api/puzzles/{number}/table",
    tag="Puzzles",
    takes=OpenPuzzle,
    example=OpenPuzzle("Ana"),
    gives=Message,
    status=201,
    errors=(*WITH_BODY, "not_found"),
)
async def open_puzzle(call: Call, number: PuzzleNumber) -> Reply:
    """Open a table at the position of a puzzle, on whose seat the caller plays; nobody else moves."""
    wanted = await body_of(call, OpenPuzzle)
    return json_reply(await call.operations.open_puzzle(await call.visitor(), number, wanted.name), 201)


@endpoints.post(
    "/api/puzzles/{number}/attempt",
    tag="Puzzles",
    takes=PuzzleAttempt,
    example=PuzzleAttempt(["take y3 g2"]),
    gives=PuzzleVerdict,
    errors=("bad_turn", "forbidden_origin", "illegal", "not_found", "unsupported_media"),
)
async def attempt(call: Call, number: PuzzleNumber) -> Reply:
    """Answer a puzzle with a whole turn; returns the verdict, the best turn and the reasons."""
    wanted = await body_of(call, PuzzleAttempt)
    operations, caller = await _called(call)
    return json_reply(encoder.encode(await operations.judge(caller, number, wanted.actions)))


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
async def score(call: Call) -> Reply:
    """Score a game played with the real board game, and report impossible entries."""
    pad = await body_of(call, ScorePad)
    caller = Caller(None, call.address)  # no credentials needed
    return json_reply(encoder.encode(await call.operations.score(caller, pad)))


# Server


@endpoints.get("/healthz", tag="Server", gives=Health)
async def healthz(call: Call) -> Reply:
    """Check that the server is running and its database accepts writes; tested at most once per second."""
    fault = await call.fault()
    status: Literal["ok", "unavailable"] = "ok" if fault is None else "unavailable"
    health = Health(status, __version__, len(call.operations.registry.tables), fault)
    return json_reply(encoder.encode(health), 200 if fault is None else 503)
