"""Reading records (docs/notation.md): every line is checked against the rules and the remaining components."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, final

from granada.records import lines as ln
from granada.records.lines import Line, RecordLines, reader_for
from granada.records.notation import event_text, result_text
from granada.records.record import Record, RecordError
from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.deck import Deck
from granada.rules.events import Awarded, Ended, Event
from granada.rules.money import Card
from granada.rules.setup import new_game
from granada.rules.state import Action, State
from granada.rules.tiles import GRANADA, Tile


@final
class _EndOfRecord(RecordError):
    """A record ends where another line is required."""


@final
class _RecordedChance(Chance):
    """Chance that draws what the `!` lines of a record contain, in order."""

    def __init__(self, lines: list[Line], source: RecordLines | None, is_partial: bool) -> None:
        self.lines: Final = lines
        #: The record that contains the lines; None if there is none.
        self.source: Final = source
        #: The number of lines read, and the same before the last action.
        self.index = 0
        self.before_action = 0
        self.is_partial: Final = is_partial
        #: The game after set-up; there is one line for each of its events since the last action.
        self.state: State | None = None
        #: The cards of the current line, and how many of them have been drawn.
        self.cards: tuple[Card, ...] = ()
        self.drawn = 0
        self.is_displaying = False
        self.dealt_seat = -1

    def error(self, reason: str, code: str = "drawn", expected: str = "") -> RecordError:
        """Return an error about the last line read; by default, that this card or tile cannot be drawn."""
        if self.source is None:
            return RecordError(max(self.index, 1), reason, code, expected)
        return RecordError(self.source.number(self.index - 1) if self.index else 1, reason, code, expected)

    def end(self, missing: str) -> RecordError:
        """Return an error about the end of the record."""
        line = len(self.lines) if self.source is None else self.source.end
        return _EndOfRecord(line, f"the record ends {missing}", "cut_off")

    def answer(self, sort: str, rule: str) -> Line:
        """Return the next `!` line, which must be of type `sort`, after checking the results before it."""
        self.finish()
        while self.index < len(self.lines):
            line = self.lines[self.index]
            self.index += 1
            if line.sort == sort:
                return line
            if line.sort == ln.FAULT and line.text.startswith(f"! {sort}"):
                raise self.error(f"{line.fault} (rule {rule})", "notation")
            if line.sort != ln.RESULT:
                must = f"! {sort} …"
                raise self.error(f"expected '{must}' here, not '{line.text}' (rule {rule})", "other", must)
            self.check_result(line, self.index - 1 - self.before_action)
        raise self.end(f"where '! {sort} …' is expected (rule {rule})")

    def check_result(self, line: Line, position: int) -> None:
        """Check that the last line read is the result at this position of the events."""
        events = self.state.events if self.state is not None else []
        expected = result_text(events[position]) if position < len(events) else ""
        if line.text != expected:
            if expected:
                rule = _rule_of(events[position], line)
                raise self.error(f"the rules give '{expected}', not '{line.text}' (rule {rule})", "result", expected)
            raise self.error(f"'{line.text}' does not follow from the lines above (rule 6, 7, 8)", "unexpected")

    def finish(self) -> None:
        """Raise RecordError if the last line has more cards than were drawn."""
        if self.drawn < len(self.cards):
            if self.is_displaying:
                raise self.error(
                    f"{self.cards[-1].name} is one card too many: the display has room for four (rule 6.1)"
                )
            raise self.error("the total without the highest card must be below 20 (rule 2.3)")
        self.is_displaying = False

    def dealt_card(self, deck: Deck, seat: int) -> Card:
        if self.dealt_seat != seat:
            line = self.answer(ln.DEAL, "2.3")
            if line.number != seat:
                raise self.error(f"expected the starting money of seat {seat + 1} here (rule 2.3)")
            self.cards = tuple(sorted(line.cards, key=_by_value))
            self.drawn = 0
            self.dealt_seat = seat
        if self.drawn == len(self.cards):
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
            self.cards = self.answer(ln.DISPLAY, "6.1").cards
            self.drawn = 0
            self.is_displaying = True
        if self.drawn == len(self.cards):
            raise self.error("the display needs another card (rule 6.1)")
        return self._draw(deck)

    def reshuffle(self) -> None:
        self.answer(ln.RESHUFFLE, "6.1")

    def yard_tile(self, bag: list[Tile], marker: int, space: int) -> Tile:
        line = self.answer(ln.YARD, "6.2")
        if line.number != space:
            raise self.error(f"expected a tile for space {space + 1} of the yard here (rule 6.2)")
        return self._draw_tile(line.tiles[0], bag, marker)

    def dirk_tiles(self, bags: list[list[Tile]], counts: list[int], marker: int) -> list[Tile]:
        line = self.answer(ln.DIRK_DRAW, "9.5")
        if len(line.tiles) != sum(counts):
            raise self.error(f"Dirk gets {sum(counts)} tiles, not {len(line.tiles)} (rule 9.5)")
        drawn: list[Tile] = []
        for bag, count in zip(bags, counts, strict=True):
            rest = bag.copy()
            for face in line.tiles[len(drawn) : len(drawn) + count]:
                drawn.append(self._draw_tile(face, rest, marker))
        return drawn

    def bonus_cards(self, left: list[Tile], seat: int, count: int) -> list[Tile | None]:
        line = self.answer(ln.BONUS, "13.1")
        if len(line.tiles) != count or line.number != seat:
            raise self.error(f"expected {count} bonus cards for seat {seat + 1} here (rule 13.1)")
        drawn: list[Tile | None] = []
        for tile in line.tiles:
            if tile is None and not self.is_partial:
                raise self.error(
                    "a bonus card is hidden: this is allowed only in a partial record (rule 16.2)", "hidden"
                )
            if tile is not None and (tile not in left or tile in drawn):
                raise self.error(f"there is no bonus card of {tile.name} left (rule 13.1)")
            drawn.append(tile)
        return drawn

    def hut(self, pile: tuple[Tile, ...]) -> Tile:
        hut = self.answer(ln.HUT, "14.2").tiles[0]
        if hut is None or hut not in pile:
            raise self.error(f"expected one of the {pile[0].type_name} huts left in the pile here (rule 14.2)")
        return hut

    def _draw_tile(self, face: Tile | None, bag: list[Tile], marker: int) -> Tile:
        if face is None:
            raise self.error("a tile must be named here (rule 6.2)")
        if face.kind == GRANADA and face.price % 2 != marker:
            raise self.error(f"{face.name} must have its {('even', 'odd')[marker]} face up (rule 6.2)")
        tile = face.back if marker and face.back is not None else face
        for i, other in enumerate(bag):
            if other is tile:
                return bag.pop(i)
        raise self.error(f"{face.name} cannot be drawn: it is not in the bag, or not allowed here (rule 2.2, 10.2)")

    def _draw(self, deck: Deck) -> Card:
        card = self.cards[self.drawn]
        self.drawn += 1
        if not deck.draw(card):
            where = "in this pile of the deck (rule 2.6)" if deck.piles else "in the deck (rule 1.1)"
            raise self.error(f"{card.name} cannot be drawn now: it is not left {where}")
        return card


def _rule_of(expected: Event, line: Line | None = None) -> str:
    """Return the rule that requires this result."""
    if isinstance(expected, Awarded):
        return "8.2" if line is not None and line.sort == ln.RESULT else "8.3"
    if isinstance(expected, Ended):
        return "8.4"
    return "7"


def _other_action(state: State, text: str) -> str:
    return f"expected an action of seat {state.seat + 1} here, not '{text}' (rule {state.step.rules})"


def _by_value(card: Card) -> int:
    return card.value


@final
class Replay:
    """A record replayed step by step; `state` is the current position.

    Every action is checked, unless `trusted` says that this program wrote the record. Records do not contain whether
    the game is played with open money (16.1).
    """

    def __init__(
        self,
        source: str | RecordLines,
        components: Components | None = None,
        partial: bool = False,
        trusted: bool = False,
        open_money: bool = False,
    ) -> None:
        if isinstance(source, str):
            source = RecordLines(source, components)
        self._source: Final = source
        self._is_trusted = trusted
        self._chance = _RecordedChance(source.lines.copy(), source, partial)
        options = source.record.options
        self.state: State = new_game(options.with_open_money() if open_money else options, self._chance)
        self._chance.finish()
        self._chance.state = self.state

    def __reduce__(self) -> tuple[Callable[..., Replay], tuple[object, ...]]:
        """Pickle the source and the number of actions; unpickling replays them."""
        chance, state = self._chance, self.state
        return _reopen, (self._source, chance.is_partial, self._is_trusted, state.options.open_money, state.n)

    def step(self) -> bool:
        """Play the next action; return False at the end of the record."""
        chance, state = self._chance, self.state
        if chance.index == len(chance.lines):
            if not state.is_over and not chance.is_partial:
                raise chance.end("before the end of the game (rule 8.4); read it as a partial record to allow this")
            return False
        chance.before_action = chance.index
        line = chance.lines[chance.index]
        chance.index += 1
        task = state.agenda
        if task is None:
            raise chance.error(f"'{line.text}' comes after the end of the game (rule 8.4)", "after_end")
        action, seat = line.action, task.seat
        if action is None or line.number != seat:
            if line.fault and line.text.startswith(f"{seat + 1} "):
                raise chance.error(line.fault, "notation")
            raise chance.error(_other_action(state, line.text), "seat", str(seat + 1))
        if not self._is_trusted:
            verdict = state.is_legal(action)
            if not verdict:
                raise chance.error(f"'{line.text}' breaks {verdict}", "illegal", verdict.code)
        if chance.is_partial:
            return self._play_if_complete(action)
        self._play(action)
        return True

    def _play(self, action: Action) -> None:
        chance = self._chance
        events = self.state.play(action, chance)
        chance.finish()
        if len(events) != chance.index - chance.before_action:
            self._read_results(events)

    def _play_if_complete(self, action: Action) -> bool:
        """Play an action; if its lines are cut off, go back to the position before it and return False."""
        chance = self._chance
        before = self.state.copy()
        try:
            self._play(action)
        except _EndOfRecord:
            self.state = chance.state = before
            del chance.lines[chance.before_action :]
            chance.index = chance.before_action
            return False
        return True

    def _read_results(self, events: list[Event]) -> None:
        """Check the results between the `!` lines and after the last one."""
        chance = self._chance
        for position in range(1, len(events)):
            if events[position].is_result:
                index = chance.before_action + position
                if index == len(chance.lines):
                    raise chance.end(
                        f"where '{result_text(events[position])}' is expected (rule {_rule_of(events[position])})"
                    )
                chance.index = index + 1
                chance.check_result(chance.lines[index], position)

    def run(self, until: int | None = None) -> State:
        """Replay to the end of the record, or until `until` actions have been played."""
        while (until is None or self.state.n < until) and self.step():
            pass
        return self.state

    @property
    def record(self) -> Record:
        """The record up to the current position, without comments."""
        header = self._source.record
        record = Record(header.options, header.names, header.extra)
        record.lines = [line.text for line in self._chance.lines[: self._chance.index]]
        return record


def _reopen(source: RecordLines, partial: bool, trusted: bool, open_money: bool, until: int) -> Replay:
    reading = Replay(source, None, partial, trusted, open_money)
    reading.run(until)
    return reading


def replay(text: str, components: Components | None = None, partial: bool = False, until: int | None = None) -> Replay:
    """Replay a record to its end, or until `until` actions were played; RecordError names the line and the rule."""
    reading = Replay(text, components, partial)
    reading.run(until)
    return reading


def follow(state: State, texts: Sequence[str]) -> list[Event]:
    """Play the next action on a state from its lines: the action, and the events that followed it."""
    reader = reader_for(state.options.components)
    lines = [reader.read_one(text) for text in texts]
    chance = _RecordedChance(lines, None, False)
    action = lines[0].action
    if state.is_over:
        raise RecordError(1, f"'{lines[0].text}' comes after the end of the game (rule 8.4)", "after_end")
    if action is None or lines[0].number != state.seat:
        raise RecordError(1, _other_action(state, lines[0].text))
    verdict = state.is_legal(action)
    if not verdict:
        raise RecordError(1, f"'{lines[0].text}' breaks {verdict}")
    chance.state, chance.index = state, 1
    events = state.play(action, chance)
    chance.finish()
    if [event_text(event) for event in events] != list(texts):
        for position, event in enumerate(events):
            if event.is_result and (position >= len(texts) or event_text(event) != texts[position]):
                raise RecordError(1, f"the rules give another result (rule {_rule_of(event)})")
        if len(events) < len(texts) and not state.is_over:
            raise RecordError(1, _other_action(state, texts[len(events)]))
        raise RecordError(1, "the lines are not those that the rules give (rule 6, 7, 8)")
    return events
