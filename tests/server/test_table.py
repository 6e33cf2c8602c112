"""A table is a function of its entries: rebuilding it always gives the same state."""

from __future__ import annotations

import random
from typing import Any, Literal

import pytest

from granada.records.shuffle import verify
from granada.tables.commands import propose
from granada.tables.entries import Entry, HandedOver, Held, Played, Undone, decode_body, encode_body
from granada.tables.errors import TableError
from granada.tables.game import is_undoable
from granada.tables.holders import Holder
from granada.tables.lobby import create, leave_seat, set_seat, take_seat
from granada.tables.messages import Act, Back, Confirm, TableOptions, Undo
from granada.tables.requests import SeatRequest
from granada.tables.table import Table
from tests.kit import all_options, rule
from tests.server.tables import ANA, BEN, Log

ALL: dict[str, Any] = {"edition": "combined", "modules": ["vizier", "exchange", "bonus", "huts"]}


def key(table: Table) -> tuple[object, ...]:
    game = table.game
    assert game is not None
    return (
        game.state.key(),
        game.history.lines,
        game.can_undo,
        game.undo_limit,
        table.held,
        table.seats,
        table.phase,
        table.version,
        table.seed,
        [table.clocks.left(seat, table.changed_at) for seat in range(len(table.seats))],
    )


@pytest.mark.parametrize("options", all_options()[::17], ids=repr)
def test_a_restarted_server_comes_to_the_same_table_at_every_moment(options: object) -> None:
    from granada import Options

    assert isinstance(options, Options)
    choose = random.Random(repr(options))
    log = Log(
        ["person"] * options.players,
        edition=options.edition,
        modules=list(options.modules),
        scoring=options.scoring,
        clock={"mode": "bank", "seconds": 300, "increment": 5},
    ).start()
    for _ in range(60):
        log.now += choose.randrange(5000)
        assert log.table.game is not None
        if choose.random() < 0.3 and (log.table.game.can_undo or log.table.held):
            log.undo() if choose.random() < 0.5 else log.restart()
        else:
            log.act(choose.choice(log.offers()), hold=choose.random() < 0.3)
        assert key(log.again()) == key(log.table)


def test_entries_are_read_as_they_were_written() -> None:
    log = Log().start()
    log.act(log.offers()[0], hold=True)
    for entry in log.entries:
        assert decode_body(encode_body(entry.body)) == entry.body


# Undo -----------------------------------------------------------------------------------------------------------------


def turn_with_exact_purchase() -> tuple[Log, str]:
    """Return a game in which a seat can pay exactly and so act again, and that purchase."""
    for seed in range(100):
        log = Log(("person", "person", "person")).start()
        choose = random.Random(seed)
        for _ in range(60):
            buys = [action for action in log.offers() if action.startswith("buy")]
            for buy in buys:
                move = propose(log.table, ANA, Act("x", log.n, buy)).move
                assert move is not None
                assert log.table.game is not None
                if is_undoable(log.table.game.state, move):
                    return log, buy
            log.play_at_random(choose)
    raise AssertionError("nobody could ever buy exactly")


@rule("3.4")
def test_an_exact_purchase_can_be_taken_back_because_it_shows_nothing() -> None:
    log, buy = turn_with_exact_purchase()
    assert log.table.game is not None
    before = log.table.game.state.key()
    lines = list(log.table.game.history.lines)
    log.act(buy)
    assert log.table.game.can_undo
    assert log.undo().body == Undone(log.n)
    assert log.table.game.state.key() == before
    assert log.table.game.history.lines == lines
    assert not log.table.game.can_undo


def test_undo_goes_back_one_step_and_restart_to_the_last_thing_shown() -> None:
    log, buy = turn_with_exact_purchase()
    assert log.table.game is not None
    began = log.n
    log.act(buy)
    while log.table.game.can_undo and log.n < began + 3:
        log.act(log.offers()[0])
    if not log.table.game.can_undo:  # the second action ended the turn, so nothing can be undone
        with pytest.raises(TableError, match="cannot be undone"):
            log.undo()
        return
    log.restart()
    assert log.n == began


def test_nothing_is_taken_back_that_drew_or_ended_a_turn() -> None:
    choose = random.Random(5)
    log = Log(("person", "person"), ANA, **ALL).start()
    for _ in range(300):
        assert log.table.game is not None
        before, count = log.table.game.state, len(log.entries)
        log.play_at_random(choose)
        body = log.entries[count].body
        assert isinstance(body, Played)
        after = log.table.game.state
        if log.table.game.can_undo:
            assert len(body.lines) == 1
            assert not body.lines[0].split(" ", 1)[1].startswith(("reveal", "keep"))
            assert (after.turns, after.seat, after.turn) == (before.turns, before.seat, before.seat)
            # Nothing was revealed, because nothing was drawn.
            assert (after.deck.pool, after.bags, after.piles) == (before.deck.pool, before.bags, before.piles)
        else:
            with pytest.raises(TableError):
                propose(log.table, ANA, Undo("x", log.n))


def test_the_luck_after_an_undo_is_the_same_luck() -> None:
    log, buy = turn_with_exact_purchase()
    log.act(buy)
    after_once = propose(log.table, ANA, Act("x", log.n, log.offers()[0])).move
    log.undo()
    log.act(buy)
    after_twice = propose(log.table, ANA, Act("x", log.n, log.offers()[0])).move
    assert after_once is not None
    assert after_twice is not None
    assert after_once.lines == after_twice.lines


def test_a_table_without_undo_refuses_it() -> None:
    with pytest.raises(TableError, match="Undo is turned off"):
        Log(undo=False).start().undo()


# Holding --------------------------------------------------------------------------------------------------------------


def held(log: Log) -> str | None:
    return None if log.table.held is None else log.table.held.action


def test_the_last_action_of_a_turn_is_held_until_it_is_confirmed() -> None:
    log = Log().start()
    action = next(action for action in log.offers() if action.startswith("take"))
    assert isinstance(log.act(action, hold=True).body, Held)
    assert log.n == 0
    assert log.table.held == Held(log.table.deciding() or 0, action)
    log.do(Confirm("x", 0))
    assert log.n == 1
    assert log.table.held is None


def test_a_held_action_can_be_taken_back_and_replaced() -> None:
    log = Log().start()
    first, second = [action for action in log.offers() if action.startswith("take")][:2]
    log.act(first, hold=True)
    log.undo()
    assert held(log) is None
    log.act(first, hold=True)
    log.act(second, hold=True)
    assert held(log) == second


def test_what_can_be_taken_back_is_played_at_once_even_if_it_may_be_held() -> None:
    log, buy = turn_with_exact_purchase()
    assert isinstance(log.act(buy, hold=True).body, Played)


def test_nothing_can_be_confirmed_that_is_not_held() -> None:
    with pytest.raises(TableError, match="no action to confirm"):
        Log().start().do(Confirm("x", 0))


# Errors ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "holder", "code"),
    [
        (Act("x", 7, "take y1"), ANA, "stale"),
        (Act("x", 0, "take"), ANA, "malformed"),
        (Act("x", 0, "dance"), ANA, "malformed"),
        (Act("x", 0, "take y4 y3 y2 y1"), ANA, "illegal"),
        (Act("x", 0, "pass"), ANA, "illegal"),
        (Act("x", 0, "take y1"), BEN, "no_seat"),
        (Act("x", 0, "take y1"), Holder("c" * 64), "no_seat"),
        (Undo("x", 0), ANA, "nothing_to_undo"),
    ],
)
def test_refusals_have_stable_codes(command: Act | Undo, holder: Holder, code: str) -> None:
    log = Log().start()
    version = log.table.version
    with pytest.raises(TableError) as error:
        log.do(command, holder)
    assert error.value.code == code
    assert log.table.version == version


def test_an_illegal_action_names_its_rule() -> None:
    with pytest.raises(TableError) as error:
        Log().start().act("pass")
    assert error.value.rule == "3.7"


def test_before_the_start_and_after_the_end_nothing_is_played() -> None:
    log = Log()
    with pytest.raises(TableError) as error:
        log.do(Act("x", 0, "pass"))
    assert error.value.code == "not_running"


# Records --------------------------------------------------------------------------------------------------------------


def test_the_seed_is_told_only_when_the_game_is_over() -> None:
    log = Log(("person", "person"), edition="granada").start()
    seed = log.table.seed
    assert seed is not None
    assert seed not in str(log.table.record())
    choose = random.Random(3)
    while log.table.phase == "playing":
        offers = [one for one in log.offers() if not one.startswith(("remove", "swap", "add"))] or log.offers()
        log.act(choose.choice(offers))
    text = str(log.table.record())
    assert f"seed: {seed}" in text
    proof = verify(text)
    assert proof.is_over
    assert proof.commitment == log.table.commitment()


# Seats that bots play for ---------------------------------------------------------------------------------------------


def test_whoever_acts_is_back() -> None:
    log = Log().start()
    seat = log.table.deciding()
    assert seat is not None
    log.store(HandedOver(seat, "absent"))
    assert log.table.bot_for(seat) == "greedy"
    log.act(log.offers()[0])
    assert log.table.bot_for(seat) is None


def test_the_clock_hands_over_a_turn_and_not_a_seat() -> None:
    choose = random.Random(1)
    log = Log(clock={"mode": "turn", "seconds": 10}).start()
    seat = log.table.deciding()
    assert seat is not None
    log.store(HandedOver(seat, "expired"))
    while log.table.deciding() == seat:
        assert log.table.bot_for(seat) == "greedy"
        log.play_at_random(choose, by="bot")
    assert log.table.bot_for(seat) is None


# Seats during the game ------------------------------------------------------------------------------------------------


@rule("16.1", "16.2")
def test_the_host_cannot_look_into_the_hand_of_a_bot() -> None:
    log = Log(("person", "greedy")).start()
    with pytest.raises(TableError, match="you would see its hand"):
        set_seat(log.table, ANA, 1, SeatRequest("person"))


@rule("16.1", "16.2")
def test_who_plays_cannot_take_a_seat_that_another_left() -> None:
    log = Log(("person", "open"))
    log.store(take_seat(log.table, BEN, 1, "Ben"))
    log.start()
    log.store(leave_seat(log.table, BEN, 1))
    with pytest.raises(TableError, match="seen another hand"):
        take_seat(log.table, ANA, 1, None)
    log.store(take_seat(log.table, BEN, 1, "Ben"))
    assert log.table.seats_of(BEN.hash) == [1]


def test_at_a_hot_seat_one_can_stand_up_and_sit_down_again() -> None:
    log = Log(("person", "person")).start()
    log.store(leave_seat(log.table, ANA, 1))
    log.store(take_seat(log.table, ANA, 1, None))
    assert log.table.seats_of(ANA.hash) == [0, 1]


@pytest.mark.parametrize("reason", ["absent", "expired"])
def test_the_host_cannot_take_the_seat_of_somebody_who_is_away(reason: Literal["absent", "expired"]) -> None:
    log = Log(("person", "open"))
    log.store(take_seat(log.table, BEN, 1, "Ben"))
    log.start()
    log.store(HandedOver(1, reason))
    for kind in ("person", "bot", "open"):
        with pytest.raises(TableError, match="is taken"):
            set_seat(log.table, ANA, 1, SeatRequest(kind))


def test_the_host_can_free_a_seat_before_the_game() -> None:
    log = Log(("person", "open"))
    log.store(take_seat(log.table, BEN, 1, "Ben"))
    log.store(set_seat(log.table, ANA, 1, SeatRequest("open")))
    assert log.table.seats_of(BEN.hash) == []


def test_a_turn_that_the_clock_handed_over_cannot_be_had_back() -> None:
    log = Log(clock={"mode": "turn", "seconds": 60}).start()
    seat = log.table.deciding()
    assert seat is not None
    log.now += 60_000
    log.store(HandedOver(seat, "expired"))
    for command in (Back("x", seat + 1), Act("x", 0, log.offers()[0])):
        with pytest.raises(TableError, match="your next turn is yours"):
            log.do(command)
    log.store(take_seat(log.table, ANA, seat, "Another Name"))
    assert log.table.bot_for(seat) == "greedy"
    assert log.table.clocks.running is None


def test_what_leads_nowhere_is_stored_only_so_often() -> None:
    log = Log().start()
    action = log.offers()[0]
    for _ in range(500):
        log.act(action, hold=True)
        log.undo()
    with pytest.raises(TableError, match="You can still play actions"):
        log.act(action, hold=True)
    log.act(action)  # actions are still accepted


def test_a_game_played_on_from_its_set_up_says_so_in_its_record() -> None:
    first = Log().start()
    opening = str(first.table.record())
    created = create(TableOptions(), [SeatRequest("person"), SeatRequest("person")], False, ANA, opening)
    log = Log()
    log.entries = [Entry("f" * 16, 1, log.now, created)]
    log.table = Table(log.entries[0])
    log.start()
    log.act(log.offers()[0])
    assert "opening: 0" in str(log.table.record())


def test_every_position_of_a_table_can_be_read_by_several_threads() -> None:
    """Threads that draw pictures share cities with the event loop (see `game._settled`)."""
    log = Log(("person", "person"), edition="granada").start()
    choose = random.Random(1)
    placed = 0
    for _ in range(150):
        log.play_at_random(choose)
        for table in (log.table, log.again()) if not log.n % 50 else (log.table,):
            assert table.game is not None
            cities = [player.city for player in table.game.state.players]
            assert all([city.is_settled for city in cities])
            placed = max(placed, *[len(city.tiles()) for city in cities])
    assert placed > 5
