"""The loop of one game between bots, which simulations and tournaments share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from granada.bots import Bot, RandomBot
from granada.records.playout import MAX_TURNS, play_seats_at_random
from granada.records.record import Record
from granada.rules.chance import Chance
from granada.rules.state import Action, State

#: How a bot is asked for one of several actions at a decision of its seat.
Ask = Callable[[Bot, State, list[Action]], Action]


def picks_blindly(bot: Bot) -> bool:
    """Whether a bot never looks, so that no view has to be made; a bot derived from ours may look."""
    return type(bot) is RandomBot


def ask(bot: Bot, state: State, actions: list[Action]) -> Action:
    """What a bot chooses."""
    if picks_blindly(bot):
        return bot.pick(actions)  # to make a view takes longer than to play an action
    return bot.choose(state.view(state.seat, remembers=True), actions)


def play_bots(
    state: State,
    bots: Sequence[Bot],
    chance: Chance,
    max_turns: int = MAX_TURNS,
    record: Record | None = None,
    asks: Ask = ask,
) -> None:
    """Play a game between bots, one for each seat, to its end or for `max_turns`; a single action needs no choice.

    What happens is added to the record, if there is one.
    """
    if asks is ask and all([picks_blindly(bot) for bot in bots]):
        play_seats_at_random(state, [bot.rng.random for bot in bots], chance, max_turns, record)
    while not state.is_over and state.turns <= max_turns:
        actions = state.offers()
        action = actions[0] if len(actions) == 1 else asks(bots[state.seat], state, actions)
        events = state.play(action, chance)
        if record is not None:
            record.add(events)
