"""S3: cookies of other programs on the same host make a player lose the seat.

    python -m benchmarks.attacks.cookies --code OLD/src src

Each foreign cookie is sent before the player's own, over HTTP and over a socket.
"""

from __future__ import annotations

import asyncio
import json
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake

from benchmarks.attacks.harness import VISITOR, AttackedServer, Client, Row, compare

FOREIGN = (
    'prefs={"a": "b"}',
    "name=Ana Maria",
    "a[0]=1",
    'half="open',
    "granada=of-another-program",
    "long=" + "x" * 20_000,
)


async def measure(server: AttackedServer) -> Row:
    """Count the cookies that hide the player's own, and those that make the server replace it."""
    over_http = over_socket = replaced = 0
    async with Client(server.url, VISITOR) as client:
        table = await client.open_table(["person", "greedy"])
        for foreign in FOREIGN:
            headers = {"cookie": f"{foreign}; {client.cookie}", "x-forwarded-for": VISITOR}
            seen = await client.http.get(f"/api/tables/{table}", headers=headers)
            over_http += seen.json()["own"] is None
            opened = await client.http.post("/api/tables", json={"seats": [{}, {}]}, headers=headers)
            replaced += "set-cookie" in opened.headers
            url = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
            try:
                async with connect(url, additional_headers=headers, open_timeout=10) as socket:
                    over_socket += json.loads(await asyncio.wait_for(socket.recv(), 10))["own"] is None
            except (InvalidHandshake, TimeoutError):
                over_socket += 1
    return {
        "seat lost over HTTP": f"{over_http} of {len(FOREIGN)}",
        "over a socket": f"{over_socket} of {len(FOREIGN)}",
        "cookie replaced": f"{replaced} of {len(FOREIGN)}",
    }


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure, GRANADA_RATE="0", GRANADA_CREATIONS="0"))
