"""The middleware that every request passes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.types import Message, Scope
from starlette.websockets import WebSocket

from granada.server.http import problems
from granada.server.http.addresses import address_of, client_key
from granada.server.http.middleware import Limits, OriginGuard, parse_origin, with_middleware
from granada.server.http.routing import HttpEndpoints
from granada.tables.rate_limit import Bucket, Buckets


def served(limits: Limits | None = None, base: str = "http://testserver") -> TestClient:
    endpoints = HttpEndpoints()

    @endpoints.get("/")
    async def page(request: Request) -> Response:
        return Response("page")

    @endpoints.get("/api/tables")
    async def tables(request: Request) -> Response:
        return JSONResponse([])

    @endpoints.get("/api/kept")
    async def kept(request: Request) -> Response:
        headers = {"cache-control": "max-age=60", "content-security-policy": "default-src 'self'"}
        return Response("kept", headers=headers)

    @endpoints.get("/healthz")
    async def health(request: Request) -> Response:
        return Response(f"well, {address_of(request.scope)}")

    @endpoints.get("/failing")
    async def failing(request: Request) -> Response:
        raise ValueError

    @endpoints.post("/api/tables")
    @endpoints.post("/api/tables/{table}/record")
    async def size(request: Request, table: str = "") -> Response:
        return JSONResponse(len(await request.body()))

    async def socket(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text("welcome")
        await socket.close()

    app = Starlette(routes=[*endpoints.routes(), WebSocketRoute("/api/socket", socket)])
    problems.install(app)
    return TestClient(with_middleware(app, limits or Limits()), base, raise_server_exceptions=False)


# Headers


@pytest.mark.parametrize("path", ["/", "/api/tables", "/nothing", "/failing"])
def test_every_answer_has_the_headers_even_one_to_a_failure(path: str) -> None:
    headers = served().get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; ")
    assert headers["content-security-policy"].endswith("base-uri 'none'; frame-ancestors 'none'")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]


def test_answers_of_the_api_are_not_kept_unless_they_say_so() -> None:
    client = served()
    assert client.get("/api/tables").headers["cache-control"] == "no-store"
    assert client.get("/api/nothing").headers["cache-control"] == "no-store"
    assert "cache-control" not in client.get("/").headers
    kept = client.get("/api/kept").headers
    assert kept.get_list("cache-control") == ["max-age=60"]
    assert kept.get_list("content-security-policy") == ["default-src 'self'"]


# Bodies


def pieces(count: int) -> Iterator[bytes]:
    for _ in range(count):
        yield b"x" * 100


SMALL = Limits(body_limit=1000, larger_bodies={"/api/tables/{table}/record": 3000})


def test_a_body_up_to_the_limit_arrives_whole() -> None:
    client = served(SMALL)
    assert client.post("/api/tables", content=b"x" * 1000).json() == 1000
    assert client.post("/api/tables", content=pieces(10)).json() == 1000
    assert client.post("/api/tables").json() == 0


@pytest.mark.parametrize("path", ["/api/tables", "/nothing"])
def test_a_body_above_the_limit_is_refused(path: str) -> None:
    client = served(SMALL)
    for answer in (client.post(path, content=b"x" * 1001), client.post(path, content=pieces(11))):
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_some_paths_take_larger_bodies() -> None:
    client = served(SMALL)
    assert client.post("/api/tables/any/record", content=pieces(30)).json() == 3000
    assert client.post("/api/tables/any/record", content=pieces(31)).status_code == 413
    assert client.post("/api/tables/a/b/record", content=pieces(30)).status_code == 413


def test_a_length_is_refused_before_anything_is_read() -> None:
    client = served(SMALL)
    lengths = {"1001": 413, "9" * 5000: 413, "-1": 400, "ten": 400, "²": 400, "0000000000000001": 200}
    for length, status in lengths.items():
        answer = client.post("/api/tables", content=b"x", headers={b"content-length": length.encode()})
        assert answer.status_code == status, length


# Origins


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("testserver", "http://testserver"),
        ("testserver", "https://testserver"),
        ("testserver:8642", "http://testserver:8642"),
        ("testserver:443", "https://testserver"),
        ("TESTserver", "http://testserver:80"),
        ("[::1]:8642", "http://[::1]:8642"),
        ("inner:8642", "https://club.example"),
        ("inner:8642", "https://club.example:443"),
        ("inner:8642", "http://localhost:5173"),
    ],
)
def test_the_own_pages_may_act(host: str, origin: str) -> None:
    client = served(Limits(public_url="https://club.example/", allowed_origins=["http://localhost:5173"]))
    headers = {"host": host, "origin": origin, "cookie": "seat=1", "sec-fetch-site": "same-origin"}
    assert client.post("/api/tables", headers=headers).status_code == 200
    with client.websocket_connect("/api/socket", headers=headers) as socket:
        assert socket.receive_text() == "welcome"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://testserver:8642",
        "http://testserver.evil.example",
        "http://club.example",
        "https://club.example:8443",
        "http://testserver@evil.example",
        "http://evil@testserver",
        "http://testserver:x",
        "ftp://testserver",
        "null",
        "",
        "testserver",
    ],
)
def test_the_pages_of_others_may_not_act_but_everybody_may_read(origin: str) -> None:
    client = served(Limits(public_url="https://club.example"))
    answer = client.post("/api/tables", headers={"origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden_origin")
    with (
        pytest.raises(WebSocketDenialResponse) as denied,
        client.websocket_connect("/api/socket", headers={"origin": origin}),
    ):
        pass
    assert (denied.value.status_code, denied.value.json()["code"]) == (403, "forbidden_origin")
    assert client.get("/api/tables", headers={"origin": origin}).status_code == 200


def test_without_an_origin_a_cookie_counts_only_from_the_own_pages() -> None:
    client = served()
    for site, status in {"cross-site": 403, "same-site": 403, "same-origin": 200, "none": 200}.items():
        headers = {"cookie": "seat=1", "sec-fetch-site": site}
        assert client.post("/api/tables", headers=headers).status_code == status
        assert client.post("/api/tables", headers={"sec-fetch-site": site}).status_code == 200


def test_programs_with_neither_origin_nor_cookie_pass() -> None:
    client = served()
    headers = {"authorization": "Bearer token"}
    assert client.post("/api/tables", headers=headers).status_code == 200
    with client.websocket_connect("/api/socket", headers=headers) as socket:
        assert socket.receive_text() == "welcome"


def test_a_server_that_cannot_refuse_a_socket_with_an_answer_closes_it() -> None:
    sent: list[Message] = []

    async def nothing(*_: object) -> None:
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "websocket", "path": "/", "headers": [(b"origin", b"null")]}
    call = OriginGuard(nothing)(scope, nothing, send)  # type: ignore[arg-type]
    with pytest.raises(StopIteration):
        call.send(None)
    assert sent == [{"type": "websocket.close", "code": 1008, "reason": "forbidden_origin"}]


def test_a_public_address_must_be_an_address() -> None:
    assert parse_origin("https://Club.example/any?thing") == ("https", "club.example", 443)
    with pytest.raises(ValueError, match=r"club\.example is not an address"):
        OriginGuard(Starlette(), "club.example")


# Rates


class Hand:
    """A clock that tests advance."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_its_burst_then_its_rate_and_says_how_long_to_wait() -> None:
    clock = Hand()
    bucket = Bucket(2.0, 3, clock)
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now += 0.25
    assert bucket.take() == pytest.approx(0.25)
    clock.now += 0.25
    assert [bucket.take(), bucket.take()] == [0, 0.5]
    clock.now += 1000
    assert [bucket.take() == 0 for _ in range(4)] == [True, True, True, False]


def test_a_rate_of_nothing_sets_no_limit_and_remembers_nobody() -> None:
    buckets = Buckets(0, 1)
    assert not any([buckets.take("a") for _ in range(1000)])
    assert len(buckets) == 0
    bucket = Bucket(0, 1)
    assert not any([bucket.take() for _ in range(1000)])


def test_only_so_many_addresses_are_remembered_the_most_recent_ones() -> None:
    buckets = Buckets(0.001, 1, most=3)
    assert [buckets.take(key) for key in "abc"] == [0, 0, 0]
    assert buckets.take("a") > 0
    assert buckets.take("d") == 0
    assert len(buckets) == 3
    assert buckets.take("a") > 0
    assert buckets.take("b") == 0


def test_an_address_that_asks_too_often_is_told_when_to_come_back() -> None:
    client = served(Limits(rate=0.1, burst=3))
    assert [client.get("/api/tables").status_code for _ in range(3)] == [200] * 3
    answer = client.get("/api/tables")
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    assert 9 <= int(answer.headers["retry-after"]) <= 10
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect("/api/socket"):
        pass
    assert denied.value.status_code == 429
    assert [client.get("/healthz").status_code for _ in range(9)] == [200] * 9


def test_a_path_without_a_limit_knows_the_address_behind_a_proxy() -> None:
    client = served(Limits(trusted_proxies=1))
    assert client.get("/healthz", headers={"x-forwarded-for": "192.0.2.7"}).text == "well, 192.0.2.7"


def test_who_creates_too_much_may_still_ask() -> None:
    client = served(Limits(rate=1000, burst=1000, creations=1, creations_burst=2, creating=["/api/tables"]))
    assert [client.post("/api/tables").status_code for _ in range(3)] == [200, 200, 429]
    assert client.get("/api/tables").status_code == 200
    assert client.post("/api/tables/any/record").status_code == 200


def test_a_class_behind_one_router_can_open_the_page_at_once() -> None:
    client = served(Limits(rate=0.001))
    files, others = ["/assets/part.js"] * 33, ["/", "/api/tables", "/api/components", "/api/tables/id"]
    assert 429 not in [client.get(path).status_code for _ in range(25) for path in (*files, *others)]
    assert 429 in [client.get(files[0]).status_code for _ in range(200)]  # limited all the same


def test_behind_a_trusted_proxy_each_client_has_its_own_limit() -> None:
    def statuses(proxies: int) -> list[int]:
        client = served(Limits(rate=0.01, burst=1, trusted_proxies=proxies))
        return [client.get("/", headers={"x-forwarded-for": f"10.0.0.{n}"}).status_code for n in range(3)]

    assert statuses(1) == [200, 200, 200]
    assert statuses(0) == [200, 429, 429]


@pytest.mark.parametrize(
    ("proxies", "forwarded", "key"),
    [
        (0, ["9.9.9.9"], "1.2.3.4"),
        (1, [], "1.2.3.4"),
        (1, ["9.9.9.9, 8.8.8.8"], "8.8.8.8"),
        (1, ["9.9.9.9", "8.8.8.8"], "8.8.8.8"),
        (2, ["7.7.7.7, 9.9.9.9, 8.8.8.8"], "9.9.9.9"),
        (2, ["8.8.8.8"], "8.8.8.8"),
        (1, ["8.8.8.8:4711"], "8.8.8.8"),
        (1, ["nonsense"], "1.2.3.4"),
        (1, [" , "], "1.2.3.4"),
        (1, ["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64"),
        (1, ["[2001:db8:1:2::9]:4711"], "2001:db8:1:2::/64"),
        (1, ["::ffff:8.8.8.8"], "8.8.8.8"),
        (1, ["fe80::1%eth0"], "fe80::/64"),
    ],
)
def test_an_address_is_that_which_the_outermost_trusted_proxy_saw(proxies: int, forwarded: list[str], key: str) -> None:
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    assert client_key({"type": "http", "client": ("1.2.3.4", 5), "headers": headers}, proxies) == key


def test_a_client_without_an_address_has_a_key_too() -> None:
    assert client_key({"type": "http", "client": None, "headers": []}) == "none"
    assert client_key({"type": "http", "client": ("testclient", 5), "headers": []}) == "testclient"
