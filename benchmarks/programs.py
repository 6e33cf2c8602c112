"""The duration of a game between a program and bots, with the default settings.

    python -m benchmarks.programs --code OLD/src src

A program plays against two random bots over a socket.
"""

from __future__ import annotations

import json
import random
import sys
import time

from benchmarks.attacks.harness import VISITOR, AttackedServer, Client, Row, ask, compare

#: Seconds after which the game is abandoned.
TIMEOUT = 90.0


async def measure(server: AttackedServer) -> Row:
    """Play one game."""
    choose = random.Random(1)
    async with Client(server.url, VISITOR) as client:
        token = (await client.post("/programs", {"name": "Robot"}))["token"]
        del client.headers["cookie"], client.http.headers["cookie"]
        client.headers["authorization"] = client.http.headers["authorization"] = f"Bearer {token}"
        table = await client.open_table(["person", "random", "random"])
        start = time.monotonic()
        async with client.socket(table) as socket:
            message = json.loads(await socket.recv())
            while message["table"]["phase"] == "playing" and time.monotonic() < start + TIMEOUT:
                actions = message["own"]["actions"]
                if actions:
                    building = [one for one in actions if not one.startswith(("remove", "swap", "add"))]
                    action = choose.choice(building or actions)
                    message = await ask(socket, type="act", n=message["n"], action=action)
                else:
                    message = json.loads(await socket.recv())
    duration = time.monotonic() - start
    return {"actions": str(message["n"]), "phase": message["table"]["phase"], "seconds": f"{duration:.1f}"}


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure))
