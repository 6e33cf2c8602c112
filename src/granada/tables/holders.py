"""Who holds a seat: nobody has an account; a secret in a cookie, or a program's token, is all there is."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers

COOKIE: Final = "granada"
#: A secret has 256 bits; a table's link 96, which nobody guesses either.
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")
#: How long a browser keeps its seats: 400 days, the most that browsers allow.
COOKIE_SECONDS: Final = 400 * 24 * 3600


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


def secret_in_cookie(headers: Headers) -> str | None:
    """The secret that a browser sent, if it sent one of ours.

    Other programs on the same host set cookies of any form, and a browser sends them all: a cookie that is not ours is
    skipped, whatever it looks like. Python's `SimpleCookie` stops at the first one that it cannot read.
    """
    for line in headers.getlist("cookie"):
        for pair in line.split(";"):
            name, _, value = pair.partition("=")
            if name.strip() == COOKIE and _SECRET.fullmatch(secret := _unquoted(value.strip())):
                return secret
    return None


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) >= 2 and value[0] == value[-1] == '"' else value


def secret_in_bearer(headers: Mapping[str, str]) -> str | None:
    """The token that a program sent; an empty text if it sent no such thing."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    return token if _SECRET.fullmatch(token) else ""


def cookie_header(secret: str, is_secure: bool) -> str:
    """The header that makes a browser keep a secret where no script and no other site can reach it."""
    secure = "; Secure" if is_secure else ""
    return f"{COOKIE}={secret}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax{secure}"
