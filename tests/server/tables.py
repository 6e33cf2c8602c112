"""Tables without a server."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from granada.tables.commands import Proposal, play, propose
from granada.tables.entries import Body, Entry
from granada.tables.holders import Holder
from granada.tables.lobby import create, start
from granada.tables.messages import Act, Back, Confirm, Here, Restart, TableOptions, Undo
from granada.tables.requests import SeatRequest
from granada.tables.table import Table

ANA, BEN = Holder("a" * 64), Holder("b" * 64)
#: The time of the first entry.
NOON = 1_000_000
_KINDS: dict[str, Literal["person", "open"]] = {"person": "person", "open": "open"}


class Log:
    """A table and its entries; `again` rebuilds it from them, as a restarted server does."""

    def __init__(self, seats: Sequence[str] = ("person", "person"), holder: Holder = ANA, **options: Any) -> None:
        requests = [SeatRequest(_KINDS[seat]) if seat in _KINDS else SeatRequest("bot", level=seat) for seat in seats]
        created = create(msgspec.convert(options, TableOptions), requests, False, holder)
        self.entries = [Entry("t" * 16, 1, NOON, created)]
        self.table = Table(self.entries[0])
        self.now = NOON

    def start(self) -> Log:
        self.store(start(self.table, ANA))
        return self

    def store(self, proposal: Proposal | Body, command: str | None = None) -> None:
        if not isinstance(proposal, Proposal):
            proposal = Proposal(proposal)
        entry = Entry(self.table.id, self.table.version + 1, self.now, proposal.body, command)
        self.entries.append(entry)
        self.table.apply(entry, proposal.move)

    def again(self) -> Table:
        table = Table(self.entries[0])
        for entry in self.entries[1:]:
            table.apply(entry)
        return table

    @property
    def n(self) -> int:
        assert self.table.game is not None
        return self.table.game.state.n

    def do(self, command: Act | Confirm | Undo | Restart | Back | Here, holder: Holder = ANA) -> Proposal:
        proposal = propose(self.table, holder, command)
        self.store(proposal)
        return proposal

    def act(self, action: str, hold: bool = False, holder: Holder = ANA) -> Proposal:
        return self.do(Act("x", self.n, action, hold), holder)

    def undo(self) -> Proposal:
        return self.do(Undo("x", self.n))

    def restart(self) -> Proposal:
        return self.do(Restart("x", self.n))

    def offers(self) -> list[str]:
        from granada.records.notation import action_text

        assert self.table.game is not None
        return [action_text(action) for action in self.table.game.state.offers()]

    def play_at_random(self, choose: random.Random, by: str = "person") -> None:
        seat = self.table.deciding()
        assert seat is not None
        self.store(play(self.table, seat, choose.choice(self.offers()), "bot" if by == "bot" else "person"))
