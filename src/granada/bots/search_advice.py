"""Advice from a search: the value of an action is that of the best turn that begins with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.bots.bot import Advice, by_chance
from granada.bots.budget import Budget
from granada.bots.halving import CHUNK, Candidate, Try, halve_each, ranked
from granada.rules.state import Action

#: The parts of the time, or of the nodes, that are spent on the search for the best actions, on the continuations of
#: those that are reported, and on the reported values.
SEARCHING: Final = 0.36
CONTINUING: Final = 0.36
REPORTING: Final = 0.28
#: Advice may use this many times as many nodes as a choice.
MORE_NODES: Final = 1.25
#: With fewer roll-outs than this, all are needed for the search, which is as long as for a choice.
FEWEST: Final = 150.0
SEARCHING_ONLY: Final = 1.0 / MORE_NODES
#: For this many tries of an action, one more of its turns is tried; no more than these.
TRIES: Final = 14.0
MOST_TURNS: Final = 20
#: Separate samples for choosing continuations, and for the reported values.
_FRESH: Final = 300_000_000
_REPORTED: Final = 600_000_000


def best_of_each(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Return the best candidate for each action, in the order of the candidates."""
    found: dict[Action, Candidate] = {}
    for one in ranked:
        found.setdefault(one.action, one)
    return list(found.values())


def turns_of_each(rollouts: float, actions: int) -> int:
    """Return how many turns are tried for each action, with a budget for this many roll-outs."""
    if rollouts < FEWEST:
        return 1
    return max(1, min(MOST_TURNS, round(MORE_NODES * CONTINUING * rollouts / max(1, actions) / TRIES)))


def ideas(
    found: Sequence[Candidate],
    count: int,
    budget: Budget,
    attempt: Try,
    more: Sequence[Candidate] = (),
    most: int = 1,
) -> list[Advice]:
    """Return the expected results of the best actions: first the best, then the others by reported win chance.

    A search right after an action would find its best continuation, so up to `most` turns of each action are tried now,
    the best of the search and additional ones; with more than one, the caller has started this part of the budget. The
    reported values come from separate samples, because the turn that seems best of several was also lucky.
    """
    best = best_of_each(found)[:count]
    if not best[0].chances:
        return [_advice(one) for one in best]
    groups = [_turns(one, found, more, most) for one in best]
    order = best
    if any([len(group) > 1 for group in groups]):
        order = halve_each(groups, budget, attempt, _FRESH)
        if order[0].chances:
            order = ranked(order)
        budget.start_part(REPORTING, MORE_NODES)
    elif most > 1:  # the nodes for continuations are left over, as the time is
        budget.start_part(REPORTING, MORE_NODES * (CONTINUING + REPORTING) / REPORTING)
    else:
        budget.start_part(1.0 - SEARCHING_ONLY, MORE_NODES)
    reported = [Candidate(one.turn, one.prior) for one in order]
    _report(reported, budget, attempt)
    is_fresh = bool(reported[0].chances)
    if not is_fresh:  # there was no time
        known = {one.turn: one for one in found}
        reported = [one if one.chances else known.get(one.turn, one) for one in order]
    first, *others = reported
    advice = _advice(first)
    return [advice, *sorted([_relative(one, first, advice, is_fresh) for one in others], key=by_chance)]


def _turns(best: Candidate, found: Sequence[Candidate], more: Sequence[Candidate], most: int) -> list[Candidate]:
    """Return untried copies of the turns of an action: the best one, and the others up to a number."""
    tried = [one for one in found if one.action == best.action and one.chances][: max(1, most // 3)]
    own = [one for one in (best, *tried, *more) if one.action == best.action]
    turns: dict[frozenset[Action], Candidate] = {}
    for one in own:
        turns.setdefault(frozenset(one.turn), one)  # a turn in another order is as good
    return [Candidate(one.turn, one.prior) for one in turns.values()][:most]


def _report(turns: Sequence[Candidate], budget: Budget, attempt: Try) -> None:
    """Try some turns with the same samples until the budget is spent."""
    sample, nodes = _REPORTED, 0
    chunk = CHUNK if budget.granted is None else max(1, min(CHUNK, budget.granted // len(turns)))
    while not budget.is_spent(nodes + chunk * len(turns) - 1):
        attempt(turns, range(sample, sample + chunk))
        sample += chunk
        nodes += chunk * len(turns)


def _relative(one: Candidate, best: Candidate, advice: Advice, is_fresh: bool) -> Advice:
    """Return the expected result of a turn, relative to the best over the same samples.

    With fresh samples it may lie above that of the best by chance: capping it would make close alternatives look worse
    than they are (benchmarks/turn_values.py). The samples of the search are capped, because they chose the best.
    """
    tries = min(len(one.chances), len(best.chances))
    if not tries or advice.win is None or advice.lead is None:
        return Advice(one.action, then=one.turn[1:])
    missing = (sum(best.chances[:tries]) - sum(one.chances[:tries])) / tries
    behind = (sum(best.leads[:tries]) - sum(one.leads[:tries])) / tries
    return Advice(
        one.action,
        advice.lead - behind,
        min(1.0 if is_fresh else advice.win, max(0.0, advice.win - missing)),
        one.turn[1:],
    )


def _advice(one: Candidate) -> Advice:
    """Return the expected result of a turn; unknown if it was not tried."""
    if not one.chances:
        return Advice(one.action, then=one.turn[1:])
    return Advice(one.action, one.lead, one.chance, one.turn[1:])
