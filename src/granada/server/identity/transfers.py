"""Deposits of identities: sealed with a code, stored for all workers, opened once."""

from __future__ import annotations

import math
from typing import Final

import msgspec
from msgspec import Struct

from granada.server.identity.codes import code_of, new_secret_part, read_code
from granada.server.identity.sealing import row_of, seal, unseal
from granada.server.store.sql_store import SqlStore
from granada.tables.clock import clock
from granada.tables.errors import TableError
from granada.tables.holders import hash_of
from granada.tables.ports import Unavailable
from granada.tables.rate_limit import Buckets
from granada.tables.registry import unavailable

#: Milliseconds for which a code is valid.
VALID: Final = 15 * 60 * 1000
#: The most deposits at a time; each has at most a quarter of a megabyte.
MAX_DEPOSITS: Final = 1000
#: Unknown codes that an address may try: a burst, then one in so many seconds.
TRIES: Final = 30
SECONDS_A_TRY: Final = 20.0


class Deposit(Struct, frozen=True):
    """What is sealed: the secret of the cookie, and the profile of the browser as it was sent."""

    secret: str
    profile: str


class Transfers:
    """Takes identities from one browser to another."""

    def __init__(self, store: SqlStore) -> None:
        self._store: Final = store
        self._tries: Final = Buckets(1 / SECONDS_A_TRY, TRIES)

    async def deposit(self, secret: str, profile: str) -> str:
        """Deposit an identity and return its code; an earlier code of the same identity is no longer valid."""
        part = new_secret_part()
        sealed = seal(part, msgspec.json.encode(Deposit(secret, profile)))
        now = clock()
        try:
            is_stored = await self._store.add_deposit(
                row_of(part), hash_of(secret), sealed, now, now + VALID, MAX_DEPOSITS
            )
        except Unavailable:
            raise unavailable() from None
        if not is_stored:
            raise TableError(
                "too_many", "Too many identities are on their way at the moment. Try again in some minutes."
            )
        return code_of(part)

    async def redeem(self, text: str, address: str) -> Deposit:
        """Return the deposit of a code, which is then used; TableError if there is none."""
        part = read_code(text)
        if part is None:
            raise TableError("bad_code", "The code is damaged: a part is missing or wrong.")
        wait = self._tries.take(address)
        if wait > 0:
            seconds = math.ceil(wait)
            raise TableError("too_many", f"Too many unknown codes from this address; try again in {seconds} s.")
        try:
            sealed = await self._store.take_deposit(row_of(part), clock())
        except Unavailable:
            raise unavailable() from None
        plain = None if sealed is None else unseal(part, sealed)
        if plain is None:
            raise TableError("unknown_code", "The code was used, has expired, or is of another server.")
        self._tries.refund(address)
        return msgspec.json.decode(plain, type=Deposit)

    async def forget(self, secret: str) -> None:
        """Remove the deposit of an identity, if there is one, and its rows in the lists of the daily deals."""
        try:
            await self._store.remove_deposit(hash_of(secret))
            await self._store.daily.forget(hash_of(secret))
        except Unavailable:
            raise unavailable() from None
