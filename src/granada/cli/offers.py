"""The offered actions, numbered, as a list and on the plan of the city."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.drawing.text import WIDTH as CELL_WIDTH
from granada.drawing.text import draw_city
from granada.notation import action_text, cell_text
from granada.rules.acting import Buy
from granada.rules.cells import NEAR
from granada.rules.city import City
from granada.rules.money import total
from granada.rules.placing import Place
from granada.rules.state import Action, State
from granada.rules.tiles import Tile

LINE: Final = 100


def listed(actions: Sequence[Action]) -> list[str]:
    """All actions with their numbers, in columns, each kind of action from a new line."""
    lines: list[str] = []
    group: list[str] = []
    verb = ""
    for index, action in enumerate(actions, start=1):
        text = action_text(action)
        if text.split(" ")[0] != verb:
            lines += _columns(group)
            group = []
            verb = text.split(" ")[0]
        is_exact = isinstance(action, Buy) and total(action.cards) == action.tile.price
        group.append(f"{index:4} {text}{' (exactly)' if is_exact else ''}")
    return lines + _columns(group)


def _columns(words: Sequence[str]) -> list[str]:
    if not words:
        return []
    width = 1 + max([len(word) for word in words])
    many = max(1, LINE // width)
    rows = [words[start : start + many] for start in range(0, len(words), many)]
    return ["".join([word.ljust(width) for word in row]).rstrip() for row in rows]


def plan(state: State, actions: Sequence[Action]) -> list[str]:
    """The own city with the numbers of the offered places of the first tile to place, or nothing."""
    if not state.tray:
        return []
    marks: dict[int, str] = {}
    for index, action in enumerate(actions, start=1):
        if isinstance(action, Place) and action.tile is state.tray[0] and action.face is action.tile:
            marks[action.cell] = str(index)
    if not marks:
        return []
    city = state.players[state.seat].city
    return [f"Places for {state.tray[0].name} in your city:", *draw_city(city, marks).split("\n")]


def cells(city: City, tile: Tile) -> list[str]:
    """Where a tile may be built, drawn; and why not on the other cells beside the city."""
    legal = city.cells_for(tile)
    refused = [place for place in _beside(city) if place not in legal]
    lines = draw_city(city, {place: _short(place) for place in legal}).split("\n")
    lines.append(
        f"{tile.name} may be built at {' '.join([cell_text(place) for place in legal])}."
        if legal
        else f"{tile.name} can be built nowhere in your city."
    )
    return lines + [f"  not at {cell_text(place)}: {city.verdict(tile, place)}" for place in refused]


def _short(place: int) -> str:
    text = cell_text(place)
    return text if len(text) <= CELL_WIDTH else "here"


def _beside(city: City) -> list[int]:
    """The free cells beside a tile, in order."""
    found = {NEAR[8 * place + side] for place in city.places for side in range(4)}
    return sorted([place for place in found if city.tile_at(place) is None])
