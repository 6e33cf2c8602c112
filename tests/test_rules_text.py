"""The rules page of the client: the same chapters in five languages, all rules, correct numbers, correct examples."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from granada import City, tile
from granada.locales import LANGUAGES, catalogue, translate
from granada.rules.cells import cell_text, parse_cell
from granada.rules.city import new_city
from granada.rules.lawful import is_lawful
from granada.rules.money import LETTERS
from granada.rules.scoring import ALHAMBRA_POINTS, GRANADA_FACTORS, RUN_POINTS, SCORINGS, SIMPLIFIED_POINTS, hut_worth
from granada.rules.stretches import RUN, WALL
from granada.rules.tiles import ALHAMBRA, ALHAMBRA_TYPES, EDGES, GRANADA_TYPES
from tests.kit import build, display, hand, play, position, refusal, reserve, row, shares, yard
from tests.rules.test_every_rule import numbers

ROOT = Path(__file__).parent.parent
LEARN = ROOT / "web" / "src" / "learn"
#: As in web/markdown.ts.
HEADING = re.compile(r"^## (.+?) \{#([\w-]+)(?: ([\w-]+))?\}$")
#: As in web/src/learn/rules/text.ts.
NUMBER = re.compile(r"\((\d{1,2}\.\d{1,2}|15)\)")
#: Every step of the table links to one of these.
LINKED = [
    *("about", "components", "setup"),
    *("turn", "money", "buy", "exact", "rebuild"),
    *("placing", "building", "holes", "end-of-turn"),
    *("scoring", "scoring-walls", "scoring-alhambra", "scoring-granada", "simplified", "end"),
    *("dirk", "granada", "combined"),
    *("vizier", "exchange", "bonus", "huts", "combining"),
    *("secrets", "rulings", "reconstruction"),
]


class Chapter(NamedTuple):
    """A chapter of a text."""

    title: str
    id: str
    picture: str
    body: str


@cache
def chapters(language: str) -> dict[str, Chapter]:
    """Return the chapters of a language by id."""
    found: list[Chapter] = []
    for line in (ROOT / "src" / "granada" / "locales" / language / "rules.md").read_text("utf-8").split("\n"):
        if heading := HEADING.match(line):
            found.append(Chapter(heading[1], heading[2], heading[3] or "", ""))
        else:
            assert not line.startswith("## "), f"{language}: {line} is no heading of a chapter"
            found[-1] = found[-1]._replace(body=f"{found[-1].body}{line}\n")
    assert len({chapter.id for chapter in found}) == len(found)
    return {chapter.id: chapter for chapter in found}


def table(language: str, chapter: str) -> list[list[str]]:
    """Return the rows of the table in a chapter, header first."""
    rows = [line.strip("|").split("|") for line in chapters(language)[chapter].body.split("\n") if line.startswith("|")]
    return [[cell.strip() for cell in cells] for cells in rows if not cells[0].startswith("---")]


def places(points: tuple[tuple[int, ...], ...], form: str) -> list[list[str]]:
    """Return the rows of a table of points, one per scoring, with a dash for places without points."""
    return [
        [letter, *[form.format(of) for of in some], *["–"] * (3 - len(some))]
        for letter, some in zip(SCORINGS, points, strict=True)
    ]


# The text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_chapters_and_pictures(language: str) -> None:
    assert [*chapters(language)] == LINKED
    assert [one.picture for one in chapters(language).values()] == [one.picture for one in chapters("en").values()]
    for one, other in zip(chapters(language).values(), chapters("en").values(), strict=True):
        assert one.title
        assert one.body.strip(), one.id
        assert language == "en" or one.body != other.body, f"{one.id} is not translated"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_is_in_the_same_chapter_in_all_languages(language: str) -> None:
    cited = {id: NUMBER.findall(chapter.body) for id, chapter in chapters(language).items()}
    assert cited == {id: NUMBER.findall(chapter.body) for id, chapter in chapters("en").items()}
    assert [id for id, some in cited.items() if not some] == []
    everywhere = [number for some in cited.values() for number in some]
    assert sorted(set(everywhere)) == sorted(numbers())
    # Except in the last two chapters, which refer back, each rule is cited once.
    once = [number for id, some in cited.items() for number in some if id not in ("rulings", "reconstruction")]
    assert len(once) == len(set(once))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_is_listed(language: str) -> None:
    rules = re.split(r"^(?=\d+\.\d+ |## )", (ROOT / "docs" / "rules.md").read_text("utf-8"), flags=re.MULTILINE)
    decided = [text.split(" ")[0] for text in rules if "**Ruling**" in text and text[0].isdigit()]
    assert len(decided) > 15
    assert set(decided) <= set(NUMBER.findall(chapters(language)["rulings"].body))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_leads_to_a_chapter(language: str) -> None:
    links = [link for chapter in chapters(language).values() for link in re.findall(r"\]\(([^)]*)\)", chapter.body)]
    assert len(links) > 15
    assert {link.removeprefix("#") for link in links} <= set(chapters(language))
    assert all(link.startswith("#") for link in links)


def test_every_step_that_links_to_the_rules_finds_its_chapter() -> None:
    sources = [path.read_text("utf-8") for kind in ("*.svelte", "*.ts") for path in LEARN.parent.rglob(kind)]
    linked = {id for text in sources for id in re.findall(r"/rules#([\w.-]+)", text) if not id[0].isdigit()}
    assert linked <= set(LINKED)


@pytest.mark.parametrize("language", LANGUAGES)
def test_types_and_currencies_have_their_names(language: str) -> None:
    body = chapters(language)["components"].body.lower()
    for family, members in (("type", (*ALHAMBRA_TYPES, *GRANADA_TYPES)), ("currency", tuple(LETTERS))):
        assert [name for name in members if translate(language, f"{family}.{name}").lower() not in body] == []


# Where the printed languages differ

#: The topics of the table in docs/rules.md: the rule, and the languages whose rulebook prints something different.
DIFFERENT = [
    ("3.2", ["hu"]),
    ("4.2", ["fr"]),
    ("5.5", ["en", "fr", "hu"]),
    ("6.1", ["de"]),
    ("6.2", ["de", "en", "fr", "hu"]),
    ("7.4", ["en", "hu"]),
    ("7.5", ["de", "fr", "nl"]),
    ("8.2", ["hu"]),
    ("8.3", ["de", "fr", "nl"]),
    ("8.3", []),
    ("9.5", ["fr"]),
    ("9.6", ["fr", "hu"]),
]
#: The words in each language that introduce what is printed and what is played, and that say both are the same.
PRINTED = {
    "en": ("Printed", "Played: ", "the same"),
    "de": ("Gedruckt", "Gespielt: ", "ebenso"),
    "fr": ("Imprimé", "Joué\u00a0: ", "de même"),
    "nl": ("Gedrukt", "Gespeeld: ", "hetzelfde"),
    "hu": ("Nyomtatva", "Játék: ", "ugyanígy"),
}


def items(language: str, chapter: str) -> list[str]:
    """Return the items of the lists in a chapter, each on one line."""
    found: list[str] = []
    for line in chapters(language)[chapter].body.split("\n"):
        if line.startswith("- "):
            found.append(line.removeprefix("- "))
        elif line.startswith("  ") and found:
            found[-1] += " " + line.strip()
    return found


def test_the_docs_say_where_the_printed_languages_differ() -> None:
    text = (ROOT / "docs" / "rules.md").read_text("utf-8")
    rows = text.split("## Where the printed languages differ")[1].strip().split("\n|---|---|---|\n")[1].split("\n")
    assert len(rows) == len(DIFFERENT)
    assert all(row.count("|") == 4 for row in rows)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reader_finds_what_the_rulebook_of_the_language_prints(language: str) -> None:
    printed, played, same = PRINTED[language]
    lines = [line for line in items(language, "rulings") if printed in line]
    assert [NUMBER.findall(line)[:1] for line in lines] == [[number] for number, _ in DIFFERENT]
    for line, (number, others) in zip(lines, DIFFERENT, strict=True):
        assert line.count(played) == 1, line
        assert line.split(played)[1].startswith(same) is (language not in others), (number, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_tells_when_left_over_tiles_are_placed_in_each_game(language: str) -> None:
    (paragraph,) = [text for text in chapters(language)["end"].body.split("\n\n") if "(8.3)" in text]
    assert "Granad" in paragraph
    assert "Alhambr" in paragraph


#: Statements that the page must contain: huts are shuffled, which tiles touch as usual, and players who kept their
#: bonus cards are asked again.
NEEDED = {
    "en": ("shuffled", "between tiles of the same kind", "asked again"),
    "de": ("gemischt", "Zwischen Plättchen derselben Sorte", "noch einmal gefragt"),
    "fr": ("mélangées", "Entre tuiles de la même sorte", "on redemande à ceux qui ont gardé"),
    "nl": ("geschud", "Tussen tegels van dezelfde soort", "opnieuw gevraagd"),
    "hu": ("megkeveritek", "Az azonos készletből való lapkák között", "újra megkérdezi"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_could_be_misread_is_said(language: str) -> None:
    huts, building, asking = NEEDED[language]
    assert huts in chapters(language)["huts"].body.split("(14.1)")[0]
    assert building in chapters(language)["combined"].body.split("(10.5)")[0]
    (ruling,) = [item for item in items(language, "rulings") if item.startswith("(13.2)")]
    assert asking in ruling


# The numbers


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_tiles_is_right(language: str) -> None:
    expected: list[list[str]] = []
    for type_ in ALHAMBRA_TYPES:
        prices = [price for name, price in _alhambra_tiles() if name == type_]
        expected.append([translate(language, f"type.{type_}"), str(len(prices)), f"{min(prices)}–{max(prices)}"])
    assert table(language, "components")[1:] == expected


def _alhambra_tiles() -> list[tuple[str, int]]:
    lines = (ROOT / "src" / "granada" / "data" / "alhambra_tiles.csv").read_text("utf-8").split()[1:]
    return [(type_, int(price)) for type_, price, _ in [line.split(",") for line in lines]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_points_of_alhambra_are_right(language: str) -> None:
    expected = [
        [translate(language, f"type.{type_}"), *[str(of + index) for some in ALHAMBRA_POINTS for of in some]]
        for index, type_ in enumerate(ALHAMBRA_TYPES)
    ]
    assert expected[-1][-3:] == ["21", "13", "6"]
    assert table(language, "scoring-alhambra")[1:] == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_points_of_granada_are_right(language: str) -> None:
    assert table(language, "scoring-granada")[1:] == places(GRANADA_FACTORS, "{} × n")
    assert table(language, "simplified")[1:] == places(SIMPLIFIED_POINTS, "{}")


# The pictures


@cache
def examples() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((LEARN / "rules" / "examples.json").read_text("utf-8"))
    return found


def pictures() -> set[str]:
    """Return the names of the existing pictures."""
    text = (LEARN / "RulePicture.svelte").read_text("utf-8")
    return set(re.findall(r'^    "?([\w-]+)"?: RulePicture\w+,$', text, re.MULTILINE))


def test_every_picture_is_drawn_used_and_explained() -> None:
    used = {chapter.picture for chapter in chapters("en").values()} - {""}
    assert len(used) >= 10
    assert used == pictures()
    assert {f"rules.caption.{name}" for name in used} == _keys("rules.caption.")


def _keys(family: str) -> set[str]:
    return {key for key in catalogue("en") if key.startswith(family)}


def test_every_panel_has_its_words() -> None:
    panels = [
        *[panel for some in examples()["cities"].values() for panel in some],
        *[panel for some in examples()["money"].values() for panel in some["panels"]],
        *examples()["rebuild"],
        *examples()["exact"],
    ]
    steps = re.search(r"STEPS = \[(.*?)\]", (LEARN / "RulePictureTurn.svelte").read_text("utf-8"))
    assert steps is not None
    said = {panel["say"] for panel in panels} | set(re.findall(r'"(\w+)"', steps[1]))
    assert {f"rules.say.{name}" for name in said} == _keys("rules.say.")


def cities() -> list[Any]:
    return [pytest.param(panel, id=panel["say"]) for some in examples()["cities"].values() for panel in some]


def built(cells: dict[str, str], without: str | None = None) -> City:
    """Return the city of an example."""
    some = [f"{name} at {cell}" for cell, name in cells.items() if not name.startswith("start-") and cell != without]
    return build(new_city(ALHAMBRA), *some)


@pytest.mark.parametrize("example", cities())
def test_the_examples_of_building_are_true(example: dict[str, Any]) -> None:
    new = example.get("new")
    city = built(example["city"], new)
    assert is_lawful(city)
    if new is None:
        return
    verdict = city.verdict(tile(example["city"][new]), parse_cell(new))
    # Tiles cannot be rotated (5.1), so the library has no function for it.
    expected = "" if example.get("is_allowed") or example["rule"] == "5.1" else example["rule"]
    assert verdict.rule == expected
    assert example.get("is_allowed", False) is ("rule" not in example)
    assert ("turned" in example) is (example.get("rule") == "5.1")


@pytest.mark.parametrize("example", [one for one in cities() if "stretch" in one.values[0]])
def test_the_examples_of_stretches_are_true(example: dict[str, Any]) -> None:
    what, worth = {"wall": (WALL, 1), "run": (RUN, RUN_POINTS)}[example["stretch"]]
    stretch = built(example["city"]).stretches()[what]
    assert sorted(example["edges"]) == sorted([f"{cell_text(edge // 4)} {EDGES[edge % 4]}" for edge in stretch])
    assert example["points"] == len(stretch) * worth


def test_the_example_of_a_hut_is_true() -> None:
    (example,) = examples()["cities"]["hut"]
    state = position("alhambra", 3, "huts")
    state.players[0].city = built(example["city"])
    place = parse_cell(example["hut"])
    assert hut_worth(state.players[0], place, state.players[0].city.tile_on(place)) == example["worth"]


@pytest.mark.parametrize("panel", examples()["money"]["take"]["panels"])
def test_the_examples_of_taking_money_are_true(panel: dict[str, Any]) -> None:
    state = position()
    display(state, " ".join(examples()["money"]["take"]["display"]))
    assert refusal(state, f"take {' '.join(panel['cards'])}") == ("" if panel["is_allowed"] else "3.2")


@pytest.mark.parametrize("name", ["pay", "exchange"])
def test_the_examples_of_paying_are_true(name: str) -> None:
    example = examples()["money"][name]
    for panel in example["panels"]:
        state = position("alhambra", 3, "exchange")
        yard(state, *[example["tile"] if letter == example["space"] else "-" for letter in LETTERS])
        hand(state, 0, " ".join(panel["cards"]))
        rule = refusal(state, f"buy {example['tile']} with {' '.join(panel['cards'])}")
        assert (rule == "") is panel["is_allowed"], panel


def test_the_example_of_acting_again_is_true() -> None:
    *bought, last = examples()["exact"]
    state = position()
    tiles = {step["space"]: step["tile"] for step in bought}
    yard(state, *[tiles.get(letter, "garden-12-S") for letter in LETTERS])
    hand(state, 0, " ".join([card for step in bought for card in step["cards"]]))
    display(state, " ".join(last["cards"]))
    for step in bought:
        play(state, f"buy {step['tile']} with {' '.join(step['cards'])}")
        assert state.seat == 0
    assert refusal(state, f"take {' '.join(last['cards'])}") == ""


@pytest.mark.parametrize("example", examples()["rebuild"])
def test_the_examples_of_rebuilding_are_true(example: dict[str, Any]) -> None:
    state = position()
    player = state.players[0]
    player.city = built(example["before"])
    reserve(state, 0, *example["reserve"])
    assert is_lawful(player.city)
    play(state, example["action"])
    assert state.players[0].city == built(example["city"])
    assert [one.name for one in state.players[0].reserve] == example["after"]


@pytest.mark.parametrize("name", ["majority", "majority-granada"])
def test_the_examples_of_majorities_are_true(name: str) -> None:
    example = examples()["majorities"][name]
    state = position(example["edition"], len(example["rows"]))
    for seat, line in enumerate(example["rows"]):
        row(state, seat, *line["tiles"])
    points = [line["points"] for line in example["rows"]]
    assert shares(state, example["scoring"], example["type"]) == points
    assert [line["place"] for line in example["rows"]] == [1 + sum(more > own for more in points) for own in points]


def test_the_example_of_a_left_over_tile_is_true() -> None:
    example = examples()["leftovers"]
    most = {
        one["name"]: sum(int(card[1:]) for card in one["cards"] if card[0] == example["space"])
        for one in example["hands"]
    }
    assert [name for name, money in most.items() if money == max(most.values())] == [example["winner"]]
