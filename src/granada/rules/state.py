"""The state of a game: what is on the table, and what is on the agenda. The rules are in the actions and steps."""

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
    from granada.rules.view import Rng, View


class Action:
    """What a player can do at a decision.

    Each class has its own text: the verb, how the text is made, and how it is read. The rules need no more of the
    notation than the names of cards, tiles and cells, so these live with the pieces.
    """

    __slots__ = ()

    #: The first word of its text, and the form of the whole text, shown in the error about one that is wrong.
    verb: ClassVar[str] = ""
    form: ClassVar[str] = ""

    def __str__(self) -> str:
        """Return the text of the action in the notation."""
        return self.verb

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        """Return the action with these words after its verb; None if they do not have its form."""
        raise NotImplementedError

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        """Add the offered actions of this class; a step asks a blank one, which has no cards and no tile."""

    def offer_tile(self, state: State, seat: int, tile: Tile, may_turn: bool, offers: list[Action]) -> None:
        """Add the offered actions of this class that place a tile; a step asks a blank one."""

    def verdict(self, state: State, seat: int) -> Verdict:
        """Whether this action is allowed now to the seat that has to decide, and if not, why."""
        raise NotImplementedError

    def is_offered(self, state: State, seat: int) -> bool:
        """Whether this action, being allowed, is among those offered (3.3 allows more)."""
        return True

    def do(self, state: State, seat: int, chance: Chance) -> None:
        """Change the state."""
        raise NotImplementedError

    def key(self) -> tuple[object, ...]:
        """What makes two actions of a class equal: the arguments from which they are made."""
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


class Step:
    """A point of the agenda: it runs through, or it waits for a choice of a seat among its actions.

    What is offered, what is admitted and whether there is anything to choose all follow from `actions`.
    """

    def __init__(
        self, word: str, actions: tuple[type[Action], ...] = (), rules: str = "", refusal: Verdict = LEGAL
    ) -> None:
        #: Its public word, the same in the messages of a table and in the text of a position.
        self.word: Final = word
        #: The classes of the actions among which the seat chooses, in the order in which they are offered.
        self.actions: Final = actions
        #: The rules that say which seat chooses.
        self.rules: Final = rules
        #: The answer to an action of any other class.
        self.refusal: Final = refusal
        # Compiled code calls a method of an object directly, but a method of a class through the interpreter. Offers
        # are made at every decision, so they are asked of a blank action of each class: one made without arguments.
        self._blanks: Final[list[Action]] = [action() for action in actions]
        STEPS[word] = self

    def waits(self, state: State, seat: int) -> bool:
        """Whether the seat has to choose now; a choice of nothing is skipped."""
        return False

    def run(self, state: State, seat: int, chance: Chance) -> None:
        """Do what has to be done without a choice."""

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        """Add all offered actions, in fixed order."""
        for blank in self._blanks:
            blank.offer(state, seat, offers)

    def parts(self, state: State, seat: int) -> Iterator[list[Action]]:
        """Yield the same part by part, each listed when it is asked for."""
        for blank in self._blanks:
            offers: list[Action] = []
            blank.offer(state, seat, offers)
            yield offers

    def offers_before(self, last: type[Action], state: State, seat: int) -> bool:
        """Whether an action is offered of a class that is listed before another."""
        found: list[Action] = []
        for action, blank in zip(self.actions, self._blanks, strict=True):
            if action is last:
                break
            blank.offer(state, seat, found)
        return bool(found)

    def admits(self, action: Action) -> Verdict:
        """Whether an action of this class can be played at this step at all."""
        for admitted in self.actions:
            if type(action) is admitted:
                return LEGAL
        return self.refusal

    def __copy__(self) -> Step:
        return self

    def __deepcopy__(self, memo: object) -> Step:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Step], tuple[str]]:
        """Steps are compared by identity: one that is unpickled must be the one with its word."""
        return step_of, (self.word,)

    def __repr__(self) -> str:
        return f"<step {self.word}>"


#: All steps by their words: each is made once, and adds itself.
STEPS: Final[dict[str, Step]] = {}


def step_of(word: str) -> Step:
    """Return the step with this word."""
    return STEPS[word]


@final
class Task:
    """An entry of the agenda: a step, the seat that it concerns, and what is to be done after it."""

    __slots__ = ("seat", "step", "then")

    def __init__(self, step: Step, seat: int, then: Task | None) -> None:
        self.step: Final = step
        self.seat: Final = seat
        self.then: Final = then

    def __reduce__(self) -> tuple[type[Task], tuple[object, ...]]:
        return Task, (self.step, self.seat, self.then)


@final
class State:
    """A game at one moment. `play` changes it, `copy` makes another that shares nothing that changes."""

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
        #: 1.9, 10.2: what lies on the yard, space by space, in each space kind by kind.
        self.yard: Final = yard
        #: What is left in the bag of each kind; Granada tiles by their even face.
        self.bags: Final = bags
        #: 1.10: the parity that is dealt next: 0 even, 1 odd.
        self.marker = marker
        self.deck = deck
        #: 10.3: the score card that waits for the first reshuffle.
        self.pending = pending
        self.discards = discards
        #: The cards on display, in the order of drawing.
        self.display = display
        #: 14.1: the face-up hut of each type and the face-down ones below; nothing without that module.
        self.huts = huts
        self.piles = piles
        #: Tiles acquired and not yet placed (4.1), of the seat that is to place them.
        self.tray = tray
        #: 8.3: left-over tiles given away and not yet on the tray, each with the seat of its owner.
        self.awards = awards
        #: 6.1: scorings announced and not yet held.
        self.announced = announced
        #: What is to be done next, which knows what comes after it; None when the game is over.
        self.agenda = agenda
        #: The seat whose turn it is, or was until its end.
        self.turn = turn
        #: How many turns have begun.
        self.turns = turns
        #: How many actions were played.
        self.n = n
        #: All points so far with their reasons.
        self.rows = rows
        self.events: list[Event] = []

    def copy(self) -> State:
        """Another state that shares nothing that changes."""
        return State(
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

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[type[State], tuple[object, ...]]:
        """For other processes of the same version; what is kept for long is the record, which every version replays."""
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
        """What it has to decide."""
        return self._task().step

    def _task(self) -> Task:
        task = self.agenda
        if task is None:
            raise IllegalAction("rule 8.4: the game is over")
        return task

    @property
    def legal_actions(self) -> LegalActions:
        """The offered actions: lazy, in fixed order, answers `in`."""
        return LegalActions(self)

    def offers(self) -> list[Action]:
        """All offered actions in a list."""
        offers: list[Action] = []
        task = self.agenda
        if task is not None:
            task.step.offer(self, task.seat, offers)
        return offers

    def is_legal(self, action: Action) -> Verdict:
        """Whether the rules allow an action now (3.3: more than is offered), with the reason if not."""
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
        """Play an action that is known to be legal, and go on to the next decision; returns what happened."""
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
        """Do what is on the agenda up to the next choice."""
        while (task := self.agenda) is not None and not task.step.waits(self, task.seat):
            self.agenda = task.then
            task.step.run(self, task.seat, chance)

    def push(self, step: Step, seat: int) -> None:
        """Put a step on the agenda, before everything else."""
        self.agenda = Task(step, seat, self.agenda)

    def finish_step(self) -> None:
        """Take the step that waited for a choice off the agenda."""
        task = self.agenda
        if task is not None:
            self.agenda = task.then

    def emit(self, event: Event) -> None:
        """Add an event to those of the last action."""
        self.events.append(event)

    # Looking

    def tasks(self) -> list[Task]:
        """All that is on the agenda, in order."""
        tasks: list[Task] = []
        task = self.agenda
        while task is not None:
            tasks.append(task)
            task = task.then
        return tasks

    def space_of(self, slot: int) -> int:
        """1.9, 10.2: the space to which an entry of the yard belongs; its number is also that of its currency."""
        return slot // len(self.options.kinds)

    def slot_of(self, tile: Tile) -> int:
        """Where a face lies on the yard, or -1."""
        for slot, other in enumerate(self.yard):
            if other is tile:
                return slot
        return -1

    def to_place(self, seat: int) -> tuple[Tile, ...]:
        """4.1, 8.3: the tiles that a seat has acquired and not yet placed."""
        awarded = tuple([tile for owner, tile in self.awards if owner == seat])
        return self.tray + awarded if self.agenda is not None and self.agenda.seat == seat else awarded

    def has_gap(self) -> bool:
        """Whether a place on the yard is empty."""
        for tile in self.yard:
            if tile is None:
                return True
        return False

    def order_from(self, seat: int) -> list[int]:
        """All seats clockwise, beginning with this one."""
        count = len(self.players)
        return [(seat + i) % count for i in range(count)]

    def view(self, seat: int, remembers: bool = False) -> View:
        """16: what a seat (NOBODY: a spectator) may see; if asked, with the hands that a perfect memory knows."""
        from granada.rules import view  # the view is made of states

        return view.view_of(self, seat, remembers)

    def resample(self, seat: int, rng: Rng) -> State:
        """16.2: a copy in which the bonus cards that a seat cannot know are resampled."""
        from granada.rules import view  # the view is made of states

        return view.resample(self, seat, rng)

    def key(self) -> tuple[object, ...]:
        """Everything, for comparison."""
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
    """The actions offered at a decision: nothing is listed before it is asked for."""

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
