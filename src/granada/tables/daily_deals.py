"""The daily deals: tables for them, their results, and the lists of the days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

import msgspec

from granada.daily.check import DailyError, check_record
from granada.daily.deal import SEAT, DailyDeal
from granada.daily.outcome import Outcome
from granada.records.record import RecordError
from granada.tables import lobby
from granada.tables.clock import clock
from granada.tables.daily_messages import DailyDay, DailyList, DailyResult, DailyRow, DailyStart
from granada.tables.entries import Created
from granada.tables.errors import TableError, rule_in
from granada.tables.holders import Holder
from granada.tables.live_table import LiveTable
from granada.tables.log import log, shortened, warn
from granada.tables.messages import DailyInfo, Reason, TableOptions, encoder
from granada.tables.names import NAMES, clean, suggest
from granada.tables.ports import Background, DailyEntry, DailyStore, Unavailable
from granada.tables.registry import TableRegistry, unavailable
from granada.tables.requests import LONGEST_NAME, SeatRequest
from granada.tables.table import Table

#: The day that everything counts from, and the number of days that can be played after they are over.
EPOCH: Final = date(1970, 1, 1)
PAST_DAYS: Final = 30
#: The number of days whose results are kept.
KEPT_DAYS: Final = PAST_DAYS + 5
#: The most results of a deal; more can only come from programs that pretend to be people.
MOST_RESULTS: Final = 20_000
#: The results in a list: the best, those around one's own, and the best of the day before.
MOST_LISTED: Final = 100
AROUND: Final = 2
LISTED_BEFORE: Final = 3
_DAY: Final = 24 * 3600 * 1000

_facts: Final = msgspec.json.Decoder(DailyResult)


class DailyDeals:
    """The daily deals of all editions. Every method may raise TableError."""

    def __init__(self, registry: TableRegistry, background: Background) -> None:
        self._registry: Final = registry
        self._background: Final = background

    @property
    def _store(self) -> DailyStore:
        return self._registry.store.daily

    async def day(self, holder: Holder | None, edition: str, wanted: str) -> DailyDay:
        """Return the facts of a deal, the holder's attempt, and the list as far as the holder may see it."""
        now = clock()
        deal = _deal(edition, wanted, now)
        try:
            return await self._day(deal, holder, now)
        except Unavailable:
            raise unavailable() from None

    async def open_table(self, holder: Holder, address: str, edition: str, wanted: str, start: DailyStart) -> bytes:
        """Return the table of the holder's first attempt, or a new one for practice."""
        _check_person(holder)
        now = clock()
        deal = _deal(edition, wanted, now)
        try:
            live = await self._first(deal, holder, start, address) if deal.day == day_of(now) else None
            if live is None:
                live = await self._registry.create(_created(deal, holder, start.name, counts=False), address)
        except Unavailable:
            raise unavailable() from None
        if live.table.phase == "lobby":
            try:
                await self._registry.change(live.table.id, lambda table: lobby.start(table, holder))
            except TableError as error:
                if error.code != "running":
                    raise
        return live.message(holder, None, clock(), with_events=True)

    async def _first(self, deal: DailyDeal, holder: Holder, start: DailyStart, address: str) -> LiveTable | None:
        """Return the table of the holder's first attempt, which is opened now if necessary; None if it is finished."""
        live = await self._attempt(deal, holder)
        if live is not None and live.table.phase == "over":
            # The server was stopped before the result was entered, or the record is not valid any more.
            await self.enter_table(live.table)
        if await self._result(deal, holder) is not None:
            return None
        if live is not None and live.table.phase != "over":
            return live
        gone = await self._store.attempt(deal.edition, _number(deal.day), holder.hash)
        live = await self._registry.create(_created(deal, holder, start.name, counts=True), address)
        first = await self._store.begin(deal.edition, _number(deal.day), holder.hash, live.table.id, gone)
        # Two windows may open it at once.
        return live if first == live.table.id else await self._registry.newest(first)

    async def submit(self, holder: Holder, address: str, edition: str, wanted: str, text: str) -> DailyDay:
        """Check the record of a game of today's deal and enter its result, unless the holder already has one."""
        _check_person(holder)
        now = clock()
        deal = _deal(edition, wanted, now)
        if deal.day != day_of(now):
            raise TableError("daily_past", "This day is over, so no results can be entered any more.")
        try:
            if await self._result(deal, holder) is None:
                outcome = await self._background.do(address, lambda: _checked(deal, text))
                await self._enter(deal, holder.hash, outcome, now)
            return await self._day(deal, holder, clock())
        except Unavailable:
            raise unavailable() from None

    async def enter_table(self, table: Table) -> None:
        """Enter the result of a finished table if it counts; never raises, because the table itself is stored."""
        daily, ended = table.created.daily, table.changed_at
        if daily is None or not daily.counts or day_of(ended) != date.fromisoformat(daily.date):
            return
        deal = DailyDeal(table.options.edition, day_of(ended))
        record = str(table.record())
        try:
            # The bots played here: one that failed was replaced, which is no reason to refuse the game.
            outcome = await self._background.do(None, lambda: check_record(deal, record, trusts_bots=True))
            await self._enter(deal, table.seats[SEAT].plan.holder or table.created.host, outcome, ended)
        except (DailyError, RecordError) as error:
            warn("daily result refused", table=shortened(table.id), reason=getattr(error, "code", ""))
        except Unavailable:
            self._registry.metrics.database_failed()  # entered when its player looks at the day

    # Results

    async def _result(self, deal: DailyDeal, holder: Holder) -> DailyEntry | None:
        return await self._store.result(deal.edition, _number(deal.day), holder.hash)

    async def _attempt(self, deal: DailyDeal, holder: Holder) -> LiveTable | None:
        """Return the table of a holder's first attempt; None if there is none, or it can no longer be opened."""
        table = await self._store.attempt(deal.edition, _number(deal.day), holder.hash)
        if table is None:
            return None
        try:
            return await self._registry.newest(table)
        except TableError as error:
            if error.code == "unavailable":
                raise
            return None

    async def _enter(self, deal: DailyDeal, holder: str, outcome: Outcome, at: int) -> None:
        day = _number(deal.day)
        count = await self._store.count(deal.edition, day)
        if count >= MOST_RESULTS:
            raise TableError("too_many", "The list of this day is full.")
        name = clean(outcome.name)[:LONGEST_NAME].rstrip() or suggest()
        result = DailyResult(
            outcome.points, outcome.margin, outcome.won, list(outcome.course), outcome.exact, outcome.wall
        )
        entry = DailyEntry(holder, name, outcome.points, outcome.margin, at, encoder.encode(result).decode())
        if await self._store.enter(deal.edition, day, entry):
            log("daily result entered", edition=deal.edition)
        if count == 0:
            await self._store.remove_all_but(KEPT_DAYS)

    async def _day(self, deal: DailyDeal, holder: Holder | None, now: int) -> DailyDay:
        day, today = _number(deal.day), day_of(now)
        mine: DailyEntry | None = None
        table: str | None = None
        if holder is not None:
            mine = await self._result(deal, holder)
            attempt = await self._attempt(deal, holder)
            if attempt is not None and mine is None and attempt.table.phase == "over":
                await self.enter_table(attempt.table)
                mine = await self._result(deal, holder)
            table = None if attempt is None else attempt.table.id
        is_open = mine is not None or deal.day < today
        opening = deal.opening()
        halves = len(opening.options.kinds)
        names = [None if tile is None else tile.name for tile in opening.yard]
        return DailyDay(
            edition=deal.edition,  # type: ignore[arg-type]
            date=deal.day.isoformat(),
            today=today.isoformat(),
            ends_in=max(0, (day + 1) * _DAY - now),
            bots=list(deal.bots),
            yard=[names[slot : slot + halves] for slot in range(0, len(names), halves)],
            display=[card.name for card in opening.display],
            commitment=deal.commitment,
            seed=deal.seed if deal.day < today else None,
            table=table,
            mine=None if mine is None else _facts.decode(mine.facts),
            place=None if mine is None else await self._place(deal, mine),
            players=await self._store.count(deal.edition, day),
            results=await self._list(deal, holder, MOST_LISTED) if is_open else None,
            yesterday=None if is_open else await self._before(deal, holder),
        )

    async def _before(self, deal: DailyDeal, holder: Holder | None) -> DailyList:
        return await self._list(DailyDeal(deal.edition, deal.day - timedelta(days=1)), holder, LISTED_BEFORE)

    async def _list(self, deal: DailyDeal, holder: Holder | None, most: int) -> DailyList:
        """Return the best results, and those around the holder's."""
        day = _number(deal.day)
        entries = await self._store.results(deal.edition, day, most)
        mine = None if holder is None else await self._result(deal, holder)
        rows = _rows(entries, 1, 0, mine)
        if mine is not None and mine not in entries:
            place = await self._place(deal, mine)
            skip = max(most, place - 1 - AROUND)
            near = await self._store.results(deal.edition, day, 2 * AROUND + 1, skip)
            if mine in near:
                rows += _rows(near, await self._place(deal, near[0]), skip, mine)
            else:  # many others have the same result
                rows += _rows([mine], place, place - 1, mine)
        return DailyList(deal.day.isoformat(), await self._store.count(deal.edition, day), rows)

    async def _place(self, deal: DailyDeal, entry: DailyEntry) -> int:
        return 1 + await self._store.count(deal.edition, _number(deal.day), better_than=entry)


def day_of(at: int) -> date:
    """Return the day (UTC) of a time in milliseconds."""
    return datetime.fromtimestamp(at // 1000, UTC).date()


def _number(day: date) -> int:
    return (day - EPOCH).days


def _deal(edition: str, wanted: str, now: int) -> DailyDeal:
    """Return the deal of a day ("today" or a date); raises TableError if it cannot be played."""
    today = day_of(now)
    try:
        day = today if wanted == "today" else date.fromisoformat(wanted)
    except ValueError:
        raise TableError("malformed", f"path.date: {wanted} is not a date") from None
    if day > today:
        raise TableError("daily_future", f"The deal of {day} begins on that day (UTC).")
    if day < today - timedelta(days=PAST_DAYS):
        raise TableError("daily_past", f"Deals can be practised for {PAST_DAYS} days; {day} was earlier.")
    return DailyDeal(edition, day)


def _check_person(holder: Holder) -> None:
    if holder.is_program:
        raise TableError("unauthorized", "The daily deal is for people. A program can open a table of its own.")


def _created(deal: DailyDeal, holder: Holder, name: str | None, counts: bool) -> Created:
    """Return the first entry of a table for a deal."""
    options = msgspec.convert({"edition": deal.edition, "takeover": False}, TableOptions)
    person = clean(name or "") or suggest()
    names = _bot_names(deal, person)
    bots = [SeatRequest("bot", bot, level) for bot, level in zip(names, deal.bots, strict=True)]
    created = lobby.create(options, [SeatRequest("person", person), *bots], False, holder, seed=deal.seed)
    daily = DailyInfo(deal.day.isoformat(), counts)
    return msgspec.structs.replace(created, is_fixed_order=True, daily=daily)


def _bot_names(deal: DailyDeal, person: str) -> list[str]:
    """Return names for the bots, the same for everybody whose name is another."""
    first = int(deal.seed[:8], 16) % len(NAMES)
    free = [name for name in (*NAMES[first:], *NAMES[:first]) if name != person]
    return free[: len(deal.bots)]


def _checked(deal: DailyDeal, text: str) -> Outcome:
    """Check a record; raises TableError with the reason."""
    try:
        return check_record(deal, text)
    except DailyError as error:
        raise TableError(
            "bad_result", _sentence(error), reason=Reason(error.code, error.expected, error.line)
        ) from None
    except RecordError as error:
        reason = Reason(error.code, error.expected, error.line)
        raise TableError("bad_result", _sentence(error), rule=rule_in(error.reason), reason=reason) from None


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."


def _rows(entries: Sequence[DailyEntry], first: int, skipped: int, mine: DailyEntry | None) -> list[DailyRow]:
    """Return rows of the list; `first` is the place of the first entry, and `skipped` are listed before it."""
    rows: list[DailyRow] = []
    place = first
    for i, entry in enumerate(entries):
        if i and (entry.points, entry.margin) != (entries[i - 1].points, entries[i - 1].margin):
            place = skipped + i + 1
        rows.append(DailyRow(place, entry.name, entry.points, entry.margin, entry == mine))
    return rows
