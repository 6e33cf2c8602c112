"""Finds puzzles in a game between bots: a quick look at every turn, then a long comparison of the promising ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from granada.bots import make_bot
from granada.bots.budget import Budget
from granada.bots.gc_control import without_gc
from granada.bots.halving import Candidate
from granada.puzzles.bot_game import BotGame
from granada.puzzles.effects import uses_vizier
from granada.puzzles.explorer import LEAST_NODES, Gap, QuickExplorer, Turn, distinct, explorer
from granada.puzzles.puzzle import GRADES, Puzzle, Source, Valued, turn_text
from granada.puzzles.turns import outcome, turn_of
from granada.puzzles.variants import variants
from granada.rules.acting import Take
from granada.rules.flow import Acting
from granada.rules.options import Options
from granada.rules.state import State
from granada.rules.vizier import UsingVizier, Wake

#: The bots of the games, and how often each has a seat.
PLAYERS: Final = {
    "builder": 5,
    "greedy": 2,
    "mason": 2,
    "courtier": 2,
    "search:80n": 5,
    "strongest:80n": 4,
}
#: The set-ups of the games (edition, players, modules), and how often each is played.
SET_UPS: Final[dict[tuple[str, int, tuple[str, ...]], int]] = {
    ("alhambra", 2, ()): 5,
    ("alhambra", 3, ()): 6,
    ("alhambra", 4, ()): 3,
    ("alhambra", 3, ("vizier",)): 3,
    ("alhambra", 2, ("exchange",)): 1,
    ("alhambra", 3, ("vizier", "exchange")): 1,
    ("granada", 2, ()): 5,
    ("granada", 3, ()): 6,
    ("granada", 4, ()): 3,
    ("granada", 3, ("vizier",)): 2,
    ("granada", 3, ("exchange",)): 1,
    ("combined", 2, ()): 2,
    ("combined", 3, ()): 2,
    ("combined", 3, ("vizier",)): 1,
}
#: The most puzzles of one game, and the fewest turns between two.
MOST_OF_GAME: Final = 4
APART: Final = 4


@dataclass(frozen=True)
class Effort:
    """How much work goes into each position."""

    #: Roll-outs of the quick look, and of each long search.
    quick: int = 120
    nodes: int = 600
    #: The independent series of the comparison, and the samples of each.
    series: int = 4
    samples: int = 128
    #: Examine only positions in which the vizier can act, where a quick look finds a turn that uses it.
    only_vizier: bool = False


#: Positions with so few actions are no puzzles.
FEW: Final = 2
#: A quick look must promise this much more win chance than the obvious turn.
PROMISED: Final = 0.015
#: The best turn is clear if it is better than any different one by this much, at this many standard errors.
LEAST_WIN: Final = 0.008
LEAST_LEAD: Final = 0.5
ERRORS: Final = 3.0
#: A comparison ends early if it probably fails, or once it has surely succeeded.
HOPELESS: Final = 2.5
CERTAIN: Final = 5.0
#: Samples between two looks at the results.
CHUNK: Final = 32
#: The most turns that are compared, and the most turns that count as equally good as the best.
MOST_RIVALS: Final = 18
MOST_ACCEPTED: Final = 4
#: The part of the positions that are examined although the best turn only takes money.
TAKES: Final = 0.06
#: Seeds for the weaker bots, and how many of them must find the turn.
TRIES: Final = {"novice": 5, "greedy": 5, "builder": 5, "search": 3}
SEARCH: Final = "search:400n"


def seed_of(seed: int, number: int) -> str:
    """Return the seed of the shuffle of a game."""
    return sha256(f"granada-puzzles:{seed}:{number}".encode()).hexdigest()


def chosen_set_up(seed: str, only_vizier: bool = False) -> tuple[Options, tuple[str, ...]]:
    """Return the options of a game, and its bots by seat."""
    rng = random.Random(seed)
    set_ups = {one: weight for one, weight in SET_UPS.items() if "vizier" in one[2] or not only_vizier}
    edition, players, modules = rng.choices(list(set_ups), list(set_ups.values()))[0]
    bots = rng.choices(list(PLAYERS), list(PLAYERS.values()), k=players)
    return Options(edition, players, modules), tuple(bots)


@without_gc()
def find_in_game(seed: str, effort: Effort) -> list[Puzzle]:
    """Play a game and return its puzzles."""
    options, bots = chosen_set_up(seed, effort.only_vizier)
    game = BotGame(options, bots, seed)
    state = game.state
    found: list[Puzzle] = []
    turns, last = -1, -APART
    while game.goes_on and len(found) < MOST_OF_GAME:
        # 11.2: using the vizier is a turn of its own, between two turns.
        is_turn = state.turns != turns if isinstance(state.step, Acting) else isinstance(state.step, UsingVizier)
        turns = state.turns
        is_turn = is_turn and (not effort.only_vizier or _may_use_vizier(state))
        few = 1 if effort.only_vizier else FEW
        if is_turn and turns > options.players and turns >= last + APART and len(state.offers()) > few:
            source = Source(options.edition, options.modules, bots, seed, tuple(game.actions))
            puzzle = examine(state, source, effort)
            if puzzle is not None:
                found.append(puzzle)
                last = turns
        game.step()
    return found


def _may_use_vizier(state: State) -> bool:
    """11.2, 11.6: return whether the vizier can buy or be reactivated."""
    return isinstance(state.step, UsingVizier) or any([isinstance(one, Wake) for one in state.offers()])


def examine(state: State, source: Source, effort: Effort) -> Puzzle | None:
    """Return the puzzle in a position; None if no turn is clearly the best, or it is obvious."""
    seed = f"{source.seed}/{state.n}"
    plain = [turn_of(make_bot(level, seed), state) for level in ("builder", "greedy")]
    looked = QuickExplorer(seed, Budget(nodes=effort.quick)).explore(state, plain)
    obvious = [turn for turn in plain if outcome(state, turn) != outcome(state, looked[0].turn)]
    if not obvious or not _is_promising(state, looked, obvious) or _is_dull(looked[0].turn, seed):
        return None
    if effort.only_vizier and not uses_vizier(looked[0].turn):
        return None
    search = explorer(seed, effort.nodes)
    found = search.explore(state, plain)
    best = outcome(state, found[0].turn)
    obvious = [turn for turn in plain if outcome(state, turn) != best]
    if not obvious or not _is_promising(state, found, obvious) or _is_unclear(found):
        return None
    if _is_dull(found[0].turn, seed):
        return None
    again = explorer(f"{seed}/again", effort.nodes).explore(state, plain)
    if outcome(state, again[0].turn) != best:
        return None
    return _compared(state, source, [found, again], obvious[0], effort)


def _is_dull(turn: Turn, seed: str) -> bool:
    """Return whether a turn only takes money; a few such puzzles are enough."""
    return isinstance(turn[0], Take) and random.Random(f"{seed}/dull").random() > TAKES


def _is_promising(state: State, found: Sequence[Candidate], obvious: Sequence[Turn]) -> bool:
    """Return whether the best turn is probably better than an obvious one."""
    results = {outcome(state, turn) for turn in obvious}
    plain = next((one for one in found if outcome(state, one.turn) in results), None)
    return plain is None or Gap(found[0].chances, plain.chances).mean > PROMISED


def _is_unclear(found: Sequence[Candidate]) -> bool:
    """Return whether the second best turn is as good as the best."""
    return len(found) < 2 or Gap(found[0].chances, found[1].chances).most(HOPELESS) < LEAST_WIN


def _compared(
    state: State, source: Source, searches: Sequence[Sequence[Candidate]], obvious: Turn, effort: Effort
) -> Puzzle | None:
    """Return the puzzle if independent series agree that the best turn is clearly better than all different ones."""
    best = Candidate(searches[0][0].turn, 0.0)
    rivals = [Candidate(obvious, 0.0)]
    rivals += [Candidate(one.turn, 0.0) for found in searches for one in found[1 : 1 + MOST_RIVALS // 3]]
    others = variants(state, best.turn)
    same = {outcome(state, one.turn) for one in others if one.is_same}
    rivals += [Candidate(one.turn, 0.0) for one in others]
    rivals = distinct(state, [best, *rivals])[1:]
    contest = Contest(state, best, rivals, f"{source.seed}/{state.n}", same)
    if not contest.run(effort):
        return None
    valued = {one.turn: contest.valued(one) for one in rivals}
    accepted = [one.turn for one in contest.left]
    grade = grade_of(state, [best.turn, *accepted], f"{source.seed}/{state.n}")
    if grade == GRADES[0] or obvious in accepted:
        return None  # obvious, then
    return Puzzle(
        source,
        state.n,
        state.seat,
        contest.valued(best),
        tuple([turn_text(turn) for turn in accepted]),
        valued[obvious],
        tuple(sorted([one for turn, one in valued.items() if turn != obvious and turn not in accepted], key=_by_win)),
        grade,
    )


def _by_win(valued: Valued) -> float:
    return -valued.win


class Contest:
    """Compares a turn with its rivals over the same luck, in several independent series."""

    def __init__(
        self, state: State, best: Candidate, rivals: Sequence[Candidate], seed: str, same: set[tuple[object, ...]]
    ) -> None:
        self._state: Final = state
        self._best: Final = best
        self._seed: Final = seed
        self._same: Final = [one for one in rivals if outcome(state, one.turn) in same]
        #: The rivals that are not yet clearly worse.
        self.left: Final = list(rivals)
        #: The gaps to each rival in win chance and lead, when it was last tried.
        self._gaps: Final[dict[Turn, tuple[Gap, Gap]]] = {}

    def run(self, effort: Effort) -> bool:
        """Return whether the turn is clearly better than all rivals but a few that do the same in another way."""
        for series in range(effort.series):
            search = explorer(f"{self._seed}/{series}", LEAST_NODES)
            search.look_at(self._state)
            start = len(self._best.chances)
            for first in range(0, effort.samples, CHUNK):
                search.compare_more([self._best, *self.left], range(first, first + CHUNK))
                if not self._drop(len(self._best.chances) >= effort.samples, CERTAIN):
                    return False
            if not self._agrees(start):
                return False
        return self._drop(True, ERRORS) and all([one in self._same for one in self.left])

    def _drop(self, may_fail: bool, errors: float) -> bool:
        """Drop the rivals that are clearly worse; return False if one that is different is probably not."""
        for rival in list(self.left):
            win, lead = Gap(self._best.chances, rival.chances), Gap(self._best.leads, rival.leads)
            self._gaps[rival.turn] = win, lead
            if win.least(errors) > LEAST_WIN and lead.least(errors) > LEAST_LEAD:
                self.left.remove(rival)
            elif may_fail and win.most(HOPELESS) < 0.0:
                return False  # it is better
            elif may_fail and rival not in self._same and win.most(HOPELESS) < 2 * LEAST_WIN:
                return False
        return len([one for one in self.left if one in self._same]) <= MOST_ACCEPTED or not may_fail

    def _agrees(self, start: int) -> bool:
        """Return whether the last series alone, too, finds the turn better than those left that are different."""
        return all(
            [
                Gap(self._best.chances[start:], one.chances[start:]).mean > 0.0
                for one in self.left
                if one not in self._same
            ]
        )

    def valued(self, one: Candidate) -> Valued:
        """Return the expected results of a turn: those of the best minus the gap."""
        lead, win = self._best.lead, self._best.chance
        if one is not self._best:
            gaps = self._gaps[one.turn]
            win, lead = win - gaps[0].mean, lead - gaps[1].mean
        return Valued(turn_text(one.turn), lead, win)


def grade_of(state: State, solutions: Sequence[Turn], seed: str) -> str:
    """Return the weakest level that finds one of the turns with most of its seeds; the strongest if none does."""
    right = {outcome(state, turn) for turn in solutions}
    for level in GRADES[:-1]:
        spec, tries = SEARCH if level == "search" else level, TRIES[level]
        hits = 0
        for i in range(tries):
            hits += outcome(state, turn_of(make_bot(spec, f"{seed}/{i}"), state)) in right
            if 2 * hits > tries:
                return level
            if 2 * (hits + tries - i - 1) <= tries:
                break
    return GRADES[-1]
