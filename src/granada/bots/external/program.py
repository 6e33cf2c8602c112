"""Bots that are programs of their own, in any language: asked by the line protocol (docs/bots.md) on stdin/stdout."""

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
from granada.bots.external.third_party import BotError, own_seed
from granada.records.notation import action_text
from granada.rules.errors import BadOptions
from granada.rules.state import Action
from granada.rules.view import View

#: So many seconds a program may need until it is ready, may take longer than it was given, and has to end.
START_LIMIT: Final = 30.0
GRACE: Final = 10.0
END_LIMIT: Final = 1.0
#: So many seconds for a decision whose nodes are counted.
NODES_LIMIT: Final = 600.0
#: Nothing that a program has to say needs a longer line, or more of them at once.
LONGEST: Final = 10_000
MOST_LINES: Final = 10_000
#: What a program thinks of an action.
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
                    # Ctrl-C is for us: we end it in order.
                    start_new_session=os.name != "nt",
                )
            except OSError as error:
                raise BotError(f"{self._called} cannot be started: {error.strerror}") from None
            _RUNNING.add(self)
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        # Threads of their own read and write: a program that does neither must not keep us waiting.
        self._reader: Final = Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True)
        self._writer: Final = Thread(target=_write, args=(self._process.stdin, self._to_send), daemon=True)
        self._reader.start()
        self._writer.start()

    def error(self, what: str) -> BotError:
        """An error that names the program."""
        return BotError(f"{self._called} {what}")

    def send(self, text: str) -> None:
        """Send lines; that nobody reads them is found out when an answer is waited for."""
        self._to_send.put(text.encode())

    def line(self, until: float) -> str:
        """The next line, if it comes in time; an error that the program tells is raised."""
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
            raise self.error(f"complains: {line.removeprefix('error ')[:300]}")
        return line

    def close(self) -> None:
        """Tell the program to end; one that does not is ended. More than once is no harm."""
        self.send("quit\n")
        self._to_send.put(None)
        try:
            self._process.wait(END_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in (self._writer, self._reader):
            thread.join(END_LIMIT)  # not longer: a child of the program may hold its pipes open

    def kill(self) -> None:
        """End the program at once."""
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_LIMIT)


#: All programs of this process that somebody still holds.
_RUNNING: Final = weakref.WeakSet[Program]()
#: How many programs are being started, and what is to be done when none is.
_start_ups: int = 0
_deferred: Final[list[Callable[[], None]]] = []


@contextmanager
def _starting() -> Iterator[None]:
    """Put off what waits for programs: one that is being started runs before anybody here knows its process."""
    global _start_ups
    _start_ups += 1
    try:
        yield
    finally:
        _start_ups -= 1
        while not _start_ups and _deferred:
            _deferred.pop(0)()


def kill_programs(then: Callable[[], None]) -> None:
    """Kill all programs of this process, which has no time to end them in order; a signal handler may call this.

    If a program is just being started, this happens as soon as it has been. `then` is called afterwards.
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
    """Pass on what a program writes, None at its end; a flood is cut off."""
    with pipe:
        while lines.qsize() < MOST_LINES and (line := pipe.readline(LONGEST)):
            lines.put(line.decode("utf-8", "replace").strip())
    lines.put(None)


def _write(pipe: IO[bytes], texts: SimpleQueue[bytes | None]) -> None:
    """Pass on what is sent to a program; its input ends with None, or when nobody can read it any more."""
    with suppress(OSError, ValueError), pipe:
        while (text := texts.get()) is not None:
            pipe.write(text)
            pipe.flush()


class ProgramBot(Bot):
    """A program that is started before the first decision of a game, and ended when the bot is not needed any more."""

    bot_name: ClassVar[str] = ""
    command: ClassVar[tuple[str, ...]] = ()

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        super().__init__(seed, budget)
        self._seed: Final = own_seed(seed)
        self._program: Program | None = None

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
        """What the program tells of some actions, and last the one that it plays."""
        program = self._program or self._start()
        try:
            return self._answer(program, view, actions, count)
        except BaseException:
            self._end(program)
            raise

    def _start(self) -> Program:
        program = Program(self.bot_name, self.command)
        # Not by __del__, which may come too late to wait for anything; this comes at the end of Python, too.
        weakref.finalize(self, program.close)
        try:
            program.send("granada\n")
            until = time.monotonic() + START_LIMIT
            while program.line(until) != "ready":
                pass  # what it tells of itself
        except BaseException:
            self._end(program)
            raise
        program.send(f"newgame seed {self._seed}\n")
        self._program = program
        return program

    def _end(self, program: Program) -> None:
        """End a program that failed, or that nobody waits for any more, and never believe a late answer."""
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
    """`action take y3 lead 3.5 win 0.61`: an idea; None for anything else that a program likes to tell."""
    found = _INFO.fullmatch(text)
    if found is None or found["action"] not in by_text:
        return None
    return Advice(
        by_text[found["action"]], _number(found["lead"], -math.inf, math.inf), _number(found["win"], 0.0, 1.0)
    )


def _number(text: str | None, least: float, most: float) -> float | None:
    """A number within bounds; None for anything else."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if least <= number <= most and math.isfinite(number) else None


def program_bot(name: str, command: str) -> type[Bot]:
    """The bot that a command is; BadOptions if there is no such program."""
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise BadOptions(f"the command of the bot '{name}' cannot be read: {str(error).lower()}: {command}") from None
    if shutil.which(words[0]) is None:
        raise BadOptions(f"the program '{words[0]}' of the bot '{name}' is not there, or cannot be run")
    return type(name, (ProgramBot,), {"bot_name": name, "command": tuple(words)})
