"""Parsing the body of a record (docs/notation.md) line by line."""

from __future__ import annotations

from typing import Final, final

from granada.records.notation import parse_action
from granada.records.record import RecordError, parse_header
from granada.rules.components import Components
from granada.rules.errors import NotationError
from granada.rules.money import Card, card, cards
from granada.rules.state import Action
from granada.rules.tiles import Tile

#: Line types; for chance, the word after the `!`.
ACTION: Final = "action"
RESULT: Final = "result"
YARD: Final = "yard"
DIRK_DRAW: Final = "dirk"
DEAL: Final = "deal"
START: Final = "start"
DISPLAY: Final = "display"
RESHUFFLE: Final = "reshuffle"
BONUS: Final = "bonus"
HUT: Final = "hut"
FAULT: Final = "fault"
#: The syntax of the chance lines, quoted in error messages.
FORMS: Final = {
    YARD: "! yard SPACE TILE",
    DIRK_DRAW: "! dirk TILES",
    DEAL: "! deal SEAT CARDS",
    START: "! start SEAT",
    DISPLAY: "! display CARDS",
    RESHUFFLE: "! reshuffle",
    BONUS: "! bonus SEAT TILES",
    HUT: "! hut HUT",
}


@final
class Line:
    """A parsed line: its type, with the seat or space, the action, and the cards or tiles (None: hidden)."""

    __slots__ = ("action", "cards", "fault", "number", "sort", "text", "tiles")

    def __init__(
        self,
        sort: str,
        text: str,
        number: int = -1,
        action: Action | None = None,
        cards: tuple[Card, ...] = (),
        tiles: tuple[Tile | None, ...] = (),
        fault: str = "",
    ) -> None:
        self.sort: Final = sort
        self.text: Final = text
        #: The seat or space, counted from 0.
        self.number: Final = number
        self.action: Final = action
        self.cards: Final = cards
        self.tiles: Final = tiles
        #: The parse error, if the text is not a valid line.
        self.fault: Final = fault


@final
class LineReader:
    """Parses lines and caches them, because most lines occur again in other records."""

    def __init__(self, components: Components) -> None:
        self.components: Final = components
        self._read: Final[dict[str, Line]] = {}
        #: The same cache for actions, by the text after the seat.
        self._actions: Final[dict[str, Action]] = {}

    def read(self, texts: list[str], first: int) -> list[Line]:
        """Return the parsed lines from index `first` on, without blank lines and comments."""
        read = self._read
        lines: list[Line] = []
        for i in range(first, len(texts)):
            line = read.get(texts[i])
            if line is not None:
                lines.append(line)
            elif has_content(texts[i]):
                lines.append(self._parse_and_cache(texts[i]))
        return lines

    def read_one(self, text: str) -> Line:
        """Return the parsed line."""
        line = self._read.get(text)
        return self._parse_and_cache(text) if line is None else line

    def _parse_and_cache(self, text: str) -> Line:
        """Parse a line that is not in the cache; results and deals are not cached, because they rarely occur again."""
        try:
            line = self._parse(text)
        except NotationError as error:
            return Line(FAULT, text, fault=str(error))
        if line.sort not in (RESULT, DEAL):
            if len(self._read) >= _LIMIT:
                self._read.clear()
                self._actions.clear()
            self._read[text] = line
        return line

    def _parse(self, text: str) -> Line:
        if text.startswith("= "):
            return Line(RESULT, text)
        if text.startswith("! "):
            words = text.split(" ")
            return self._parse_chance(text, words[1], words[2:])
        seat, _, rest = text.partition(" ")
        action = self._actions.get(rest)
        if action is None:
            action = parse_action(rest, self.components)
            self._actions[rest] = action
        return Line(ACTION, text, _number(seat), action)

    def _parse_chance(self, text: str, sort: str, words: list[str]) -> Line:
        if sort not in FORMS:
            raise NotationError(f"'{text}' does not start with any of {', '.join([f'! {word}' for word in FORMS])}")
        number = -1
        if sort in (YARD, DEAL, START, BONUS):
            number = _number(words[0]) if words else -1
            words = words[1:]
            if number < 0:
                raise _not_of_form(text, sort)
        count = len(words)
        if sort in (RESHUFFLE, START):
            if count:
                raise _not_of_form(text, sort)
            return Line(sort, text, number)
        if not count or (count > 1 and sort in (YARD, HUT)):
            raise _not_of_form(text, sort)
        if sort == DISPLAY:
            return Line(sort, text, cards=tuple([card(name) for name in words]))
        if sort == DEAL:
            return Line(sort, text, number, cards=cards(" ".join(words)))
        tiles = tuple([None if name == "?" and sort == BONUS else self.components.tile(name) for name in words])
        return Line(sort, text, number, tiles=tiles)


def has_content(text: str) -> bool:
    """Return whether a line of the body is neither blank nor a comment."""
    return text != "" and not text.startswith("#")


def _not_of_form(text: str, sort: str) -> NotationError:
    return NotationError(f"'{text}' is not of the form '{FORMS[sort]}'")


def _number(word: str) -> int:
    """Return a seat or space counted from 0; -1 for any other word."""
    return int(word) - 1 if word in ("1", "2", "3", "4", "5", "6") else -1


@final
class RecordLines:
    """A parsed record: its header and the lines of its body."""

    def __init__(self, text: str, components: Components | None = None) -> None:
        texts = text.split("\n")
        if text.startswith("\ufeff"):
            raise RecordError(1, "a record must be UTF-8 text without a byte order mark", "text")
        if "\r" in text:
            number = text.count("\n", 0, text.index("\r")) + 1
            raise RecordError(number, "a line must end with a line feed, without a carriage return", "text")
        self._components: Final = components
        self.record, self._first = parse_header(texts, components)
        self._text: Final = text
        self.lines: Final = reader_for(self.record.options.components).read(texts, self._first)
        #: The line number to report when the record ends too early.
        self.end: Final = len(texts)

    def __reduce__(self) -> tuple[type[RecordLines], tuple[object, ...]]:
        return RecordLines, (self._text, self._components)

    def number(self, index: int) -> int:
        """Return the line number in the text of the parsed line with this index."""
        texts = self._text.split("\n")
        return [i + 1 for i in range(self._first, len(texts)) if has_content(texts[i])][index]


#: The most lines that are remembered (about 10 MB). A larger limit takes a busy server hours to reach, all the while
#: growing, and saves next to nothing: common lines are learned again at once.
_LIMIT: Final = 20_000
_readers: Final[dict[Components, LineReader]] = {}


def reader_for(components: Components) -> LineReader:
    """Return the cached reader for these components."""
    found = _readers.get(components)
    if found is None:
        if len(_readers) >= 8:  # do not keep every list of components that was ever loaded
            _readers.clear()
        found = LineReader(components)
        _readers[components] = found
    return found
