"""The server's log: complete lines without secrets."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from granada.server.http import problems
from granada.server.http.middleware import AccessLog
from granada.server.http.routing import HttpEndpoints
from granada.server.ops import logs
from granada.server.ops.metrics import REGISTRY
from granada.tables import log

SECRET = "Xy12Zz-secret"


@pytest.fixture(autouse=True)
def quiet_again() -> Iterator[None]:
    """Restore the configuration of logging."""
    loggers = [logging.getLogger(name) for name in ("", "granada", "uvicorn", "uvicorn.error", "uvicorn.access")]
    before = [(one, one.level, one.handlers[:], one.propagate) for one in loggers]
    yield
    for one, level, handlers, propagate in before:
        one.setLevel(level)
        one.handlers[:] = handlers
        one.propagate = propagate


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    logs.configure("json")
    return stream


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_an_object_with_time_level_event_and_fields(written: io.StringIO) -> None:
    log.log("table opened", table=log.shortened(SECRET), seats=3, public=False)
    log.warn("slow\ndisk", level="greedy", time=7)
    first, second = lines(written)
    assert first.pop("time").endswith("+00:00")
    short = log.shortened(SECRET)
    assert first == {"level": "info", "event": "table opened", "table": short, "seats": 3, "public": False}
    assert list(first) == ["level", "event", "table", "seats", "public"]
    assert (second["level"], second["event"], second["level_"], second["time_"]) == (
        "warning",
        "slow\ndisk",
        "greedy",
        7,
    )


def test_a_table_has_the_same_short_name_always_and_nobody_finds_its_id_from_it() -> None:
    assert log.shortened(SECRET) == log.shortened(SECRET)
    assert log.shortened(SECRET) != log.shortened(SECRET + "!")
    assert len(log.shortened(SECRET)) == 10
    assert SECRET[:4] not in log.shortened(SECRET)


class Holder:
    def __repr__(self) -> str:
        return SECRET


def test_a_failure_tells_what_and_where_but_no_values(written: io.StringIO) -> None:
    def find(token: str) -> None:
        try:
            os.environ[token]
        except KeyError as error:
            raise PermissionError(13, "not allowed", token) from error

    try:
        find(SECRET)
    except PermissionError as error:
        log.fail("seat lost", error, holder=Holder())
    (line,) = lines(written)
    assert line["error"] == "PermissionError (not allowed) from KeyError"
    assert line["where"][0].startswith(__file__)
    assert line["where"][0].endswith(" find")
    assert line["holder"] == "<Holder>"
    assert SECRET not in written.getvalue()


def test_what_uvicorn_and_asyncio_write_becomes_lines_without_secrets(written: io.StringIO) -> None:
    uvicorn = logging.getLogger("uvicorn.error")
    uvicorn.info("Started server process [%d]", 7, extra={"color_message": "x"})
    uvicorn.info('%s - "WebSocket %s" [accepted]', "1.2.3.4:5", f"/api/tables/{SECRET}")
    uvicorn.info('%s - "WebSocket %s" %d', "1.2.3.4:5", f"/api/tables/{SECRET}", 429)
    uvicorn.info("connection open")
    uvicorn.error("ASGI callable returned without completing handshake.")
    logging.getLogger("uvicorn.access").info('%s "%s"', "1.2.3.4", SECRET)
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        uvicorn.error("Exception in ASGI application\n", exc_info=error)
    loop = asyncio.new_event_loop()
    loop.call_exception_handler({"message": "Task exception was never retrieved", "future": Holder()})
    loop.close()
    assert [(line["event"], line["level"], line["logger"]) for line in lines(written)] == [
        ("Started server process [7]", "info", "uvicorn.error"),
        ("Exception in ASGI application", "error", "uvicorn.error"),
        ("Task exception was never retrieved", "error", "asyncio"),
    ]
    assert lines(written)[1]["error"] == "ValueError"
    assert SECRET not in written.getvalue()


def test_people_read_plain_lines_that_nobody_can_forge(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    logs.configure("plain")
    log.log("table opened", seats=3, word="two words", bad="a\n12:00:00 info forged \x1b[2J")
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        log.fail("broken", error)
    first, second, third = stream.getvalue().splitlines()
    assert first[8:] == r' info    table opened seats=3 word="two words" bad="a\n12:00:00 info forged \x1b[2J"'
    assert second.endswith(" error   broken error=ValueError where=")
    assert third.startswith(f"    {__file__}:")


def test_the_style_follows_the_setting_and_otherwise_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    assert [logs.style_of(setting) for setting in ("", "json", "plain")] == ["plain", "json", "plain"]
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert [logs.style_of(setting) for setting in ("", "json", "plain")] == ["json", "json", "plain"]


def served(folder: Path) -> TestClient:
    endpoints = HttpEndpoints()

    @endpoints.get("/api/tables/{table}")
    async def table(request: Request, table: str) -> Response:
        return Response(table)

    @endpoints.get("/failing/{table}")
    async def failing(request: Request, table: str) -> Response:
        raise ValueError(table)

    async def socket(socket: WebSocket) -> None:
        if socket.path_params["table"] == "closed":
            await socket.close()
        else:
            await socket.accept()
            await socket.close()

    sockets = WebSocketRoute("/api/tables/{table}/socket", socket)
    app = Starlette(routes=[*endpoints.routes(), sockets, Mount("/files", StaticFiles(directory=folder))])
    problems.install(app)
    return TestClient(AccessLog(app), raise_server_exceptions=False)


def test_the_access_log_and_the_count_name_routes_and_never_paths(written: io.StringIO, tmp_path: Path) -> None:
    client = served(tmp_path)
    client.cookies.set("seat", SECRET)
    client.get(f"/api/tables/{SECRET}?token={SECRET}", headers={"authorization": f"Bearer {SECRET}"})
    client.post(f"/api/tables/{SECRET}")
    client.get(f"/nothing/{SECRET}")
    client.get(f"/failing/{SECRET}")
    client.get(f"/files/{SECRET}")
    client.request(SECRET, "/api/tables/a")
    with client.websocket_connect(f"/api/tables/{SECRET}/socket"):
        pass
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/tables/closed/socket"):
        pass
    seen = [(line["event"], line["method"], line["route"], line["status"]) for line in lines(written)]
    assert seen == [
        ("request", "GET", "/api/tables/{table}", 200),
        ("request", "POST", "/api/tables/{table}", 405),
        ("request", "GET", "unknown", 404),
        ("request", "GET", "/failing/{table}", 500),
        ("request", "GET", "/files/*", 404),
        ("request", "other", "/api/tables/{table}", 405),
        ("request", "SOCKET", "/api/tables/{table}/socket", 101),
        ("request", "SOCKET", "/api/tables/{table}/socket", 403),
    ]
    assert all([0 <= line["ms"] < 60_000 for line in lines(written)])
    assert SECRET not in written.getvalue()
    labels = {"method": "GET", "route": "/failing/{table}", "status": "500"}
    assert REGISTRY.get_sample_value("granada_http_requests_total", labels) == 1
    assert not [s for m in REGISTRY.collect() for s in m.samples if SECRET in str(s.labels)]
