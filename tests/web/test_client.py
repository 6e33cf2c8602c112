"""The client's own tests: `npm run test` in web/ (vitest)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from granada.records.replay import Replay
from granada.tables.views import public_view
from tests.kit import rule
from tests.server.npm import install, npm
from tests.web.screens import GOLDEN

CITIES: Final = Path(__file__).parent.parent.parent / "web" / "tests" / "cities.json"
CITIES_OF: Final = ("alhambra-4", "granada-5", "combined-3", "alhambra-3-all-modules")


def test_the_client_passes_its_own_tests() -> None:
    install()
    result = npm("run", "--silent", "test")
    assert result.returncode == 0, f"npm run test:\n{result.stdout}{result.stderr}"


def final_cities() -> list[dict[str, Any]]:
    """Return the cities at the end of some golden games, with the lengths of their walls and moats."""
    found = []
    for name in CITIES_OF:
        reading = Replay((GOLDEN / f"{name}.record").read_text("utf-8"))
        while reading.step():
            pass
        found += [{"city": one.city, "lengths": one.lengths} for one in public_view(reading.state, True).players]
    return found


@rule("7.2", "10.7")
def test_the_client_measures_the_walls_of_real_cities() -> None:
    """`web/tests/stretches.test.ts` compares what the client computes with this file; the rules have written it."""
    assert json.loads(CITIES.read_text("utf-8")) == final_cities()
