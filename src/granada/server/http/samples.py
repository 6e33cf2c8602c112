"""Sample messages for the API documents, always from the same game."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from granada.records.notation import action_text
from granada.server.http.openapi import INCOMING
from granada.tables import lobby
from granada.tables.answers import answer
from granada.tables.commands import Proposal, play
from granada.tables.entries import Created, Entry, SeatPlan
from granada.tables.holders import Holder
from granada.tables.live_table import LiveTable
from granada.tables.messages import (
    Act,
    Ask,
    Back,
    Confirm,
    Here,
    LetBot,
    Look,
    Pace,
    Problem,
    React,
    Reacted,
    Reconnect,
    Restart,
    TableOptions,
    Undo,
)
from granada.tables.table import Table

_HOLDER: Final = Holder("0" * 64)
_SEED: Final = "5a" * 32


def commands() -> dict[str, Any]:
    """Return a command of each type."""
    samples = (
        Act("7f3a", 12, "take y3 g2"),
        Confirm("7f3b", 12),
        Undo("7f3c", 12),
        Restart("7f3d", 12),
        Back("7f3e"),
        Here("7f41", seat=2),
        LetBot("7f43", 12),
        Look("7f3f", seat=2),
        Pace("7f42", "follow", seen=12),
        Ask("7f40", "place", "garden-8-NW", "1,0"),
        React("7f42", "wall"),
    )
    assert len(samples) == len(INCOMING)
    return {type(sample).__name__: msgspec.to_builtins(sample) for sample in samples}


def messages() -> dict[str, Any]:
    """Return a message of each type."""
    table = _table()
    live = LiveTable(table)
    assert table.game is not None
    state = table.game.state
    asked = Ask("7f40", "place", next(tile.name for tile in state.yard if tile is not None))
    error = Problem("illegal", "'take y9' breaks rule 3.2: y9 is not on the display", "3.2", "7f3a")
    return {
        "Message": msgspec.json.decode(live.message(_HOLDER, None, table.changed_at, "7f3a", with_events=True)),
        "Answer": msgspec.to_builtins(answer(state, 0, asked, has_aids=True)),
        "Problem": msgspec.to_builtins(error),
        "Reconnect": msgspec.to_builtins(Reconnect(1000)),
        "Reacted": msgspec.to_builtins(Reacted(2, "wall")),
    }


def _table() -> Table:
    """Return a table after a few actions; it is Ana's turn."""
    seats = (SeatPlan("person", "Ana", holder=_HOLDER.hash), SeatPlan("bot", "Ben", "greedy"))
    created = Created(TableOptions("granada"), seats, False, _HOLDER.hash, seed=_SEED)
    table = Table(Entry("Zx3kPq9wLm2RtY7a", 1, 0, created))
    _apply(table, lobby.start(table, _HOLDER))
    while table.version < 8 or table.deciding() != 0:
        _apply(table, _next(table))
    return table


def _next(table: Table) -> Proposal:
    """Play the first legal action."""
    assert table.game is not None
    state = table.game.state
    return play(table, state.seat, action_text(state.offers()[0]), "person")


def _apply(table: Table, proposal: Proposal) -> None:
    table.apply(Entry(table.id, table.version + 1, table.changed_at + 5000, proposal.body), proposal.move)
