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
        """Count an opened socket; raises TableError at the limit, unless another player has more sockets than this one.

        Then that player's oldest socket is closed. Otherwise players with equally many would close each other's, again
        and again, because clients reconnect at once.
        """
        key = (listener.address, listener.is_player)
        if self._most:
            # A socket that is being closed has made room already.
            others = [one for one in self._open.get(key, ()) if not one.is_over]
            if len(others) >= self._most:
                victim = _superfluous(others, listener) if listener.is_player else None
                if victim is None:
                    raise TableError(
                        "too_many", "Too many connections are open from your address. Close some and try again."
                    )
                victim.disconnect()
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


def _superfluous(others: Collection[Listener], entering: Listener) -> Listener | None:
    """Return the oldest socket of the player with most sockets; None if closing it would not even out the shares."""
    counts = Counter([one.holder for one in others])
    victim = max(others, key=lambda one: counts[one.holder])
    return victim if counts[victim.holder] > counts[entering.holder] + 1 else None
