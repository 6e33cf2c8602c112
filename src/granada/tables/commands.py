"""Decides commands: each gives an entry to store, or an error. Nothing is modified here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from granada.records.notation import parse_action
from granada.rules.errors import NotationError
from granada.rules.state import Action
from granada.tables.entries import Arrived, Body, HandedOver, Held, Played, Returned, Undone
from granada.tables.errors import TableError
from granada.tables.game import Game, Move
from granada.tables.holders import Holder
from granada.tables.messages import Act, Back, Confirm, Here, Reason, Restart, Undo
from granada.tables.table import Table


@dataclass(frozen=True)
class Proposal:
    """An entry to store, and the move it makes."""

    body: Body
    move: Move | None = None


#: The limit of entries other than actions: a base, plus a number for each action played.
_ENTRIES_AN_ACTION: Final = 30
_FURTHER_ENTRIES: Final = 1000


def check_change_limit(table: Table, holder: Holder) -> None:
    """Raise TableError if a holder changed too much: endless holding, undoing and renaming would fill the database.

    The limit is per holder, so that nobody can use up another's. The host's limit grows with the seatings of guests, so
    that the host can always remove them.
    """
    actions = table.game.state.n if table.game is not None else 0
    most = _FURTHER_ENTRIES + _ENTRIES_AN_ACTION * actions
    if holder.hash == table.created.host:
        most += table.guest_seatings()
    if table.spent[holder.hash] >= most:
        raise TableError("too_many_changes", "You made too many changes at this table. You can still play actions.")


def propose(table: Table, holder: Holder, command: Act | Confirm | Undo | Restart | Back | Here) -> Proposal:
    """Return what to store for a command of a person or program; raises TableError."""
    if isinstance(command, Here):
        return _here(table, holder, command)
    if not isinstance(command, Act) or command.hold:
        check_change_limit(table, holder)
    if isinstance(command, Back):
        return _back(table, holder, command)
    game = running(table)
    if command.n != game.state.n:
        detail = f"The table has changed: {game.state.n} actions were played, not {command.n}. Read it again."
        raise TableError("stale", detail)
    seat = deciding_seat(table, holder, command.seat)
    by: Literal["person", "program"] = "program" if holder.is_program else "person"
    if isinstance(command, Act):
        return _act(table, game, seat, command, by)
    if isinstance(command, Confirm):
        if table.held is None or table.held.action is None:
            raise TableError("nothing_held", "There is no action to confirm.")
        if table.created.puzzle is not None:
            raise TableError("puzzle", "At a puzzle a turn does not end: send its actions as your answer.")
        return play(table, seat, table.held.action, by)
    return _undo(table, game, seat, isinstance(command, Restart))


def play(table: Table, seat: int, text: str, by: Literal["person", "program", "bot"]) -> Proposal:
    """Return what to store when a seat plays an action."""
    game = running(table)
    move = _try_out(table, game, _legal(game, text))
    return Proposal(Played(seat, move.lines, by), move)


def expire(table: Table, seat: int) -> Proposal:
    """Return what to store when a clock expires: play the held action, or let a bot finish the turn."""
    held = table.held
    if held is not None and held.action is not None and held.seat == seat:
        return play(table, seat, held.action, "person")
    return Proposal(HandedOver(seat, "expired"))


def _act(table: Table, game: Game, seat: int, command: Act, by: Literal["person", "program"]) -> Proposal:
    move = _try_out(table, game, _legal(game, command.action))
    if (command.hold or table.created.puzzle is not None) and not game.can_be_undone(move):
        return Proposal(Held(seat, command.action))
    return Proposal(Played(seat, move.lines, by), move)


def _undo(table: Table, game: Game, seat: int, is_all: bool) -> Proposal:
    if table.held is not None and not (is_all and game.can_undo):
        return Proposal(Held(seat, None))
    if not table.options.undo:
        raise TableError("undo_off", "Undo is turned off at this table.")
    if not game.can_undo:
        raise TableError("nothing_to_undo", "The last action cannot be undone: it revealed something or ended a turn.")
    return Proposal(Undone(game.undo_limit if is_all else game.state.n - 1))


def _back(table: Table, holder: Holder, command: Back) -> Proposal:
    away = [seat for seat in _held_seats(table, holder, command.seat) if table.seats[seat].handed_over is not None]
    if not away:
        raise TableError("no_seat", "No bot is playing for you.")
    _check_time(table, away[0])
    return Proposal(Returned(away[0]))


def _here(table: Table, holder: Holder, command: Here) -> Proposal:
    running(table)
    seat = deciding_seat(table, holder, command.seat)
    if table.passing is None or table.passing.seat != seat:
        raise TableError("stale", "No device is being passed to this seat.")
    return Proposal(Arrived(seat))


def running(table: Table) -> Game:
    """Return the game if it is running; raises TableError otherwise."""
    if table.phase == "over":
        raise TableError("over", "The game is over.")
    if table.game is None or table.phase != "playing":
        raise TableError("not_running", "The game has not started yet.")
    return table.game


def _held_seats(table: Table, holder: Holder, wanted: int | None) -> list[int]:
    """Return the seats (from 0) of a holder, or only the wanted one (from 1); raises TableError if there is none."""
    seats = table.seats_of(holder.hash)
    if wanted is not None:
        seats = [seat for seat in seats if seat == wanted - 1]
    if not seats:
        raise TableError(
            "no_seat", "You have no seat at this table." if wanted is None else f"Seat {wanted} is not yours."
        )
    return seats


def deciding_seat(table: Table, holder: Holder, wanted: int | None) -> int:
    """Return the seat (from 0) that a holder may decide for now; raises TableError if it is not the wanted one."""
    seats, deciding = _held_seats(table, holder, wanted), table.deciding()
    if deciding is None or deciding not in seats:
        raise TableError("not_your_turn", f"It is the turn of seat {(deciding or 0) + 1} (3.1).")
    _check_time(table, deciding)
    return deciding


def _check_time(table: Table, seat: int) -> None:
    """Raise TableError if the clock of a seat has expired: the bot finishes the turn."""
    if table.seats[seat].handed_over == "expired":
        raise TableError("not_your_turn", "Your time ran out. A bot finishes this turn; your next turn is yours.")


def _legal(game: Game, text: str) -> Action:
    try:
        action = parse_action(text, game.state.options.components)
    except NotationError as error:
        raise TableError("malformed", str(error)) from None
    verdict = game.state.is_legal(action)
    if not verdict:
        reason = Reason("illegal", verdict.code)
        raise TableError("illegal", f"'{text}' breaks {verdict}", rule=verdict.rule, reason=reason)
    return action


def _try_out(table: Table, game: Game, action: Action) -> Move:
    return game.try_out(action, table.chance(game.state.n))
