"""Terms that must not appear in the texts of a language, and French spacing.

`wrong_terms/LANGUAGE.txt` has one term per line, followed by a tab and what to write instead. A term is a
case-insensitive regular expression for whole words; lines that start with `#` are comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from granada.locales import LANGUAGES, catalogue

LOCALES = Path(__file__).parent.parent / "src" / "granada" / "locales"
FOLDER = Path(__file__).parent / "wrong_terms"
#: Text that is not shown to readers: placeholders, code, and Markdown syntax.
NOT_PROSE = re.compile(r"\{[^}]*\}|`[^`]*`|\]\([^)]*\)|<!--.*?-->|^\|[-:| ]+\|$", re.MULTILINE)
NO_BREAK_SPACE = "\u00a0"


class Term(NamedTuple):
    """A wrong term and what to write instead."""

    wrong: str
    right: str

    def found_in(self, text: str) -> bool:
        """Return whether a text contains the wrong term as whole words."""
        return re.search(rf"(?<!\w)(?:{self.wrong})(?!\w)", text, re.IGNORECASE) is not None


@cache
def terms(language: str) -> tuple[Term, ...]:
    """Return the wrong terms of a language."""
    path = FOLDER / f"{language}.txt"
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    assert all(len(row) == 2 and all(row) for row in rows), [row for row in rows if len(row) != 2]
    return tuple(Term(*row) for row in rows)


def texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield all texts of a language, with the place of each."""
    for key, message in catalogue(language).items():
        for text in [message] if isinstance(message, str) else message.values():
            yield key, text
    for paragraph in re.split(r"\n{2,}", (LOCALES / language / "rules.md").read_text("utf-8")):
        yield "rules.md", re.sub(r"\n\s*", " ", paragraph)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_has_a_wrong_term(language: str) -> None:
    found = [
        f"{place}: “{term.wrong}”, write “{term.right}”: {text}"
        for place, text in texts(language)
        for term in terms(language)
        if term.found_in(text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_right_terms_are_not_wrong_themselves(path: Path) -> None:
    assert path.stem in LANGUAGES
    assert terms(path.stem)
    assert [one for one in terms(path.stem) if any(other.found_in(one.right) for other in terms(path.stem))] == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [("the table is dealt anew", True), ("Anew!", True), ("a new game", False), ("renewed", False), ("anewly", False)],
)
def test_terms_are_found_as_whole_words(text: str, is_found: bool) -> None:
    assert Term("anew", "again").found_in(text) is is_found


# French spacing


def wrong_spacing(text: str) -> list[str]:
    """Return the signs of a French text without the no-break space required before (: ; ! ? ») or after («) them."""
    prose = NOT_PROSE.sub("x", text)
    before = re.findall(rf"[^{NO_BREAK_SPACE}\W]?[^{NO_BREAK_SPACE}:;!?»][:;!?»]", f" {prose}")
    after = re.findall(rf"«[^{NO_BREAK_SPACE}].?", f"{prose} ")
    return [*before, *after]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Prêt\u00a0? Oui\u00a0!", 0),
        ("{n}\u00a0: «\u00a0Charger\u00a0»\u00a0; `a:b` [ici](#x:y)", 0),
        ("Prêt ?", 1),
        ("Prêt?", 1),
        ("{n} : oui", 1),
        ("« Charger\u00a0»", 1),
        ("«\u00a0Charger»", 1),
    ],
)
def test_wrong_spacing_is_found(text: str, count: int) -> None:
    assert len(wrong_spacing(text)) == count


def test_french_signs_have_their_no_break_spaces() -> None:
    found = [f"{place}: {signs}: {text}" for place, text in texts("fr") if (signs := wrong_spacing(text))]
    assert not found, "\n".join(found)
