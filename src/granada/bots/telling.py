"""The advice that a search gives: an action is worth as much as the best turn that begins with it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from granada.bots.bot import Advice, by_chance
from granada.bots.budget import Budget
from granada.bots.halving import CHUNK, Candidate, Try
from granada.rules.state import Action

#: This part of the time, or of the nodes in addition, is spent on the reported values.
PART: Final = 0.25
#: How many turns are tried again for an action that is not the best.
TURNS: Final = 6
#: Another turn of the best action is reported if it is better by more than this many standard errors, after enough
#: tries.
DOUBT: Final = 1.0
ENOUGH: Final = 12
#: The reported values come from other luck than the choice of the best action.
_FRESH: Final = 500_000_000


def best_of_each(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Return the best candidate for each action, in the order of the candidates."""
    found: dict[Action, Candidate] = {}
    for one in ranked:
        found.setdefault(one.action, one)
    return list(found.values())


def ideas(
    ranked: Sequence[Candidate], count: int, budget: Budget, attempt: Try, more: Sequence[Candidate] = ()
) -> list[Advice]:
    """Return what is expected of the best actions: first the best, then the others, by the reported chances.

    A turn that was dropped early had few tries, and bad luck in them, or it would have stayed. So the other actions are
    tried again together with the best, with fresh luck, and so are additional turns. None is reported to be better than
    the best.
    """
    best, *others = best_of_each(ranked)[:count]
    if not best.chances:
        return [_advice(one) for one in (best, *others)]
    rivals: list[_Rival] = []
    for other in (best, *others):
        turns = [one for one in (other, *more, *ranked) if one.action == other.action and one is not best]
        if turns:
            rivals.append(_Rival(list(dict.fromkeys(turns))[:TURNS]))
    again = Candidate(best.turn, best.prior)
    if rivals:
        _try_again(again, rivals, budget, attempt)
    tries = len(best.chances) + len(again.chances)
    win = (sum(best.chances) + sum(again.chances)) / tries
    lead = (sum(best.leads) + sum(again.leads)) / tries
    first = Advice(best.action, lead, win, best.turn[1:])
    if rivals and rivals[0].action == best.action:
        first = rivals.pop(0).better(best, again, first)
    told = [rival.beside(best, again, first) for rival in rivals]
    return [first, *sorted(told, key=by_chance)]


class _Rival:
    """An action that is not the best: some turns that begin with it, and how they went when they were tried again."""

    def __init__(self, turns: Sequence[Candidate]) -> None:
        self.before: Final = list(turns)
        self.again: Final = [Candidate(one.turn, one.prior) for one in turns]
        #: The index of the turn that is reported.
        self.chosen = 0

    def choose(self) -> None:
        """Choose the turn that went best when it was tried again."""
        self.chosen = max(range(len(self.again)), key=lambda i: (len(self.again[i].chances), self.again[i].chance, -i))

    @property
    def action(self) -> Action:
        """The action."""
        return self.before[0].action

    def beside(self, best: Candidate, again: Candidate, first: Advice) -> Advice:
        """Return what is expected, in comparison with the best, with the same luck for both."""
        one, other = self.before[self.chosen], self.again[self.chosen]
        early, late = min(len(one.chances), len(best.chances)), min(len(other.chances), len(again.chances))
        tries = early + late
        if not tries or first.win is None or first.lead is None:
            return _advice(one)
        missing = _difference(best.chances, one.chances, early) + _difference(again.chances, other.chances, late)
        behind = _difference(best.leads, one.leads, early) + _difference(again.leads, other.leads, late)
        win = min(first.win, max(0.0, first.win - missing / tries))
        return Advice(one.action, first.lead - behind / tries, win, one.turn[1:])

    def better(self, best: Candidate, again: Candidate, first: Advice) -> Advice:
        """Return what is expected of the best action: of another turn if that is better beyond most doubt."""
        other = self.again[self.chosen]
        gains = [mine - theirs for mine, theirs in zip(other.chances, again.chances, strict=False)]
        leads = [mine - theirs for mine, theirs in zip(other.leads, again.leads, strict=False)]
        if len(gains) < ENOUGH or first.win is None or first.lead is None:
            return first
        gain = sum(gains) / len(gains)
        error = sqrt(sum([(one - gain) ** 2 for one in gains])) / len(gains)
        if gain <= DOUBT * error:
            return first
        # Only the gain that lies beyond doubt: of several turns, the one that seems best was also lucky.
        gain -= DOUBT * error
        return Advice(first.action, first.lead + sum(leads) / len(leads), min(1.0, first.win + gain), other.turn[1:])


def _try_again(best: Candidate, rivals: Sequence[_Rival], budget: Budget, attempt: Try) -> None:
    """Try some turns of each rival and the best one with fresh luck; with the second half, the better of each only."""
    budget.extend()
    luck = _FRESH
    for half in (1, 2):
        turns = [one for rival in rivals for one in (rival.again if half == 1 else [rival.again[rival.chosen]])]
        nodes = float("inf") if budget.nodes is None else PART * budget.nodes / 2
        until = 0.0 if budget.seconds is None else (1 - half / 2) * PART * budget.seconds
        chunk = max(1, int(min(CHUNK, nodes // (1 + len(turns)))))
        nodes -= chunk * (1 + len(turns))
        while nodes >= 0.0 and budget.left() > until:
            attempt([best, *turns], range(luck, luck + chunk))
            luck += chunk
            nodes -= chunk * (1 + len(turns))
        for rival in rivals:
            rival.choose()


def _difference(best: Sequence[float], other: Sequence[float], tries: int) -> float:
    return sum(best[:tries]) - sum(other[:tries])


def _advice(one: Candidate) -> Advice:
    """Return what is expected of a turn; nothing if it was not tried."""
    if not one.chances:
        return Advice(one.action, then=one.turn[1:])
    return Advice(one.action, one.lead, one.chance, one.turn[1:])
