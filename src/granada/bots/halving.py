"""Sequential halving: try all candidates with the same samples, drop the worse half, and repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2, sqrt
from typing import Final

from granada.bots.budget import Budget
from granada.rules.state import Action

#: The number of samples between two checks of the budget.
CHUNK: Final = 4
#: The search ends early if the best is ahead of all others by CLEAR standard errors after CLEAR_TRIES tries each.
CLEAR: Final = 3.5
CLEAR_TRIES: Final = 24
#: The prior of the quick policy counts like this many tries; a point of worth, within a range, is this win chance.
PRIOR_TRIES: Final = 8.0
PRIOR_POINT: Final = 0.012
PRIOR_RANGE: Final = 12.0


class Candidate:
    """A whole turn and the results of its roll-outs."""

    def __init__(self, turn: tuple[Action, ...], prior: float) -> None:
        self.turn: Final = turn
        self.action: Final = turn[0]
        #: Its worth by the quick policy, which decides as long as there are no tries.
        self.prior: Final = prior
        self.chances: Final[list[float]] = []
        self.leads: Final[list[float]] = []

    def add(self, chance: float, lead: float) -> None:
        """Add the result of one try."""
        self.chances.append(chance)
        self.leads.append(lead)

    def copy(self) -> Candidate:
        """Return a copy with the same tries."""
        other = Candidate(self.turn, self.prior)
        other.chances.extend(self.chances)
        other.leads.extend(self.leads)
        return other

    @property
    def chance(self) -> float:
        """The mean win chance."""
        return sum(self.chances) / len(self.chances) if self.chances else 0.0

    @property
    def lead(self) -> float:
        """The mean final lead."""
        return sum(self.leads) / len(self.leads) if self.leads else 0.0


#: Tries candidates with numbered samples, as many as there is time for, but at least one: adds a chance and a lead to
#: each candidate for every sample.
Try = Callable[[Sequence[Candidate], Sequence[int]], None]


def halve(
    candidates: Sequence[Candidate], budget: Budget, attempt: Try, sample: int = 0, may_stop: bool = True
) -> None:
    """Try the candidates until the budget is spent or one is clearly the best; better ones are tried more often.

    They may have been tried before with all samples below `sample`. Unless it may stop, the whole budget is used even
    if the best is clear.
    """
    left = list(candidates)
    rounds = max(1, ceil(log2(len(left))))
    nodes = sample * len(left)
    for round_ in range(rounds):
        chunk = CHUNK if budget.granted is None else max(1, min(CHUNK, budget.granted // len(left)))
        while True:
            attempt(left, range(sample, sample + chunk))
            sample += chunk
            nodes += chunk * len(left)
            if _is_used(budget, nodes + chunk * len(left), (round_ + 1) / rounds):
                break
            if may_stop and _is_clear(left):
                return
        if budget.is_spent(nodes):
            return
        left = _ranked(left)[: (len(left) + 1) // 2]


def halve_each(groups: Sequence[Sequence[Candidate]], budget: Budget, attempt: Try, sample: int) -> list[Candidate]:
    """Try the candidates of all groups with the same samples; halve the largest groups until one is left of each.

    Returns the best of each group, or the first of each if there is no time; those were tried equally often.
    """
    left = [list(group) for group in groups]
    most = max([len(group) for group in left])
    rounds = max(1, ceil(log2(most)))
    nodes = 0
    for round_ in range(rounds):
        tried = [one for group in left for one in group]
        while not _is_used(budget, nodes + len(tried), (round_ + 1) / rounds):
            attempt(tried, range(sample, sample + 1))
            sample += 1
            nodes += len(tried)
        most = (most + 1) // 2
        if nodes:
            left = [_ranked(group)[:most] for group in left]
    return [group[0] for group in left]


def ranked(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Rank candidates that were tried equally often, best first."""
    return _ranked(candidates)


def ranked_by_tries(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Rank candidates: first those that stayed longest, by value, then the dropped ones."""
    most = max([len(one.chances) for one in candidates])
    last = [one for one in candidates if 2 * len(one.chances) > most]
    dropped = [one for one in candidates if 2 * len(one.chances) <= most]
    return _ranked(last) + sorted(dropped, key=lambda one: (-len(one.chances), -one.chance))


def _is_used(budget: Budget, nodes: int, share: float) -> bool:
    """Return whether the next chunk would exceed the share of a round in the budget."""
    if budget.granted is not None and nodes > share * budget.granted:
        return True
    seconds = budget.length
    return budget.is_cancelled or (seconds is not None and budget.left() <= (1.0 - share) * seconds)


def _ranked(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Rank by the mean of the tries and the prior, which counts like some more tries; best first."""
    usual = sum([one.chance for one in candidates]) / len(candidates)
    best = max([one.prior for one in candidates])

    def value(one: Candidate) -> float:
        expected = usual + PRIOR_POINT * max(one.prior - best, -PRIOR_RANGE)
        return (sum(one.chances) + PRIOR_TRIES * expected) / (len(one.chances) + PRIOR_TRIES)

    return sorted(candidates, key=value, reverse=True)


def _is_clear(candidates: Sequence[Candidate]) -> bool:
    """Return whether the best action is clearly ahead, by paired differences over the same samples.

    Other turns that begin with the same action may be equally good.
    """
    if min([len(one.chances) for one in candidates]) < CLEAR_TRIES:
        return False
    best = _ranked(candidates)[0]
    others = [one for one in candidates if one.action != best.action]
    if not others:
        return False
    for other in others:
        count = min(len(best.chances), len(other.chances))
        differences = [a - b for a, b in zip(best.chances, other.chances, strict=False)]
        mean = sum(differences) / count
        spread = sqrt(sum([(one - mean) ** 2 for one in differences]) / count)
        if mean <= CLEAR * spread / sqrt(count) + 1e-9:
            return False
    return True
