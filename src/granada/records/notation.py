"""docs/notation.md, both directions: the text of actions and of everything that happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from granada.rules import events as ev
from granada.rules.acting import PASS, Buy, Pass, Take, is_sorted
from granada.rules.bonus import KEEP, Keep, Reveal
from granada.rules.cells import LARGEST, cell, x_of, y_of
from granada.rules.components import Components, standard
from granada.rules.errors import NotationError
from granada.rules.events import DIRK, NOBODY, Event
from granada.rules.huts import TakeHut
from granada.rules.money import Card, card
from granada.rules.placing import Give, Place, Reserve
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.state import Action
from granada.rules.tiles import ALHAMBRA_TYPES, TYPES, Tile
from granada.rules.vizier import DECLINE, WAKE, Decline, UseVizier, Wake

# Words ----------------------------------------------------------------------------------------------------------------


def cards(text: str) -> tuple[Card, ...]:
    """A sorted list of cards: `yb y5 b3`."""
    found = tuple([card(name) for name in text.split(" ")])
    if not is_sorted(found):
        raise NotationError(f"the cards '{text}' are not sorted: exchange cards, then y, g, b, o, falling in each")
    return found


def cards_text(some: tuple[Card, ...]) -> str:
    """The names of cards, separated by blanks."""
    return " ".join([one.name for one in some])


_cells: Final[dict[str, int]] = {}


def parse_cell(text: str) -> int:
    """A cell: `-1,2`."""
    found = _cells.get(text)
    if found is None:
        first, comma, second = text.partition(",")
        if not comma:
            raise NotationError(f"'{text}' is no cell: x,y is needed")
        found = cell(_number(first), _number(second))
        _cells[text] = found
    return found


def _number(text: str) -> int:
    digits = text[1:] if text.startswith("-") else text
    is_short = digits.isascii() and digits.isdigit() and len(digits) <= 3
    if not is_short or str(int(text)) != text or int(digits) > LARGEST:
        raise NotationError(f"'{text}' is no plain number of a cell")
    return int(text)


def cell_text(place: int) -> str:
    """A cell as it is written: `-1,2`."""
    return f"{x_of(place)},{y_of(place)}"


def seat_text(seat: int) -> str:
    """A seat as it is written: `1` to `6`, or `dirk`; `-` for nobody."""
    return "dirk" if seat == DIRK else "-" if seat == NOBODY else str(seat + 1)


# Actions --------------------------------------------------------------------------------------------------------------


def action_text(action: Action) -> str:
    """The text of an action."""
    if isinstance(action, Take):
        return f"take {cards_text(action.cards)}"
    if isinstance(action, Place):
        return f"place {action.tile.name} at {cell_text(action.cell)}" + _face(action.tile, action.face, action.cards)
    if isinstance(action, Buy):
        return f"buy {action.tile.name} with {cards_text(action.cards)}"
    if isinstance(action, Reserve):
        return f"reserve {action.tile.name}" + _face(action.tile, action.face, ())
    if isinstance(action, Add):
        return f"add {action.tile.name} at {cell_text(action.cell)}"
    if isinstance(action, Remove):
        return f"remove {cell_text(action.cell)}"
    if isinstance(action, Swap):
        return f"swap {action.tile.name} at {cell_text(action.cell)}"
    if isinstance(action, Give):
        return f"give {action.tile.name}" + _face(action.tile, action.face, action.cards)
    if isinstance(action, UseVizier):
        return f"vizier {action.tile.name} with {cards_text(action.cards)}"
    if isinstance(action, TakeHut):
        return f"hut {TYPES[action.type]}"
    if isinstance(action, Reveal):
        return f"reveal {action.tile.name}"
    return _PLAIN_TEXTS[type(action)]


def _face(tile: Tile, face: Tile, paid: tuple[Card, ...]) -> str:
    if face is tile:
        return ""
    return f" as {face.name}" + (f" with {cards_text(paid)}" if paid else "")


_PLAIN_TEXTS: Final[dict[type[Action], str]] = {
    Pass: "pass",
    Wake: "wake",
    Decline: "decline",
    Keep: "keep",
}
_PLAIN_ACTIONS: Final[dict[str, Action]] = {"pass": PASS, "wake": WAKE, "decline": DECLINE, "keep": KEEP}

#: How the actions with words behind the verb are written; shown when one is written otherwise.
FORMS: Final = {
    "take": "take CARDS",
    "buy": "buy TILE with CARDS",
    "add": "add TILE at X,Y",
    "remove": "remove X,Y",
    "swap": "swap TILE at X,Y",
    "hut": "hut TYPE",
    "place": "place TILE at X,Y [as FACE with CARDS]",
    "reserve": "reserve TILE [as FACE]",
    "give": "give TILE [as FACE with CARDS]",
    "vizier": "vizier TILE with CARDS",
    "reveal": "reveal TILE",
}


def parse_action(text: str, components: Components | None = None) -> Action:
    """The action that a text names; whether it is legal is another question."""
    box = components if components is not None else standard()
    verb, _, rest = text.partition(" ")
    parser = _PARSERS.get(verb)
    if parser is not None:
        found = parser(rest, box)
        if found is not None:
            return found
        raise NotationError(f"'{text}' is not of the form '{FORMS[verb]}'")
    plain = _PLAIN_ACTIONS.get(text)
    if plain is None:
        raise NotationError(f"'{text}' begins with none of {', '.join([*FORMS, *_PLAIN_ACTIONS])}")
    return plain


def _take(rest: str, box: Components) -> Action | None:
    return Take(cards(rest)) if rest else None


def _buy(rest: str, box: Components) -> Action | None:
    name, word, paid = rest.partition(" with ")
    return Buy(box.tile(name), cards(paid)) if word else None


def _add(rest: str, box: Components) -> Action | None:
    name, word, where = rest.partition(" at ")
    return Add(box.tile(name), parse_cell(where)) if word else None


def _remove(rest: str, box: Components) -> Action | None:
    return Remove(parse_cell(rest)) if rest else None


def _swap(rest: str, box: Components) -> Action | None:
    name, word, where = rest.partition(" at ")
    return Swap(box.tile(name), parse_cell(where)) if word else None


def _hut(rest: str, box: Components) -> Action | None:
    return TakeHut(ALHAMBRA_TYPES.index(rest)) if rest in ALHAMBRA_TYPES else None


def _place(rest: str, box: Components) -> Action | None:
    name, word, rest = rest.partition(" at ")
    if not word:
        return None
    where, word, rest = rest.partition(" as ")
    if not word:
        return Place(box.tile(name), parse_cell(where))
    face, word, paid = rest.partition(" with ")
    return Place(box.tile(name), parse_cell(where), _back(box, name, face), cards(paid)) if word else None


def _reserve(rest: str, box: Components) -> Action | None:
    name, word, face = rest.partition(" as ")
    return Reserve(box.tile(name), _back(box, name, face) if word else None) if name else None


def _give(rest: str, box: Components) -> Action | None:
    name, word, rest = rest.partition(" as ")
    if not word:
        return Give(box.tile(name)) if name else None
    face, word, paid = rest.partition(" with ")
    return Give(box.tile(name), _back(box, name, face), cards(paid)) if word else None


def _back(box: Components, name: str, face: str) -> Tile:
    if name == face:
        raise NotationError(f"'{name} as {face}' does not turn the tile over")
    return box.tile(face)


def _vizier(rest: str, box: Components) -> Action | None:
    name, word, paid = rest.partition(" with ")
    return UseVizier(box.tile(name), cards(paid)) if word else None


def _reveal(rest: str, box: Components) -> Action | None:
    return Reveal(box.tile(rest)) if rest else None


_PARSERS: Final[dict[str, Callable[[str, Components], Action | None]]] = {
    "take": _take,
    "buy": _buy,
    "add": _add,
    "remove": _remove,
    "swap": _swap,
    "hut": _hut,
    "place": _place,
    "reserve": _reserve,
    "give": _give,
    "vizier": _vizier,
    "reveal": _reveal,
}


# Events ---------------------------------------------------------------------------------------------------------------


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
