"""The offered actions, numbered, as a list and on the map of the city."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from granada.drawing.text import WIDTH as CELL_WIDTH
from granada.drawing.text import draw_city
from granada.drawing.text_table import fit_city
from granada.records.notation import action_text
from granada.rules.acting import Buy
from granada.rules.cells import NEAR, cell_text
from granada.rules.city import City
from granada.rules.money import total
from granada.rules.placing import Place
from granada.rules.state import Action, State
from granada.rules.tiles import Tile

#: The width of lines if there is no terminal.
LINE: Final = 100


def listed(actions: Sequence[Action], line: int | None = None, room: int | None = None) -> list[str]:
    """List all actions with their numbers in columns; each kind of action starts on a new line.

    If there are more lines than `room`, the last kinds are listed as ranges of numbers.
    """
    width = LINE if line is None else line
    groups = _groups(actions)
    columns = [_columns(group.words, width) for group in groups]
    whole = len(groups)
    while room is not None and whole:
        named = _named(groups[whole:], width)
        if len(named) + sum([len(lines) for lines in columns[:whole]]) <= room:
            break
        whole -= 1
    return [one for lines in columns[:whole] for one in lines] + _named(groups[whole:], width)


@dataclass(frozen=True)
class _Group:
    """Actions of one kind: its verb, the number of the first action, and all actions with their numbers."""

    verb: str
    first: int
    words: list[str]


def _groups(actions: Sequence[Action]) -> list[_Group]:
    groups: list[_Group] = []
    for index, action in enumerate(actions, start=1):
        text = action_text(action)
        verb = text.split(" ")[0]
        if not groups or groups[-1].verb != verb:
            groups.append(_Group(verb, index, []))
        is_exact = isinstance(action, Buy) and total(action.cards) == action.tile.price
        groups[-1].words.append(f"{index:4} {text}{' (exactly)' if is_exact else ''}")
    return groups


def _named(groups: Sequence[_Group], width: int) -> list[str]:
    """Return the kinds of action as ranges of numbers."""
    if not groups:
        return []
    kinds = [
        f"{group.first}–{group.first + len(group.words) - 1} {group.verb}"
        if len(group.words) > 1
        else f"{group.first} {group.verb}"
        for group in groups
    ]
    return wrap(
        f"{', '.join(kinds)}: type 'actions' to see them all.", width, initial_indent="  ", subsequent_indent="  "
    )


def _columns(words: Sequence[str], line: int) -> list[str]:
    width = 1 + max([len(word) for word in words])
    many = max(1, (line + 1) // width)
    rows = [words[start : start + many] for start in range(0, len(words), many)]
    return ["".join([word.ljust(width) for word in row]).rstrip() for row in rows]


def plan(state: State, actions: Sequence[Action], width: int | None = None) -> list[str]:
    """Draw the player's city with the numbers of the offered cells for the first tile to place, if there is one."""
    if not state.tray:
        return []
    marks: dict[int, str] = {}
    for index, action in enumerate(actions, start=1):
        if isinstance(action, Place) and action.tile is state.tray[0] and action.face is action.tile:
            marks[action.cell] = str(index)
    if not marks:
        return []
    city = state.players[state.seat].city
    return [f"Places for {state.tray[0].name} in your city:", *_drawn(city, marks, width)]


def _drawn(city: City, marks: dict[int, str], width: int | None) -> list[str]:
    drawing = draw_city(city, marks)
    return (drawing if width is None else fit_city(drawing, width)).split("\n")


def cells(city: City, tile: Tile, width: int | None = None) -> list[str]:
    """Draw the cells where a tile may be built, and list why not on the other cells next to the city."""
    legal = city.cells_for(tile)
    refused = [place for place in _background(city) if place not in legal]
    lines = _drawn(city, {place: _short(place) for place in legal}, width)
    lines.append(
        f"{tile.name} may be built at {' '.join([cell_text(place) for place in legal])}."
        if legal
        else f"{tile.name} can be built nowhere in your city."
    )
    return lines + [f"  not at {cell_text(place)}: {city.verdict(tile, place)}" for place in refused]


def _short(place: int) -> str:
    text = cell_text(place)
    return text if len(text) <= CELL_WIDTH else "here"


def _background(city: City) -> list[int]:
    """Return the free cells next to a tile, in order."""
    found = {NEAR[8 * place + side] for place in city.places for side in range(4)}
    return sorted([place for place in found if city.tile_at(place) is None])
