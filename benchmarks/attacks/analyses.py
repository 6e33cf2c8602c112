"""S6: one address requests the analysis of many games, and of the same game several times.

    python -m benchmarks.attacks.analyses --code OLD/src src

An analysis takes up to 45 s and they run one at a time, so each accepted one delays those of other players.
"""

from __future__ import annotations

import asyncio
import sys

from benchmarks.attacks.harness import ATTACKER, VISITOR, AttackedServer, Client, Row, compare, random_record

GAMES = 12
COPIES = 5


async def ask(client: Client, text: str) -> tuple[str, str]:
    """Upload a record and request its analysis; returns the table, and the status or the error code."""
    headers = {"content-type": "text/plain"}
    uploaded = await client.http.post("/api/records", content=text, headers=headers)
    table: str = uploaded.raise_for_status().json()["table"]["id"]
    return table, await status(client, table)


async def status(client: Client, table: str) -> str:
    """Return the status of an analysis, or the error code."""
    answer = (await client.http.post(f"/api/tables/{table}/analysis")).json()
    found: str = answer.get("code") or answer["status"]
    return found


async def measure(server: AttackedServer) -> Row:
    """Count the accepted analyses."""
    async with Client(server.url, VISITOR) as visitor, Client(server.url, ATTACKER) as attacker:
        copies = [(await ask(visitor, random_record(2, 0)))[0] for _ in range(COPIES)]
        while "thinking" not in (known := [await status(visitor, table) for table in copies]):
            await asyncio.sleep(0.2)
        accepted = [await ask(attacker, random_record(2, 1 + number)) for number in range(GAMES)]
    return {
        f"{GAMES} games of one address, accepted": str(len([one for one in accepted if one[1] != "too_many"])),
        f"{COPIES} uploads of one game, separate analyses": str(1 + len([one for one in known if one == "waiting"])),
    }


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure, GRANADA_CREATIONS="0"))
