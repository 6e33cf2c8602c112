"""Chance from a generator of random numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from granada.rules.chance import Chance
from granada.rules.view import Rng


@final
class Luck(Chance):
    """Chance that follows a generator, such as `random.Random(7)`: the same seed, the same luck."""

    def __init__(self, rng: Rng) -> None:
        self.rng: Final = rng
        self._random: Final[Callable[[], float]] = rng.random

    def __repr__(self) -> str:
        return f"Luck({self.rng!r})"

    def __reduce__(self) -> tuple[type[Luck], tuple[Rng]]:
        return Luck, (self.rng,)

    def below(self, count: int) -> int:
        return int(self._random() * count)
