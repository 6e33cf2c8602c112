"""A bot that looks ahead: it plays the promising actions on, with sampled luck and everybody's replies."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import log2
from typing import ClassVar, Final

from granada import is_compiled
from granada.bots.bot import Advice, Bot
from granada.bots.budget import Budget
from granada.bots.candidates import UNKNOWN, candidates, free_reveal, reveal_first
from granada.bots.cores import Found, spread
from granada.bots.gc_control import no_collecting
from granada.bots.halving import PRIOR_POINT, PRIOR_RANGE, Candidate, halve, ranked, ranked_by_tries
from granada.bots.telling import CONTINUING, MORE_NODES, SEARCHING, SEARCHING_ONLY, best_of_each, ideas, turns_of_each
from granada.bots.turns import Turn, continuations, is_exact, joined, most_promising, whole_turns
from granada.engine.policy import Weighed
from granada.engine.rollout import Outcome, look_past
from granada.engine.weights import Weights
from granada.rules.state import Action, State
from granada.rules.view import View

#: Each core has luck of its own.
LUCKS_OF_A_CORE: Final = 1_000_003
#: About so many looks ahead fit into a second, compiled and interpreted.
LOOKS_COMPILED: Final = 4000.0
LOOKS_INTERPRETED: Final = 400.0
#: With more looks than this it pays to look farther; no more doublings than these count.
FEW_LOOKS: Final = 400.0
MOST_DOUBLINGS: Final = 5.0
#: For this many looks one more turn is judged at its end, and for this many one more is looked at ahead.
POOL: Final = 6
OTHERS: Final = 60
MOST_POOL: Final = 200
MOST_OTHERS: Final = 16
#: This part of the looks, and no more lucks than these, show which turns could follow an exact purchase; but not where
#: there are hardly looks enough to try all candidates. The best turns of this many actions, and no more in all.
SCOUTING: Final = 0.15
SCOUTED_LUCKS: Final = 8
FEWEST_SCOUTED: Final = 6
JOINED_TURNS: Final = 3
MOST_JOINED: Final = 6


class SearchBot(Bot):
    """Monte Carlo search over turns: sequential halving, the same luck for all candidates, quick play, a cut."""

    #: How all seats are thought to play.
    temper: ClassVar[Weights] = Weights()
    #: So many rounds of the table are played before a position is judged, and so many more with twice the budget: far
    #: away luck blurs everything, until there are looks enough. With both kinds of tile a game lasts twice as long, and
    #: it takes twice as many rounds until a difference shows.
    rounds: ClassVar[float] = 4.0
    farther: ClassVar[float] = 1.5
    #: Whether a model judges the positions, too, and needs their features.
    needs_features: ClassVar[bool] = False
    #: No more actions than this are tried.
    width: ClassVar[int] = 12

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        self.budget.begin()
        return free_reveal(actions) or self._search(view, actions)[0].action

    @no_collecting()
    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        return reveal_first(actions, self._ideas(view, actions, count))[:count]

    @no_collecting()
    def compare(self, view: View, turns: Sequence[tuple[Action, ...]]) -> list[Advice]:
        actions = list(dict.fromkeys([turn[0] for turn in turns]))
        return self._ideas(view, actions, len(actions), turns)

    def _ideas(
        self, view: View, actions: Sequence[Action], count: int, known: Sequence[tuple[Action, ...]] = ()
    ) -> list[Advice]:
        """Return what is expected of the best actions, each with its best continuation.

        An exact purchase may also come before the best turns of other actions.
        """
        looks = looks_of(self.budget)
        goes_on = turns_of_each(looks, count) > 1
        self.budget.begin(SEARCHING if goes_on else SEARCHING_ONLY, MORE_NODES)
        found = self._search(view, actions, known)
        best = best_of_each(found)[:count]
        if not goes_on or not best[0].chances:
            return ideas(found, count, self.budget, self._try)
        self.budget.go_on(CONTINUING, MORE_NODES)
        more = self._joined(best, best[:JOINED_TURNS])
        for one in best:
            more += self._continuations(one, min(MOST_POOL, round(looks / POOL)) // len(best))
        most = max(2, turns_of_each(looks, len({one.action for one in more})))
        return ideas(found, count, self.budget, self._try, more, most)

    def _continuations(self, first: Candidate, pool: int) -> list[Candidate]:
        """Return turns that begin with an action, alternately by quick judgement and by the position at their end.

        Quick judgement does not see that money is worth nothing at the end of the game, or what a majority brings.
        """
        turn = Turn(first.turn, first.prior)
        turns = continuations(self._table, turn, self.temper, self._seed, pool, self._weigh)
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
        # Few looks mistake luck for the use of a way to rebuild.
        daring = round(doublings(self.budget))
        return candidates(table, actions or table.offers(), self.temper, self.width, self.budget, daring)

    @no_collecting()
    def _search(
        self, view: View, actions: Sequence[Action], known: Sequence[tuple[Action, ...]] = ()
    ) -> list[Candidate]:
        """Return whole turns, the best first, then those that were not tried.

        Turns that are known are tried in any case.
        """
        self._view = view
        self._table = view.sample(self.rng)
        #: 16.2: bonus cards that the seat cannot know are dealt anew for every try.
        self._hides = any([None in player.bonus for player in view.table.players])
        self._seat = view.seat
        more = doublings(self.budget)
        rounds = (self.rounds + self.farther * more) * len(self._table.options.kinds)
        self._turns = round(rounds * len(self._table.players))
        seed = int(self.rng.random() * 1_000_000_000)
        weighed = self._weigh(self._table, actions)
        looks = looks_of(self.budget)
        turns = whole_turns(self._table, weighed, self.temper, seed, min(MOST_POOL, round(looks / POOL)))
        kept, rest = most_promising(turns, min(MOST_OTHERS, round(looks / OTHERS)))
        tried, spare = ([Candidate(one.actions, one.worth) for one in some] for some in (kept, rest))
        for turn in known:
            if turn not in [one.turn for one in tried]:
                worth = max([one.worth for one in weighed if one.action == turn[0]], default=UNKNOWN)
                tried.append(Candidate(turn, worth))
        if len(tried) == 1:
            return tried

        # 16.2: how soon the answer comes must not tell that a card in hand makes one of the actions clearly the best.
        may_stop = not has_secret(self._table, self._seat)
        self._seed = seed
        lucks = self._join(tried)

        def work(core: int) -> Found:
            self._seed = seed + core * LUCKS_OF_A_CORE
            if core:  # a process of its own, which would deal the same hidden cards as the others
                self.rng = random.Random(self._seed)
                own = [Candidate(one.turn, one.prior) for one in tried]
                halve(own, self.budget, self._try, may_stop=may_stop)
            else:
                own = [one.copy() for one in tried]
                halve(own, self.budget, self._try, lucks, may_stop)
            return [(one.chances, one.leads) for one in own]

        found = spread(self.budget.cores, work, lambda: self.budget.is_cancelled)
        tried = [Candidate(one.turn, one.prior) for one in tried]
        for seen in found:
            for one, (chances, leads) in zip(tried, seen, strict=True):
                one.chances.extend(chances)
                one.leads.extend(leads)
        return ranked_by_tries(tried) + spare

    def _join(self, tried: list[Candidate]) -> int:
        """3.4: Add turns in which an exact purchase comes before the best turns of other actions.

        Which those are is found by a few tries of all candidates. Returns the number of lucks that were used for them.
        """
        exact = [one for one in best_of_each(tried) if is_exact(one.action)]
        looks = looks_of(self.budget) / self.budget.cores
        if not exact or looks < FEWEST_SCOUTED * len(tried):
            return 0
        lucks = range(max(1, min(SCOUTED_LUCKS, round(SCOUTING * looks / len(tried)))))
        self._try(tried, lucks)
        known = {frozenset(one.turn) for one in tried}
        best = best_of_each(ranked(tried))[:JOINED_TURNS]
        # A turn that differs from another only in its order is as good as that one.
        new = list({frozenset(one.turn): one for one in self._joined(exact, best)}.values())
        new = [one for one in new if frozenset(one.turn) not in known]
        new.sort(key=lambda one: -one.prior)
        if new:
            self._try(new[:MOST_JOINED], lucks)
            tried += new[:MOST_JOINED]
        return min([len(one.chances) for one in tried])

    def _joined(self, first: Sequence[Candidate], best: Sequence[Candidate]) -> list[Candidate]:
        """3.4: Return turns in which the exact purchases among the first actions come before the best turns."""
        turns = [Turn(one.turn, one.prior) for one in best]
        found: list[Candidate] = []
        for one in first:
            if is_exact(one.action):
                others = [turn for turn in turns if turn.actions[0] != one.action]
                own = joined(self._table, Turn(one.turn, one.prior), others, self.temper)
                found += [Candidate(turn.actions, turn.worth) for turn in own]
        return found

    def _root(self) -> State:
        """The position as it may be."""
        return self._view.sample(self.rng) if self._hides else self._table

    def _try(self, tried: Sequence[Candidate], lucks: Sequence[int], turns: int | None = None) -> None:
        """Look once ahead with each luck for each candidate, and note how it ended; as far as usual, or some turns."""
        for one, outcome in self._look(tried, lucks, turns):
            one.add(outcome.chance, outcome.lead)

    def _look(
        self, tried: Sequence[Candidate], lucks: Sequence[int], turns: int | None
    ) -> Iterator[tuple[Candidate, Outcome]]:
        """What comes of the candidates, luck by luck, as long as there is time."""
        turns = self._turns if turns is None else turns
        for luck in self.budget.rows(lucks):
            root, seed = self._root(), self._seed + luck
            for one in tried:
                yield (
                    one,
                    look_past(root, one.turn, self._seat, seed, turns, self.temper, self.needs_features),
                )
                if self.budget.left() <= 0.0:
                    return


def has_secret(table: State, seat: int) -> bool:
    """16.2: Return whether a seat has a bonus card in hand that the others have not seen."""
    player = table.players[seat]
    return any([card not in player.seen_bonus for card in player.bonus])


def looks_of(budget: Budget) -> float:
    """Return about how many looks ahead a budget is good for."""
    looks = float("inf") if budget.nodes is None else float(budget.nodes)
    if budget.seconds is not None:
        looks = min(looks, budget.seconds * (LOOKS_COMPILED if is_compiled() else LOOKS_INTERPRETED))
    return budget.cores * looks


def doublings(budget: Budget) -> float:
    """How often a budget is twice one that is good for few looks."""
    return min(MOST_DOUBLINGS, log2(max(1.0, looks_of(budget) / FEW_LOOKS)))
