"""Bots of others: whatever they do wrong becomes a BotError that names them and the place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from traceback import walk_tb
from typing import ClassVar

from granada.bots.bot import Advice, Bot
from granada.bots.budget import Budget
from granada.records.notation import action_text
from granada.rules.state import Action
from granada.rules.view import View

#: The simplest bot: a function of what a seat sees and the actions that are offered.
Chooser = Callable[[View, Sequence[Action]], Action]


class BotError(RuntimeError):
    """A bot of others crashed, was too slow, or chose what the rules do not allow; the sentence names it."""


class ThirdPartyBot(Bot):
    """Stands before the class of somebody else's bot, and checks what it does."""

    #: The name under which it is asked for, where it comes from, and the file in which it is written.
    bot_name: ClassVar[str] = ""
    origin: ClassVar[str] = ""
    source: ClassVar[str] = ""

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        try:
            super().__init__(own_seed(seed), budget)
        except (Exception, SystemExit) as error:
            raise self._failure(error) from error

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
        """Whatever the rules allow may be chosen, also what is not offered (3.3)."""
        if action in actions:
            return
        chose = f"the bot '{self.bot_name}' ({self.origin}) chose"
        if not isinstance(action, Action):
            raise BotError(f"{chose} {repr(action)[:100]}, which is no action")
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
    """The class of somebody else's bot, checked at every decision."""
    facts = {"bot_name": name, "origin": origin, "source": source, "__doc__": bot.__doc__}
    if isinstance(bot, type):
        return type(bot.__name__, (bot,) if issubclass(bot, ThirdPartyBot) else (ThirdPartyBot, bot), facts)
    return type(name, (ThirdPartyBot, FunctionBot), {**facts, "function": staticmethod(bot)})


def own_seed(seed: int | str) -> str:
    """A seed for a bot of others: that of the game, of which ours are made, would tell it what chance will bring."""
    return sha256(f"a bot of others: {seed}".encode()).hexdigest()[:16]


def line_in(error: BaseException, source: str) -> int:
    """The last line of a file that was at work when an error was raised; 0 if it had no part in it."""
    lines = [number for frame, number in walk_tb(error.__traceback__) if frame.f_code.co_filename == source]
    return lines[-1] if lines else 0


def error_text(error: BaseException) -> str:
    """What an error says, on one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
