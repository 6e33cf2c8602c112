"""Limits the open sockets and streams of an address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final

from granada.tables.errors import TableError
from granada.tables.live_table import Listener


class Admission:
    """Counts open sockets by address, players and spectators separately, so that neither can lock the other out."""

    def __init__(self, most: int) -> None:
        #: The limit per address, for players and for spectators; 0: no limit.
        self._most: Final = most
        #: By address and whether they are players: the open sockets, the oldest first.
        self._open: Final[dict[tuple[str, bool], dict[Listener, None]]] = {}

    def enter(self, listener: Listener) -> None:
        """Count an opened socket; raises TableError at the limit, at which a player closes another socket instead."""
        key = (listener.address, listener.is_player)
        if self._most:
            # A socket that is being closed has made room already.
            others = [one for one in self._open.get(key, ()) if not one.is_over]
            if len(others) >= self._most:
                if not listener.is_player:
                    raise TableError(
                        "too_many", "Too many connections are open from your address. Close some and try again."
                    )
                _superfluous(others, listener).disconnect()
        self._open.setdefault(key, {})[listener] = None

    def leave(self, listener: Listener) -> None:
        """Count a closed socket."""
        key = (listener.address, listener.is_player)
        of_address = self._open.get(key, {})
        of_address.pop(listener, None)
        if not of_address:
            self._open.pop(key, None)

    def __len__(self) -> int:
        return sum([len(of_address) for of_address in self._open.values()])


def _superfluous(others: Collection[Listener], entering: Listener) -> Listener:
    """Return the oldest socket of the player with most sockets; of equal ones, of the player that enters."""
    counts = Counter([one.holder for one in others])
    return max(others, key=lambda one: (counts[one.holder], one.holder == entering.holder))
