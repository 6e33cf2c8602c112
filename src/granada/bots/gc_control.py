"""Leaving the collector of cycles alone, where it would search in vain."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collecting() -> Iterator[None]:
    """Play games, or think, without the collector of cycles.

    Nothing in a game refers back to what refers to it: cities, actions and events know no state. So everything is freed
    when its last reference goes. The collector would look through all that is kept, again and again, for a tenth of a
    second or more: too long for a bot with a budget.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
