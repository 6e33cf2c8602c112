"""The lines of a record's body (docs/notation.md), each read into what it tells."""

from __future__ import annotations

from typing import Final, final

from granada.records.notation import parse_action
from granada.records.record import RecordError, parse_header
from granada.rules.components import Components
from granada.rules.errors import NotationError
from granada.rules.money import Card, card, cards
from granada.rules.state import Action
from granada.rules.tiles import Tile

#: What a line can tell; for chance, the word behind the `!`.
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
#: How the lines of chance are written; shown when one is written otherwise.
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
    """One line: what it tells, of which seat or space, with which action, cards or tiles (None: hidden)."""

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
        #: The seat or the space, counted from 0.
        self.number: Final = number
        self.action: Final = action
        self.cards: Final = cards
        self.tiles: Final = tiles
        #: What is wrong with the text, if it is no such line.
        self.fault: Final = fault


@final
class LineReader:
    """Reads lines; most lines of most records were read before, in other games, and are looked up."""

    def __init__(self, components: Components) -> None:
        self.components: Final = components
        self._read: Final[dict[str, Line]] = {}
        #: The same for what stands behind the seat.
        self._actions: Final[dict[str, Action]] = {}

    def read(self, texts: list[str], first: int) -> list[Line]:
        """What lines tell, from the first one on; blank lines and comments tell nothing."""
        read = self._read
        lines: list[Line] = []
        for i in range(first, len(texts)):
            line = read.get(texts[i])
            if line is not None:
                lines.append(line)
            elif tells_something(texts[i]):
                lines.append(self._learn(texts[i]))
        return lines

    def read_one(self, text: str) -> Line:
        """What one line tells."""
        line = self._read.get(text)
        return self._learn(text) if line is None else line

    def _learn(self, text: str) -> Line:
        """Read a line for the first time; those that hardly ever come again are not kept."""
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
            raise NotationError(f"'{text}' begins with none of {', '.join([f'! {word}' for word in FORMS])}")
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


def tells_something(text: str) -> bool:
    """Whether a line of the body is neither blank nor a comment."""
    return text != "" and not text.startswith("#")


def _not_of_form(text: str, sort: str) -> NotationError:
    return NotationError(f"'{text}' is not of the form '{FORMS[sort]}'")


def _number(word: str) -> int:
    """A seat or a space counted from 0; -1 for anything else."""
    return int(word) - 1 if word in ("1", "2", "3", "4", "5", "6") else -1


@final
class RecordLines:
    """A record taken apart: its header, and what each line of its body tells."""

    def __init__(self, text: str, components: Components | None = None) -> None:
        texts = text.split("\n")
        if text.startswith("\ufeff"):
            raise RecordError(1, "a record is plain UTF-8 text without a byte order mark before its first line", "text")
        if "\r" in text:
            number = text.count("\n", 0, text.index("\r")) + 1
            raise RecordError(number, "a line ends with a line feed alone, not with a return before it", "text")
        self._components: Final = components
        self.record, self._first = parse_header(texts, components)
        self._text: Final = text
        self.lines: Final = reader_for(self.record.options.components).read(texts, self._first)
        #: The number of the line where something would have to follow.
        self.end: Final = len(texts)

    def __reduce__(self) -> tuple[type[RecordLines], tuple[object, ...]]:
        return RecordLines, (self._text, self._components)

    def number(self, index: int) -> int:
        """The number in the text of one of the lines that tell something."""
        texts = self._text.split("\n")
        return [i + 1 for i in range(self._first, len(texts)) if tells_something(texts[i])][index]


_LIMIT: Final = 100_000
_readers: Final[dict[Components, LineReader]] = {}


def reader_for(components: Components) -> LineReader:
    """The reader that knows the tiles of these components."""
    found = _readers.get(components)
    if found is None:
        if len(_readers) >= 8:  # whoever loads many lists of components shall not keep them all
            _readers.clear()
        found = LineReader(components)
        _readers[components] = found
    return found
