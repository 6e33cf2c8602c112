"""Compare a bot's value of an action that does not end the turn with its value of the position after it.

    python benchmarks/turn_values.py                       # 200 positions per group, strongest with 1,500 nodes
    python benchmarks/turn_values.py --positions 40 --bot strongest:0.3s

The positions are from games of `builder` in all editions, at most one per group and game. The bot gives three ideas, as
for a hint; of those that do not end the turn, the one with the highest value of the policy is played, and the bot, with
another seed, evaluates the position after it.
"""

from __future__ import annotations

import argparse
import random
from math import sqrt
from typing import Final

import granada
from granada import Action, Luck, Options, State, new_game
from granada.bots import Advice, Bot, make_bot
from granada.engine.policy import Policy, by_worth
from granada.engine.weights import Weights
from granada.rules.acting import Buy
from granada.rules.huts import TakeHut
from granada.rules.money import total
from granada.rules.options import EDITIONS
from granada.rules.placing import Give, Place, Reserve
from granada.rules.vizier import UseVizier

#: The options of the games, used in turn.
_TABLES: Final = [
    Options(edition, players, modules)
    for players in (2, 3, 4)
    for edition in EDITIONS
    for modules in ((), ("vizier",) if edition == "granada" else ("bonus", "huts"))
]
#: The number of ideas of a hint.
IDEAS: Final = 3
_GROUPS: Final = ("exact purchase", "other action that goes on")


def group_of(state: State, action: Action) -> str | None:
    """Return the group of an action that does not end the turn; None for the others."""
    if isinstance(action, Buy):
        return _GROUPS[0] if total(action.cards) == action.tile.price else _GROUPS[1]
    if isinstance(action, (TakeHut, UseVizier)):
        return _GROUPS[1]
    if isinstance(action, (Place, Reserve, Give)) and len(state.tray) > 1:
        return _GROUPS[1]
    return None


def moments_of_game(number: int, seed: str) -> dict[str, State]:
    """Play a game of `builder`; return a random position for each group."""
    options = _TABLES[number % len(_TABLES)]
    rng = random.Random(f"{seed} {number}")
    chance = Luck(random.Random(f"{seed} luck {number}"))
    state = new_game(options, chance)
    bots = [make_bot("builder", f"{seed} {number} {seat}") for seat in range(options.players)]
    found: dict[str, State] = {}
    seen = dict.fromkeys(_GROUPS, 0)
    while not state.is_over and state.turns < 400:
        offers = state.offers()
        if len(offers) > 1:
            known = set(offers)
            named: set[str] = set()
            for weighed in sorted(Policy(state, Weights()).weigh(), key=by_worth):
                group = group_of(state, weighed.action)
                if group is not None and group not in named and weighed.action in known:
                    named.add(group)
                    seen[group] += 1
                    if rng.random() * seen[group] < 1.0:  # reservoir sampling: all positions are equally likely
                        found[group] = state.copy()
        action = offers[0] if len(offers) == 1 else bots[state.seat].choose(state.view(state.seat, True), offers)
        state.play(action, chance)
    return found


def idea_of(bot: Bot, state: State, group: str) -> Advice | None:
    """Return the bot's idea in a group with the highest value of the policy; None if there is none."""
    worths = {one.action: one.worth for one in Policy(state, Weights()).weigh()}
    advice = bot.advise(state.view(state.seat, remembers=True), state.offers(), IDEAS)
    named = [one for one in advice if group_of(state, one.action) == group and one.win is not None]
    return max(named, key=lambda one: worths.get(one.action, -100.0), default=None)


def value_after(bot: Bot, state: State, action: Action) -> float | None:
    """Return the bot's win chance for its best action after an action; None if the turn is over."""
    seat, turns, chance = state.seat, state.turns, Luck(random.Random("forced"))
    after = state.copy()
    after.play(action, chance)
    while not after.is_over and after.turns == turns and after.seat == seat:
        offers = after.offers()
        if len(offers) > 1:
            return bot.advise(after.view(seat, remembers=True), offers, IDEAS)[0].win
        after.play(offers[0], chance)
    return None


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean and the half width of its 95 % interval."""
    mean = sum(values) / len(values)
    variance = sum([(value - mean) ** 2 for value in values]) / max(1, len(values) - 1)
    return mean, 1.96 * sqrt(variance / len(values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200, help="of each group (default 200)")
    parser.add_argument("--bot", default="strongest:1500n")
    parser.add_argument("--seed", default="turn values")
    parser.add_argument("--verbose", action="store_true", help="print every position")
    arguments = parser.parse_args()
    found: dict[str, list[float]] = {group: [] for group in _GROUPS}
    number = 0
    while any([len(values) < arguments.positions for values in found.values()]):
        for group, state in moments_of_game(number, arguments.seed).items():
            if len(found[group]) == arguments.positions:
                continue
            idea = idea_of(make_bot(arguments.bot, f"before {number}"), state, group)
            if idea is None or idea.win is None:
                continue
            after = value_after(make_bot(arguments.bot, f"after {number}"), state, idea.action)
            if after is not None:
                found[group].append(after - idea.win)
                if arguments.verbose:
                    print(f"game {number}, {group}: {idea.action!r} {idea.win:.4f} {after:.4f}", flush=True)
        number += 1
    print(f"{arguments.bot}, {'compiled' if granada.is_compiled() else 'interpreted'}, seed '{arguments.seed}':")
    print("win chance after the action minus the win chance of the action before, mean and 95 % interval")
    for group, differences in found.items():
        mean, half = interval(differences)
        agrees = "contains 0" if abs(mean) <= half else "does not contain 0"
        print(f"  {group}: {100 * mean:+.2f} % ± {100 * half:.2f} ({agrees}); {len(differences)} positions")


if __name__ == "__main__":
    main()
