"""Decides requests about seats and the start of the game: an entry to store, or an error. Nothing is modified here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.records.record import Record
from granada.records.shuffle import SET_UP, chance_at, new_seed
from granada.rules.errors import BadOptions
from granada.tables.commands import Proposal, check_change_limit
from granada.tables.entries import Adopted, Created, GameStarted, HandedOver, Seated, SeatPlan
from granada.tables.errors import TableError
from granada.tables.game import set_up
from granada.tables.holders import Holder
from granada.tables.levels import is_level
from granada.tables.messages import TableOptions
from granada.tables.names import clean, looks, suggest
from granada.tables.requests import SeatRequest
from granada.tables.table import SeatState, Table, options_of

OPEN: Final = SeatPlan()
#: The limit of seatings and renamings at one table, for one guest and for all guests together.
MAX_SEATINGS: Final = 40
MAX_GUEST_SEATINGS: Final = 1000


def create(
    options: TableOptions,
    requests: Sequence[SeatRequest],
    is_public: bool,
    holder: Holder,
    opening: str | None = None,
    seed: str | None = None,
    previous: str | None = None,
) -> Created:
    """Return the first entry of a new table; raises BadOptions or TableError."""
    options_of(options, len(requests))
    _check_level(options.takeover_level)
    plans: list[SeatPlan] = []
    for request in requests:
        taken = [plan.name for plan in plans]
        if request.kind == "person":
            plans.append(_person(request.name, holder, taken))
        elif request.kind == "bot":
            plans.append(_bot(request.level or options.takeover_level, request.name, taken))
        else:
            plans.append(OPEN)
    return Created(options, tuple(plans), is_public, holder.hash, opening, seed, previous)


def take_seat(table: Table, holder: Holder, seat: int, name: str | None) -> Proposal:
    """Take an open seat, or rename the holder's seat, before or during the game; raises TableError."""
    if table.phase == "over":
        raise TableError("over", "The game is over.")
    state = _seat(table, seat)
    if state.plan.holder != holder.hash:
        _check_seats_change(table)
    _check_seatings(table, holder)
    names = _other_names(table, seat)
    if state.plan.holder == holder.hash:
        return Proposal(Seated(seat, _person(name or state.plan.name, holder, names), holder.hash))
    if state.plan.kind != "open":
        raise TableError("seat_taken", f"Seat {seat + 1} is taken. Choose another one.")
    if table.phase == "lobby":
        # The seats of a continued record already have names.
        return Proposal(Seated(seat, _person(name or state.plan.name, holder, names), holder.hash))
    if not table.may_take(holder.hash, seat):
        raise TableError("hand_seen", "You have seen another hand of this game, so you cannot take this seat (16.1).")
    return Proposal(Seated(seat, _person(name, holder, names), holder.hash))


def leave_seat(table: Table, holder: Holder, seat: int) -> Proposal:
    """Leave a seat, which is open again; raises TableError if the holder does not have it.

    There is no separate limit: a holder can only leave a seat as often as they take one.
    """
    state = _seat(table, seat)
    if state.plan.holder != holder.hash:
        raise TableError("no_seat", f"Seat {seat + 1} is not yours.")
    _check_seats_change(table)
    return Proposal(Seated(seat, _left(table, state), holder.hash))


def set_seat(table: Table, holder: Holder, seat: int, request: SeatRequest) -> Proposal:
    """Put a bot on a seat, open it or, before the game, seat a person at the host's browser; raises TableError."""
    if table.created.host != holder.hash:
        raise TableError("not_host", "Only the host can arrange the seats.")
    _check_seats_change(table)
    check_change_limit(table, holder)
    if table.phase == "over":
        raise TableError("over", "The game is over.")
    state = _seat(table, seat)
    is_own = state.plan.holder == holder.hash
    is_lobby = table.phase == "lobby"
    if state.plan.kind == "person" and not is_own and not (is_lobby and request.kind == "open"):
        raise TableError("seat_taken", f"Seat {seat + 1} is taken. Choose another one.")
    if request.kind == "person" and not is_own and not is_lobby:
        raise TableError("running", "You cannot take another seat during the game: you would see its hand (16.1).")
    if request.kind == "bot":
        name = request.name or (None if is_lobby else state.plan.name)
        plan = _bot(request.level or table.options.takeover_level, name, _other_names(table, seat))
        return Proposal(Seated(seat, plan, holder.hash))
    if request.kind == "person":
        plan = _person(request.name or state.plan.name, holder, _other_names(table, seat))
        return Proposal(Seated(seat, plan, holder.hash))
    return Proposal(Seated(seat, _left(table, state), holder.hash))


def start(table: Table, holder: Holder) -> Proposal:
    """Start the game; raises TableError unless the holder is the host and all seats are taken."""
    if table.created.host != holder.hash:
        raise TableError("not_host", "Only the host can start the game.")
    return start_rematch(table)


def start_rematch(table: Table) -> Proposal:
    """Start a game whose players have all come; raises TableError if it has started or a seat is open."""
    if table.phase != "lobby":
        raise TableError("running", "The game has already started.")
    free = [str(i + 1) for i, seat in enumerate(table.seats) if seat.plan.kind == "open"]
    if free:
        raise TableError("not_ready", f"Every seat needs a player or a bot (2.1). Open: {', '.join(free)}.")
    seed = table.created.seed or new_seed()
    if table.game is not None:
        return Proposal(GameStarted(seed, ()))
    return Proposal(
        GameStarted(seed, set_up(table.rules_options(), chance_at(seed, SET_UP, table.created.is_fixed_order)).lines)
    )


def hand_over(table: Table, seat: int) -> Proposal:
    """Let a bot play for an absent player or an open seat."""
    return Proposal(HandedOver(seat, "left" if table.seats[seat].plan.kind == "open" else "absent"))


def adopt(table: Table, old: Holder, new: Holder) -> Proposal:
    """Give everything of a holder to another one, who is the same person at another browser; raises TableError."""
    check_change_limit(table, new)
    plans = [state.plan for state in table.seats]
    has_part = any([old.hash in (plan.holder, plan.left_by) for plan in plans])
    if old == new or not (has_part or table.created.host == old.hash or old.hash in table.seen):
        raise TableError("no_seat", "This browser has no part in the table.")
    return Proposal(Adopted(old.hash, new.hash))


def _check_seatings(table: Table, holder: Holder) -> None:
    """Raise TableError if a guest takes seats or changes names too often; the host has a separate limit.

    A guest who has played in this game can return even if others have used up the limit of all guests.
    """
    if holder.hash == table.created.host:
        check_change_limit(table, holder)
    elif table.seatings[holder.hash] >= MAX_SEATINGS:
        raise TableError("too_many_changes", "You have taken seats or changed your name too often at this table.")
    elif table.guest_seatings() >= MAX_GUEST_SEATINGS and not table.seen.get(holder.hash):
        detail = "Too many seat changes at this table. Ask the host to open another one."
        raise TableError("too_many_changes", detail)


def _check_seats_change(table: Table) -> None:
    """Raise TableError at a daily deal: everybody plays it on the same seat against the same bots."""
    if table.created.daily is not None:
        raise TableError("daily_seats", "The seats of a daily deal cannot be changed.")


def _seat(table: Table, seat: int) -> SeatState:
    if not 0 <= seat < len(table.seats):
        raise TableError("not_found", f"This table has no seat {seat + 1}.")
    return table.seats[seat]


def _left(table: Table, state: SeatState) -> SeatPlan:
    """Return an empty seat; during the game it keeps its name."""
    return OPEN if table.phase == "lobby" else SeatPlan("open", state.plan.name, left_by=state.plan.holder)


def _other_names(table: Table, seat: int) -> list[str]:
    return [other.plan.name for i, other in enumerate(table.seats) if i != seat]


def _person(name: str | None, holder: Holder, taken: list[str]) -> SeatPlan:
    return SeatPlan("person", _name(name, taken), None, holder.hash, is_program=holder.is_program)


def _bot(level: str, name: str | None, taken: list[str]) -> SeatPlan:
    _check_level(level)
    return SeatPlan("bot", _name(name, taken), level)


def _check_level(level: str) -> None:
    if not is_level(level):
        raise TableError("bad_options", f"There is no bot '{level}'.")


def _name(name: str | None, taken: list[str]) -> str:
    """Return a valid name that is unique at the table, suggesting one if none is given; raises TableError."""
    chosen = clean(name) if name is not None else ""
    if not chosen:
        return suggest(taken)
    try:
        Record(_ANY, (chosen, "another"))
    except BadOptions as error:
        raise TableError("malformed", str(error)) from None
    if looks(chosen) in [looks(other) for other in taken]:
        raise TableError("seat_taken", f"Another player at this table is called {chosen}. Choose another name.")
    return chosen


_ANY: Final = options_of(TableOptions(), 2)
