"""Who holds a seat: nobody has an account; a secret in a cookie, or a program's token, is all there is."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Final

#: A secret has 256 bits; a table's link 96, which nobody guesses either.
SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True)
class Holder:
    """Somebody who may hold seats, known by the hash of a secret; a program is no person."""

    hash: str
    is_program: bool = False


def new_secret() -> str:
    """A secret for a cookie or a token."""
    return secrets.token_urlsafe(32)


def new_table_id() -> str:
    """The id of a table, which is its link."""
    return secrets.token_urlsafe(12)


def is_table_id(text: str) -> bool:
    """Whether a text can be the id of a table."""
    return re.fullmatch(r"[A-Za-z0-9_-]{16}", text) is not None


def hash_of(secret: str) -> str:
    """What is stored in place of a secret."""
    return hashlib.sha256(b"granada-holder:" + secret.encode()).hexdigest()


def program_hash(token: str) -> str:
    """The same for the token of a program, which is worth nothing in a cookie."""
    return hashlib.sha256(b"granada-program:" + token.encode()).hexdigest()
