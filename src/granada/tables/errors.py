"""Errors that clients receive: a stable code, a sentence, and the rule that was broken."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from granada.tables.messages import Reason


class Code(NamedTuple):
    """The HTTP status and the title of an error code."""

    status: int
    title: str


#: All error codes. Clients rely on them: never rename or reuse one.
CODES: Final[dict[str, Code]] = {
    "malformed": Code(400, "The request is malformed"),
    "bad_options": Code(400, "These options cannot be combined"),
    "bad_record": Code(400, "The record is invalid"),
    "bad_code": Code(400, "The code is damaged"),
    "bad_result": Code(400, "The record is not a result of this daily deal"),
    "unauthorized": Code(401, "Authentication is required"),
    "not_host": Code(403, "Only the host may do this"),
    "no_seat": Code(403, "Only the holder of the seat may do this"),
    "hand_seen": Code(403, "You have already seen another hand of this game"),
    "forbidden_origin": Code(403, "The request comes from another site"),
    "spectators_off": Code(403, "The table does not allow spectators"),
    "not_found": Code(404, "Not found"),
    "unknown_code": Code(404, "The code is not valid"),
    "method_not_allowed": Code(405, "Method not allowed"),
    "illegal": Code(409, "The action is illegal"),
    "bad_turn": Code(409, "The actions are not one whole turn"),
    "puzzle": Code(409, "This is not possible at the table of a puzzle"),
    "stale": Code(409, "The table has changed"),
    "not_your_turn": Code(409, "It is not your turn"),
    "not_late": Code(409, "The player still has time"),
    "seat_taken": Code(409, "The seat is taken"),
    "not_running": Code(409, "The game has not started"),
    "running": Code(409, "The game has already started"),
    "over": Code(409, "The game is over"),
    "not_over": Code(409, "The game is not over"),
    "purist": Code(409, "Aids are turned off at this table"),
    "undo_off": Code(409, "Undo is turned off at this table"),
    "nothing_to_undo": Code(409, "There is nothing to undo"),
    "nothing_held": Code(409, "There is no action to confirm"),
    "not_ready": Code(409, "The table is not ready"),
    "old_rules": Code(409, "The table was played with an earlier version of the rules"),
    "damaged": Code(409, "The stored table is damaged"),
    "daily_seats": Code(409, "The seats of a daily deal are fixed"),
    "daily_hints": Code(409, "There are no hints in a daily deal that counts"),
    "daily_future": Code(409, "This daily deal has not begun"),
    "daily_past": Code(409, "This daily deal is over"),
    "too_many_changes": Code(409, "Too many changes at this table"),
    "too_large": Code(413, "The request is too large"),
    "unsupported_media": Code(415, "The content type is not supported"),
    "too_soon": Code(429, "The last reaction was less than ten seconds ago"),
    "too_many": Code(429, "Too many requests"),
    "internal": Code(500, "Internal server error"),
    "unavailable": Code(503, "The server is temporarily unavailable"),
}


class TableError(Exception):
    """A rejected request: a code from CODES, a sentence and, if the rules forbid it, the rule."""

    def __init__(
        self,
        code: str,
        detail: str,
        status: int | None = None,
        rule: str | None = None,
        reason: Reason | None = None,
        current: bytes | None = None,
    ) -> None:
        super().__init__(detail)
        self.code: Final = code
        self.detail: Final = detail
        self.status: Final = CODES[code].status if status is None else status
        self.rule: Final = rule
        self.reason: Final = reason
        #: The table's current message, for the sender of a rejected command.
        self.current: Final = current

    def with_current(self, message: bytes) -> TableError:
        """Return a copy of the error with the table's current message for one client."""
        return TableError(self.code, self.detail, self.status, self.rule, self.reason, message)


def rule_in(sentence: str) -> str | None:
    """Return the rule that a sentence refers to: `… (2.1)`, `… (rule 6.1)`, `… breaks rule 3.3: …`."""
    found = re.search(r"(?:\(|\brule )(\d+(?:\.\d+)?[a-z]?)\b", sentence)
    return None if found is None else found[1]
