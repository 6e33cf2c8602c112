"""`granada draw`."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from granada import replay
from granada.drawing import draw_table, svg_table
from tests.cli.command import complaint, output


def test_it_draws_the_table_after_some_actions(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.svg"
    assert output("draw", record, "--at", 20, "--out", out) == ""
    reading = replay(record.read_text("utf-8"), until=20)
    assert out.read_text("utf-8") == svg_table(reading.state, reading.record.names) + "\n"
    assert ElementTree.parse(out).getroot().tag.endswith("svg")


def test_it_draws_the_end_with_characters_on_the_standard_output(record: Path) -> None:
    reading = replay(record.read_text("utf-8"))
    assert output("draw", record, "--text") == draw_table(reading.state, reading.record.names) + "\n"


def test_it_draws_what_a_seat_may_see(record: Path) -> None:
    reading = replay(record.read_text("utf-8"), until=7)
    drawn = output("draw", record, "--at", 7, "--text", "--seat", 2)
    assert drawn == draw_table(reading.state.view(1), reading.record.names) + "\n"


def test_it_draws_games_that_did_not_end(record: Path, partial: Path) -> None:
    assert output("draw", partial, "--at", 7) == output("draw", record, "--at", 7)
    assert output("draw", partial, "--partial").startswith("<svg")


def test_there_is_no_table_before_the_beginning_or_after_the_end(record: Path) -> None:
    count = replay(record.read_text("utf-8")).state.n
    assert output("draw", record, "--at", count) == output("draw", record)
    assert "'-1' is not a whole number from 0" in complaint("draw", record, "--at", -1)
    told = complaint("draw", record, "--at", count + 1)
    assert told == f"granada: error: {record} has {count} actions, so there is no table after {count + 1}\n"


def test_there_must_be_such_a_seat(record: Path) -> None:
    assert complaint("draw", record, "--seat", 3).startswith(f"granada: error: there is no seat 3 in {record}, only 2")
    assert "'0' is not a whole number from 1 to 6" in complaint("draw", record, "--seat", 0)


def test_it_draws_with_words_of_five_languages(record: Path) -> None:
    reading = replay(record.read_text("utf-8"), until=20)
    drawn = output("draw", record, "--at", 20, "--language", "nl")
    assert drawn == svg_table(reading.state, reading.record.names, "nl") + "\n"
    assert ">Bouwplaats<" in drawn
    assert "invalid choice: 'xx'" in complaint("draw", record, "--language", "xx")
