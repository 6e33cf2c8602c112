"""Play a game over the HTTP API, using only the standard library.

    python examples/play_over_api.py http://localhost:8642                      open a table against a greedy bot
    python examples/play_over_api.py http://localhost:8642/t/TABLE              join a table by its link
    python examples/play_over_api.py http://localhost:8642 --edition granada --bots 2 --record game.record

The program signs up for a token and sends it with every request. It reads the table's messages as a stream of JSON
lines and answers each message that offers actions with one of them. When the game is over it verifies the record.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

Json = dict[str, Any]


class Api:
    """A client for the HTTP API."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self.token: str | None = None

    def open(self, method: str, path: str, body: Json | None = None) -> Any:
        """Send a request and return the response; a refusal raises HTTPError with a problem document (RFC 9457)."""
        headers = {"content-type": "application/json"}
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api{path}", data, headers, method=method)
        return urllib.request.urlopen(request, timeout=60)

    def ask(self, method: str, path: str, body: Json | None = None) -> Json:
        """Send a request and return the decoded JSON."""
        with self.open(method, path, body) as response:
            found: Json = json.load(response)
        return found

    def sign_up(self, name: str) -> None:
        """Get a token; the server shows it only once, so a long-running program should store it."""
        self.token = self.ask("POST", "/programs", {"name": name})["token"]

    def messages(self, table: str) -> Iterator[Json]:
        """Yield the messages of a table, reconnecting if the connection breaks."""
        while True:
            try:
                with self.open("GET", f"/tables/{table}/stream") as lines:
                    for line in lines:
                        if line.strip():  # empty lines are keep-alives
                            yield json.loads(line)
            except urllib.error.HTTPError:
                raise
            except OSError:
                pass
            time.sleep(1)


def choose(message: Json) -> str:
    """Return an action: place tiles, then buy exactly, then buy the most expensive tile, otherwise take money."""
    actions: list[str] = message["own"]["actions"]
    exact = {offer["tile"] for offer in message["own"]["offers"] or [] if offer["fit"] == "exact"}

    def worth(action: str) -> tuple[int, int]:
        words = action.split(" ")
        if words[0] == "place":
            return 6, 0
        if words[0] == "buy":
            price = int(words[1].split("-")[1])
            return (5 if words[1] in exact else 4), price
        if words[0] == "take":
            return 3, sum(int(card[1:]) for card in words[1:] if card[1:].isdigit())
        # Rebuilding comes last: a player who only rebuilds never ends the game.
        return (0 if words[0] in ("add", "remove", "swap") else 2), 0

    return max(actions, key=worth)


def play(api: Api, table: str) -> Json:
    """Play to the end of the game and return the last message."""
    played = -1
    for message in api.messages(table):
        if message["type"] != "table":
            continue  # before a restart the server says so; the stream then ends and is opened again
        if message["table"]["phase"] == "over":
            return message
        own = message["own"]
        if own is None or not own["actions"] or message["n"] == played:
            continue
        # A command is executed once per id, so a request can be repeated if its response was lost.
        command = {"type": "act", "id": uuid.uuid4().hex, "n": message["n"], "action": choose(message)}
        try:
            api.ask("POST", f"/tables/{table}/commands", command)
            played = message["n"]
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            if problem["code"] not in ("stale", "not_your_turn", "over"):
                raise SystemExit(f"{problem['code']}: {problem['detail']}") from None
            # The table has changed, for example because a bot took over for us: wait for the next message.
    raise AssertionError("the stream of messages never ends")


def sit_down(api: Api, link: str, name: str, edition: str, bots: int) -> str:
    """Take the first open seat at the linked table, or open and start a new table; return the table's id."""
    table: str = urlsplit(link).path.rpartition("/t/")[2]
    if not table:
        seats = [{"kind": "person", "name": name}, *[{"kind": "bot", "level": "greedy"}] * bots]
        table = api.ask("POST", "/tables", {"seats": seats, "options": {"edition": edition}})["table"]["id"]
        api.ask("POST", f"/tables/{table}/start")
        return table
    for seat in api.ask("GET", f"/tables/{table}")["table"]["seats"]:
        if seat["kind"] == "open":
            try:
                api.ask("POST", f"/tables/{table}/seats/{seat['seat']}/take", {"name": name})
            except urllib.error.HTTPError as error:
                if error.code != 409:
                    raise
                continue  # the seat was just taken: try the next one
            return table
    raise SystemExit("this table has no open seat")


def main() -> int:
    """Play one game."""
    parser = argparse.ArgumentParser(description="play a game over the HTTP API")
    parser.add_argument("link", help="the address of a server, or the link of a table")
    parser.add_argument("--name", default="Example")
    parser.add_argument("--edition", default="alhambra", choices=("alhambra", "granada", "combined"))
    parser.add_argument("--bots", type=int, default=1, help="number of greedy bots at a new table")
    parser.add_argument("--record", help="file to write the record to")
    arguments = parser.parse_args()
    parts = urlsplit(arguments.link)
    api = Api(f"{parts.scheme}://{parts.netloc}")
    api.sign_up(arguments.name)
    table = sit_down(
        api, arguments.link if parts.path.strip("/") else "", arguments.name, arguments.edition, arguments.bots
    )
    commitment = api.ask("GET", f"/tables/{table}")["table"]["commitment"]
    print(f"{api.address}/t/{table}", flush=True)
    last = play(api, table)
    for seat, player in zip(last["table"]["seats"], last["view"]["players"], strict=True):
        print(f"{seat['name']}: {player['score']}{' wins' if seat['seat'] in last['view']['winners'] else ''}")
    with api.open("GET", f"/tables/{table}/record") as response:
        record = response.read().decode()
    if arguments.record:
        with open(arguments.record, "w", encoding="utf-8", newline="") as file:
            file.write(record)
    return verify(record, commitment or last["table"]["commitment"])


def verify(record: str, commitment: str) -> int:
    """Verify the shuffle against the commitment if the package granada is installed; return the exit status."""
    try:
        from granada.records.shuffle import verify as check
    except ImportError:
        print("Install granada to check the record: granada verify FILE")
        return 0
    proof = check(record)
    if proof.commitment != commitment:
        print(f"The record commits to {proof.commitment}, but {commitment} was shown.", file=sys.stderr)
        return 1
    print(f"The seed gives all {proof.lines} lines of chance of {proof.actions} actions.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
