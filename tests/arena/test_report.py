"""The report and its plots are one self-contained page."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema_rs
import pytest

from granada.arena.html_report import report
from granada.arena.json_report import as_data
from granada.arena.plots import plot_budgets, plot_ladder, plot_matrix, plot_points, ticks
from granada.arena.standings import Standings
from granada.arena.tournament import Tournament
from tests.arena.tournaments import ODD, played

SVG = "{http://www.w3.org/2000/svg}"
SCHEMA = Path(__file__).parents[2] / "docs" / "arena.schema.json"


@pytest.fixture(scope="module")
def standings() -> Standings:
    """A few games between bots with budgets, and one that always crashes."""
    tournament = Tournament(
        ("greedy:0.1s", "greedy:0.4s", "random", "thrower"), games=2, seed=3, rotate=True, paired=True, bot_files=(ODD,)
    )
    return Standings(tournament, tournament.prepare(), played(tournament))


def page(standings: Standings) -> ET.Element:
    text = report(standings)
    assert text.startswith("<!DOCTYPE html>\n")
    return ET.fromstring(text.removeprefix("<!DOCTYPE html>\n"))


def test_the_page_is_well_formed_and_has_all_plots(standings: Standings) -> None:
    pictures = list(page(standings).iter(f"{SVG}svg"))
    titles = [picture.findtext(f"{SVG}title") for picture in pictures]
    assert titles == [
        "Ratings with 95 % intervals",
        "How often the row was ahead of the column (%)",
        "Mean points by scoring",
        "Rating by budget, with 95 % intervals",
    ]


def test_the_page_needs_no_script_and_nothing_from_outside(standings: Standings) -> None:
    text = report(standings)
    assert "<script" not in text
    assert "javascript:" not in text
    assert not re.findall(r'(?:src|href|url\()\s*=?\s*["\']?(?:https?:)?//', text)
    assert [found for found in page(standings).iter() if found.tag in ("link", "img", "iframe", "object")] == []


def test_the_page_is_light_and_dark(standings: Standings) -> None:
    text = report(standings)
    assert "color-scheme: light dark" in text
    assert text.count("prefers-color-scheme") >= 2


def test_every_plot_tells_its_figures_in_words(standings: Standings) -> None:
    for draw in (plot_ladder, plot_matrix, plot_points, plot_budgets):
        svg = draw(standings)
        assert svg is not None
        picture = ET.fromstring(svg)
        labels = (picture.get("aria-labelledby") or "").split()
        known = {part.get("id"): part.text for part in picture}
        assert picture.get("role") == "img"
        assert len(labels) == 2
        assert all([known[label] for label in labels])
        assert "greedy" in str(known[labels[1]])


def test_names_on_a_page_are_its_own(standings: Standings) -> None:
    names = [part.get("id") for part in page(standings).iter() if part.get("id")]
    assert len(names) == len(set(names))


def test_the_page_shows_who_forfeited_and_why(standings: Standings) -> None:
    words = " ".join(page(standings).itertext())
    assert "thrower lost 6 games: the bot 'thrower'" in words
    assert "failed: KeyError: 'nowhere'" in words
    assert "granada arena --players greedy:0.1s,greedy:0.4s,random,thrower" in words


def test_a_curve_of_budgets_needs_several(standings: Standings) -> None:
    tournament = Tournament(("random", "greedy"), games=1)
    few = Standings(tournament, tournament.prepare(), [])
    assert plot_budgets(few) is None
    assert "let a bot play with several budgets" in report(few)


def test_a_page_of_no_games_is_a_page() -> None:
    tournament = Tournament(("random", "greedy"), games=1)
    assert page(Standings(tournament, tournament.prepare(), [])).tag == "html"


def test_signs_of_html_in_a_reason_are_harmless() -> None:
    from granada.arena.outcome import FORFEIT, Fault, GameOutcome
    from granada.arena.tournament import Pairing

    tournament = Tournament(("random", "greedy"), games=1)
    outcome = GameOutcome(Pairing(1, 1, (0, 1)), FORFEIT, (1,), fault=Fault(0, "<script>alert('&')</script>"))
    text = report(Standings(tournament, tournament.prepare(), [outcome]))
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_marks_of_an_axis_are_round_and_hold_all_values() -> None:
    for low, high in ((0.0, 100.0), (1432.1, 1433.0), (-3.0, 977.0), (5.0, 5.0), (812.0, 2210.0)):
        marks = ticks(low, high)
        assert marks[0] <= low
        assert marks[-1] >= high
        assert 2 <= len(marks) <= 12


def test_the_json_is_what_its_schema_says(standings: Standings) -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    data = json.loads(json.dumps(as_data(standings)))
    jsonschema_rs.validate(schema, data)
    assert data["ends"] == {"finished": 6, "stopped": 0, "forfeit": 6, "void": 0}
    assert [one["player"] for one in data["entrants"]] == list(standings.tournament.players)
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validate(schema, {**data, "games": -1})
