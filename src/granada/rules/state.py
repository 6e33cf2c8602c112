"""The state of a game: the table and the agenda. The rules are in the actions and steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, Final, final

from granada.rules import pictures
from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.deck import Deck
from granada.rules.errors import IllegalAction
from granada.rules.events import Acted, Event, Row
from granada.rules.money import Card, by_order
from granada.rules.options import Options
from granada.rules.player import Dirk, Player
from granada.rules.tiles import Tile
from granada.rules.verdict import LEGAL, Verdict

if TYPE_CHECKING:
    from granada.rules.acting import Take
    from granada.rules.view import Rng, View


class Action:
    """A choice of a player at a decision.

    Each class defines its text: the verb, the formatter and the parser. Of the notation, the rules need only the names
    of cards, tiles and cells, which are defined with these pieces.
    """

    __slots__ = ()

    #: The first word of the text, and the form of the whole text, which is quoted in errors.
    verb: ClassVar[str] = ""
    form: ClassVar[str] = ""

    def __str__(self) -> str:
        """Return the text of the action in the notation."""
        return self.verb

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        """Return the action with these words after its verb, or None if they do not have the right form."""
        raise NotImplementedError

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        """Append the offered actions of this class; called on a blank action, which has no cards and no tile."""

    def offer_tile(self, state: State, seat: int, tile: Tile, may_turn: bool, offers: list[Action]) -> None:
        """Append the offered actions of this class that place a tile; called on a blank action."""

    def verdict(self, state: State, seat: int) -> Verdict:
        """Return whether the deciding seat may play this action now, and the reason if not."""
        raise NotImplementedError

    def is_offered(self, state: State, seat: int) -> bool:
        """Return whether this legal action is also offered (3.3: not every legal payment is)."""
        return True

    def do(self, state: State, seat: int, chance: Chance) -> None:
        """Change the state."""
        raise NotImplementedError

    def key(self) -> tuple[object, ...]:
        """Return what makes two actions of a class equal: the arguments of the constructor."""
        return ()

    def __copy__(self) -> Action:
        return self

    def __deepcopy__(self, memo: object) -> Action:
        return self

    def __reduce__(self) -> tuple[type[Action], tuple[object, ...]]:
        return type(self), self.key()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Action) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.key()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


@final
class BlankLink:
    """A blank action of a step, and the next one."""

    __slots__ = ("blank", "then")

    def __init__(self, blank: Action, then: BlankLink | None) -> None:
        self.blank: Final = blank
        self.then: Final = then


def _link(actions: tuple[type[Action], ...], index: int) -> BlankLink | None:
    """Return the blank actions of some classes, from an index on."""
    return None if index == len(actions) else BlankLink(actions[index](), _link(actions, index + 1))


class Step:
    """A step of the agenda: it either runs by itself or waits for a seat to choose one of its actions.

    `actions` determines what is offered, what is allowed, and whether there is a choice.
    """

    #: Whether it is part of a turn: not between turns (11.2), before a scoring (13.2) or at the end of the game (8.3).
    is_of_turn: ClassVar[bool] = False

    def __init__(
        self, word: str, actions: tuple[type[Action], ...] = (), rules: str = "", refusal: Verdict = LEGAL
    ) -> None:
        #: The public name, used in table messages and in position texts.
        self.word: Final = word
        #: The classes of the actions, in the order in which they are offered.
        self.actions: Final = actions
        #: The rules that say which seat chooses.
        self.rules: Final = rules
        #: The verdict for an action of any other class.
        self.refusal: Final = refusal
        # mypyc calls a method of an instance directly, but a method of a class through the interpreter. Offers are
        # listed at every decision, so they are listed by a blank action of each class: one created without arguments.
        # They are linked, because the class of every item of a list would be checked.
        self._first: Final = _link(actions, 0)
        STEPS[word] = self

    def waits(self, state: State, seat: int) -> bool:
        """Return whether the seat has to choose now; a step without a choice is skipped."""
        return False

    def run(self, state: State, seat: int, chance: Chance) -> None:
        """Do what needs no choice."""

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        """Append all offered actions, in a fixed order."""
        link = self._first
        while link is not None:
            link.blank.offer(state, seat, offers)
            link = link.then

    def parts(self, state: State, seat: int) -> Iterator[list[Action]]:
        """Yield the offered actions in parts, each computed on demand."""
        link = self._first
        while link is not None:
            offers: list[Action] = []
            link.blank.offer(state, seat, offers)
            link = link.then
            yield offers

    def offers_before(self, last: type[Action], state: State, seat: int) -> bool:
        """Return whether any action is offered of the classes listed before this one."""
        found: list[Action] = []
        link = self._first
        while link is not None and type(link.blank) is not last:
            link.blank.offer(state, seat, found)
            link = link.then
        return bool(found)

    def admits(self, action: Action) -> Verdict:
        """Return whether actions of this class can be played at this step."""
        for admitted in self.actions:
            if type(action) is admitted:
                return LEGAL
        return self.refusal

    def __copy__(self) -> Step:
        return self

    def __deepcopy__(self, memo: object) -> Step:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Step], tuple[str]]:
        """Steps are compared by identity, so unpickling must return the one with this word."""
        return step_of, (self.word,)

    def __repr__(self) -> str:
        return f"<step {self.word}>"


#: All steps by word; each step registers itself.
STEPS: Final[dict[str, Step]] = {}


def step_of(word: str) -> Step:
    """Return the step with this word."""
    return STEPS[word]


@final
class Task:
    """An entry of the agenda: a step, its seat, and the next entry."""

    __slots__ = ("seat", "step", "then")

    def __init__(self, step: Step, seat: int, then: Task | None) -> None:
        self.step: Final = step
        self.seat: Final = seat
        self.then: Final = then

    def __reduce__(self) -> tuple[type[Task], tuple[object, ...]]:
        return Task, (self.step, self.seat, self.then)


@final
class State:
    """A game at one moment; `play` changes it, `copy` returns an independent copy."""

    __slots__ = (
        "agenda",
        "announced",
        "awards",
        "bags",
        "deck",
        "dirk",
        "discards",
        "display",
        "events",
        "huts",
        "kept_takes",
        "marker",
        "n",
        "options",
        "pending",
        "piles",
        "players",
        "rows",
        "tray",
        "turn",
        "turns",
        "yard",
    )

    def __init__(
        self,
        options: Options,
        players: list[Player],
        dirk: Dirk | None,
        yard: list[Tile | None],
        bags: list[list[Tile]],
        marker: int,
        deck: Deck,
        pending: Card | None,
        discards: list[Card],
        display: tuple[Card, ...],
        huts: tuple[Tile | None, ...],
        piles: tuple[tuple[Tile, ...], ...],
        tray: tuple[Tile, ...],
        awards: tuple[tuple[int, Tile], ...],
        announced: tuple[str, ...],
        agenda: Task | None,
        turn: int,
        turns: int,
        n: int,
        rows: tuple[Row, ...],
    ) -> None:
        self.options: Final = options
        self.players: Final = players
        self.dirk: Final = dirk
        #: 1.9, 10.2: the tiles on the yard, by space, and within a space by kind.
        self.yard: Final = yard
        #: The tiles left in the bag of each kind, Granada tiles as their even faces.
        self.bags: Final = bags
        #: 1.10: the parity of the next Granada tiles: 0 even, 1 odd.
        self.marker = marker
        self.deck = deck
        #: 10.3: the score card that is added at the first reshuffle.
        self.pending = pending
        self.discards = discards
        #: The cards on display, in the order in which they were drawn.
        self.display = display
        #: 14.1: the face-up hut of each type, and the face-down huts below it; empty if the module is not used.
        self.huts = huts
        self.piles = piles
        #: 4.1: the tiles acquired and not yet placed, by the seat that has to place them.
        self.tray = tray
        #: 8.3: left-over tiles given away and not yet on the tray, each with its new owner.
        self.awards = awards
        #: 6.1: scorings that are announced and have not taken place.
        self.announced = announced
        #: The first task of the agenda, which links to the next one; None when the game is over.
        self.agenda = agenda
        #: The seat whose turn it is, including the steps after its turn.
        self.turn = turn
        #: The number of turns that have begun.
        self.turns = turns
        #: The number of actions played.
        self.n = n
        #: All points so far, with the reasons.
        self.rows = rows
        self.events: list[Event] = []
        #: The last display for which the ways to take cards were listed, and the list (see `acting`).
        self.kept_takes: tuple[tuple[Card, ...], list[Take]] | None = None

    def copy(self) -> State:
        """Return an independent copy."""
        copy = State(
            self.options,
            [player.copy() for player in self.players],
            self.dirk.copy() if self.dirk is not None else None,
            self.yard.copy(),
            [bag.copy() for bag in self.bags],
            self.marker,
            self.deck.copy(),
            self.pending,
            self.discards.copy(),
            self.display,
            self.huts,
            self.piles,
            self.tray,
            self.awards,
            self.announced,
            self.agenda,
            self.turn,
            self.turns,
            self.n,
            self.rows,
        )
        copy.kept_takes = self.kept_takes
        return copy

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[type[State], tuple[object, ...]]:
        """Pickles are for processes of the same version; store the record instead, which every version can replay."""
        return State, (
            self.options,
            self.players.copy(),
            self.dirk,
            self.yard.copy(),
            [bag.copy() for bag in self.bags],
            self.marker,
            self.deck,
            self.pending,
            self.discards.copy(),
            self.display,
            self.huts,
            self.piles,
            self.tray,
            self.awards,
            self.announced,
            self.agenda,
            self.turn,
            self.turns,
            self.n,
            self.rows,
        )

    def __repr__(self) -> str:
        who = "the game is over" if self.is_over else f"seat {self.seat} decides"
        return f"<State of {self.options!r}: turn {self.turns}, {self.n} actions played, {who}>"

    # Playing

    @property
    def is_over(self) -> bool:
        """8.4: whether the game has ended."""
        return self.agenda is None

    @property
    def seat(self) -> int:
        """The seat that has to decide."""
        return self._task().seat

    @property
    def step(self) -> Step:
        """The step at which it decides."""
        return self._task().step

    def _task(self) -> Task:
        task = self.agenda
        if task is None:
            raise IllegalAction("rule 8.4: the game is over")
        return task

    @property
    def legal_actions(self) -> LegalActions:
        """The offered actions in a fixed order, computed lazily; `in` tests whether an action is legal."""
        return LegalActions(self)

    def offers(self) -> list[Action]:
        """Return all offered actions."""
        offers: list[Action] = []
        task = self.agenda
        if task is not None:
            task.step.offer(self, task.seat, offers)
        return offers

    def is_legal(self, action: Action) -> Verdict:
        """Return whether the rules allow an action now (3.3: more than is offered), and the reason if not."""
        task = self.agenda
        if task is None:
            return Verdict("8.4", "over", "the game is over")
        admitted = task.step.admits(action)
        return action.verdict(self, task.seat) if admitted is LEGAL else admitted

    def check(self, action: Action) -> None:
        """Raise IllegalAction if the rules do not allow an action now."""
        verdict = self.is_legal(action)
        if not verdict:
            raise IllegalAction(str(verdict))

    def play(self, action: Action, chance: Chance) -> list[Event]:
        """Play an action that is known to be legal, continue to the next decision, and return the events."""
        task = self.agenda
        if task is None:
            raise IllegalAction("rule 8.4: the game is over")
        events: list[Event] = [Acted(task.seat, action)]
        self.events = events
        self.n += 1
        action.do(self, task.seat, chance)
        self.go_on(chance)
        return events

    def go_on(self, chance: Chance) -> None:
        """Run the agenda up to the next choice."""
        while (task := self.agenda) is not None and not task.step.waits(self, task.seat):
            self.agenda = task.then
            task.step.run(self, task.seat, chance)

    def push(self, step: Step, seat: int) -> None:
        """Push a step on the agenda, before all others."""
        self.agenda = Task(step, seat, self.agenda)

    def finish_step(self) -> None:
        """Remove the current step, which waited for a choice, from the agenda."""
        task = self.agenda
        if task is not None:
            self.agenda = task.then

    def emit(self, event: Event) -> None:
        """Add an event to those of the current action."""
        self.events.append(event)

    # Queries

    def tasks(self) -> list[Task]:
        """Return all tasks of the agenda, in order."""
        tasks: list[Task] = []
        task = self.agenda
        while task is not None:
            tasks.append(task)
            task = task.then
        return tasks

    def space_of(self, slot: int) -> int:
        """1.9, 10.2: return the space of an index into the yard; its number is also that of its currency."""
        return slot // len(self.options.kinds)

    def slot_of(self, tile: Tile) -> int:
        """Return the index of a face in the yard, or -1."""
        for slot, other in enumerate(self.yard):
            if other is tile:
                return slot
        return -1

    def to_place(self, seat: int) -> tuple[Tile, ...]:
        """4.1, 8.3: return the tiles that a seat has acquired and not yet placed."""
        awarded = tuple([tile for owner, tile in self.awards if owner == seat])
        return self.tray + awarded if self.agenda is not None and self.agenda.seat == seat else awarded

    def has_gap(self) -> bool:
        """Return whether any place on the yard is empty."""
        for tile in self.yard:
            if tile is None:
                return True
        return False

    def order_from(self, seat: int) -> list[int]:
        """Return all seats clockwise, starting with this one."""
        count = len(self.players)
        return [(seat + i) % count for i in range(count)]

    def view(self, seat: int, remembers: bool = False) -> View:
        """16: return what a seat (NOBODY: a spectator) may see, with all hands if it `remembers` them perfectly."""
        from granada.rules import view  # imported late, because views contain states

        return view.view_of(self, seat, remembers)

    def resample(self, seat: int, rng: Rng) -> State:
        """16.2: return a copy in which the bonus cards that a seat cannot know are resampled."""
        from granada.rules import view  # imported late, because views contain states

        return view.resample(self, seat, rng)

    def key(self) -> tuple[object, ...]:
        """Return everything that must be equal in equal states."""
        deck = self.deck
        return (
            tuple([player.key() for player in self.players]),
            None if self.dirk is None else (self.dirk.tiles, self.dirk.score),
            tuple(self.yard),
            tuple([tuple(bag) for bag in self.bags]),
            self.marker,
            tuple(sorted(deck.pool, key=by_order)),
            deck.exchange,
            tuple([(pile.size, pile.score, pile.exchange) for pile in deck.piles]),
            deck.drawn,
            self.pending,
            tuple(sorted(self.discards, key=by_order)),
            self.display,
            self.huts,
            self.piles,
            self.tray,
            self.awards,
            self.announced,
            tuple([(task.step.word, task.seat) for task in self.tasks()]),
            self.turn,
            self.turns,
            self.n,
        )

    def _repr_svg_(self) -> str | None:
        return pictures.svg_of(self)


@final
class LegalActions:
    """The actions offered at a decision, computed lazily."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state: Final = state

    def __iter__(self) -> Iterator[Action]:
        task = self._state.agenda
        return iter(()) if task is None else chain.from_iterable(task.step.parts(self._state, task.seat))

    def __contains__(self, action: object) -> bool:
        state = self._state
        return isinstance(action, Action) and bool(state.is_legal(action)) and action.is_offered(state, state.seat)

    def __bool__(self) -> bool:
        return not self._state.is_over

    def __repr__(self) -> str:
        return f"<legal actions: {', '.join([repr(action) for action in self])}>"
