"""Puzzles in the browser: solved, failed and tried again; rating, streak and list; on a phone and with keys only."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, Route, expect

from granada.locales import translate
from granada.puzzles.puzzle import Puzzle
from granada.puzzles.shipped import shipped
from tests.web.driver import Keys, Pointer
from tests.web.puzzles import CHAIN, VERDICT, answer, await_table, open_puzzle, play_turn, solvable, try_again
from tests.web.screens import profile_of, ready, store, visit_first
from tests.web.visitors import PHONE, NewPage, Visit

FLIP = solvable("granada", 2, "flip")


def text(key: str, **values: object) -> str:
    return translate("en", key, **values)


def stored(page: Page, key: str) -> Any:
    return json.loads(page.evaluate("(key) => localStorage.getItem(`granada.${key}`)", key) or "null")


def card(page: Page, puzzle: Puzzle) -> Locator:
    return page.locator(f'.pcard[data-puzzle="{puzzle.id}"]')


def box_of(page: Page, selector: str) -> FloatRect:
    """Return where an element is in the window."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box


def bottom_of(page: Page, selector: str) -> float:
    """Return where an element ends."""
    box = box_of(page, selector)
    return box["y"] + box["height"]


def rating_of(page: Page) -> tuple[int, int]:
    """Return the rating before and after an answer, as the verdict says it."""
    found = re.search(r"(\d+) → (\d+)", page.locator("[data-change]").inner_text())
    assert found
    return int(found[1]), int(found[2])


def test_a_solved_puzzle_raises_rating_and_streak(visit: Visit) -> None:
    page = visit.page
    page.goto("/puzzles")
    # The theme would give the answer away.
    expect(card(page, CHAIN)).to_have_attribute("data-state", "new")
    expect(card(page, CHAIN).locator("b")).to_have_text(text("puzzle.number", n=CHAIN.id))
    card(page, CHAIN).click()
    table = await_table(page, CHAIN)
    expect(page.locator("[data-act=hint]")).to_have_count(0)
    line = text("puzzle.line", n=CHAIN.id, level=text(f"level.{CHAIN.grade}"))
    expect(page.locator("[data-sentence] .step")).to_have_text(line)
    answer(page, CHAIN, CHAIN.best.turn, is_open=True)
    verdict = page.locator(VERDICT)
    expect(verdict.locator("h2")).to_have_text(text("puzzle.solved"))
    expect(verdict.locator("h2")).to_be_focused()
    expect(verdict.locator("[data-turn]")).to_have_count(1)
    assert len(re.findall(r"[.!?](?: |$)", verdict.locator(".v-why").inner_text())) == 2
    before, after = rating_of(page)
    assert before == 1500 < after
    # The verdict covers nothing of the city.
    assert box_of(page, VERDICT)["y"] >= bottom_of(page, ".boardwrap")
    assert table.state()["n"] == str(CHAIN.n + len(CHAIN.best.turn) - 1)
    page.go_back()
    ready(page)
    assert page.url.endswith("/puzzles")
    expect(card(page, CHAIN)).to_have_attribute("data-state", "solved")
    expect(card(page, CHAIN).locator("b")).to_have_text(text(f"puzzle_theme.{CHAIN.themes[0]}"))
    expect(page.locator("[data-rating]")).to_have_attribute("data-rating", str(after))
    expect(page.locator("p[data-streak]")).to_have_attribute("data-streak", "1")
    # A puzzle's table is no game to go on with.
    page.goto("/")
    ready(page)
    assert stored(page, "tables") is None


def test_a_failed_puzzle_compares_the_turns_shows_the_best_and_comes_again(page: Page) -> None:
    visit_first(page)
    known = {"value": 1500, "deviation": 60, "volatility": 0.06}
    progress = {"version": 1, "count": 3, "streak": 3, "answers": {}}
    store(page, you={**profile_of(0), "puzzles": known}, puzzles=progress)
    answer(page, CHAIN, CHAIN.obvious.turn)
    verdict = page.locator(VERDICT)
    expect(verdict).to_have_attribute("data-verdict", "failed")
    expect(verdict.locator("[data-turn=own] b > [aria-hidden]")).to_have_text("0")
    expect(verdict.locator("[data-turn=best] b > [aria-hidden]")).to_have_text(f"+{round(CHAIN.gain, 1):g}")
    before, after = rating_of(page)
    assert after < before
    assert stored(page, "puzzles")["streak"] == 0
    # Trying again is free: it is solved, but neither rated nor part of a streak.
    try_again(page, CHAIN)
    assert stored(page, "puzzles")["streak"] == 0
    assert round(stored(page, "you")["puzzles"]["value"]) == after
    assert stored(page, "puzzles")["answers"][str(CHAIN.id)] == {"isFirstRight": False, "isSolved": True, "last": 5}


def test_an_answer_that_nobody_could_value_does_not_count(page: Page) -> None:
    """The first answer finds no bot that is free; the turn waits, and the second answer counts."""

    def answer_in_vain(route: Route) -> None:
        response = route.fetch()
        verdict = response.json()
        verdict["own"]["gain"] = None
        route.fulfill(response=response, json={**verdict, "is_solved": False})

    page.route("**/attempt", answer_in_vain, times=1)
    table = open_puzzle(page, CHAIN)
    hands = Pointer(table)
    play_turn(table, hands, CHAIN.obvious.turn)
    hands.confirm()
    expect(page.get_by_role("alert").filter(has_text=text("puzzle.not_valued"))).to_be_visible()
    expect(page.locator(VERDICT)).to_have_count(0)
    assert stored(page, "puzzles") is None
    assert stored(page, "you") is None
    hands.confirm()
    expect(page.locator(VERDICT)).to_have_attribute("data-verdict", "failed")
    assert rating_of(page)[0] == 1500
    assert stored(page, "puzzles")["count"] == 1


def test_a_failed_puzzle_is_the_next_one_after_four_others(page: Page) -> None:
    visit_first(page)
    failed, *others = [one.id for one in shipped().values()][:5]
    answers = {str(failed): {"isFirstRight": False, "isSolved": False, "last": 1}}
    rest = {str(number): {"isFirstRight": True, "isSolved": True, "last": 2 + i} for i, number in enumerate(others)}
    for count in (4, 5):
        given = dict(list(rest.items())[: count - 1])
        progress = {"version": 1, "count": count, "streak": 0, "answers": {**answers, **given}}
        store(page, puzzles=progress)
        page.goto("/puzzles")
        following = page.locator("[data-act=next]")
        expect(following).to_be_visible()
        assert (following.get_attribute("href") == f"/puzzles/{failed}") == (count == 5)


def test_undoing_a_step_keeps_the_rest_of_the_turn(page: Page) -> None:
    table = open_puzzle(page, CHAIN)
    first, second, _ = CHAIN.best.turn
    expect(page.locator("[data-act=undo]")).to_be_disabled()
    table.page.keyboard.press("/")
    line = page.locator("[data-command]")
    for n, action in enumerate((first, second), start=CHAIN.n + 1):
        line.fill(action)
        line.press("Enter")
        expect(table.root).to_have_attribute("data-n", str(n))
    page.locator("[data-act=undo]").click()
    expect(table.root).to_have_attribute("data-n", str(CHAIN.n + 1))
    assert [line for line in table.log() if line[0].isdigit()][-1].endswith(first)
    page.locator("[data-act=restart]").click()
    expect(table.root).to_have_attribute("data-n", str(CHAIN.n))
    expect(page.locator("[data-act=undo]")).to_be_disabled()


def test_the_verdict_on_a_phone_folds_to_show_the_city(new_page: NewPage) -> None:
    page = new_page(PHONE)
    answer(page, FLIP, FLIP.obvious.turn, is_touch=True)
    verdict = page.locator(VERDICT)
    assert box_of(page, VERDICT)["y"] >= PHONE.height * 0.35
    handle = verdict.locator(".v-handle")
    expect(handle).to_have_attribute("aria-expanded", "true")
    # What it covers cannot be used: the city and the dock; folded, it covers the dock only.
    expect(page.locator(".city[inert]")).to_be_visible()
    expect(page.locator(".actions[inert]")).to_be_visible()
    handle.tap()
    expect(handle).to_have_attribute("aria-expanded", "false")
    expect(page.locator(".city[inert]")).to_have_count(0)
    expect(page.locator(".actions[inert]")).to_be_visible()
    expect(verdict.locator("[data-act=next]")).to_be_hidden()
    assert box_of(page, VERDICT)["y"] >= bottom_of(page, ".boardwrap")
    handle.tap()
    verdict.locator("[data-act=next]").tap()
    expect(page.locator("[data-table][data-puzzle]")).not_to_have_attribute("data-puzzle", str(FLIP.id))


def test_a_puzzle_with_keys_only(page: Page) -> None:
    page.goto("/puzzles")
    following = page.locator("[data-act=next]")
    following.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-table][data-puzzle]")).to_be_visible()
    number = int(page.locator("[data-table]").get_attribute("data-puzzle") or "0")
    table = await_table(page, shipped()[number])
    keys = Keys(table)
    play_turn(table, keys, shipped()[number].best.turn)
    keys.confirm()
    verdict = page.locator(VERDICT)
    expect(verdict.locator("h2")).to_be_focused()
    # A second Enter answers nothing.
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(verdict.locator("[data-act=next]")).to_be_focused()
    assert stored(page, "puzzles")["count"] == 1
    page.keyboard.press("Enter")
    expect(page.locator("[data-table][data-puzzle]")).not_to_have_attribute("data-puzzle", str(number))


def test_the_list_is_paged_and_filtered(page: Page) -> None:
    page.goto("/puzzles")
    cards = page.locator(".pcard")
    expect(cards).to_have_count(24)
    page.locator("[data-act=more]").click()
    expect(cards).to_have_count(48)
    expect(cards.nth(24)).to_be_focused()
    page.locator("[data-kind=grade] [data-value=strongest]").click()
    hard = [one for one in shipped().values() if one.grade == "strongest"]
    expect(cards).to_have_count(min(24, len(hard)))
    walls = [one for one in hard if "wall" in one.themes]
    page.locator("[data-kind=theme] [data-value=wall]").click()
    expect(cards).to_have_count(len(walls))
    assert [int(one.get_attribute("data-puzzle") or "0") for one in cards.all()] == [one.id for one in walls]
    # The next puzzle is one of these.
    following = page.locator("[data-act=next]").get_attribute("href") or ""
    assert int(following.rpartition("/")[2]) in [one.id for one in walls]


def test_damaged_answers_are_told_and_kept(page: Page) -> None:
    visit_first(page)
    good = {"isFirstRight": True, "isSolved": True, "last": 1}
    damaged = {"version": 1, "count": 2, "streak": 1, "answers": {str(CHAIN.id): good, "2": {"isSolved": "yes"}}}
    store(page, puzzles=damaged)
    page.goto("/puzzles")
    expect(page.locator("[data-problem=damaged]")).to_contain_text(text("puzzle.damaged"))
    expect(card(page, CHAIN)).to_have_attribute("data-state", "solved")
    assert stored(page, "puzzles.damaged") == damaged
    page.get_by_role("button", name=text("you.damaged_discard")).click()
    expect(page.locator("[data-problem]")).to_have_count(0)


def test_an_unknown_puzzle_is_said_to_be_none(visit: Visit) -> None:
    visit.ignore("404")
    visit.page.goto("/puzzles/99999")
    expect(visit.page.get_by_role("heading", name=text("puzzle.none"))).to_be_visible()


def test_answers_move_to_a_second_browser(new_page: NewPage) -> None:
    first, second = new_page(), new_page()
    answer(first, CHAIN, CHAIN.best.turn)
    rating = stored(first, "you")["puzzles"]
    first.goto("/me")
    first.locator("[data-act=code]").click()
    code = first.locator("[data-code]").get_attribute("data-code")
    second.goto(f"/me#{code}")
    second.get_by_role("dialog").get_by_role("button", name=text("carry.go")).click()
    expect(second.locator("[data-brought]")).to_be_visible()
    second.goto("/puzzles")
    expect(card(second, CHAIN)).to_have_attribute("data-state", "solved")
    assert stored(second, "you")["puzzles"] == rating
