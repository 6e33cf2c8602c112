"""All texts shown to people, with one folder per language, for both Python and the web client.

A folder contains `language.json` (the native name of the language, its plural rules and its grammar settings), one JSON
file of messages per section, and `rules.md` (the rules page). Adding a folder adds the language everywhere.
A message is a text with `{names}` to fill in, or several such texts keyed by the CLDR plural category of `n`.
Missing messages fall back to English.

May import: nothing else. Start reading: `en/table.json`, then the functions below.
"""

from __future__ import annotations

import json
import re
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

from granada.locales.plurals import OTHER, category

#: The language to use when a message has no translation.
FALLBACK: Final = "en"
#: The JSON files with the messages; `picture` is only used for drawings made in Python, not by the web client.
SECTIONS: Final = (
    "pieces", "app", "home", "table", "turns", "after", "ending", "daily", "puzzles", "you", "together", "learn", "pad",
    "device", "offline", "picture",
)  # fmt: skip
Message = str | dict[str, str]


class Locales:
    """The languages found in a folder."""

    def __init__(self, folder: Traversable) -> None:
        self._folder: Final = folder
        found = [one for one in folder.iterdir() if one.is_dir() and one.joinpath("language.json").is_file()]
        settings = {one.name: _read(one.joinpath("language.json")) for one in sorted(found, key=lambda one: one.name)}
        #: Native names by language tag.
        self.names: Final[dict[str, str]] = {tag: str(some["name"]) for tag, some in settings.items()}
        #: CLDR plural rules by language tag and category.
        self.plurals: Final[dict[str, dict[str, str]]] = {tag: some["plurals"] for tag, some in settings.items()}
        self._catalogues: Final[dict[str, dict[str, Message]]] = {}

    def catalogue(self, language: str) -> dict[str, Message]:
        """Return all messages of a language, with English for the missing ones."""
        if language not in self._catalogues:
            messages = {} if language == FALLBACK else dict(self.catalogue(FALLBACK))
            for section in SECTIONS:
                path = self._folder.joinpath(language, f"{section}.json")
                if path.is_file():
                    messages.update(_read(path))
            self._catalogues[language] = messages
        return self._catalogues[language]

    def translate(self, language: str, key: str, **values: object) -> str:
        """Return the message for a key, with its names filled in.

        >>> translate("de", "fit.short", n=2)
        '2 zu wenig'
        """
        message = self.catalogue(language)[key]
        if isinstance(message, dict):
            number = values.get("n")
            form = self.plural(language, number) if isinstance(number, int) else OTHER
            message = message.get(form, message[OTHER])
        return re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), message)

    def plural(self, language: str, number: int) -> str:
        """Return the CLDR plural category of a whole number."""
        return category(self.plurals[language], number)


def _read(path: Traversable) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


_OWN: Final = Locales(resources.files("granada.locales"))
#: Native names by language tag.
LANGUAGES: Final = _OWN.names
catalogue: Final = _OWN.catalogue
translate: Final = _OWN.translate
plural: Final = _OWN.plural
