"""Reading the text of a position (see `position_text`) into a view; NotationError says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from granada.bots.external import position_text as pt
from granada.records.notation import parse_action
from granada.rules.cells import NO_CELL, parse_cell
from granada.rules.city import City, new_city
from granada.rules.components import Components
from granada.rules.deck import Deck, Pile
from granada.rules.errors import NotationError
from granada.rules.money import Card, card
from granada.rules.options import SPACES, Options
from granada.rules.player import Dirk, Player
from granada.rules.state import STEPS, Action, State, Task
from granada.rules.tiles import ALHAMBRA_TYPES, KINDS, STARTS, Tile
from granada.rules.view import View

#: Keys with a second word: a seat, a space, a kind or a type.
_OF_SOMETHING: Final = (
    *("yard", "bag", "hut", "huts_left", "score", "hand", "city", "starts", "reserve"),
    *("vizier", "bonus", "bonus_seen", "bonus_revealed"),
)
#: Keys that may be repeated.
_REPEATED: Final = ("pile", "action")
#: No number in a position is larger.
_LARGEST: Final = 1_000_000


@dataclass(frozen=True)
class Position:
    """The view of a seat and the actions among which it has to choose."""

    view: View
    actions: list[Action]


def read_position(lines: Sequence[str], components: Components | None = None) -> Position:
    """Read a position."""
    try:
        return _Reader(lines, components).position()
    except (ValueError, LookupError) as error:  # the rules do not check for impossible positions
        raise NotationError(f"the position cannot be read: {error}") from None


class _Reader:
    """The lines of a position by key."""

    def __init__(self, lines: Sequence[str], components: Components | None) -> None:
        self._components: Final = components
        self._lines: Final[dict[str, list[list[str]]]] = {}
        if not lines or lines[0] != pt.FIRST_LINE:
            raise NotationError(f"a position begins with the line '{pt.FIRST_LINE}'")
        for number, line in enumerate(lines[1:], start=2):
            key, *words = line.split() or [""]
            if key in _OF_SOMETHING and words:
                key = f"{key} {words.pop(0)}"
            if key in self._lines and key not in _REPEATED:
                raise NotationError(f"line {number} repeats '{key}'")
            self._lines.setdefault(key, []).append(words)

    # Words

    def words(self, key: str) -> list[str]:
        """Return the words after a key."""
        if key not in self._lines:
            raise NotationError(f"the line '{key} …' is missing")
        return self._lines[key][0]

    def word(self, key: str) -> str:
        """Return the one word after a key."""
        words = self.words(key)
        if len(words) != 1:
            raise NotationError(f"'{key}' must be followed by one word")
        return words[0]

    def number(self, key: str) -> int:
        return _number(self.word(key), key)

    def tile(self, name: str) -> Tile:
        for start in STARTS:
            if start.name == name:
                return start
        return self.options.components.tile(name)

    def tiles(self, key: str) -> list[Tile]:
        return [self.tile(name) for name in self.words(key)]

    def tiles_or_none(self, key: str) -> list[Tile | None]:
        return [None if name in (pt.NONE, "?") else self.tile(name) for name in self.words(key)]

    def cards(self, key: str) -> list[Card]:
        return [card(name) for name in self.words(key)]

    def seat(self, word: str, key: str) -> int:
        number = _number(word, key)
        if not 1 <= number <= self.options.players:
            raise NotationError(f"there is no seat {word} ('{key}')")
        return number - 1

    # Things

    def position(self) -> Position:
        """Return the whole position."""
        self.options = self._options()
        seat = self.seat(self.word("seat"), "seat")
        table = self._table()
        players = table.players
        view = View(seat, table, tuple([len(player.hand()) for player in players]), len(table.deck.cards()), True)
        texts = [" ".join(words) for words in self._lines.get("action", [])]
        if table.is_over or table.seat != seat or not table.step.waits(table, seat):
            raise NotationError(f"it is not seat {seat + 1} that has to decide")
        actions = [parse_action(text, self.options.components) for text in texts] or table.offers()
        for action in actions:
            verdict = table.is_legal(action)
            if not verdict:
                raise NotationError(f"an action breaks {verdict}")
        return Position(view, actions)

    def _options(self) -> Options:
        ages = [_number(word, "ages") for word in self._lines.get("ages", [[]])[0]]
        is_open = self.word("money") == pt.OPEN
        return Options(
            self.word("edition"),
            self.number("players"),
            self.words("modules"),
            self.word("scoring"),
            ages,
            is_open,
            self._components,
        )

    def _table(self) -> State:
        options = self.options
        halves = len(options.kinds)
        yard: list[Tile | None] = []
        for space in range(SPACES):
            found = self.tiles_or_none(f"yard {space + 1}")
            if len(found) != halves:
                raise NotationError(f"'yard {space + 1}' needs {halves} words")
            yard += found
        dirk = None
        if options.players == 2:
            dirk = Dirk(tuple(self.tiles("dirk_tiles")), self.number("dirk_score"))
        with_huts = "huts" in options.modules
        huts = [hut for word in ALHAMBRA_TYPES for hut in self.tiles_or_none(f"hut {word}")] if with_huts else []
        if with_huts and len(huts) != len(ALHAMBRA_TYPES):
            raise NotationError("there must be one hut of each type, or '-'")
        return State(
            options=options,
            players=[self._player(str(seat + 1)) for seat in range(options.players)],
            dirk=dirk,
            yard=yard,
            bags=[self.tiles(f"bag {KINDS[kind]}") for kind in options.kinds],
            marker=self._choice("marker", pt.PARITIES),
            deck=self._deck(),
            pending=_score_card(self.word("pending")),
            discards=self.cards("discards"),
            display=tuple(self.cards("display")),
            huts=tuple(huts),
            piles=tuple([tuple(self.tiles(f"huts_left {word}")) for word in ALHAMBRA_TYPES] if with_huts else []),
            tray=tuple(self.tiles("tray")),
            awards=self._awards(),
            announced=tuple(self.words("announced")),
            agenda=self._agenda(),
            turn=self.seat(self.word("turn"), "turn"),
            turns=self.number("turns"),
            n=self.number("played"),
            rows=(),
        )

    def _choice(self, key: str, words: tuple[str, str]) -> int:
        """Return which of two words follows a key."""
        word = self.word(key)
        if word not in words:
            raise NotationError(f"'{key} {word}' is neither {words[0]} nor {words[1]}")
        return words.index(word)

    def _deck(self) -> Deck:
        piles: list[Pile] = []
        for words in self._lines.get("pile", []):
            if len(words) != 3:
                raise NotationError("'pile' needs its size, its score card and the number of its exchange cards")
            piles.append(Pile(_number(words[0], "pile"), _score_card(words[1]), _number(words[2], "pile")))
        return Deck(self.cards("deck"), tuple(self.cards("deck_exchange")), tuple(piles), self.number("drawn"))

    def _agenda(self) -> Task | None:
        task: Task | None = None
        for entry in reversed(self.words("agenda")):
            word, _, seat = entry.partition(":")
            if word not in STEPS:
                raise NotationError(f"the step '{word}' of the agenda is none of {', '.join(sorted(STEPS))}")
            task = Task(STEPS[word], self.seat(seat, "agenda"), task)
        return task

    def _awards(self) -> tuple[tuple[int, Tile], ...]:
        awards: list[tuple[int, Tile]] = []
        for word in self._lines.get("awards", [[]])[0]:
            name, _, seat = word.partition(":")
            awards.append((self.seat(seat, "awards"), self.tile(name)))
        return tuple(awards)

    def _player(self, seat: str) -> Player:
        modules = self.options.modules
        vizier = None
        if "vizier" in modules:
            vizier = self._choice(f"vizier {seat}", (pt.ASLEEP, pt.ACTIVE)) == 1
        with_bonus = "bonus" in modules
        player = Player(
            city=self._city(seat),
            purses=[0, 0, 0, 0],
            exchange=(),
            reserve=tuple(self.tiles(f"reserve {seat}")),
            vizier=vizier,
            bonus=tuple(self.tiles_or_none(f"bonus {seat}")) if with_bonus else (),
            seen_bonus=tuple(self.tiles(f"bonus_seen {seat}")) if with_bonus else (),
            revealed=tuple(self.tiles(f"bonus_revealed {seat}")) if with_bonus else (),
            score=self.number(f"score {seat}"),
        )
        for one in self.cards(f"hand {seat}"):
            player.receive(one)
        return player

    def _city(self, seat: str) -> City:
        city = new_city(self.options.kinds[0])
        taken: list[int] = []
        for word in self.words(f"city {seat}"):
            name, _, where = word.partition("@")
            tile, place = self.tile(name), parse_cell(where)
            if place in taken:
                raise NotationError(f"two tiles lie on {where} in the city of seat {seat}")
            taken.append(place)
            if not tile.is_start:
                city.put(tile, place)
        starts = [NO_CELL if word == pt.NONE else parse_cell(word) for word in self.words(f"starts {seat}")]
        if len(starts) != len(KINDS):
            raise NotationError(f"'starts {seat}' needs two cells")
        city.starts = tuple(starts)
        return city


def _number(word: str, key: str) -> int:
    if not (word.isascii() and word.isdigit()) or len(word) > 7 or int(word) > _LARGEST:
        raise NotationError(f"'{word}' after '{key}' is not a number")
    return int(word)


def _score_card(word: str) -> Card | None:
    return None if word == pt.NONE else card(word)
