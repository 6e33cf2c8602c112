"""Errors of tables: a stable code, a sentence, and the rule that forbids something."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from granada.tables.messages import Reason


class Code(NamedTuple):
    """The status and the title of a code."""

    status: int
    title: str


#: All codes; clients rely on them, so none is ever changed or used for something else.
CODES: Final[dict[str, Code]] = {
    "malformed": Code(400, "The request cannot be read"),
    "bad_options": Code(400, "These options cannot be played"),
    "bad_record": Code(400, "The record is not sound"),
    "unauthorized": Code(401, "The server does not know who asks"),
    "not_host": Code(403, "Only the host may do this"),
    "no_seat": Code(403, "Only the holder of the seat may do this"),
    "hand_seen": Code(403, "Who has seen one hand of a game cannot take another seat"),
    "forbidden_origin": Code(403, "The request comes from another site"),
    "spectators_off": Code(403, "The table admits no spectators"),
    "not_found": Code(404, "There is nothing here"),
    "method_not_allowed": Code(405, "This cannot be done here"),
    "illegal": Code(409, "The rules forbid the action"),
    "stale": Code(409, "The table has moved on"),
    "not_your_turn": Code(409, "Another seat decides"),
    "seat_taken": Code(409, "The seat is taken"),
    "not_running": Code(409, "The game has not begun"),
    "running": Code(409, "The game has begun"),
    "over": Code(409, "The game is over"),
    "purist": Code(409, "The table plays without aids"),
    "undo_off": Code(409, "The table plays without undo"),
    "nothing_to_undo": Code(409, "There is nothing to take back"),
    "nothing_held": Code(409, "No action waits for a confirmation"),
    "not_ready": Code(409, "The table is not ready"),
    "old_rules": Code(409, "The table was played under earlier rules"),
    "too_many_changes": Code(409, "Too many changes at this table"),
    "too_large": Code(413, "The request is too large"),
    "unsupported_media": Code(415, "The server does not read this type of content"),
    "too_many": Code(429, "Too many requests"),
    "internal": Code(500, "The server made a mistake"),
    "unavailable": Code(503, "The server cannot do this now"),
}


class TableError(Exception):
    """Something is refused, with a code of CODES, a sentence, and the rule that forbids it if one does."""

    def __init__(
        self,
        code: str,
        detail: str,
        status: int | None = None,
        rule: str | None = None,
        reason: Reason | None = None,
    ) -> None:
        super().__init__(detail)
        self.code: Final = code
        self.detail: Final = detail
        self.status: Final = CODES[code].status if status is None else status
        self.rule: Final = rule
        self.reason: Final = reason


def rule_in(sentence: str) -> str | None:
    """The rule that a sentence names: `… (2.1)`, `… (rule 6.1)`, `… against rule 3.3: …`."""
    found = re.search(r"(?:\(|\brule )(\d+(?:\.\d+)?[a-z]?)\b", sentence)
    return None if found is None else found[1]
