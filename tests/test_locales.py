"""The messages of every language: complete, with the same placeholders, all used, and none missing."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from granada.bots import LEVELS, PERSONALITIES
from granada.locales import FALLBACK, LANGUAGES, SECTIONS, Message, catalogue, plural, translate
from granada.locales.plurals import CATEGORIES
from granada.rules.flow import ACTIONS, CHOICES
from granada.rules.money import LETTERS
from granada.rules.options import EDITIONS, MODULES
from granada.rules.tiles import EDGES, TYPES
from granada.score_pad import CODES as PAD_CODES
from granada.tables.errors import CODES

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "granada"
CLIENT = ROOT / "web" / "src"
#: The section that only Python pictures use; it is not part of the page.
NOT_ON_THE_PAGE = ("picture",)
NAME = re.compile(r"\{(\w+)\}")
KEY = re.compile(r"[a-z_]+(?:\.[\w-]+)+")
#: A quoted text, in Python or TypeScript.
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"' + r"|'((?:[^'\\\n]|\\.)*)'" + r"|`((?:[^`\\]|\\.)*)`")


def forms_of(message: Message) -> dict[str, str]:
    return {"only": message} if isinstance(message, str) else message


def texts(message: Message) -> list[str]:
    return [*forms_of(message).values()]


def names(message: Message) -> set[str]:
    return {name for text in texts(message) for name in NAME.findall(text)}


@cache
def usual_forms(language: str) -> set[str]:
    """Return the plural categories of numbers that occur in games; those of millions, as in French, may be missing."""
    return {plural(language, number) for number in range(1101)}


def section_of(language: str, section: str) -> dict[str, Message]:
    """Return the messages of a file, which must not have duplicate keys."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        doubled = [key for key, count in Counter([key for key, _ in pairs]).items() if count > 1]
        assert not doubled, doubled
        return dict(pairs)

    text = (SOURCE / "locales" / language / f"{section}.json").read_text("utf-8")
    found: dict[str, Message] = json.loads(text, object_pairs_hook=unique)
    return found


# The files


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("language", [tag for tag in LANGUAGES if tag != "en"])
def test_every_language_has_the_same_keys_in_the_same_sections(language: str, section: str) -> None:
    different = set(section_of(language, section)) ^ set(section_of("en", section))
    assert not different, "\n".join(sorted(different))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_in_two_sections_and_no_file_is_forgotten(language: str) -> None:
    expected = {"language.json", "rules.md", *[f"{section}.json" for section in SECTIONS]}
    assert {path.name for path in (SOURCE / "locales" / language).iterdir()} == expected
    keys = Counter([key for section in SECTIONS for key in section_of(language, section)])
    assert [key for key, count in keys.items() if count > 1] == []
    assert set(catalogue(language)) == set(keys)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_says_something_and_names_the_same(language: str) -> None:
    for key, message in catalogue(language).items():
        assert KEY.fullmatch(key), key
        if isinstance(message, dict):
            assert set(message) >= usual_forms(language), key
            assert set(message) <= set(CATEGORIES), key
        for text in texts(message):
            assert text.strip(), key
            assert text.count("{") == text.count("}") == len(NAME.findall(text)), key
        assert names(message) == names(catalogue("en").get(key, message)), key
        english = forms_of(catalogue("en").get(key, message))
        for form, text in forms_of(message).items():
            # A form may omit the number: "a card", "2 cards".
            assert set(NAME.findall(text)) ^ set(NAME.findall(english.get(form, text))) <= {"n"}, key


def test_no_source_lists_the_languages() -> None:
    """Only folders define the languages; a source may name the fallback language."""
    named = re.compile(rf"""["'](?:{"|".join(tag for tag in LANGUAGES if tag != FALLBACK)})["']""")
    documented = re.compile(r"""^\s*>>> .*$""", re.MULTILINE)
    assert [path for path, text in sources().items() if named.search(documented.sub("", text))] == []


# Usage


@cache
def sources() -> dict[Path, str]:
    """Return all files that may use messages."""
    client = [path for kind in ("*.svelte", "*.ts") for path in CLIENT.rglob(kind) if path.name != "api.d.ts"]
    paths = [*client, *SOURCE.rglob("*.py")]
    return {path: path.read_text("utf-8") for path in sorted(paths)}


def quoted(text: str) -> list[str]:
    return [one or other or third for one, other, third in QUOTED.findall(text)]


def calls(text: str, function: str) -> Iterator[list[str]]:
    """Return the arguments of every call of a function, as written in the source."""
    for found in re.finditer(rf"(?<!\w){function}\(", text):
        yield _arguments(text, found.end())


def _arguments(text: str, start: int) -> list[str]:
    """Return the text between the brackets that open before a position, split at the outermost commas."""
    arguments, depth, begin, end = list[str](), 0, start, start
    while end < len(text):
        letter = text[end]
        if letter in "\"'`":
            found = QUOTED.match(text, end)
            end = found.end() if found else end + 1
            continue
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif letter == "," and depth == 0:
            arguments.append(text[begin:end].strip())
            begin = end + 1
        end += 1
    return [*arguments, text[begin:end].strip()]


@cache
def families() -> set[str]:
    """Return the key families from which one is chosen at run time: named("type", …), f"type.{…}"."""
    found: set[str] = set()
    for text in sources().values():
        for first, *_ in calls(text, "named"):
            found |= set(quoted(first))
        for function in ("t", "hasMessage", "translate", "say"):
            for arguments in calls(text, function):
                found |= set(re.findall(r"""[`"']([a-z_.]+)\.\$?\{""", " ".join(arguments[:2])))
    return found


def is_in(key: str, family: str) -> bool:
    return key.startswith(f"{family}.")


def test_every_key_is_used() -> None:
    # Strings can be nested, so opening and closing quotes cannot be distinguished.
    literal = {word for text in sources().values() for word in re.findall(rf"""["'`]({KEY.pattern})["'`]""", text)}
    unused = [
        key for key in catalogue("en") if key not in literal and not any(is_in(key, family) for family in families())
    ]
    assert not unused, "\n".join(unused)


def test_every_key_that_is_used_is_there() -> None:
    keys, missing = set(catalogue("en")), set[str]()
    for path, text in sources().items():
        used: list[str] = []
        for first, *_ in calls(text, "t"):
            used += [word for word in quoted(first) if KEY.fullmatch(word)]
        for first, *rest in calls(text, "named"):
            family, second = quoted(first), QUOTED.fullmatch(rest[0]) if rest else None
            if len(family) == 1 and second is not None and "${" not in rest[0]:
                used.append(f"{family[0]}.{quoted(rest[0])[0]}")
        for arguments in [*calls(text, "translate"), *calls(text, "say")]:
            used += [word for word in quoted(" ".join(arguments[:2])) if KEY.fullmatch(word)]
        missing |= {f"{path.name}: {key}" for key in used if key not in keys}
    assert not missing, "\n".join(sorted(missing))


def test_every_family_that_is_used_has_members() -> None:
    assert [family for family in families() if not any(is_in(key, family) for key in catalogue("en"))] == []


# Complete families


def verdict_codes(*paths: Path) -> set[str]:
    """Return the codes of all verdicts in a file of the rules."""
    found: set[str] = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Verdict":
                code = node.args[1]
                if isinstance(code, ast.Constant):
                    found.add(str(code.value))
    return found - {""}


def cell_codes() -> set[str]:
    """5: return the codes of all verdicts about a cell of a city."""
    return verdict_codes(SOURCE / "rules" / "city.py")


def other_codes() -> set[str]:
    """Return the codes of all other verdicts."""
    return verdict_codes(*(SOURCE / "rules").glob("*.py")) - cell_codes()


def fault_codes() -> set[str]:
    """Return the error codes of records: the third argument of a RecordError, or the second of `error`."""
    places = {"RecordError": 2, "_EndOfRecord": 2, "error": 1, "Reason": 0, "DailyError": 0}
    found = {"drawn"}
    for name in (
        "records/record.py",
        "records/lines.py",
        "records/replay.py",
        "daily/check.py",
        "api/handlers.py",
        "tables/operations.py",
        "tables/commands.py",
    ):
        for node in ast.walk(ast.parse((SOURCE / name).read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            at = places.get(called)
            if at is not None and len(node.args) > at and isinstance(code := node.args[at], ast.Constant):
                found.add(str(code.value))
    return found


VERBS = set(ACTIONS)


@pytest.mark.parametrize(
    ("family", "members"),
    [
        ("type", set(TYPES)),
        ("currency", set(LETTERS)),
        ("short", set(LETTERS)),
        ("money", set(LETTERS)),
        ("side", set(EDGES)),
        ("item", {"wall", "moat", "run"}),
        ("edition", set(EDITIONS)),
        ("module", set(MODULES)),
        ("level", {*LEVELS, *PERSONALITIES}),
        ("level_say", {*LEVELS, *PERSONALITIES}),
        ("bot_kind", {"level", "personality", "other"}),
        ("problem", {*CODES, "network"}),
        ("cell", cell_codes()),
        ("against", other_codes()),
        ("fault", fault_codes()),
        ("edge", {"granada", "combined"}),
        ("do", VERBS),
        ("did", VERBS),
        ("step", {step.word for step in CHOICES}),
        # What is missing is asked for, and no mistake: that is said in other words.
        ("pad_problem", set(PAD_CODES) - {"price_missing"}),
    ],
)
def test_families_are_complete(family: str, members: set[str]) -> None:
    for language in LANGUAGES:
        missing = [name for name in sorted(members) if f"{family}.{name}" not in catalogue(language)]
        assert missing == [], language


def test_no_two_types_or_currencies_have_the_same_name() -> None:
    for language in LANGUAGES:
        for family, members in (
            ("type", TYPES),
            ("currency", LETTERS),
            ("module", MODULES),
            ("level", (*LEVELS, *PERSONALITIES)),
        ):
            found = [translate(language, f"{family}.{name}") for name in members]
            assert len(set(found)) == len(found), (language, family)


# Filling in values


def test_names_are_filled_in() -> None:
    assert translate("de", "piece.hut", type="Turm") == catalogue("de")["piece.hut"].replace("{type}", "Turm")  # type: ignore[union-attr]
    assert "{type}" in translate("en", "piece.hut")
    forms = catalogue("en")["piece.walls"]
    assert isinstance(forms, dict)
    assert translate("en", "piece.walls", n=1, sides="east") == forms["one"].replace("{sides}", "east")
    assert translate("en", "piece.walls", n=2, sides="east") == forms["other"].replace("{sides}", "east")
