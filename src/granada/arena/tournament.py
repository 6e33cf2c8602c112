"""The description of a tournament: the entrants, the game options, and who plays in which game."""

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
#: A bot that does not answer within PATIENCE seconds plus this multiple of its budget loses the game.
PATIENCE: Final = 60.0
PATIENCE_WITH_BUDGETS: Final = 10.0


@dataclass(frozen=True)
class Pairing:
    """One game of a tournament: its number from 1, the number of its deal, and the index of the bot at each seat."""

    number: int
    deal: int
    line_up: tuple[int, ...]


@dataclass(frozen=True)
class Tournament:
    """Plain data that can be sent to other processes and machines and stored in a results file.

    In a round-robin every combination of `seats` entrants meets; in the fixed mode all players sit at one table, and a
    bot may play at several seats.
    """

    players: tuple[str, ...]
    edition: str = "alhambra"
    modules: tuple[str, ...] = ()
    scoring: str = "regular"
    #: Players at a table; in the fixed mode all of them.
    seats: int = 2
    #: Games for each combination.
    games: int = 100
    seed: int = 0
    mode: str = ROUND_ROBIN
    #: Whether seats rotate from game to game.
    rotate: bool = False
    #: Whether all combinations play the same deals, and with `rotate` each deal from every seat.
    paired: bool = False
    max_turns: int = MAX_TURNS
    patience: float = PATIENCE
    #: Python files with third-party bots.
    bot_files: tuple[str, ...] = ()
    #: Bot programs, `NAME=COMMAND`.
    bot_programs: tuple[str, ...] = ()
    #: The user's own lists of components (1.4, 1.8).
    granada_tiles: str | None = None
    huts: str | None = None

    def prepare(self) -> Options:
        """Load the bots, check everything, and return the options of the games; BadOptions says what is wrong."""
        load_bots(self.bot_files, self.bot_programs)
        for spec in self.players:
            check_bot(spec)
            BOTS[Spec.parse(spec).name].check_needs()
        if self.mode not in MODES:
            raise BadOptions(f"the mode '{self.mode}' is none of {', '.join(MODES)}")
        if self.mode == ROUND_ROBIN:
            for spec in self.players:
                if self.players.count(spec) > 1:
                    raise BadOptions(f"'{spec}' is named twice: a bot can meet itself only in the fixed mode")
            if len(self.players) < self.seats:
                raise BadOptions(f"a round-robin with {self.seats} seats needs at least {self.seats} bots")
        elif self.seats != len(self.players):
            raise BadOptions(f"in the fixed mode all {len(self.players)} bots sit at one table, not {self.seats}")
        components = load(self.granada_tiles, self.huts) if self.granada_tiles or self.huts else None
        return Options(self.edition, self.seats, self.modules, self.scoring, components=components)

    @property
    def entrants(self) -> tuple[str, ...]:
        """Every bot once, in order."""
        return tuple(dict.fromkeys(self.players))

    def combinations(self) -> list[tuple[int, ...]]:
        """Return who meets whom, as indices of players."""
        if self.mode == FIXED:
            return [tuple(range(len(self.players)))]
        return list(combinations(range(len(self.players)), self.seats))

    @property
    def size(self) -> int:
        """The number of games."""
        return self.games * (1 if self.mode == FIXED else comb(len(self.players), self.seats))

    def pairings(self) -> Iterator[Pairing]:
        """Yield all games round by round, so that adding rounds does not change earlier games."""
        number = 0
        combinations = self.combinations()
        for game in range(self.games):
            turn = game % self.seats if self.rotate else 0
            deal = game // self.seats if self.rotate else game
            for seated in combinations:
                number += 1
                yield Pairing(number, deal + 1 if self.paired else number, (*seated[turn:], *seated[:turn]))

    def seated(self, pairing: Pairing) -> list[str]:
        """Return the bots of a game by seat."""
        return [self.players[number] for number in pairing.line_up]

    def deal_seed(self, pairing: Pairing) -> str:
        """Return the seed of the deal of a game."""
        return f"{self.seed}/{pairing.deal}"

    def bot_seed(self, pairing: Pairing, seat: int) -> str:
        """Return the seed of the bot at a seat."""
        return f"{self.seed}/{pairing.number}/{seat + 1}"

    def patience_with(self, spec: str) -> float:
        """Return the seconds within which a bot has to answer."""
        budget = budget_of(spec)
        # The time for a number of nodes is unknown.
        return self.patience + PATIENCE_WITH_BUDGETS * (self.patience if budget is None else budget)

    def as_data(self) -> dict[str, Any]:
        """Return it as data for JSON."""
        return asdict(self)

    @staticmethod
    def from_data(data: dict[str, Any]) -> Tournament:
        """Read it from JSON; TypeError if it is something else."""
        plain: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
        return Tournament(**plain)


def budget_of(spec: str) -> float | None:
    """Return a bot's time budget for a decision in seconds; None if only nodes are limited."""
    return Spec.parse(spec).budget().seconds
