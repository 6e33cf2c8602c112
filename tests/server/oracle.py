"""What each client of a table may know at each version, computed from the database and the rules alone.

A message must not depend on anything that its recipient may not know. So every message is built again from a game in
which all hidden components were resampled, and must be equal byte for byte.
"""

from __future__ import annotations

import hashlib
import random
import sqlite3
from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from granada import NOBODY, State
from granada.bots import Advice, make_bot
from granada.drawing import svg_table
from granada.rules.errors import IllegalAction, NotationError
from granada.rules.money import MONEY
from granada.tables.answers import answer
from granada.tables.commands import propose
from granada.tables.entries import Entry, GameStarted, Held, Played, decode_body
from granada.tables.errors import TableError
from granada.tables.hints import IDEAS
from granada.tables.holders import Holder
from granada.tables.levels import strongest
from granada.tables.messages import Ask, Command, Look, encoder
from granada.tables.reasons import idea_of
from granada.tables.requests import Hint, Log, LogLine
from granada.tables.table import Table
from granada.tables.views import own_view, public_view

#: The fixed number of nodes per decision of bots on the tested server, so that the oracle can repeat it.
NODES = 8
REPEATABLE = {"GRANADA_BOT_NODES": str(NODES), "GRANADA_BOT_THINK": "15"}


@dataclass(frozen=True)
class Moment:
    """A table at one version."""

    phase: str
    state: State | None
    held: Held | None
    holders: tuple[str | None, ...]
    #: The stored lines of this version, including everything hidden.
    lines: tuple[str, ...]
    #: 13.3: by seat: the bonus cards revealed so far, which everybody has seen.
    seen: tuple[frozenset[str], ...]
    #: All lines that were not undone, including everything hidden.
    log: tuple[LogLine, ...]


class Oracle:
    """Everything about a table, and who may know it."""

    def __init__(self, database: Path, table: str) -> None:
        entries = _entries(database, table)
        self.table = Table(entries[0])
        self.options = self.table.options
        self.moments: dict[int, Moment] = {}
        #: All bonus cards in hands, and the hashes of all holders of seats.
        self.holders = {self.table.created.host}
        seen: list[frozenset[str]] = [frozenset() for _ in self.table.seats]
        self._note(entries[0], seen)
        for entry in entries[1:]:
            self.table.apply(entry)
            self._note(entry, seen)
        self.seed = self.table.seed or ""
        self.over = min([v for v, moment in self.moments.items() if moment.phase == "over"], default=1 << 30)
        self._rng = random.Random(table)

    def _note(self, entry: Entry, seen: list[frozenset[str]]) -> None:
        table, body = self.table, entry.body
        lines = body.lines if isinstance(body, (Played, GameStarted)) else ()
        for line in lines:
            words = line.split()
            if words[1:2] == ["reveal"]:
                seat = int(words[0].rstrip(":.")) - 1
                seen[seat] = seen[seat] | {words[2]}
        holders = tuple([seat.plan.holder for seat in table.seats])
        self.holders |= {holder for holder in holders if holder is not None}
        state = table.game.state if table.game is not None else None
        before = self.moments.get(entry.version - 1)
        log = self._log_after(before, state, lines)
        self.moments[entry.version] = Moment(table.phase, state, table.held, holders, lines, tuple(seen), log)

    def _log_after(self, before: Moment | None, state: State | None, lines: tuple[str, ...]) -> tuple[LogLine, ...]:
        if before is None or state is None:
            return ()
        turn = before.state.turns if before.state is not None else 0
        kept = [line for line in before.log if line.n <= state.n]
        return (*kept, *[LogLine(state.n, turn, line) for line in lines])

    # Expected messages

    def view(self, version: int) -> bytes:
        """Return the public view."""
        return self._view(version)

    @cache  # noqa: B019 - an oracle lives as long as its test
    def _view(self, version: int) -> bytes:
        return encoder.encode(public_view(self._other(version, NOBODY), self.options.aids == "all"))

    @cache  # noqa: B019
    def own(self, version: int, seat: int, may_undo: bool) -> bytes:
        """Return the private view of a seat."""
        held = self.moments[version].held
        text = held.action if held is not None and held.seat == seat else None
        other = self._other(version, seat)
        return encoder.encode(own_view(other, seat, text, may_undo, self.options.aids == "all"))

    def events(self, version: int, seat: int) -> list[str]:
        """16.2: Return the stored lines with the other seats' bonus cards hidden."""
        return [masked(line, seat) for line in self.moments[version].lines]

    def log(self, version: int, seat: int) -> bytes:
        """16.2: Return the same for the whole log."""
        lines = [LogLine(line.n, line.turn, masked(line.line, seat)) for line in self.moments[version].log]
        return encoder.encode(Log(lines))

    def hint(self, version: int, seat: int) -> bytes:
        """16.1: Return the hint of a bot that knows what the seat has seen, but no hidden card."""
        moment = self.moments[version]
        assert moment.state is not None
        state = moment.state.resample(seat, self._rng)
        offers = state.offers()
        bot = make_bot(f"{strongest()}:{NODES}n", self._bot_seed(state.n))
        advice = bot.advise(state.view(seat, remembers=True), offers, IDEAS) if len(offers) > 1 else [Advice(offers[0])]
        return encoder.encode(Hint(strongest(), [idea_of(state, seat, one) for one in advice[:IDEAS]]))

    @cache  # noqa: B019
    def picture(self, version: int, seat: int) -> bytes:
        """Return the picture for a seat or a spectator."""
        return svg_table(self._other(version, seat).view(seat), self.table.names()).encode()

    def answer(self, version: int, seat: int, ask: Ask) -> bytes | None:
        """Return the answer to a question; None if it is rejected."""
        try:
            return encoder.encode(answer(self._other(version, seat), seat, ask, self.options.aids == "all"))
        except (NotationError, IllegalAction):
            return None

    def error(self, version: int, holder: str | None, command: dict[str, Any]) -> TableError | None:
        """Return the error of a command; None if it is accepted."""
        moment = self.moments[version]
        wanted = msgspec.convert(command, Command)
        if isinstance(wanted, (Ask, Look)) or moment.state is None:
            return None
        if holder is None:
            return TableError("no_seat", "You have no seat at this table.")
        own = [seat for seat, one in enumerate(moment.holders) if one == holder]
        table, game = copy(self.table), copy(self.table.game)
        assert game is not None
        deciding = moment.state.seat if not moment.state.is_over else NOBODY
        game.state = self._other(version, deciding if deciding in own else NOBODY)
        table.game, table.held = game, moment.held
        try:
            propose(table, Holder(holder), wanted)
        except TableError as error:
            return error
        return None

    def _other(self, version: int, seat: int) -> State:
        """Return a game that a seat cannot distinguish from the real one."""
        state = self.moments[version].state
        assert state is not None
        return resampled(state, seat, self._rng)

    def bot_seeds(self) -> set[str]:
        """Return the seeds of the bots at all positions."""
        last = max([moment.state.n for moment in self.moments.values() if moment.state is not None], default=0)
        return {self._bot_seed(n) for n in range(last + 1)}

    def _bot_seed(self, n: int) -> str:
        return hashlib.sha256(f"granada-bot:{self.seed}:{n}".encode()).hexdigest()


def resampled(state: State, seat: int, rng: random.Random) -> State:
    """16: Return the game with resampled bonus cards and, unless money is open, resampled hands of the others."""
    other = state.resample(seat, rng)
    if state.options.open_money:
        return other
    for index, player in enumerate(other.players):
        for card in player.hand() if index != seat else ():
            if card.sort == MONEY and other.deck.pool:
                drawn = other.deck.pool[rng.randrange(len(other.deck.pool))]
                if drawn.sort == MONEY:
                    player.give_up((card,))
                    player.receive(drawn)
                    other.deck.pool.remove(drawn)
                    other.deck.pool.append(card)
    return other


def masked(line: str, seat: int) -> str:
    """Return a record line as a seat (from 0) may see it."""
    words = line.split(" ")
    if words[:2] == ["!", "bonus"] and words[2] != str(seat + 1):
        return " ".join([*words[:3], *["?" for _ in words[3:]]])
    return line


def _entries(database: Path, table: str) -> list[Entry]:
    with sqlite3.connect(database) as connection:
        rows = connection.execute(
            "SELECT version, at, body, command FROM entries WHERE table_id = ? ORDER BY version", (table,)
        ).fetchall()
    connection.close()
    return [Entry(table, version, at, decode_body(body), command) for version, at, body, command in rows]
