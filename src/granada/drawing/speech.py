"""The texts of pictures in the viewer's language: captions, titles and descriptions."""

from __future__ import annotations

from typing import Final

from granada.drawing.words import lengths
from granada.locales import translate
from granada.rules.cells import x_of, y_of
from granada.rules.city import City
from granada.rules.money import EXCHANGE, LETTERS, Card
from granada.rules.tiles import EDGES, GRANADA, KINDS, TYPES, Tile


class Speech:
    """The names of the game pieces in a language."""

    def __init__(self, language: str) -> None:
        self.language: Final = language

    def say(self, key: str, **values: object) -> str:
        """Return the text of a key, with its placeholders filled in."""
        return translate(self.language, key, **values)

    def with_colon(self, words: str) -> str:
        """What stands before a value: "Money:"; French has a no-break space before the colon."""
        return self.say("app.label", words=words)

    def type(self, type_: int) -> str:
        """Return the name of a type."""
        return self.say(f"type.{TYPES[type_]}")

    def currency(self, currency: int) -> str:
        """Return the name of a currency."""
        return self.say(f"currency.{LETTERS[currency]}")

    def amount(self, currency: int, number: int) -> str:
        """An amount of money: "3 florins"."""
        return self.say(f"money.{LETTERS[currency]}", n=number)

    def kind(self, kind: int) -> str:
        """Return the name of the game that a kind of tile comes from."""
        return self.say(f"edition.{KINDS[kind]}")

    def stretch(self, word: str) -> str:
        """Return the name of wall, moat or (in short) run."""
        return self.say("picture.run") if word == "run" else self.say(f"item.{word}")

    def name(self, tile: Tile) -> str:
        """Return a short name of a tile: its type and price, or that it is a hut or a start tile."""
        if tile.is_start:
            return self.say("picture.start", edition=self.kind(tile.kind))
        if tile.is_hut:
            return self.say("piece.hut", type=self.type(tile.type))
        return f"{self.type(tile.type)} {tile.price}"

    def tile(self, tile: Tile) -> str:
        """Return a tile in words: its name, its walls or moats, and its back."""
        if tile.is_start:
            return self.name(tile)
        parts = [self.name(tile), self._edges(tile)]
        if tile.back is not None:
            parts.append(self.say("piece.back", tile=self.name(tile.back)))
        return ", ".join(parts)

    def _edges(self, tile: Tile) -> str:
        sides = [self.say(f"side.{letter}") for side, letter in enumerate(EDGES) if tile.walls >> side & 1]
        if not sides:
            return self.say("picture.no_moat" if tile.kind == GRANADA else "picture.no_wall")
        return self.say("piece.moats" if tile.kind == GRANADA else "piece.walls", n=len(sides), sides=" ".join(sides))

    def card(self, card: Card) -> str:
        """Return a money or exchange card in words, with its notation."""
        if card.sort == EXCHANGE:
            two = self.say("piece.exchange", one=self.currency(card.currency), other=self.currency(card.other))
            return f"{two} ({card.name})"
        return f"{self.amount(card.currency, card.value)} ({card.name})"

    def city_summary(self, city: City) -> str:
        """Return the size of a city and its longest walls."""
        stretches = [f"{self.stretch(word)} {length}" for word, length in lengths(city)]
        return ", ".join([self.say("picture.tiles", n=len(city.places)), *stretches])

    def city(self, city: City) -> str:
        """Return a city in words: its size, its walls and every tile with its cell."""
        tiles = [f"{x_of(place)},{y_of(place)} {self.tile(city.tile_on(place))}" for place in city.places]
        return f"{self.city_summary(city)}. {'; '.join(tiles)}."


ENGLISH: Final = Speech("en")
