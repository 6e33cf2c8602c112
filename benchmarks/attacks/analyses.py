"""S6: one address has many games analysed, and one record again and again.

    python benchmarks/attacks/analyses.py --code /work/base/src src

An analysis takes up to 45 s, and one is made at a time: what is accepted delays everybody else's.
"""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from benchmarks.attacks.harness import ATTACKER, VISITOR, AttackedServer, Client, Row, compare

GAMES = 12
COPIES = 5


def record(seed: int) -> str:
    """The record of a game that is over; of Granada, whose rules are the same before and after."""
    from granada import Luck, Options
    from granada.arena.simulation import play_game
    from granada.bots import RandomBot

    bots = [RandomBot(seat) for seat in range(2)]
    return str(play_game(Options("granada", 2), bots, Luck(random.Random(seed))).record)


async def ask(client: Client, text: str) -> tuple[str, str]:
    """Upload a record and ask for its analysis: the table, and the status or the code of the error."""
    headers = {"content-type": "text/plain"}
    uploaded = await client.http.post("/api/records", content=text, headers=headers)
    table: str = uploaded.raise_for_status().json()["table"]["id"]
    return table, await status(client, table)


async def status(client: Client, table: str) -> str:
    """What is known of an analysis."""
    answer = (await client.http.post(f"/api/tables/{table}/analysis")).json()
    found: str = answer.get("code") or answer["status"]
    return found


async def measure(server: AttackedServer) -> Row:
    """What is accepted of each."""
    async with Client(server.url, VISITOR) as visitor, Client(server.url, ATTACKER) as attacker:
        copies = [(await ask(visitor, record(0)))[0] for _ in range(COPIES)]
        while "thinking" not in (known := [await status(visitor, table) for table in copies]):
            await asyncio.sleep(0.2)
        accepted = [await ask(attacker, record(1 + number)) for number in range(GAMES)]
    return {
        f"{GAMES} games of one address, accepted": str(len([one for one in accepted if one[1] != "too_many"])),
        f"{COPIES} uploads of one game, separate analyses": str(1 + len([one for one in known if one == "waiting"])),
    }


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure, GRANADA_CREATIONS="0"))
