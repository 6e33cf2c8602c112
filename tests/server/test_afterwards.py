"""After a game: positions, forks, rematches, and upload and download of records."""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from granada.api.handlers import LONGEST_RECORD
from granada.records.notation import action_text, parse_action
from granada.records.replay import Replay
from granada.records.shuffle import commitment, verify
from granada.rules.events import NOBODY
from granada.rules.state import State
from granada.tables.messages import encoder
from granada.tables.views import events_for, own_view, public_view
from tests.kit import luck
from tests.server.running import PATIENCE, Guest, RunningServer, play_on, running
from tests.server.test_api import error_code

GOLDEN = Path(__file__).parent.parent / "golden"


@dataclass
class Played:
    """A finished game and its player."""

    host: Guest
    id: str
    last: dict[str, Any]
    record: str


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("afterwards")) as found:
        yield found


@pytest.fixture(scope="module")
def played(server: RunningServer) -> Iterator[Played]:
    """Play a game of two people at one browser at random."""
    with Guest(server) as host:
        seats = [{"kind": "person", "name": "Ana"}, {"kind": "person", "name": "Ben"}]
        table = host.post("/tables", {"seats": seats, "options": {"modules": ["vizier", "bonus"]}})["table"]["id"]
        host.start(table)
        yield Played(host, table, play(host, table, 1), record_of(host, table))


@pytest.fixture
def other(server: RunningServer) -> Iterator[Guest]:
    with Guest(server) as found:
        yield found


def play(guest: Guest, table: str, seed: int) -> dict[str, Any]:
    with guest.socket(table) as socket:
        return play_on(socket, random.Random(seed))


def record_of(guest: Guest, table: str) -> str:
    response = guest.http.get(f"/api/tables/{table}/record")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.headers["content-disposition"] == 'attachment; filename="granada.record"'
    return response.text


def upload(guest: Guest, content: str | bytes, media: str = "text/plain; charset=utf-8") -> httpx.Response:
    return guest.http.post("/api/records", content=content, headers={"content-type": media})


def body_of(record: str) -> str:
    return record.partition("\n\n")[2]


def granada_verify(record: str, directory: Path, *arguments: str) -> str:
    file = directory / "game.record"
    file.write_bytes(record.encode())
    command = [sys.executable, "-m", "granada", "verify", str(file), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


# Past scorings


def test_a_scoring_is_told_again_while_the_game_goes_on(played: Played, server: RunningServer, other: Guest) -> None:
    """7, 16: everybody gets the message as a spectator saw it at that time, without anything hidden."""
    lines = played.host.get(f"/tables/{played.id}/log")["lines"]
    n = next(line["n"] for line in lines if line["line"].startswith("= score A "))
    for later in (n, n + 1):
        table = played.host.post(f"/tables/{played.id}/fork", {"n": later})["table"]["id"]
        played.host.start(table)
        for reader in (played.host, other):
            found = reader.get(f"/tables/{table}/scorings/A")
            at_that_time = reader.get(f"/tables/{played.id}/positions/{n}")
            assert (found["n"], found["own"]) == (n, None)
            assert (found["view"], found["events"]) == (at_that_time["view"], at_that_time["events"])
        assert error_code(other.http.get(f"/api/tables/{table}/scorings/C")) == "not_found"
        assert error_code(other.http.get(f"/api/tables/{table}/scorings/D")) == "malformed"
    before = played.host.post(f"/tables/{played.id}/fork", {"n": n - 1})["table"]["id"]
    assert error_code(other.http.get(f"/api/tables/{before}/scorings/A")) == "not_found"


# Positions


def test_nothing_is_told_of_a_running_game_that_is_told_afterwards(other: Guest) -> None:
    table = other.open_table(["person", "greedy"])
    for phase in ("lobby", "playing"):
        for path in ("/record", "/positions/0"):
            assert error_code(other.http.get(f"/api/tables/{table}{path}")) == "running"
        assert error_code(other.http.post(f"/api/tables/{table}/fork", json={"n": 0})) == "running"
        assert error_code(other.http.post(f"/api/tables/{table}/rematch", json={})) == "running"
        assert other.get(f"/tables/{table}")["table"]["seed"] is None
        if phase == "lobby":
            other.start(table)


def test_positions_are_those_of_the_record(played: Played, other: Guest) -> None:
    reading = Replay(played.record)
    end = played.last["n"]
    for n in sorted({*range(0, end, max(end // 25, 1)), 1, 2, end - 1, end}):
        reading.run(until=n)
        state = reading.state
        message = other.get(f"/tables/{played.id}/positions/{n}")
        assert message["n"] == n
        assert message["view"] == json.loads(encoder.encode(public_view(state, has_aids=True)))
        assert message["events"] == events_for(state.events, NOBODY)
        assert message["own"] is None
        for seat in (1, 2):
            own = other.get(f"/tables/{played.id}/positions/{n}?seat={seat}")["own"]
            seen = own_view(state, seat - 1, None, may_undo=False, has_aids=True)
            assert own == json.loads(encoder.encode(seen))
    assert reading.state.is_over


def test_there_are_no_positions_after_the_end_nor_of_other_seats(played: Played) -> None:
    end = played.last["n"]
    assert error_code(played.host.http.get(f"/api/tables/{played.id}/positions/{end + 1}")) == "not_found"
    assert error_code(played.host.http.get(f"/api/tables/{played.id}/positions/0?seat=3")) == "not_found"
    for n in ("-1", "x", "1000001", "1" * 400):
        assert error_code(played.host.http.get(f"/api/tables/{played.id}/positions/{n}")) == "malformed"


def test_the_record_is_proven_by_the_commitment_of_the_start(played: Played, tmp_path: Path) -> None:
    table = played.last["table"]
    assert commitment(table["seed"]) == table["commitment"]
    output = granada_verify(played.record, tmp_path, "--commitment", table["commitment"])
    assert "The commitment matches." in output


# Rematches


def test_a_rematch_with_the_same_deal_has_the_same_luck_on_other_seats(played: Played) -> None:
    host = played.host
    again = host.post(f"/tables/{played.id}/rematch", {"same_deal": True}, 201)
    table = again["table"]["id"]
    assert [seat["name"] for seat in again["table"]["seats"]] == ["Ben", "Ana"]
    assert again["table"]["previous"] == played.id
    assert again["table"]["seed"] is None
    assert host.get(f"/tables/{played.id}")["table"]["next"] == table
    assert host.post(f"/tables/{played.id}/rematch", {})["table"]["id"] == table  # later requests get the same table
    assert again["table"]["phase"] == "playing"  # nobody else is awaited
    play(host, table, 1)
    record = record_of(host, table)
    assert body_of(record) == body_of(played.record)
    assert "players: Ben, Ana\n" in record


def test_a_rematch_with_a_new_deal_is_another_game_of_the_same_people(server: RunningServer, other: Guest) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "open", "random"], edition="granada")
        other.sit(table, 2, "Ben")
        host.start(table)
        over = finish(host, other, table)
        stranger = Guest(server)
        with stranger:
            assert error_code(stranger.http.post(f"/api/tables/{table}/rematch", json={})) == "unauthorized"
            stranger.open_table(["open", "open"])
            assert error_code(stranger.http.post(f"/api/tables/{table}/rematch", json={})) == "no_seat"
        again = other.post(f"/tables/{table}/rematch", {}, 201)["table"]
        assert [seat["name"] for seat in again["seats"]] == [seat["name"] for seat in over["table"]["seats"]]
        assert [seat["is_yours"] for seat in again["seats"]] == [False, True, False]
        assert again["is_host"]  # the first request opens it
        assert (again["phase"], again["is_rematch"]) == ("lobby", True)
        asked = host.get(f"/tables/{table}")["table"]
        assert (asked["next"], asked["rematch"]) == (again["id"], {"same_deal": False, "seats": [2]})
        joined = host.post(f"/tables/{table}/rematch", {"same_deal": True}, 201)["table"]  # the first one has chosen
        assert (joined["id"], joined["phase"], joined["is_host"]) == (again["id"], "playing", False)
        assert joined["commitment"] != over["table"]["commitment"]
        assert host.get(f"/tables/{table}")["table"]["rematch"]["seats"] == [2, 1]
        assert other.post(f"/tables/{table}/rematch", {}, 201)["table"]["phase"] == "playing"
        assert host.get(f"/tables/{table}")["table"]["rematch"]["seats"] == [2, 1]


def test_a_rematch_waits_for_people_unless_its_host_starts_it(server: RunningServer, other: Guest) -> None:
    with Guest(server) as host, Guest(server) as third:
        table = host.open_table(["person", "open", "open"])
        other.sit(table, 2, "Ben")
        third.sit(table, 3, "Carla")
        host.start(table)
        finish(host, other, table, third)
        again = third.post(f"/tables/{table}/rematch", {"same_deal": True}, 201)["table"]
        assert [seat["name"] for seat in again["seats"]][-1] == again_name(host, table)
        assert host.post(f"/tables/{table}/rematch", {}, 201)["table"]["phase"] == "lobby"  # Ben is missing
        assert host.get(f"/tables/{table}")["table"]["rematch"] == {"same_deal": True, "seats": [3, 1]}
        assert third.start(again["id"])["table"]["phase"] == "playing"
        late = other.post(f"/tables/{table}/rematch", {}, 201)["table"]
        assert (late["id"], late["phase"]) == (again["id"], "playing")


def test_a_rematch_with_an_open_seat_stays_in_its_lobby(played: Played, other: Guest) -> None:
    """The seats of an uploaded record are open."""
    table = upload(other, played.record).json()["table"]["id"]
    assert other.post(f"/tables/{table}/rematch", {}, 201)["table"]["phase"] == "lobby"


def again_name(guest: Guest, table: str) -> str:
    """Return the name that has moved to the last seat of a rematch with the same deal: that of the first seat."""
    name: str = guest.get(f"/tables/{table}")["table"]["seats"][0]["name"]
    return name


def finish(one: Guest, two: Guest, table: str, *others: Guest) -> dict[str, Any]:
    """Play a game of several people at random over sockets."""
    found: list[dict[str, Any]] = []
    guests = (one, two, *others)
    threads = [threading.Thread(target=lambda guest=guest: found.append(play(guest, table, 2))) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found[0]


# Forks


def test_a_fork_is_played_to_its_end_and_proven(played: Played, other: Guest, tmp_path: Path) -> None:
    n = played.last["n"] // 2
    seats = [{"kind": "person", "name": "Cleo"}, {"kind": "bot", "level": "greedy"}]
    forked = other.post(f"/tables/{played.id}/fork", {"n": n, "seats": seats}, 201)
    table = forked["table"]["id"]
    assert (forked["n"], forked["table"]["opening"], forked["table"]["previous"]) == (n, n, played.id)
    assert forked["table"]["phase"] == "lobby"
    other.start(table)
    assert play(other, table, 3)["table"]["phase"] == "over"
    record = record_of(other, table)
    opening = Replay(played.record)
    opening.run(until=n)
    assert body_of(record).startswith(body_of(str(opening.record)))
    proof = verify(record)
    assert (proof.opening, proof.is_over) == (n, True)
    assert f"{n} actions of another record are not verified" in granada_verify(record, tmp_path)
    same_deal = other.http.post(f"/api/tables/{table}/rematch", json={"same_deal": True})
    assert error_code(same_deal) == "bad_options"


def test_without_seats_everybody_sits_where_they_sat_before(played: Played, other: Guest) -> None:
    mine = played.host.post(f"/tables/{played.id}/fork", {"n": 0})["table"]["seats"]
    assert [(seat["kind"], seat["name"], seat["is_yours"]) for seat in mine] == [
        ("person", "Ana", True),
        ("person", "Ben", True),
    ]
    assert [seat["kind"] for seat in other.post(f"/tables/{played.id}/fork", {"n": 0})["table"]["seats"]] == [
        "open"
    ] * 2


def test_forks_that_cannot_be_are_refused(played: Played, other: Guest) -> None:
    path, end = f"/api/tables/{played.id}/fork", played.last["n"]
    assert error_code(other.http.post(path, json={"n": end})) == "over"
    assert error_code(other.http.post(path, json={"n": end + 1})) == "not_found"
    assert error_code(other.http.post(path, json={"n": 1, "seats": [{}, {}, {}]})) == "bad_options"
    assert (
        error_code(other.http.post(path, json={"n": 1, "seats": [{}, {"kind": "bot", "level": "?"}]})) == "bad_options"
    )
    assert error_code(other.http.post(path, json={"n": -1})) == "malformed"


# Uploads


def test_a_finished_record_is_gone_through_after_its_upload(played: Played, other: Guest) -> None:
    response = upload(other, played.record)
    assert response.status_code == 201
    message = response.json()
    table = message["table"]["id"]
    assert message["table"]["phase"] == "over"
    assert [seat["name"] for seat in message["table"]["seats"]] == ["Ana", "Ben"]
    assert message["table"]["seed"] is message["table"]["commitment"] is None  # the seed of another server is dropped
    assert message["view"] == played.last["view"]
    assert other.get(f"/tables/{table}/positions/5")["view"] == other.get(f"/tables/{played.id}/positions/5")["view"]
    assert body_of(record_of(other, table)) == body_of(played.record)


@pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.glob("*.record")))
def test_every_golden_game_can_be_uploaded(other: Guest, name: str) -> None:
    text = (GOLDEN / name).read_text("utf-8")
    message = upload(other, text).json()
    assert message["table"]["phase"] == "over"
    assert message["table"]["options"]["edition"] == name.partition("-")[0]


def test_an_unfinished_record_is_played_on_after_its_upload(played: Played, other: Guest) -> None:
    reading = Replay(played.record)
    reading.run(until=30)
    message = upload(other, str(reading.record)).json()
    table = message["table"]["id"]
    assert (message["table"]["phase"], message["n"], message["table"]["opening"]) == ("lobby", 30, 30)
    assert error_code(other.http.post(f"/api/tables/{table}/start")) == "not_ready"
    other.sit(table, 1, "Ana")
    other.http.put(f"/api/tables/{table}/seats/2", json={"kind": "bot", "level": "random"})
    assert other.start(table)["n"] >= 30
    assert play(other, table, 4)["table"]["phase"] == "over"
    assert verify(record_of(other, table)).opening == 30


def test_a_broken_record_is_refused_with_its_line_and_rule(played: Played, other: Guest) -> None:
    lines = played.record.split("\n")
    at = next(i for i, line in enumerate(lines) if line[:2] in ("1 ", "2 "))
    for replaced, rule in ((f"{lines[at][0]} wake", "11"), (f"{3 - int(lines[at][0])} pass", "3")):
        broken = "\n".join([*lines[:at], replaced, *lines[at + 1 :]])
        response = upload(other, broken)
        assert error_code(response) == "bad_record"
        assert response.json()["detail"].startswith(f"line {at + 1}: ")
        assert response.json()["rule"].startswith(rule)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "granada-record 2\n",
        "granada-record 1\nedition: chess\nplayers: A, B\n\n",
        "granada-record 1\nedition: alhambra\nplayers: A, A\n\n",
        "granada-record 1\nedition: alhambra\nplayers: A\0, B\n\n",
        "granada-record 1\r\nedition: alhambra\r\n",
        "\ufeffgranada-record 1\nedition: alhambra\nplayers: A, B\n\n",
    ],
)
def test_what_is_no_record_is_refused(other: Guest, text: str) -> None:
    assert error_code(upload(other, text)) == "bad_record"


def test_a_record_is_utf_8_and_not_too_long_and_sent_as_text(played: Played, other: Guest) -> None:
    assert error_code(upload(other, played.record.encode("utf-16"))) == "bad_record"
    assert error_code(upload(other, b"granada-record 1\n\xff")) == "bad_record"
    assert error_code(upload(other, played.record, "application/json")) == "unsupported_media"
    long_names = played.record.replace("players: Ana, Ben", f"players: {'A' * 41}, Ben")
    assert error_code(upload(other, long_names)) == "bad_record"
    same_names = played.record.replace("players: Ana, Ben", "players: Ana, Ana")
    assert error_code(upload(other, same_names)) == "bad_record"


def test_a_record_that_is_too_long_is_refused_before_it_is_sent(server: RunningServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.putrequest("POST", "/api/records")
    connection.putheader("content-type", "text/plain")
    connection.putheader("content-length", str(LONGEST_RECORD + 1))
    connection.endheaders()
    response = connection.getresponse()
    assert (response.status, json.load(response)["code"]) == (413, "too_large")
    connection.close()


def test_a_record_with_hidden_bonus_cards_is_refused(played: Played, other: Guest) -> None:
    reading = Replay(played.record)
    reading.run(until=10)
    lines = str(reading.record).split("\n")
    hidden = [
        "! bonus 2 " + " ".join("?" for _ in line.split(" ")[3:]) if line.startswith("! bonus 2") else line
        for line in lines
    ]
    response = upload(other, "\n".join(hidden))
    assert error_code(response) == "bad_record"
    assert response.json()["rule"] == "16.2"


def test_other_notes_of_a_record_are_not_kept(played: Played, other: Guest) -> None:
    noted = played.record.replace("\n\n", "\nsite: elsewhere\n\n# a comment\n", 1)
    table = upload(other, noted).json()["table"]["id"]
    assert "elsewhere" not in record_of(other, table)
    assert "seed" not in record_of(other, table).partition("\n\n")[0]


def test_others_are_served_while_a_long_record_is_read(server: RunningServer, other: Guest) -> None:
    text = endless()
    assert LONGEST_RECORD // 2 < len(text) <= LONGEST_RECORD
    found: list[httpx.Response] = []
    waits: list[float] = []
    with Guest(server) as reader:
        reader.get("/names")
        thread = threading.Thread(target=lambda: found.append(upload(other, text)))
        thread.start()
        while thread.is_alive():
            begun = time.perf_counter()
            reader.get("/names")
            waits.append(time.perf_counter() - begun)
        thread.join()
    assert found[0].status_code == 201, found[0].text
    assert found[0].json()["n"] > 2000
    # Only applying the position happens in the event loop; a slow machine may need a fifth of a second.
    assert sorted(waits)[len(waits) // 2] < 0.2


def endless() -> str:
    """3.7: Return a long valid record: a golden game until both players can rebuild, then rebuilding forever."""
    reading = Replay((GOLDEN / "alhambra-2.record").read_text("utf-8"))
    while reading.step():
        rounds = rebuilding(reading.state)
        if rounds:
            text = str(reading.record)
            return text + rounds * ((LONGEST_RECORD - len(text)) // len(rounds))
    raise AssertionError("nobody can rebuild in this game")


def rebuilding(state: State) -> str:
    """Return actions that remove and add a tile of both players, back to the same state; empty if impossible."""
    state, lines = state.copy(), list[str]()
    removed: dict[int, str] = {}
    for verb in ("remove", "remove", "add", "add"):
        seat = state.seat
        texts = [action_text(action) for action in state.offers()]
        fitting = [text for text in texts if text.startswith(verb) and text.endswith(removed.get(seat, ""))]
        if not fitting or state.tray:
            return ""
        removed[seat] = fitting[0].rpartition(" ")[2]
        lines.append(f"{seat + 1} {fitting[0]}\n")
        state.play(parse_action(fitting[0], state.options.components), luck("rebuilding"))
    return "".join(lines)
