"""Pieces of the game in words: captions, titles and descriptions of pictures."""

from __future__ import annotations

from granada.rules.cells import x_of, y_of
from granada.rules.city import SIDE_WORDS, City
from granada.rules.money import CURRENCIES, EXCHANGE, Card
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import GRANADA, KINDS, TYPES, Tile


def printable(text: str) -> str:
    """A text without characters that would break a line or a picture."""
    return "".join([letter if letter.isprintable() else " " for letter in text])


def counted(count: int, word: str) -> str:
    """A number with its word, such as `1 tile` and `2 tiles`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def type_word(type_: int) -> str:
    """The name of a type as it is written in pictures."""
    return TYPES[type_].replace("_", " ")


def tile_words(tile: Tile) -> str:
    """A tile in words: type, price, walls or moats, and the back."""
    if tile.is_start:
        return f"start tile of {KINDS[tile.kind].capitalize()}"
    words = f"{type_word(tile.type)} hut" if tile.is_hut else f"{type_word(tile.type)} {tile.price}"
    sides = [word for side, word in enumerate(SIDE_WORDS) if tile.walls >> side & 1]
    edge = "moat" if tile.kind == GRANADA else "wall"
    words += f", {edge} {' '.join(sides)}" if sides else f", no {edge}"
    return words + (f", back {type_word(tile.back.type)} {tile.back.price}" if tile.back is not None else "")


def card_words(card: Card) -> str:
    """A money or exchange card in words, with its name in the notation."""
    if card.sort == EXCHANGE:
        return f"exchange card {CURRENCIES[card.currency]} {CURRENCIES[card.other]} ({card.name})"
    return f"{CURRENCIES[card.currency]} {card.value} ({card.name})"


def lengths(city: City) -> list[tuple[str, int]]:
    """7.2, 10.7: the lengths of wall, moat and run, those that the city has."""
    found = [("wall", city.stretch(WALL)), ("moat", city.stretch(MOAT)), ("run", city.stretch(RUN))]
    return [(word, length) for word, length in found if length]


def city_summary(city: City) -> str:
    """The size of a city and its longest walls."""
    return ", ".join([counted(len(city.places), "tile"), *[f"{word} {length}" for word, length in lengths(city)]])


def city_words(city: City) -> str:
    """A city in words: its size, its walls and every tile with its cell."""
    tiles = [f"{x_of(place)},{y_of(place)} {tile_words(city.tile_on(place))}" for place in city.places]
    return f"{city_summary(city)}. {'; '.join(tiles)}."
