"""Bots think outside the event loop, in a pool of processes: a slow or crashing bot fails its own job, nothing else."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

import msgspec

from granada.bots.analysis import Analysis
from granada.server.bot_pool.worker import SIZE, frame
from granada.server.ops.settings import PREFIX
from granada.tables.bot_jobs import (
    AdviceJob,
    Analysed,
    AnalysisJob,
    Answer,
    Choice,
    Failure,
    Ideas,
    Job,
    Progress,
    Work,
)
from granada.tables.fair_queue import FairTurns, Owner
from granada.tables.levels import spec_of
from granada.tables.ports import BotFailed
from granada.tables.requests import Idea

#: So many seconds a process may need until it is ready; on a busy machine that is not the fault of a bot.
START_LIMIT: Final = 30.0
#: So many times as long as a bot may think a job waits for its turn: slow bots never block a table, nor each other.
PATIENCE: Final = 2.0
#: Seconds that are charged to the owner of a job whose process was killed: another process has to be started.
RESTART: Final = 1.0
#: The owner of a job that nobody in particular asked for.
_NOBODY: Final = Owner("")

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final[msgspec.msgpack.Decoder[Answer]] = msgspec.msgpack.Decoder(Answer)


def environment() -> dict[str, str]:
    """What a process is told of the server's environment: everything but its settings, passwords among them."""
    return {name: value for name, value in os.environ.items() if not name.upper().startswith(PREFIX)}


class BotPool:
    """Up to `processes` processes, each started when a job first needs it; their time is shared fairly by owner.

    Addresses take turns, and for each address its tables do: many jobs of one address delay the next job of another one
    only by the job that is running.

    The time limit, in seconds, is that of one answer; bots that can think longer are told to think for `think`
    seconds, or until they have looked at so many nodes (0: no matter how many). Plugins are files of bots, or modules
    whose BOTS are added, in the processes.
    """

    def __init__(
        self,
        processes: int,
        time_limit: float,
        plugins: Sequence[str] = (),
        think: float | None = None,
        nodes: int = 0,
    ) -> None:
        self._time_limit: Final = time_limit
        self._think: Final = think
        self._nodes: Final = nodes
        self._plugins: Final = tuple(plugins)
        self._is_open = False
        self._turns: Final = FairTurns(processes)
        self._processes: list[_BotProcess] = []
        self._idle: list[_BotProcess] = []

    @property
    def waiting(self) -> int:
        """How many jobs wait for a process."""
        return self._turns.waiting

    @property
    def busy(self) -> int:
        """How many jobs have a process."""
        return self._turns.busy

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that there are."""
        return [process.pid for process in self._processes if process.is_usable]

    async def start(self) -> None:
        """Accept jobs."""
        self._is_open = True

    async def stop(self) -> None:
        """Let all jobs fail, and wait until all processes are gone."""
        if not self._is_open:
            return
        self._is_open = False
        for process in self._processes:
            process.kill()
        await self._turns.idle()  # then no job is left that could start a process
        for process in self._processes:
            await process.gone()
        self._processes.clear()
        self._idle.clear()

    async def choose(self, record: str, level: str, seed: str, owner: Owner = _NOBODY) -> str:
        """The action of the seat that decides at the end of this record; BotFailed if there is none.

        A job that is cancelled leaves the queue, or its process is killed.
        """
        answer = await self._ask(Job(record, self._spec(level), seed), owner)
        assert isinstance(answer, Choice)
        return answer.action

    async def advise(self, record: str, level: str, seed: str, count: int, owner: Owner = _NOBODY) -> list[Idea]:
        """What a bot advises the same seat, at most so many actions, the best first; at least one, or BotFailed."""
        answer = await self._ask(AdviceJob(record, self._spec(level), seed, count), owner)
        assert isinstance(answer, Ideas)
        return answer.ideas

    async def review(self, work: AnalysisJob, tell: Callable[[float], None]) -> Analysis:
        """What a bot finds in a game that is over; `tell` hears which part is done."""
        answer = await self._ask(work, _NOBODY, tell)
        assert isinstance(answer, Analysed)
        return answer.analysis

    def _spec(self, level: str) -> str:
        return level if self._think is None else spec_of(level, self._think, self._nodes)

    async def _ask(self, work: Work, owner: Owner, tell: Callable[[float], None] | None = None) -> Answer:
        async with self._process(owner) as process:
            answer = await process.ask(work, self._time_limit, tell)
        if isinstance(answer, Failure):
            raise BotFailed(answer.reason)
        return answer

    @asynccontextmanager
    async def _process(self, owner: Owner) -> AsyncIterator[_BotProcess]:
        """A process for one job; if it does not come to an answer, it is killed, and the next job starts another."""
        async with self._turn(owner):
            process = self._take_idle() or await self._start_process()
            try:
                yield process
            except BaseException:
                process.kill()
                self._turns.charge(owner, RESTART)
                raise
            self._idle.append(process)

    @asynccontextmanager
    async def _turn(self, owner: Owner) -> AsyncIterator[None]:
        """The right to one process, as soon as it is the owner's turn."""
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(self._turns.turn(owner, PATIENCE * self._time_limit))
            except TimeoutError:
                raise BotFailed("no process was free in time") from None
            if not self._is_open:
                raise BotFailed("the pool is not running")
            yield

    def _take_idle(self) -> _BotProcess | None:
        """A process without a job, unless it was ended from outside."""
        while self._idle:
            process = self._idle.pop()
            if process.is_usable:
                return process
        return None

    async def _start_process(self) -> _BotProcess:
        starting = asyncio.create_task(self._add_process())
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:  # not every event loop clears away a process whose start is broken off
            with suppress(BotFailed):
                (await starting).kill()
            raise

    async def _add_process(self) -> _BotProcess:
        process = await _BotProcess.start(self._plugins)
        self._processes = [other for other in self._processes if not other.has_ended]
        self._processes.append(process)
        if not self._is_open:  # stopped meanwhile, and this one was not yet among those to kill
            process.kill()
        return process


class _BotProcess:
    """The server's side of a process."""

    def __init__(self, process: Process, jobs: StreamWriter, answers: StreamReader) -> None:
        self._process: Final = process
        self._jobs: Final = jobs
        self._answers: Final = answers
        self._is_ready = False
        self._is_killed = False

    @classmethod
    async def start(cls, plugins: Sequence[str]) -> _BotProcess:
        """Start a process that loads the plugins; it shares nothing with this one but the log."""
        # With -P nothing is imported from the folder in which the server happens to run.
        command = (sys.executable, "-P", "-m", "granada.server.bot_pool.worker", *plugins)
        try:
            process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=environment())
        except OSError as error:
            raise BotFailed(f"no process could be started: {error}") from None
        assert process.stdin is not None
        assert process.stdout is not None
        return cls(process, process.stdin, process.stdout)

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def is_usable(self) -> bool:
        """Whether it can get another job, as far as is known."""
        return not (self._is_killed or self.has_ended or self._answers.at_eof())

    @property
    def has_ended(self) -> bool:
        """Whether there is no such process any more."""
        return self._process.returncode is not None

    async def ask(self, work: Work, limit: float, tell: Callable[[float], None] | None = None) -> Answer:
        """Its answer, within so many seconds; what tells of progress does not count, nor the time to get ready."""
        if not self._is_ready:
            await self._receive(START_LIMIT)
            self._is_ready = True
        self._jobs.write(frame(_encoder.encode(work)))
        while isinstance(answer := _decoder.decode(await self._receive(limit)), Progress):
            if tell is not None:
                tell(answer.part)
        return answer

    async def _receive(self, limit: float) -> bytes:
        """The next message, within so many seconds."""
        try:
            async with asyncio.timeout(limit):
                return await self._next_message()
        except TimeoutError:
            raise BotFailed(f"no answer came within {limit:g} s") from None

    async def _next_message(self) -> bytes:
        try:
            size = await self._answers.readexactly(SIZE)
            return await self._answers.readexactly(int.from_bytes(size, "big"))
        except asyncio.IncompleteReadError:
            raise BotFailed(f"its process ended with code {await self._process.wait()}") from None

    def kill(self) -> None:
        """End the process, whatever it does."""
        # Not twice: to signal a process that is just ending confuses those who wait for its end.
        if not self._is_killed:
            self._is_killed = True
            with suppress(ProcessLookupError):
                self._process.kill()

    async def gone(self) -> None:
        """Wait until nothing is left of a process that was killed."""
        await self._process.wait()
        await self._answers.read()  # asyncio lets go of a pipe only when it has seen the end
