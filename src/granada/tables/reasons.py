"""Immediate effects of a recommended action: on cities, majorities, points and money."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from granada.bots import Advice
from granada.records.notation import action_text
from granada.rules.acting import Buy, Purchase, Take
from granada.rules.bonus import Reveal
from granada.rules.chance import First
from granada.rules.money import total
from granada.rules.placing import Give, Place
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.state import Action, State
from granada.rules.tiles import Tile
from granada.tables.aids import next_scoring, offers_of, points_by_seat
from granada.tables.answers import free_cells, preview_of
from granada.tables.messages import Change, Offer, Preview
from granada.tables.requests import Idea

#: Actions that change the points of a scoring immediately, without randomness.
_SCORING: Final = (Place, Add, Swap, Remove, Give, Reveal)
#: How well money pays a tile, best first.
_FITS: Final = ("exact", "over", "short")


def points_change(state: State, seat: int, action: Action) -> Change | None:
    """7: Return a seat's points (from 0) if the next scoring came before and after an action; None if equal."""
    scoring = next_scoring(state)
    if scoring is None or not isinstance(action, _SCORING):
        return None
    change = Change(points_by_seat(state, scoring)[seat], points_by_seat(_after(state, seat, action), scoring)[seat])
    return change if change.before != change.after else None


def changes(state: State, seat: int, action: Action, then: Sequence[Action] = ()) -> Preview | None:
    """Return the effects of an action on the board; None if it has none.

    A bought tile is assumed to be placed as in the rest of the turn, or else on the cell where it scores most.
    """
    if isinstance(action, _SCORING):
        return preview_of(state, _after(state, seat, action), seat)
    if isinstance(action, Purchase):
        built = _built_then(state, seat, action.tile, then) or _best_built(state, seat, action.tile)
        return None if built is None else preview_of(state, built, seat)
    return None


def acts_again(action: Action) -> bool:
    """3.4: Return whether an action pays a tile exactly, which gives another action."""
    return isinstance(action, Buy) and total(action.cards) == action.tile.price


def better_fits(state: State, seat: int, action: Action) -> list[Offer]:
    """3.2, 3.3: Return the tiles of the yard that can be paid better after taking money, best fit first."""
    if not isinstance(action, Take):
        return []
    pairs = zip(offers_of(state, seat), offers_of(_after(state, seat, action), seat), strict=True)
    return sorted([after for before, after in pairs if _fit(after) < _fit(before)], key=_fit)


def _fit(offer: Offer) -> tuple[int, int]:
    """Return a sort key: exact first, then over, then short; within each, the closest first."""
    return _FITS.index(offer.fit), offer.by


def _after(state: State, seat: int, action: Action) -> State:
    after = state.copy()
    action.do(after, seat, First())
    return after


def _built_then(state: State, seat: int, tile: Tile, then: Sequence[Action]) -> State | None:
    """5: Return the state with a tile placed as in the rest of the turn; None if that is not legal yet."""
    city = state.players[seat].city
    for action in then:
        if isinstance(action, Place) and action.tile is tile and city.verdict(action.face, action.cell):
            built = state.copy()
            built.players[seat].city = city.build(action.face, action.cell)
            return built
    return None


def _best_built(state: State, seat: int, tile: Tile) -> State | None:
    """5: Return the state with a tile on the cell where it scores most; None if it fits nowhere."""
    scoring, city = next_scoring(state), state.players[seat].city
    best, most = None, -1
    for cell in free_cells(city):
        if city.verdict(tile, cell):
            built = state.copy()
            built.players[seat].city = city.build(tile, cell)
            points = 0 if scoring is None else points_by_seat(built, scoring)[seat]
            if points > most:
                best, most = built, points
    return best


def idea_of(state: State, seat: int, advice: Advice) -> Idea:
    """Return a bot's advice to a seat (from 0) with the immediate effects of the action."""
    action, then = advice.action, advice.then
    return Idea(
        action_text(action),
        points_change(state, seat, action),
        _finite(advice.lead),
        _finite(advice.win),
        acts_again(action),
        changes(state, seat, action, then),
        better_fits(state, seat, action),
        [action_text(one) for one in then],
    )


def _finite(value: float | None) -> float | None:
    """Return a number that JSON can represent, or None; third-party bots may return inf or nan."""
    return None if value is None or not math.isfinite(value) else round(value, 4)
