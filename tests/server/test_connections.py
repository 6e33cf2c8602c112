"""Clients that never finish a request, disconnect, or send too much."""

from __future__ import annotations

import resource
import socket as sockets
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from granada.server.http import connections
from tests.server.running import PATIENCE, Guest, RunningServer, running

HALF_A_HEAD = b"GET /api/tables HTTP/1.1\r\nHost: x\r\n"
HALF_A_BODY = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("connections")) as found:
        yield found


def connect(server: RunningServer, sent: bytes = b"") -> sockets.socket:
    connection = sockets.create_connection(("127.0.0.1", server.port), PATIENCE)
    connection.sendall(sent)
    return connection


@pytest.mark.parametrize("sent", [b"", HALF_A_HEAD, HALF_A_BODY], ids=["nothing", "half a head", "half a body"])
def test_many_half_open_requests_do_not_use_up_the_files_of_the_server(tmp_path: Path, sent: bytes) -> None:
    with running(tmp_path) as server, Guest(server) as ana, ExitStack() as opened:
        assert server.process is not None
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (256, 256))
        table = ana.open_table(["person", "person"])
        ana.start(table)
        socket = opened.enter_context(ana.socket(table))
        socket.next()
        for _ in range(600):
            opened.enter_context(connect(server, sent))
        began = time.monotonic()
        assert httpx.get(f"{server.url}/healthz", timeout=PATIENCE).status_code == 200
        assert httpx.get(f"{server.url}/api/tables", timeout=PATIENCE).status_code == 200
        assert time.monotonic() - began < connections.REQUEST_TIMEOUT  # closed by the server, not by a client timeout
        assert socket.ask(type="look")["n"] == 0


def test_a_request_that_never_ends_is_given_up_and_an_open_stream_is_not(server: RunningServer) -> None:
    with Guest(server) as ana:
        table = ana.open_table(["person", "person"])
        message = ana.start(table)
        stream = f"GET /api/tables/{table}/stream HTTP/1.1\r\nHost: x\r\nCookie: {ana.cookie()}\r\n\r\n".encode()
        late = [connect(server, sent) for sent in (b"", HALF_A_HEAD, HALF_A_BODY)]
        late.append(connect(server, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"))
        answer = b""
        while not answer.endswith(b"}"):
            answer += late[-1].recv(65536)
        late[-1].sendall(HALF_A_HEAD)  # the limit also applies to the second request of a connection
        kept = connect(server, stream)
        with ana.socket(table) as socket:
            socket.next()
            for connection in late:
                with connection:
                    assert connection.recv(100).startswith(b"HTTP/1.1 408 ")
                    assert connection.recv(100) == b""
            played = socket.ask(type="act", n=message["n"], action=message["own"]["actions"][0])
            assert played["n"] == message["n"] + 1
        with kept:
            kept.settimeout(PATIENCE)
            received = b""
            while f'"n":{message["n"] + 1}'.encode() not in received:
                piece = kept.recv(1 << 20)
                assert piece, received[-200:]
                received += piece


def test_a_socket_with_a_header_that_is_too_long_is_refused_at_once(server: RunningServer) -> None:
    head = (
        "GET /api/tables/AAAAAAAAAAAAAAAA/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    )
    many = "".join([f"X-{i}: 1\r\n" for i in range(500)])
    with connect(server, f"{head}{many}\r\n".encode()) as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 431 ")


# Bodies


def test_a_body_that_is_broken_off_is_no_fault_of_the_server(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        for sent in (HALF_A_BODY, HALF_A_BODY.replace(b"Content-Length: 100", b"Transfer-Encoding: chunked")):
            connect(server, sent).close()
        until = time.monotonic() + PATIENCE
        while server.log().count('"status":499') < 2:
            assert time.monotonic() < until, server.log()[-2000:]
            time.sleep(0.05)
        assert '"level":"error"' not in server.log()
        metrics = httpx.get(f"{server.url}/metrics", timeout=PATIENCE).text
        assert 'granada_errors_total{code="internal"}' not in metrics


@pytest.mark.parametrize("path", ["/api/tables", "/api/records"])
@pytest.mark.parametrize("megabytes", [1, 20, 40])
def test_a_client_that_sends_far_too_much_before_it_reads_gets_an_answer(
    server: RunningServer, path: str, megabytes: int
) -> None:
    size = megabytes << 20
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    for length in (f"Content-Length: {size}\r\n\r\n", f"Transfer-Encoding: chunked\r\n\r\n{size:x}\r\n"):
        with connect(server, f"{head}{length}".encode()) as connection:
            connection.sendall(b"x" * size + b"\r\n0\r\n\r\n" * length.startswith("Transfer"))
            connection.shutdown(sockets.SHUT_WR)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert b'"code":"too_large"' in answer


def test_the_answer_comes_before_the_body_has_been_sent(server: RunningServer) -> None:
    head = "POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n{}\r\n"
    for expecting in ("", "Expect: 100-continue\r\n"):
        with connect(server, head.format(expecting).encode()) as connection:
            assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")


# Redirects and caches


def test_no_address_is_redirected_to_where_a_request_says_it_came(server: RunningServer) -> None:
    for path in ("/api/tables/", "/healthz/", "/api/components/", "/assets", "/t/AAAAAAAAAAAAAAAA/", "//evil.example/"):
        answer = httpx.get(f"{server.url}{path}", headers={"host": "evil.example"}, timeout=PATIENCE)
        assert "location" not in answer.headers, path
        assert "evil.example" not in answer.text
    posted = httpx.post(f"{server.url}/api/tables/", json={"seats": [{}, {}]}, timeout=PATIENCE)
    assert (posted.status_code, posted.json()["code"]) == (404, "not_found")


def test_an_answer_that_sets_a_cookie_is_kept_by_no_cache(server: RunningServer) -> None:
    made = httpx.post(f"{server.url}/api/tables", json={"seats": [{}, {}]}, timeout=PATIENCE)
    page = httpx.get(f"{server.url}/", timeout=PATIENCE)
    assert made.headers["cache-control"] == "private, no-store"
    if "set-cookie" in page.headers:  # works without a built page, too
        assert page.headers["cache-control"] == "private, no-store"
    known = httpx.get(f"{server.url}/", headers={"cookie": made.headers["set-cookie"].split(";")[0]}, timeout=PATIENCE)
    assert "set-cookie" not in known.headers
    assert known.headers["cache-control"] != "private, no-store"
