"""What a command would bring: a body to store, or an error. Nothing changes here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from granada.records.notation import parse_action
from granada.records.shuffle import luck_at
from granada.rules.errors import NotationError
from granada.rules.state import Action
from granada.tables.entries import Arrived, Body, HandedOver, Held, Played, Returned, Undone
from granada.tables.errors import TableError
from granada.tables.game import Game, Move, can_be_taken_back
from granada.tables.holders import Holder
from granada.tables.messages import Act, Back, Confirm, Here, Reason, Restart, Undo
from granada.tables.table import Table


@dataclass(frozen=True)
class Proposal:
    """What is to be stored, and the move that it makes."""

    body: Body
    move: Move | None = None


#: The limit of entries that are no actions: some for each action, and some more.
_ENTRIES_AN_ACTION: Final = 30
_FURTHER_ENTRIES: Final = 1000


def check_patience(table: Table, holder: Holder) -> None:
    """Refuse to store what leads nowhere: to hold, take back and rename without end would fill the database.

    Each holder has a separate limit, so that nobody can use up that of another; the host can also remove every
    guest, however often guests sat down.
    """
    actions = table.game.state.n if table.game is not None else 0
    most = _FURTHER_ENTRIES + _ENTRIES_AN_ACTION * actions
    if holder.hash == table.created.host:
        most += table.guest_seatings()
    if table.spent[holder.hash] >= most:
        raise TableError("too_many_changes", "you have changed too much at this table: only actions are accepted now")


def propose(table: Table, holder: Holder, command: Act | Confirm | Undo | Restart | Back | Here) -> Proposal:
    """What a command of a person or a program brings; TableError says why not."""
    if isinstance(command, Here):
        return _here(table, holder, command)
    if not isinstance(command, Act) or command.hold:
        check_patience(table, holder)
    if isinstance(command, Back):
        return _back(table, holder, command)
    game = running(table)
    if command.n != game.state.n:
        raise TableError("stale", f"{game.state.n} actions were played, not {command.n}: look at the table again")
    seat = deciding_seat(table, holder, command.seat)
    by: Literal["person", "program"] = "program" if holder.is_program else "person"
    if isinstance(command, Act):
        return _act(table, game, seat, command, by)
    if isinstance(command, Confirm):
        if table.held is None or table.held.action is None:
            raise TableError("nothing_held", "no action waits to be confirmed")
        return play(table, seat, table.held.action, by)
    return _undo(table, game, seat, isinstance(command, Restart))


def play(table: Table, seat: int, text: str, by: Literal["person", "program", "bot"]) -> Proposal:
    """What it brings that a seat plays an action."""
    game = running(table)
    move = _try_out(table, game, _legal(game, text))
    return Proposal(Played(seat, move.lines, by), move)


def expire(table: Table, seat: int) -> Proposal:
    """What it brings that the time of a seat is over: what it held is played, otherwise a bot plays its turn."""
    held = table.held
    if held is not None and held.action is not None and held.seat == seat:
        return play(table, seat, held.action, "person")
    return Proposal(HandedOver(seat, "expired"))


def _act(table: Table, game: Game, seat: int, command: Act, by: Literal["person", "program"]) -> Proposal:
    move = _try_out(table, game, _legal(game, command.action))
    if command.hold and not can_be_taken_back(game.state, move):
        return Proposal(Held(seat, command.action))
    return Proposal(Played(seat, move.lines, by), move)


def _undo(table: Table, game: Game, seat: int, is_all: bool) -> Proposal:
    if table.held is not None and not (is_all and game.may_go_back):
        return Proposal(Held(seat, None))
    if not table.options.undo:
        raise TableError("undo_off", "this table plays without undo")
    if not game.may_go_back:
        raise TableError("nothing_to_undo", "nothing can be undone: the last action revealed something or ended a turn")
    return Proposal(Undone(game.turn_began if is_all else game.state.n - 1))


def _back(table: Table, holder: Holder, command: Back) -> Proposal:
    away = [seat for seat in _held_seats(table, holder, command.seat) if table.seats[seat].handed_over is not None]
    if not away:
        raise TableError("no_seat", "no bot plays for you")
    _check_time(table, away[0])
    return Proposal(Returned(away[0]))


def _here(table: Table, holder: Holder, command: Here) -> Proposal:
    running(table)
    seat = deciding_seat(table, holder, command.seat)
    if table.passing is None or table.passing.seat != seat:
        raise TableError("stale", "no device is being passed to this seat")
    return Proposal(Arrived(seat))


def running(table: Table) -> Game:
    """The game, if it is being played."""
    if table.phase == "over":
        raise TableError("over", "the game is over")
    if table.game is None or table.phase != "playing":
        raise TableError("not_running", "the game has not begun")
    return table.game


def _held_seats(table: Table, holder: Holder, wanted: int | None) -> list[int]:
    """The seats that somebody commands: all own ones, or the one that is named."""
    seats = table.seats_of(holder.hash)
    if wanted is not None:
        seats = [seat for seat in seats if seat == wanted - 1]
    if not seats:
        raise TableError(
            "no_seat", "you hold no seat at this table" if wanted is None else f"you do not hold seat {wanted}"
        )
    return seats


def deciding_seat(table: Table, holder: Holder, wanted: int | None) -> int:
    """The seat (from 0) for which somebody may decide now; it may be named (from 1)."""
    seats, deciding = _held_seats(table, holder, wanted), table.deciding()
    if deciding is None or deciding not in seats:
        raise TableError("not_your_turn", f"seat {(deciding or 0) + 1} has to decide (3.1)")
    _check_time(table, deciding)
    return deciding


def _check_time(table: Table, seat: int) -> None:
    """A turn whose time is over is played to its end by the bot."""
    if table.seats[seat].handed_over == "expired":
        raise TableError("not_your_turn", "your time was over: the bot plays this turn, the next is yours")


def _legal(game: Game, text: str) -> Action:
    try:
        action = parse_action(text, game.state.options.components)
    except NotationError as error:
        raise TableError("malformed", str(error)) from None
    verdict = game.state.is_legal(action)
    if not verdict:
        reason = Reason("illegal", verdict.code)
        raise TableError("illegal", f"'{text}' is against {verdict}", rule=verdict.rule, reason=reason)
    return action


def _try_out(table: Table, game: Game, action: Action) -> Move:
    assert table.seed is not None
    return game.try_out(action, luck_at(table.seed, game.state.n))
