"""Pausing the garbage collector where there is nothing for it to find."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_gc() -> Iterator[None]:
    """Play or search without the cyclic garbage collector.

    Games contain no reference cycles (cities, actions and events do not refer to the state), so reference counting
    frees everything. A full collection takes a tenth of a second or more, too long for a bot with a time budget.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
