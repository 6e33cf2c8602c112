"""Text helpers for drawings; those for the terminal are English, like the command line."""

from __future__ import annotations

from granada.rules.city import City
from granada.rules.stretches import MOAT, RUN, WALL


def printable(text: str) -> str:
    """Return a text without characters that would break a line or a picture."""
    return "".join([letter if letter.isprintable() else " " for letter in text])


def counted(count: int, word: str) -> str:
    """Return a number with its word, such as `1 tile` and `2 tiles`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def lengths(city: City) -> list[tuple[str, int]]:
    """7.2, 10.7: return the lengths of wall, moat and run, if the city has them."""
    found = [("wall", city.stretch(WALL)), ("moat", city.stretch(MOAT)), ("run", city.stretch(RUN))]
    return [(word, length) for word, length in found if length]


def city_summary(city: City) -> str:
    """Return the size of a city and its longest walls."""
    return ", ".join([counted(len(city.places), "tile"), *[f"{word} {length}" for word, length in lengths(city)]])
