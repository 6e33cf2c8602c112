"""Puzzles in a browser: opens them, plays whole turns at their table and answers."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page, expect

from granada.locales import translate
from granada.puzzles.puzzle import Puzzle
from granada.puzzles.shipped import shipped
from tests.web.driver import Hands, Pointer, Table, read


def solvable(edition: str, length: int, theme: str = "") -> Puzzle:
    """Return the first puzzle without modules whose best turn has so many actions, with a theme if one is given."""
    return next(
        one
        for one in shipped().values()
        if one.source.edition == edition
        and not one.source.modules
        and len(one.best.turn) == length
        and (not theme or theme in one.themes)
    )


#: A puzzle with an exact payment before the last purchase, whose obvious turn is another one.
CHAIN = solvable("alhambra", 3, "chain")
VERDICT = "section[data-verdict]"


def open_puzzle(page: Page, puzzle: Puzzle) -> Table:
    """Open a puzzle at its table."""
    page.goto(f"puzzles/{puzzle.id}")
    return await_table(page, puzzle)


def await_table(page: Page, puzzle: Puzzle) -> Table:
    """Wait until the table of a puzzle is there with its task."""
    table = page.locator(f'[data-table][data-puzzle="{puzzle.id}"]')
    expect(table).to_be_visible(timeout=60_000)
    expect(page.locator("[data-sentence] .step")).to_contain_text("·")
    return Table(page)


def play_turn(table: Table, hands: Hands, turn: Sequence[str]) -> None:
    """Play a whole turn, so that its last action waits to be played."""
    for action in turn:
        assert table.wait_for_turn()
        n = table.state()["n"]
        hands.act(read(action))
        table.wait_after(n)
    expect(table.root).to_have_attribute("data-held", turn[-1])


def try_again(page: Page, puzzle: Puzzle) -> None:
    """Look at the best turn of a puzzle that was failed, then solve it in a second attempt, which has no rating."""
    table = Table(page)
    verdict = page.locator(VERDICT)
    verdict.locator("[data-act=show]").click()
    expect(page.locator("[data-act=main]")).to_be_disabled()  # nothing can be answered while the turn is shown
    expect(table.root).to_have_attribute("data-held", puzzle.best.turn[-1])
    expect(verdict).to_be_visible()
    verdict.locator("[data-act=again]").click()
    expect(verdict).to_have_count(0)
    table.wait_after_confirming()
    expect(table.root).to_have_attribute("data-n", str(puzzle.n))
    answer(page, puzzle, puzzle.best.turn, is_open=True)
    expect(verdict).to_have_attribute("data-verdict", "solved")
    expect(verdict.locator("[data-change]")).to_have_text(translate("en", "puzzle.unrated"))


def answer(page: Page, puzzle: Puzzle, turn: Sequence[str], is_open: bool = False, is_touch: bool = False) -> Table:
    """Open a puzzle if it is not open yet, and answer it with a turn; returns the table with the verdict."""
    table = Table(page) if is_open else open_puzzle(page, puzzle)
    hands = Pointer(table, is_touch)
    play_turn(table, hands, turn)
    hands.confirm()
    expect(page.locator(VERDICT)).to_be_visible()
    return table
