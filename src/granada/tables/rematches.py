"""A rematch: who has asked for it, and the table that it is played at. Nothing is modified here."""

from __future__ import annotations

from granada.tables.commands import Proposal
from granada.tables.entries import Created, Followed, Joined
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.lobby import OPEN
from granada.tables.table import Table


def again(table: Table, holder: Holder, same_deal: bool) -> Created:
    """Return the first entry of a rematch; with the same deal, all players move one seat. Raises TableError."""
    plans = tuple([seat.plan if seat.plan.kind != "open" else OPEN for seat in table.seats])
    if same_deal:
        if table.created.opening is not None or table.seed is None:
            raise TableError("bad_options", "This game was continued from another one, so its deal cannot be repeated.")
        plans = (*plans[1:], plans[0])
    return Created(
        table.options,
        plans,
        table.created.is_public,
        holder.hash,
        seed=table.seed if same_deal else None,
        previous=table.id,
        is_rematch=True,
        is_fixed_order=same_deal and table.created.is_fixed_order,
    )


def follow(table: Table, opened: Followed) -> Proposal:
    """Note the table of the rematch; raises TableError if there is one."""
    if table.next is not None:
        raise TableError("running", "There is already a rematch.")
    return Proposal(opened)


def join(table: Table, holder: Holder) -> Proposal:
    """Note that a player joins the rematch; raises TableError if it is noted already."""
    if holder.hash in table.rematchers:
        raise TableError("running", "You have joined the rematch.")
    return Proposal(Joined(holder.hash))


def has_all_people(table: Table) -> bool:
    """Return whether all people of a game have joined its rematch; bots and programs are not awaited."""
    plans = [seat.plan for seat in table.seats]
    return all([plan.holder in table.rematchers for plan in plans if plan.kind == "person" and not plan.is_program])
