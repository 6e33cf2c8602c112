"""What is in the box, for clients: they know no rules, but they draw the tiles."""

from __future__ import annotations

import gzip
from functools import cache
from typing import Literal

from granada.rules.components import standard
from granada.rules.errors import BadOptions
from granada.rules.money import CURRENCIES
from granada.rules.options import EDITIONS, MODULES, OLDEST, PLAYERS, SCORINGS, Options
from granada.rules.state import STEPS
from granada.rules.tiles import ALHAMBRA, STARTS, TYPES, Tile, walls_text
from granada.tables.levels import levels
from granada.tables.messages import encoder
from granada.tables.requests import Combinations, ComponentFacts, StepFacts, TileFacts


@cache
def components() -> bytes:
    """The components, written."""
    box = standard()
    tiles: dict[str, TileFacts] = {}
    for tile in (*box.alhambra, *box.granada, *box.huts):
        for face in (tile, tile.back):
            if face is not None:
                tiles[face.name] = _facts(face)
    for start in STARTS:
        tiles[start.name] = _facts(start)
    return encoder.encode(
        ComponentFacts(
            tiles,
            list(TYPES),
            list(CURRENCIES),
            list(EDITIONS),
            list(MODULES),
            list(SCORINGS),
            {edition: _combinations(edition) for edition in EDITIONS},
            OLDEST,
            {
                word: StepFacts(step.is_of_turn, [action.verb for action in step.actions])
                for word, step in sorted(STEPS.items())
                if step.actions
            },
            levels(),
        )
    )


@cache
def packed() -> bytes:
    """The same, compressed: it is the largest part of what a page loads, and nothing in it is anybody's secret."""
    return gzip.compress(components(), mtime=0)


def _combinations(edition: str) -> Combinations:
    """15: what the rules accept with an edition, found by asking them."""

    def is_accepted(players: int = PLAYERS[0], modules: tuple[str, ...] = (), scoring: str = SCORINGS[0]) -> bool:
        try:
            Options(edition, players, modules, scoring)
        except BadOptions:
            return False
        return True

    return Combinations(
        [_kind_name(kind) for kind in EDITIONS[edition]],
        [module for module in MODULES if is_accepted(modules=(module,))],
        [scoring for scoring in SCORINGS if is_accepted(scoring=scoring)],
        [players for players in PLAYERS if is_accepted(players)],
    )


def _kind_name(kind: int) -> Literal["alhambra", "granada"]:
    return "alhambra" if kind == ALHAMBRA else "granada"


def _facts(tile: Tile) -> TileFacts:
    return TileFacts(
        _kind_name(tile.kind),
        tile.type_name,
        tile.price,
        walls_text(tile.walls),
        tile.is_hut,
        None if tile.back is None else tile.back.name,
    )
