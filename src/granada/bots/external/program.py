"""Bots that are programs in any language, which speak the line protocol (docs/bots.md) on stdin and stdout."""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import subprocess
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, ClassVar, Final

from granada.bots.bot import Advice, Bot
from granada.bots.budget import Budget
from granada.bots.external.position_text import position_text
from granada.bots.external.third_party import BotError, new_bot, own_seed
from granada.records.notation import action_text
from granada.rules.errors import BadOptions
from granada.rules.state import Action
from granada.rules.view import View

#: Seconds for a program to start, to answer beyond its budget, and to end.
START_LIMIT: Final = 30.0
GRACE: Final = 10.0
END_LIMIT: Final = 1.0
#: Seconds for a decision with a limit in nodes.
NODES_LIMIT: Final = 600.0
#: Limits on the output of a program: characters in a line, and unread lines.
LONGEST: Final = 10_000
MOST_LINES: Final = 10_000
#: The evaluation of an action by a program.
_INFO: Final = re.compile(r"action (?P<action>.+?)(?: lead (?P<lead>\S+))?(?: win (?P<win>\S+))?")


class Program:
    """A running program: lines go in, lines come out."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self._called: Final = f"the program '{name}' ({shlex.join(command)})"
        self._lines: Final = SimpleQueue[str | None]()
        self._to_send: Final = SimpleQueue[bytes | None]()
        with _starting():
            try:
                self._process: Final = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    # Ctrl-C must not reach it; we end it ourselves.
                    start_new_session=os.name != "nt",
                )
            except OSError as error:
                raise BotError(f"{self._called} cannot be started: {error.strerror}") from None
            _RUNNING.add(self)
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        # Separate threads read and write, so that a program that does neither cannot block us.
        self._reader: Final = Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True)
        self._writer: Final = Thread(target=_write, args=(self._process.stdin, self._to_send), daemon=True)
        self._reader.start()
        self._writer.start()

    def error(self, what: str) -> BotError:
        """Return an error that names the program."""
        return BotError(f"{self._called} {what}")

    def send(self, text: str) -> None:
        """Send lines; if the program does not read them, the next `line` fails."""
        self._to_send.put(text.encode())

    def line(self, until: float) -> str:
        """Return the next line if it comes in time; an error that the program reports is raised."""
        try:
            line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except Empty:
            raise self.error("did not answer in time") from None
        if line is None:
            try:
                code = self._process.wait(END_LIMIT)
            except subprocess.TimeoutExpired:
                raise self.error("closed its output") from None
            raise self.error(f"ended with code {code}")
        if line.startswith("error "):
            raise self.error(f"reports: {line.removeprefix('error ')[:300]}")
        return line

    def close(self) -> None:
        """Tell the program to end, and kill it if it does not. Idempotent."""
        self.send("quit\n")
        self._to_send.put(None)
        try:
            self._process.wait(END_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in (self._writer, self._reader):
            thread.join(END_LIMIT)  # with a limit, because a child of the program may keep its pipes open

    def kill(self) -> None:
        """Kill the program."""
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_LIMIT)


#: All programs of this process that are still referenced.
_RUNNING: Final = weakref.WeakSet[Program]()
#: The number of programs that are being started, and what to do when there are none.
_start_ups: int = 0
_deferred: Final[list[Callable[[], None]]] = []


@contextmanager
def _starting() -> Iterator[None]:
    """Defer `kill_programs` while a program is being started: it runs before we know its process."""
    global _start_ups
    _start_ups += 1
    try:
        yield
    finally:
        _start_ups -= 1
        while not _start_ups and _deferred:
            _deferred.pop(0)()


def kill_programs(then: Callable[[], None]) -> None:
    """Kill all programs of this process, then call `then`; a signal handler may call this.

    If a program is just being started, this happens as soon as it has started.
    """

    def kill() -> None:
        for program in list(_RUNNING):
            program.kill()
        then()

    if _start_ups:
        _deferred.append(kill)
    else:
        kill()


def _read(pipe: IO[bytes], lines: SimpleQueue[str | None]) -> None:
    """Queue the lines of a program, with None at the end; too many lines end it."""
    with pipe:
        while lines.qsize() < MOST_LINES and (line := pipe.readline(LONGEST)):
            lines.put(line.decode("utf-8", "replace").strip())
    lines.put(None)


def _write(pipe: IO[bytes], texts: SimpleQueue[bytes | None]) -> None:
    """Write queued texts to a program until None, or until its input is closed."""
    with suppress(OSError, ValueError), pipe:
        while (text := texts.get()) is not None:
            pipe.write(text)
            pipe.flush()


class ProgramBot(Bot):
    """A program that is started before the first decision of a game, and ended with the bot."""

    bot_name: ClassVar[str] = ""
    command: ClassVar[tuple[str, ...]] = ()

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        super().__init__(seed, budget)
        self._seed: Final = own_seed(seed)
        self._program: Program | None = None

    def __reduce__(self) -> tuple[Callable[[str], Bot], tuple[str], dict[str, object]]:
        """Copy no running program: a copy starts its own, with the same seed."""
        return new_bot, (self.bot_name,), {**vars(self), "_program": None}

    def get_ready(self) -> None:
        if self._program is None:
            self._start()

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return self._ask(view, actions, 0)[-1].action

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        *ideas, best = self._ask(view, actions, count)
        return ideas[:count] or [best]

    def cancel(self) -> None:
        super().cancel()
        if self._program is not None:
            self._program.send("stop\n")

    def _ask(self, view: View, actions: Sequence[Action], count: int) -> list[Advice]:
        """Return the program's evaluations of some actions, and last its choice."""
        program = self._program or self._start()
        try:
            return self._answer(program, view, actions, count)
        except BaseException:
            self._end(program)
            raise

    def _start(self) -> Program:
        program = Program(self.bot_name, self.command)
        # Not __del__, which may run too late to wait for anything; a finalizer also runs at the exit of Python.
        weakref.finalize(self, program.close)
        try:
            program.send("granada\n")
            until = time.monotonic() + START_LIMIT
            while program.line(until) != "ready":
                pass  # its id lines
        except BaseException:
            self._end(program)
            raise
        program.send(f"newgame seed {self._seed}\n")
        self._program = program
        return program

    def _end(self, program: Program) -> None:
        """End a program that failed or whose answer is no longer wanted."""
        self._program = None
        program.close()

    def _answer(self, program: Program, view: View, actions: Sequence[Action], count: int) -> list[Advice]:
        budget = self.budget
        words = ["go"]
        if budget.seconds is not None:
            words += ["seconds", f"{budget.seconds:g}"]
        if budget.nodes is not None:
            words += ["nodes", str(budget.nodes)]
        if budget.cores > 1:
            words += ["cores", str(budget.cores)]
        if count:
            words += ["ideas", str(count)]
        by_text = {action_text(action): action for action in actions}
        budget.begin()
        program.send(f"position\n{position_text(view, actions)}end\n{' '.join(words)}\n")
        until = time.monotonic() + GRACE + (NODES_LIMIT if budget.seconds is None else budget.seconds)
        found: list[Advice] = []
        while True:
            word, _, rest = program.line(until).partition(" ")
            if word == "bestaction":
                if rest not in by_text:
                    raise program.error(f"chose '{rest[:100]}', which is not offered")
                return [*found, Advice(by_text[rest])]
            if word == "info":
                advice = _read_info(rest, by_text)
                found += [advice] if advice is not None else []


def _read_info(text: str, by_text: dict[str, Action]) -> Advice | None:
    """Read `action take y3 lead 3.5 win 0.61`; None for any other information."""
    found = _INFO.fullmatch(text)
    if found is None or found["action"] not in by_text:
        return None
    return Advice(
        by_text[found["action"]], _number(found["lead"], -math.inf, math.inf), _number(found["win"], 0.0, 1.0)
    )


def _number(text: str | None, least: float, most: float) -> float | None:
    """Return a number within bounds; None for anything else."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if least <= number <= most and math.isfinite(number) else None


def program_bot(name: str, command: str) -> type[Bot]:
    """Return the bot of a command; BadOptions if there is no such program."""
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise BadOptions(f"the command of the bot '{name}' cannot be read: {str(error).lower()}: {command}") from None
    if shutil.which(words[0]) is None:
        raise BadOptions(f"the program '{words[0]}' of the bot '{name}' does not exist or cannot be run")
    return type(name, (ProgramBot,), {"bot_name": name, "command": tuple(words)})
