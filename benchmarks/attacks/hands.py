"""S5: one browser sees the hands and bonus cards of several seats during a game.

    python -m benchmarks.attacks.hands --code OLD/src src

The host opens a bot's seat, takes it, and returns; a player does the same with an abandoned seat; and a guest tries all
seats of a game that was uploaded to be continued.
"""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack

from benchmarks.attacks.harness import ROOT, VISITOR, AttackedServer, Client, Row, compare


async def measure(server: AttackedServer) -> Row:
    """Count the hands revealed in each way."""
    async with AsyncExitStack() as stack:
        ana, ben = [await stack.enter_async_context(Client(server.url, VISITOR)) for _ in range(2)]
        bots = await _read_bots(ana)
        abandoned = await _read_abandoned(ana, ben)
        continued = await _read_continued(ana, ben)
    return {"hands of bots": bots, "of an abandoned seat": abandoned, "of a continued game": continued}


async def _read_bots(host: Client) -> str:
    table = await host.open_table(["person", "greedy", "greedy"], modules=["bonus"])
    read = 0
    for seat in (2, 3):
        await host.http.put(f"/api/tables/{table}/seats/{seat}", json={"kind": "open"})
        await host.post(f"/tables/{table}/seats/1/leave")
        read += await _reads(host, table, seat)
        await host.http.post(f"/api/tables/{table}/seats/{seat}/leave")
        await host.post(f"/tables/{table}/seats/1/take")
    return f"{read} of 2"


async def _read_abandoned(host: Client, guest: Client) -> str:
    table = await host.open_table(["person", "open"], starts=False, modules=["bonus"])
    await guest.post(f"/tables/{table}/seats/2/take")
    await host.post(f"/tables/{table}/start")
    await guest.post(f"/tables/{table}/seats/2/leave")
    await host.post(f"/tables/{table}/seats/1/leave")
    read = await _reads(host, table, 2) + await _reads(guest, table, 1)
    return f"{read} of 2"


async def _read_continued(host: Client, guest: Client) -> str:
    lines = sorted((ROOT / "tests" / "golden").glob("*.record"))[0].read_text("utf-8").splitlines()[:60]
    media = {"content-type": "text/plain; charset=utf-8"}
    answer = await host.http.post("/api/records", content="\n".join(lines), headers=media)
    message = answer.raise_for_status().json()
    table, seats = message["table"]["id"], len(message["table"]["seats"])
    read = 0
    for seat in range(1, seats + 1):
        read += await _reads(guest, table, seat)
        await guest.http.post(f"/api/tables/{table}/seats/{seat}/leave")
    return f"{read} of {seats}"


async def _reads(client: Client, table: str, seat: int) -> bool:
    """Whether a client can see the hand of a seat."""
    answer = await client.http.post(f"/api/tables/{table}/seats/{seat}/take", json={})
    own = answer.json().get("own") if answer.is_success else None
    return own is not None and own["seat"] == seat


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure, GRANADA_RATE="0", GRANADA_CREATIONS="0"))
