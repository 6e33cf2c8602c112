"""Correspondence games: what happens when a player's days for a turn are over."""

from __future__ import annotations

from granada.tables.commands import Proposal, running
from granada.tables.entries import HandedOver
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.messages import LetBot
from granada.tables.table import Table


def let_bot(table: Table, holder: Holder, command: LetBot, now: int) -> Proposal:
    """Return what to store when a player lets a bot play the turn of another one; raises TableError."""
    game = running(table)
    if not table.seats_of(holder.hash):
        raise TableError("no_seat", "You have no seat at this table.")
    if command.n != game.state.n:
        detail = f"The table has changed: {game.state.n} actions were played, not {command.n}. Read it again."
        raise TableError("stale", detail)
    seat = table.waits_for_person()
    if seat is None:
        raise TableError("stale", "A bot is playing already.")
    plan = table.seats[seat].plan
    if not table.is_correspondence:
        raise TableError("not_late", "Only in a correspondence game the players decide whether a bot plays a turn.")
    if plan.kind == "open":
        return Proposal(HandedOver(seat, "left"))
    if table.clocks.left(seat, now) != 0:
        raise TableError("not_late", f"{plan.name} still has time for this turn.")
    return Proposal(HandedOver(seat, "expired"))
