"""Pictures of tables, drawn in the background and cached."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from functools import partial
from typing import Final

from granada.drawing import svg_table
from granada.rules.events import NOBODY
from granada.tables.errors import TableError
from granada.tables.live_table import LiveTable
from granada.tables.ports import Background

#: The size of the cache.
KEPT: Final = 100

_Key = tuple[str, int, int | None, str]


class Pictures:
    """Draws tables; requests for the same picture share the result."""

    def __init__(self, background: Background) -> None:
        self._background: Final = background
        self._drawn: Final[OrderedDict[_Key, asyncio.Task[str]]] = OrderedDict()

    async def picture(self, live: LiveTable, seat: int | None, language: str, address: str) -> str:
        """Return the table as a seat sees it (None: as a spectator), with labels in a language."""
        game = live.table.game
        if game is None:
            raise TableError("not_running", "The game has not started yet.")
        key = (live.table.id, live.table.version, seat, language)
        drawing = self._drawn.get(key)
        if drawing is None or (drawing.done() and (drawing.cancelled() or drawing.exception() is not None)):
            view = game.state.view(NOBODY if seat is None else seat)
            work = partial(svg_table, view, live.table.names(), language)
            drawing = self._drawn[key] = asyncio.create_task(self._background.do(address, work))
        self._drawn.move_to_end(key)
        while len(self._drawn) > KEPT:
            self._drawn.popitem(last=False)
        return await asyncio.shield(drawing)  # a request that is cancelled must not cancel the drawing for others
