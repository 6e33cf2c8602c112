"""CLDR plural rules: choose the form of a message for a whole number (Unicode Technical Standard 35, part 3).

A rule is a condition in CLDR syntax, such as `i % 10 = 2..4 and i % 100 != 12..14`. `language.json` has one rule for
each plural category of the language except `other`, which is the default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

OTHER: Final = "other"
#: All CLDR plural categories.
CATEGORIES: Final = ("zero", "one", "two", "few", "many", OTHER)
_RELATION: Final = re.compile(r"([nivwftce])(?: % (\d+))? (!?=) (\d+(?:\.\.\d+)?(?:,\d+(?:\.\.\d+)?)*)")


def category(rules: Mapping[str, str], number: int) -> str:
    """Return the category of the first rule that matches the number, or `other`.

    >>> [category({"one": "i = 0,1"}, number) for number in (0, 1, 2)]
    ['one', 'one', 'other']
    """
    return next((name for name, rule in rules.items() if _is_met(rule, abs(number))), OTHER)


def _is_met(rule: str, number: int) -> bool:
    return any(all(_holds(relation, number) for relation in part.split(" and ")) for part in rule.split(" or "))


def _holds(relation: str, number: int) -> bool:
    found = _RELATION.fullmatch(relation.strip())
    if found is None:
        raise ValueError(f"not a relation in a CLDR plural rule: {relation!r}")
    operand, modulus, sign, ranges = found.groups()
    # The other operands describe decimals and exponents, and are 0 for whole numbers.
    value = number if operand in "ni" else 0
    if modulus is not None:
        value %= int(modulus)
    return any(_contains(span, value) for span in ranges.split(",")) is (sign == "=")


def _contains(span: str, value: int) -> bool:
    low, _, high = span.partition("..")
    return int(low) <= value <= int(high or low)
