"""Adding a folder to src/granada/locales adds a language, in Python and in the client."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from build_page import WEB, require_node
from granada.locales import LANGUAGES, SECTIONS, Locales, plural
from granada.locales.plurals import category
from tests.server.npm import install

FOLDER = Path(__file__).parent.parent / "src" / "granada" / "locales"
NUMBERS = [*range(1101), 9_999, 10_000, 21_001, 100_000, 999_999, 1_000_000, 1_000_001, 2_000_000, 10**9]
#: The plural rules of a language with all categories, and of one with few forms and no `one`.
RULES = {
    "ar": {"zero": "n = 0", "one": "n = 1", "two": "n = 2", "few": "n % 100 = 3..10", "many": "n % 100 = 11..99"},
    "pl": {
        "one": "i = 1 and v = 0",
        "few": "v = 0 and i % 10 = 2..4 and i % 100 != 12..14",
        "many": "v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14",
    },
}


def run_node(script: str, **environment: str) -> Any:
    """Run a module in the folder of the client and return the JSON that it prints."""
    node = require_node()
    ran = subprocess.run(
        [str(node.folder / "node"), "--input-type=module", "--eval", script],
        cwd=WEB,
        env={"PATH": str(node.folder), **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@cache
def browser_categories() -> dict[str, list[str]]:
    """Return the plural categories of all numbers in all languages, according to the browser's Intl."""
    script = """
        const [tags, numbers] = JSON.parse(process.env.ASKED);
        const of = (tag) => numbers.map((number) => new Intl.PluralRules(tag).select(number));
        console.log(JSON.stringify(Object.fromEntries(tags.map((tag) => [tag, of(tag)]))));
    """
    found: dict[str, list[str]] = run_node(script, ASKED=json.dumps([[*LANGUAGES, *RULES], NUMBERS]))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_python_and_browsers_agree_on_plural_forms(language: str) -> None:
    assert [plural(language, number) for number in NUMBERS] == browser_categories()[language]


@pytest.mark.parametrize("language", RULES)
def test_the_rules_of_other_languages_can_be_written_down(language: str) -> None:
    assert [category(RULES[language], number) for number in NUMBERS] == browser_categories()[language]


@pytest.mark.parametrize("rule", ["i = 1 &", "x = 1", "i == 1", "i = 1 and", ""])
def test_a_rule_that_is_not_one_is_refused(rule: str) -> None:
    with pytest.raises(ValueError, match="CLDR"):
        category({"one": rule}, 1)


@pytest.fixture
def with_polish(tmp_path: Path) -> Path:
    """Return a copy of the folder of languages, with an additional, partly translated one."""
    folder = tmp_path / "locales"
    shutil.copytree(FOLDER, folder)
    (folder / "pl").mkdir()
    language = {"name": "Polski", "plurals": RULES["pl"]}
    (folder / "pl" / "language.json").write_text(json.dumps(language), "utf-8")
    forms = {"one": "{n} kafelek", "few": "{n} kafelki", "many": "{n} kafelków", "other": "{n} kafelka"}
    (folder / "pl" / "table.json").write_text(json.dumps({"fit.short": forms}), "utf-8")
    (folder / "pl" / "rules.md").write_text("## O grze {#about}\n\nTekst.\n", "utf-8")
    return folder


TEXTS = ["1 kafelek", "3 kafelki", "5 kafelków", "12 kafelków", "22 kafelki"]


def test_a_new_folder_is_a_new_language_in_python(with_polish: Path) -> None:
    locales = Locales(with_polish)
    assert locales.names == {**LANGUAGES, "pl": "Polski"}
    assert [*locales.names] == sorted(locales.names)
    assert [locales.translate("pl", "fit.short", n=number) for number in (1, 3, 5, 12, 22)] == TEXTS
    english = locales.catalogue("en")
    assert locales.catalogue("pl") == {**english, "fit.short": locales.catalogue("pl")["fit.short"]}
    assert not set(SECTIONS) & set(locales.names)


def test_a_new_folder_is_a_new_language_in_the_client(with_polish: Path) -> None:
    """Runs the real modules of the client, bundled as in its build; only browser features are replaced."""
    install()
    script = """
        import { createServer } from "vite";
        globalThis.document = { documentElement: {}, querySelector: () => null };
        globalThis.location = new URL("http://localhost/");
        const server = await createServer({ logLevel: "error", server: { middlewareMode: true, ws: false } });
        const { LANGUAGES } = await server.ssrLoadModule("virtual:languages");
        const i18n = await server.ssrLoadModule("/src/lib/i18n.svelte.ts");
        const rules = await server.ssrLoadModule("/src/learn/rules/text.ts");
        await i18n.chooseLanguage("pl");
        await i18n.loadAllMessages();
        console.log(JSON.stringify({
            names: i18n.LANGUAGE_NAMES,
            current: [i18n.currentLanguage(), document.documentElement.lang],
            texts: [1, 3, 5, 12, 22].map((n) => i18n.t("fit.short", { n })),
            fallback: i18n.t("app.language"),
            rules: (await rules.loadRules("pl"))[0].chapters[0].title,
        }));
        await server.close();
    """
    found = run_node(script, GRANADA_LOCALES=str(with_polish))
    assert found["names"] == {**LANGUAGES, "pl": "Polski"}
    assert found["current"] == ["pl", "pl"]
    assert found["texts"] == TEXTS
    assert found["fallback"] == Locales(with_polish).translate("en", "app.language")
    assert found["rules"] == "O grze"
