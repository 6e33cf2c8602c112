"""The lines of a record's body (NOTATION.md), each read into what it tells."""

from __future__ import annotations

from typing import Final, final

from granada.notation import cards, parse_action
from granada.rules.components import Components
from granada.rules.errors import NotationError
from granada.rules.money import Card, card
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
#: How the lines of chance are written, and their rules; shown when one is written otherwise.
FORMS: Final = {
    YARD: "! yard SPACE TILE (rule 2.2, 6.2)",
    DIRK_DRAW: "! dirk TILES (rule 9.3, 9.5)",
    DEAL: "! deal SEAT CARDS (rule 2.3)",
    START: "! start SEAT (rule 2.4)",
    DISPLAY: "! display CARDS (rule 2.5, 6.1)",
    RESHUFFLE: "! reshuffle (rule 6.1)",
    BONUS: "! bonus SEAT TILES (rule 13.1)",
    HUT: "! hut HUT (rule 14.1, 14.2)",
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

    def read(self, text: str) -> Line:
        """What a line tells."""
        found = self._read.get(text)
        if found is None:
            try:
                found = self._parse(text)
            except NotationError as error:
                found = Line(text.partition(" ")[0], text, fault=str(error))
            if len(self._read) >= _LIMIT:
                self._read.clear()
            self._read[text] = found
        return found

    def _parse(self, text: str) -> Line:
        if text.startswith("! "):
            return self._parse_chance(text, text.split(" ")[1], text.split(" ")[2:])
        if text.startswith("= "):
            return Line(RESULT, text)
        seat, _, rest = text.partition(" ")
        return Line(ACTION, text, _number(seat), parse_action(rest, self.components))

    def _parse_chance(self, text: str, sort: str, words: list[str]) -> Line:
        if sort not in FORMS:
            raise NotationError(f"'{text}' begins with none of {', '.join([f'! {word}' for word in FORMS])}")
        number = -1
        if sort in (YARD, DEAL, START, BONUS):
            number = _number(words[0]) if words else -1
            words = words[1:]
        if sort == DISPLAY and words:
            return Line(sort, text, cards=tuple([card(name) for name in words]))
        if sort == DEAL and number >= 0 and words:
            return Line(sort, text, number, cards=cards(" ".join(words)))
        if (sort == RESHUFFLE and not words) or (sort == START and number >= 0 and not words):
            return Line(sort, text, number)
        tiles = tuple([None if name == "?" and sort == BONUS else self.components.tile(name) for name in words])
        if (sort == DIRK_DRAW and tiles) or (sort == HUT and len(tiles) == 1):
            return Line(sort, text, tiles=tiles)
        if number >= 0 and ((sort == YARD and len(tiles) == 1) or (sort == BONUS and tiles)):
            return Line(sort, text, number, tiles=tiles)
        raise NotationError(f"'{text}' is not of the form '{FORMS[sort].partition(' (')[0]}'")


def _number(word: str) -> int:
    """A seat or a space counted from 0; -1 for anything else."""
    return int(word) - 1 if word in ("1", "2", "3", "4", "5", "6") else -1


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
