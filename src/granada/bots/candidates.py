"""Candidate actions: the offered actions that are worth trying."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.bots.bot import Advice
from granada.bots.budget import Budget
from granada.engine.evaluation import lead_of, promises
from granada.engine.policy import Policy, Weighed, by_worth
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.bonus import Reveal
from granada.rules.chance import First
from granada.rules.rebuilding import Remove, Swap
from granada.rules.state import Action, State

#: At most this many ways to rebuild are candidates, and only if they gain this many points, unless a bot is daring.
REBUILDINGS: Final = 2
REBUILDING_GAIN: Final = 2.0
#: The most time for evaluating them, as a part of the budget: a large reserve has many possible places.
REBUILDING_PART: Final = 0.2
#: Up to FEW actions are all candidates; those without a worth by the quick policy get the worth UNKNOWN.
FEW: Final = 3
UNKNOWN: Final = -6.0


def candidates(
    state: State, actions: Sequence[Action], weights: Weights, count: int, budget: Budget | None = None, daring: int = 0
) -> list[Weighed]:
    """Return up to `count` offered actions, best first by the quick policy; always at least one.

    A more daring bot also considers more ways to rebuild that cost points at first.
    """
    offered = set(actions)
    weighed = [one for one in Policy(state, weights).weigh() if one.action in offered]
    weighed.sort(key=by_worth)
    if len(actions) <= FEW:
        known = {one.action for one in weighed}
        return weighed + [Weighed(action, UNKNOWN) for action in actions if action not in known]
    found = weighed[:count]
    found += _rebuildings(state, actions, weights, budget, daring)
    found.sort(key=by_worth)
    return found or [Weighed(action, UNKNOWN) for action in harmless(actions)[:count]]


def harmless(actions: Sequence[Action]) -> list[Action]:
    """Return the actions that neither remove a tile nor reveal a card, or all if there are none."""
    return [action for action in actions if not isinstance(action, (Remove, Reveal))] or list(actions)


def free_reveal(actions: Sequence[Action]) -> Action | None:
    """13.2: return the action that reveals a bonus card, if there is one; it costs nothing."""
    return next((action for action in actions if isinstance(action, Reveal)), None)


def reveal_first(actions: Sequence[Action], advice: list[Advice]) -> list[Advice]:
    """Return the advice with revealing a bonus card first.

    Unless it was tried itself, it gets the result of the best other action, which can still be played after it.
    """
    reveal = free_reveal(actions)
    if reveal is None:
        return advice
    others = [one for one in advice if one.action != reveal]
    known = [one for one in advice if one.action == reveal] or others
    best = known[0]
    then = best.then if best.action == reveal else (best.action, *best.then)
    return [Advice(reveal, best.lead, best.win, then), *others]


def _rebuildings(
    state: State, actions: Sequence[Action], weights: Weights, budget: Budget | None, daring: int
) -> list[Weighed]:
    """3.5: return the best ways to rebuild, which the quick policy does not consider.

    Swapping in a tile of the reserve may gain points at once. Removing a tile costs points now, but lets a closed city
    grow again, which only long roll-outs show.
    """
    ways = [action for action in actions if isinstance(action, (Swap, Remove) if daring else Swap)]
    if not ways:
        return []
    seat = state.seat
    before = lead_of(promises(Standing(state, weights)), seat)
    found: list[Weighed] = []
    enough = 0.0 if budget is None or budget.length is None else (1.0 - REBUILDING_PART) * budget.length
    for action in ways:
        if budget is not None and budget.left() < enough:
            break
        after = state.copy()
        action.do(after, seat, First())
        gain = lead_of(promises(Standing(after, weights)), seat) - before
        if daring or gain >= REBUILDING_GAIN:
            found.append(Weighed(action, gain))
    found.sort(key=by_worth)
    return found[: max(daring, REBUILDINGS)]
