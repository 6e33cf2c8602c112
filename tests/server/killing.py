"""Kills servers under load: acknowledged changes must survive, and no command may be executed twice."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from dataclasses import dataclass, field

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from granada import replay
from granada.server.ops.settings import Settings
from granada.server.store.sql_store import SqlStore
from granada.tables.entries import Entry, Played
from granada.tables.holders import Holder, hash_of, new_secret
from granada.tables.registry import command_key
from granada.tables.table import Table
from tests.server.running import PATIENCE, RunningServer, new_id, prefer_building

#: Errors of a connection to a killed server.
GONE = (OSError, WebSocketException, httpx.HTTPError, TimeoutError)
#: The share of kills that hit the server while it starts.
EARLY = 0.1


class Own(msgspec.Struct):
    actions: list[str]


class Around(msgspec.Struct):
    id: str
    phase: str


class TableMessage(msgspec.Struct):
    """The fields of a message that the clients use."""

    type: str
    version: int = 0
    n: int = 0
    table: Around | None = None
    own: Own | None = None
    answers: str | None = None
    code: str | None = None


_decoder = msgspec.json.Decoder(TableMessage)


@dataclass(frozen=True)
class Sent:
    """A sent action."""

    key: str
    id: str
    n: int
    action: str


@dataclass
class Ledger:
    """What clients were sent about a table, and what the database contains."""

    id: str
    seen: int = 1
    is_started: bool = False
    #: Acknowledged actions that have not been checked in the database yet.
    acknowledged: list[Sent] = field(default_factory=list)
    table: Table | None = None
    #: By command: the number of actions before it, and its record line.
    stored: dict[str, tuple[int, str]] = field(default_factory=dict)


@dataclass
class Player:
    """A player, and their unanswered command."""

    secret: str = field(default_factory=new_secret)
    pending: Sent | None = None
    last: Sent | None = None
    last_table: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return {"cookie": f"granada={self.secret}"}


@dataclass
class Party:
    """Players who play at one table after another; without players, a spectator watches bots."""

    players: list[Player]
    bots: list[str]
    table: str | None = None


@dataclass
class Figures:
    """Statistics of a run."""

    kills: int = 0
    early: int = 0
    tables: int = 0
    games: int = 0
    acknowledged: int = 0
    entries: int = 0
    #: Unanswered commands that were stored before the kill, or were not; and answered ones that were sent again.
    unanswered_stored: int = 0
    unanswered_lost: int = 0
    sent_again: int = 0
    again: int = 0
    starts: list[float] = field(default_factory=list)


class Load:
    """Clients that act as fast as they can and check everything they receive."""

    def __init__(self, server: RunningServer, database: str, parties: int, seed: object) -> None:
        self.server = server
        self.figures = Figures()
        self.ledgers: dict[str, Ledger] = {}
        self._store = SqlStore(Settings(database=database).url())
        self._random = random.Random(str(seed))
        self._parties = [Party([Player(), Player()], ["random"]) for _ in range(parties)]
        self._parties += [Party([], ["greedy", "random"]), Party([], ["random", "random", "random"])]
        self._tasks: list[asyncio.Task[None]] = []

    # Playing

    def begin(self) -> None:
        for party in self._parties:
            for player in party.players or [Player()]:
                self._tasks.append(asyncio.create_task(self._visit(party, player)))

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._store.close()

    def check_clients(self) -> None:
        """Raise the first failure of a client."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def _visit(self, party: Party, player: Player) -> None:
        while True:
            try:
                if party.table is not None:
                    await self._play(party, player, party.table)
                elif not party.players or player is party.players[0]:
                    await self._open(party, player)
            except GONE:
                pass
            await asyncio.sleep(0.02)

    async def _open(self, party: Party, host: Player) -> None:
        seats = [{"kind": "open"} for _ in party.players] + [{"kind": "bot", "level": bot} for bot in party.bots]
        wanted = {"seats": seats, "options": {"takeover": False}}
        async with httpx.AsyncClient(base_url=f"{self.server.url}/api", timeout=30) as http:
            made = await http.post("/tables", json=wanted, headers=host.headers)
            made.raise_for_status()
            table = _read(made.content)
            assert table.table is not None
            ledger = self.ledgers[table.table.id] = Ledger(table.table.id)
            self.figures.tables += 1
            path = f"/tables/{ledger.id}"
            for seat, player in enumerate(party.players, 1):
                sat = await http.post(f"{path}/seats/{seat}/take", json={}, headers=player.headers)
                self._note(ledger, _read(sat.raise_for_status().content))
            begun = await http.post(f"{path}/start", headers=host.headers)
            self._note(ledger, _read(begun.raise_for_status().content))
            ledger.is_started = True
            party.table = ledger.id

    async def _play(self, party: Party, player: Player, table: str) -> None:
        ledger = self.ledgers[table]
        url = f"{self.server.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        # The first message must include everything that was acknowledged before connecting.
        acknowledged = [sent.n + 1 for sent in ledger.acknowledged] + [_played(ledger)]
        async with connect(url, additional_headers=player.headers, open_timeout=10, max_size=None) as socket:
            message = await self._next(ledger, socket)
            assert message.n >= max(acknowledged), f"{max(acknowledged)} acknowledged actions, {message.n} sent"
            if player.pending is not None and player.last_table == table:
                self.figures.sent_again += 1
                message = await self._send(ledger, socket, player, player.pending)
            elif player.last is not None and player.last_table == table:
                self.figures.again += 1
                message = await self._send(ledger, socket, player, player.last)
            while message.table is not None and message.table.phase != "over":
                if message.own is not None and message.own.actions:
                    action = self._random.choice(prefer_building(message.own.actions))
                    key = command_key(Holder(hash_of(player.secret)), command := new_id())
                    player.last_table = table
                    message = await self._send(ledger, socket, player, Sent(key, command, message.n, action))
                else:
                    message = await self._next(ledger, socket)
        if party.table == table:
            party.table = None

    async def _send(self, ledger: Ledger, socket: ClientConnection, player: Player, sent: Sent) -> TableMessage:
        """Send an action and record its answer; only the deciding seat acts, so it is always accepted."""
        is_new = player.last != sent
        player.pending = sent
        text = msgspec.json.encode({"type": "act", "id": sent.id, "n": sent.n, "action": sent.action})
        await socket.send(text.decode())
        while True:
            message = await self._next(ledger, socket)
            if message.answers == sent.id:
                break
        assert message.type == "table", f"the action {sent.n} was rejected: {message.code}"
        assert message.n > sent.n
        player.pending, player.last = None, sent
        if is_new:
            self.figures.acknowledged += 1
            ledger.acknowledged.append(sent)
        return message

    async def _next(self, ledger: Ledger, socket: ClientConnection) -> TableMessage:
        message = _read(await asyncio.wait_for(socket.recv(), 60))
        self._note(ledger, message)
        return message

    def _note(self, ledger: Ledger, message: TableMessage) -> None:
        ledger.seen = max(ledger.seen, message.version)

    # Checking the database while the server is down

    async def check(self) -> None:
        """Check that every acknowledged change is stored exactly once."""
        self.check_clients()
        for ledger in self.ledgers.values():
            version = ledger.table.version if ledger.table is not None else 0
            for entry in await self._store.entries(ledger.id, version):
                self._take(ledger, entry)
            self._check(ledger)
        for player in [player for party in self._parties for player in party.players]:
            if player.pending is not None and player.pending != player.last:
                if player.pending.key in self.ledgers[player.last_table].stored:
                    self.figures.unanswered_stored += 1
                else:
                    self.figures.unanswered_lost += 1

    def _take(self, ledger: Ledger, entry: Entry) -> None:
        self.figures.entries += 1
        if ledger.table is None:
            assert entry.version == 1
            ledger.table = Table(entry)
            return
        assert entry.version == ledger.table.version + 1
        if entry.command is not None and isinstance(entry.body, Played):
            assert entry.command not in ledger.stored, "a command was executed twice"
            ledger.stored[entry.command] = (_played(ledger), entry.body.lines[0])
        ledger.table.apply(entry)
        self.figures.games += ledger.table.phase == "over"

    def _check(self, ledger: Ledger) -> None:
        assert ledger.table is not None, "an acknowledged table is lost"
        assert ledger.table.version >= ledger.seen, "a change was sent before it was stored"
        assert ledger.table.is_started or not ledger.is_started
        for sent in ledger.acknowledged:
            assert sent.key in ledger.stored, f"the acknowledged action {sent.n} is lost"
            n, line = ledger.stored[sent.key]
            assert n == sent.n
            assert line.endswith(f" {sent.action}"), f"'{sent.action}' was stored as '{line}'"
        ledger.acknowledged.clear()

    def check_records(self) -> None:
        """Check that every game replays against the rules."""
        for ledger in self.ledgers.values():
            if ledger.table is not None and ledger.table.game is not None:
                game = ledger.table.game
                reading = replay(str(ledger.table.record()), partial=ledger.table.phase != "over")
                assert reading.state.n == game.state.n
                assert reading.state.key() == game.state.key()

    # Killing

    async def kill(self) -> None:
        """Kill the server at a random moment, check the database, and start it again."""
        await asyncio.sleep(self._random.uniform(0.0, 0.8))
        await asyncio.to_thread(self.server.kill)
        self.figures.kills += 1
        await self.check()
        if self._random.random() < EARLY:
            await self._kill_early()
        begun = time.monotonic()
        await asyncio.to_thread(self.server.start)
        self.figures.starts.append(time.monotonic() - begun)

    async def _kill_early(self) -> None:
        before = self.server.process
        starting = asyncio.create_task(asyncio.to_thread(self.server.start))
        while self.server.process is before:
            await asyncio.sleep(0.01)
        await asyncio.sleep(self._random.uniform(0.0, 1.5))
        await asyncio.to_thread(self.server.kill)
        with contextlib.suppress(AssertionError, ValueError):  # expected: it was killed while starting
            await starting
        self.figures.kills += 1
        self.figures.early += 1
        await self.check()

    async def play_on(self) -> None:
        """Play without kills, and check that every running table continues."""
        before = {party.table: self.ledgers[party.table].seen for party in self._parties if party.table is not None}
        until = time.monotonic() + PATIENCE
        while not self.figures.acknowledged or any([self._is_stuck(table, before[table]) for table in before]):
            assert time.monotonic() < until, f"some of these tables are stuck: {list(before)}"
            await asyncio.sleep(0.1)
            self.check_clients()
        await asyncio.to_thread(self.server.kill)
        await self.check()
        self.check_records()

    def _is_stuck(self, table: str, version: int) -> bool:
        """Return whether a table has not changed; tables without players are ignored."""
        return self.ledgers[table].seen <= version and any([party.table == table for party in self._parties])


def _read(content: bytes | str) -> TableMessage:
    return _decoder.decode(content)


def _played(ledger: Ledger) -> int:
    """Return the number of stored actions."""
    return ledger.table.game.state.n if ledger.table is not None and ledger.table.game is not None else 0


async def kill_often(
    server: RunningServer, database: str, kills: int, parties: int, seconds: float, seed: object
) -> Figures:
    """Kill a server under load, up to a number of times or seconds; raises AssertionError if anything is lost."""
    load = Load(server, database, parties, seed)
    until = time.monotonic() + seconds
    load.begin()
    try:
        while load.figures.kills < kills and time.monotonic() < until:
            await load.kill()
        await load.play_on()
    finally:
        await load.end()
    return load.figures
