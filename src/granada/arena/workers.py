"""A pool of processes that play games on this machine; if one dies or hangs, the bot that was thinking loses."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, MutableSequence
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import connection, get_context
from time import monotonic
from types import FrameType, ModuleType
from typing import Any, Final, cast

from granada.arena.match import Watch, play_pairing
from granada.arena.outcome import FORFEIT, VOID, Fault, GameOutcome
from granada.arena.tournament import Pairing, Tournament
from granada.bots.external.program import kill_programs
from granada.bots.external.third_party import BotError
from granada.rules.events import NOBODY
from granada.rules.options import Options

#: Seconds between two checks of the bots' clocks.
CHECK_INTERVAL: Final = 0.25
#: If the last check was longer ago, this process was stopped (Ctrl-Z) or the machine was asleep.
SLEPT: Final = 5.0
#: Seconds that a process may take to end before it is killed.
END_LIMIT: Final = 1.0
_CONTEXT: Final = get_context("spawn")  # the same on every system, and no process holds the pipes of another
#: How a process plays one game: play_pairing, or without time limits and forfeits (granada.arena.simulation).
Play = Callable[[Tournament, Pairing, Options, Watch], GameOutcome]
#: In shared memory: the time at which the current bot started to think, and its seat.
_SINCE, _SEAT = 0, 1


def play_in_processes(
    tournament: Tournament, pairings: Iterable[Pairing], jobs: int, play: Play = play_pairing
) -> Iterator[GameOutcome]:
    """Play games in up to `jobs` processes; outcomes come as games end, in any order."""
    waiting = iter(pairings)
    workers: list[Worker] = []
    try:
        for pairing in islice(waiting, jobs):
            workers.append(Worker(tournament, play))
            workers[-1].start_game(pairing)
        checked = monotonic()
        while busy := [worker for worker in workers if worker.pairing is not None]:
            connection.wait([worker.pipe for worker in busy], CHECK_INTERVAL)
            now = monotonic()
            if now - checked > SLEPT:
                for worker in busy:
                    worker.restart_clock()
            checked = now
            for worker in busy:
                outcome = worker.poll()
                if outcome is not None:
                    for following in islice(waiting, 1):
                        worker.start_game(following)
                    yield outcome
    finally:
        for worker in workers:
            worker.stop()
        for worker in workers:
            worker.end()


class Worker:
    """A process that plays one game after the other; it is replaced when it dies."""

    def __init__(self, tournament: Tournament, play: Play = play_pairing) -> None:
        self._tournament: Final = tournament
        self._play: Final = play
        self.pairing: Pairing | None = None
        #: The seat that was thinking when the process died the first time in this game; None if it has not.
        self._suspect: int | None = None
        self._start()

    def _start(self) -> None:
        self._clock: MutableSequence[float] = cast(Any, _CONTEXT.RawArray("d", [0.0, NOBODY]))
        self.pipe, theirs = _CONTEXT.Pipe()
        # Not a daemon: a bot may start processes to use several cores.
        arguments = (self._tournament, self._play, theirs, self._clock, os.getpid())
        self._process = _CONTEXT.Process(target=_work, args=arguments)
        with _without_main():
            self._process.start()
        theirs.close()
        self._is_ready = False
        #: Time before this does not count against a bot.
        self._woke = 0.0

    def start_game(self, pairing: Pairing) -> None:
        """Start a game."""
        self.pairing = pairing
        self._suspect = None
        self._send()

    def _send(self) -> None:
        with suppress(OSError):  # if it has died, the next poll notices
            self.pipe.send(self.pairing)

    def poll(self) -> GameOutcome | None:
        """Return the outcome of its game if there is one, also if the process died or hangs."""
        try:
            while self.pipe.poll():
                received = self.pipe.recv()
                if isinstance(received, GameOutcome):
                    self.pairing = None
                    return received
                if isinstance(received, Exception):
                    raise received
                self._is_ready = True
        except (EOFError, ConnectionError):
            return self._after_death()
        return self._after_silence()

    def _after_death(self) -> GameOutcome | None:
        """Play the game again; if the process dies again while the same bot thinks, that bot loses."""
        pairing = self.pairing
        assert pairing is not None
        self._process.join(END_LIMIT)
        status, seat = self._process.exitcode, int(self._clock[_SEAT])
        if not self._is_ready:
            raise ChildProcessError(f"a worker process ended while it was starting (status {status})")
        self.end()
        self._start()
        if self._suspect is None:
            self._suspect = seat
            self._send()
            return None
        self.pairing = None
        if seat == self._suspect != NOBODY:
            return forfeit(pairing, seat, f"ended the process in which it played (status {status})")
        return GameOutcome(pairing, VOID, reason=f"the process that played it ended twice (status {status})")

    def _after_silence(self) -> GameOutcome | None:
        """End the process if its bot did not answer in time."""
        pairing = self.pairing
        seat, since = int(self._clock[_SEAT]), self._clock[_SINCE]
        if pairing is None or seat == NOBODY:
            return None
        patience = self._tournament.patience_with(self._tournament.players[pairing.line_up[seat]])
        if monotonic() - max(since, self._woke) <= patience:
            return None
        self.end()
        self._start()
        self.pairing = None
        return forfeit(pairing, seat, f"gave no answer within {patience:g} s")

    def restart_clock(self) -> None:
        """Restart the clock of the bot that is thinking: the process could not run for a while."""
        self._woke = monotonic()

    def stop(self) -> None:
        """Tell the process to end."""
        self.pipe.close()
        if self.pairing is not None:
            self._process.terminate()

    def end(self) -> None:
        """Wait for the process to end, and kill it if it does not."""
        self.pipe.close()
        if self.pairing is not None:
            self._process.terminate()
        self._process.join(END_LIMIT)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main module from a new process, which would otherwise run the user's script, or all of Ray, again."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def forfeit(pairing: Pairing, seat: int, reason: str) -> GameOutcome:
    """Return the outcome of a game of which only the loser is known."""
    others = tuple([other for other in range(len(pairing.line_up)) if other != seat])
    return GameOutcome(pairing, FORFEIT, others, fault=Fault(seat, reason))


def _work(
    tournament: Tournament, play: Play, pipe: connection.Connection, clock: MutableSequence[float], parent: int
) -> None:
    """Play games in a worker process until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    own = os.getpid()

    def give_up(signal_number: int, frame: FrameType | None) -> None:
        """End in the middle of a game, and with this process the programs of its bots."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        if os.getpid() != own:  # forked by a bot
            os._exit(1)
        kill_programs(lambda: os._exit(1))

    signal.signal(signal.SIGTERM, give_up)
    if sys.stdout is not None and sys.stderr is not None:
        os.dup2(2, 1)  # keep the output of bots out of the results
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # games leave no cycles (granada.bots.gc_control), but bots may

    def watch(seat: int) -> None:
        if os.getppid() != parent:  # the parent has died
            os._exit(1)
        clock[_SINCE] = monotonic()
        clock[_SEAT] = seat

    try:
        try:
            options = tournament.prepare()
            pipe.send("ready")
        except (ValueError, OSError) as error:
            pipe.send(error)
            return
        while True:
            pairing = pipe.recv()
            try:
                outcome: GameOutcome | Exception = play(tournament, pairing, options, watch)
            except (ValueError, OSError, BotError) as error:
                outcome = error
            except Exception as error:  # of any class, which the other process may not know
                outcome = ChildProcessError(f"a game could not be played: {type(error).__name__}: {error}")
            pipe.send(outcome)
    except (EOFError, OSError):
        pass  # the other end is closed: no more games are wanted
