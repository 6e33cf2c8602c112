"""A pool of bot processes: a slow or crashing bot affects only its own job."""

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

from granada.server.bot_pool.worker import SIZE, frame
from granada.server.ops.settings import PREFIX
from granada.tables.bot_jobs import Answer, Progress, Work
from granada.tables.fair_queue import FairTurns, Owner
from granada.tables.job_runner import JobRunner
from granada.tables.ports import BotFailed

#: Seconds that a process may take to start; on a busy machine that is not the bot's fault.
START_TIMEOUT: Final = 30.0
#: A job waits for its turn up to this multiple of the time limit, so that slow bots cannot block a table forever.
MAX_WAIT_FACTOR: Final = 2.0
#: Seconds charged to the owner of a job whose process was killed, because another one must be started.
RESTART_COST: Final = 1.0

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final[msgspec.msgpack.Decoder[Answer]] = msgspec.msgpack.Decoder(Answer)


def environment() -> dict[str, str]:
    """Return the environment for a bot process: that of the server without its settings, which include passwords."""
    return {name: value for name, value in os.environ.items() if not name.upper().startswith(PREFIX)}


class BotPool(JobRunner):
    """Runs jobs in up to `processes` processes, which are started on demand and shared fairly between owners.

    Addresses take turns, and so do the tables of an address: however many jobs an address has, a job of another address
    waits for at most the running job.

    The time limit, in seconds, applies to one answer. Bots with a time budget get `think` seconds and `nodes` nodes
    (0: no limit). Plugins are files with bots, or modules with a dictionary BOTS; each process loads them.
    """

    def __init__(
        self,
        processes: int,
        time_limit: float,
        plugins: Sequence[str] = (),
        think: float | None = None,
        nodes: int = 0,
    ) -> None:
        super().__init__(think, nodes)
        self._time_limit: Final = time_limit
        self._plugins: Final = tuple(plugins)
        self._is_open = False
        self._turns: Final = FairTurns(processes)
        self._processes: list[_BotProcess] = []
        self._idle: list[_BotProcess] = []

    @property
    def waiting(self) -> int:
        """The number of waiting jobs."""
        return self._turns.waiting

    @property
    def busy(self) -> int:
        """The number of running jobs."""
        return self._turns.busy

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        return [process.pid for process in self._processes if process.is_usable]

    async def start(self) -> None:
        """Accept jobs."""
        self._is_open = True

    async def stop(self) -> None:
        """Fail all jobs, and wait until all processes have ended."""
        if not self._is_open:
            return
        self._is_open = False
        for process in self._processes:
            process.kill()
        await self._turns.idle()  # no job can start another process after this
        for process in self._processes:
            await process.wait()
        self._processes.clear()
        self._idle.clear()

    async def _run(self, work: Work, owner: Owner, report: Callable[[float], None] | None) -> Answer:
        async with self._process(owner) as process:
            return await process.run(work, self._time_limit, report)

    @asynccontextmanager
    async def _process(self, owner: Owner) -> AsyncIterator[_BotProcess]:
        """Provide a process for one job; it is killed if the job fails or is cancelled."""
        async with self._turn(owner):
            process = self._take_idle() or await self._start_process()
            try:
                yield process
            except BaseException:
                process.kill()
                self._turns.charge(owner, RESTART_COST)
                raise
            self._idle.append(process)

    @asynccontextmanager
    async def _turn(self, owner: Owner) -> AsyncIterator[None]:
        """Wait for the owner's turn to use a process."""
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(self._turns.turn(owner, MAX_WAIT_FACTOR * self._time_limit))
            except TimeoutError:
                raise BotFailed("no process was free in time") from None
            if not self._is_open:
                raise BotFailed("the pool is not running")
            yield

    def _take_idle(self) -> _BotProcess | None:
        """Return an idle process that is still running, if there is one."""
        while self._idle:
            process = self._idle.pop()
            if process.is_usable:
                return process
        return None

    async def _start_process(self) -> _BotProcess:
        starting = asyncio.create_task(self._add_process())
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:  # not every event loop cleans up after a cancelled start
            with suppress(BotFailed):
                (await starting).kill()
            raise

    async def _add_process(self) -> _BotProcess:
        process = await _BotProcess.start(self._plugins)
        self._processes = [other for other in self._processes if not other.has_ended]
        self._processes.append(process)
        if not self._is_open:  # `stop` was called meanwhile and did not see this process
            process.kill()
        return process


class _BotProcess:
    """The server's side of a bot process."""

    def __init__(self, process: Process, jobs: StreamWriter, answers: StreamReader) -> None:
        self._process: Final = process
        self._jobs: Final = jobs
        self._answers: Final = answers
        self._is_ready = False
        self._is_killed = False

    @classmethod
    async def start(cls, plugins: Sequence[str]) -> _BotProcess:
        """Start a process that loads the plugins; it shares only standard error with the server."""
        # -P: do not import modules from the current folder.
        command = (sys.executable, "-P", "-m", "granada.server.bot_pool.worker", *plugins)
        try:
            # Ctrl-C is for the server: a worker that is still starting would end with a traceback.
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, env=environment(), process_group=0 if os.name == "posix" else None
            )
        except OSError as error:
            raise BotFailed(f"the process could not be started: {error}") from None
        assert process.stdin is not None
        assert process.stdout is not None
        return cls(process, process.stdin, process.stdout)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_usable(self) -> bool:
        """Whether it can take another job, as far as we know."""
        return not (self._is_killed or self.has_ended or self._answers.at_eof())

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.returncode is not None

    async def run(self, work: Work, limit: float, report: Callable[[float], None] | None = None) -> Answer:
        """Run a job and return its answer; the limit in seconds starts after each progress report."""
        if not self._is_ready:
            await self._receive(START_TIMEOUT)
            self._is_ready = True
        self._jobs.write(frame(_encoder.encode(work)))
        while isinstance(answer := _decoder.decode(await self._receive(limit)), Progress):
            if report is not None:
                report(answer.part)
        return answer

    async def _receive(self, limit: float) -> bytes:
        """Return the next message; BotFailed if it does not arrive within the limit."""
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
        """Kill the process."""
        # Only once: asyncio does not handle a signal to a process that is already being reaped.
        if not self._is_killed:
            self._is_killed = True
            with suppress(ProcessLookupError):
                self._process.kill()

    async def wait(self) -> None:
        """Wait until a killed process has ended, and close its pipes."""
        await self._process.wait()
        await self._answers.read()  # asyncio closes a pipe only after reading to the end
