"""Answers to questions about a city: where a tile fits, what can be swapped or removed, and the effects."""

from __future__ import annotations

from typing import Final

from granada.records.notation import seat_text
from granada.rules.bonus import take_back_card
from granada.rules.cells import NEAR, cell_text, parse_cell
from granada.rules.city import City
from granada.rules.errors import IllegalAction, NotationError
from granada.rules.placing import PLACING_AWARD
from granada.rules.scoring import holdings
from granada.rules.state import State
from granada.rules.tiles import Tile
from granada.rules.verdict import Verdict
from granada.tables import messages
from granada.tables.aids import majority, next_scoring, points_by_seat, types_of
from granada.tables.views import STRETCHES


def answer(state: State, seat: int, ask: messages.Ask, has_aids: bool) -> messages.Answer:
    """Answer a question about the city of a seat (from 0); players can plan while others decide."""
    question = _Question(state, seat, ask)
    cells = question.cells() if ask.cell is None else [parse_cell(ask.cell)]
    verdicts = [question.verdict(cell) for cell in cells]
    tile = question.tile
    has_preview = has_aids and ask.cell is not None and bool(verdicts[0])
    return messages.Answer(
        answers=ask.id,
        seat=seat + 1,
        tile=None if tile is None else tile.name,
        cells=[_cell_answer(cell, verdict) for cell, verdict in zip(cells, verdicts, strict=True)],
        preview=preview_of(state, question.changed(cells[0]), seat) if has_preview else None,
    )


class _Question:
    """3.5, 4.1: a change of a city: build a tile (place, add), swap one for it, or remove one."""

    def __init__(self, state: State, seat: int, ask: messages.Ask) -> None:
        self.state: Final = state
        self.seat: Final = seat
        self.how: Final = ask.how
        self.city: Final = state.players[seat].city
        self.tile: Final = None if ask.how == "remove" else _tile(state, seat, ask)

    def cells(self) -> list[int]:
        """Return the candidate cells in a fixed order."""
        return free_cells(self.city) if self.how in ("place", "add") else self.city.places

    def verdict(self, cell: int) -> Verdict:
        """Return whether the change is legal on a cell."""
        if self.tile is None:
            return self.city.remove_verdict(cell)
        return self.city.swap_verdict(self.tile, cell) if self.how == "swap" else self.city.verdict(self.tile, cell)

    def changed(self, cell: int) -> State:
        """Return a copy of the state with the change on a cell."""
        state = self.state.copy()
        player = state.players[self.seat]
        old = self.city.tile_at(cell)
        if self.tile is None:
            player.city = self.city.remove(cell)
        else:
            player.city = self.city.build(self.tile, cell) if old is None else self.city.swap(self.tile, cell)
        if old is not None:
            take_back_card(player, old)  # 13.3
        return state


def _tile(state: State, seat: int, ask: messages.Ask) -> Tile:
    """Return the tile of a question; raises IllegalAction if the seat cannot get it."""
    if ask.tile is None:
        raise NotationError(f"the question '{ask.how}' needs a tile")
    tile = state.options.components.tile(ask.tile)
    lying = (*state.yard, *state.tray, *state.huts, *state.to_place(seat))
    if tile in lying or tile in state.players[seat].reserve:
        return tile
    # 4.2, 8.3: a player can pay to turn an acquired tile over, unless it is a left-over tile.
    is_award = not state.is_over and state.step is PLACING_AWARD
    if tile.back is not None and tile.back in lying and not is_award:
        return tile
    raise IllegalAction(f"{tile.name} is not in the yard, in your reserve, or waiting to be placed")


def free_cells(city: City) -> list[int]:
    """5.4: Return the free cells that touch a city along an edge, in order."""
    near = {NEAR[8 * place + side] for place in city.places for side in range(4)}
    return sorted(near.difference(city.places))


def _cell_answer(cell: int, verdict: Verdict) -> messages.CellAnswer:
    if verdict:
        return messages.CellAnswer(cell_text(cell), True)
    return messages.CellAnswer(cell_text(cell), False, verdict.rule, verdict.code, verdict.reason)


# Effects


def preview_of(before: State, after: State, seat: int) -> messages.Preview:
    """7: Return what differs between two states for a seat, and in everybody's points."""
    old_city, new_city = before.players[seat].city, after.players[seat].city
    old_held, new_held = holdings(before), holdings(after)
    preview = messages.Preview({}, {}, {}, {}, {})
    for word, what in STRETCHES[before.options.kinds]:
        _note(preview.lengths, word, old_city.stretch(what), new_city.stretch(what))
    for type_ in types_of(before):
        old, new = majority(old_held, type_), majority(new_held, type_)
        _note(preview.counts, old.type, old.counts[seat], new.counts[seat])
        _note(preview.ranks, old.type, old.ranks[seat], new.ranks[seat])
        _note(preview.in_all, old.type, sum(old.counts), sum(new.counts))
    scoring = next_scoring(before)
    if scoring is not None:
        new_points = points_by_seat(after, scoring)
        for index, points in points_by_seat(before, scoring).items():
            _note(preview.points, seat_text(index), points, new_points[index])
    return preview


def _note(changes: dict[str, messages.Change], what: str, before: int, after: int) -> None:
    if before != after:
        changes[what] = messages.Change(before, after)
