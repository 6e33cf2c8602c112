"""Results in the list of today's daily deal, from games that are played here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import cache, wraps
from typing import ParamSpec

from playwright.sync_api import Page

from granada.bots.builder import BuilderBot
from granada.daily.deal import DailyDeal
from granada.rules.state import Action, State
from tests.daily.games import played
from tests.web import api

P = ParamSpec("P")
#: People with their results before the reader's, from different bots.
NAMES = ("Ursula", "Béla", "Anneliese")


def today() -> date:
    """Return the day of the daily deal."""
    return datetime.now(UTC).date()


def within_a_day(test: Callable[P, None]) -> Callable[P, None]:
    """Decorate a test that fails if the day (UTC) ends meanwhile: then it runs once more."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        day = today()
        try:
            test(*args, **kwargs)
        except Exception:
            if today() == day:
                raise
            test(*args, **kwargs)

    return run


@cache
def record(edition: str, day: date, name: str) -> str:
    """Return the record of a whole game of a deal; other names play other games."""

    def play(state: State) -> Action:
        return BuilderBot(f"{name}{state.n}").choose(state.view(state.seat, remembers=True), state.offers())

    return str(played(DailyDeal(edition, day), play, name=name))


def result_of(days: int) -> dict[str, object]:
    """Return a stored result of that many days ago (web/src/daily/results.ts)."""
    margin = 7 * (days % 3) - 7
    return {
        "edition": "alhambra",
        "date": str(today() - timedelta(days=days)),
        "points": 120 + days,
        "margin": margin,
        "won": margin >= 0,
        "course": ["behind", "level", "ahead"],
        "exact": 8,
        "wall": 11,
    }


def enter(page: Page, name: str, edition: str = "alhambra") -> None:
    """Enter a result for the browser of a page."""
    api.post_text(page, f"/daily/{edition}/today/results", record(edition, today(), name))


def enter_others(page: Page, edition: str = "alhambra") -> None:
    """Enter results of other browsers, unless they are in the list; without a server there is no list."""
    if api.is_site(page) or api.get(page, f"/daily/{edition}/today")["players"] >= len(NAMES):
        return
    browser = page.context.browser
    assert browser is not None
    for name in NAMES:
        other = browser.new_context(base_url=page.url.rpartition("/")[0])
        try:
            text = record(edition, today(), name)
            headers = {"content-type": api.TEXT}
            answer = other.request.post(f"/api/daily/{edition}/today/results", data=text, headers=headers)
            assert answer.ok, answer.text()
        finally:
            other.close()
