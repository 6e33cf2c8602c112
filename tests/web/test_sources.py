"""The sources of the web client: every drawing exists, and no class is styled by two screens."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

WEB = Path(__file__).parent.parent.parent / "web" / "src"
#: Styles that all screens load; each of the others belongs to one screen, and stays loaded on other screens.
SHARED = {"tokens.css", "base.css", "frame.css", "screens.css", "forms.css"}
#: The table's own styles, loaded together.
TABLE = {"table.css", "board.css", "landscape.css"}


def drawings(*sheets: str) -> set[str]:
    """Return the ids in sheets of artwork."""
    return {
        found for sheet in sheets for found in re.findall(r'\bid="([^"]+)"', (WEB / "art" / sheet).read_text("utf-8"))
    }


def test_every_drawing_that_is_used_is_in_the_artwork() -> None:
    for path in WEB.rglob("*.svelte"):
        text = path.read_text("utf-8")
        assert set(re.findall(r'<Drawing name="([\w-]+)"', text)) <= drawings("artwork.svg"), path.name
        assert set(re.findall(r'<Mark name="([\w-]+)"', text)) <= drawings("faces.svg", "marks.svg"), path.name


def test_no_drawing_is_in_two_sheets() -> None:
    assert not drawings("artwork.svg") & drawings("faces.svg", "marks.svg")
    assert not drawings("faces.svg") & drawings("marks.svg")


#: A colon after a value in a template, before another value: `${name}: ${words}`, `{t("over.seed")}: <code>`.
GLUED_COLON = re.compile(r"\$\{[^`\n]*?\}: (?:\$\{|`)|\)\}: [<{]")


def test_colons_after_values_are_written_by_the_language() -> None:
    """French has a no-break space before a colon, so `withColon` writes it."""
    assert GLUED_COLON.search("`${name}: ${words}`")
    assert GLUED_COLON.search('<p>{t("over.seed")}: <code>')
    lines = [
        f"{path.name}: {line.strip()}"
        for path in sorted([*WEB.rglob("*.svelte"), *WEB.rglob("*.ts")])
        for line in path.read_text("utf-8").split("\n")
        if GLUED_COLON.search(line)
    ]
    assert not lines, "\n".join(lines)


def test_no_class_begins_the_selectors_of_two_screens() -> None:
    styled: dict[str, set[str]] = defaultdict(set)
    for path in (WEB / "styles").glob("*.css"):
        if path.name in SHARED:
            continue
        text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        for selectors in re.findall(r"([^{}]+)\{", text):
            for selector in selectors.split(","):
                # A class of the shared styles may come first only if another class follows.
                first = re.fullmatch(r"\s*\.([\w-]+)(?::[\w-]+)*\s*", selector)
                if first:
                    styled[first[1]].add("table" if path.name in TABLE else path.name)
    twice = {name: sorted(files) for name, files in styled.items() if len(files) > 1}
    assert not twice, twice


def test_the_dark_colours_are_the_same_by_choice_and_by_the_system() -> None:
    # Plain CSS cannot say "chosen, or preferred by the system" in one rule.
    text = (WEB / "styles" / "tokens.css").read_text("utf-8")
    blocks = re.findall(r"\{([^{}]*color-scheme: dark[^{}]*)\}", text)
    by_choice, by_system = ([line.strip() for line in block.splitlines() if line.strip()] for block in blocks)
    assert by_choice == by_system
