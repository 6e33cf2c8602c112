"""Events and decisions as lines of text for the player at the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.records.notation import action_text
from granada.rules import events as ev
from granada.rules.acting import Buy
from granada.rules.bonus import REVEALING
from granada.rules.events import DIRK, NOBODY, Event
from granada.rules.money import CURRENCIES, SCORE, cards_text, total
from granada.rules.placing import PLACING, PLACING_AWARD
from granada.rules.state import State
from granada.rules.vizier import USING_VIZIER


def event_lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return lines for the public events; all tiles turned up for the yard are on one line."""
    lines: list[str] = []
    yard: list[str] = []
    for event in events:
        if isinstance(event, ev.YardFilled):
            yard.append(f"{event.tile.name} on space {event.space + 1}")
            continue
        if yard:
            lines.append(f"  The yard gets {', '.join(yard)}.")
            yard = []
        lines += _lines_of(event, names)
    if yard:
        lines.append(f"  The yard gets {', '.join(yard)}.")
    return lines


def _lines_of(event: Event, names: Sequence[str]) -> list[str]:
    if isinstance(event, ev.Acted):
        action = event.action
        is_exact = isinstance(action, Buy) and total(action.cards) == action.tile.price
        return [f"{names[event.seat]}: {action_text(action)}{' (exactly: another action follows)' if is_exact else ''}"]
    if isinstance(event, ev.Displayed):
        lines = [f"  The display gets {cards_text(event.cards)}."]
        return lines + [f"  Score card {card.name} was drawn: a scoring!" for card in event.cards if card.sort == SCORE]
    if isinstance(event, ev.Scored):
        reasons = ", ".join([f"{row.item} {row.points}" for row in event.rows])
        return [
            f"  Scoring {event.scoring}, {_who(event.seat, names)}: {event.total}{f' ({reasons})' if reasons else ''}"
        ]
    return _lines_of_rare(event, names)


def _lines_of_rare(event: Event, names: Sequence[str]) -> list[str]:
    """Return lines for events that happen only a few times in a game."""
    if isinstance(event, ev.Started):
        return [f"  The start player is {names[event.seat]}."]
    if isinstance(event, ev.Reshuffled):
        return ["  The discard pile is shuffled into a new deck."]
    if isinstance(event, ev.DirkDrew):
        return [f"  Dirk gets {' '.join([tile.name for tile in event.tiles])}."]
    if isinstance(event, ev.HutTurnedUp):
        return [f"  {event.hut.name} is turned up."]
    if isinstance(event, ev.Awarded):
        place = f"{event.tile.name}, left over on space {event.space + 1} ({CURRENCIES[event.space]}),"
        return [f"  {place} {'stays' if event.seat == NOBODY else f'goes to {names[event.seat]}'}."]
    return []  # the drawing of the table shows hands and bonus cards, the score sheet the end


def _who(seat: int, names: Sequence[str]) -> str:
    return "Dirk" if seat == DIRK else names[seat]


#: 3.1: the actions of every turn, with or without modules.
_ACT: Final = "take money, buy a tile, rebuild"


def expectation(state: State) -> str:
    """Return one sentence that says what the seat has to decide."""
    step, player = state.step, state.players[state.seat]
    tiles = ", ".join([tile.name for tile in state.tray])
    if step is PLACING:
        dirk = ", or give it to Dirk" if state.dirk is not None else ""
        return f"Place what you acquired ({tiles}), tile by tile: into your city or your reserve{dirk}."
    if step is PLACING_AWARD:
        each = "it" if len(state.tray) == 1 else "each, in any order,"
        return f"You get what is left over ({tiles}): build {each} or put it into your reserve."
    if step is USING_VIZIER:
        return "Between two turns your vizier may buy a tile for you if you pay exactly: use him, or decline."
    if step is REVEALING:
        return "Before this scoring you may reveal a bonus card whose tile is in your city, or keep your cards."
    more = (", take a hut" if state.huts else "") + (", wake your vizier" if player.vizier is False else "")
    first = f"You paid exactly ({tiles} will be placed later), so choose another action" if tiles else "It is your turn"
    return f"{first}: {_ACT}{more}."
