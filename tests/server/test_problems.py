"""Problem documents."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from granada.api.call import body_of
from granada.server.http import problems
from granada.server.http.request_context import HttpCall
from granada.server.http.routing import HttpEndpoints
from granada.server.ops.metrics import REGISTRY
from granada.tables.errors import CODES, TableError

SECRET = "table-Xy12-secret"


def application() -> Starlette:
    endpoints = HttpEndpoints()

    @endpoints.get("/illegal")
    async def illegal(request: Request) -> Response:
        raise TableError("illegal", "the tile would not touch the city along an edge", rule="5.4")

    @endpoints.get("/failing")
    async def failing(request: Request) -> Response:
        raise KeyError(SECRET)

    @endpoints.get("/tables/{number}")
    async def numbered(request: Request, number: int, page: int = 0) -> Response:
        return Response(str(number + page))

    @endpoints.post("/options")
    async def options(request: Request) -> Response:
        return Response(str(len(await body_of(HttpCall(request), dict[str, int]))))

    async def early(socket: WebSocket) -> None:
        raise TableError("no_seat", "the seat belongs to somebody else")

    async def late(socket: WebSocket) -> None:
        await socket.accept()
        raise TableError("over", "the game is over")

    app = Starlette(routes=[*endpoints.routes(), WebSocketRoute("/early", early), WebSocketRoute("/late", late)])
    app.state.context = SimpleNamespace(operations=None)
    problems.install(app)
    return app


@pytest.fixture
def client() -> TestClient:
    return TestClient(application(), raise_server_exceptions=False)


def test_a_refusal_is_a_problem_document_with_its_code_and_its_rule(client: TestClient) -> None:
    answer = client.get("/illegal")
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "/api/problems/illegal",
        "title": "The action is illegal",
        "status": 409,
        "detail": "the tile would not touch the city along an edge",
        "code": "illegal",
        "rule": "5.4",
        "reason": None,
    }


def test_the_status_follows_from_the_code_unless_another_is_given() -> None:
    assert TableError("stale", "…").status == 409
    assert TableError("malformed", "…", 422).status == 422
    with pytest.raises(KeyError):
        TableError("no_such_code", "…")


def test_no_code_was_lost_or_got_another_status() -> None:
    by_status = {
        400: {"malformed", "bad_options", "bad_record", "bad_code", "bad_result"},
        401: {"unauthorized"},
        403: {"hand_seen", "not_host", "no_seat", "forbidden_origin", "spectators_off"},
        404: {"not_found", "unknown_code"},
        405: {"method_not_allowed"},
        409: {"illegal", "stale", "not_your_turn", "seat_taken", "not_running", "running", "over", "purist", "undo_off"}
        | {"nothing_to_undo", "nothing_held", "not_ready", "old_rules", "damaged", "too_many_changes", "not_over"}
        | {"bad_turn", "puzzle", "not_late", "daily_seats", "daily_hints", "daily_future", "daily_past"},
        413: {"too_large"},
        415: {"unsupported_media"},
        429: {"too_many", "too_soon"},
        500: {"internal"},
        503: {"unavailable"},
    }
    assert {code: status for status, codes in by_status.items() for code in codes} == {
        code: entry.status for code, entry in CODES.items()
    }


def test_an_unknown_address_and_a_wrong_method_are_problems_too(client: TestClient) -> None:
    answer = client.get(f"/nothing/{SECRET}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert SECRET not in answer.text
    answer = client.delete("/illegal")
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (405, "method_not_allowed", "GET")


def test_what_cannot_be_read_is_named_by_its_place(client: TestClient) -> None:
    answer = client.get(f"/tables/{SECRET}?page=x")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["detail"].startswith("path.number: ")
    assert SECRET not in answer.text
    assert client.get("/tables/7?page=x").json()["detail"].startswith("query.page: ")
    assert client.get("/tables/7?page=3").text == "10"
    answer = client.post("/options", content=b"{", headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["detail"].startswith("the body is invalid: ")


def test_of_a_failure_the_client_learns_nothing(client: TestClient) -> None:
    answer = client.get("/failing")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert answer.headers["content-type"] == "application/problem+json"
    for word in (SECRET, "KeyError", "Traceback", ".py"):
        assert word not in answer.text


def test_a_socket_is_refused_before_it_is_accepted_and_closed_after(client: TestClient) -> None:
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect("/early"):
        pass
    assert (denied.value.status_code, denied.value.json()["code"]) == (403, "no_seat")
    with client.websocket_connect("/late") as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_text()
    assert (closed.value.code, closed.value.reason) == (1008, "over")


def test_refusals_are_counted_by_code(client: TestClient) -> None:
    def count() -> float:
        return REGISTRY.get_sample_value("granada_errors_total", {"code": "illegal"}) or 0

    before = count()
    client.get("/illegal")
    assert count() == before + 1


@pytest.mark.parametrize(
    ("status", "code"), [(418, "malformed"), (413, "too_large"), (503, "unavailable"), (504, "internal")]
)
def test_what_the_framework_refuses_keeps_its_status_and_its_sentence(status: int, code: str) -> None:
    error, headers = problems.error_of(HTTPException(status, "so it is", {"x-more": "1"}))
    assert (error.status, error.code, error.detail, headers) == (status, code, "so it is", {"x-more": "1"})
