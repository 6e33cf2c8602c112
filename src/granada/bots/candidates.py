"""Which of the offered actions are worth a closer look."""

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

#: Of all ways to rebuild what stands, so many are looked at, and only if they promise at least so many points, unless
#: a bot is daring.
REBUILDINGS: Final = 2
REBUILDING_GAIN: Final = 2.0
#: A large reserve fits into many places: no more than this part of a budget is spent on them.
REBUILDING_PART: Final = 0.2
#: So few actions are all looked at; those that quick judgement does not know are thought to be worth so much.
FEW: Final = 3
UNKNOWN: Final = -6.0


def candidates(
    state: State, actions: Sequence[Action], temper: Weights, count: int, budget: Budget | None = None, daring: int = 0
) -> list[Weighed]:
    """The best so many offered actions by quick judgement, the best first; always at least one.

    The more daring, the more ways to rebuild are among them that only cost points at first.
    """
    offered = set(actions)
    weighed = [one for one in Policy(state, temper).weigh() if one.action in offered]
    weighed.sort(key=by_worth)
    if len(actions) <= FEW:
        known = {one.action for one in weighed}
        return weighed + [Weighed(action, UNKNOWN) for action in actions if action not in known]
    found = weighed[:count]
    found += _rebuildings(state, actions, temper, budget, daring)
    found.sort(key=by_worth)
    return found or [Weighed(action, UNKNOWN) for action in harmless(actions)[:count]]


def harmless(actions: Sequence[Action]) -> list[Action]:
    """Where quick judgement knows nothing: all that neither takes a tile away nor shows a card, if there is such."""
    return [action for action in actions if not isinstance(action, (Remove, Reveal))] or list(actions)


def free_reveal(actions: Sequence[Action]) -> Action | None:
    """13.2: a bonus card that can be revealed: it costs nothing, and counts from now on."""
    return next((action for action in actions if isinstance(action, Reveal)), None)


def reveal_first(actions: Sequence[Action], advice: list[Advice]) -> list[Advice]:
    """The advice with what can be revealed before everything else.

    Unless it was looked at itself, it brings what the best other action brings, which can still be played after it.
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
    state: State, actions: Sequence[Action], temper: Weights, budget: Budget | None, daring: int
) -> list[Weighed]:
    """3.5: the ways to rebuild that promise most, which quick play does not know.

    The tiles of the reserve can take the place of others, and promise more points there. To remove a tile only takes
    points away now; but a city that is closed can grow again, which is seen by those who look far ahead.
    """
    ways = [action for action in actions if isinstance(action, (Swap, Remove) if daring else Swap)]
    if not ways:
        return []
    seat = state.seat
    before = lead_of(promises(Standing(state, temper)), seat)
    found: list[Weighed] = []
    enough = 0.0 if budget is None or budget.length is None else (1.0 - REBUILDING_PART) * budget.length
    for action in ways:
        if budget is not None and budget.left() < enough:
            break
        after = state.copy()
        action.do(after, seat, First())
        gain = lead_of(promises(Standing(after, temper)), seat) - before
        if daring or gain >= REBUILDING_GAIN:
            found.append(Weighed(action, gain))
    found.sort(key=by_worth)
    return found[: max(daring, REBUILDINGS)]
