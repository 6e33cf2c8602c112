"""Sealing of deposits with the random part of their code, which is stored nowhere.

A part has 80 random bits and seals only one deposit, so the extendable hash of the part is a one-time key of the length
of the deposit. A tag shows whether a sealed deposit was changed.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

_TAG_BYTES: Final = 32


def row_of(part: str) -> str:
    """Return the key under which a deposit is stored."""
    return hashlib.sha256(b"granada-transfer-row:" + part.encode()).hexdigest()


def seal(part: str, plain: bytes) -> bytes:
    """Return a deposit that only the part of the code opens."""
    sealed = _with_key(part, plain)
    return _tag(part, sealed) + sealed


def unseal(part: str, content: bytes) -> bytes | None:
    """Return what is in a sealed deposit; None if it was changed or belongs to another code."""
    tag, sealed = content[:_TAG_BYTES], content[_TAG_BYTES:]
    return _with_key(part, sealed) if hmac.compare_digest(tag, _tag(part, sealed)) else None


def _with_key(part: str, content: bytes) -> bytes:
    key = hashlib.shake_256(b"granada-transfer-key:" + part.encode()).digest(len(content))
    mixed = int.from_bytes(content, "big") ^ int.from_bytes(key, "big")
    return mixed.to_bytes(len(content), "big")


def _tag(part: str, sealed: bytes) -> bytes:
    return hmac.digest(b"granada-transfer-tag:" + part.encode(), sealed, "sha256")
