"""A table in memory, with those who look at it: makes the one message for each of them."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter, deque
from collections.abc import Sequence
from typing import Final, Literal, cast, get_args

import msgspec

from granada.rules.events import NOBODY
from granada.tables.entries import Body, Played, Seated, SeatPlan, Started
from granada.tables.errors import TableError
from granada.tables.fair_queue import Owner
from granada.tables.game import Game, Move
from granada.tables.holders import Holder
from granada.tables.messages import Message, Own, PassingInfo, SeatInfo, TableInfo, View, encoder
from granada.tables.ports import Listing
from granada.tables.rate_limit import Bucket
from granada.tables.table import Table
from granada.tables.views import events_for, own_view, public_view

#: A reader who is so many messages behind is sent away, to come back and read the newest.
BACKLOG: Final = 64
#: The most spectators at one table; players always get in.
MOST_LISTENERS: Final = 500
#: The most sockets of a player at one table; a further one closes the oldest.
MOST_OF_PLAYER: Final = 20


#: Milliseconds for which a table counts as watched after a request: programs may poll instead of connecting.
VISIT: Final = 20_000
_numbers: Final = itertools.count()
#: Who watches a table: nobody, only programs, or at least one person.
Watching = Literal["nobody", "program", "person"]
WATCHING: Final[tuple[Watching, ...]] = get_args(Watching)


class Listener:
    """A reader of a table, over a socket or a stream; programs need no pause to follow the game."""

    def __init__(
        self,
        holder: Holder | None,
        seat: int | None = None,
        is_person: bool = True,
        address: str = "",
        is_player: bool = False,
    ) -> None:
        self.holder: Final = holder
        self.address: Final = address
        #: Whether it was a player when it connected; it is counted as such until it leaves.
        self.is_player: Final = is_player
        self.number: Final = next(_numbers)
        self.is_person: Final = is_person and not (holder is not None and holder.is_program)
        #: The own seat that is looked from; None: the one that decides.
        self.seat = seat
        self._waiting: Final[deque[bytes]] = deque()
        self._arrived: Final = asyncio.Event()
        #: Whether there will be no more messages, and whether that is the reader's fault.
        self.is_over = False
        self.is_sent_away = False
        #: Limits its commands.
        self.commands = Bucket(0.0, 0.0)

    def send(self, message: bytes) -> None:
        """Put a message into the queue of the reader."""
        if len(self._waiting) >= BACKLOG:
            self.send_away()
        elif not self.is_over:
            self._waiting.append(message)
            self._arrived.set()

    def send_away(self) -> None:
        """End after what waits, because the reader is too slow or asks too much."""
        self.is_sent_away = True
        self.close()

    def close(self) -> None:
        """End after what waits."""
        self.is_over = True
        self._arrived.set()

    @property
    def has_more(self) -> bool:
        """Whether a message waits."""
        return bool(self._waiting)

    async def next(self) -> bytes | None:
        """The next message; None when there will be no more."""
        while not self._waiting:
            if self.is_over:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.popleft()


class LiveTable:
    """A table and its listeners; whoever changes it holds its lock."""

    def __init__(self, table: Table) -> None:
        self.table: Final = table
        self.lock: Final = asyncio.Lock()
        self.listeners: Final[set[Listener]] = set()
        #: The holders that other processes see connected, with the time of the news (milliseconds).
        self.elsewhere: Final[dict[str, tuple[frozenset[str], int]]] = {}
        #: Who watches at other processes, with the time of the news; the newest visit here, and who opened the table.
        self.watched_elsewhere: Final[dict[str, tuple[Watching, int]]] = {}
        self.visited_at = 0
        self.address: str | None = None
        self._is_player_address = False
        #: When the last listener of a holder went, and since when this process looks at the table.
        self.gone_at: Final[dict[str, int]] = {}
        self.loaded_at = 0
        self.used_at = 0
        #: What the scheduler of the table has to do next, and the task that does it.
        self.scheduled: object | None = None
        self.task: asyncio.Task[None] | None = None
        #: How many listeners each holder has in this process.
        self._here: Final[Counter[str]] = Counter()
        self._view: tuple[int, msgspec.Raw] | None = None

    # Who is there

    @property
    def is_kept_busy(self) -> bool:
        """Whether a bot thinks or a clock runs."""
        return self.scheduled is not None

    @property
    def was_left_alone(self) -> bool:
        """Whether a clock ran out before this process had the table: nobody looked after it, or a clock was set."""
        expires_at = self.table.clocks.expires_at()
        return expires_at is not None and self.table.changed_at < self.loaded_at and expires_at <= self.loaded_at

    def join(self, listener: Listener) -> None:
        """Somebody looks at the table."""
        if self.takes_part(listener.holder):
            self._make_room(listener.holder)
        elif len(self.listeners) >= MOST_LISTENERS and self._spectators() >= MOST_LISTENERS:
            raise TableError("too_many", "this table has too many spectators: try again later")
        self.listeners.add(listener)
        if listener.holder is not None:
            self._here[listener.holder.hash] += 1

    def _spectators(self) -> int:
        """How many listeners are no players."""
        return len([one for one in self.listeners if not self.takes_part(one.holder)])

    def _make_room(self, holder: Holder | None) -> None:
        """Send the oldest listener of a player away, if there are many: it may be a connection that is long dead."""
        assert holder is not None
        if self._here[holder.hash] >= MOST_OF_PLAYER:
            own = [one for one in self.listeners if one.holder == holder and not one.is_over]
            if len(own) >= MOST_OF_PLAYER:
                min(own, key=lambda one: one.number).send_away()

    def part(self, listener: Listener) -> None:
        """Somebody looks away."""
        self.listeners.discard(listener)
        if listener.holder is not None:
            self._here[listener.holder.hash] -= 1
            if not self._here[listener.holder.hash]:
                del self._here[listener.holder.hash]

    def is_here(self, holder: str | None) -> bool:
        """Whether somebody is connected, to this process or another."""
        if holder is None:
            return False
        return holder in self._here or any(holder in holders for holders, _ in self.elsewhere.values())

    def watching_here(self, now: int) -> Watching:
        """Return who watches through this process."""
        if any([listener.is_person for listener in self.listeners]):
            return "person"
        return "program" if self.listeners or now < self.visited_at + VISIT else "nobody"

    def watching(self, now: int) -> Watching:
        """Return who watches, through any process."""
        found = [self.watching_here(now), *[watching for watching, _ in self.watched_elsewhere.values()]]
        return max(found, key=WATCHING.index)

    def note_address(self, address: str, is_player: bool) -> None:
        """Note from where the table is visited: the first address counts, but that of a player before a spectator's."""
        if self.address is None or (is_player and not self._is_player_address):
            self.address, self._is_player_address = address, is_player

    def owner(self) -> Owner:
        """Return whose share its bots use: the address that opened it, or the first player's after a restart."""
        return Owner(self.address or f"host {self.table.created.host}", self.table.id)

    def takeover_at(self, seat: int) -> int | None:
        """Return when a bot takes over for the absent person who has to decide (milliseconds); None if none does."""
        table = self.table
        plan = table.seats[seat].plan
        if not table.options.takeover or table.waits_for_person() != seat or not self._is_awaited(plan.holder):
            return None
        if plan.kind == "open":
            return 0
        if self.is_here(plan.holder):
            return None
        away = max(self.gone_at.get(plan.holder or "", self.loaded_at), table.changed_at)
        return away + table.options.grace * 1000

    def _is_awaited(self, holder: str | None) -> bool:
        """Whether another person waits: bots do not take over at a table that everybody has left."""
        others = {state.plan.holder for state in self.table.seats} - {holder, None}
        return any(self.is_here(other) for other in others)

    def _takeover_in(self, seat: int, now: int) -> int | None:
        at = self.takeover_at(seat)
        return None if at is None else max(0, at - now)

    def may_read(self, holder: Holder | None) -> bool:
        """Whether somebody may see the table: not every table wants spectators."""
        return self.table.options.spectators or self.table.phase == "lobby" or self.takes_part(holder)

    def check_reader(self, holder: Holder | None) -> None:
        """Refuse spectators where the table does not want them."""
        if not self.may_read(holder):
            raise TableError("spectators_off", "this table plays without spectators")

    def takes_part(self, holder: Holder | None) -> bool:
        """Whether somebody sits at the table or opened it."""
        if holder is None:
            return False
        return bool(self.table.seats_of(holder.hash)) or holder.hash == self.table.created.host

    def _is_known(self, holder: Holder | None) -> bool:
        """Whether a message differs for somebody: they take part, or have played here."""
        return self.takes_part(holder) or (holder is not None and holder.hash in self.table.seen)

    # What they are told

    def message(
        self, holder: Holder | None, wanted: int | None, now: int, answers: str | None = None, is_news: bool = False
    ) -> bytes:
        """The one message for a reader; if it is news, with what has just happened."""
        table, game = self.table, self.table.game
        seat = self.seat_for(holder, wanted)
        return encoder.encode(
            Message(
                table.version,
                game.state.n if game is not None else 0,
                self.info(holder, now),
                self._written_view(game) if game is not None else None,
                self._own(game, seat) if game is not None and seat is not None else None,
                events_for(list(game.events), NOBODY if seat is None else seat) if game is not None and is_news else [],
                answers,
            )
        )

    def tell(self, now: int, sender: Listener | None = None, answers: str | None = None) -> None:
        """Tell all listeners what has happened."""
        if sender is not None and sender in self.listeners and answers is not None:
            sender.send(self.message(sender.holder, sender.seat, now, answers, is_news=True))
        self._send(now, sender if answers is not None else None, is_news=True)

    def show_presence(self, now: int, besides: Listener | None = None) -> None:
        """Let all others see that somebody came or went."""
        self._send(now, besides, is_news=False)

    def _send(self, now: int, besides: Listener | None, is_news: bool) -> None:
        """Send the current message; alike readers get the same, written once, and who may not read is sent away."""
        written: dict[tuple[str | None, int | None], bytes] = {}
        for listener in list(self.listeners):
            if listener is besides:
                continue
            holder = listener.holder if self._is_known(listener.holder) else None
            if not self.may_read(holder):
                listener.send_away()
                continue
            key = (None if holder is None else holder.hash, listener.seat)
            if key not in written:
                written[key] = self.message(holder, listener.seat, now, is_news=is_news)
            listener.send(written[key])

    def seat_for(self, holder: Holder | None, wanted: int | None) -> int | None:
        """The seat from which a reader looks: of the own ones the wanted, the deciding, or the next to decide."""
        if self.table.phase == "lobby":
            return None  # a game that is played on shows no hand before everybody has chosen a seat
        own = self.table.seats_of(holder.hash) if holder is not None else []
        if wanted is not None:
            return wanted if wanted in own else None
        deciding = self.table.deciding()
        if not own or deciding is None:
            return own[0] if own else None
        return min(own, key=lambda seat: (seat - deciding) % len(self.table.seats))

    def info(self, holder: Holder | None, now: int) -> TableInfo:
        """The table around the game, for a reader."""
        table = self.table
        own = table.seats_of(holder.hash) if holder is not None else []
        asks = holder.hash if holder is not None else None
        waiting = table.waits_for_person()
        levels = [table.bot_for(seat) for seat in range(len(table.seats))]
        seats = [
            SeatInfo(
                seat + 1,
                state.plan.kind,
                state.plan.name,
                levels[seat],
                levels[seat] is not None,
                state.plan.kind == "bot" or self.is_here(state.plan.holder),
                seat in own,
                state.plan.kind == "open" and table.phase != "over" and table.may_take(asks, seat),
                table.clocks.left(seat, now) if table.is_started else None,
                self._takeover_in(seat, now) if seat == waiting else None,
            )
            for seat, state in enumerate(table.seats)
        ]
        seated = {state.plan.holder for state in table.seats if state.plan.holder is not None}
        spectators = len(self.listeners) - sum([self._here[one] for one in seated])
        return TableInfo(
            table.id,
            table.created.is_public,
            table.phase,
            table.options,
            seats,
            holder is not None and holder.hash == table.created.host,
            spectators,
            table.commitment(),
            table.seed if table.phase == "over" else None,
            table.next,
            table.created.previous,
            table.game.opening if table.game is not None else 0,
            table.created.seed is not None,
            self._passing(now),
        )

    def _passing(self, now: int) -> PassingInfo | None:
        passing = self.table.passing
        if passing is None:
            return None
        return PassingInfo(passing.seat + 1, None if passing.until is None else max(0, passing.until - now))

    def _written_view(self, game: Game) -> View:
        """The view of everybody, encoded once for each version: all readers share it."""
        if self._view is None or self._view[0] != self.table.version:
            view = public_view(game.state, self.table.options.aids == "all")
            self._view = (self.table.version, msgspec.Raw(encoder.encode(view)))
        return cast(View, self._view[1])  # the encoder copies a Raw as it is

    def _own(self, game: Game, seat: int) -> Own:
        held = self.table.held
        is_deciding = self.table.deciding() == seat
        return own_view(
            game.state,
            seat,
            held.action if held is not None and held.seat == seat else None,
            is_deciding and (held is not None or (game.may_go_back and self.table.options.undo)),
            self.table.options.aids == "all",
        )


class _Listed(msgspec.Struct):
    """What the list of tables tells."""

    edition: str
    modules: list[str]
    names: list[str]
    open: int


def listing_after(table: Table, body: Body, move: Move | None) -> Listing | None:
    """What is listed of a table once something is stored; None if that stays as it is."""
    plans = [state.plan for state in table.seats]
    phase: str = table.phase
    if isinstance(body, Seated):
        plans[body.seat] = body.plan
    elif isinstance(body, Started):
        phase = "playing"
    elif isinstance(body, Played) and move is not None and move.state.is_over:
        phase = "over"
    else:
        return None
    return Listing(table.id, phase, table.created.is_public, 0, _listed(table, plans))


def first_listing(table: Table, at: int) -> Listing:
    """What is listed of a new table."""
    plans = [state.plan for state in table.seats]
    return Listing(table.id, table.phase, table.created.is_public, at, _listed(table, plans))


def _listed(table: Table, plans: Sequence[SeatPlan]) -> str:
    names = [plan.name for plan in plans]
    free = len([plan for plan in plans if plan.kind == "open"])
    return encoder.encode(_Listed(table.options.edition, list(table.options.modules), names, free)).decode()
