"""Self-play of the quick policy: positions with their results, for training the model."""

from __future__ import annotations

from typing import Final, final

from granada.engine.evaluation import Outlook, lead_of
from granada.engine.features import features
from granada.engine.policy import Policy
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.chance import Chance
from granada.rules.leftovers import victory
from granada.rules.options import Options
from granada.rules.setup import new_game

#: 3.7: games of the quick policy are shorter.
_MAX_TURNS: Final = 400


@final
class TrainingExample:
    """A position from the point of view of a seat, its final lead, and its share of the victory."""

    __slots__ = ("features", "lead", "seat", "win")

    def __init__(self, found: list[float], seat: int) -> None:
        self.features: Final = found
        self.seat: Final = seat
        self.lead = 0.0
        self.win = 0.0


def play_examples(options: Options, seat_weights: list[Weights], chance: Chance, every: int) -> list[TrainingExample]:
    """Play a game in which each seat has its own weights; take positions from all seats every `every` turns or so."""
    state = new_game(options, chance)
    policies = [Policy(state, weights) for weights in seat_weights]
    neutral = Weights()
    examples: list[TrainingExample] = []
    seen = chance.below(every)
    while not state.is_over and state.turns < _MAX_TURNS:
        if state.turns >= seen:
            seen = state.turns + 1 + chance.below(2 * every)
            outlook = Outlook(Standing(state, neutral))
            for seat in range(len(state.players)):
                examples.append(TrainingExample(features(outlook, seat), seat))
        seat = state.seat
        action = policies[seat].choose()
        state.play(action, chance)
        for policy in policies:
            policy.follow(seat, action)
    totals = [float(player.score) for player in state.players]
    wins = victory(state)
    for example in examples:
        example.lead = lead_of(totals, example.seat)
        example.win = wins[example.seat]
    return examples
