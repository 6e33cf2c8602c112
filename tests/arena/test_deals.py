"""The same deal: the same cards and tiles in the same order, whatever the players do."""

from __future__ import annotations

import pytest

from granada import Options
from granada.arena.deals import Deal
from granada.bots import make_bot
from granada.rules.events import Dealt, Displayed, Event, HutTurnedUp, Reshuffled, Started, YardFilled
from granada.rules.options import EDITIONS
from granada.rules.setup import new_game
from tests.kit import module_sets


def told(edition: str, seed: str, bot: str, players: int = 3) -> list[Event]:
    """Return all events of a game between bots of one kind, until the discard pile is reshuffled."""
    chance = Deal(seed)
    state = new_game(Options(edition, players, module_sets(edition)[-1]), chance)
    bots = [make_bot(bot, f"{bot} {seat}") for seat in range(players)]
    events = list(state.events)
    while not state.is_over:
        action = bots[state.seat].choose(state.view(state.seat, remembers=True), state.offers())
        for event in state.play(action, chance):
            if isinstance(event, Reshuffled):
                return events  # other players discarded other cards
            events.append(event)
    return events


def drawn(events: list[Event]) -> dict[str, list[str]]:
    """Return what was turned up, in order for each kind; Granada tiles regardless of their face."""
    found: dict[str, list[str]] = {"cards": [], "start": []}
    for event in events:
        if isinstance(event, (Dealt, Displayed)):
            found["cards"] += [card.name for card in event.cards]
        elif isinstance(event, Started):
            found["start"].append(str(event.seat))
        elif isinstance(event, YardFilled):
            tile = event.tile
            sides = sorted([tile.name, *([tile.back.name] if tile.back is not None else [])])
            found.setdefault(f"tiles {tile.kind}", []).append("/".join(sides))
        elif isinstance(event, HutTurnedUp):
            found.setdefault(f"huts {event.hut.type}", []).append(event.hut.name)
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_other_players_turn_up_the_same_cards_tiles_and_huts_in_the_same_order(edition: str) -> None:
    one, other = drawn(told(edition, "7", "greedy")), drawn(told(edition, "7", "random"))
    assert one != other  # they turned up more or less of them
    for what in one.keys() & other.keys():
        common = min(len(one[what]), len(other[what]))
        assert one[what][:common] == other[what][:common], what
    assert min(len(one["cards"]), len(other["cards"])) > 30


def test_another_deal_is_another_one() -> None:
    assert drawn(told("granada", "7", "greedy")) != drawn(told("granada", "8", "greedy"))


def test_the_same_deal_between_the_same_players_is_the_same_game() -> None:
    assert repr(told("combined", "7", "greedy", 2)) == repr(told("combined", "7", "greedy", 2))
