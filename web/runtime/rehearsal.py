"""What visitors of the page do, to find the modules that it needs. Runs in Pyodide: pack.js calls `rehearse`.

Everything that a visitor can do should happen here once: modules that are not imported are not packed.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import traceback
from typing import Any

import granada
from granada.api.endpoints import JSON, TEXT
from granada.bots import LEVELS, PERSONALITIES
from granada.browser import app, bot_worker
from granada.browser.dispatcher import Dispatcher
from granada.drawing.svg import svg_table
from granada.engine.model import install, read_weights
from granada.locales import LANGUAGES
from granada.rules.options import EDITIONS
from granada.tables import components as box
from granada.tables.bot_jobs import Failure, Job
from granada.tables.bot_work import answer


async def rehearse() -> dict[str, str]:
    """Play, and return what must be the same when the packed modules do it."""
    # The page computes the network in JavaScript (web/src/device/network.ts); here its outputs do not matter.
    install(lambda _features, _outputs: None)
    record, state = _random_game()
    for name in (*LEVELS, *PERSONALITIES):
        given = answer(Job("\n".join(record.split("\n")[:30]), f"{name}:0.05s", "seed"), lambda _: None)
        assert not isinstance(given, Failure), given
    visitor = Visitor(await app.start(MemoryBridge(), pause=0.0, think=0.05, nodes=0, limit=20.0))
    await visitor.play()
    await visitor.play_the_daily_deal()
    await visitor.look_back(record)
    await visitor.solve()
    await visitor.score()
    await visitor.err()
    pictures = "".join([svg_table(state, language=language) for language in LANGUAGES])
    return {
        "record": _hash(record.encode()),
        "pictures": _hash(pictures.encode()),
        "weights": _hash(read_weights()),
        "trace": _trace(),
        "components": _hash(components().encode()),
    }


def components() -> str:
    """Return the body of GET /api/components."""
    return box.components().decode()


def _random_game() -> tuple[str, granada.State]:
    luck = granada.Luck(random.Random(7))
    state = granada.new_game(granada.Options("granada", 2, ("vizier", "exchange")), luck)
    record = granada.Record(state.options)
    record.add(state.events)
    while not state.is_over:
        actions = list(state.legal_actions)
        record.add(state.play(actions[luck.below(len(actions))], luck))
    return str(record), state


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _trace() -> str:
    """Return the file and the line of an error: tracebacks must work without the sources."""
    try:
        granada.new_game(None, None)  # type: ignore[arg-type]
    except Exception:
        return traceback.format_exc().rpartition("\n  File")[2].partition("\n")[0].rpartition("/")[2]
    return ""


class Visitor:
    """A page that sends requests."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    async def ask(self, method: str, path: str, body: object = None, status: int = 200) -> Any:
        """Return the answer to a request."""
        media, text = (TEXT, body) if isinstance(body, str) else (JSON, json.dumps({} if body is None else body))
        reply = await self._dispatcher.request(method, path, media, text)
        assert reply.status == status, (path, reply.status, reply.body)
        is_json = reply.media_type.endswith("json")
        return json.loads(reply.body) if is_json else reply.body.decode()

    async def play(self) -> None:
        """Play a game to its end, and a few turns against a bot in the second worker."""
        await self.ask("GET", "/healthz")
        await self.ask("GET", "/api/components")
        await self.ask("GET", "/api/names")
        table = await self._open({"kind": "bot", "level": "greedy"})
        await self._act(table, 2000)
        await self.ask("GET", f"{table}/record")
        await self.ask("POST", f"{table}/rematch", {"same_deal": True}, 201)
        other = await self._open({"kind": "bot", "level": "search"})
        await self._act(other, 3)
        await self.ask("POST", f"{other}/hint")
        await self.ask("GET", f"{other}/log")
        await self.ask("GET", f"{other}/handover")
        for language in LANGUAGES:
            await self.ask("GET", f"{other}/picture.svg?language={language}")
        await self.ask("GET", "/api/tables")

    async def play_the_daily_deal(self) -> None:
        """Play today's deal to its end, and practise."""
        for edition in EDITIONS:
            await self.ask("GET", f"/api/daily/{edition}/today")
        here = "/api/daily/alhambra/today"
        opened = await self.ask("POST", f"{here}/table", {"name": "Ana"}, 201)
        table = f"/api/tables/{opened['table']['id']}"
        await self._act(table, 2000)
        for _ in range(100):
            if (await self.ask("GET", here))["mine"] is not None:
                break
            await asyncio.sleep(0.1)
        await self.ask("POST", f"{here}/table", {}, 201)
        await self.ask("POST", "/api/daily/granada/today/results", await self.ask("GET", f"{table}/record"), 400)

    async def _open(self, bot: dict[str, str]) -> str:
        seats = [{"kind": "person", "name": "Ana"}, bot]
        opened = await self.ask("POST", "/api/tables", {"seats": seats, "options": {"edition": "alhambra"}}, 201)
        table = f"/api/tables/{opened['table']['id']}"
        await self.ask("POST", f"{table}/start")
        return table

    async def _act(self, table: str, most: int) -> None:
        """Take the first offered action over a socket, at most this often, until the game is over or it is our turn."""
        messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        def receive(kind: str, text: str | int) -> None:
            if kind == "message":
                messages.put_nowait(json.loads(str(text)))

        self._dispatcher.open(1, f"{table}/socket", receive)
        acted = 0
        while True:
            message = await asyncio.wait_for(messages.get(), 60)
            if message.get("table", {}).get("phase") == "over":
                break
            actions = (message.get("own") or {}).get("actions")
            if not messages.empty() or not actions:
                continue
            if acted == most:
                break
            acted += 1
            command = {"type": "act", "id": f"c{acted}", "n": message["n"], "action": actions[0]}
            self._dispatcher.receive(1, json.dumps(command))
        self._dispatcher.close(1)
        await asyncio.sleep(0)

    async def look_back(self, record: str) -> None:
        """Upload a record, look at its positions, have it analysed, and play on from there."""
        uploaded = await self.ask("POST", "/api/records", record, 201)
        table = f"/api/tables/{uploaded['table']['id']}"
        await self.ask("GET", f"{table}/positions/20")
        await self.ask("GET", f"{table}/scorings/A")
        await self.ask("POST", f"{table}/fork", {"n": 20}, 201)
        for _ in range(600):
            if (await self.ask("POST", f"{table}/analysis"))["status"] == "done":
                return
            await asyncio.sleep(0.1)
        raise AssertionError("the analysis does not end")

    async def solve(self) -> None:
        """Open a puzzle, and answer it with a turn that has to be valued first."""
        await self.ask("GET", "/api/puzzles")
        await self.ask("GET", "/api/puzzles/1")
        table = await self.ask("POST", "/api/puzzles/1/table", {}, 201)
        for action in [one for one in table["own"]["actions"] if one.startswith("take")]:
            await self.ask("POST", "/api/puzzles/1/attempt", {"actions": [action]})

    async def score(self) -> None:
        """Use the score pad."""
        entries = [{"moat": 4, "counts": {"park": 2}, "highest": {"park": 7}}, {"moat": 2}, {}]
        await self.ask("POST", "/api/score", {"edition": "granada", "players": 2, "scorings": {"A": entries}})

    async def err(self) -> None:
        """Send requests that are refused."""
        await self.ask("GET", "/api/nothing", None, 404)
        await self.ask("GET", "/api/tables/0123456789abcdef", None, 404)
        await self.ask("POST", "/api/tables", {"seats": 3}, 400)
        await self.ask("POST", "/api/records", "no record", 400)


class MemoryBridge:
    """What JavaScript provides, in Python."""

    def __init__(self) -> None:
        self.database = MemoryDatabase()
        self.bots = HereWorker()
        self.reviews = HereWorker()
        self.channel = SilentChannel()
        self.locks = FreeLocks()


class MemoryDatabase:
    """A database in memory."""

    is_shared = False

    def __init__(self) -> None:
        self._entries: dict[str, list[dict[str, Any]]] = {}
        self._tables: dict[str, dict[str, Any]] = {}
        self._values: dict[str, str] = {}

    async def append(self, entry: str, listing: str) -> bool:
        row = json.loads(entry)
        self._entries.setdefault(row["table_id"], []).append(row)
        if listing:
            self._tables[row["table_id"]] = json.loads(listing)
        return True

    async def entries(self, table: str, after: int) -> str:
        return json.dumps([row for row in self._entries.get(table, []) if row["version"] > after])

    async def version(self, table: str) -> int:
        return max([row["version"] for row in self._entries.get(table, [])], default=0)

    async def executed(self, table: str, command: str) -> bool:
        return any(row.get("command") == command for row in self._entries.get(table, []))

    async def tables(self, phase: str) -> str:
        return json.dumps([row for row in self._tables.values() if row["phase"] == phase])

    async def changes(self) -> str:
        return json.dumps({table: rows[-1]["at"] for table, rows in self._entries.items()})

    async def latest(self) -> int:
        return max([rows[-1]["at"] for rows in self._entries.values()], default=0)

    async def remove(self, table: str, before: int) -> bool:
        return self._entries.pop(table, None) is not None

    async def values(self, prefix: str) -> str:
        return json.dumps({key: value for key, value in self._values.items() if key.startswith(prefix)})

    async def exchange(self, key: str, before: str, after: str) -> bool:
        if self._values.get(key, "") != before:
            return False
        self._values[key] = after
        return True

    async def secret(self) -> str:
        return "secret"


class HereWorker:
    """A second worker that is in this interpreter."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[str] = asyncio.Queue()

    async def start(self) -> object:
        return None

    def send(self, job: str) -> None:
        work = json.loads(job)
        if "seconds" in work:
            work["seconds"] = 0.1  # an analysis would take long
        self._messages.put_nowait(bot_worker.answer(json.dumps(work), self._messages.put_nowait))

    async def receive(self) -> str:
        return await self._messages.get()

    def kill(self) -> None:
        self._messages = asyncio.Queue()


class SilentChannel:
    """A channel without other tabs."""

    def send(self, message: str) -> None:
        pass

    async def receive(self) -> str:
        never: asyncio.Future[str] = asyncio.Future()
        return await never


class FreeLocks:
    """Locks that nobody else takes."""

    async def take(self, name: str) -> bool:
        return True

    def release(self, name: str) -> None:
        pass
