"""Holders of seats: there are no accounts, only a secret in a cookie or a program's token."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Final

#: A secret has 256 bits; the id of a table has 96.
SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True)
class Holder:
    """A person's browser or a program that can hold seats, identified by the hash of its secret."""

    hash: str
    is_program: bool = False


def new_secret() -> str:
    """Return a new secret for a cookie or a token."""
    return secrets.token_urlsafe(32)


def new_table_id() -> str:
    """Return a new table id; it is secret, because it is the link to the table."""
    return secrets.token_urlsafe(12)


def is_table_id(text: str) -> bool:
    """Return whether a string has the form of a table id."""
    return re.fullmatch(r"[A-Za-z0-9_-]{16}", text) is not None


def hash_of(secret: str) -> str:
    """Return the hash that is stored instead of a browser's secret."""
    return hashlib.sha256(b"granada-holder:" + secret.encode()).hexdigest()


def program_hash(token: str) -> str:
    """Return the hash of a program's token; it differs from hash_of, so that a token is not valid as a cookie."""
    return hashlib.sha256(b"granada-program:" + token.encode()).hexdigest()
