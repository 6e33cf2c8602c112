"""What `GET /api/components` says of the rules: clients have no copy of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from granada.records.replay import Replay
from granada.rules.errors import BadOptions
from granada.rules.events import Acted
from granada.rules.options import OLDEST, Options
from granada.tables.components import components

TESTS = Path(__file__).parent.parent
GOLDEN = sorted((TESTS / "golden").glob("*.record"))


@pytest.fixture(scope="module")
def served() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(components())
    return found


def is_accepted(make: Callable[[], Options]) -> bool:
    try:
        make()
    except BadOptions:
        return False
    return True


def test_what_is_served_can_be_combined_and_nothing_else(served: dict[str, Any]) -> None:
    """15: every edition, set of modules, scoring and number of players."""
    modules = served["modules"]
    subsets = list(chain.from_iterable(combinations(modules, n) for n in range(len(modules) + 1)))
    for edition, chosen, scoring, players in product(served["editions"], subsets, served["scorings"], range(10)):
        facts = served["combinations"][edition]
        expected = set(chosen) <= set(facts["modules"]) and scoring in facts["scorings"] and players in facts["players"]
        accepted = is_accepted(lambda: Options(edition, players, chosen, scoring))  # noqa: B023
        assert accepted == expected, (edition, chosen, scoring, players)


def test_the_kinds_of_tile_of_an_edition_are_served(served: dict[str, Any]) -> None:
    found = {edition: facts["kinds"] for edition, facts in served["combinations"].items()}
    assert found == {"alhambra": ["alhambra"], "granada": ["granada"], "combined": ["alhambra", "granada"]}


def test_ages_up_to_the_highest_are_accepted(served: dict[str, Any]) -> None:
    assert served["oldest"] == OLDEST
    assert is_accepted(lambda: Options(players=2, ages=(0, OLDEST)))
    assert not is_accepted(lambda: Options(players=2, ages=(0, OLDEST + 1)))


def test_every_choice_of_a_game_is_at_a_step_with_its_verb(served: dict[str, Any]) -> None:
    steps, chosen = served["steps"], set()
    for path in GOLDEN:
        reading = Replay(path.read_text("utf-8"), trusted=True)
        while True:
            state = reading.state
            word, is_on_turn = (
                state.step.word if not state.is_over else "",
                not state.is_over and state.seat == state.turn,
            )
            if not reading.step():
                break
            acted = reading.state.events[0]
            assert isinstance(acted, Acted)
            assert acted.action.verb in steps[word]["verbs"], (path.name, state.n, word)
            assert is_on_turn or word != "act"
            chosen.add(word)
    assert chosen == set(steps)


def test_only_the_steps_of_a_turn_are_part_of_one(served: dict[str, Any]) -> None:
    """3.1, 4.1; not before a scoring (13.2), with left-over tiles (8.3) or between turns (11.2)."""
    found = {word for word, facts in served["steps"].items() if facts["is_of_turn"]}
    assert found == {"act", "place"}


def test_the_unit_tests_of_the_client_use_what_is_served(served: dict[str, Any]) -> None:
    stored = (TESTS.parent / "web" / "tests" / "messages" / "components.json").read_bytes()
    assert msgspec.json.decode(stored) == served
