"""The sources of the web client: every drawing exists, and no class is styled by two screens."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

WEB = Path(__file__).parent.parent.parent / "web" / "src"
#: Styles that all screens load; each of the others belongs to one screen, and stays loaded on other screens.
SHARED = {"tokens.css", "base.css", "frame.css", "screens.css", "forms.css"}
#: The table's own styles, loaded together.
TABLE = {"table.css", "board.css", "landscape.css", "turns.css"}


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


#: A statement or call that loads a module: `import "./x.css"`, `from "./x"`, `import("./X.svelte")`.
LOADS = re.compile(r"""(?:from|import)\s*\(?\s*["']([^"']+)["']""")
#: A class attribute: `class="a b"` or `class={["a", isB && "b"]}`; values that are compared are no classes.
CLASSES = re.compile(r'\bclass=(?:"([^"]*)"|\{((?:[^{}]|\{[^{}]*\})*)\})')
#: The form for a server is a card on the home page only.
CARD = {"way", "join", "joinrow"}


def loaded_by(path: Path, found: set[Path]) -> set[Path]:
    """Return all sources that a source loads, at once or later."""
    if path in found:
        return found
    found.add(path)
    for name in LOADS.findall(path.read_text("utf-8")) if path.suffix != ".css" else ():
        folder, _, rest = name.partition("/")
        start = WEB / folder[1:] / rest if folder in ("$lib", "$art") else path.parent / name
        for end in ("", ".ts", ".svelte.ts"):
            if (file := Path(f"{start.resolve()}{end}")).is_file() and file.name != "routes.ts":
                loaded_by(file, found)
    return found


def classes_in(component: Path) -> set[str]:
    """Return the classes that a component gives to elements."""
    found: set[str] = set()
    for plain, computed in CLASSES.findall(component.read_text("utf-8")):
        texts = [plain] if plain else re.findall(r'(?<![=!]= )"([^"]*)"', computed)
        found |= {name for text in texts for name in text.split()}
    return found


def test_no_component_is_styled_by_a_screen_that_was_visited_before() -> None:
    """Styles stay loaded, so a rule for a class alone also hits other screens, once its own screen was open."""
    routes = WEB / "routes.ts"
    screens = [
        loaded_by((WEB / name).resolve(), set())
        for name in re.findall(r'import\("([^"]+)"\)', routes.read_text("utf-8"))
    ]
    assert len(screens) > 10
    users: dict[str, set[Path]] = defaultdict(set)
    for component in WEB.rglob("*.svelte"):
        for name in classes_in(component) - (CARD if component.name == "ServerForm.svelte" else set()):
            users[name].add(component)
    faults = set()
    for sheet in (WEB / "styles").glob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
        for selector in re.findall(r"[^{},]+(?=[^{}]*\{)", text) if sheet.name not in SHARED else ():
            if not (alone := re.fullmatch(r"\s*\.([\w-]+)(?::[\w-]+)*\s*", selector)):
                continue
            for component in users[alone[1]]:
                if any(component in screen and sheet not in screen for screen in screens):
                    faults.add(f"{sheet.name} styles .{alone[1]} of {component.name}, where it may not be loaded")
    assert not faults, "\n".join(sorted(faults))


def test_the_dark_colours_are_the_same_by_choice_and_by_the_system() -> None:
    # Plain CSS cannot say "chosen, or preferred by the system" in one rule.
    text = (WEB / "styles" / "tokens.css").read_text("utf-8")
    blocks = re.findall(r"\{([^{}]*color-scheme: dark[^{}]*)\}", text)
    by_choice, by_system = ([line.strip() for line in block.splitlines() if line.strip()] for block in blocks)
    assert by_choice == by_system
