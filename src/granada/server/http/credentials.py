"""The credentials of a request: the secret in a browser's cookie, or the token of a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers

from granada.tables.holders import SECRET

COOKIE: Final = "granada"
#: 400 days, the longest that browsers allow.
COOKIE_SECONDS: Final = 400 * 24 * 3600


def secret_in_cookie(headers: Headers) -> str | None:
    """Return the secret in a browser's cookie, if there is one.

    Other programs on the same host may set malformed cookies, and browsers send them along. `SimpleCookie` would stop
    at the first one that it cannot parse, so cookies are parsed here.
    """
    for line in headers.getlist("cookie"):
        for pair in line.split(";"):
            name, _, value = pair.partition("=")
            if name.strip() == COOKIE and SECRET.fullmatch(secret := _unquoted(value.strip())):
                return secret
    return None


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) >= 2 and value[0] == value[-1] == '"' else value


def secret_in_bearer(headers: Mapping[str, str]) -> str | None:
    """Return the bearer token of a program, or an empty text if it is malformed; None without a bearer header."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    return token if SECRET.fullmatch(token) else ""


def cookie_header(secret: str, is_secure: bool) -> str:
    """Return a Set-Cookie value for a secret that scripts and other sites cannot read."""
    return _cookie(secret, COOKIE_SECONDS, is_secure)


def expired_cookie_header(is_secure: bool) -> str:
    """Return a Set-Cookie value that removes the cookie."""
    return _cookie("", 0, is_secure)


def _cookie(value: str, seconds: int, is_secure: bool) -> str:
    secure = "; Secure" if is_secure else ""
    return f"{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
