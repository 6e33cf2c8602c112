"""13.2: before a scoring, all players are asked for bonus cards, so that nobody learns who has one to reveal."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from granada.locales import translate
from granada.records.replay import Replay
from granada.rules.bonus import REVEALING
from granada.rules.state import State
from tests.web.driver import Pointer, Table, read
from tests.web.screens import GOLDEN, NAMES, open_at, ready
from tests.web.visitors import NewPage

RECORD = "combined-2-all-modules"


def asked_at(has_card: bool, is_again: bool = False) -> int:
    """Return when a seat with or without a card is asked; again: after another player has revealed one."""
    reading = Replay((GOLDEN / f"{RECORD}.record").read_text("utf-8"))
    deed = ""
    while True:
        state: State = reading.state
        if not state.is_over and state.step is REVEALING:
            has_revealed = " reveal " in deed and not deed.startswith(f"{state.seat + 1} ")
            if (len(state.offers()) > 1) == has_card and has_revealed == is_again:
                return state.n
        assert reading.step()
        deed = next(line for line in reversed(reading.record.lines) if line[0].isdigit())


def begin_asked(page: Page, n: int) -> Table:
    page.goto(f"/t/{open_at(page, RECORD, n)}")
    ready(page)
    table = Table(page)
    expect(table.root).to_have_attribute("data-step", "reveal")
    expect(table.root).to_have_attribute("data-yours", "true")
    return table


def test_who_has_no_card_to_reveal_goes_on_with_one_click(page: Page) -> None:
    n = asked_at(has_card=False)
    table = begin_asked(page, n)
    assert table.offers() == ["keep"]
    sentence, main = page.locator("[data-sentence]"), page.locator("[data-act=main]")
    expect(sentence).to_contain_text("None of your bonus cards can be revealed.")
    expect(sentence).not_to_contain_text(translate("en", "turn.last"))
    expect(main).to_have_text(translate("en", "turn.continue"))
    expect(page.locator("dialog[open]")).to_have_count(0)
    main.click()
    expect(table.root).not_to_have_attribute("data-n", str(n))
    assert any(line.endswith(" keep") for line in table.log())


def test_the_page_never_answers_by_itself(new_page: NewPage) -> None:
    """16.2: the time of the answer must not show whether there was a card to reveal."""
    page = new_page()
    page.add_init_script("{ const wait = setTimeout; window.setTimeout = (run, ms = 0) => wait(run, ms / 50); }")
    table = begin_asked(page, n := asked_at(has_card=False))
    page.evaluate("() => new Promise((done) => setTimeout(done, 120_000))")  # in simulated time
    assert table.message()["n"] == n


def test_who_has_a_card_can_reveal_it_or_keep_it(new_page: NewPage) -> None:
    n = asked_at(has_card=True)
    for verb in ("reveal", "keep"):
        page = new_page()
        table = begin_asked(page, n)
        expect(page.locator("[data-sentence]")).to_contain_text("reveal a bonus card, or keep yours hidden")
        Pointer(table).act(read(next(text for text in table.offers() if text.startswith(verb))))
        expect(page.locator("[data-sentence]")).not_to_contain_text(translate("en", "turn.last"))
        expect(table.root).not_to_have_attribute("data-n", str(n))


def test_who_is_asked_again_is_told_why(page: Page) -> None:
    n = asked_at(has_card=False, is_again=True)
    table = begin_asked(page, n)
    deed = next(line for line in reversed(table.log()) if " reveal " in line)
    name, tile = NAMES[int(deed[0]) - 1], deed.split(" ")[2].split("-")
    expected = f"{name} revealed {tile[0].capitalize()} {tile[1]}."
    expect(page.locator("[data-sentence]")).to_contain_text(expected)
