"""Limits the open sockets and streams of an address."""

from __future__ import annotations

from collections import Counter
from typing import Final

from granada.tables.errors import TableError


class Admission:
    """Counts open sockets by address, players and spectators separately, so that neither can lock the other out."""

    def __init__(self, most: int) -> None:
        #: The limit per address, for players and for spectators; 0: no limit.
        self._most: Final = most
        self._open: Final[Counter[tuple[str, bool]]] = Counter()

    def enter(self, address: str, is_player: bool) -> None:
        """Count an opened socket; raises TableError at the limit."""
        key = (address, is_player)
        if self._most and self._open[key] >= self._most:
            raise TableError("too_many", "Too many connections are open from your address. Close some and try again.")
        self._open[key] += 1

    def leave(self, address: str, is_player: bool) -> None:
        """Count a closed socket."""
        key = (address, is_player)
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]

    def __len__(self) -> int:
        return self._open.total()
