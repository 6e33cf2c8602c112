"""Games on a real server with clients of every kind, and the search for leaks in what they received."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from dataclasses import dataclass

from tests.server.leaks import Search
from tests.server.oracle import Oracle
from tests.server.running import RunningServer
from tests.server.spying import Captured, Json, Spies

ALL_MODULES = ["vizier", "exchange", "bonus", "huts"]
COMBINED: Json = {"edition": "combined", "modules": ALL_MODULES}
#: Options and seats of each game; `browser` has two seats.
GAMES: dict[str, tuple[Json, list[str]]] = {
    "two": ({**COMBINED, "aids": "purist"}, ["ana", "program"]),
    "three": (COMBINED, ["browser", "browser", "program"]),
    "six": (COMBINED, ["ana", "browser", "browser", "program", "ben", "bot"]),
    "alhambra": ({"edition": "alhambra", "modules": ["bonus"]}, ["ana", "browser", "browser"]),
    "open": ({**COMBINED, "open_money": True}, ["ana", "ben", "program"]),
}
#: The games of every test run.
QUICK = ["two", "three", "six", "alhambra"]


@dataclass(frozen=True)
class Spied:
    """What was captured in a game, and its oracle."""

    captured: list[Captured]
    search: Search
    oracle: Oracle


async def spied(server: RunningServer, game: str, seed: int, until: int | None = None) -> Spied:
    """Play a game to the end, or up to a number of actions."""
    options, seats = GAMES[game]
    spies = Spies(server, random.Random(f"{game} {seed}"))
    # Another client's table; the others never get its link.
    stranger = Spies(server, spies.rng)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(spies.http.aclose)
        stack.push_async_callback(stranger.http.aclose)
        await stranger.open({}, ["stranger", "bot"], is_public=False)
        await spies.open(options, seats, is_public=False)
        for name in ("watcher", "lines"):
            spies.reader(name)
        known = spies.reader("known")  # a browser with a cookie but without a seat
        await known.ask("POST", "/api/tables", {"seats": [{"kind": "person"}, {"kind": "open"}]}, channel="elsewhere")
        readers = [spies.reader(name) for name in dict.fromkeys([*seats, "watcher", "lines", "known"]) if name != "bot"]
        await spies.connect(stack, readers)
        await spies.start(seats[0])
        spies.reader("poller")
        await spies.play(until)
        if until is None:
            await spies.read_afterwards()
        await spies.look_around()
    oracle = Oracle(server.data / "granada.sqlite", spies.table)
    names = frozenset([seat.plan.name for seat in oracle.table.seats if seat.plan.kind == "person"])
    private = frozenset([spies.table, stranger.table])
    return Spied(spies.captured, Search(oracle, spies.readers, private, names), oracle)


async def spied_games(server: RunningServer, games: list[str], seed: int) -> list[Spied]:
    """Play several games to the end at the same time."""
    return await asyncio.gather(*[spied(server, game, seed + number) for number, game in enumerate(games)])
