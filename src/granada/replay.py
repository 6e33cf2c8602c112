"""Reading records (NOTATION.md): every line is checked against the rules and the count of components."""

from __future__ import annotations

from typing import Final, final

from granada import lines as ln
from granada.lines import Line, LineReader, reader_for
from granada.notation import result_text
from granada.record import RecordError, parse_header
from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.deck import Deck
from granada.rules.events import Event
from granada.rules.money import Card
from granada.rules.setup import new_game
from granada.rules.state import State
from granada.rules.tiles import GRANADA, Tile


@final
class _RecordedChance(Chance):
    """Chance that answers with the `!` lines of a record, in their order."""

    def __init__(self, texts: list[str], index: int, reader: LineReader, is_partial: bool) -> None:
        self.texts: Final = texts
        #: The index of the next line; so the number of the line read last.
        self.index = index
        self.reader: Final = reader
        self.is_partial: Final = is_partial
        #: The lines read since the last action, without comments, and their numbers.
        self.read: Final[list[Line]] = []
        self.numbers: Final[list[int]] = []
        #: Cards of a line that were not asked for yet, the next one at the end.
        self.left: list[Card] = []
        self.is_displaying = False
        self.dealt_seat = -1

    def error(self, reason: str) -> RecordError:
        """An error about the line that was read last."""
        return RecordError(max(self.index, 1), reason)

    def next_line(self) -> Line | None:
        """The next line that tells something, or None at the end."""
        texts = self.texts
        while self.index < len(texts):
            text = texts[self.index]
            self.index += 1
            if text and text[0] != "#":
                line = self.reader.read(text)
                self.read.append(line)
                self.numbers.append(self.index)
                return line
        return None

    def answer(self, sort: str, rule: str) -> Line:
        """The next `!` line, which must tell of `sort`; results before it are checked later."""
        self.finish()
        line = self.next_line()
        while line is not None and line.sort == ln.RESULT:
            line = self.next_line()
        if line is None:
            raise self.error(f"the record ends where '! {sort} …' must come (rule {rule})")
        if line.sort != sort:
            if line.text.startswith(f"! {sort}"):
                raise self.error(f"{line.fault} (rule {rule})")
            raise self.error(f"'! {sort} …' must come here, not '{line.text}' (rule {rule})")
        return line

    def finish(self) -> None:
        """Refuse what is left of a line that named more cards than were needed."""
        if self.left:
            if self.is_displaying:
                raise self.error(f"{self.left[0].name} is one card too many: the display has room for four (rule 6.1)")
            raise self.error("the total without the highest card must be below 20 (rule 2.3)")
        self.is_displaying = False

    def dealt_card(self, deck: Deck, seat: int) -> Card:
        if self.dealt_seat != seat:
            line = self.answer(ln.DEAL, "2.3")
            if line.number != seat:
                raise self.error(f"the starting money of seat {seat + 1} must come here (rule 2.3)")
            self.left = sorted(line.cards, key=_by_falling_value)
            self.dealt_seat = seat
        if not self.left:
            raise self.error("the total must be 20 or more (rule 2.3)")
        return self._draw(deck)

    def start(self, seats: list[int]) -> int:
        seat = self.answer(ln.START, "2.4").number
        if seat not in seats:
            allowed = " or ".join([str(one + 1) for one in seats])
            raise self.error(f"the start player is {allowed} (rule 2.4)")
        return seat

    def display_card(self, deck: Deck) -> Card:
        if not self.is_displaying:
            self.left = list(reversed(self.answer(ln.DISPLAY, "6.1").cards))
            self.is_displaying = True
        if not self.left:
            raise self.error("another card must be turned up for the display (rule 6.1)")
        return self._draw(deck)

    def reshuffle(self) -> None:
        self.answer(ln.RESHUFFLE, "6.1")

    def yard_tile(self, bag: list[Tile], marker: int, space: int) -> Tile:
        line = self.answer(ln.YARD, "6.2")
        if line.number != space:
            raise self.error(f"a tile for space {space + 1} of the yard must come here (rule 6.2)")
        return self._from_bag(line.tiles[0], bag, marker)

    def dirk_tiles(self, bags: list[list[Tile]], counts: list[int], marker: int) -> list[Tile]:
        line = self.answer(ln.DIRK_DRAW, "9.5")
        if len(line.tiles) != sum(counts):
            raise self.error(f"Dirk gets {sum(counts)} tiles, not {len(line.tiles)} (rule 9.5)")
        drawn: list[Tile] = []
        for bag, count in zip(bags, counts, strict=True):
            rest = bag.copy()
            for face in line.tiles[len(drawn) : len(drawn) + count]:
                tile = self._from_bag(face, rest, marker)
                rest.remove(tile)
                drawn.append(tile)
        return drawn

    def bonus_cards(self, left: list[Tile], seat: int, count: int) -> list[Tile | None]:
        line = self.answer(ln.BONUS, "13.1")
        if len(line.tiles) != count or line.number != seat:
            raise self.error(f"{count} bonus cards of seat {seat + 1} must come here (rule 13.1)")
        drawn: list[Tile | None] = []
        for tile in line.tiles:
            if tile is None and not self.is_partial:
                raise self.error("a bonus card is hidden: the record can only be read as a partial one (rule 16.2)")
            if tile is not None and (tile not in left or tile in drawn):
                raise self.error(f"there is no bonus card of {tile.name} left (rule 13.1)")
            drawn.append(tile)
        return drawn

    def hut(self, pile: tuple[Tile, ...]) -> Tile:
        hut = self.answer(ln.HUT, "14.2").tiles[0]
        if hut is None or hut not in pile:
            raise self.error(f"a {pile[0].type_name} hut that is left must be turned up here (rule 14.2)")
        return hut

    def _from_bag(self, face: Tile | None, bag: list[Tile], marker: int) -> Tile:
        if face is None:
            raise self.error("a tile must be named here (rule 6.2)")
        if face.kind == GRANADA and face.price % 2 != marker:
            raise self.error(f"{face.name} must lie with its {('even', 'odd')[marker]} face up (rule 6.2)")
        tile = face.back if marker and face.back is not None else face
        if tile not in bag:
            raise self.error(f"{face.name} cannot be drawn: it is not in the bag, or not allowed here (rule 2.2, 10.2)")
        return tile

    def _draw(self, deck: Deck) -> Card:
        card = self.left.pop()
        if not deck.draw(card):
            where = "in this pile of the deck (rule 2.6)" if deck.piles else "in the deck (rule 1.1)"
            raise self.error(f"{card.name} cannot come now: it is not left {where}")
        return card


def _by_falling_value(card: Card) -> int:
    return -card.value


def _refuse_loose_ends(texts: list[str]) -> None:
    """NOTATION.md: lines end with a line feed, and nothing invisible stands before it."""
    for number, text in enumerate(texts, start=1):
        if "\r" in text or text.endswith(" "):
            raise RecordError(number, "a line ends with a line feed alone, without blanks or returns before it")


@final
class Replay:
    """A record read line by line; `state` is the position reached."""

    def __init__(self, text: str, components: Components | None = None, partial: bool = False) -> None:
        texts = text.split("\n")
        if "\r" in text or " \n" in text or text.endswith(" "):
            _refuse_loose_ends(texts)
        record, index = parse_header(texts, components)
        self.record = record
        self._body = index
        self._chance = _RecordedChance(texts, index, reader_for(record.options.components), partial)
        self.state: State = new_game(record.options, self._chance)
        self._check_results(self.state.events, 0)

    def step(self) -> bool:
        """Play the next action of the record; False where it ends."""
        chance, state = self._chance, self.state
        chance.finish()
        chance.read.clear()
        chance.numbers.clear()
        line = chance.next_line()
        if line is None:
            if state.agenda and not chance.is_partial:
                raise chance.error("the record ends before the game does (rule 8.4); it can be read as a partial one")
            return False
        if not state.agenda:
            raise chance.error(f"'{line.text}' comes after the end of the game (rule 8.4)")
        if line.fault and line.text.startswith(f"{state.seat + 1} "):
            raise chance.error(line.fault)
        action = line.action
        if action is None or line.number != state.agenda[-1][1]:
            raise chance.error(f"an action of seat {state.seat + 1} must come here, not '{line.text}' (rule 3.1, 6.6)")
        verdict = state.is_legal(action)
        if not verdict:
            raise chance.error(f"'{line.text}' is against {verdict}")
        self._check_results(state.play(action, chance), 1)
        return True

    def run(self, until: int | None = None) -> State:
        """Play on to the end of the record, or until so many actions were played."""
        while (until is None or self.state.n < until) and self.step():
            pass
        read = self._chance.texts[self._body : self._chance.index]
        self.record.lines = [text for text in read if text and text[0] != "#"]
        return self.state

    def _check_results(self, events: list[Event], first: int) -> None:
        """Compare the `=` lines, and their places among the `!` lines, with what happened."""
        chance = self._chance
        chance.finish()
        read = chance.read
        for i in range(first, len(events)):
            if i == len(read) and chance.next_line() is None:
                raise chance.error(f"the record ends where '{result_text(events[i])}' must come (rule 7, 8)")
            line = read[i]
            if line.sort == ln.RESULT or events[i].is_result:
                expected = result_text(events[i])
                if line.text != expected:
                    chance.index = chance.numbers[i]
                    if expected:
                        raise chance.error(f"the rules give '{expected}', not '{line.text}' (rule 7, 8)")
                    raise chance.error(f"'{line.text}' does not follow from the lines above (rule 6, 7, 8)")


def replay(text: str, components: Components | None = None, partial: bool = False, until: int | None = None) -> Replay:
    """Read a record to its end, or until so many actions were played; RecordError says what is wrong where."""
    reading = Replay(text, components, partial)
    reading.run(until)
    return reading
