"""The code that takes an identity to another browser: `mint-7Q4F-K2ZD-saffron-88TX-V03C`.

The letters and digits are random (80 bits, Crockford's base 32). The two words are a check (10 bits), so that a damaged
code is recognised before it is sent. web/src/you/code.ts reads the same codes.
"""

from __future__ import annotations

import re
import secrets
from typing import Final

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH: Final = 16
WORDS: Final = (
    *("almond", "amber", "arch", "basil", "cedar", "court", "dove", "fig"),
    *("fox", "garden", "heron", "horse", "ivory", "jasmine", "lamp", "lemon"),
    *("lion", "lynx", "mint", "moon", "myrtle", "olive", "owl", "palm"),
    *("pearl", "river", "rose", "saffron", "star", "swan", "tile", "tower"),
)
#: No word begins with another one, so a code without separators can be read in one way only.
_FORM: Final = re.compile("({0})([a-z0-9]{{8}})({0})([a-z0-9]{{8}})".format("|".join(WORDS)))
#: Letters that look like digits.
_ALIKE: Final = str.maketrans("OIL", "011")
#: A prime: the check recognises every wrong character, and every two that changed places.
_MODULUS: Final = 1021


def new_secret_part() -> str:
    """Return the random part of a new code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def code_of(part: str) -> str:
    """Return the code for a random part, with its check words."""
    first, second = _check(part)
    return f"{first}-{part[:4]}-{part[4:8]}-{second}-{part[8:12]}-{part[12:]}"


def read_code(text: str) -> str | None:
    """Return the random part of a code, in any case and with any separators; None if the code is damaged."""
    found = _FORM.fullmatch(re.sub(r"[^a-z0-9]", "", text.lower()))
    if found is None:
        return None
    part = (found[2] + found[4]).upper().translate(_ALIKE)
    return part if set(part) <= set(ALPHABET) and _check(part) == (found[1], found[3]) else None


def _check(part: str) -> tuple[str, str]:
    """Return the two check words of a random part."""
    total = 0
    for character in part:
        total = (total * 37 + ALPHABET.index(character) + 1) % _MODULUS
    return WORDS[total // 32], WORDS[total % 32]
