"""Bots of others leave with the test that loaded them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from granada.bots import BOTS, plugins


@pytest.fixture
def guests() -> Iterator[None]:
    """Whatever joins our bots leaves again."""
    caches: list[dict[str, Any]] = [BOTS, plugins._files, plugins._programs]
    before = [cache.copy() for cache in caches]
    seen = set(plugins._seen)
    yield
    for cache, old in zip(caches, before, strict=True):
        cache.clear()
        cache.update(old)
    plugins._seen.clear()
    plugins._seen.update(seen)
