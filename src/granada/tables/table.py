"""The state of a table, rebuilt from its entries; it changes only by applying stored entries."""

from __future__ import annotations

import math
from collections import Counter, deque
from dataclasses import dataclass, replace
from typing import Final, Literal

import msgspec

from granada.bots.seeding import bot_seed
from granada.records.record import Record
from granada.records.shuffle import COMMITMENT, FIXED, FORKED_AT, ORDER, SEED, chance_at, commitment
from granada.rules.chance import Chance
from granada.rules.options import Options
from granada.tables.clocks import Clocks
from granada.tables.entries import (
    Adopted,
    Arrived,
    Body,
    Created,
    Entry,
    Followed,
    GameStarted,
    HandedOver,
    Held,
    Joined,
    Played,
    Resumed,
    Returned,
    Seated,
    SeatPlan,
    Undone,
)
from granada.tables.game import Game, Move, read_game
from granada.tables.messages import TableOptions

#: The number of remembered commands of a table; older ones are looked up in the store.
REMEMBERED: Final = 64
#: How many turns every person may miss in a row until a correspondence game waits for them.
MISSED: Final = 2
#: The longest time, in milliseconds, to pass on a shared device while others play on their own.
PASSING: Final = 30_000


@dataclass(frozen=True)
class SeatState:
    """The player of a seat, and why a bot plays for it, if one does."""

    plan: SeatPlan
    handed_over: Literal["absent", "expired", "left"] | None = None


@dataclass(frozen=True)
class Passing:
    """A shared device is being passed to a seat; its clock starts at `until` at the latest (None: no limit)."""

    seat: int
    since: int
    until: int | None


class Table:
    """The options, the seats and the game of a table."""

    def __init__(self, first: Entry) -> None:
        created = first.body
        assert isinstance(created, Created)
        self.id: Final = first.table
        #: The first entry; its host changes when another browser adopts the host's identity.
        self.created = created
        self.options: Final[TableOptions] = created.options
        self.version = first.version
        self.changed_at = first.at
        self.seats: Final = [SeatState(plan) for plan in created.seats]
        self.clocks: Final = Clocks(created.options.clock, len(created.seats))
        #: How often in a row the time of a person was over, without anybody having played since.
        self.missed = 0
        #: The game; before the start, the position to continue, if any.
        self.game: Game | None = None
        if created.opening is not None:
            self.game = read_game(created.opening, created.options.open_money)
            self.game.undoes_viziers = created.puzzle is not None
        self.seed: str | None = None
        self._commitment: str | None = None
        self.is_started = False
        #: When the game was started and ended at this table (milliseconds).
        self.started_at: int | None = None
        self.ended_at: int | None = None
        #: The last action of a turn, waiting to be confirmed.
        self.held: Held | None = None
        #: The table of the rematch, whether it repeats the deal, and the holders who have joined it, in this order.
        self.next: str | None = None
        self.is_next_same_deal = False
        self.rematchers: Final[list[str]] = []
        self.commands: Final[deque[str]] = deque(maxlen=REMEMBERED)
        #: By holder of several seats: the seat whose player has the device. And the seat it is being passed to.
        self._device: Final[dict[str, int]] = {}
        self.passing: Passing | None = None
        #: By holder: the seats whose hands they could see since the game started.
        self.seen: Final[dict[str, set[int]]] = {}
        #: By holder: the number of entries other than actions, and how many of them changed seats or names.
        self.spent: Final[Counter[str]] = Counter()
        self.seatings: Final[Counter[str]] = Counter()
        self._remember(first)

    # State

    @property
    def phase(self) -> Literal["lobby", "playing", "over"]:
        """Return the phase of the table."""
        if self.game is not None and self.game.state.is_over:
            return "over"
        return "playing" if self.is_started else "lobby"

    def names(self) -> list[str]:
        """Return the names by seat, as in a record."""
        return [seat.plan.name or f"Player {i + 1}" for i, seat in enumerate(self.seats)]

    def deciding(self) -> int | None:
        """Return the seat that has to decide; None before and after the game."""
        return self.game.seat_to_decide() if self.game is not None and self.is_started else None

    def seats_of(self, holder: str | None) -> list[int]:
        """Return the seats of a holder."""
        return [i for i, seat in enumerate(self.seats) if holder is not None and seat.plan.holder == holder]

    def may_take(self, holder: str | None, seat: int) -> bool:
        """16: Return whether a holder may take a seat: they have not seen another hand of this game."""
        seen = self.seen.get(holder, set()) if holder is not None else set()
        return not seen or seat in seen

    def guest_seatings(self) -> int:
        """Return how often guests took seats, left them or changed names."""
        return self.seatings.total() - self.seatings[self.created.host]

    def bot_for(self, seat: int) -> str | None:
        """Return the level of the bot that plays a seat now; None if a person does."""
        state = self.seats[seat]
        if state.plan.kind == "bot":
            return state.plan.level
        return self.options.takeover_level if state.handed_over is not None else None

    @property
    def is_correspondence(self) -> bool:
        """Return whether the players have days for a turn, so that nobody has to be present."""
        return self.options.clock.mode == "days"

    @property
    def expires_unasked(self) -> bool:
        """Return whether a bot plays the turn of a person whose time is over, without being asked.

        In a correspondence game the players choose this; and if all people have missed several turns in a row, the game
        waits for them, so that bots do not play abandoned games to the end.
        """
        if not self.is_correspondence:
            return True
        people = len([seat for seat in self.seats if seat.plan.kind == "person"])
        return self.options.clock.bot_when_over and self.missed < MISSED * people

    @property
    def bots_play_unwatched(self) -> bool:
        """Return whether bots play although nobody watches: in correspondence, up to the next person's turn."""
        return self.is_correspondence and any(
            [seat.plan.kind == "person" and seat.handed_over in (None, "expired") for seat in self.seats]
        )

    def waits_for_person(self) -> int | None:
        """Return the seat that decides if a person plays it; None otherwise."""
        seat = self.deciding()
        return seat if seat is not None and self.bot_for(seat) is None else None

    def rules_options(self) -> Options:
        """15: Return the options of the game."""
        return options_of(self.options, len(self.seats))

    def commitment(self) -> str | None:
        """Return the commitment to the shuffle; None before the start."""
        return self._commitment

    def chance(self, n: int) -> Chance:
        """Return the chance for the action after `n` actions."""
        assert self.seed is not None
        return chance_at(self.seed, n, self.created.is_fixed_order)

    def bot_seed(self) -> str:
        """Return the seed of a bot in this position: unpredictable, but the same when the bot is started again."""
        assert self.seed is not None
        return bot_seed(self.seed, self._game().state.n)

    def record(self) -> Record:
        """Return the record so far; it contains the seed once the game is over."""
        extra: dict[str, str] = {}
        if self.seed is not None:
            extra[COMMITMENT] = commitment(self.seed)
            if self.phase == "over":
                extra[SEED] = self.seed
            if self.created.is_fixed_order:
                extra[ORDER] = FIXED
        if self.game is not None and self.created.opening is not None:
            extra[FORKED_AT] = str(self.game.opening)
        record = Record(self.rules_options(), self.names(), extra)
        record.lines = list(self.game.history.lines) if self.game is not None else []
        return record

    # Changes

    def apply(self, entry: Entry, move: Move | None = None) -> None:
        """Apply an entry; pass its move, if known, to avoid playing the action a second time."""
        body = entry.body
        self._count(body)
        self._count_missed(body)
        self._note_device(body)
        if isinstance(body, Played):
            self._play(body, move)
            self.ended_at = entry.at if self.phase == "over" else None
        elif isinstance(body, Undone):
            self._game().undo_to(body.n)
            self.held = None
        elif isinstance(body, Held):
            self.held = body if body.action is not None else None
        elif isinstance(body, GameStarted):
            self._start(body)
            self.started_at = entry.at
        elif isinstance(body, Seated):
            before = self.seats[body.seat]
            # A new name for the same holder changes nothing else.
            is_same = before.plan.holder is not None and before.plan.holder == body.plan.holder
            self.seats[body.seat] = SeatState(body.plan, before.handed_over if is_same else None)
            if self.is_started:
                self._note_seen(body.seat)
        elif isinstance(body, HandedOver):
            self.seats[body.seat] = replace(self.seats[body.seat], handed_over=body.reason)
        elif isinstance(body, Returned):
            self.seats[body.seat] = replace(self.seats[body.seat], handed_over=None)
            self.clocks.grant_return(body.seat)
        elif isinstance(body, Resumed):
            self.clocks.resume(entry.at if body.until is None else body.until, body.since)
        elif isinstance(body, Adopted):
            self._adopt(body)
        elif isinstance(body, Followed):
            self.next, self.is_next_same_deal = body.table, body.same_deal
            if body.by is not None:
                self.rematchers.append(body.by)
        elif isinstance(body, Joined):
            self.rematchers.append(body.by)
        if self.game is not None and not isinstance(body, (Played, GameStarted)):
            self.game.events = ()
        self.version, self.changed_at = entry.version, entry.at
        self._remember(entry)
        if self.is_started and self.game is not None:
            seat = self.waits_for_person()
            self.passing = self._passing_to(seat, entry.at)
            wait: float = 0
            if self.passing is not None:
                wait = math.inf if self.passing.until is None else max(0, self.passing.until - entry.at)
            self.clocks.run(seat, self.game.state.turns, entry.at, wait)

    def _play(self, body: Played, move: Move | None) -> None:
        game = self._game()
        game.apply(move if move is not None else game.recorded(body.lines), body.lines)
        self.held = None
        for seat, state in enumerate(self.seats):
            is_turn_over = state.handed_over == "expired" and game.seat_to_decide() != seat
            # An expired clock hands over only the turn; and a person who acts has returned.
            if is_turn_over or (seat == body.seat and body.by != "bot"):
                self.seats[seat] = replace(state, handed_over=None)

    def _start(self, body: GameStarted) -> None:
        self.seed, self.is_started = body.seed, True
        self._commitment = commitment(body.seed)
        for seat in range(len(self.seats)):
            self._note_seen(seat)
        if self.game is None:
            record = Record(self.rules_options())
            record.lines = list(body.lines)
            self.game = read_game(str(record), self.options.open_money)
            self.game.events = self.game.state.events

    def _adopt(self, body: Adopted) -> None:
        """Make everything of a holder another one's, with the hands that both have seen."""
        old, new = body.holder, body.by
        for i, seat in enumerate(self.seats):
            plan = seat.plan
            if old in (plan.holder, plan.left_by):
                holder = new if plan.holder == old else plan.holder
                left_by = new if plan.left_by == old else plan.left_by
                self.seats[i] = replace(seat, plan=msgspec.structs.replace(plan, holder=holder, left_by=left_by))
        if self.created.host == old:
            self.created = msgspec.structs.replace(self.created, host=new)
        if old in self.seen:
            self.seen.setdefault(new, set()).update(self.seen.pop(old))
        if old in self._device:
            self._device.setdefault(new, self._device.pop(old))
        self.rematchers[:] = dict.fromkeys([new if one == old else one for one in self.rematchers])
        for counter in (self.spent, self.seatings):
            counter[new] += counter.pop(old, 0)

    def _note_device(self, body: Body) -> None:
        """Record that the player of an acting seat has the device."""
        seat: int | None = None
        if isinstance(body, (Held, Returned, Arrived)) or (isinstance(body, Played) and body.by != "bot"):
            seat = body.seat
        elif isinstance(body, Undone):
            seat = self.deciding()
        holder = self.seats[seat].plan.holder if seat is not None else None
        if seat is not None and holder is not None:
            self._device[holder] = seat

    def _passing_to(self, seat: int | None, at: int) -> Passing | None:
        """Return whether the seat that decides waits for the device that its holder's seats share (hot seat).

        The clock waits without limit if everybody plays on that device, otherwise for PASSING.
        """
        if seat is None or self.clocks.mode in ("none", "days"):
            return None
        plan = self.seats[seat].plan
        if plan.holder is None or plan.is_program or len(self.seats_of(plan.holder)) < 2:
            return None
        if self._device.get(plan.holder) == seat:
            return None
        before = self.passing
        since = before.since if before is not None and before.seat == seat else at
        has_others = any([other.plan.kind == "person" and other.plan.holder != plan.holder for other in self.seats])
        return Passing(seat, since, since + PASSING if has_others else None)

    def _note_seen(self, seat: int) -> None:
        holder = self.seats[seat].plan.holder
        if holder is not None:
            self.seen.setdefault(holder, set()).add(seat)

    def _count(self, body: Body) -> None:
        """Count an entry other than an action for the holder who caused it."""
        holder: str | None = None
        if isinstance(body, Seated):
            holder = body.by
            self.seatings[holder or ""] += 1
        elif isinstance(body, (Held, Returned)):
            holder = self.seats[body.seat].plan.holder
        elif isinstance(body, Undone):
            seat = self.deciding()
            holder = self.seats[seat].plan.holder if seat is not None else None
        elif isinstance(body, Adopted):
            holder = body.by
        if holder is not None:
            self.spent[holder] += 1

    def _count_missed(self, body: Body) -> None:
        if isinstance(body, HandedOver) and body.reason == "expired":
            self.missed += 1
        elif isinstance(body, (Held, Undone, Returned, Seated)) or (isinstance(body, Played) and body.by != "bot"):
            self.missed = 0

    def _game(self) -> Game:
        assert self.game is not None
        return self.game

    def _remember(self, entry: Entry) -> None:
        if entry.command is not None:
            self.commands.append(entry.command)


def options_of(options: TableOptions, players: int) -> Options:
    """15: Return the options of the game; raises BadOptions if they cannot be combined."""
    return Options(
        options.edition,
        players,
        options.modules,
        options.scoring,
        options.ages,
        open_money=options.open_money,
    )
