"""The operations behind all requests, independent of HTTP. Seats are numbered from 1, as in the messages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from granada.records.lines import RecordLines
from granada.records.record import Record, RecordError
from granada.records.replay import Replay
from granada.rules.errors import BadOptions
from granada.rules.events import NOBODY
from granada.rules.options import Options
from granada.tables import lobby, rematches
from granada.tables.analyses import Analyses
from granada.tables.clock import clock
from granada.tables.commands import Proposal
from granada.tables.daily_deals import DailyDeals
from granada.tables.entries import Created, Followed, SeatPlan
from granada.tables.errors import TableError, rule_in
from granada.tables.facts import KeptFacts
from granada.tables.hints import Hints
from granada.tables.holders import Holder
from granada.tables.live_table import LiveTable
from granada.tables.messages import Command, Message, Reason, TableInfo, TableOptions, encoder
from granada.tables.names import clean, looks, suggest
from granada.tables.outlooks import Outlooks, Summary, read_summary, summary_of
from granada.tables.pad_messages import PadResult, ScorePad
from granada.tables.pictures import Pictures
from granada.tables.ports import Background, Listing, Unavailable
from granada.tables.presence import Presence
from granada.tables.puzzle_messages import PuzzleInfo, PuzzleRatings, PuzzleVerdict
from granada.tables.puzzles import Puzzles
from granada.tables.registry import TableRegistry, unavailable
from granada.tables.requests import (
    LONGEST_NAME,
    Analysis,
    Fork,
    GameFacts,
    Hint,
    ListedTable,
    Log,
    NameSuggestions,
    NewTable,
    OwnTables,
    Rematch,
    SeatRequest,
    TableList,
)
from granada.tables.score_pads import result_of
from granada.tables.session import Session
from granada.tables.table import Table
from granada.tables.views import events_for, own_view, public_view

#: The limit of the list of tables, and the number of suggested names.
MAX_LISTED: Final = 100
#: The most tables that are loaded for the list, because another process has just changed them.
MAX_LOADED: Final = 20
SUGGESTIONS: Final = 6


@dataclass(frozen=True)
class Caller:
    """The sender of a request: its holder (None: anonymous), and its address, which limits apply to."""

    holder: Holder | None
    address: str

    def known(self) -> Holder:
        """Return the holder; raises TableError if the caller is anonymous."""
        if self.holder is None:
            raise TableError("unauthorized", "The request has neither a browser cookie nor a program token.")
        return self.holder


class Operations:
    """Executes requests; returns encoded messages for the caller. Every method may raise TableError."""

    def __init__(
        self,
        registry: TableRegistry,
        presence: Presence,
        session: Session,
        hints: Hints,
        analyses: Analyses,
        puzzles: Puzzles,
        background: Background,
    ) -> None:
        self.registry: Final = registry
        self.presence: Final = presence
        self.session: Final = session
        self._hints: Final = hints
        self._analyses: Final = analyses
        self._puzzles: Final = puzzles
        self._background: Final = background
        #: None where tables are not found by their holders.
        self.outlooks: Outlooks | None = None
        self._pictures: Final = Pictures(background)
        self._facts: Final = KeptFacts(background)
        self.daily: Final = DailyDeals(registry, background)

    # Tables

    def suggest_names(self) -> NameSuggestions:
        """Return some names to choose from."""
        found: list[str] = []
        while len(found) < SUGGESTIONS:
            found.append(suggest(found))
        return NameSuggestions(found)

    async def public_tables(self) -> TableList:
        """Return the newest public tables."""
        try:
            if self.outlooks is not None:
                await self.outlooks.settle()
            listings = await self.registry.store.listings(MAX_LISTED)
        except Unavailable:
            raise unavailable() from None
        newest = await self._newest_summaries([one.id for one in listings if one.is_behind])
        return TableList(
            [
                _listed(one, newest.get(one.id), is_known=not one.is_behind or one.id in newest)
                for one in listings
                if one.id not in self.registry.rejected
            ]
        )

    async def _newest_summaries(self, tables: Sequence[str]) -> dict[str, Summary]:
        """Return the summaries of tables that other processes have just changed, without loading too many."""
        loaded = [one for one in tables if one in self.registry.tables]
        others = [one for one in tables if one not in self.registry.tables][:MAX_LOADED]
        found = await asyncio.gather(*map(self.registry.newest, [*loaded, *others]), return_exceptions=True)
        summaries: dict[str, Summary] = {}
        for one in found:
            if isinstance(one, LiveTable):
                summaries[one.table.id] = summary_of(one.table)
            elif not isinstance(one, TableError):
                raise one
        return summaries

    async def open_table(self, caller: Caller, wanted: NewTable) -> bytes:
        """Open a table; the caller is its host."""
        created = _new_table(wanted.options, wanted.seats, wanted.is_public, caller.known())
        live = await self.registry.create(created, caller.address)
        return live.message(caller.holder, None, clock())

    async def read_table(self, caller: Caller, table_id: str) -> bytes:
        """Return the message of a table."""
        live = await self.reader(caller, table_id)
        return live.message(caller.holder, None, clock())

    async def take_seat(self, caller: Caller, table_id: str, seat: int, name: str | None) -> bytes:
        """Take an open seat, or rename the caller's seat."""
        holder = caller.known()
        live = await self.registry.change(table_id, lambda table: lobby.take_seat(table, holder, seat - 1, name))
        return live.message(holder, None, clock())

    async def leave_seat(self, caller: Caller, table_id: str, seat: int) -> bytes:
        """Leave a seat."""
        holder = caller.known()
        live = await self.registry.change(table_id, lambda table: lobby.leave_seat(table, holder, seat - 1))
        return live.message(holder, None, clock())

    async def set_seat(self, caller: Caller, table_id: str, seat: int, wanted: SeatRequest) -> bytes:
        """Put a bot on a seat, open it, or seat a person at the host's browser; only for the host."""
        holder = caller.known()
        live = await self.registry.change(table_id, lambda table: lobby.set_seat(table, holder, seat - 1, wanted))
        return live.message(holder, None, clock())

    async def start(self, caller: Caller, table_id: str) -> bytes:
        """Start the game."""
        holder = caller.known()
        self.presence.visit(await self.registry.table(table_id), caller.address, holder)
        live = await self.registry.change(table_id, lambda table: lobby.start(table, holder))
        return live.message(holder, None, clock(), with_events=True)

    async def own_tables(self, caller: Caller) -> OwnTables:
        """Return the caller's tables; none for a caller without credentials."""
        if caller.holder is None or self.outlooks is None:
            return OwnTables([])
        try:
            return await self.outlooks.own_tables(caller.holder, self.registry.newest)
        except Unavailable:
            raise unavailable() from None

    # Play

    async def reader(self, caller: Caller, table_id: str) -> LiveTable:
        """Return a table that the caller may read, and count the visit."""
        live = await self.registry.newest(table_id)
        live.check_reader(caller.holder)
        self.presence.visit(live, caller.address, caller.holder)
        return live

    async def execute(self, caller: Caller, live: LiveTable, command: Command) -> bytes:
        """Execute a command of a caller without a socket; returns the message, or the answer to a question."""
        return await self.session.execute(live, caller.holder, command, None)

    async def log(self, caller: Caller, table_id: str, seat: int | None) -> Log:
        """16: Return the record so far as the caller may see it."""
        live = await self.reader(caller, table_id)
        own = live.seat_for(caller.holder, _index(seat))
        game = live.table.game
        return Log([] if game is None else game.history.log_for(NOBODY if own is None else own))

    async def hint(self, caller: Caller, table_id: str, seat: int | None) -> Hint:
        """Return the strongest bot's hint for the caller's seat; cancelling the call stops the bot."""
        holder = caller.known()
        return await self._hints.hint(await self.registry.newest(table_id), holder, seat, caller.address)

    async def picture(self, caller: Caller, table_id: str, seat: int | None, language: str) -> str:
        """Return an SVG picture of the table with labels in a language."""
        live = await self.reader(caller, table_id)
        own = live.seat_for(caller.holder, _index(seat))
        return await self._pictures.picture(live, own, language, caller.address)

    # Identities

    async def adopt(self, caller: Caller, new: Holder, tables: Sequence[str]) -> list[str]:
        """Give the caller's part in tables to another identity of the same person; returns the tables that it had."""
        old = caller.known()
        found: list[str] = []
        for table_id in tables:
            try:
                await self.registry.change(table_id, lambda table: lobby.adopt(table, old, new))
            except TableError:
                continue  # gone, damaged, or nothing there
            found.append(table_id)
        return found

    # After a scoring, and after the game

    async def position(self, caller: Caller, table_id: str, n: int, seat: int | None) -> bytes:
        """Return a position of a finished game, seen from any seat."""
        live = await self.reader(caller, table_id)
        table, index = _over(live), _index(seat)
        if index is not None and index >= len(table.seats):
            raise TableError("not_found", f"This table has no seat {seat}.")
        info, version, replay = live.info(caller.holder, clock()), table.version, _replay_to(table, n)
        return await self._background.do(caller.address, lambda: _position_message(replay(), index, version, info))

    async def scoring(self, caller: Caller, table_id: str, scoring: str) -> bytes:
        """Return the message of a past scoring as spectators saw it, so that it can be shown again."""
        live = await self.reader(caller, table_id)
        table = live.table
        n = None if table.game is None else table.game.history.scored_at(scoring)
        if n is None:
            raise TableError("not_found", f"Scoring {scoring} has not taken place yet.")
        info, version, replay = live.info(caller.holder, clock()), table.version, _replay_to(table, n)
        has_aids = table.options.aids == "all"
        return await self._background.do(
            caller.address, lambda: _position_message(replay(), None, version, info, has_aids)
        )

    async def record(self, caller: Caller, table_id: str) -> str:
        """Return the record of a finished game, with the seed of its shuffle."""
        return str(_over(await self.reader(caller, table_id)).record())

    async def facts(self, caller: Caller, table_id: str) -> GameFacts:
        """Return the facts of a finished game."""
        return await self._facts.facts(_over(await self.reader(caller, table_id)), caller.address)

    async def analysis(self, caller: Caller, table_id: str) -> Analysis:
        """Return the analysis of a finished game by the strongest bot, or its progress."""
        return self._analyses.analysis(_over(await self.reader(caller, table_id)), caller.address)

    async def upload(self, caller: Caller, text: str) -> bytes:
        """Open a table with an uploaded record, to replay or continue it."""
        host = caller.known()
        checked = await self._background.do(caller.address, lambda: _checked(text))
        live = await self.registry.create(
            Created(
                _table_options(checked.options),
                tuple([SeatPlan("open", clean(name)) for name in checked.names]),
                is_public=False,
                host=host.hash,
                opening=str(checked),
            ),
            caller.address,
        )
        return live.message(host, None, clock())

    async def fork(self, caller: Caller, table_id: str, wanted: Fork) -> bytes:
        """Open a table that continues from a position of a finished game."""
        holder = caller.known()
        live = await self.registry.newest(table_id)
        live.check_reader(holder)
        table = _over(live)
        replay = await self._background.do(caller.address, _replay_to(table, wanted.n))
        if replay.state.is_over:
            raise TableError("over", "The game is over at this position. Choose an earlier one.")
        if wanted.seats is not None and len(wanted.seats) != len(table.seats):
            raise TableError("bad_options", f"The game has {len(table.seats)} seats; send as many, or none.")
        opening = replay.record
        opening.extra = {}
        seats = wanted.seats
        if seats is None:
            seats = [_as_before(state.plan, holder) for state in table.seats]
        created = _new_table(table.options, seats, False, holder, str(opening), table.id)
        forked = await self.registry.create(created, caller.address)
        return forked.message(holder, None, clock())

    async def rematch(self, caller: Caller, table_id: str, wanted: Rematch) -> bytes:
        """Join the rematch and return its table; the first request opens it, and the last one starts it."""
        holder = caller.known()
        live = await self.registry.newest(table_id)
        table = _over(live)
        if not (table.seats_of(holder.hash) or table.created.host == holder.hash):
            raise TableError("no_seat", "Only players of this game can ask for a rematch.")
        if table.next is None:
            again = await self.registry.create(rematches.again(table, holder, wanted.same_deal), caller.address)
            opened = Followed(again.table.id, holder.hash, wanted.same_deal)
            await self._change_unless_done(table_id, lambda now: rematches.follow(now, opened))
        await self._change_unless_done(table_id, lambda now: rematches.join(now, holder))
        assert live.table.next is not None
        found = await self.registry.newest(live.table.next)
        self.presence.visit(found, caller.address, holder)
        if rematches.has_all_people(live.table):
            await self._change_unless_done(found.table.id, lobby.start_rematch)
        return found.message(holder, None, clock())

    async def _change_unless_done(self, table_id: str, decide: Callable[[Table], Proposal]) -> None:
        """Change a table, unless another request has done it, or seats are open."""
        try:
            await self.registry.change(table_id, decide)
        except TableError as error:
            if error.code not in ("running", "not_ready"):
                raise

    # Puzzles

    def puzzles(self) -> bytes:
        """Return the encoded list of all puzzles."""
        return self._puzzles.listed()

    def packed_puzzles(self) -> bytes:
        """Return the same list, compressed with gzip."""
        return self._puzzles.packed()

    def puzzle_ratings(self) -> PuzzleRatings:
        """Return the ratings of all puzzles."""
        return self._puzzles.ratings()

    async def puzzle(self, caller: Caller, number: int) -> PuzzleInfo:
        """Return a puzzle before its answer."""
        return await self._puzzles.info(caller.address, number)

    async def open_puzzle(self, caller: Caller, number: int, name: str | None) -> bytes:
        """Open a table at the position of a puzzle."""
        return await self._puzzles.open(caller.known(), caller.address, number, name)

    async def judge(self, caller: Caller, number: int, actions: Sequence[str]) -> PuzzleVerdict:
        """Return the verdict on a whole turn as the answer to a puzzle."""
        return await self._puzzles.judge(caller.holder, caller.address, number, actions)

    # Score pad

    async def score(self, caller: Caller, pad: ScorePad) -> PadResult:
        """Return the points of a game with the real box, and its impossible entries."""
        return await self._background.do(caller.address, lambda: result_of(pad))


def _listed(listing: Listing, newest: Summary | None, is_known: bool) -> ListedTable:
    """Return a table for the list of public tables; `newest` replaces the stored summary."""
    found = msgspec.convert(
        {**msgspec.json.decode(listing.text), "id": listing.id, "phase": listing.phase}, ListedTable
    )
    if listing.phase == "lobby":
        found.turn = 0  # known without an outlook, too
    summary = read_summary(listing.summary) if newest is None and listing.summary is not None else newest
    if summary is not None:
        found.days, found.spectators = summary.days, summary.spectators
        if is_known:
            found.turn, found.deciding = summary.turn, summary.deciding
    return found


def _index(seat: int | None) -> int | None:
    return None if seat is None else seat - 1


def _new_table(
    options: TableOptions,
    seats: Sequence[SeatRequest],
    is_public: bool,
    holder: Holder,
    opening: str | None = None,
    previous: str | None = None,
) -> Created:
    try:
        return lobby.create(options, seats, is_public, holder, opening, previous=previous)
    except BadOptions as error:
        raise TableError("bad_options", str(error), rule=rule_in(str(error))) from None


def _over(live: LiveTable) -> Table:
    """16: Return the table if its game is over; until then its record would reveal secrets."""
    if live.table.phase != "over":
        raise TableError("running", "This is available when the game is over (16).")
    return live.table


def _replay_to(table: Table, n: int) -> Callable[[], Replay]:
    """Return a function that replays the record of a table up to its n-th action."""
    game = table.game
    assert game is not None
    if n > game.state.n:
        raise TableError("not_found", f"Only {game.state.n} actions were played.")
    text, open_money = str(table.record()), table.options.open_money

    def read() -> Replay:
        reading = Replay(text, trusted=True, open_money=open_money)
        _read_on(reading, n)
        return reading

    return read


def _read_on(reading: Replay, until: int | None = None) -> None:
    """Replay a record step by step, so that other threads can run; the compiled loop would block them."""
    while (until is None or reading.state.n < until) and reading.step():
        pass


def _as_before(plan: SeatPlan, holder: Holder) -> SeatRequest:
    if plan.kind == "bot":
        return SeatRequest("bot", plan.name, plan.level)
    return SeatRequest("person", plan.name) if plan.holder == holder.hash else SeatRequest("open")


def _position_message(replay: Replay, seat: int | None, version: int, info: TableInfo, has_aids: bool = True) -> bytes:
    """Return the encoded message of a position."""
    state = replay.state
    message = Message(
        version,
        state.n,
        info,
        public_view(state, has_aids),
        own_view(state, seat, None, may_undo=False, has_aids=has_aids) if seat is not None else None,
        events_for(state.events, NOBODY if seat is None else seat),
    )
    return encoder.encode(message)


def _checked(text: str) -> Record:
    """Check a complete or partial record against the rules; raises TableError."""
    try:
        reading = Replay(RecordLines(text), partial=True)
        _read_on(reading)
    except RecordError as error:
        reason = Reason(error.code, error.expected, error.line)
        raise TableError("bad_record", str(error), rule=rule_in(error.reason), reason=reason) from None
    checked = reading.record
    if any(line.startswith("! bonus") and "?" in line for line in checked.lines):
        detail = "A record with hidden bonus cards cannot be continued (16.2)."
        raise TableError("bad_record", detail, rule="16.2", reason=Reason("hidden"))
    if len(checked.names) != len({looks(name) for name in checked.names}):
        raise TableError("bad_record", "Two players have the same name.", reason=Reason("names"))
    if any(len(name) > LONGEST_NAME for name in checked.names):
        detail = f"A player's name has more than {LONGEST_NAME} characters."
        raise TableError("bad_record", detail, reason=Reason("names"))
    # The seed of another server proves nothing here, and other headers don't concern this table.
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
