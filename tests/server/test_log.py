"""16: the log of a game, as each client may see it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from granada.records.replay import Replay
from granada.rules.components import standard
from granada.rules.events import NOBODY
from granada.tables.entries import GameStarted, Played
from granada.tables.game import read_game
from granada.tables.messages import encoder
from granada.tables.requests import Log as LogMessage
from granada.tables.requests import LogLine
from granada.tables.table import Table
from granada.tables.views import events_for
from tests.kit import rule
from tests.server.running import Guest, RunningServer, play_on, prefer_building, running
from tests.server.tables import Log
from tests.server.test_api import error_code

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.record"))
BONUS = {tile.name for tile in standard().bonus}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("log")) as found:
        yield found


def log_of(table: Table, seat: int) -> list[LogLine]:
    assert table.game is not None
    return table.game.history.log_for(seat)


def lines_of(log: dict[str, Any]) -> list[str]:
    return [line["line"] for line in log["lines"]]


# Without a server


@rule("16.2", "13.1")
def test_the_log_is_what_the_messages_told_and_were_not_taken_back() -> None:
    log, choose = Log(("person", "person", "person"), modules=["bonus", "vizier"]).start(), random.Random("log")
    seats = [NOBODY, 0, 1, 2]
    sent: dict[int, list[LogLine]] = {seat: [] for seat in seats}
    undone = 0
    turn = 0
    while log.n < 150 or undone <= 3:
        game = log.table.game
        assert game is not None
        for seat in seats:
            sent[seat] = [line for line in sent[seat] if line.n <= log.n]
            sent[seat] += [LogLine(log.n, turn, line) for line in events_for(list(game.events), seat)]
            assert log_of(log.table, seat) == sent[seat]
        turn = game.state.turns
        if game.can_undo and choose.random() < 0.3:
            undone += 1
            if choose.random() < 0.5:
                log.undo()
            else:
                log.restart()
        else:
            log.play_at_random(choose)
    for seat in seats:  # a rebuilt table gives the same log
        assert log_of(log.again(), seat) == log_of(log.table, seat)


def test_every_line_knows_its_action_and_its_turn() -> None:
    log, choose = Log(edition="granada").start(), random.Random("turns")
    turns = [0]
    while log.n < 80:
        assert log.table.game is not None
        turns.append(log.table.game.state.turns)
        log.play_at_random(choose)
    found = log_of(log.table, 0)
    assert [line.line for line in found] == [
        line for entry in log.entries if isinstance(entry.body, GameStarted | Played) for line in entry.body.lines
    ]
    assert {(line.n, line.turn) for line in found} == set(enumerate(turns))
    # An action is the first line with its n.
    for n in range(1, 81):
        first, *rest = [line.line for line in found if line.n == n]
        assert first[0].isdigit()
        assert all(line[0] in "!=" for line in rest)


@rule("16.2")
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_bonus_cards_of_others_are_covered_in_every_record(path: Path) -> None:
    game = read_game(path.read_text("utf-8"), open_money=False)
    reading = Replay(path.read_text("utf-8"))
    whole = reading.run()
    assert game.state.key() == whole.key()
    for seat in [NOBODY, *range(len(whole.players))]:
        for line, seen in zip(reading.record.lines, game.history.log_for(seat), strict=True):
            if line.startswith("! bonus ") and not line.startswith(f"! bonus {seat + 1} "):
                assert not BONUS & set(seen.line.split())
                assert seen.line.count("?") == len(line.split()) - 3
            else:
                assert seen.line == line


def test_a_long_log_is_cheap() -> None:
    longest = max([read_game(path.read_text("utf-8"), open_money=False) for path in GOLDEN], key=_length)
    assert _length(longest) > 500
    seconds: list[float] = []
    for _ in range(5):
        begun = time.perf_counter()
        encoder.encode(LogMessage(longest.history.log_for(NOBODY)))
        seconds.append(time.perf_counter() - begun)
    assert min(seconds) < 0.01


def _length(game: Any) -> int:
    return len(game.history.lines)


# On a server


def test_who_reloads_finds_what_the_messages_told(server: RunningServer) -> None:
    with Guest(server) as host, Guest(server) as watcher:
        table = host.open_table(["person", "person"], modules=["bonus", "huts"])
        assert host.get(f"/tables/{table}/log") == {"lines": []}
        host.start(table)
        sent: list[dict[str, Any]] = []
        choose = random.Random(4)
        with watcher.socket(table) as watching, host.socket(table) as playing:
            first = watching.next()
            turn = first["view"]["turns"]
            beginning = watcher.get(f"/tables/{table}/log")["lines"]
            assert {(line["n"], line["turn"]) for line in beginning} == {(0, 0)}
            message = playing.next()
            while message["n"] < 60:
                action = choose.choice(prefer_building(message["own"]["actions"]))
                message = playing.ask(type="act", n=message["n"], action=action)
                seen = watching.next()
                while seen["n"] < message["n"]:
                    seen = watching.next()
                sent += [{"n": seen["n"], "turn": turn, "line": line} for line in seen["events"]]
                turn = seen["view"]["turns"]
        assert watcher.get(f"/tables/{table}/log")["lines"] == beginning + sent


@rule("16.2")
def test_everybody_finds_only_the_own_bonus_cards(server: RunningServer) -> None:
    with Guest(server) as host, Guest(server) as ben, Guest(server) as watcher:
        table = host.open_table(["person", "open", "person"], modules=["bonus"])
        ben.sit(table, 2)
        host.start(table)
        for guest, query, own in (
            (host, "?seat=1", "1"),
            (host, "?seat=3", "3"),
            (host, "?seat=2", None),
            (ben, "", "2"),
            (ben, "?seat=1", None),
            (watcher, "", None),
            (watcher, "?seat=1", None),
        ):
            cards = [line.split()[2:] for line in lines_of(guest.get(f"/tables/{table}/log{query}")) if "bonus" in line]
            assert [seat for seat, *_ in cards] == ["1", "2", "3"]
            for seat, *names in cards:
                assert len(names) == 3
                assert set(names) <= BONUS if seat == own else set(names) == {"?"}


def test_a_table_without_spectators_tells_them_nothing(server: RunningServer) -> None:
    with Guest(server) as host, Guest(server) as watcher:
        table = host.open_table(["person", "person"], spectators=False)
        host.start(table)
        assert error_code(watcher.http.get(f"/api/tables/{table}/log")) == "spectators_off"
        assert host.get(f"/tables/{table}/log")["lines"]
        assert error_code(host.http.get("/api/tables/AAAAAAAAAAAAAAAA/log")) == "not_found"


def test_the_opening_of_a_fork_and_of_a_record_is_in_the_log(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "person"])
        host.start(table)
        with host.socket(table) as socket:
            end = play_on(socket, random.Random(8))["n"]
        whole = host.get(f"/tables/{table}/log")["lines"]
        record = host.http.get(f"/api/tables/{table}/record").text
        assert [line["line"] for line in whole] == record.partition("\n\n")[2].splitlines()
        assert whole[-1]["n"] == end
        assert whole[-1]["line"].startswith("= end ")
        fork = host.post(f"/tables/{table}/fork", {"n": 20})["table"]["id"]
        opening = [line for line in whole if line["n"] <= 20]
        assert host.get(f"/tables/{fork}/log")["lines"] == opening
        host.start(fork)
        with host.socket(fork) as socket:
            play_on(socket, random.Random(9), until=30)
        lines = host.get(f"/tables/{fork}/log")["lines"]
        assert lines[: len(opening)] == opening
        assert lines[len(opening)]["n"] == 21
        assert lines[-1]["n"] == 30
        uploaded = host.http.post("/api/records", content=record, headers={"content-type": "text/plain"}).json()
        assert host.get(f"/tables/{uploaded['table']['id']}/log")["lines"] == whole


def test_what_was_taken_back_is_not_in_the_log(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "person"])
        host.start(table)
        choose = random.Random(5)
        message = host.get(f"/tables/{table}")
        for _ in range(400):
            before = host.get(f"/tables/{table}/log")
            action = choose.choice(prefer_building(message["own"]["actions"]))
            message = host.command(table, type="act", n=message["n"], action=action)
            if message["own"]["may_undo"]:
                assert len(host.get(f"/tables/{table}/log")["lines"]) == len(before["lines"]) + 1
                host.command(table, type="undo", n=message["n"])
                assert host.get(f"/tables/{table}/log") == before
                return
        raise AssertionError("nothing could ever be taken back")


def test_a_held_action_is_not_in_the_log() -> None:
    log = Log().start()
    before = log_of(log.table, 0)
    log.act(next(action for action in log.offers() if action.startswith("take")), hold=True)
    assert log.table.held is not None
    assert log_of(log.table, 0) == before
