"""16: the public view of a game, and the private view of a seat."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from granada.records.notation import action_text, event_text
from granada.rules.cells import cell_text
from granada.rules.city import City
from granada.rules.events import NOBODY, Event, Row
from granada.rules.leftovers import winners
from granada.rules.money import Card
from granada.rules.state import State
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import EDGES, Tile
from granada.rules.view import View
from granada.tables import messages
from granada.tables.aids import aids_of, announced, offers_of, points_rows, unseen_money

#: 10.7: the stretches that are measured, by kinds of tiles.
STRETCHES: Final[dict[tuple[int, ...], tuple[tuple[str, int], ...]]] = {
    (WALL,): (("wall", WALL),),
    (MOAT,): (("moat", MOAT),),
    (WALL, MOAT): (("wall", WALL), ("moat", MOAT), ("run", RUN)),
}


def public_view(state: State, has_aids: bool) -> messages.TableView:
    """16: Return the public view, made from a spectator's view, so that it cannot contain anything hidden."""
    seen = state.view(NOBODY)
    table = seen.table
    dirk = table.dirk
    halves = len(table.options.kinds)
    return messages.TableView(
        turn=table.turn + 1,
        turns=table.turns,
        deciding=None if table.is_over else table.seat + 1,
        step=None if table.is_over else table.step.word,
        yard=[_names(table.yard[slot : slot + halves]) for slot in range(0, len(table.yard), halves)],
        display=_card_names(table.display),
        deck=seen.deck_size,
        discards=len(table.discards),
        bags=[len(bag) for bag in table.bags],
        marker="odd" if table.marker else "even",
        huts=_names(table.huts),
        hut_piles=[len(pile) for pile in table.piles],
        tray=[tile.name for tile in table.tray],
        announced=announced(table),
        players=[_player_view(seen, seat) for seat in range(len(table.players))],
        dirk=None if dirk is None else messages.DirkView(dirk.score, [tile.name for tile in dirk.tiles]),
        rows=_rows(table.rows),
        winners=[seat + 1 for seat in winners(table)] if table.is_over else [],
        aids=aids_of(seen) if has_aids else None,
    )


def own_view(state: State, seat: int, held: str | None, may_undo: bool, has_aids: bool) -> messages.Own:
    """16: Return the private view of a seat (from 0): hand, bonus cards, legal actions and payments."""
    player = state.players[seat]
    decides = not state.is_over and state.seat == seat
    return messages.Own(
        seat=seat + 1,
        hand=_card_names(player.hand()),
        bonus=[card.name for card in player.bonus if card is not None],
        actions=[action_text(action) for action in state.offers()] if decides else [],
        held=held,
        may_undo=may_undo,
        offers=offers_of(state, seat) if has_aids else None,
        unseen=unseen_money(state, seat) if has_aids else None,
    )


def events_for(events: list[Event], seat: int) -> list[str]:
    """16.2: Return the record lines of events as a seat (from 0; NOBODY: a spectator) may see them."""
    return [event_text(event.shown_to(seat)) for event in events]


def _player_view(seen: View, seat: int) -> messages.PlayerView:
    """16.1, 16.2: Return a player's public area; the hand only if the table plays with open money."""
    player = seen.table.players[seat]
    hand = seen.hand(seat)
    city = _city_view(player.city, seen.table.options.kinds)
    return messages.PlayerView(
        seat=seat + 1,
        score=player.score,
        hand_size=seen.hand_sizes[seat],
        hand=None if hand is None else _card_names(hand),
        city=city.cells,
        reserve=[tile.name for tile in player.reserve],
        to_place=[tile.name for tile in seen.table.to_place(seat)],
        vizier=player.vizier,
        bonus=_names(player.bonus),
        revealed=[card.name for card in player.revealed],
        lengths=city.lengths,
        traces=city.traces,
    )


def _names(tiles: Iterable[Tile | None]) -> list[str | None]:
    return [None if tile is None else tile.name for tile in tiles]


def _card_names(cards: tuple[Card, ...]) -> list[str]:
    return [card.name for card in cards]


# Rarely changing parts are cached and shared between messages, so they must not be modified.


class _CityView:
    """A city as text: its tiles, and its longest wall, moat and run."""

    def __init__(self, city: City, kinds: tuple[int, ...]) -> None:
        self.city: Final = city
        self.cells: Final = {cell_text(place): city.tile_on(place).name for place in city.places}
        stretches = city.stretches()
        self.lengths: Final = {word: len(stretches[what]) for word, what in STRETCHES[kinds]}
        self.traces: Final = {word: [_edge_text(edge) for edge in stretches[what]] for word, what in STRETCHES[kinds]}


#: A cache by identity: cities of a view are shared and never modified. Each value holds a reference to its city, so
#: that its id is not reused. The cache is cleared when it is full.
_city_views: Final[dict[int, _CityView]] = {}
CITY_LIMIT: Final = 4096


def _city_view(city: City, kinds: tuple[int, ...]) -> _CityView:
    found = _city_views.get(id(city))
    if found is None:
        if len(_city_views) >= CITY_LIMIT:
            _city_views.clear()
        found = _CityView(city, kinds)
        _city_views[id(city)] = found
    return found


def _edge_text(edge: int) -> str:
    """Return the notation of an edge: `1,0 N`."""
    return f"{cell_text(edge // 4)} {EDGES[edge % 4]}"


@lru_cache(maxsize=1024)
def _rows(rows: tuple[Row, ...]) -> list[messages.PointsRow]:
    """Return the messages of all points so far; cached, because they change only at scorings."""
    return points_rows(rows)
