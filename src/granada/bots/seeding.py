"""The seeds of bots at a table."""

from __future__ import annotations

from hashlib import sha256


def bot_seed(seed: str, n: int) -> str:
    """Return the seed of a bot that decides after `n` actions, from the seed of the shuffle."""
    return sha256(f"granada-bot:{seed}:{n}".encode()).hexdigest()
