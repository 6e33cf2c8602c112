"""The lessons of the tutorial: valid positions, existing highlighted pieces, and legal expected actions."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from granada import State, action_text, parse_action, replay, tile
from granada.locales import LANGUAGES, catalogue
from granada.rules.cells import parse_cell
from granada.rules.placing import PLACING
from granada.rules.scoring import score_rows
from granada.rules.stretches import MOAT, WALL

HERE = Path(__file__).parents[1] / "web" / "src" / "learn" / "lessons"
LESSONS: list[dict[str, Any]] = json.loads((HERE / "lessons.json").read_text("utf-8"))
PARTS = [(lesson, i) for lesson in LESSONS for i in range(len(lesson["parts"]))]
IDS = [f"{lesson['id']}.{i + 1}" for lesson, i in PARTS]


def record(lesson: dict[str, Any]) -> str:
    """Return the record of the game that a lesson uses."""
    return (HERE / f"{lesson['record']}.record").read_text("utf-8")


def position(lesson: int, part: int = 0, further: int = 0) -> State:
    """Return the position at the start of a part, or `later` actions after it."""
    found = LESSONS[lesson - 1]
    return replay(record(found), partial=True, until=found["parts"][part]["at"] + further).state


def actions(lesson: dict[str, Any], part: int) -> list[str]:
    """Return the actions of the record from the start of a part on, with their seats."""
    lines = [line for line in record(lesson).splitlines() if re.match(r"\d ", line)]
    return lines[lesson["parts"][part]["at"] :]


def is_meant(step: dict[str, Any], action: str) -> bool:
    """Return whether a step expects an action; the client compares in the same way."""
    return any([fnmatchcase(action, pattern) for pattern in step["do"]])


def wall(state: State) -> int:
    """Return the longest wall or moat of the learner."""
    kind = MOAT if state.options.edition == "granada" else WALL
    return len(state.players[0].city.stretches()[kind])


def points(state: State, item: str, scoring: str = "B") -> list[int]:
    """Return the points of each seat for an item."""
    found = {row.seat: row.points for row in score_rows(state, scoring) if row.item == item}
    return [found.get(seat, 0) for seat in range(3)]


def refusal(state: State, text: str) -> str:
    """Return the rule that forbids an action; empty if it is legal."""
    return state.is_legal(parse_action(text, state.options.components)).rule


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: str(lesson["id"]))
def test_the_record_keeps_the_rules(lesson: dict[str, Any]) -> None:
    """Every line of the records behind the lessons is valid."""
    reading = replay(record(lesson), partial=True)
    assert str(reading.record) == record(lesson)
    assert len(reading.state.players) == 3


@pytest.mark.parametrize(("lesson", "part"), PARTS, ids=IDS)
def test_what_is_meant_is_what_the_record_plays(lesson: dict[str, Any], part: int) -> None:
    """Each step that expects an action expects the one in the record, so it is legal whatever is drawn."""
    state = position(lesson["id"], part)
    assert state.seat == 0
    played = iter(actions(lesson, part))
    steps = [step for step in lesson["parts"][part]["steps"] if "do" in step]
    for i, step in enumerate(steps):
        seat, _, action = next(played).partition(" ")
        assert seat == "1"
        assert is_meant(step, action)
        for pattern in step["do"]:
            assert any([fnmatchcase(action_text(offer), pattern) for offer in state.offers()]), pattern
        # Only the last action of a part may draw at random.
        state = position(lesson["id"], part, i + 1)
        assert state.seat == 0 or step is steps[-1]


@pytest.mark.parametrize(("lesson", "part"), PARTS, ids=IDS)
def test_what_is_pointed_at_lies_there(lesson: dict[str, Any], part: int) -> None:
    """The pieces that a step highlights are on the table when it starts."""
    done = 0
    for step in lesson["parts"][part]["steps"]:
        state = position(lesson["id"], part, done)
        there = {
            "yard": [face.name for face in state.yard if face is not None],
            "display": [card.name for card in state.display],
            "hand": [card.name for card in state.players[0].hand()],
            "tray": [face.name for face in state.tray],
            "reserve": [face.name for face in state.players[0].reserve],
        }
        for name in " ".join(step["point"]).split():
            kind, _, value = name.partition(":")
            if kind in there and value:
                assert value in there[kind], (step["say"], name)
        done += "do" in step


def test_the_coach_says_every_step_in_every_language() -> None:
    """No sentence is missing, and none is too long for a phone."""
    said = {f"coach.{step['say']}" for lesson in LESSONS for part in lesson["parts"] for step in part["steps"]}
    for language in LANGUAGES:
        words = catalogue(language)
        assert said == {key for key in words if key.startswith("coach.")}
        for key in said:
            assert len(str(words[key])) <= 140, (language, key)
        for lesson in LESSONS:
            assert {f"lesson.{lesson['id']}", f"lesson_say.{lesson['id']}"} <= set(words)


# What the coach says is true


def test_paying_exactly() -> None:
    """Lesson 2: two tiles can be paid exactly, one only with overpayment, one not at all."""
    offers = [action_text(offer) for offer in position(2).offers() if action_text(offer).startswith("buy")]
    assert offers == [
        "buy garden-8-NW with y5 y3",
        "buy chambers-9-S with g8 g1",
        "buy arcades-6-SW with b8",
    ]
    assert position(2, 0, 3).step is PLACING


def test_placing() -> None:
    """Lesson 3: rule 5.3 forbids the cell above the Garden, and the wall grows from 2 to 5."""
    assert refusal(position(3), "place garden-8-NW at 1,0") == "5.2"
    last = position(3, 0, 2)
    assert refusal(last, "place arcades-6-SW at -1,-1") == "5.3"
    assert [wall(position(3, 0, 1)), wall(last), wall(position(3, 0, 3))] == [2, 2, 5]


def test_rebuilding() -> None:
    """Lesson 4: the Pavilion fits nowhere, the Seraglio is in the way, and the wall grows from 5 to 7 to 8."""
    assert [action_text(offer) for offer in position(4).offers()] == ["reserve pavilion-5-NW"]
    blocked = position(4, 2)
    assert not blocked.players[0].city.cells_for(tile("tower-11-N"))
    assert refusal(position(4, 3), "add tower-11-N at 1,-1") == ""
    assert [wall(position(4, 1)), wall(blocked), wall(position(4, 3, 1))] == [5, 7, 8]


def test_scoring() -> None:
    """Lesson 5: B is certain to be the next card; the Garden breaks a tie."""
    state = position(5)
    top = state.deck.piles[0]
    assert top.score is not None
    assert (top.score.name, top.plain()) == ("B", state.deck.drawn)
    assert points(state, "garden") == [8, 0, 8]
    assert wall(state) == 18
    scored = position(5, 0, 3)
    rows = [row for row in scored.rows if row.scoring == "B"]
    assert {row.seat: row.points for row in rows if row.item == "garden"} == {0: 12, 2: 5}
    assert {row.item: row.points for row in rows if row.seat == 0}["wall"] == 18
    assert sum([row.points for row in rows if row.seat == 0]) == 48


def test_two_faces() -> None:
    """Lesson 6: the higher price breaks the tie of Markets, wherever the Market is built."""
    state = position(6)
    assert tile("hostel-10").back is tile("market-11")
    assert points(state, "market") == [0, 8, 4]
    placing = position(6, 0, 2)
    for offer in placing.offers():
        if is_meant(LESSONS[5]["parts"][0]["steps"][5], action_text(offer)):
            after = placing.copy()
            after.players[0].city = after.players[0].city.build(
                tile("market-11"), parse_cell(action_text(offer).split()[3])
            )
            assert points(after, "market") == [10, 5, 0]
    assert refusal(placing, "place hostel-10 at 3,0 as market-11 with o3") == ""
