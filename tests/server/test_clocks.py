"""Clocks: none, time per turn, or a bank with an increment; on expiry a bot finishes the turn."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from granada.tables.clocks import RETURN_TIME, Clocks
from granada.tables.commands import expire
from granada.tables.entries import Entry, HandedOver, Played, Resumed, Returned
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.live_table import LiveTable
from granada.tables.lobby import create, leave_seat, start, take_seat
from granada.tables.messages import Clock, Here, PassingInfo, TableOptions
from granada.tables.requests import SeatRequest
from granada.tables.table import PASSING, Table
from tests.server.tables import ANA, BEN, NOON, Log


def two_devices(**options: Any) -> Log:
    """Return a game of two people with separate devices."""
    log = Log(("person", "open"), **options)
    log.store(take_seat(log.table, BEN, 1, "Ben"))
    return log.start()


def test_without_a_clock_nothing_expires() -> None:
    clocks = Clocks(Clock(), 2)
    clocks.run(0, 1, 1000)
    assert clocks.expires_at() is None
    assert clocks.left(0, 10_000) is None


def test_a_turn_has_its_time_for_all_decisions_together() -> None:
    clocks = Clocks(Clock("turn", 60), 2)
    clocks.run(0, 1, 0)
    clocks.run(0, 1, 20_000)
    assert clocks.left(0, 30_000) == 30_000
    assert clocks.expires_at() == 60_000
    clocks.run(1, 2, 30_000)
    clocks.run(0, 3, 35_000)
    assert clocks.left(0, 35_000) == 60_000


def test_a_bank_is_used_up_and_grows_with_every_turn() -> None:
    clocks = Clocks(Clock("bank", 100, 10), 2)
    clocks.run(0, 1, 0)
    assert clocks.left(0, 0) == 110_000
    clocks.run(1, 2, 50_000)
    assert clocks.left(0, 70_000) == 60_000
    clocks.run(0, 3, 70_000)
    assert clocks.left(0, 70_000) == 70_000
    assert clocks.left(1, 70_000) == 90_000


def test_a_decision_in_another_seats_turn_brings_no_increment_twice() -> None:
    clocks = Clocks(Clock("bank", 100, 10), 2)
    clocks.run(0, 1, 0)
    clocks.run(0, 1, 10_000)
    assert clocks.left(0, 10_000) == 100_000


def test_time_is_never_less_than_none() -> None:
    clocks = Clocks(Clock("bank", 5, 0), 2)
    clocks.run(0, 1, 0)
    assert clocks.left(0, 99_000) == 0
    clocks.run(1, 2, 99_000)
    assert clocks.left(0, 99_000) == 0


def test_the_time_in_which_the_server_was_away_is_nobodys() -> None:
    log = two_devices(clock={"mode": "turn", "seconds": 60})
    seat = log.table.deciding()
    assert seat is not None
    log.now += 3_600_000
    log.store(Resumed())
    assert log.table.clocks.left(seat, log.now) == 60_000


def test_an_expired_turn_goes_to_a_bot_and_what_was_held_is_played() -> None:
    log = Log(clock={"mode": "turn", "seconds": 60}).start()
    seat = log.table.deciding()
    assert seat is not None
    assert expire(log.table, seat).body == HandedOver(seat, "expired")
    action = log.offers()[0]
    log.act(action, hold=True)
    body = expire(log.table, seat).body
    assert isinstance(body, Played)
    assert body.lines[0] == f"{seat + 1} {action}"


@pytest.mark.parametrize("seconds", [5, 600])
def test_who_comes_back_with_an_empty_bank_gets_some_time(seconds: int) -> None:
    log = two_devices(clock={"mode": "bank", "seconds": seconds})
    seat = log.table.deciding()
    assert seat is not None
    log.now += 1000 * seconds
    log.store(HandedOver(seat, "absent"))
    assert log.table.clocks.running is None
    log.store(Returned(seat))
    assert log.table.clocks.left(seat, log.now) == min(RETURN_TIME, 1000 * seconds)


# Hot seat: the clock waits while the device is being passed


MINUTE = {"mode": "turn", "seconds": 60}


def deciding(log: Log) -> int:
    seat = log.table.deciding()
    assert seat is not None
    return seat


def left(log: Log) -> int | None:
    """Return the time left of the seat that decides, and check that a rebuilt table agrees."""
    found = log.table.clocks.left(deciding(log), log.now)
    assert log.again().clocks.left(deciding(log), log.now) == found
    assert log.again().passing == log.table.passing
    return found


def is_passing(log: Log) -> bool:
    return log.table.passing is not None


def end_turn(log: Log) -> None:
    """Play actions until another seat decides."""
    before = deciding(log)
    while deciding(log) == before:
        log.act(log.offers()[0])


def test_the_clock_waits_until_the_next_player_has_the_device() -> None:
    log = Log(clock=MINUTE).start()
    assert is_passing(log)  # at the start nobody has the device
    log.now += 100_000
    assert (left(log), log.table.clocks.expires_at()) == (60_000, None)
    log.do(Here("x", deciding(log) + 1))
    assert not is_passing(log)
    log.now += 20_000
    assert left(log) == 40_000
    end_turn(log)
    log.now += 3_600_000
    assert left(log) == 60_000
    log.do(Here("x"))
    log.now += 1_000
    assert left(log) == 59_000
    assert log.table.clocks.expires_at() == log.now + 59_000


def test_who_acts_without_a_word_has_the_device() -> None:
    log = Log(clock=MINUTE).start()
    log.now += 10_000
    log.act(log.offers()[0], hold=True)
    assert log.table.passing is None
    log.now += 5_000
    assert left(log) == 55_000


def test_other_entries_change_nothing_about_the_wait() -> None:
    log = Log(clock=MINUTE).start()
    for _ in range(3):
        log.now += 40_000
        log.store(take_seat(log.table, ANA, deciding(log), f"Name {log.now}"))
        assert left(log) == 60_000
    log.store(Resumed())
    assert left(log) == 60_000


def test_the_device_comes_back_to_a_player_who_decided_last_without_being_passed() -> None:
    log = Log(("person", "greedy"), clock=MINUTE).start()
    assert log.table.passing is None  # only one seat at the device, so nothing to pass on
    log = Log(("person", "person", "greedy"), clock=MINUTE).start()
    while log.table.bot_for(deciding(log)) is not None:
        log.play_at_random(random.Random(1), by="bot")
    log.do(Here("x"))
    seat = deciding(log)
    log.store(HandedOver(seat, "absent"))
    log.store(Returned(seat))
    assert log.table.passing is None


def test_with_people_elsewhere_the_wait_is_short() -> None:
    log = Log(("person", "person", "open"), clock=MINUTE)
    log.store(take_seat(log.table, BEN, 2, "Ben"))
    log.start()
    while deciding(log) == 2:
        log.act(log.offers()[0], holder=BEN)
    began = log.now
    assert LiveTable(log.table).info(BEN, log.now).passing == PassingInfo(deciding(log) + 1, PASSING)
    log.now = began + PASSING
    assert left(log) == 60_000
    log.now += 1_000
    assert left(log) == 59_000
    assert log.table.clocks.expires_at() == began + PASSING + 60_000
    # Renaming or a late `here` gives no extra time.
    log.store(take_seat(log.table, ANA, deciding(log), "Another"))
    assert left(log) == 59_000
    log.do(Here("x"))
    assert left(log) == 59_000


def test_who_has_one_seat_or_another_browser_never_waits() -> None:
    log = two_devices(clock=MINUTE)
    assert log.table.passing is None
    holder = ANA if deciding(log) == 0 else BEN
    with pytest.raises(TableError, match="No device"):
        log.do(Here("x"), holder)


def test_a_program_with_several_seats_passes_no_device() -> None:
    program = Holder("p" * 64, is_program=True)
    options = msgspec.convert({"clock": MINUTE}, TableOptions)
    table = Table(
        Entry("t" * 16, 1, NOON, create(options, [SeatRequest("person"), SeatRequest("person")], False, program))
    )
    table.apply(Entry("t" * 16, 2, NOON, start(table, program).body))
    assert table.passing is None
    assert table.clocks.expires_at() == NOON + 60_000


def test_without_a_clock_nothing_is_stored_about_devices() -> None:
    log = Log().start()
    assert log.table.passing is None
    with pytest.raises(TableError, match="No device"):
        log.do(Here("x"))


def test_nobody_says_for_others_that_they_are_there() -> None:
    log = Log(("person", "person", "open"), clock=MINUTE)
    log.store(take_seat(log.table, BEN, 2, "Ben"))
    log.start()
    while deciding(log) == 2:
        log.act(log.offers()[0], holder=BEN)
    for holder, seat in ((BEN, None), (BEN, deciding(log) + 1), (ANA, 2 - deciding(log))):
        with pytest.raises(TableError):
            log.do(Here("x", seat), holder)


def test_who_stays_alone_at_the_device_waits_no_more() -> None:
    log = Log(clock=MINUTE).start()
    log.store(leave_seat(log.table, ANA, 1 - deciding(log)))
    assert log.table.passing is None
    log.now += 10_000
    assert left(log) == 50_000
