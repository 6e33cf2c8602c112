"""The line protocol (docs/bots.md) for our own bots: commands in, answers out, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock, Thread
from typing import Final

from granada.bots import Bot, make_bot
from granada.bots.bot import Advice
from granada.bots.budget import Budget
from granada.bots.external.position_reader import Position, read_position
from granada.bots.external.third_party import BotError, error_text
from granada.bots.spec import Spec
from granada.records.notation import action_text
from granada.records.record import FIRST_LINE as RECORD
from granada.records.replay import replay
from granada.rules.components import Components
from granada.rules.errors import BadOptions, NotationError

#: A cancelled bot may need some time; cancelling is repeated at this interval, for at most _PATIENCE seconds.
_PAUSE: Final = 0.02
_PATIENCE: Final = 1.0
#: No record has more lines.
_MOST_LINES: Final = 100_000
_MOST_IDEAS: Final = 100


class Engine:
    """A bot that follows the commands of the protocol; its answers go to `send`, line by line."""

    def __init__(
        self,
        spec: str,
        seed: str,
        send: Callable[[str], None],
        version: str = "",
        components: Components | None = None,
    ) -> None:
        self._spec: Final = spec
        self._seed: Final = seed
        self._send_line: Final = send
        self._version: Final = version
        self._components: Final = components
        self._sending: Final = Lock()
        self._bot: Bot = make_bot(spec, seed)
        self._position: Position | None = None
        #: The lines of a position while it is being received.
        self._lines: list[str] | None = None
        self._thread: Thread | None = None
        self._is_thinking = False

    def run(self, lines: Iterable[str]) -> None:
        """Follow commands until `quit` or the end of the input; then wait for the last answer."""
        for line in lines:
            if not self.handle(line.rstrip("\r\n")):
                return
        if self._thread is not None:
            self._thread.join()

    def handle(self, line: str) -> bool:
        """Handle one line; False after `quit`. Errors are sent, and the next line is handled."""
        if self._lines is not None:
            self._collect(line)
            return True
        command, *words = line.split() or [""]
        try:
            if command == "granada":
                self._send(f"id name {self._spec}", f"id version {self._version}", "ready")
            elif command == "newgame":
                self._begin_game(words)
            elif command == "position":
                self._refuse_while_thinking(command)
                self._lines = []
            elif command == "go":
                self._go(words)
            elif command == "stop":
                self._stop()
            elif command == "quit":
                self._stop()
                return False
            elif command:
                raise NotationError(
                    f"'{command[:40]}' is none of the commands granada, newgame, position, go, stop and quit"
                )
        except (NotationError, BadOptions, BotError) as error:
            self._send(f"error {error}")
        return True

    def _send(self, *lines: str) -> None:
        with self._sending:
            for line in lines:
                self._send_line(" ".join(line.split()))

    def _refuse_while_thinking(self, command: str) -> None:
        if self._is_thinking:
            raise NotationError(f"'{command}' is not possible while the bot is thinking: send 'stop' first")

    # Commands

    def _begin_game(self, words: list[str]) -> None:
        self._refuse_while_thinking("newgame")
        if words and (words[0] != "seed" or len(words) == 1):
            raise NotationError("'newgame' can only be followed by 'seed' and a text")
        self._position = None
        self._bot = make_bot(self._spec, " ".join(words[1:]) or self._seed)

    def _collect(self, line: str) -> None:
        """Collect a line of a position; the last one is `end`."""
        assert self._lines is not None
        if line != "end":
            if len(self._lines) < _MOST_LINES:
                self._lines.append(line)
            return
        lines, self._lines = self._lines, None
        self._position = None
        try:
            if lines and lines[0] == RECORD:
                self._position = _read_record(lines, self._components)
            else:
                self._position = read_position(lines, self._components)
        except ValueError as error:
            self._send(f"error {error}")

    def _go(self, words: list[str]) -> None:
        self._refuse_while_thinking("go")
        if self._position is None:
            raise NotationError("'go' needs a position before it")
        limits = _read_limits(words)
        ideas = limits.pop("ideas", 0)
        spec = Spec.parse(self._spec)
        # The limits of our own user hold, too.
        seconds = _least(spec.seconds, limits.get("seconds"))
        nodes = _least(spec.nodes, limits.get("nodes"))
        cores = int(limits.get("cores", spec.cores))
        self._bot.budget = Budget(seconds, None if nodes is None else int(nodes), cores)
        self._is_thinking = True
        self._thread = Thread(target=self._think, args=(self._bot, self._position, int(ideas)), daemon=True)
        self._thread.start()

    def _think(self, bot: Bot, position: Position, ideas: int) -> None:
        """Choose in a separate thread, so that `stop` can be handled meanwhile."""
        view, actions = position.view, position.actions
        try:
            if ideas:
                found = bot.advise(view, actions, ideas)
                answer = [*[_info(advice) for advice in found], f"bestaction {action_text(found[0].action)}"]
            else:
                answer = [f"bestaction {action_text(bot.choose(view, actions))}"]
        except BotError as error:
            answer = [f"error {error}"]
        except Exception as error:  # our own bug, or an impossible position
            answer = [f"error the bot '{self._spec}' failed: {error_text(error)}"]
        self._is_thinking = False  # before the answer, because the next command may follow at once
        self._send(*answer)

    def _stop(self) -> None:
        """Cancel the bot; it may not have started yet, so this is repeated until it has ended."""
        waited = 0.0
        while self._is_thinking and self._thread is not None and waited < _PATIENCE:
            self._bot.cancel()
            self._thread.join(_PAUSE)
            waited += _PAUSE


def _info(advice: Advice) -> str:
    lead = "" if advice.lead is None else f" lead {advice.lead:.2f}"
    win = "" if advice.win is None else f" win {advice.win:.4f}"
    return f"info action {action_text(advice.action)}{lead}{win}"


def _read_record(lines: list[str], components: Components | None) -> Position:
    """Return the position at the end of a record, as the seat that decides may see it."""
    state = replay("\n".join(lines), components, partial=True).state
    if state.is_over:
        raise NotationError("the game of this record is over")
    return Position(state.view(state.seat, remembers=True), state.offers())


def _read_limits(words: list[str]) -> dict[str, float]:
    """Read `seconds 0.5 nodes 400 cores 2 ideas 3`; each of them is optional."""
    limits: dict[str, float] = {}
    for key, value in zip(words[::2], [*words[1::2], ""], strict=False):
        spec = {"seconds": f"{value}s", "nodes": f"{value}n", "cores": f"{value}c", "ideas": f"{value}n"}.get(key)
        if spec is None or key in limits:
            raise NotationError(
                "'go' is followed by 'seconds S', 'nodes N', 'cores N' and 'ideas N', each once or not at all"
            )
        try:
            read = Spec.parse(f"-:{spec}")  # the same numbers as in a spec
        except BadOptions:
            raise NotationError(f"'{value[:40]}' after '{key}' is not a valid number") from None
        limits[key] = read.seconds or float(read.nodes or read.cores)
    if limits.get("ideas", 0) > _MOST_IDEAS:
        raise NotationError(f"at most {_MOST_IDEAS} ideas are possible")
    return limits


def _least(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else min(one, other)
