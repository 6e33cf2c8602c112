"""Worker processes: results do not depend on their number, and one that dies or hangs does not stop a tournament."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from granada.arena.outcome import FINISHED, FORFEIT, VOID, GameOutcome
from granada.arena.workers import CHECK_INTERVAL, Worker, play_in_processes
from granada.rules.events import NOBODY
from tests.arena.tournaments import TRIO, duel, played, without_times


def outcome_of(worker: Worker) -> GameOutcome:
    """Wait for the outcome of its game."""
    while True:
        worker.pipe.poll(CHECK_INTERVAL)
        outcome = worker.poll()
        if outcome is not None:
            return outcome


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    one, two = played(TRIO, 1), played(TRIO, 2)
    assert [outcome.pairing for outcome in one] == list(TRIO.pairings())
    assert without_times(one) == without_times(two)
    assert {outcome.end for outcome in one} == {FINISHED}


def test_a_bot_that_ends_its_process_loses_after_a_second_try() -> None:
    outcome, following = played(duel("quitter", games=2))
    for found in (outcome, following):
        assert (found.end, found.winners) == (FORFEIT, (1,))
        assert found.fault is not None
        assert found.fault.reason == "ended the process in which it played (status 3)"


def test_a_bot_that_never_answers_loses_after_the_patience() -> None:
    start = monotonic()
    # Ten times the budget is negligible.
    (outcome,) = played(duel("spinner:0.01s", patience=0.5))
    assert (outcome.end, outcome.winners) == (FORFEIT, (1,))
    assert outcome.fault is not None
    assert outcome.fault.reason == "gave no answer within 0.6 s"
    assert monotonic() - start < 30


@pytest.mark.parametrize("is_given_up", [True, False], ids=["the bot is given up", "the reader stops"])
def test_a_program_that_never_stops_thinking_ends_with_the_process_that_asked_it(
    tmp_path: Path, is_given_up: bool
) -> None:
    noted = tmp_path / "pid"
    program = tmp_path / "thinks.py"
    note = f"open({str(noted)!r}, 'w').write(f'{{os.getpid()}}.')"
    program.write_text(f"import os\nprint('ready', flush=True)\n{note}\nwhile True: pass\n")
    command = f"thinker={shlex.quote(sys.executable)} {shlex.quote(str(program))}"
    tournament = replace(duel("thinker:0.01s", patience=1.0 if is_given_up else 60.0), bot_programs=(command,))
    if is_given_up:
        (outcome,) = played(tournament)
        assert (outcome.end, outcome.winners) == (FORFEIT, (1,))
    else:
        worker = Worker(tournament)
        worker.start_game(next(tournament.pairings()))
        while not noted.exists() or not noted.read_text().endswith("."):
            assert worker.poll() is None
        worker.stop()
        worker.end()
    with pytest.raises(ProcessLookupError):
        os.kill(int(float(noted.read_text())), 0)


def test_time_in_which_all_was_stopped_costs_no_bot_its_game() -> None:
    tournament = duel("spinner:0.01s", patience=0.5)
    worker = Worker(tournament)
    try:
        worker.start_game(next(tournament.pairings()))
        worker.pipe.poll(30)
        while worker._clock[1] < 0:
            assert worker.poll() is None
        worker._clock[0] -= 60  # as after Ctrl-Z
        worker.restart_clock()
        assert worker.poll() is None
        assert outcome_of(worker).end == FORFEIT
    finally:
        worker.end()


def test_a_process_that_is_killed_from_outside_costs_nobody_the_game() -> None:
    worker = Worker(replace(TRIO, players=("greedy", "random")))
    try:
        pairing = next(TRIO.pairings())
        worker.start_game(pairing)
        assert worker._process.pid is not None
        worker.pipe.poll(30)  # it is ready
        os.kill(worker._process.pid, signal.SIGKILL)
        assert outcome_of(worker).end == FINISHED
    finally:
        worker.end()


def test_a_game_whose_process_is_killed_twice_is_void() -> None:
    tournament = duel("spinner", "spinner")
    worker = Worker(tournament)
    try:
        worker.start_game(next(tournament.pairings()))
        outcome = None
        for _ in range(2):
            worker.pipe.poll(30)
            assert worker.poll() is None
            worker._clock[1] = NOBODY
            assert worker._process.pid is not None
            os.kill(worker._process.pid, signal.SIGKILL)
            worker._process.join()
            worker._clock[1] = NOBODY
            outcome = worker.poll()
        assert outcome is not None
        assert (outcome.end, outcome.winners) == (VOID, ())
        assert outcome.reason == f"the process that played it ended twice (status {-signal.SIGKILL})"
    finally:
        worker.end()


def test_what_a_process_cannot_play_is_raised_here(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="the bot 'deep' is none of"):
        list(play_in_processes(replace(TRIO, players=("deep", "random")), TRIO.pairings(), 1))


def test_no_process_is_left_when_a_reader_stops() -> None:
    outcomes = play_in_processes(replace(TRIO, games=400), replace(TRIO, games=400).pairings(), 2)
    next(outcomes)
    workers = outcomes.gi_frame.f_locals["workers"]  # type: ignore[attr-defined]
    outcomes.close()  # type: ignore[attr-defined]
    assert [worker._process.is_alive() for worker in workers] == [False, False]
