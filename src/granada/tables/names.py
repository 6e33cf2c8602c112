"""Cleaning of players' names, and suggestions for new ones."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection
from typing import Final

NAMES: Final = (
    "Aixa", "Alma", "Amina", "Bahira", "Carmen", "Dalia", "Elvira", "Fatima", "Ginebra", "Hafsa", "Ines", "Jamila",
    "Karima", "Leonor", "Layla", "Mencia", "Nadia", "Nur", "Oria", "Paloma", "Rocio", "Salma", "Soraya", "Tarub",
    "Ursula", "Violante", "Wallada", "Ximena", "Yasmin", "Zahra", "Abdul", "Adil", "Boabdil", "Cid", "Diego", "Emre",
    "Farid", "Gonzalo", "Hamid", "Idris", "Ismail", "Jusuf", "Kadir", "Lope", "Malik", "Nasir", "Omar", "Pedro",
    "Qasim", "Rafiq", "Rodrigo", "Said", "Tarik", "Usman", "Vasco", "Walid", "Xavier", "Yunus", "Zaki", "Zirjab",
)  # fmt: skip

#: Zero-width non-joiner and joiner; Persian, Indic scripts and joined emoji need them.
_JOINERS: Final = "\u200c\u200d"
#: Invisible characters outside the format category: fillers, blank patterns, joiners, selectors.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0")
#: Variation selectors, which choose how the preceding emoji is drawn; invisible elsewhere.
_SELECTORS: Final = frozenset([chr(code) for code in range(0xFE00, 0xFE10)])
#: Control and format characters (including all that change the direction), line ends, private characters.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
#: Characters that a joiner can join: letters of scripts without capitals, marks, emoji and their modifiers.
_JOINABLE: Final = frozenset({"Lo", "Mn", "Mc", "Me", "So", "Sk"})


def clean(name: str) -> str:
    r"""Return a name without invisible characters and with single spaces.

    Invisible characters could make two names look the same, or reverse the text around a name. Joiners stay where a
    script or an emoji needs them.

    >>> clean("  Ana\u202e \u200bMaria ")
    'Ana Maria'
    """
    text = unicodedata.normalize("NFC", name)
    kept = [one for i, one in enumerate(text) if _is_shown(one) or _joins(text, i) or _selects(text, i)]
    # NFC turns some Indic letters into two characters; the name must not exceed the checked length.
    return " ".join("".join(kept).split())[: len(name)].rstrip()


def looks(name: str) -> str:
    """Return a clean name without joiners and selectors, which may be invisible; names that look alike are equal."""
    text = "".join([one for one in clean(name) if one not in _JOINERS and one not in _SELECTORS])
    return unicodedata.normalize("NFC", text)  # a joiner may have kept two characters apart


def _is_shown(one: str) -> bool:
    if one.isspace():
        return True
    is_unseen = one in _BLANK or one in _SELECTORS or 0xE0000 <= ord(one) < 0xE1000
    return not is_unseen and unicodedata.category(one) not in _UNSEEN


def _joins(text: str, i: int) -> bool:
    """Return whether a character is a joiner between two joinable characters."""
    if text[i] not in _JOINERS or not 0 < i < len(text) - 1:
        return False
    return all([unicodedata.category(one) in _JOINABLE for one in (text[i - 1], text[i + 1])])


def _selects(text: str, i: int) -> bool:
    return text[i] in _SELECTORS and i > 0 and unicodedata.category(text[i - 1]) == "So"


def suggest(taken: Collection[str] = ()) -> str:
    """Return a random name that is not taken."""
    free = [name for name in NAMES if name not in taken]
    return secrets.choice(free) if free else f"{secrets.choice(NAMES)} {len(taken) + 1}"
