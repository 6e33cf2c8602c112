"""Whole turns: the actions of a seat until chance or another seat decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Final

from granada.engine.policy import Policy, Weighed, by_worth
from granada.engine.rollout import roll_out_turn
from granada.engine.weights import Weights
from granada.rules.acting import Buy
from granada.rules.chance import First
from granada.rules.events import Acted, Awarded, HutTurnedUp
from granada.rules.flow import Acting
from granada.rules.money import total
from granada.rules.placing import Placing, PlacingAward
from granada.rules.state import Action, State, Step

#: At each later decision of a turn, this many actions are considered besides the best.
OTHERS: Final = 12
#: The weight of a turn's worth by the quick policy, added to the lead after it, because money pays off later.
PLANS: Final = 2.0
#: The penalty of a turn for each better turn that begins with the same action, for variety.
VARIETY: Final = 2.0

#: The most exact purchases that are tried before the rest of a turn.
MOST_EXACT: Final = 2


class Turn:
    """The remaining actions of a turn, in order, and their worth by the quick policy."""

    __slots__ = ("actions", "worth")

    def __init__(self, actions: tuple[Action, ...], worth: float) -> None:
        self.actions: Final = actions
        #: The worth of the first action, minus the loss of each later one against the best at that point.
        self.worth: Final = worth


def whole_turns(state: State, first: Sequence[Weighed], weights: Weights, seed: int, count: int) -> list[list[Turn]]:
    """Return some whole turns for each of the first actions, best first.

    Besides the best by the quick policy, about `count` others are played to their end with the same chance events and
    evaluated there: the quick policy sees neither that the game is about to end, nor the gain of turning a tile over.
    """
    return [_turns_with(state, one, weights, seed, count // len(first)) for one in first]


def most_promising(turns: Sequence[Sequence[Turn]], others: int) -> tuple[list[Turn], list[Turn]]:
    """Return the best turn of each action with the best others, which begin with various actions, and the rest."""
    ranked = sorted(
        [(turn.worth - VARIETY * i, turn) for some in turns for i, turn in enumerate(some) if i], key=_first
    )
    rest = [turn for _, turn in ranked]
    return [some[0] for some in turns] + rest[:others], rest[others:]


def _first(pair: tuple[float, Turn]) -> float:
    return -pair[0]


def _turns_with(state: State, first: Weighed, weights: Weights, seed: int, others: int) -> list[Turn]:
    """Return some whole turns that begin with an action, best first."""
    finder = _Finder(state, weights)
    found = [finder.finish(_Way(state, (), first.action, first.worth))]
    found += finder.others(found, others)
    if len(found) == 1:
        return found
    scores: list[tuple[float, Turn]] = []
    for turn in found:
        after = roll_out_turn(state, turn.actions, state.seat, seed, 1, weights, with_features=False)
        scores.append((after.lead + PLANS * turn.worth, turn))
    scores.sort(key=_first)
    best = scores[0][0]
    return [Turn(turn.actions, first.worth + (score - best) / (1.0 + PLANS)) for score, turn in scores]


def continuations(
    state: State, first: Turn, weights: Weights, seed: int, count: int, weigh: Callable[[State], Sequence[Weighed]]
) -> list[Turn]:
    """Return whole turns that begin with the first action of a turn, as a search right after it would list them.

    They are sorted by the quick policy, with a preference for various second actions.
    Before them come turns in which another exact purchase precedes the rest of the given turn (3.4), and of the best.
    """
    action, after = first.actions[0], state.copy()
    after.play(action, First())
    if not goes_on(after, state.seat, state.turns, state.step):
        return []
    weighed = weigh(after)
    best = max([one.worth for one in weighed])
    found = [
        (turn.worth - VARIETY * i, turn)
        for some in whole_turns(after, weighed, weights, seed, count)
        for i, turn in enumerate(some)
    ]
    turns = [turn for _, turn in sorted(found, key=_first)]
    if isinstance(after.step, Acting):
        rest = [Turn(first.actions[1:], best), turns[0]]
        exact = [Turn((one.action,), one.worth) for one in weighed if is_exact(one.action)][:MOST_EXACT]
        turns = [turn for one in exact for turn in joined(after, one, rest, weights)] + turns
    return [Turn((action, *turn.actions), first.worth + turn.worth - best) for turn in turns]


def is_exact(action: Action) -> bool:
    """3.4: return whether an action pays for a tile exactly, so that another action follows."""
    return isinstance(action, Buy) and total(action.cards) == action.tile.price


def joined(state: State, first: Turn, others: Sequence[Turn], weights: Weights) -> list[Turn]:
    """3.4: return turns that begin with an exact purchase and continue with the actions of other turns.

    A good turn is often even better after it. The quick policy places the purchased tile.
    """
    action, seat, turns = first.actions[0], state.seat, state.turns
    bought = state.copy()
    bought.play(action, First())
    if not goes_on(bought, seat, turns, state.step) or not isinstance(bought.step, Acting):
        return []
    finder = _Finder(state, weights)
    found: list[Turn] = []
    for other in others:
        after = bought
        played: tuple[Action, ...] = (action,)
        *rest, last = [one for one in other.actions if one != action] or [action]
        for one in rest:
            now = _allowed(after, seat, one)
            if now is None:
                break
            after = after.copy()
            after.play(now, First())
            played = (*played, now)
        else:
            now = _allowed(after, seat, last)
            if now is not None:
                found.append(finder.finish(_Way(after, played, now, first.worth)))
    return found


def _allowed(state: State, seat: int, action: Action) -> Action | None:
    """Return an action if it is legal, or the same purchase with other cards; None if neither is possible."""
    if state.agenda is None or state.seat != seat:
        return None
    if state.is_legal(action):
        return action
    if not isinstance(action, Buy) or not isinstance(state.step, Acting):
        return None
    return next((one for one in state.offers() if isinstance(one, Buy) and one.tile is action.tile), None)


def is_turn(state: State, actions: Sequence[Action]) -> bool:
    """Return whether a seat can play these actions in one turn without chance events between them."""
    after, seat, turns = state.copy(), state.seat, state.turns
    for i, action in enumerate(actions):
        if not after.is_legal(action):
            return False
        step = after.step
        after.play(action, First())
        if i < len(actions) - 1 and not goes_on(after, seat, turns, step):
            return False
    return True


def goes_on(state: State, seat: int, turns: int, step: Step) -> bool:
    """Return whether a seat that has just played an action at a step continues its turn without a chance event.

    A hut that is turned up cannot be taken in the same turn (14.2), so it does not count as one.
    """
    if state.agenda is None or state.seat != seat or state.turns != turns:
        return False
    if any([not isinstance(event, (Acted, HutTurnedUp, Awarded)) for event in state.events]):
        return False
    return isinstance(state.step, (Acting, Placing, PlacingAward)) or state.step is step


class _Way:
    """A state within a turn, the actions that led there, and the next action."""

    __slots__ = ("action", "before", "state", "worth")

    def __init__(self, state: State, before: tuple[Action, ...], action: Action, worth: float) -> None:
        self.state: Final = state
        self.before: Final = before
        self.action: Final = action
        self.worth: Final = worth


class _Finder:
    """Completes turns, and remembers their alternatives."""

    def __init__(self, state: State, weights: Weights) -> None:
        self._seat: Final = state.seat
        self._turns: Final = state.turns
        self._weights: Final = weights
        #: A heap of alternatives, best first; equal ones in the order of discovery.
        self._ways: Final[list[tuple[float, int, _Way]]] = []
        self._number = 0

    def finish(self, way: _Way) -> Turn:
        """Return the turn that takes this way and then follows the quick policy."""
        state, actions, action = way.state, way.before, way.action
        while True:
            step = state.step
            state = state.copy()
            state.play(action, First())
            actions = (*actions, action)
            if not goes_on(state, self._seat, self._turns, step):
                return Turn(actions, way.worth)
            weighed = Policy(state, self._weights).weigh()
            if not weighed:
                action = state.offers()[0]  # like the quick policy: pass, or rebuild if nothing else is possible
                continue
            weighed.sort(key=by_worth)
            best = weighed[0]
            for other in weighed[1 : 1 + OTHERS]:
                self._add(_Way(state, actions, other.action, way.worth + other.worth - best.worth))
            action = best.action

    def others(self, known: Sequence[Turn], count: int) -> list[Turn]:
        """Return up to `count` other turns, best first, without reorderings of known ones."""
        seen = {_unordered(turn) for turn in known}
        found: list[Turn] = []
        while self._ways and len(found) < count:
            turn = self.finish(heappop(self._ways)[2])
            if _unordered(turn) not in seen:
                seen.add(_unordered(turn))
                found.append(turn)
        return found

    def _add(self, way: _Way) -> None:
        self._number += 1
        heappush(self._ways, (-way.worth, self._number, way))


def _unordered(turn: Turn) -> tuple[Action, frozenset[Action]]:
    """Return what distinguishes turns: the first action, and the set of the others (4.1)."""
    return turn.actions[0], frozenset(turn.actions[1:])
