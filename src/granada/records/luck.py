"""The default source of chance: a random number generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from granada.rules.chance import Chance
from granada.rules.view import Rng


@final
class Luck(Chance):
    """Chance that draws from a generator such as `random.Random(7)`; the same seed gives the same game."""

    def __init__(self, rng: Rng) -> None:
        self.rng: Final = rng
        self._random: Final[Callable[[], float]] = rng.random

    def __repr__(self) -> str:
        return f"Luck({self.rng!r})"

    def __reduce__(self) -> tuple[type[Luck], tuple[Rng]]:
        return Luck, (self.rng,)

    def below(self, count: int) -> int:
        return int(self._random() * count)
