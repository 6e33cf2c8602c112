"""What is in the box, for clients: they know no rules, but they draw the tiles."""

from __future__ import annotations

import gzip
from functools import cache

from granada.rules.components import standard
from granada.rules.money import CURRENCIES
from granada.rules.options import EDITIONS, MODULES, SCORINGS
from granada.rules.tiles import ALHAMBRA, STARTS, TYPES, Tile, walls_text
from granada.tables.levels import levels
from granada.tables.messages import encoder
from granada.tables.requests import Components, TileFacts


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
        Components(tiles, list(TYPES), list(CURRENCIES), list(EDITIONS), list(MODULES), list(SCORINGS), levels())
    )


@cache
def packed() -> bytes:
    """The same, compressed: it is the largest part of what a page loads, and nothing in it is anybody's secret."""
    return gzip.compress(components(), mtime=0)


def _facts(tile: Tile) -> TileFacts:
    return TileFacts(
        "alhambra" if tile.kind == ALHAMBRA else "granada",
        tile.type_name,
        tile.price,
        walls_text(tile.walls),
        tile.is_hut,
        None if tile.back is None else tile.back.name,
    )
