"""Playing over sockets on a real server: messages, errors, and commands that are executed only once."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed

from granada.records.replay import replay
from granada.records.shuffle import verify
from tests.server.running import Guest, RunningServer, new_id, play_on, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("play")) as started:
        yield started


@pytest.fixture
def ana(server: RunningServer) -> Iterator[Guest]:
    with Guest(server) as guest:
        yield guest


@pytest.fixture
def ben(server: RunningServer) -> Iterator[Guest]:
    with Guest(server) as guest:
        yield guest


ALL = {"edition": "combined", "modules": ["vizier", "exchange", "bonus", "huts"]}


@pytest.mark.parametrize(
    "options",
    [{"edition": "alhambra"}, {"edition": "granada", "modules": ["vizier", "exchange"], "scoring": "simplified"}, ALL],
    ids=["alhambra", "granada", "all"],
)
def test_a_whole_game_is_played_and_its_record_and_shuffle_are_sound(ana: Guest, options: dict[str, object]) -> None:
    table = ana.open_table(["person", "greedy"], **options)
    commitment = ana.start(table)["table"]["commitment"]
    with ana.socket(table) as socket:
        last = play_on(socket, random.Random(1))
    assert last["table"]["phase"] == "over"
    text = ana.http.get(f"/api/tables/{table}/record").text
    state = replay(text).state
    assert state.n == last["n"]
    assert [player.score for player in state.players] == [player["score"] for player in last["view"]["players"]]
    proof = verify(text)
    assert proof.commitment == commitment == last["table"]["commitment"]
    assert last["table"]["seed"] in text


def test_two_browsers_play_and_each_sees_what_the_other_did(ana: Guest, ben: Guest) -> None:
    table = ana.open_table(["person", "open"])
    ben.sit(table, 2, "Ben")
    ana.start(table)
    with ana.socket(table) as one, ben.socket(table) as other:
        first, second = one.next(), other.next()
        for _ in range(20):
            mover, watcher = (one, other) if first["own"]["actions"] else (other, one)
            message = first if first["own"]["actions"] else second
            action = message["own"]["actions"][0]
            answered = mover.ask(type="act", n=message["n"], action=action)
            while (seen := watcher.next())["version"] < answered["version"]:
                pass
            assert seen["version"] == answered["version"]
            assert seen["events"] == answered["events"]
            assert seen["events"][0].endswith(action)
            assert seen["view"] == answered["view"]
            first, second = (answered, seen) if mover is one else (seen, answered)


def test_the_current_message_comes_again_after_every_refusal(ana: Guest) -> None:
    table = ana.open_table(["person", "person"])
    ana.start(table)
    with ana.socket(table) as socket:
        current = socket.next()
        for command, code in [
            ({"type": "act", "n": 99, "action": "take y1"}, "stale"),
            ({"type": "act", "n": 0, "action": "pass"}, "illegal"),
            ({"type": "act", "n": 0, "action": "jump"}, "malformed"),
            ({"type": "undo", "n": 0}, "nothing_to_undo"),
            ({"type": "confirm", "n": 0}, "nothing_held"),
            ({"type": "act", "n": 0, "action": current["own"]["actions"][0], "seat": 5}, "no_seat"),
            ({"type": "back"}, "no_seat"),
        ]:
            sent = socket.send(**command)
            problem, again = socket.next(), socket.next()
            assert (problem["type"], problem["code"], problem["answers"]) == ("problem", code, sent)
            assert again["version"] == current["version"]
            assert again["own"] == current["own"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", '"act"', '{"type":"dance"}', '{"type":"act"}',
     '{"type":"act","id":"x","n":-1,"action":"a"}', '{"type":"act","id":"x","n":1e99,"action":"a"}',
     '{"type":"act","id":"x","n":0,"action":"a","more":1}', '{"type":"look","id":"x\\n"}',
     '{"type":"act","id":"' + "x" * 65 + '","n":0,"action":"a"}', '{"type":"look","id":"a b"}', "\u0000",
     '{"type":"act","id":"x","n":0,"action":"' + "y" * 201 + '"}'],
)  # fmt: skip
def test_what_cannot_be_read_is_malformed(ana: Guest, text: str) -> None:
    table = ana.open_table(["person", "person"])
    ana.start(table)
    with ana.socket(table) as socket:
        socket.next()
        socket.connection.send(text)
        assert socket.next()["code"] == "malformed"
        assert socket.next()["type"] == "table"


def test_bytes_are_read_like_text_and_garbage_is_malformed(ana: Guest) -> None:
    table = ana.open_table(["person", "person"])
    ana.start(table)
    with ana.socket(table) as socket:
        socket.next()
        socket.connection.send(json.dumps({"type": "look", "id": "x"}).encode())
        assert socket.next()["answers"] == "x"
        socket.connection.send(b"\xff\xfe\x00")
        assert socket.next()["code"] == "malformed"


def test_a_command_that_comes_again_is_obeyed_once_and_answered_again(ana: Guest) -> None:
    table = ana.open_table(["person", "person"])
    ana.start(table)
    with ana.socket(table) as socket:
        message = socket.next()
        command = {"type": "act", "id": new_id(), "n": 0, "action": message["own"]["actions"][0]}
        first = socket.ask(**command)
        again = socket.ask(**command)
    assert again["answers"] == command["id"]
    assert again["version"] == first["version"]
    assert ana.command(table, **command)["version"] == first["version"]


def test_a_command_that_comes_again_much_later_is_still_known(ana: Guest) -> None:
    table = ana.open_table(["person", "person"])
    ana.start(table)
    message = ana.get(f"/tables/{table}")
    command = {"type": "act", "id": new_id(), "n": 0, "action": message["own"]["actions"][0]}
    message = ana.command(table, **command)
    for _ in range(70):  # more than are kept in memory
        message = ana.command(table, type="act", n=message["n"], action=message["own"]["actions"][0])
    again = ana.command(table, **command)
    assert again["version"] == message["version"]


def test_who_is_not_to_decide_is_refused(ana: Guest, ben: Guest) -> None:
    table = ana.open_table(["person", "open"])
    ben.sit(table, 2)
    message = ana.start(table)
    late = ben if message["view"]["deciding"] == 1 else ana
    assert late.command(table, type="act", n=0, action="pass")["code"] == "not_your_turn"


def test_a_stranger_holds_no_seat(ana: Guest, server: RunningServer) -> None:
    table = ana.open_table(["person", "person"])
    ana.start(table)
    with Guest(server) as stranger:
        assert stranger.command(table, type="act", n=0, action="pass")["code"] == "no_seat"
        assert stranger.command(table, type="look")["own"] is None
        assert stranger.command(table, type="look", seat=1)["code"] == "no_seat"


def test_at_a_hot_seat_the_message_is_for_the_seat_that_decides(ana: Guest) -> None:
    table = ana.open_table(["person", "person", "person"])
    ana.start(table)
    with ana.socket(table) as socket:
        message = socket.next()
        for _ in range(15):
            assert message["own"]["seat"] == message["view"]["deciding"]
            message = socket.ask(type="act", n=message["n"], action=message["own"]["actions"][0])
        other = message["own"]["seat"] % 3 + 1
        looked = socket.ask(type="look", seat=other)
        assert looked["own"]["seat"] == other
        assert looked["own"]["actions"] == []


def test_the_rules_answer_questions_about_cells(ana: Guest) -> None:
    table = ana.open_table(["person", "person"])
    message = ana.start(table)
    tile = message["view"]["yard"][0][0]
    answer = ana.command(table, type="ask", how="place", tile=tile)
    assert {cell["cell"] for cell in answer["cells"]} == {"0,-1", "1,0", "0,1", "-1,0"}
    for cell in answer["cells"]:
        one = ana.command(table, type="ask", how="place", tile=tile, cell=cell["cell"])
        assert one["cells"] == [cell]
        assert (one["preview"] is not None) == cell["is_legal"]
    assert ana.command(table, type="ask", how="place", tile=tile, cell="5,5")["cells"][0]["rule"] == "5.4"
    assert ana.command(table, type="ask", how="place", tile="castle-3")["code"] == "malformed"


def test_a_purist_table_has_no_aids(ana: Guest) -> None:
    table = ana.open_table(["person", "person"], aids="purist")
    message = ana.start(table)
    assert message["view"]["aids"] is None
    assert message["own"]["offers"] is None
    tile = message["view"]["yard"][0][0]
    answer = ana.command(table, type="ask", how="place", tile=tile, cell="0,1")
    assert answer["preview"] is None
    assert answer["cells"]


def test_with_open_money_everybody_sees_all_hands(ana: Guest, server: RunningServer) -> None:
    table = ana.open_table(["person", "person"], open_money=True)
    ana.start(table)
    with Guest(server) as stranger:
        players = stranger.get(f"/tables/{table}")["view"]["players"]
    assert all(len(player["hand"]) == player["hand_size"] > 0 for player in players)


def test_who_comes_and_goes_is_shown(ana: Guest, ben: Guest) -> None:
    table = ana.open_table(["person", "open"])
    ben.sit(table, 2)
    ana.start(table)
    with ana.socket(table) as socket:
        assert [seat["is_connected"] for seat in socket.next()["table"]["seats"]] == [True, False]
        with ben.socket(table):
            assert [seat["is_connected"] for seat in socket.next()["table"]["seats"]] == [True, True]
        assert [seat["is_connected"] for seat in socket.next()["table"]["seats"]] == [True, False]


def test_a_frame_that_is_too_large_closes_only_its_socket(ana: Guest) -> None:
    table = ana.open_table(["person", "person"])
    ana.start(table)
    with ana.socket(table) as socket, ana.socket(table) as other:
        socket.next()
        other.next()
        socket.connection.send("x" * 5000)
        assert socket.next()["code"] == "too_large"
        assert other.ask(type="look")["type"] == "table"


def test_who_watches_before_the_start_sees_nothing_after_it_if_the_table_wants_no_spectators(
    ana: Guest, server: RunningServer
) -> None:
    table = ana.open_table(["person", "person"], spectators=False)
    with Guest(server) as stranger, stranger.socket(table) as socket:
        assert socket.next()["view"] is None
        ana.start(table)
        with pytest.raises(ConnectionClosed):
            socket.next()
        assert stranger.get(f"/tables/{table}", 403)["code"] == "spectators_off"


def test_a_refused_post_brings_the_current_message(ana: Guest) -> None:
    table = ana.open_table(["person", "person"])
    ana.start(table)
    problem = ana.command(table, type="act", n=5, action="pass")
    assert problem["code"] == "stale"
    assert problem["current"]["n"] == 0
    assert problem["current"]["own"]["actions"]


def test_the_start_tells_the_set_up_and_hides_the_bonus_cards_of_others(ana: Guest, ben: Guest) -> None:
    table = ana.open_table(["person", "open"], modules=["bonus"])
    ben.sit(table, 2)
    with ben.socket(table) as socket:
        socket.next()
        ana.start(table)
        events = socket.next()["events"]
    bonus = [line.split(" ")[2:] for line in events if line.startswith("! bonus")]
    assert [seat for seat, *_ in bonus] == ["1", "2"]
    assert set(bonus[0][1:]) == {"?"}
    assert "?" not in bonus[1][1:]


def test_a_token_that_was_given_up_is_worth_nothing_in_a_cookie_either(ana: Guest, server: RunningServer) -> None:
    token = ana.post("/programs", {"name": "Robot"})["token"]
    with Guest(server, token) as program:
        table = program.open_table(["person", "person"])
        assert program.http.delete("/api/programs").status_code == 204
        with Guest(server) as thief:
            thief.http.cookies.set("granada", token)
            assert not thief.get(f"/tables/{table}")["table"]["is_host"]
