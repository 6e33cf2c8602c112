"""The words of the page: all of them in five languages, none too many, none missing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from build_page import LOCALES, ROOT, WEB
from granada.bots import BOTS
from granada.rules.options import EDITIONS, MODULES
from granada.rules.tiles import TYPES
from granada.server.problems import CODES

LANGUAGES = ("en", "de", "fr", "nl", "hu")
ROOMS = sorted(path.name for path in (LOCALES / "en").glob("*.json"))
Message = str | dict[str, str]


def words(language: str, room: str) -> dict[str, Message]:
    found: dict[str, Message] = json.loads((LOCALES / language / room).read_text("utf-8"), object_pairs_hook=once)
    return found


def once(pairs: list[tuple[str, Message]]) -> dict[str, Message]:
    """An object of which no key stands twice."""
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), [key for key in keys if keys.count(key) > 1]
    return dict(pairs)


def forms(message: Message) -> list[str]:
    return [message] if isinstance(message, str) else list(message.values())


def sources() -> Iterator[Path]:
    """Wherever words are used."""
    yield from (path for path in (WEB / "src").rglob("*") if path.suffix in (".ts", ".svelte"))
    yield from (ROOT / "src" / "granada").rglob("*.py")


ENGLISH = {key: message for room in ROOMS for key, message in words("en", room).items()}


def test_every_language_has_every_room() -> None:
    assert sorted(path.name for path in LOCALES.iterdir() if path.is_dir() and path.name != "__pycache__") == sorted(
        LANGUAGES
    )
    for language in LANGUAGES:
        assert sorted(path.name for path in (LOCALES / language).iterdir()) == ROOMS


def test_no_key_stands_in_two_rooms() -> None:
    assert len(ENGLISH) == sum(len(words("en", room)) for room in ROOMS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("room", ROOMS)
def test_every_language_says_everything(language: str, room: str) -> None:
    found, english = words(language, room), words("en", room)
    assert sorted(set(english) - set(found)) == [], "missing"
    assert sorted(set(found) - set(english)) == [], "too many"
    assert list(found) == list(english), "in another order"
    for key, message in found.items():
        assert all(text.strip() for text in forms(message)), key
        assert isinstance(message, str) or set(message) == {"one", "other"}, key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("room", ROOMS)
def test_the_same_values_are_filled_in(language: str, room: str) -> None:
    def values(message: Message) -> set[str]:
        return {name for text in forms(message) for name in re.findall(r"\{(\w+)\}", text)}

    english = words("en", room)
    for key, message in words(language, room).items():
        assert values(message) == values(english[key]), key


def test_every_word_is_used_and_every_used_word_is_there() -> None:
    source = "\n".join(path.read_text("utf-8") for path in sources())
    families = tuple(f"{family}." for family in re.findall(r"\bnamed\(\s*[\"'`]([\w.]+)[\"'`]", source))
    said = set(re.findall(r"[\"'`]([\w.-]+)[\"'`]", source))
    assert sorted(key for key in ENGLISH if key not in said and not key.startswith(families)) == [], "unused"
    asked = set(re.findall(r"\bt\(\s*[\"'`]([\w.-]+)[\"'`]", source))
    assert sorted(asked - set(ENGLISH)) == [], "missing"


def test_there_are_words_for_all_that_the_server_names() -> None:
    named = {"problem": CODES, "type": TYPES, "edition": EDITIONS, "module": MODULES, "level": BOTS}
    for family, names in named.items():
        assert sorted(f"{family}.{name}" for name in names if f"{family}.{name}" not in ENGLISH) == []
