"""What is played in the arena: the entrants, the table, and which of them meet in which game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from math import comb
from typing import Any, Final

from granada.bots import BOTS, check_bot
from granada.bots.external.plugins import load_bots
from granada.bots.spec import Spec
from granada.records.playout import MAX_TURNS
from granada.rules.components import load
from granada.rules.errors import BadOptions
from granada.rules.options import Options

ROUND_ROBIN: Final = "round-robin"
FIXED: Final = "fixed"
MODES: Final = (ROUND_ROBIN, FIXED)
#: A decision may take so many seconds, and so many times the budget on top, before the bot is given up.
PATIENCE: Final = 60.0
PATIENCE_WITH_BUDGETS: Final = 10.0


@dataclass(frozen=True)
class Pairing:
    """One game of a tournament: its number from 1, the number of its deal, and the entrants by seat."""

    number: int
    deal: int
    line_up: tuple[int, ...]


@dataclass(frozen=True)
class Tournament:
    """Plain data, so that it can go to other processes and machines, and into the first line of a file.

    In a round-robin every combination of so many entrants as there are seats meets; in the fixed mode all entrants
    sit at one table, and one may be named more than once.
    """

    players: tuple[str, ...]
    edition: str = "alhambra"
    modules: tuple[str, ...] = ()
    scoring: str = "regular"
    #: How many sit at a table; the fixed mode seats all.
    seats: int = 2
    #: Games of each combination.
    games: int = 100
    seed: int = 0
    mode: str = ROUND_ROBIN
    #: Whether the seats rotate from game to game.
    rotate: bool = False
    #: Whether all combinations play the same deals, and with `rotate` each deal from every seat.
    paired: bool = False
    max_turns: int = MAX_TURNS
    patience: float = PATIENCE
    #: Python files with further bots.
    bot_files: tuple[str, ...] = ()
    #: Programs that are bots, `NAME=COMMAND`.
    bot_programs: tuple[str, ...] = ()
    #: The reader's own lists of components (1.4, 1.8).
    granada_tiles: str | None = None
    huts: str | None = None

    def prepare(self) -> Options:
        """Load the bots of the files, and give the options of every game; BadOptions says what is wrong."""
        load_bots(self.bot_files, self.bot_programs)
        for spec in self.players:
            check_bot(spec)
            BOTS[Spec.parse(spec).name].check_needs()
        if self.mode not in MODES:
            raise BadOptions(f"the mode '{self.mode}' is none of {', '.join(MODES)}")
        if self.mode == ROUND_ROBIN:
            for spec in self.players:
                if self.players.count(spec) > 1:
                    raise BadOptions(f"'{spec}' is named twice: only in the fixed mode a bot can meet itself")
            if len(self.players) < self.seats:
                raise BadOptions(f"a round-robin at {self.seats} seats needs {self.seats} bots or more")
        elif self.seats != len(self.players):
            raise BadOptions(f"in the fixed mode all {len(self.players)} bots sit at one table, not {self.seats}")
        components = load(self.granada_tiles, self.huts) if self.granada_tiles or self.huts else None
        return Options(self.edition, self.seats, self.modules, self.scoring, components=components)

    @property
    def entrants(self) -> tuple[str, ...]:
        """Every bot once, in the order in which they were named."""
        return tuple(dict.fromkeys(self.players))

    def combinations(self) -> list[tuple[int, ...]]:
        """Who meets whom, by number among the players."""
        if self.mode == FIXED:
            return [tuple(range(len(self.players)))]
        return list(combinations(range(len(self.players)), self.seats))

    @property
    def size(self) -> int:
        """How many games are played."""
        return self.games * (1 if self.mode == FIXED else comb(len(self.players), self.seats))

    def pairings(self) -> Iterator[Pairing]:
        """All games; those of the first round come first, so that more rounds change nothing of the earlier ones."""
        number = 0
        everybody = self.combinations()
        for game in range(self.games):
            turn = game % self.seats if self.rotate else 0
            deal = game // self.seats if self.rotate else game
            for seated in everybody:
                number += 1
                yield Pairing(number, deal + 1 if self.paired else number, (*seated[turn:], *seated[:turn]))

    def luck_of(self, pairing: Pairing) -> str:
        """The seed of a deal."""
        return f"{self.seed}/{pairing.deal}"

    def patience_with(self, spec: str) -> float:
        """After how many seconds without an answer a bot is given up."""
        budget = budget_of(spec)
        # Nobody knows how long a number of nodes takes.
        return self.patience + PATIENCE_WITH_BUDGETS * (self.patience if budget is None else budget)

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @staticmethod
    def from_data(data: dict[str, Any]) -> Tournament:
        """From JSON; TypeError if it is something else."""
        plain: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
        return Tournament(**plain)


def budget_of(spec: str) -> float | None:
    """The seconds that a bot may think about a decision; None if only its nodes are counted."""
    return Spec.parse(spec).budget().seconds
