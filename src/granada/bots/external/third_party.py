"""Third-party bots: their errors and illegal actions become BotErrors with the bot and the place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from traceback import walk_tb
from typing import ClassVar

from granada.bots import BOTS
from granada.bots.bot import Advice, Bot
from granada.bots.budget import Budget
from granada.records.notation import action_text
from granada.rules.state import Action
from granada.rules.view import View

#: The simplest bot: a function of the view and the offered actions.
Chooser = Callable[[View, Sequence[Action]], Action]


class BotError(RuntimeError):
    """A third-party bot crashed, was too slow, or chose an illegal action; the message names it."""


class ThirdPartyBot(Bot):
    """A wrapper for the class of a third-party bot that checks what it does."""

    #: Its name, its origin (a file or package), and its source file.
    bot_name: ClassVar[str] = ""
    origin: ClassVar[str] = ""
    source: ClassVar[str] = ""

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        try:
            super().__init__(own_seed(seed), budget)
        except (Exception, SystemExit) as error:
            raise self._failure(error) from error

    def __reduce__(self) -> tuple[Callable[[str], Bot], tuple[str], object]:
        return new_bot, (self.bot_name,), self.__getstate__()

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        try:
            action = super().choose(view, actions)
            self._check(action, view, actions)
        except BotError:
            raise
        except (Exception, SystemExit) as error:
            raise self._failure(error) from error
        return action

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        try:
            found = list(super().advise(view, actions, count))
            for advice in found:
                self._check(advice.action, view, actions)
        except BotError:
            raise
        except (Exception, SystemExit) as error:
            raise self._failure(error) from error
        return found

    def _check(self, action: object, view: View, actions: Sequence[Action]) -> None:
        """3.3: allow any legal action, also one that is not offered."""
        if action in actions:
            return
        chose = f"the bot '{self.bot_name}' ({self.origin}) chose"
        if not isinstance(action, Action):
            raise BotError(f"{chose} {repr(action)[:100]}, which is not an action")
        verdict = view.table.is_legal(action)
        if not verdict:
            raise BotError(f"{chose} {action_text(action)[:100]}, which is not allowed: {verdict}")

    def _failure(self, error: BaseException) -> BotError:
        line = line_in(error, self.source)
        place = f"{self.origin}, line {line}" if line else self.origin
        return BotError(f"the bot '{self.bot_name}' ({place}) failed: {error_text(error)}")


class FunctionBot(Bot):
    """A bot made of a function."""

    function: ClassVar[Chooser]

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return type(self).function(view, actions)


def third_party_bot(name: str, bot: type[Bot] | Chooser, origin: str, source: str) -> type[Bot]:
    """Return the class of a third-party bot, checked at every decision."""
    facts = {"bot_name": name, "origin": origin, "source": source, "__doc__": bot.__doc__}
    if isinstance(bot, type):
        return type(bot.__name__, (bot,) if issubclass(bot, ThirdPartyBot) else (ThirdPartyBot, bot), facts)
    return type(name, (ThirdPartyBot, FunctionBot), {**facts, "function": staticmethod(bot)})


def new_bot(name: str) -> Bot:
    """Return an empty bot for `pickle`, which cannot find the classes of third-party bots: no module contains them."""
    bot = BOTS[name]
    return bot.__new__(bot)


def own_seed(seed: int | str) -> str:
    """Return a seed for a third-party bot; from the seed of the game it could predict chance events."""
    return sha256(f"a bot of others: {seed}".encode()).hexdigest()[:16]  # fixed: games depend on it


def line_in(error: BaseException, source: str) -> int:
    """Return the last line of a file in the traceback of an error; 0 if the file is not in it."""
    lines = [number for frame, number in walk_tb(error.__traceback__) if frame.f_code.co_filename == source]
    return lines[-1] if lines else 0


def error_text(error: BaseException) -> str:
    """Return the type and message of an error on one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
