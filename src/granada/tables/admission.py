"""How many sockets and streams an address can have open."""

from __future__ import annotations

from collections import Counter
from typing import Final

from granada.tables.errors import TableError


class Admission:
    """Counts open sockets by address, players and spectators separately, so that neither can lock the other out."""

    def __init__(self, most: int) -> None:
        #: The limit for each of the two; 0: no limit.
        self._most: Final = most
        self._open: Final[Counter[tuple[str, bool]]] = Counter()

    def enter(self, address: str, is_player: bool) -> None:
        """Count one more; TableError if there are too many."""
        key = (address, is_player)
        if self._most and self._open[key] >= self._most:
            raise TableError("too_many", "this address has too many open sockets: close some")
        self._open[key] += 1

    def leave(self, address: str, is_player: bool) -> None:
        """Count one less."""
        key = (address, is_player)
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]

    def __len__(self) -> int:
        return self._open.total()
