"""Processes on this machine that play the games, and are watched: one that dies or hangs costs a bot its game."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterable, Iterator, MutableSequence
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import connection, get_context
from time import monotonic
from types import FrameType, ModuleType
from typing import Any, Final, cast

from granada.arena.outcome import FORFEIT, VOID, Fault, Outcome
from granada.arena.playing import play_pairing
from granada.arena.tournament import Pairing, Tournament
from granada.bots.external.program import kill_programs
from granada.rules.events import NOBODY

#: Seconds between two looks at the clocks of the bots.
LOOK: Final = 0.25
#: When nobody has looked for so many seconds, all of this was stopped (Ctrl-Z), or the machine slept.
SLEPT: Final = 5.0
#: So many seconds a process may take to end when it is not needed any more.
FAREWELL: Final = 1.0
_CONTEXT: Final = get_context("spawn")  # the same on every system, and no process holds the pipes of another
#: Where a process notes since when (by the clock) which seat thinks.
_SINCE, _SEAT = 0, 1


def play_here(tournament: Tournament, pairings: Iterable[Pairing], jobs: int) -> Iterator[Outcome]:
    """Play games in so many processes; outcomes come as they are ready, in no certain order."""
    waiting = iter(pairings)
    workers: list[Worker] = []
    try:
        for pairing in islice(waiting, jobs):
            workers.append(Worker(tournament))
            workers[-1].give(pairing)
        looked = monotonic()
        while busy := [worker for worker in workers if worker.pairing is not None]:
            connection.wait([worker.pipe for worker in busy], LOOK)
            now = monotonic()
            if now - looked > SLEPT:
                for worker in busy:
                    worker.forgive()
            looked = now
            for worker in busy:
                outcome = worker.look()
                if outcome is not None:
                    for following in islice(waiting, 1):
                        worker.give(following)
                    yield outcome
    finally:
        for worker in workers:
            worker.dismiss()
        for worker in workers:
            worker.end()


class Worker:
    """A process that plays one game after the other; it is replaced when it dies."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament: Final = tournament
        self.pairing: Pairing | None = None
        #: Who was thinking when the process died the first time over this game; None if it has not.
        self._suspect: int | None = None
        self._start()

    def _start(self) -> None:
        self._clock: MutableSequence[float] = cast(Any, _CONTEXT.RawArray("d", [0.0, NOBODY]))
        self.pipe, theirs = _CONTEXT.Pipe()
        # Not a daemon: a bot that may use several cores has processes of its own.
        self._process = _CONTEXT.Process(target=_work, args=(self._tournament, theirs, self._clock, os.getpid()))
        with _without_main():
            self._process.start()
        theirs.close()
        self._is_ready = False
        #: Silence is counted from here, if not from later.
        self._woke = 0.0

    def give(self, pairing: Pairing) -> None:
        """Let it play a game."""
        self.pairing = pairing
        self._suspect = None
        self._send()

    def _send(self) -> None:
        with suppress(OSError):  # if it has died, that is seen at the next look
            self.pipe.send(self.pairing)

    def look(self) -> Outcome | None:
        """The outcome of its game, once there is one; also if the process died, or hangs."""
        try:
            while self.pipe.poll():
                received = self.pipe.recv()
                if isinstance(received, Outcome):
                    self.pairing = None
                    return received
                if isinstance(received, Exception):
                    raise received
                self._is_ready = True
        except (EOFError, ConnectionError):
            return self._after_death()
        return self._after_silence()

    def _after_death(self) -> Outcome | None:
        """The game is played once more; if that fails in the same way, whoever was thinking loses it."""
        pairing = self.pairing
        assert pairing is not None
        self._process.join(FAREWELL)
        status, seat = self._process.exitcode, int(self._clock[_SEAT])
        if not self._is_ready:
            raise ChildProcessError(f"a process that should play games ended at its start (status {status})")
        self.end()
        self._start()
        if self._suspect is None:
            self._suspect = seat
            self._send()
            return None
        self.pairing = None
        if seat == self._suspect != NOBODY:
            return forfeit(pairing, seat, f"ended the process in which it played (status {status})")
        return Outcome(pairing, VOID, reason=f"the process that played it ended twice (status {status})")

    def _after_silence(self) -> Outcome | None:
        """A bot that does not answer is given up, and its process with it."""
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

    def forgive(self) -> None:
        """Time has passed in which it could not think: its bots are waited for from now on."""
        self._woke = monotonic()

    def dismiss(self) -> None:
        """It need not play any more."""
        self.pipe.close()
        if self.pairing is not None:
            self._process.terminate()

    def end(self) -> None:
        """End the process, if it does not end by itself at once."""
        self.pipe.close()
        if self.pairing is not None:
            self._process.terminate()
        self._process.join(FAREWELL)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()


@contextmanager
def _without_main() -> Iterator[None]:
    """A new process would run the main file of this one again, a script of the user or all of Ray; ours need none."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def forfeit(pairing: Pairing, seat: int, reason: str) -> Outcome:
    """The outcome of a game of which nothing is known but who lost it."""
    others = tuple([other for other in range(len(pairing.line_up)) if other != seat])
    return Outcome(pairing, FORFEIT, others, fault=Fault(seat, reason))


def _work(tournament: Tournament, pipe: connection.Connection, clock: MutableSequence[float], parent: int) -> None:
    """The work of one process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is answered by the process that started this one
    own = os.getpid()

    def give_up(signal_number: int, frame: FrameType | None) -> None:
        """End in the middle of a game: programs that think would never hear that nobody waits for them."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        if os.getpid() != own:  # a process that a bot has forked
            os._exit(1)
        kill_programs(lambda: os._exit(1))

    signal.signal(signal.SIGTERM, give_up)
    if sys.stdout is not None and sys.stderr is not None:
        os.dup2(2, 1)  # what a bot prints shall not get between the figures
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # between games: they leave no cycles behind (granada.bots.gc_control); a bot may

    def watch(seat: int) -> None:
        if os.getppid() != parent:  # nobody is left to tell
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
            pipe.send(play_pairing(tournament, pipe.recv(), options, watch))
    except (EOFError, OSError):
        pass  # nobody needs it any more
