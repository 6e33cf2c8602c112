"""How to play, in every language: the rules with pictures, and where the printed rulebooks differ."""

from __future__ import annotations

import re
from typing import Final

from docs_site.links import ROOT
from docs_site.rule_figures import Figures
from granada.locales import LANGUAGES, translate

_HEADING: Final = re.compile(r"^## (?P<title>.+?) \{#(?P<id>[\w-]+)(?: (?P<picture>[\w-]+))?\}$", re.MULTILINE)
#: Where a picture stands; without it, at the end of the section.
_PLACE: Final = "<!-- picture -->"
#: The editions and modules, by the chapter that explains them.
CHAPTERS: Final = (
    "about",
    "granada",
    "combined",
    "dirk",
    "vizier",
    "exchange",
    "bonus",
    "huts",
    "simplified",
    "combining",
)


def rules_pages() -> dict[str, str]:
    """Return the pages and pictures of how to play by their paths on the site."""
    found = {"play/index.md": _contents(), "play/printed.md": _printed()}
    for language in LANGUAGES:
        figures = Figures(language)
        found[f"play/{language}.md"] = _rules(language, figures)
        found |= {f"play/{figures.folder}/{file}": svg for file, svg in figures.pictures.items()}
    return found


def text_of(language: str) -> str:
    """Return the rules in a language."""
    return (ROOT / "src/granada/locales" / language / "rules.md").read_text("utf-8")


def _rules(language: str, figures: Figures) -> str:
    """Return the page of the rules in a language."""
    title = translate(language, "rules.title")
    lines = ["---", f"lang: {language}", f"title: {title} ({LANGUAGES[language]})", "---", "", f"# {title}", ""]
    found = list(_HEADING.finditer(text_of(language)))
    for heading, text in zip(found, _HEADING.split(text_of(language))[4::4], strict=True):
        lines += [f"## {heading['title']} {{#{heading['id']}}}", ""]
        figure = f"\n\n{figures.figure(heading['picture'])}\n\n" if heading["picture"] else ""
        lines.append(text.replace(_PLACE, figure) if _PLACE in text else text + figure)
    return "\n".join(lines)


def _contents() -> str:
    """Return the table of editions and modules with the languages that explain them."""
    lines = [
        "# How to play",
        "",
        "The rules of every edition and module with pictures, in five languages. [The numbered rules](../rules.md) are",
        "the text that the program follows; [rulings](../rulings.md) settle what they leave open, and",
        "[this page](printed.md) lists what the printed rulebooks say differently.",
        "",
        "| " + " | ".join(LANGUAGES.values()) + " |",
        "|" + "---|" * len(LANGUAGES),
    ]
    titles = {
        language: {heading["id"]: heading["title"] for heading in _HEADING.finditer(text_of(language))}
        for language in LANGUAGES
    }
    for chapter in CHAPTERS:
        cells = [f"[{titles[language][chapter]}]({language}.md#{chapter})" for language in LANGUAGES]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _printed() -> str:
    """Return what each language says about its printed rulebook."""
    lines = [
        "# What the printed rulebooks say differently",
        "",
        "The rulebooks were printed in several languages, and they do not agree everywhere.",
        "[This table](../rules.md#where-the-printed-languages-differ) compares them in English. The lists",
        "below are in the language of the rulebook: each names the rule, what is printed, and what we play.",
        "",
    ]
    for language, name in LANGUAGES.items():
        text = text_of(language)
        found = re.search(
            r"^(?P<lead>\*\*.+?\*\*.*?)\n\n(?P<list>- .*?)(?=\n## )", _after(text, "rulings"), re.MULTILINE | re.DOTALL
        )
        assert found is not None, f"{language}: the rules have no list of what the rulebook prints"
        lines += [f"## {name} {{#{language}}}", "", found["lead"], "", found["list"], ""]
    return "\n".join(lines)


def _after(text: str, chapter: str) -> str:
    """Return the text from a chapter on."""
    return next(text[found.end() :] for found in _HEADING.finditer(text) if found["id"] == chapter)
