"""Sitting down and starting: what it would bring, or why it is refused. Nothing changes here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.records.record import Record
from granada.records.shuffle import SET_UP, luck_at, new_seed
from granada.rules.errors import BadOptions
from granada.tables.commands import Proposal, check_patience
from granada.tables.entries import Created, HandedOver, Seated, SeatPlan, Started
from granada.tables.errors import TableError
from granada.tables.game import set_up
from granada.tables.holders import Holder
from granada.tables.levels import is_level
from granada.tables.messages import TableOptions
from granada.tables.names import clean, suggest
from granada.tables.requests import SeatRequest
from granada.tables.table import SeatState, Table, options_of

OPEN: Final = SeatPlan()
#: How often a guest may sit down or be renamed at one table, and all guests together.
MOST_SEATINGS: Final = 40
MOST_SEATINGS_OF_ALL: Final = 1000


def create(
    options: TableOptions,
    requests: Sequence[SeatRequest],
    is_public: bool,
    holder: Holder,
    opening: str | None = None,
    seed: str | None = None,
    previous: str | None = None,
) -> Created:
    """A new table; BadOptions and TableError say what cannot be."""
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
    """Sit down on an open seat, or write another name on the own one; during the game, too."""
    if table.phase == "over":
        raise TableError("over", "the game is over")
    state = _seat(table, seat)
    _check_seatings(table, holder)
    names = _other_names(table, seat)
    if state.plan.holder == holder.hash:
        return Proposal(Seated(seat, _person(name or state.plan.name, holder, names), holder.hash))
    if state.plan.kind != "open":
        raise TableError("seat_taken", f"somebody sits on seat {seat + 1}")
    if table.phase == "lobby":
        # The seats of a record that is played on have names already.
        return Proposal(Seated(seat, _person(name or state.plan.name, holder, names), holder.hash))
    if not table.may_take(holder.hash, seat):
        raise TableError("hand_seen", "you have seen another hand of this game, so you cannot take this seat (16.1)")
    return Proposal(Seated(seat, _person(name, holder, names), holder.hash))


def leave_seat(table: Table, holder: Holder, seat: int) -> Proposal:
    """Stand up: the seat is open again, and during the game a bot plays for it if the table wants.

    This is never refused for its number: everybody sits down before they stand up.
    """
    state = _seat(table, seat)
    if state.plan.holder != holder.hash:
        raise TableError("no_seat", f"you do not hold seat {seat + 1}")
    return Proposal(Seated(seat, _left(table, state), holder.hash))


def set_seat(table: Table, holder: Holder, seat: int, request: SeatRequest) -> Proposal:
    """The host puts a bot on a seat or opens it, and before the game sits down people at the same browser."""
    if table.created.host != holder.hash:
        raise TableError("not_host", "only who opened the table arranges its seats")
    check_patience(table, holder)
    if table.phase == "over":
        raise TableError("over", "the game is over")
    state = _seat(table, seat)
    is_own = state.plan.holder == holder.hash
    is_lobby = table.phase == "lobby"
    if state.plan.kind == "person" and not is_own and not (is_lobby and request.kind == "open"):
        raise TableError("seat_taken", f"somebody sits on seat {seat + 1}")
    if request.kind == "person" and not is_own and not is_lobby:
        raise TableError("running", "who plays cannot sit down on another seat: its hand would be seen (16.1)")
    if request.kind == "bot":
        name = request.name or (None if is_lobby else state.plan.name)
        plan = _bot(request.level or table.options.takeover_level, name, _other_names(table, seat))
        return Proposal(Seated(seat, plan, holder.hash))
    if request.kind == "person":
        plan = _person(request.name or state.plan.name, holder, _other_names(table, seat))
        return Proposal(Seated(seat, plan, holder.hash))
    return Proposal(Seated(seat, _left(table, state), holder.hash))


def start(table: Table, holder: Holder) -> Proposal:
    """Begin the game, once everybody sits."""
    if table.created.host != holder.hash:
        raise TableError("not_host", "only who opened the table starts the game")
    if table.phase != "lobby":
        raise TableError("running", "the game has begun")
    free = [str(i + 1) for i, seat in enumerate(table.seats) if seat.plan.kind == "open"]
    if free:
        raise TableError("not_ready", f"nobody sits on seat {', '.join(free)} (2.1)")
    seed = table.created.seed or new_seed()
    if table.game is not None:
        return Proposal(Started(seed, ()))
    return Proposal(Started(seed, set_up(table.rules_options(), luck_at(seed, SET_UP)).lines))


def hand_over(table: Table, seat: int) -> Proposal:
    """A bot plays for somebody who is away."""
    return Proposal(HandedOver(seat, "left" if table.seats[seat].plan.kind == "open" else "absent"))


def _check_seatings(table: Table, holder: Holder) -> None:
    """Refuse guests who sit down or are renamed again and again; the host has a separate limit.

    Other guests cannot lock out somebody who has played since the start and wants to come back.
    """
    if holder.hash == table.created.host:
        check_patience(table, holder)
    elif table.seatings[holder.hash] >= MOST_SEATINGS:
        raise TableError("too_many_changes", "you sat down or changed your name too often at this table")
    elif table.guest_seatings() >= MOST_SEATINGS_OF_ALL and not table.seen.get(holder.hash):
        detail = "guests sat down too often at this table; ask the host to open another one"
        raise TableError("too_many_changes", detail)


def _seat(table: Table, seat: int) -> SeatState:
    if not 0 <= seat < len(table.seats):
        raise TableError("not_found", f"this table has no seat {seat + 1}")
    return table.seats[seat]


def _left(table: Table, state: SeatState) -> SeatPlan:
    """What a seat is when nobody sits on it any more; during the game its city keeps its name."""
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
        raise TableError("bad_options", f"there is no bot of the level '{level}'")


def _name(name: str | None, taken: list[str]) -> str:
    """A name that can stand in a record and that nobody else at the table has."""
    chosen = clean(name) if name is not None else ""
    if not chosen:
        return suggest(taken)
    try:
        Record(_ANY, (chosen, "another"))
    except BadOptions as error:
        raise TableError("malformed", str(error)) from None
    if chosen in taken:
        raise TableError("seat_taken", f"somebody at this table is called {chosen}")
    return chosen


_ANY: Final = options_of(TableOptions(), 2)
