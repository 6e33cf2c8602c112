"""Questions about the own city: where a tile fits, what can be swapped or removed, and what that would change."""

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
    """What the rules say about the city of a seat (from 0), at any time, so that it can plan while others decide."""
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
    """3.5, 4.1: building a tile (place, add), swapping one for it, or removing one, in the city of a seat."""

    def __init__(self, state: State, seat: int, ask: messages.Ask) -> None:
        self.state: Final = state
        self.seat: Final = seat
        self.how: Final = ask.how
        self.city: Final = state.players[seat].city
        self.tile: Final = None if ask.how == "remove" else _tile(state, seat, ask)

    def cells(self) -> list[int]:
        """The cells that come into question, in fixed order."""
        return free_cells(self.city) if self.how in ("place", "add") else self.city.places

    def verdict(self, cell: int) -> Verdict:
        """Whether the rules allow it on a cell."""
        if self.tile is None:
            return self.city.remove_verdict(cell)
        return self.city.swap_verdict(self.tile, cell) if self.how == "swap" else self.city.verdict(self.tile, cell)

    def changed(self, cell: int) -> State:
        """A copy of the game in which it is done."""
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
    """The face that is asked about: one that the seat could come to build."""
    if ask.tile is None:
        raise NotationError(f"the question '{ask.how}' needs a tile")
    tile = state.options.components.tile(ask.tile)
    lying = (*state.yard, *state.tray, *state.huts, *state.to_place(seat))
    if tile in lying or tile in state.players[seat].reserve:
        return tile
    # 4.2, 8.3: whoever acquires a tile may pay to turn it over, except a left-over tile.
    is_award = not state.is_over and state.step is PLACING_AWARD
    if tile.back is not None and tile.back in lying and not is_award:
        return tile
    raise IllegalAction(f"{tile.name} lies neither on the yard nor in the own reserve, nor does it wait to be placed")


def free_cells(city: City) -> list[int]:
    """5.4: the free cells that touch a city along an edge, in order."""
    near = {NEAR[8 * place + side] for place in city.places for side in range(4)}
    return sorted(near.difference(city.places))


def _cell_answer(cell: int, verdict: Verdict) -> messages.CellAnswer:
    if verdict:
        return messages.CellAnswer(cell_text(cell), True)
    return messages.CellAnswer(cell_text(cell), False, verdict.rule, verdict.code, verdict.reason)


# What would change


def preview_of(before: State, after: State, seat: int) -> messages.Preview:
    """7: what is different between two states for a seat, and in the points of everybody."""
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
