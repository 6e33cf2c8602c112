"""Play a game over a WebSocket, like the web client: `pip install websockets`.

    python examples/play_over_socket.py http://localhost:8642 --edition granada
    python examples/play_over_socket.py http://localhost:8642/t/TABLE

Commands go out and messages come in over the same socket. The reply to a command has its id in `answers`.
"""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from urllib.parse import urlsplit

from play_over_api import Api, Json, choose, sit_down, verify
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def play(api: Api, table: str) -> Json:
    """Play to the end of the game and return the last message."""
    address = f"{api.address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    while True:
        headers = {"authorization": f"Bearer {api.token}"}
        try:
            with connect(address, additional_headers=headers, max_size=None) as socket:
                for text in socket:
                    message: Json = json.loads(text)
                    if message["type"] == "problem":
                        # The current message follows, so there is nothing else to do.
                        print(f"{message['code']}: {message['detail']}", file=sys.stderr)
                    if message["type"] != "table":
                        continue
                    if message["table"]["phase"] == "over":
                        return message
                    if message["own"] and message["own"]["actions"]:
                        command = {"type": "act", "id": uuid.uuid4().hex, "n": message["n"], "action": choose(message)}
                        socket.send(json.dumps(command))
        except ConnectionClosed:
            print("The connection is lost; reconnecting.", file=sys.stderr)


def main() -> int:
    """Play one game."""
    parser = argparse.ArgumentParser(description="play a game over a WebSocket")
    parser.add_argument("link", help="the address of a server, or the link of a table")
    parser.add_argument("--name", default="Socket")
    parser.add_argument("--edition", default="alhambra", choices=("alhambra", "granada", "combined"))
    parser.add_argument("--bots", type=int, default=1, help="number of greedy bots at a new table")
    arguments = parser.parse_args()
    parts = urlsplit(arguments.link)
    api = Api(f"{parts.scheme}://{parts.netloc}")
    api.sign_up(arguments.name)
    table = sit_down(
        api, arguments.link if parts.path.strip("/") else "", arguments.name, arguments.edition, arguments.bots
    )
    print(f"{api.address}/t/{table}", flush=True)
    last = play(api, table)
    for seat, player in zip(last["table"]["seats"], last["view"]["players"], strict=True):
        print(f"{seat['name']}: {player['score']}{' wins' if seat['seat'] in last['view']['winners'] else ''}")
    with api.open("GET", f"/tables/{table}/record") as response:
        record: str = response.read().decode()
    return verify(record, last["table"]["commitment"])


if __name__ == "__main__":
    sys.exit(main())
