"""The HTTP routes on a real server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from granada.tables.errors import CODES
from granada.tables.names import NAMES
from tests.server.running import Guest, RunningServer, read_to_the_end, running

TWO_OPEN: dict[str, Any] = {"seats": [{}, {}]}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("api")) as found:
        yield found


@pytest.fixture
def host(server: RunningServer) -> Iterator[Guest]:
    with Guest(server) as found:
        yield found


@pytest.fixture
def other(server: RunningServer) -> Iterator[Guest]:
    with Guest(server) as found:
        yield found


def error_code(response: httpx.Response) -> str:
    """Return the code of an error, and check its problem document."""
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert set(problem) - {"current"} == {"type", "title", "status", "detail", "code", "rule", "reason"}
    assert problem["status"] == response.status_code == CODES[problem["code"]].status
    assert problem["type"] == f"/api/problems/{problem['code']}"
    assert problem["title"] == CODES[problem["code"]].title
    assert problem["detail"]
    code: str = problem["code"]
    return code


def post(guest: Guest, path: str, body: object) -> httpx.Response:
    return guest.http.post(f"/api{path}", json=body)


# Opening a table


def test_a_table_opens_with_every_kind_of_seat(host: Guest) -> None:
    seats = [
        {"kind": "person", "name": "  Ana   Maria "},
        {"kind": "open"},
        {"kind": "bot", "level": "random"},
        {"kind": "bot"},
    ]
    opened = host.post("/tables", {"seats": seats, "options": {"edition": "combined"}}, 201)
    found = opened["table"]["seats"]
    assert [seat["kind"] for seat in found] == ["person", "open", "bot", "bot"]
    assert [seat["level"] for seat in found] == [None, None, "random", "greedy"]
    assert [seat["is_yours"] for seat in found] == [True, False, False, False]
    assert found[0]["name"] == "Ana Maria"
    assert found[2]["name"] in NAMES
    assert found[2]["name"] != found[3]["name"]
    assert opened["table"]["phase"] == "lobby"
    assert opened["table"]["is_host"]
    assert opened["table"]["commitment"] is None
    assert opened["view"] is None


def test_only_public_tables_are_listed(host: Guest, other: Guest) -> None:
    public = host.post("/tables", {**TWO_OPEN, "is_public": True})["table"]["id"]
    private = host.post("/tables", TWO_OPEN)["table"]["id"]
    listed = {table["id"]: table for table in other.get("/tables")["tables"]}
    assert listed[public] == {
        "id": public, "phase": "lobby", "edition": "alhambra", "modules": [], "names": ["", ""], "open": 2,
        "turn": 0, "deciding": None, "days": None, "spectators": True,
    }  # fmt: skip
    assert private not in listed
    assert other.get(f"/tables/{private}")["table"]["id"] == private


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"seats": [{}]}, "malformed"),
        ({"seats": [{}] * 7}, "malformed"),
        ({"seats": [{}, {}], "cheat": True}, "malformed"),
        ({"seats": [{}, {"kind": "ghost"}]}, "malformed"),
        ({"seats": [{}, {}], "options": {"modules": ["bonus", "bonus"]}}, "bad_options"),
        ({"seats": [{}, {}], "options": {"edition": "granada", "modules": ["huts"]}}, "bad_options"),
        ({"seats": [{}, {}], "options": {"ages": [7]}}, "bad_options"),
        ({"seats": [{}, {"kind": "bot", "level": "godlike"}]}, "bad_options"),
        ({"seats": [{}, {}], "options": {"takeover_level": "godlike"}}, "bad_options"),
        ({"seats": [{"kind": "person", "name": "Ana"}, {"kind": "bot", "name": "Ana"}]}, "seat_taken"),
        ({"seats": [{"kind": "person", "name": "A, B"}, {}]}, "malformed"),
        ({"seats": [{"kind": "person", "name": "A\nB"}, {}]}, "malformed"),
        ({"seats": [{"kind": "person", "name": "A\0"}, {}]}, "malformed"),
        ({"seats": [{"kind": "person", "name": "\x85"}, {}]}, "malformed"),
        ({"seats": [{"kind": "person", "name": "A" * 41}, {}]}, "malformed"),
        ({"seats": [{}, {}], "options": {"grace": 10**30}}, "malformed"),
    ],
)
def test_what_cannot_be_played_is_refused(host: Guest, body: object, code: str) -> None:
    assert error_code(post(host, "/tables", body)) == code


def test_a_refusal_of_options_names_its_rule(host: Guest) -> None:
    body = {"seats": [{}, {}], "options": {"edition": "granada", "modules": ["huts"]}}
    assert host.post("/tables", body, 400)["rule"] is not None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"seats": [{"kind": "person", "name": "\\ud800"}, {}]}',
        b"[" * 50_000,
        b"1e999",
        b"null",
    ],
)
def test_what_cannot_be_read_is_malformed(host: Guest, content: bytes) -> None:
    response = host.http.post("/api/tables", content=content, headers={"content-type": "application/json"})
    assert error_code(response) == "malformed"


def test_only_json_is_read(host: Guest) -> None:
    for media in ("text/plain", "application/x-www-form-urlencoded", ""):
        response = host.http.post("/api/tables", content=b"{}", headers={"content-type": media})
        assert error_code(response) == "unsupported_media"


# Taking seats


def test_somebody_joins_by_the_link_is_renamed_and_leaves(host: Guest, other: Guest) -> None:
    table = host.open_table(["person", "open"])
    seats = other.sit(table, 2, "Ben")["table"]["seats"]
    assert (seats[1]["name"], seats[1]["is_yours"], seats[0]["is_yours"]) == ("Ben", True, False)
    assert other.sit(table, 2, "Benno")["table"]["seats"][1]["name"] == "Benno"
    assert other.sit(table, 2)["table"]["seats"][1]["name"] == "Benno"
    assert error_code(post(other, f"/tables/{table}/seats/2/take", {"name": seats[0]["name"]})) == "seat_taken"
    assert other.post(f"/tables/{table}/seats/2/leave")["table"]["seats"][1]["kind"] == "open"
    assert host.get(f"/tables/{table}")["table"]["seats"][1]["name"] == ""


def test_a_taken_seat_and_a_missing_one_are_refused(host: Guest, other: Guest) -> None:
    table = host.open_table(["person", "greedy"])
    assert error_code(post(other, f"/tables/{table}/seats/1/take", {})) == "seat_taken"
    assert error_code(post(other, f"/tables/{table}/seats/2/take", {})) == "seat_taken"
    assert error_code(post(other, f"/tables/{table}/seats/3/take", {})) == "not_found"
    assert error_code(post(other, f"/tables/{table}/seats/7/take", {})) == "malformed"
    assert error_code(post(other, f"/tables/{table}/seats/1/leave", {})) == "unauthorized"
    other.open_table(["open", "open"])  # the browser has a cookie now
    assert error_code(post(other, f"/tables/{table}/seats/1/leave", {})) == "no_seat"


def test_only_the_host_arranges_seats_and_starts(host: Guest, other: Guest) -> None:
    table = host.open_table(["person", "open"])
    other.sit(table, 2)
    for change in ({"kind": "bot", "level": "greedy"}, {"kind": "person"}):
        assert error_code(other.http.put(f"/api/tables/{table}/seats/2", json=change)) == "not_host"
        # The host cannot take another player's seat, but can open it before the game.
        assert error_code(host.http.put(f"/api/tables/{table}/seats/2", json=change)) == "seat_taken"
    assert host.http.put(f"/api/tables/{table}/seats/2", json={"kind": "open"}).status_code == 200
    other.sit(table, 2)
    assert error_code(post(other, f"/tables/{table}/start", {})) == "not_host"
    assert host.start(table)["table"]["phase"] == "playing"
    assert error_code(post(host, f"/tables/{table}/start", {})) == "running"


def test_the_host_puts_bots_and_people_on_seats(host: Guest) -> None:
    table = host.open_table(["open", "open"])

    def put(seat: int, **request: object) -> dict[str, Any]:
        response = host.http.put(f"/api/tables/{table}/seats/{seat}", json=request)
        found: dict[str, Any] = response.json()["table"]["seats"][seat - 1]
        return found

    assert put(1, kind="bot", level="random", name="Robo")["name"] == "Robo"
    assert put(1, kind="person", name="Ana")["is_yours"]
    assert put(1, kind="open")["kind"] == "open"
    assert put(2, kind="bot")["level"] == "greedy"
    assert (
        error_code(host.http.put(f"/api/tables/{table}/seats/1", json={"kind": "bot", "level": "?"})) == "bad_options"
    )


def test_a_game_does_not_start_before_everybody_sits(host: Guest) -> None:
    table = host.open_table(["person", "open", "open"])
    response = post(host, f"/tables/{table}/start", {})
    assert error_code(response) == "not_ready"
    assert "Open: 2, 3." in response.json()["detail"]


def test_who_leaves_during_the_game_can_take_the_seat_again(host: Guest, other: Guest) -> None:
    table = host.open_table(["person", "open"])
    other.sit(table, 2, "Ben")
    host.start(table)
    left = other.post(f"/tables/{table}/seats/2/leave")["table"]["seats"][1]
    assert (left["kind"], left["name"]) == ("open", "Ben")
    back = other.sit(table, 2, "Ben")["table"]["seats"][1]
    assert (back["kind"], back["is_yours"], back["is_played_by_bot"]) == ("person", True, False)


def test_names_are_suggested_each_only_once(host: Guest) -> None:
    names = host.get("/names")["names"]
    assert len(names) == len(set(names)) == 6
    assert set(names) <= set(NAMES)


def test_what_is_in_the_box(host: Guest) -> None:
    box = host.get("/components")
    assert {"random", "greedy"} <= {level["id"] for level in box["levels"]}
    assert {tile["kind"] for tile in box["tiles"].values()} == {"alhambra", "granada"}
    assert all(box["tiles"][tile["back"]]["back"] == name for name, tile in box["tiles"].items() if tile["back"])


# Spectators


def test_spectators_look_on_where_the_table_admits_them(host: Guest, other: Guest) -> None:
    table = host.open_table(["person", "greedy"])
    host.start(table)
    seen = other.get(f"/tables/{table}")
    assert seen["own"] is None
    assert all(player["hand"] is None for player in seen["view"]["players"])
    assert host.get(f"/tables/{table}")["own"]["hand"]


def test_spectators_are_refused_where_the_table_plays_alone(host: Guest, other: Guest) -> None:
    table = host.open_table(["person", "greedy"], spectators=False)
    assert other.get(f"/tables/{table}")["table"]["phase"] == "lobby"
    host.start(table)
    for path in ("", "/stream", "/picture.svg", "/log", "/record", "/positions/0", "/scorings/A"):
        assert error_code(other.http.get(f"/api/tables/{table}{path}")) == "spectators_off"
    assert error_code(post(other, f"/tables/{table}/commands", {"type": "look", "id": "a"})) == "spectators_off"
    with pytest.raises(InvalidStatus) as raised, other.socket(table):
        pass
    assert raised.value.response.status_code == 403
    assert host.get(f"/tables/{table}")["own"]["hand"]


def test_the_picture_is_drawn_as_who_asks_may_see_it(host: Guest, other: Guest) -> None:
    table = host.open_table(["person", "greedy"])
    assert error_code(host.http.get(f"/api/tables/{table}/picture.svg")) == "not_running"
    host.start(table)
    # While the bot plays, two pictures could show different positions.
    while host.get(f"/tables/{table}")["view"]["deciding"] != 1:
        time.sleep(0.05)
    pictures = [guest.http.get(f"/api/tables/{table}/picture.svg") for guest in (host, other)]
    for picture in pictures:
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert picture.text.startswith("<svg")
    assert pictures[0].text != pictures[1].text
    assert host.http.get(f"/api/tables/{table}/picture.svg?seat=2").text == pictures[1].text


def test_the_picture_speaks_the_language_that_is_asked_for(host: Guest) -> None:
    table = host.open_table(["person", "person"], edition="combined")
    host.start(table)
    path = f"/api/tables/{table}/picture.svg"
    assert ">Construction yard<" in host.http.get(path).text
    assert host.http.get(f"{path}?language=en").text == host.http.get(path).text
    for language, yard, type_ in (("de", "Bauhof", "Gemächer"), ("hu", "Építési terület", "Palota")):
        picture = host.http.get(f"{path}?seat=1&language={language}").text
        assert f">{yard}<" in picture
        assert f">{type_}<" in picture
        assert f'lang="{language}"' in picture
    for language in ("", "xx", "DE", "de-AT", "../en"):
        assert error_code(host.http.get(path, params={"language": language})) == "malformed"


@pytest.mark.parametrize("table", ["A" * 16, "short", "A" * 17, "%00" * 16, "..%2f..%2fetc"])
def test_there_is_nothing_at_a_table_that_nobody_opened(host: Guest, table: str) -> None:
    for path in ("", "/stream", "/picture.svg", "/log", "/record", "/positions/0", "/scorings/A"):
        assert error_code(host.http.get(f"/api/tables/{table}{path}")) in ("not_found", "malformed")


def test_unknown_addresses_and_methods_are_problems_too(host: Guest) -> None:
    assert error_code(host.http.get("/api/nothing")) == "not_found"
    response = host.http.patch("/api/tables", json={})
    assert error_code(response) == "method_not_allowed"
    assert response.headers["allow"] == "GET, POST"


# Credentials


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(server: RunningServer) -> None:
    response = httpx.post(f"{server.url}/api/tables", json=TWO_OPEN)
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Path=/" in cookie
    secret = cookie.partition("=")[2].partition(";")[0]
    assert len(secret) == 43
    assert secret not in response.text


def test_who_only_reads_gets_no_cookie(host: Guest, server: RunningServer) -> None:
    table = host.open_table(["person", "greedy"])
    host.start(table)
    for path in (
        "/healthz",
        "/api/tables",
        "/api/names",
        f"/api/tables/{table}",
        f"/api/tables/{table}/picture.svg",
    ):
        assert "set-cookie" not in httpx.get(f"{server.url}{path}").headers
    # The page is public, because visitors may want to take a seat.
    assert "HttpOnly" in httpx.get(f"{server.url}/t/{table}").headers["set-cookie"]
    known = host.http.post("/api/tables", json=TWO_OPEN)
    assert "set-cookie" not in known.headers  # it already has a cookie


@pytest.mark.parametrize("cookie", ["granada=short", "granada=" + "ä" * 43, "granada=;;;", "=", "granada"])
def test_a_foreign_cookie_is_nobody(host: Guest, server: RunningServer, cookie: str) -> None:
    table = host.open_table(["person", "open"])
    headers = {b"cookie": cookie.encode()}
    response = httpx.post(f"{server.url}/api/tables/{table}/start", headers=headers)
    assert error_code(response) == "unauthorized"


def test_a_program_plays_with_its_token_until_it_gives_it_up(host: Guest, server: RunningServer) -> None:
    made = host.post("/programs", {"name": "my bot"}, 201)
    assert made["name"] == "my bot"
    with Guest(server, made["token"]) as program:
        table = program.open_table(["person", "greedy"])
        assert not program.http.cookies
        message = program.start(table)
        while not message["own"]["actions"]:
            message = program.get(f"/tables/{table}")
        played = program.command(table, type="act", n=message["n"], action=message["own"]["actions"][0])
        assert played["type"] == "table"
        assert program.http.delete("/api/programs").status_code == 204
        assert error_code(program.http.delete("/api/programs")) == "unauthorized"
        assert error_code(program.http.get(f"/api/tables/{table}")) == "unauthorized"
        assert error_code(post(program, "/tables", TWO_OPEN)) == "unauthorized"
    assert error_code(host.http.delete("/api/programs")) == "unauthorized"


def test_a_token_that_is_given_up_does_nothing_more_on_open_connections(host: Guest, server: RunningServer) -> None:
    token = host.post("/programs", {"name": "my bot"}, 201)["token"]
    with Guest(server, token) as program:
        table = program.open_table(["person", "person"])
        message = program.start(table)
        act = {"type": "act", "n": message["n"], "action": message["own"]["actions"][0]}
        with (
            program.socket(table) as socket,
            program.http.stream("GET", f"/api/tables/{table}/stream") as stream,
            host.socket(table) as other,
        ):
            lines = stream.iter_lines()
            assert next(lines)
            socket.next()
            other.next()
            assert program.http.delete("/api/programs").status_code == 204
            with suppress(ConnectionClosed):
                socket.send(**act)
            assert read_to_the_end(socket) == 1008
            assert not [line for line in lines if line and '"type":"table"' not in line]  # the stream ends after that
            assert other.ask(type="look")["n"] == message["n"]


@pytest.mark.parametrize("token", ["x y", "nonsense", "A" * 43, "A" * 5000, "ü"])
def test_a_bad_token_is_refused_not_ignored(server: RunningServer, token: str) -> None:
    headers = {b"authorization": f"Bearer {token}".encode()}
    assert error_code(httpx.get(f"{server.url}/api/tables/{'A' * 16}", headers=headers)) == "unauthorized"
    assert error_code(httpx.post(f"{server.url}/api/tables", json=TWO_OPEN, headers=headers)) == "unauthorized"


@pytest.mark.parametrize("name", ["", "a\0b", "a" * 41, "a\x1b[31m"])
def test_a_program_has_a_plain_name(host: Guest, name: str) -> None:
    assert error_code(post(host, "/programs", {"name": name})) == "malformed"


def test_pages_of_other_sites_can_neither_post_nor_listen(host: Guest, server: RunningServer) -> None:
    table = host.open_table(["person", "greedy"])
    for origin in ("https://evil.example", "null", f"{server.url}0"):
        response = host.http.post(f"/api/tables/{table}/start", headers={"origin": origin})
        assert error_code(response) == "forbidden_origin"
        url = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        with pytest.raises(InvalidStatus) as raised, connect(url, additional_headers={"origin": origin}):
            pass
        assert raised.value.response.status_code == 403
    response = host.http.post(f"/api/tables/{table}/start", headers={"origin": server.url})
    assert response.status_code == 200


def test_a_command_is_refused_with_a_code_and_the_rule(host: Guest, other: Guest) -> None:
    table = host.open_table(["person", "person"])
    path = f"/tables/{table}/commands"
    act = {"type": "act", "id": "a", "n": 0, "action": "take y99"}
    assert error_code(post(host, path, act)) == "not_running"
    host.start(table)
    assert error_code(post(host, path, act)) == "malformed"
    assert error_code(post(other, path, act)) == "no_seat"
    assert error_code(post(host, path, {**act, "n": 5})) == "stale"
    assert error_code(post(host, path, {**act, "seat": 3})) == "no_seat"
    assert error_code(post(host, path, {"type": "undo", "id": "b", "n": 0})) == "nothing_to_undo"
    assert error_code(post(host, path, {"type": "confirm", "id": "c", "n": 0})) == "nothing_held"
    assert error_code(post(host, path, {**act, "x": "y" * 5000})) == "too_large"
    illegal = post(host, path, {**act, "action": "wake"})
    assert error_code(illegal) == "illegal"
    assert illegal.json()["rule"]
