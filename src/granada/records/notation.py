"""Reading and writing the notation of docs/notation.md: actions and events.

The text of cards, cells, tiles and actions is defined by their classes in `rules`.
"""

from __future__ import annotations

from granada.rules import events as ev
from granada.rules.components import Components, standard
from granada.rules.errors import NotationError
from granada.rules.events import DIRK, NOBODY, Event
from granada.rules.flow import ACTIONS
from granada.rules.money import cards_text
from granada.rules.state import Action
from granada.rules.tiles import Tile


def seat_text(seat: int) -> str:
    """Return the text of a seat: `1` to `6`, `dirk`, or `-` for NOBODY."""
    return "dirk" if seat == DIRK else "-" if seat == NOBODY else str(seat + 1)


def action_text(action: Action) -> str:
    """Return the text of an action."""
    return str(action)


def parse_action(text: str, components: Components | None = None) -> Action:
    """Return the action with this text, which need not be legal."""
    verb, _, words = text.partition(" ")
    named = ACTIONS.get(verb)
    if named is None:
        raise NotationError(f"'{text}' does not start with any of {', '.join(ACTIONS)}")
    found = None
    if words or text == verb:
        found = named.parse(words, components if components is not None else standard())
    if found is None:
        raise NotationError(f"'{text}' is not of the form '{named.form}'")
    return found


def event_text(event: Event) -> str:
    """Return the line of a record for an event."""
    if isinstance(event, ev.Acted):
        return f"{event.seat + 1} {action_text(event.action)}"
    if isinstance(event, ev.YardFilled):
        return f"! yard {event.space + 1} {event.tile.name}"
    if isinstance(event, ev.Displayed):
        return f"! display {cards_text(event.cards)}"
    if isinstance(event, ev.Reshuffled):
        return "! reshuffle"
    if isinstance(event, ev.DirkDrew):
        return f"! dirk {' '.join([tile.name for tile in event.tiles])}"
    if isinstance(event, ev.HutTurnedUp):
        return f"! hut {event.hut.name}"
    if isinstance(event, ev.Dealt):
        return f"! deal {event.seat + 1} {cards_text(event.cards)}"
    if isinstance(event, ev.Started):
        return f"! start {event.seat + 1}"
    if isinstance(event, ev.BonusDealt):
        return f"! bonus {event.seat + 1} {' '.join([bonus_text(tile) for tile in event.cards])}"
    return result_text(event)


def bonus_text(tile: Tile | None) -> str:
    """16.2: return the name of a bonus card, or `?` if it is hidden."""
    return "?" if tile is None else tile.name


def result_text(event: Event) -> str:
    """Return the line of a record for a result; empty for other events."""
    if isinstance(event, ev.Scored):
        items = [f"{row.item}={row.points}" for row in event.rows]
        return " ".join(["= score", event.scoring, seat_text(event.seat), *items, f"total={event.total}"])
    if isinstance(event, ev.Awarded):
        return f"= award {event.space + 1} {event.tile.name} {seat_text(event.seat)}"
    if isinstance(event, ev.Ended):
        totals = [f"{seat + 1}={total}" for seat, total in enumerate(event.totals)]
        if event.dirk >= 0:
            totals.append(f"dirk={event.dirk}")
        winners = "+".join([str(seat + 1) for seat in event.winners])
        return f"= end {' '.join(totals)} winners={winners}"
    return ""
