"""Taking one thing away from several that lie in an order."""

from __future__ import annotations

from typing import TypeVar

Thing = TypeVar("Thing")


def without(things: tuple[Thing, ...], gone: Thing) -> tuple[Thing, ...]:
    """All but the first that is this very thing, which must be there."""
    index = 0
    while things[index] is not gone:
        index += 1
    return things[:index] + things[index + 1 :]
