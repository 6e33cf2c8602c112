"""Luck that is quick to make and to ask, for playing ahead: good enough numbers, the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from granada.rules.chance import Chance

if TYPE_CHECKING:
    from mypy_extensions import i64  # a plain number of the machine when compiled

#: Lehmer's generator: every product stays far below the largest number of the machine.
_MODULUS: Final = 2_147_483_647
_FACTOR: Final = 48_271


@final
class QuickLuck(Chance):
    """The same seed, the same luck."""

    def __init__(self, seed: int) -> None:
        self._state: i64 = 1 + seed % (_MODULUS - 1)
        for _ in range(3):  # neighbouring seeds begin alike
            self.below(2)

    def below(self, count: int) -> int:
        state: i64 = self._state * _FACTOR % _MODULUS
        self._state = state
        return int(state * count // _MODULUS)
