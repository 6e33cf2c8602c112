"""Reading records (NOTATION.md): every line is checked against the rules and the count of components."""

from __future__ import annotations

from typing import Final, final

from granada.notation import cards, parse_action, result_text
from granada.record import RecordError, parse_header
from granada.rules import events as ev
from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.deck import Deck
from granada.rules.errors import NotationError
from granada.rules.money import SCORE, Card, card
from granada.rules.setup import new_game
from granada.rules.state import State
from granada.rules.tiles import GRANADA, Tile

#: What stands for any line that chance was asked for, when the order of lines is compared with that of events.
_DRAWN: Final = "!"


@final
class _Lines(Chance):
    """Chance that answers with the `!` lines of a record, in their order."""

    def __init__(self, lines: list[str], index: int, components: Components, is_partial: bool) -> None:
        self.lines: Final = lines
        self.index = index
        self.components: Final = components
        self.is_partial: Final = is_partial
        #: What stands between two actions: `=` lines, and _DRAWN for each `!` line; with their numbers.
        self.told: list[str] = []
        self.told_at: list[int] = []
        self.display: list[Card] | None = None
        self.dealt: list[Card] = []
        self.dealt_seat = -1

    def error(self, reason: str) -> RecordError:
        """An error about the line that was read last."""
        return RecordError(min(self.index, len(self.lines)) or 1, reason)

    def skip(self) -> bool:
        """Go to the next line that tells something; False at the end."""
        lines = self.lines
        while self.index < len(lines):
            line = lines[self.index]
            if line and line[0] != "#":
                return True
            self.index += 1
        return False

    def next_words(self, word: str, rule: str) -> list[str]:
        """The words of the next `!` line, which must tell of `word`."""
        self.finish()
        while self.skip():
            line = self.lines[self.index]
            self.index += 1
            if line.startswith("= "):
                self.told.append(line)
                self.told_at.append(self.index)
                continue
            words = line.split(" ")
            if words[0] != "!" or len(words) < 2 or words[1] != word:
                raise self.error(f"'! {word} …' must come here, not '{line}' (rule {rule})")
            self.told.append(_DRAWN)
            self.told_at.append(self.index)
            return words
        self.index = len(self.lines)
        raise self.error(f"the record ends where '! {word} …' must come (rule {rule})")

    def finish(self) -> None:
        """Refuse what is left of a line that named more than was needed."""
        if self.display:
            raise self.error(f"{self.display[-1].name} is one card too many: the display has room for four (rule 6.1)")
        if self.dealt:
            raise self.error("the total without the highest card must be below 20 (rule 2.3)")
        self.display = None

    def dealt_card(self, deck: Deck, seat: int) -> Card:
        if self.dealt_seat != seat:
            words = self.next_words("deal", "2.3")
            if len(words) < 4 or words[2] != str(seat + 1):
                raise self.error(f"the starting money of seat {seat + 1} must come here (rule 2.3)")
            self.dealt = sorted(self._cards(words[3:]), key=_by_value)
            self.dealt_seat = seat
        if not self.dealt:
            raise self.error("the total must be 20 or more (rule 2.3)")
        return self._drawn(self.dealt.pop(0), deck)

    def start(self, seats: list[int]) -> int:
        words = self.next_words("start", "2.4")
        for seat in seats:
            if words[2:] == [str(seat + 1)]:
                return seat
        allowed = " or ".join([str(seat + 1) for seat in seats])
        raise self.error(f"the start player is {allowed} (rule 2.4)")

    def display_card(self, deck: Deck) -> Card:
        if self.display is None:
            words = self.next_words("display", "6.1")
            self.display = [self._card_named(name) for name in reversed(words[2:])]
        if not self.display:
            raise self.error("another card must be turned up for the display (rule 6.1)")
        return self._drawn(self.display.pop(), deck)

    def reshuffle(self) -> None:
        words = self.next_words("reshuffle", "6.1")
        if len(words) > 2:
            raise self.error("'! reshuffle' stands alone on its line (rule 6.1)")

    def yard_tile(self, bag: list[Tile], marker: int, space: int) -> Tile:
        words = self.next_words("yard", "6.2")
        if len(words) != 4 or words[2] != str(space + 1):
            raise self.error(f"one tile for space {space + 1} of the yard must come here (rule 6.2)")
        return self._from_bag(words[3], bag, marker)

    def dirk_tiles(self, bags: list[list[Tile]], counts: list[int], marker: int) -> list[Tile]:
        words = self.next_words("dirk", "9.5")
        if len(words) - 2 != sum(counts):
            raise self.error(f"Dirk gets {sum(counts)} tiles, not {len(words) - 2} (rule 9.5)")
        drawn: list[Tile] = []
        for bag, count in zip(bags, counts, strict=True):
            left = bag.copy()
            for name in words[2 + len(drawn) : 2 + len(drawn) + count]:
                tile = self._from_bag(name, left, marker)
                left.remove(tile)
                drawn.append(tile)
        return drawn

    def bonus_cards(self, left: list[Tile], seat: int, count: int) -> list[Tile | None]:
        words = self.next_words("bonus", "13.1")
        if len(words) != 3 + count or words[2] != str(seat + 1):
            raise self.error(f"{count} bonus cards of seat {seat + 1} must come here (rule 13.1)")
        drawn: list[Tile | None] = []
        for name in words[3:]:
            if name == "?" and self.is_partial:
                drawn.append(None)
                continue
            tile = self._tile(name)
            if tile not in left or tile in drawn:
                raise self.error(f"there is no bonus card of {name} left (rule 13.1)")
            drawn.append(tile)
        return drawn

    def hut(self, pile: tuple[Tile, ...]) -> Tile:
        words = self.next_words("hut", "14.2")
        if len(words) != 3 or self._tile(words[2]) not in pile:
            raise self.error(f"a {pile[0].type_name} hut that is left must be turned up here (rule 14.2)")
        return self._tile(words[2])

    def _from_bag(self, name: str, bag: list[Tile], marker: int) -> Tile:
        face = self._tile(name)
        if face.kind == GRANADA and face.price % 2 != marker:
            raise self.error(f"{name} must lie with its {('even', 'odd')[marker]} face up (rule 6.2)")
        tile = face.back if marker and face.back is not None else face
        if tile not in bag:
            raise self.error(f"{name} cannot be drawn: it is not in the bag, or not allowed here (rule 1.3, 1.4, 10.2)")
        return tile

    def _drawn(self, one: Card, deck: Deck) -> Card:
        if not deck.may_draw(one):
            where = "in this pile of the deck" if one.sort == SCORE or deck.piles else "in the deck"
            raise self.error(f"{one.name} cannot come now: it is not left {where} (rule 1.1, 2.6)")
        deck.draw(one)
        return one

    def _card_named(self, name: str) -> Card:
        try:
            return card(name)
        except NotationError as error:
            raise self.error(str(error)) from None

    def _cards(self, names: list[str]) -> list[Card]:
        try:
            return list(cards(" ".join(names)))
        except NotationError as error:
            raise self.error(str(error)) from None

    def _tile(self, name: str) -> Tile:
        try:
            return self.components.tile(name)
        except NotationError as error:
            raise self.error(str(error)) from None


def _by_value(one: Card) -> int:
    return one.value


@final
class Replay:
    """A record read line by line; `state` is the position reached."""

    def __init__(self, text: str, components: Components | None = None, partial: bool = False) -> None:
        lines = text.split("\n")
        for number, line in enumerate(lines, start=1):
            if line.endswith(("\r", " ", "\t")):
                raise RecordError(number, "a line ends with a line feed alone, without blanks or returns before it")
        record, index = parse_header(lines, components)
        self.record = record
        self._lines = _Lines(lines, index, record.options.components, partial)
        self._is_partial = partial
        self._body = index
        self.state: State = new_game(record.options, self._lines)
        self._check_told(self.state.events)

    def step(self) -> bool:
        """Play the next action of the record; False where it ends."""
        lines, state = self._lines, self.state
        lines.finish()
        if not lines.skip():
            if not state.is_over and not self._is_partial:
                lines.index = len(lines.lines)
                raise lines.error("the record ends before the game does (rule 8.4); it can be read as a partial one")
            return False
        line = lines.lines[lines.index]
        lines.index += 1
        if state.is_over:
            raise lines.error(f"'{line}' comes after the end of the game (rule 8.4)")
        seat, _, text = line.partition(" ")
        if seat != str(state.seat + 1):
            raise lines.error(f"an action of seat {state.seat + 1} must come here, not '{line}' (rule 3.1, 6.6)")
        try:
            action = parse_action(text, lines.components)
        except NotationError as error:
            raise lines.error(str(error)) from None
        verdict = state.is_legal(action)
        if not verdict:
            raise lines.error(f"'{text}' is against {verdict}")
        lines.told.clear()
        lines.told_at.clear()
        self._check_told(state.play(action, lines))
        return True

    def run(self, until: int | None = None) -> State:
        """Play on to the end of the record, or until so many actions were played."""
        while (until is None or self.state.n < until) and self.step():
            pass
        read = self._lines.lines[self._body : self._lines.index]
        self.record.lines = [line for line in read if line and line[0] != "#"]
        return self.state

    def _check_told(self, events: list[ev.Event]) -> None:
        """Compare the results that the record tells, and their places among the `!` lines, with the events."""
        lines = self._lines
        lines.finish()
        position = 0
        for event in events:
            if isinstance(event, ev.Acted):
                continue
            expected = result_text(event)
            if not expected:
                expected = _DRAWN
            elif position == len(lines.told):
                self._read_result(expected)
            if lines.told[position] != expected:
                found = lines.told[position]
                lines.index = lines.told_at[position]
                shown = lines.lines[lines.index - 1] if found == _DRAWN else found
                if expected == _DRAWN:
                    raise lines.error(f"'{shown}' does not follow from the lines above (rule 6)")
                raise lines.error(f"the rules give '{expected}', not '{shown}' (rule 7, 8)")
            position += 1

    def _read_result(self, expected: str) -> None:
        lines = self._lines
        if not lines.skip():
            lines.index = len(lines.lines)
            raise lines.error(f"the record ends where '{expected}' must come (rule 7, 8)")
        lines.told.append(lines.lines[lines.index])
        lines.index += 1
        lines.told_at.append(lines.index)


def replay(text: str, components: Components | None = None, partial: bool = False, until: int | None = None) -> Replay:
    """Read a record to its end, or until so many actions were played; RecordError says what is wrong where."""
    reading = Replay(text, components, partial)
    reading.run(until)
    return reading
