"""docs/notation.md, both directions: the text of actions and of everything that happens.

The texts of cards, cells and tiles live with these pieces, and the text of an action lives with its class (`rules`).
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
    """A seat as it is written: `1` to `6`, or `dirk`; `-` for nobody."""
    return "dirk" if seat == DIRK else "-" if seat == NOBODY else str(seat + 1)


def action_text(action: Action) -> str:
    """Return the text of an action."""
    return str(action)


def parse_action(text: str, components: Components | None = None) -> Action:
    """Return the action that a text names; whether it is legal is another question."""
    verb, _, words = text.partition(" ")
    named = ACTIONS.get(verb)
    if named is None:
        raise NotationError(f"'{text}' begins with none of {', '.join(ACTIONS)}")
    found = None
    if words or text == verb:
        found = named.parse(words, components if components is not None else standard())
    if found is None:
        raise NotationError(f"'{text}' is not of the form '{named.form}'")
    return found


def event_text(event: Event) -> str:
    """The line of a record that tells an event."""
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
    """A bonus card, `?` if the reader may not see it (16.2)."""
    return "?" if tile is None else tile.name


def result_text(event: Event) -> str:
    """The line of a result that follows from what was before; empty for events that are no results."""
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
