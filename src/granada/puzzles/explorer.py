"""A search that values whole turns, and compares some of them by paired roll-outs with fresh luck."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final

from granada.bots import BOTS
from granada.bots.budget import Budget
from granada.bots.gc_control import without_gc
from granada.bots.halving import Candidate
from granada.bots.search import SearchBot
from granada.bots.spec import Spec
from granada.bots.strongest import StrongestBot
from granada.puzzles.turns import outcome
from granada.rules.state import Action, State

Turn = tuple[Action, ...]

#: The budget of a search that only compares, which decides how far its roll-outs look ahead.
LEAST_NODES: Final = 2
#: The samples between two looks at the clock, and the most for a comparison of two turns.
CHUNK: Final = 16
MOST_SAMPLES: Final = 256
#: The first sample of a comparison, far from those of the searches.
_FRESH: Final = 900_000_000


class QuickExplorer(SearchBot):
    """Values whole turns by roll-outs and the static evaluation."""

    @without_gc()
    def explore(self, state: State, known: Sequence[Turn] = ()) -> list[Candidate]:
        """Return whole turns with different results, best first; those in `known` are always tried."""
        self.budget.begin()
        view = state.view(state.seat, remembers=True)
        return distinct(state, [one for one in self._search(view, state.offers(), known) if one.chances])

    def look_at(self, state: State) -> None:
        """Get ready to compare turns in a position, without a search."""
        self._look_at(state.view(state.seat, remembers=True))

    @without_gc()
    def compare_more(self, turns: Sequence[Candidate], samples: range) -> None:
        """Try turns with further samples, the same for all; `explore` or `look_at` comes first."""
        self._try(turns, range(_FRESH + samples.start, _FRESH + samples.stop))


class Explorer(StrongestBot, QuickExplorer):
    """Values whole turns as the strongest bot does."""


def explorer(seed: str, nodes: int) -> Explorer:
    """Return an explorer with a budget of roll-outs."""
    return Explorer(seed, Budget(nodes=nodes))


def distinct(state: State, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the first candidate for each result."""
    found: dict[tuple[object, ...], Candidate] = {}
    for one in candidates:
        found.setdefault(outcome(state, one.turn), one)
    return list(found.values())


class Gap:
    """By how much a turn is better than another, from paired samples: the mean and its standard error."""

    def __init__(self, better: Sequence[float], worse: Sequence[float]) -> None:
        differences = [a - b for a, b in zip(better, worse, strict=False)]
        self.count: Final = len(differences)
        self.mean: Final = sum(differences) / max(1, self.count)
        spread = sum([(one - self.mean) ** 2 for one in differences])
        self.error: Final = sqrt(spread / max(1, self.count - 1) / max(1, self.count))

    def least(self, errors: float) -> float:
        """Return the lower end of the interval of this many standard errors."""
        return self.mean - errors * self.error

    def most(self, errors: float) -> float:
        """Return the upper end."""
        return self.mean + errors * self.error


class Gaps:
    """By how much a turn is better than another, in win chance and in points of the final lead."""

    def __init__(self, better: Candidate, worse: Candidate) -> None:
        self.win: Final = Gap(better.chances, worse.chances)
        self.lead: Final = Gap(better.leads, worse.leads)


def compare_turns(state: State, spec: str, seed: str, better: Turn, worse: Turn) -> Gaps:
    """Return by how much a turn is better than another, from as many samples as the budget of a spec allows."""
    parsed = Spec.parse(spec)
    kind = Explorer if issubclass(BOTS[parsed.name], StrongestBot) else QuickExplorer
    search, budget = kind(seed, Budget(nodes=LEAST_NODES)), parsed.budget()
    search.look_at(state)
    one, other = Candidate(better, 0.0), Candidate(worse, 0.0)
    budget.begin()
    done = 0
    while done == 0 or (done < MOST_SAMPLES and not budget.is_spent(2 * done)):
        search.compare_more([one, other], range(done, done + CHUNK))
        done += CHUNK
    return Gaps(one, other)
