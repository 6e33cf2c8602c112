"""All words that people read, in the five languages of the rulebooks: one source for Python and for the web client.

A message is a text with `{names}` to fill in, or several such texts by the grammatical number of `n`. The client builds
the same files in (web/src/words); both take the text of English where another language has none, which a test forbids.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Final

LANGUAGES: Final = {"en": "English", "de": "Deutsch", "fr": "Français", "nl": "Nederlands", "hu": "Magyar"}
#: The files of each language, by what they speak of; `picture` is for drawings by Python, and not on the page.
ROOMS: Final = ("pieces", "app", "home", "table", "after", "learn", "pad", "picture")
Message = str | dict[str, str]


@cache
def catalogue(language: str) -> dict[str, Message]:
    """All messages of a language."""
    folder = resources.files("granada.locales").joinpath(language)
    found: dict[str, Message] = {}
    for room in ROOMS:
        found.update(json.loads(folder.joinpath(f"{room}.json").read_text("utf-8")))
    return found


def words(language: str, key: str, **values: object) -> str:
    """The words for a key in a language, with its names filled in.

    >>> words("de", "fit.short", n=2)
    '2 zu wenig'
    """
    message = catalogue(language)[key]
    if isinstance(message, dict):
        number = values.get("n")
        message = message[plural(language, number if isinstance(number, int) else 2)]
    return re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), message)


def plural(language: str, number: int) -> str:
    """Which form goes with a number: `one` or `other`; French counts 0 as one, Hungarian nouns do not change."""
    is_one = number in (0, 1) if language == "fr" else number == 1
    return "one" if is_one else "other"
