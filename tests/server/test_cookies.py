"""The server's cookie among other cookies of the same host."""

from __future__ import annotations

import json
import socket as sockets
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from starlette.datastructures import Headers
from websockets.sync.client import connect

from granada.server.http.credentials import secret_in_cookie
from granada.tables.holders import new_secret
from tests.server.running import PATIENCE, Guest, RunningServer, running

#: Cookies of other programs, as seen on real hosts; each is sent before ours.
FOREIGN = [
    'prefs={"a": "b"}',
    "name=Ana Maria",
    "a[0]=1",
    "novalue",
    "=nameless",
    'half="open',
    "note=a,b c=d",
    "träume=ä",
    "tab=a\tb",
    "granada=of-another-program",
    "granada=",
    "; ;;",
    "long=" + "x" * 20_000,
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("cookies")) as found:
        yield found


def read(*lines: str) -> str | None:
    return secret_in_cookie(Headers(raw=[(b"cookie", line.encode()) for line in lines]))


def test_our_cookie_is_found_in_every_form() -> None:
    secret = new_secret()
    assert read(f"granada={secret}") == secret
    assert read(f'granada="{secret}"') == secret
    assert read(f" granada = {secret} ;x=1") == secret
    assert read("a=1", f"granada={secret}") == secret
    assert read(f"granada=short; granada={secret}; granada={new_secret()}") == secret


def test_what_only_looks_like_our_cookie_is_not_taken() -> None:
    secret = new_secret()
    for line in (
        f"xgranada={secret}",
        f"Granada={secret}",
        f"granada={secret}x",
        f'granada="{secret}',
        f"a=granada={secret}",
    ):
        assert read(line) is None, line


@pytest.mark.parametrize("foreign", FOREIGN)
def test_a_foreign_cookie_ahead_of_ours_takes_no_seat_away(server: RunningServer, foreign: str) -> None:
    with Guest(server) as ana:
        table = ana.open_table(["person", "greedy"])
        ana.start(table)
        cookie = f"{foreign}; {ana.cookie()}"
    head, body = _raw(server, f"GET /api/tables/{table}", cookie)
    assert [seat["is_yours"] for seat in body["table"]["seats"]] == [True, False]
    assert body["own"]["seat"] == 1
    # A new cookie would replace the one that has the seat.
    head, _ = _raw(server, f"POST /api/tables/{table}/seats/1/take", cookie, '{"name": "Ana"}')
    assert head.startswith("HTTP/1.1 200")
    assert "set-cookie" not in head.lower()
    url = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    if foreign.isascii():  # the client library cannot send other characters
        with connect(url, additional_headers={"cookie": cookie}, open_timeout=PATIENCE) as connection:
            assert json.loads(connection.recv(PATIENCE))["own"]["seat"] == 1


def test_a_header_that_is_far_too_long_hurts_nobody(server: RunningServer) -> None:
    with Guest(server) as ana:
        table = ana.open_table(["person", "greedy"])
        _, body = _raw(server, f"GET /api/tables/{table}", ";" * 60_000 + ana.cookie())
        assert body["table"]["is_host"]
        for cookie in ("x=" + "y" * 500_000, "granada=" * 50_000, ";" * 200_000):
            with suppress(ConnectionError):  # rejected before the whole request was sent
                assert _send(server, f"GET /api/tables/{table}", cookie).startswith(b"HTTP/1.1 4")
        assert ana.get(f"/tables/{table}")["table"]["is_host"]


def _raw(server: RunningServer, request: str, cookie: str, body: str = "") -> tuple[str, dict[str, Any]]:
    """Return the head and the body of the response to a request with exactly this cookie header."""
    head, _, content = _send(server, request, cookie, body).partition(b"\r\n\r\n")
    return head.decode(), json.loads(content)


def _send(server: RunningServer, request: str, cookie: str, body: str = "") -> bytes:
    lines = [f"{request} HTTP/1.1", "Host: x", f"Cookie: {cookie}", "Connection: close"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    found = b""
    with sockets.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
        connection.sendall("\r\n".join([*lines, "", body]).encode())
        while piece := connection.recv(65536):
            found += piece
    return found
