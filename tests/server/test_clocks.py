"""Clocks: none, so much a turn, or a bank with an increment; expiry hands the turn to a bot, never ends the game."""

from __future__ import annotations

import pytest

from granada.server.clocks import MERCY, Clocks
from granada.server.commands import expire
from granada.server.entries import HandedOver, Played, Resumed, Returned
from granada.server.messages import Clock
from tests.server.tables import Log


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
    log = Log(clock={"mode": "turn", "seconds": 60}).start()
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
    log = Log(clock={"mode": "bank", "seconds": seconds}).start()
    seat = log.table.deciding()
    assert seat is not None
    log.now += 1000 * seconds
    log.store(HandedOver(seat, "absent"))
    assert log.table.clocks.running is None
    log.store(Returned(seat))
    assert log.table.clocks.left(seat, log.now) == min(MERCY, 1000 * seconds)
