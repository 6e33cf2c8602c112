"""What drawings need of texts; those for the terminal speak English, as the command line does."""

from __future__ import annotations

from granada.rules.city import City
from granada.rules.stretches import MOAT, RUN, WALL


def printable(text: str) -> str:
    """A text without characters that would break a line or a picture."""
    return "".join([letter if letter.isprintable() else " " for letter in text])


def counted(count: int, word: str) -> str:
    """A number with its word, such as `1 tile` and `2 tiles`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def lengths(city: City) -> list[tuple[str, int]]:
    """7.2, 10.7: the lengths of wall, moat and run, those that the city has."""
    found = [("wall", city.stretch(WALL)), ("moat", city.stretch(MOAT)), ("run", city.stretch(RUN))]
    return [(word, length) for word, length in found if length]


def city_summary(city: City) -> str:
    """The size of a city and its longest walls."""
    return ", ".join([counted(len(city.places), "tile"), *[f"{word} {length}" for word, length in lengths(city)]])
