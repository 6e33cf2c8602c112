"""The arguments that all environments share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import TypedDict, Unpack

from granada.learning.token_game import Terms
from granada.rules.components import Components
from granada.rules.errors import BadOptions
from granada.rules.options import Options


class OptionArguments(TypedDict, total=False):
    """What is played: the arguments of `Options`."""

    players: int
    modules: Iterable[str]
    scoring: str
    ages: Iterable[int]
    open_money: bool
    components: Components | None


class Arguments(OptionArguments, total=False):
    """The arguments of `Options` and `Terms`."""

    variant: str
    memory: bool
    reward: str
    shaping: float
    discount: float
    max_turns: int


#: The arguments that must be whole numbers, and those that must be numbers, with their rules.
_WHOLE = {"players": "2.1", "max_turns": "3.7"}
_NUMBERS = {"shaping": "7", "discount": "7"}
_OF_OPTIONS = OptionArguments.__annotations__.keys()


def terms_of(edition: str, **given: Unpack[Arguments]) -> Terms:
    """Return the terms of an edition; BadOptions names the rule that they break.

    >>> terms_of("granada", players=7)
    Traceback (most recent call last):
    granada.rules.errors.BadOptions: two to six players can play, not 7 (2.1)
    """
    unknown = given.keys() - Arguments.__annotations__.keys()
    if unknown:
        raise TypeError(f"there is no argument '{min(unknown)}': known are {', '.join(Arguments.__annotations__)}")
    values: dict[str, object] = {**given}
    for name, value in given.items():
        if name in _WHOLE:
            if not isinstance(value, Integral):
                raise BadOptions(f"{name} must be a whole number, not {value!r} ({_WHOLE[name]})")
            values[name] = int(value)
        elif name in _NUMBERS:
            if not isinstance(value, Real) or not math.isfinite(value):
                raise BadOptions(f"{name} must be a finite number, not {value!r} ({_NUMBERS[name]})")
            values[name] = float(value)
    chosen = {name: value for name, value in values.items() if name in _OF_OPTIONS}
    if given.get("variant"):
        chosen.setdefault("players", 2)
    others = {name: value for name, value in values.items() if name not in _OF_OPTIONS}
    return Terms(Options(edition, **chosen), **others)  # type: ignore[arg-type]
