"""A table in memory with its connected listeners, and the message for each of them."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter, deque
from collections.abc import Sequence
from typing import Final, Literal, cast, get_args

import msgspec

from granada.rules.events import NOBODY
from granada.tables.entries import Body, GameStarted, Played, Seated, SeatPlan
from granada.tables.errors import TableError
from granada.tables.fair_queue import Owner
from granada.tables.game import Game, Move
from granada.tables.holders import Holder
from granada.tables.messages import Message, Own, PassingInfo, RematchInfo, SeatInfo, TableInfo, TableView, encoder
from granada.tables.pace import Reader, Speed, merged, pause_for
from granada.tables.ports import Listing
from granada.tables.rate_limit import Bucket
from granada.tables.table import Table
from granada.tables.views import events_for, own_view, public_view

#: A listener with this many unsent messages is disconnected; it gets the newest one when it reconnects.
BACKLOG: Final = 64
#: The limit of spectators at one table; players can always connect.
MAX_SPECTATORS: Final = 500
#: The limit of sockets of a player at one table; a further one closes the oldest.
MAX_SOCKETS_OF_PLAYER: Final = 20

#: Milliseconds for which a table counts as watched after a request, because programs may poll.
VISIT: Final = 20_000
#: The owner of the bots at correspondence games whose address is not known: they share the time of one address.
UNWATCHED: Final = "unwatched"
_numbers: Final = itertools.count()
#: The viewers of a table: none, only programs, or at least one person.
Watching = Literal["nobody", "program", "person"]
WATCHING: Final[tuple[Watching, ...]] = get_args(Watching)


class Listener:
    """A socket or stream that receives the messages of a table."""

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
        #: Whether the holder was a player when it connected; admission counts it as one until it leaves.
        self.is_player: Final = is_player
        self.number: Final = next(_numbers)
        self.is_person: Final = is_person and not (holder is not None and holder.is_program)
        #: The seat of the holder whose view is sent; None: the one that decides.
        self.seat = seat
        #: How quickly bots should play for it, and how many actions it has read; None before it has chosen.
        self.pace: tuple[Speed, int] | None = None
        self._waiting: Final[deque[bytes]] = deque()
        self._arrived: Final = asyncio.Event()
        #: Whether it is closed, and whether that was because of its behaviour.
        self.is_over = False
        self.is_disconnected = False
        #: The rate limit of its commands.
        self.commands = Bucket(0.0, 0.0)

    def send(self, message: bytes) -> None:
        """Queue a message; disconnect the listener if its queue is full."""
        if len(self._waiting) >= BACKLOG:
            self.disconnect()
        elif not self.is_over:
            self._waiting.append(message)
            self._arrived.set()

    def disconnect(self) -> None:
        """Close the listener because it is too slow, exceeds a limit or lost its access."""
        self.is_disconnected = True
        self.close()

    def close(self) -> None:
        """Close the listener after its queued messages."""
        self.is_over = True
        self._arrived.set()

    @property
    def has_more(self) -> bool:
        """Return whether a message is queued."""
        return bool(self._waiting)

    async def next(self) -> bytes | None:
        """Return the next message; None when the listener is closed."""
        while not self._waiting:
            if self.is_over:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.popleft()


class LiveTable:
    """A table and its listeners; hold the lock to change it."""

    def __init__(self, table: Table) -> None:
        self.table: Final = table
        self.lock: Final = asyncio.Lock()
        self.listeners: Final[set[Listener]] = set()
        #: By worker: the holders connected to other processes, and when that was announced (milliseconds).
        self.elsewhere: Final[dict[str, tuple[frozenset[str], int]]] = {}
        #: By worker: the viewers at other processes, and when that was announced.
        self.watched_elsewhere: Final[dict[str, tuple[Watching, int]]] = {}
        #: By worker: how quickly the people at other processes want bots to play.
        self.readers_elsewhere: Final[dict[str, tuple[Reader, ...]]] = {}
        #: Set when people come, leave, or choose how quickly bots play.
        self.readers_changed: Final = asyncio.Event()
        #: The time of the last request, and the address to which bot time is charged.
        self.visited_at = 0
        self.address: str | None = None
        self._is_player_address = False
        #: When the last listener of each holder left, when this process loaded the table, and when it was last used.
        self.gone_at: Final[dict[str, int]] = {}
        self.loaded_at = 0
        self.used_at = 0
        #: The next scheduled task, and the asyncio task that executes it.
        self.scheduled: object | None = None
        self.task: asyncio.Task[None] | None = None
        #: The number of listeners of each holder in this process.
        self._here: Final[Counter[str]] = Counter()
        self._view: tuple[int, msgspec.Raw] | None = None

    # Presence

    @property
    def has_task(self) -> bool:
        """Return whether a task is scheduled: a bot is thinking or a clock is running."""
        return self.scheduled is not None

    @property
    def was_unattended(self) -> bool:
        """Return whether a clock expired before this process loaded the table, while no process was running it.

        A correspondence game may be out of memory although its clock runs (`TableRegistry.downtime`).
        """
        if self.table.is_correspondence:
            return False
        expires_at = self.table.clocks.expires_at()
        return expires_at is not None and self.table.changed_at < self.loaded_at and expires_at <= self.loaded_at

    def join(self, listener: Listener) -> None:
        """Add a listener; raises TableError if there are too many spectators."""
        if self.takes_part(listener.holder):
            self._make_room(listener.holder)
        elif len(self.listeners) >= MAX_SPECTATORS and self._spectators() >= MAX_SPECTATORS:
            raise TableError("too_many", "This table has too many spectators. Try again later.")
        self.listeners.add(listener)
        self.readers_changed.set()
        if listener.holder is not None:
            self._here[listener.holder.hash] += 1

    def _spectators(self) -> int:
        """Return the number of listeners that are not players."""
        return len([one for one in self.listeners if not self.takes_part(one.holder)])

    def _make_room(self, holder: Holder | None) -> None:
        """Disconnect the oldest listener of a player at the limit; its connection is probably dead."""
        assert holder is not None
        if self._here[holder.hash] >= MAX_SOCKETS_OF_PLAYER:
            own = [one for one in self.listeners if one.holder == holder and not one.is_over]
            if len(own) >= MAX_SOCKETS_OF_PLAYER:
                min(own, key=lambda one: one.number).disconnect()

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        self.listeners.discard(listener)
        self.readers_changed.set()
        if listener.holder is not None:
            self._here[listener.holder.hash] -= 1
            if not self._here[listener.holder.hash]:
                del self._here[listener.holder.hash]

    def is_here(self, holder: str | None) -> bool:
        """Return whether a holder is connected to this process or another."""
        if holder is None:
            return False
        return holder in self._here or any(holder in holders for holders, _ in self.elsewhere.values())

    def watching_here(self, now: int) -> Watching:
        """Return the viewers connected to this process."""
        if any([listener.is_person for listener in self.listeners]):
            return "person"
        return "program" if self.listeners or now < self.visited_at + VISIT else "nobody"

    def watching(self, now: int) -> Watching:
        """Return the viewers connected to any process."""
        found = [self.watching_here(now), *[watching for watching, _ in self.watched_elsewhere.values()]]
        return max(found, key=WATCHING.index)

    def readers_here(self) -> tuple[Reader, ...]:
        """Return how quickly the people connected to this process want bots to play."""
        people = [listener for listener in self.listeners if listener.is_person]
        return merged([self._reader(listener) for listener in people])

    def _reader(self, listener: Listener) -> Reader:
        holder = listener.holder
        seats = frozenset(self.table.seats_of(None if holder is None else holder.hash))
        return Reader(seats) if listener.pace is None else Reader(seats, *listener.pace)

    def readers(self) -> tuple[Reader, ...]:
        """Return how quickly the people connected to any process want bots to play."""
        return merged([*self.readers_here(), *[one for found in self.readers_elsewhere.values() for one in found]])

    def pause(self, now: int) -> float:
        """Return for how many seconds the bot that decides next has to wait since the last action."""
        game = self.table.game
        bot = self.table.deciding()
        if game is None or bot is None or self.watching(now) != "person":
            return 0.0
        state = game.state
        return pause_for(self.readers() or (Reader(),), game.history.recent_turn(), state.n, bot, state.turns)

    def note_address(self, address: str, is_player: bool) -> None:
        """Remember the first address that used the table; a player's replaces a spectator's."""
        if self.address is None or (is_player and not self._is_player_address):
            self.address, self._is_player_address = address, is_player

    def owner(self) -> Owner:
        """Return the owner to whom bot time is charged: the address that opened the table or first used it."""
        unknown = UNWATCHED if self.table.is_correspondence else f"host {self.table.created.host}"
        return Owner(self.address or unknown, self.table.id)

    def takeover_at(self, seat: int) -> int | None:
        """Return when a bot takes over for the absent person who has to decide (milliseconds); None if it won't."""
        table = self.table
        plan = table.seats[seat].plan
        if (
            not table.options.takeover
            or table.is_correspondence
            or table.waits_for_person() != seat
            or not self._is_awaited(plan.holder)
        ):
            return None
        if plan.kind == "open":
            return 0
        if self.is_here(plan.holder):
            return None
        away = max(self.gone_at.get(plan.holder or "", self.loaded_at), table.changed_at)
        return away + table.options.grace * 1000

    def _is_awaited(self, holder: str | None) -> bool:
        """Return whether another holder is connected; bots do not take over at a deserted table."""
        others = {state.plan.holder for state in self.table.seats} - {holder, None}
        return any(self.is_here(other) for other in others)

    def _takeover_in(self, seat: int, now: int) -> int | None:
        at = self.takeover_at(seat)
        return None if at is None else max(0, at - now)

    def may_read(self, holder: Holder | None) -> bool:
        """Return whether a holder may see the table: it takes part, or spectators are allowed."""
        return self.table.options.spectators or self.table.phase == "lobby" or self.takes_part(holder)

    def check_reader(self, holder: Holder | None) -> None:
        """Raise TableError if the holder may not see the table."""
        if not self.may_read(holder):
            raise TableError("spectators_off", "This table does not allow spectators.")

    def takes_part(self, holder: Holder | None) -> bool:
        """Return whether a holder has a seat at the table or opened it."""
        if holder is None:
            return False
        return bool(self.table.seats_of(holder.hash)) or holder.hash == self.table.created.host

    def _is_known(self, holder: Holder | None) -> bool:
        """Return whether a holder gets other messages than spectators: it takes part, or did earlier."""
        return self.takes_part(holder) or (holder is not None and holder.hash in self.table.seen)

    # Messages

    def message(
        self, holder: Holder | None, wanted: int | None, now: int, answers: str | None = None, with_events: bool = False
    ) -> bytes:
        """Return the encoded message for a holder; with the events of the last entry on request."""
        table, game = self.table, self.table.game
        seat = self.seat_for(holder, wanted)
        events: list[str] = []
        if game is not None and with_events:
            events = events_for(list(game.events), NOBODY if seat is None else seat)
        return encoder.encode(
            Message(
                table.version,
                game.state.n if game is not None else 0,
                self.info(holder, now),
                self._encoded_view(game) if game is not None else None,
                self._own(game, seat) if game is not None and seat is not None else None,
                events,
                answers,
            )
        )

    def broadcast(self, now: int, sender: Listener | None = None, answers: str | None = None) -> None:
        """Send the last change to all listeners; the sender's message names the command it answers."""
        if sender is not None and sender in self.listeners and answers is not None:
            sender.send(self.message(sender.holder, sender.seat, now, answers, with_events=True))
        self._send(now, sender if answers is not None else None, with_events=True)

    def show_presence(self, now: int, exclude: Listener | None = None) -> None:
        """Send the current message to all listeners but one, after a player came or went."""
        self._send(now, exclude, with_events=False)

    def _send(self, now: int, exclude: Listener | None, with_events: bool) -> None:
        """Send the current message, encoded once per audience; disconnect listeners that lost their access."""
        encoded: dict[tuple[str | None, int | None], bytes] = {}
        for listener in list(self.listeners):
            if listener is exclude:
                continue
            holder = listener.holder if self._is_known(listener.holder) else None
            if not self.may_read(holder):
                listener.disconnect()
                continue
            key = (None if holder is None else holder.hash, listener.seat)
            if key not in encoded:
                encoded[key] = self.message(holder, listener.seat, now, with_events=with_events)
            listener.send(encoded[key])

    def seat_for(self, holder: Holder | None, wanted: int | None) -> int | None:
        """Return the seat whose view a holder gets: the wanted one, or of its seats the next to decide."""
        if self.table.phase == "lobby":
            return None  # a continued game shows no hand before the seats are taken
        own = self.table.seats_of(holder.hash) if holder is not None else []
        if wanted is not None:
            return wanted if wanted in own else None
        deciding = self.table.deciding()
        if not own or deciding is None:
            return own[0] if own else None
        return min(own, key=lambda seat: (seat - deciding) % len(self.table.seats))

    def info(self, holder: Holder | None, now: int) -> TableInfo:
        """Return the table outside the game, for a holder."""
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
            self._rematch(),
            table.created.is_rematch,
            table.game.opening if table.game is not None else 0,
            table.created.seed is not None and table.created.daily is None,
            self._passing(now),
            table.created.daily,
            table.created.puzzle,
        )

    def _rematch(self) -> RematchInfo | None:
        table = self.table
        if table.next is None:
            return None
        seats = [seat + 1 for holder in table.rematchers for seat in table.seats_of(holder)]
        return RematchInfo(table.is_next_same_deal, seats)

    def _passing(self, now: int) -> PassingInfo | None:
        passing = self.table.passing
        if passing is None:
            return None
        return PassingInfo(passing.seat + 1, None if passing.until is None else max(0, passing.until - now))

    def _encoded_view(self, game: Game) -> TableView:
        """Return the public view, encoded once per version and shared by all listeners."""
        if self._view is None or self._view[0] != self.table.version:
            view = public_view(game.state, self.table.options.aids == "all")
            self._view = (self.table.version, msgspec.Raw(encoder.encode(view)))
        return cast(TableView, self._view[1])  # msgspec copies a Raw unchanged

    def _own(self, game: Game, seat: int) -> Own:
        held = self.table.held
        is_deciding = self.table.deciding() == seat
        return own_view(
            game.state,
            seat,
            held.action if held is not None and held.seat == seat else None,
            is_deciding and (held is not None or (game.can_undo and self.table.options.undo)),
            self.table.options.aids == "all",
        )


class _Listed(msgspec.Struct):
    """The stored text of a table in the list of public tables."""

    edition: str
    modules: list[str]
    names: list[str]
    open: int


#: The stored phase of tables at which a puzzle is solved.
PUZZLE: Final = "puzzle"


def listing_after(table: Table, body: Body, move: Move | None) -> Listing | None:
    """Return the listing of a table after an entry; None if it does not change."""
    plans = [state.plan for state in table.seats]
    phase: str = table.phase
    if isinstance(body, Seated):
        plans[body.seat] = body.plan
    elif isinstance(body, GameStarted):
        # Nothing moves by itself at a puzzle, so no process has to run it.
        phase = "playing" if table.created.puzzle is None else PUZZLE
    elif isinstance(body, Played) and move is not None and move.state.is_over:
        phase = "over"
    else:
        return None
    return Listing(table.id, phase, table.created.is_public, 0, _listed(table, plans))


def first_listing(table: Table, at: int) -> Listing:
    """Return the listing of a new table."""
    plans = [state.plan for state in table.seats]
    return Listing(table.id, table.phase, table.created.is_public, at, _listed(table, plans))


def _listed(table: Table, plans: Sequence[SeatPlan]) -> str:
    names = [plan.name for plan in plans]
    free = len([plan for plan in plans if plan.kind == "open"])
    return encoder.encode(_Listed(table.options.edition, list(table.options.modules), names, free)).decode()
