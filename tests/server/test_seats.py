"""Taking seats: before the game any open seat, afterwards only without having seen another hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from granada.tables.entries import HandedOver, Returned
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.live_table import LiveTable
from granada.tables.lobby import MAX_GUEST_SEATINGS, MAX_SEATINGS, leave_seat, set_seat, take_seat
from granada.tables.messages import Back
from granada.tables.names import clean
from granada.tables.operations import _checked
from granada.tables.requests import LONGEST_NAME, SeatRequest
from tests.kit import rule
from tests.server.running import Guest, running
from tests.server.tables import ANA, BEN, Log

CLEO = Holder("c" * 64)


def error(log: Log, holder: Holder, seat: int) -> str | None:
    """Return why a holder cannot take a seat, and check that a rebuilt table agrees."""
    codes: set[str | None] = set()
    for table in (log.table, log.again()):
        try:
            take_seat(table, holder, seat, None)
            codes.add(None)
        except TableError as refused:
            codes.add(refused.code)
        shown = LiveTable(table).info(holder, 0).seats[seat].may_sit
        assert shown == (None in codes)
    assert len(codes) == 1
    return codes.pop()


@rule("16.1", "16.2")
def test_the_host_cannot_stand_up_to_take_the_seat_of_a_bot() -> None:
    log = Log(("person", "greedy", "greedy")).start()
    log.store(set_seat(log.table, ANA, 1, SeatRequest("open")))
    assert error(log, ANA, 1) == "hand_seen"
    log.store(leave_seat(log.table, ANA, 0))
    assert error(log, ANA, 1) == "hand_seen"
    assert error(log, ANA, 0) is None
    log.store(take_seat(log.table, ANA, 0, None))
    assert log.table.seats_of(ANA.hash) == [0]


@rule("16.1", "16.2")
def test_nobody_who_played_takes_an_abandoned_seat_but_a_spectator_does() -> None:
    log = Log(("person", "open", "greedy"))
    log.store(take_seat(log.table, BEN, 1, "Ben"))
    log.start()
    log.store(leave_seat(log.table, ANA, 0))
    log.store(leave_seat(log.table, BEN, 1))
    assert error(log, ANA, 1) == error(log, BEN, 0) == "hand_seen"
    assert error(log, CLEO, 0) is error(log, CLEO, 1) is None
    log.store(take_seat(log.table, CLEO, 1, "Cleo"))
    # Now Cleo has seen a hand, too; Ben may come back when the seat is open again.
    log.store(leave_seat(log.table, CLEO, 1))
    assert error(log, CLEO, 0) == "hand_seen"
    assert error(log, CLEO, 1) is error(log, BEN, 1) is None


@rule("16.1", "16.2")
def test_a_seat_that_was_given_to_a_bot_and_back_keeps_its_past() -> None:
    log = Log(("person", "person", "greedy")).start()
    for kind in ("bot", "open"):
        log.store(set_seat(log.table, ANA, 1, SeatRequest(kind)))
    log.store(set_seat(log.table, ANA, 2, SeatRequest("open")))
    assert error(log, ANA, 1) is None
    assert error(log, ANA, 2) == "hand_seen"


@rule("16.2")
def test_open_money_does_not_open_other_seats() -> None:
    log = Log(("person", "greedy"), open_money=True, edition="alhambra", modules=["bonus"]).start()
    log.store(set_seat(log.table, ANA, 1, SeatRequest("open")))
    log.store(leave_seat(log.table, ANA, 0))
    assert error(log, ANA, 1) == "hand_seen"


def test_before_the_game_everybody_may_try_all_seats() -> None:
    log = Log(("open", "open", "greedy"))
    for seat in (0, 1, 0):
        log.store(take_seat(log.table, BEN, seat, "Ben"))
        log.store(leave_seat(log.table, BEN, seat))
    log.store(take_seat(log.table, BEN, 1, "Ben"))
    log.store(take_seat(log.table, ANA, 0, "Ana"))
    log.start()
    log.store(leave_seat(log.table, BEN, 1))
    assert error(log, BEN, 1) is None


def test_after_a_bot_took_over_the_player_still_comes_back() -> None:
    log = Log(("person", "person")).start()
    log.store(HandedOver(1, "absent"))
    log.do(Back("x", 2))
    log.store(HandedOver(1, "absent"))
    log.store(Returned(1))
    assert log.table.bot_for(1) is None
    log.store(leave_seat(log.table, ANA, 1))
    log.store(HandedOver(1, "left"))
    assert error(log, ANA, 1) is None


@rule("16.1", "16.2")
def test_hands_of_a_game_that_is_played_on_are_not_shown_before_it_goes_on(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as ana, Guest(server) as ben:
        # An unfinished record is continued by people who do not know it.
        record = Path("tests/golden").glob("*.record")
        text = "\n".join(next(iter(sorted(record))).read_text("utf-8").splitlines()[:60])
        answer = ana.http.post("/api/records", content=text, headers={"content-type": "text/plain; charset=utf-8"})
        assert answer.status_code == 201, answer.text
        table = answer.json()["table"]["id"]
        for seat in range(1, len(answer.json()["table"]["seats"]) + 1):
            assert ben.sit(table, seat)["own"] is None
            with ben.socket(table) as socket:
                assert socket.next()["own"] is None
                assert socket.ask(type="look", seat=seat)["own"] is None
            mine = ben.http.get(f"/api/tables/{table}/picture.svg").content
            assert mine == ana.http.get(f"/api/tables/{table}/picture.svg").content
            ben.post(f"/tables/{table}/seats/{seat}/leave")


def test_a_hand_is_seen_once_for_all_restarts_and_processes(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as ana:
        table = ana.open_table(["person", "greedy"], modules=["bonus"])
        ana.start(table)
        assert ana.http.put(f"/api/tables/{table}/seats/2", json={"kind": "open"}).status_code == 200
        ana.post(f"/tables/{table}/seats/1/leave")
        assert ana.post(f"/tables/{table}/seats/2/take", {}, status=403)["code"] == "hand_seen"
        server.kill()
        server.start()
        refused = ana.post(f"/tables/{table}/seats/2/take", {}, status=403)
        assert (refused["code"], refused["rule"]) == ("hand_seen", None)
        message = ana.get(f"/tables/{table}")
        assert [seat["may_sit"] for seat in message["table"]["seats"]] == [True, False]
        with Guest(server) as cleo, ana.socket(table) as socket:
            assert [seat["may_sit"] for seat in socket.next()["table"]["seats"]] == [True, False]
            cleo.sit(table, 2, "Cleo")
            message = socket.next()  # former players also get their private view in later messages
            assert [seat["may_sit"] for seat in message["table"]["seats"]] == [True, False]
        assert ana.sit(table, 1)["own"]["seat"] == 1


# Limits


def test_a_guest_who_is_renamed_again_and_again_cannot_freeze_the_lobby() -> None:
    log = Log(("person", "open", "open"))
    for number in range(MAX_SEATINGS):
        log.store(take_seat(log.table, BEN, 1, f"Ben {number}"))
    with pytest.raises(TableError, match="too often") as refused:
        take_seat(log.table, BEN, 1, "Ben again")
    assert refused.value.code == "too_many_changes"  # not `too_many`, because waiting does not help
    log.store(take_seat(log.table, CLEO, 2, "Cleo"))
    log.store(set_seat(log.table, ANA, 1, SeatRequest("open")))
    assert log.table.seats_of(BEN.hash) == []
    with pytest.raises(TableError, match="too often"):
        take_seat(log.table, BEN, 1, None)


def test_however_many_guests_come_the_host_can_remove_them_and_start() -> None:
    log = Log(("person", "open"))
    for number in range(MAX_GUEST_SEATINGS):
        log.store(take_seat(log.table, Holder(f"{number:064d}"), 1, "Guest"))
        log.store(set_seat(log.table, ANA, 1, SeatRequest("open")))
    with pytest.raises(TableError, match="open another one"):
        take_seat(log.table, BEN, 1, "Ben")
    log.store(take_seat(log.table, ANA, 0, "Ana the host"))
    log.store(set_seat(log.table, ANA, 1, SeatRequest("bot")))
    log.start()
    assert log.again().phase == "playing"


def test_other_guests_cannot_keep_a_player_from_coming_back() -> None:
    log = Log(("person", "open", "open"))
    log.store(take_seat(log.table, BEN, 1, "Ben"))
    for number in range(MAX_GUEST_SEATINGS - 1):
        log.store(take_seat(log.table, Holder(f"{number:064d}"), 2, "Guest"))
        log.store(set_seat(log.table, ANA, 2, SeatRequest("open")))
    log.store(set_seat(log.table, ANA, 2, SeatRequest("bot")))
    log.start()
    log.store(leave_seat(log.table, BEN, 1))
    assert error(log, BEN, 1) is None
    with pytest.raises(TableError, match="open another one"):
        take_seat(log.table, CLEO, 1, "Cleo")


def test_a_player_who_holds_and_undoes_uses_up_nobody_elses_limit() -> None:
    log = Log(("person", "open"))
    log.store(take_seat(log.table, BEN, 1, "Ben"))
    log.start()
    if log.table.deciding() == 0:
        log.act(log.offers()[0])
    while log.table.deciding() == 0:
        log.act(log.offers()[0])
    before = log.table.spent[ANA.hash]
    for _ in range(1000 + 30 * log.n - log.table.spent[BEN.hash]):
        log.act(log.offers()[0], hold=True, holder=BEN)
    with pytest.raises(TableError, match="You can still play actions"):
        log.act(log.offers()[0], hold=True, holder=BEN)
    assert log.table.spent[ANA.hash] == before
    log.store(HandedOver(0, "absent"))
    log.do(Back("x", 1))  # Ana comes back
    log.store(leave_seat(log.table, BEN, 1))  # and Ben can leave


# Names


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana\u200b", "Ana"),
        ("\u202eanA", "anA"),
        ("A\u2066na\u2069 \ufeffM\u00adaria", "Ana Maria"),
        ("Ana\u2028Ben", "Ana Ben"),
        ("Ana\u200dBen", "AnaBen"),
        ("A\ufe0fna\U000e0041", "Ana"),
        ("\u3164\u2800\u115f", ""),
        ("\u200b \u2060", ""),
        ("e\u0301va", "éva"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("Zoë O’Brien-Łukasz", "Zoë O’Brien-Łukasz"),
        ("\u05d0\u05d1 אב", "\u05d0\u05d1 אב"),
    ],
)
def test_names_have_no_characters_that_nobody_sees(name: str, shown: str) -> None:
    assert clean(name) == shown
    assert clean(shown) == shown


def test_a_name_never_grows_beyond_its_limit() -> None:
    assert len(clean("\u0958" * LONGEST_NAME)) == LONGEST_NAME


def test_a_name_that_only_looks_different_to_a_program_is_taken() -> None:
    log = Log(("open", "open"))
    log.store(take_seat(log.table, ANA, 0, "Ana"))
    with pytest.raises(TableError, match="is called Ana"):
        take_seat(log.table, BEN, 1, "A\u200bn\u202ea")
    for name, other in [
        ("李明", "李\u200d明"),
        ("דוד", "ד\u200cוד"),
        ("☂\ufe0f", "☂"),
        ("क\u200dष", "कष"),
        ("が", "か\u200d\u3099"),
    ]:
        pair = Log(("open", "open"))
        pair.store(take_seat(pair.table, ANA, 0, name))
        with pytest.raises(TableError, match="is called"):
            take_seat(pair.table, BEN, 1, other)
        pair.store(take_seat(pair.table, ANA, 0, other))  # one's own name may change
    log.store(take_seat(log.table, BEN, 1, "\u200b\u202e"))  # a name is suggested, as without one
    assert log.table.seats[1].plan.name.isalpha()


def test_two_players_of_an_uploaded_record_must_look_different() -> None:
    record = Log(("person", "greedy")).start().table.record()
    record.names = ("李明", "李娜")
    assert tuple(_checked(str(record)).names) == ("李明", "李娜")
    record.names = ("李明", "李\u200d明")
    with pytest.raises(TableError, match="Two players have the same name"):
        _checked(str(record))


def test_programs_and_records_have_plain_names_too(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as ana:
        assert ana.post("/programs", {"name": "my\u202e bot\u200b"}, 201)["name"] == "my bot"
        assert ana.post("/programs", {"name": "\u200b"}, 400)["code"] == "malformed"
