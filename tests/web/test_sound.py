"""The sounds: off until they are switched on, as loud as chosen, and never before the page is touched."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.running import RunningServer
from tests.web.motions import Duel
from tests.web.screens import ready
from tests.web.visitors import Look, NewPage

#: Records the first frequency of every tone and the loudest gain.
PROBE = """(() => {
  window.tones = [];
  window.loudest = 0;
  const Real = window.OscillatorNode;
  window.OscillatorNode = class extends Real {
    constructor(context, options) { super(context, options); window.tones.push(Math.round(options.frequency)); }
  };
  const ramp = AudioParam.prototype.exponentialRampToValueAtTime;
  AudioParam.prototype.exponentialRampToValueAtTime = function (value, time) {
    if (value < 1) window.loudest = Math.max(window.loudest, value);
    return ramp.call(this, value, time);
  };
})()"""
CARD, TILE, EXACT, TURN, STEP = 520, 190, [784, 988, 1319], 523, 659


def choose(page: Page, **settings: object) -> None:
    """Let the page begin with settings."""
    page.add_init_script(
        f"localStorage.setItem('granada.settings', JSON.stringify({settings!r}))".replace("True", "true")
    )
    page.add_init_script(PROBE)


def tones(page: Page) -> list[int]:
    found: list[int] = page.evaluate("() => window.tones")
    return found


def play(
    browser: Browser,
    server: RunningServer,
    page: Page,
    n: int,
    *actions: str,
    record: str = "alhambra-4",
    is_deciding: bool = True,
) -> None:
    """Touch a table and play actions at it, as the player who decides or as the next one."""
    other = browser.new_context(base_url=server.url)
    table = Duel(page, other.request, record, n, is_deciding)
    page.wait_for_selector(".motion-layer", state="attached")
    page.locator("#h-city").click()
    for action in actions:
        n = int(table.table.state()["n"])
        table.act(action)
        expect(table.table.root).to_have_attribute("data-n", str(n + 1))
    other.close()


@pytest.mark.parametrize("moves", [True, False])
def test_a_turn_is_heard(new_page: NewPage, browser: Browser, server: RunningServer, moves: bool) -> None:
    """Also under reduced motion: a card for the payment, the tile, and that it is paid exactly."""
    page = new_page(Look(moves=moves))
    choose(page, sound=True)
    play(browser, server, page, 2, "buy garden-10-N with y8 y2")
    page.wait_for_function("() => window.tones.length >= 6")
    assert {CARD, TILE, *EXACT} <= set(tones(page))


def test_your_turn_is_heard(page: Page, browser: Browser, server: RunningServer) -> None:
    choose(page, sound=True)
    play(browser, server, page, 0, is_deciding=False)
    assert TURN not in tones(page)
    play(browser, server, page, 0, "take g9", is_deciding=False)
    page.wait_for_function("(turn) => window.tones.includes(turn)", arg=TURN)


def test_each_step_of_a_scoring_is_heard(page: Page, browser: Browser, server: RunningServer) -> None:
    choose(page, sound=True)
    play(browser, server, page, 110, "keep", record="alhambra-3-all-modules")
    page.wait_for_function("(step) => window.tones.includes(step)", arg=STEP)
    assert tones(page).count(STEP) == 1
    page.locator(".scoring .ctl .primary").click()
    page.wait_for_function("(step) => window.tones.filter((one) => one === step).length === 2", arg=STEP)


def test_sounds_are_off_until_they_are_switched_on(page: Page, browser: Browser, server: RunningServer) -> None:
    choose(page)
    play(browser, server, page, 2, "buy garden-10-N with y8 y2")
    assert tones(page) == []


def test_nothing_is_heard_before_the_page_is_touched(page: Page, browser: Browser, server: RunningServer) -> None:
    choose(page, sound=True)
    # Playwright itself counts as a user here.
    page.add_init_script("Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } })")
    other = browser.new_context(base_url=server.url)
    table = Duel(page, other.request, "alhambra-4", 2)
    table.act("buy garden-10-N with y8 y2")
    expect(table.table.root).to_have_attribute("data-n", "3")
    other.close()
    assert tones(page) == []


def test_the_volume_is_chosen_in_the_settings(page: Page) -> None:
    """Each choice is heard."""
    page.add_init_script(PROBE)
    page.goto("/settings")
    ready(page)
    expect(page.locator("[data-volume]")).to_have_count(0)
    page.locator("[role=switch]").first.check()
    assert TURN in tones(page)
    loud = page.evaluate("() => window.loudest")
    page.evaluate("() => { window.tones = []; window.loudest = 0; }")
    page.locator("[data-volume]").fill("0.2")
    assert TURN in tones(page)
    assert page.evaluate("() => window.loudest") == pytest.approx(loud / 3)
    page.evaluate("() => (window.tones = [])")
    page.locator("[data-volume]").fill("0")
    assert tones(page) == []
    page.reload()
    expect(page.locator("[data-volume]")).to_have_value("0")
