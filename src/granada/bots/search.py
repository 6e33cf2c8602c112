"""A bot that searches: it plays promising turns to their end and beyond in roll-outs, and compares the results."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import log2
from typing import ClassVar, Final

from granada import is_compiled
from granada.bots.bot import Advice, Bot
from granada.bots.budget import Budget
from granada.bots.candidates import UNKNOWN, candidates, free_reveal, reveal_first
from granada.bots.gc_control import without_gc
from granada.bots.halving import PRIOR_POINT, PRIOR_RANGE, Candidate, halve, ranked, ranked_by_tries
from granada.bots.parallel import Found, run_on_cores
from granada.bots.search_advice import (
    CONTINUING,
    MORE_NODES,
    SEARCHING,
    SEARCHING_ONLY,
    best_of_each,
    ideas,
    turns_of_each,
)
from granada.bots.turns import Turn, continuations, is_exact, joined, most_promising, whole_turns
from granada.engine.policy import Weighed
from granada.engine.rollout import RolloutResult, roll_out_turn
from granada.engine.weights import Weights
from granada.rules.state import Action, State
from granada.rules.view import View

#: The offset between the seeds of two cores.
SEEDS_PER_CORE: Final = 1_000_003
#: The approximate number of roll-outs per second, compiled and interpreted.
ROLLOUTS_COMPILED: Final = 4000.0
ROLLOUTS_INTERPRETED: Final = 400.0
#: With each doubling above this number, roll-outs get longer, up to a number of doublings.
FEW_ROLLOUTS: Final = 400.0
MOST_DOUBLINGS: Final = 5.0
#: One more turn is evaluated at its end for each POOL roll-outs, and one more gets roll-outs for each OTHERS.
POOL: Final = 6
OTHERS: Final = 60
MOST_POOL: Final = 200
MOST_OTHERS: Final = 16
#: Turns that could follow an exact purchase are found with this part of the roll-outs, at most SCOUTED_SAMPLES for each
#: candidate, unless there are fewer than FEWEST_SCOUTED. The best turns of JOINED_TURNS actions are tried after it, at
#: most MOST_JOINED in all.
SCOUTING: Final = 0.15
SCOUTED_SAMPLES: Final = 8
FEWEST_SCOUTED: Final = 6
JOINED_TURNS: Final = 3
MOST_JOINED: Final = 6


class SearchBot(Bot):
    """Monte Carlo search over turns: sequential halving with truncated roll-outs and common random numbers."""

    #: The quick policy of all seats in roll-outs.
    weights: ClassVar[Weights] = Weights()
    #: The length of roll-outs in rounds, and how many more with twice the budget: longer ones are noisier, so they need
    #: more samples. In the combined edition, games and roll-outs are twice as long.
    rounds: ClassVar[float] = 4.0
    farther: ClassVar[float] = 1.5
    #: Whether a model evaluates the positions, too, and needs their features.
    needs_features: ClassVar[bool] = False
    #: The most actions that are tried.
    width: ClassVar[int] = 12

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        self.budget.begin()
        return free_reveal(actions) or self._search(view, actions)[0].action

    @without_gc()
    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        return reveal_first(actions, self._ideas(view, actions, count))[:count]

    @without_gc()
    def compare(self, view: View, turns: Sequence[tuple[Action, ...]]) -> list[Advice]:
        actions = list(dict.fromkeys([turn[0] for turn in turns]))
        return self._ideas(view, actions, len(actions), turns)

    def _ideas(
        self, view: View, actions: Sequence[Action], count: int, known: Sequence[tuple[Action, ...]] = ()
    ) -> list[Advice]:
        """Return the expected results of the best actions, each with its best continuation.

        An exact purchase may also come before the best turns of other actions.
        """
        rollouts = rollouts_of(self.budget)
        goes_on = turns_of_each(rollouts, count) > 1
        self.budget.begin(SEARCHING if goes_on else SEARCHING_ONLY, MORE_NODES)
        found = self._search(view, actions, known)
        best = best_of_each(found)[:count]
        if not goes_on or not best[0].chances:
            return ideas(found, count, self.budget, self._try)
        self.budget.start_part(CONTINUING, MORE_NODES)
        more = self._joined(best, best[:JOINED_TURNS])
        for one in best:
            more += self._continuations(one, min(MOST_POOL, round(rollouts / POOL)) // len(best))
        most = max(2, turns_of_each(rollouts, len({one.action for one in more})))
        return ideas(found, count, self.budget, self._try, more, most)

    def _continuations(self, first: Candidate, pool: int) -> list[Candidate]:
        """Return turns that begin with an action, alternately by the quick policy and by the position at their end.

        The quick policy does not see that money is worth nothing at the end of the game, or what a majority brings.
        """
        turn = Turn(first.turn, first.prior)
        turns = continuations(self._table, turn, self.weights, self._seed, pool, self._weigh)
        ended = [Candidate(one.actions, one.worth) for one in turns]
        self._try(ended, [0], 1)
        # Turns that end in the same position are worth the same.
        distinct = list({(one.chance, one.lead): one for one in reversed(ended) if one.chances}.values())[::-1]
        if not distinct:
            return []
        by_end = sorted(distinct, key=lambda one: -one.chance)
        worth, chance = max([one.prior for one in distinct]), by_end[0].chance
        found: dict[int, Candidate] = {}
        for pair in zip(distinct, by_end, strict=True):
            for one in pair:
                missing = min(PRIOR_RANGE, worth - one.prior) + min(PRIOR_RANGE, (chance - one.chance) / PRIOR_POINT)
                found.setdefault(id(one), Candidate(one.turn, first.prior - missing / 2))
        return list(found.values())

    def _weigh(self, table: State, actions: Sequence[Action] | None = None) -> list[Weighed]:
        """Return the actions that are worth trying."""
        # With few roll-outs, lucky samples make rebuilding look better than it is.
        daring = round(doublings(self.budget))
        return candidates(table, actions or table.offers(), self.weights, self.width, self.budget, daring)

    def _look_at(self, view: View) -> None:
        """Choose the position, the length and the luck of the roll-outs from a view."""
        self._view = view
        self._table = view.sample(self.rng)
        #: 16.2: whether there are bonus cards that the seat cannot know; they are resampled for every roll-out.
        self._hides = any([None in player.bonus for player in view.table.players])
        self._seat = view.seat
        more = doublings(self.budget)
        rounds = (self.rounds + self.farther * more) * len(self._table.options.kinds)
        self._turns = round(rounds * len(self._table.players))
        self._seed: int = int(self.rng.random() * 1_000_000_000)

    @without_gc()
    def _search(
        self, view: View, actions: Sequence[Action], known: Sequence[tuple[Action, ...]] = ()
    ) -> list[Candidate]:
        """Return whole turns, best first, then those that were not tried.

        The turns in `known` are always tried.
        """
        self._look_at(view)
        seed = self._seed
        weighed = self._weigh(self._table, actions)
        rollouts = rollouts_of(self.budget)
        turns = whole_turns(self._table, weighed, self.weights, seed, min(MOST_POOL, round(rollouts / POOL)))
        kept, rest = most_promising(turns, min(MOST_OTHERS, round(rollouts / OTHERS)))
        tried, spare = ([Candidate(one.actions, one.worth) for one in some] for some in (kept, rest))
        for turn in known:
            if turn not in [one.turn for one in tried]:
                worth = max([one.worth for one in weighed if one.action == turn[0]], default=UNKNOWN)
                tried.append(Candidate(turn, worth))
        if len(tried) == 1:
            return tried

        # 16.2: the time until the answer must not reveal that a card in hand makes one of the actions clearly the best.
        may_stop = not has_secret(self._table, self._seat)
        samples = self._join(tried)

        def work(core: int) -> Found:
            self._seed = seed + core * SEEDS_PER_CORE
            if core:  # a forked process, which would sample the same hidden cards as the others
                self.rng = random.Random(self._seed)
                own = [Candidate(one.turn, one.prior) for one in tried]
                halve(own, self.budget, self._try, may_stop=may_stop)
            else:
                own = [one.copy() for one in tried]
                halve(own, self.budget, self._try, samples, may_stop)
            return [(one.chances, one.leads) for one in own]

        found = run_on_cores(self.budget.cores, work, lambda: self.budget.is_cancelled)
        tried = [Candidate(one.turn, one.prior) for one in tried]
        for seen in found:
            for one, (chances, leads) in zip(tried, seen, strict=True):
                one.chances.extend(chances)
                one.leads.extend(leads)
        return ranked_by_tries(tried) + spare

    def _join(self, tried: list[Candidate]) -> int:
        """3.4: add turns in which an exact purchase comes before the best turns of other actions.

        Those are found with a few roll-outs of all candidates; returns the number of samples used.
        """
        exact = [one for one in best_of_each(tried) if is_exact(one.action)]
        rollouts = rollouts_of(self.budget) / self.budget.cores
        if not exact or rollouts < FEWEST_SCOUTED * len(tried):
            return 0
        samples = range(max(1, min(SCOUTED_SAMPLES, round(SCOUTING * rollouts / len(tried)))))
        self._try(tried, samples)
        known = {frozenset(one.turn) for one in tried}
        best = best_of_each(ranked(tried))[:JOINED_TURNS]
        # Turns that differ only in the order of their actions are equally good.
        new = list({frozenset(one.turn): one for one in self._joined(exact, best)}.values())
        new = [one for one in new if frozenset(one.turn) not in known]
        new.sort(key=lambda one: -one.prior)
        if new:
            self._try(new[:MOST_JOINED], samples)
            tried += new[:MOST_JOINED]
        return min([len(one.chances) for one in tried])

    def _joined(self, first: Sequence[Candidate], best: Sequence[Candidate]) -> list[Candidate]:
        """3.4: return turns in which the exact purchases among the first actions come before the best turns."""
        turns = [Turn(one.turn, one.prior) for one in best]
        found: list[Candidate] = []
        for one in first:
            if is_exact(one.action):
                others = [turn for turn in turns if turn.actions[0] != one.action]
                own = joined(self._table, Turn(one.turn, one.prior), others, self.weights)
                found += [Candidate(turn.actions, turn.worth) for turn in own]
        return found

    def _root(self) -> State:
        """Return a position that is consistent with the view."""
        return self._view.sample(self.rng) if self._hides else self._table

    def _try(self, tried: Sequence[Candidate], samples: Sequence[int], turns: int | None = None) -> None:
        """Add one roll-out for each sample and candidate, with the usual length or this number of turns."""
        for one, outcome in self._roll_out(tried, samples, turns):
            one.add(outcome.chance, outcome.lead)

    def _roll_out(
        self, tried: Sequence[Candidate], samples: Sequence[int], turns: int | None
    ) -> Iterator[tuple[Candidate, RolloutResult]]:
        """Yield the roll-outs of the candidates, sample by sample, while there is time."""
        turns = self._turns if turns is None else turns
        for sample in self.budget.rows(samples):
            root, seed = self._root(), self._seed + sample
            for one in tried:
                yield (
                    one,
                    roll_out_turn(root, one.turn, self._seat, seed, turns, self.weights, self.needs_features),
                )
                if self.budget.left() <= 0.0:
                    return


def has_secret(table: State, seat: int) -> bool:
    """16.2: return whether a seat has a bonus card in hand that the others have not seen."""
    player = table.players[seat]
    return any([card not in player.seen_bonus for card in player.bonus])


def rollouts_of(budget: Budget) -> float:
    """Return the approximate number of roll-outs within a budget."""
    rollouts = float("inf") if budget.nodes is None else float(budget.nodes)
    if budget.seconds is not None:
        rollouts = min(rollouts, budget.seconds * (ROLLOUTS_COMPILED if is_compiled() else ROLLOUTS_INTERPRETED))
    return budget.cores * rollouts


def doublings(budget: Budget) -> float:
    """Return by how many doublings a budget exceeds FEW_ROLLOUTS."""
    return min(MOST_DOUBLINGS, log2(max(1.0, rollouts_of(budget) / FEW_ROLLOUTS)))
