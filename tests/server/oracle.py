"""What each reader of a table may know at each of its versions, worked out from the database and the rules alone.

Whoever may not see something must be sent the same if it were different. So every message is made once more from a game
in which all that its reader cannot know was dealt anew, and has to be the same to the byte.
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

#: The bots of a server that is spied on look at so many positions, however long that takes: an oracle can do the same.
NODES = 8
REPEATABLE = {"GRANADA_BOT_NODES": str(NODES), "GRANADA_BOT_THINK": "15"}


@dataclass(frozen=True)
class Moment:
    """A table at one version."""

    phase: str
    state: State | None
    held: Held | None
    holders: tuple[str | None, ...]
    #: What the entry of this version brought, as it is stored: with everything that is hidden.
    lines: tuple[str, ...]
    #: By seat, the bonus cards that it has revealed so far: everybody has seen them (13.3).
    seen: tuple[frozenset[str], ...]
    #: All that has happened and was not taken back: with everything that is hidden.
    log: tuple[LogLine, ...]


class Oracle:
    """Knows everything about a table, and who may know it."""

    def __init__(self, database: Path, table: str) -> None:
        entries = _entries(database, table)
        self.table = Table(entries[0])
        self.options = self.table.options
        self.moments: dict[int, Moment] = {}
        #: Every bonus card in every hand, and the hashes of all who hold a seat.
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

    # What may be known

    def view(self, version: int) -> bytes:
        """What everybody sees."""
        return self._view(version)

    @cache  # noqa: B019 - an oracle lives as long as its test
    def _view(self, version: int) -> bytes:
        return encoder.encode(public_view(self._other(version, NOBODY), self.options.aids == "all"))

    @cache  # noqa: B019
    def own(self, version: int, seat: int, may_undo: bool) -> bytes:
        """What the holder of a seat sees in addition."""
        held = self.moments[version].held
        text = held.action if held is not None and held.seat == seat else None
        other = self._other(version, seat)
        return encoder.encode(own_view(other, seat, text, may_undo, self.options.aids == "all"))

    def events(self, version: int, seat: int) -> list[str]:
        """16.2: the stored lines, with the bonus cards of all other seats covered."""
        return [masked(line, seat) for line in self.moments[version].lines]

    def log(self, version: int, seat: int) -> bytes:
        """16.2: the same for everything that happened."""
        lines = [LogLine(line.n, line.turn, masked(line.line, seat)) for line in self.moments[version].log]
        return encoder.encode(Log(lines))

    def hint(self, version: int, seat: int) -> bytes:
        """What a bot would do that sees what a seat and a perfect memory may know (16.1), but no hidden card."""
        moment = self.moments[version]
        assert moment.state is not None
        state = moment.state.resample(seat, self._rng)
        offers = state.offers()
        bot = make_bot(f"{strongest()}:{NODES}n", self._bot_seed(state.n))
        advice = bot.advise(state.view(seat, remembers=True), offers, IDEAS) if len(offers) > 1 else [Advice(offers[0])]
        return encoder.encode(Hint(strongest(), [idea_of(state, seat, one) for one in advice[:IDEAS]]))

    @cache  # noqa: B019
    def picture(self, version: int, seat: int) -> bytes:
        """The picture for a seat, or for a spectator."""
        return svg_table(self._other(version, seat).view(seat), self.table.names()).encode()

    def answer(self, version: int, seat: int, ask: Ask) -> bytes | None:
        """The answer to a question, None if it is refused."""
        try:
            return encoder.encode(answer(self._other(version, seat), seat, ask, self.options.aids == "all"))
        except (NotationError, IllegalAction):
            return None

    def error(self, version: int, holder: str | None, command: dict[str, Any]) -> TableError | None:
        """Why a command is refused, None if it is obeyed."""
        moment = self.moments[version]
        wanted = msgspec.convert(command, Command)
        if isinstance(wanted, (Ask, Look)) or moment.state is None:
            return None
        if holder is None:
            return TableError("no_seat", "you hold no seat at this table")
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
        """A game that a seat cannot tell from the one that is played."""
        state = self.moments[version].state
        assert state is not None
        return dealt_anew(state, seat, self._rng)

    def bot_seeds(self) -> set[str]:
        """The luck of bots, which is made of the seed."""
        last = max([moment.state.n for moment in self.moments.values() if moment.state is not None], default=0)
        return {self._bot_seed(n) for n in range(last + 1)}

    def _bot_seed(self, n: int) -> str:
        return hashlib.sha256(f"granada-bot:{self.seed}:{n}".encode()).hexdigest()


def dealt_anew(state: State, seat: int, rng: random.Random) -> State:
    """16: the same game with other bonus cards, and, unless money is open, with other money in other hands."""
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
    """A line of a record as a seat (from 0) may see it."""
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
