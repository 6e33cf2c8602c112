"""The result of a legality check: true, or false with the rule and the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final


@final
class Verdict:
    """True if legal; otherwise false, with the rule number, a stable code and a sentence."""

    __slots__ = ("code", "reason", "rule")

    def __init__(self, rule: str, code: str, reason: str) -> None:
        self.rule: Final = rule
        self.code: Final = code
        self.reason: Final = reason

    def __copy__(self) -> Verdict:
        return self

    def __deepcopy__(self, memo: object) -> Verdict:
        return self

    def __reduce__(self) -> tuple[Callable[[str, str, str], Verdict], tuple[str, str, str]]:
        return verdict, (self.rule, self.code, self.reason)

    def __bool__(self) -> bool:
        return not self.rule

    def __str__(self) -> str:
        return f"rule {self.rule}: {self.reason}" if self.rule else "legal"

    def __repr__(self) -> str:
        return f"Verdict({self.rule!r}, {self.code!r}, {self.reason!r})"


LEGAL: Final = Verdict("", "", "")


def verdict(rule: str, code: str, reason: str) -> Verdict:
    """Return a verdict, for unpickling: the singleton LEGAL if it is legal, because verdicts are compared with it."""
    return Verdict(rule, code, reason) if rule else LEGAL
