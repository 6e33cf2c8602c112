"""What a puzzle is: a position in a game that was played, its best turn, and the values of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from granada.records.notation import action_text, parse_action
from granada.records.record import Record
from granada.records.shuffle import SET_UP, luck_at
from granada.rules.options import Options
from granada.rules.setup import new_game
from granada.rules.state import Action, State

#: The grades: the weakest level that finds the turn.
GRADES: Final = ("novice", "greedy", "builder", "search", "strongest")
#: The rating of a puzzle of each grade, before anybody has tried it.
RATINGS: Final = {"novice": 900, "greedy": 1150, "builder": 1300, "search": 1550, "strongest": 1850}


@dataclass(frozen=True)
class Valued:
    """A turn with its expected results: the final lead in points and the chance of winning."""

    turn: tuple[str, ...]
    lead: float
    win: float


@dataclass(frozen=True)
class Source:
    """A game between bots, reproducible from the seed of its shuffle and its actions."""

    edition: str
    modules: tuple[str, ...]
    #: The bots by seat.
    bots: tuple[str, ...]
    seed: str
    actions: tuple[str, ...]

    def options(self) -> Options:
        """Return the options of the game."""
        return Options(self.edition, len(self.bots), self.modules)

    def replayed(self, n: int, names: Sequence[str] = ()) -> tuple[State, Record]:
        """Return the position after n actions, and the record up to there."""
        options = self.options()
        state = new_game(options, luck_at(self.seed, SET_UP))
        record = Record(options, names)
        record.add(state.events)
        for text in self.actions[:n]:
            action = parse_action(text, options.components)
            state.check(action)
            record.add(state.play(action, luck_at(self.seed, state.n)))
        return state, record


@dataclass(frozen=True)
class Puzzle:
    """A position after n actions of a game, and the turns that were valued there."""

    source: Source
    n: int
    #: The seat (from 0) whose whole turn is asked for.
    seat: int
    best: Valued
    #: Turns that do the same in another way and are not clearly worse.
    accepted: tuple[tuple[str, ...], ...]
    #: The turn that first comes to mind, and the others that were valued, best first.
    obvious: Valued
    others: tuple[Valued, ...]
    grade: str
    id: int = 0
    rating: int = 0
    themes: tuple[str, ...] = ()
    #: The city of the seat, tile by cell, for a small picture.
    city: Mapping[str, str] = field(default_factory=dict)

    @property
    def gain(self) -> float:
        """By how many points the best turn is better than the obvious one."""
        return self.best.lead - self.obvious.lead

    def state(self) -> State:
        """Return the position."""
        return self.source.replayed(self.n)[0]


def read_turn(texts: Sequence[str], options: Options) -> tuple[Action, ...]:
    """Return the actions of a turn."""
    return tuple([parse_action(text, options.components) for text in texts])


def turn_text(turn: Sequence[Action]) -> tuple[str, ...]:
    """Return the texts of the actions of a turn."""
    return tuple([action_text(action) for action in turn])
