"""Placing tiles in a browser: texts, confirming and moving a placement, and a stable layout."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.driver import Action, Game, Pointer, Table, eager, read
from tests.web.screens import analysed, ready
from tests.web.test_clicks import GARDEN, RICH
from tests.web.test_frame import LOCALES
from tests.web.test_table import begin, begin_at, begin_placing
from tests.web.visitors import PHONE, Look, NewPage, choose

#: A cell in the notation.
COORDINATES = re.compile(r"(?<![\d.])-?\d+,-?\d+")


def spoken(page: Page) -> str:
    """Return all texts on the screen, accessible names, and announcements."""
    labels: list[str] = page.evaluate("() => [...document.querySelectorAll('[aria-label]')].map((e) => e.ariaLabel)")
    return "\n".join([page.locator("body").inner_text(), page.locator("[data-spoken]").inner_text(), *labels])


def placements(table: Table) -> list[Action]:
    return [read(text) for text in table.offers() if text.startswith("place") and " as " not in text]


# Texts


@pytest.mark.parametrize("language", LOCALES)
def test_a_place_is_named_by_its_neighbour(new_page: NewPage, language: str) -> None:
    """In the sentence, on the button and in the log, without coordinates."""
    page = new_page(locale=LOCALES[language])
    table = begin_placing(page)
    for action in placements(table):
        page.locator(f'[data-cell="{action.cell}"]').hover()
        expect(page.locator("[data-act=main]")).to_be_enabled()
        assert not COORDINATES.findall(spoken(page)), action
    n = table.state()["n"]
    Pointer(table).act(action)
    table.wait_after(n)
    expect(page.locator("[data-sentence] .say")).not_to_be_empty()
    assert not COORDINATES.findall(spoken(page))
    page.keyboard.press("l")
    expect(page.locator(".lines p").nth(30)).to_be_visible()
    # The command line accepts the notation.
    said = spoken(page).replace(page.locator(".cmdline label").inner_text(), "")
    assert not COORDINATES.findall(said)


def test_the_neighbour_is_the_right_one(page: Page) -> None:
    """Also for the first tile, which can only be next to the starting tile."""
    table = begin_at(page, "alhambra-4", 60)
    lines = [line for line in table.log() if re.match(r"\d place", line)]
    first = {line[0]: read(line[2:]) for line in reversed(lines)}
    background = {"0,-1": "above", "0,1": "below", "1,0": "right of", "-1,0": "left of"}
    page.keyboard.press("l")
    expect(page.locator(".lines p").nth(30)).to_be_visible()
    shown = page.locator(".lines").inner_text()
    names = ("Ana", "Ben", "Carla", "Dario")
    assert len(first) == len(names)
    for number, action in first.items():
        name, price, *_ = action.tile.split("-")
        said = f"{names[int(number) - 1]} places {name.title()} {price} {background[action.cell]} the starting tile."
        assert said in shown


def test_an_analysis_names_the_neighbour(page: Page) -> None:
    analysed(page)
    said = page.locator("[data-analysis]").inner_text()
    assert not COORDINATES.findall(said)
    assert re.search(r"Played: (Place|Build) \w.*(left of|right of|above|below) ", said)


def test_listeners_hear_where_a_cell_lies(page: Page) -> None:
    begin_at(page, "alhambra-4", 0)
    for cell, where in (("1,0", "1 right"), ("-1,-1", "1 left, 1 up"), ("0,1", "1 down")):
        expect(page.locator(f'[data-cell="{cell}"]')).to_have_attribute("aria-label", f"Free; {where}")
    expect(page.locator('[data-cell="0,0"]')).to_have_attribute("aria-label", "Starting tile")


# Confirmation


def hold(table: Table, action: Action) -> None:
    """Play the last action of a turn, which must then be confirmed."""
    Pointer(table).act(action)
    expect(table.root).to_have_attribute("data-held", action.text)


def hold_placement(table: Table) -> tuple[Action, Action]:
    """Place a tile as the last action of a turn; returns that, and another placement."""
    one, other, *_ = placements(table)
    hold(table, one)
    return one, other


def test_enter_takes_the_cards_that_are_picked(page: Page) -> None:
    """The last card has the focus, but Enter does not deselect it."""
    choose(page, confirm="always")
    table = begin(page)
    card = page.locator("[data-display]").first
    taken = f"take {card.get_attribute('data-display')}"
    card.focus()
    page.keyboard.press("Space")
    expect(card).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(table.root).to_have_attribute("data-held", taken)


def test_enter_never_puts_a_card_back(page: Page) -> None:
    """The same if there is nothing to confirm yet."""
    begin_at(page, "alhambra-4", 1)
    card = page.locator("[data-hand]").first
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-act=main]")).to_be_disabled()
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    card.focus()
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(
    "place",
    ["[data-hand]", "[data-display]", '[data-cell="0,0"]', ".grid", "[data-act=log]", ".zoom .btn", "[data-command]"],
)
def test_enter_confirms_wherever_the_focus_is(page: Page, place: str) -> None:
    choose(page, confirm="always")
    table = begin(page)
    hold(table, read(f"take {table.message()['view']['display'][0]}"))
    focus(page, place)
    page.keyboard.press("Enter")
    table.wait_after_confirming()
    assert any(line.startswith("1 take") for line in table.log())


@pytest.mark.parametrize("place", ["c", '[data-cell="0,0"]', ".grid", "[data-act=log]", ".zoom .btn", "[data-command]"])
def test_enter_confirms_what_is_asked_about_wherever_the_focus_is(page: Page, place: str) -> None:
    """When it matters, which is the default: here the price could be paid exactly."""
    table = begin_at(page, *RICH)
    for picked in ('[data-hand="y8"]', '[data-hand="y4"]', f'[data-yard="{GARDEN}"]', "[data-act=main]"):
        page.locator(picked).first.click()
    expect(table.root).to_have_attribute("data-asking", "true")
    focus(page, place)
    expect(table.root).to_have_attribute("data-asking", "true")
    page.keyboard.press("Enter")
    table.wait_after_confirming()
    page.wait_for_function("(n) => document.querySelector('[data-table]').dataset.n !== n", arg=str(RICH[1]))
    assert any(line.endswith(f"buy {GARDEN} with y8 y4") for line in table.log())


def test_the_command_line_confirms_what_is_shown(page: Page) -> None:
    """Also a tile that was moved while the server was busy, as the main button does."""
    choose(page, confirm="always")
    table = begin_placing(page)
    is_slow, late = False, []

    def delay(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(lambda text: late.append((route, text)) if is_slow else route.send(text))

    page.route_web_socket("**/*", delay)
    page.reload()
    ready(page)
    assert table.wait_for_turn()
    _, other = hold_placement(table)
    page.keyboard.press("/")
    expect(page.locator("[data-command]")).to_be_focused()
    is_slow = True
    page.locator(f'[data-cell="{other.cell}"]').click()
    expect(page.locator(f'[data-cell="{other.cell}"]')).to_have_attribute("data-state", "ghost")
    page.locator("[data-command]").press("Enter")
    is_slow = False
    for route, text in late:
        route.send(text)
    table.wait_after_confirming()
    assert any(line.endswith(other.text) for line in table.log())


def focus(page: Page, place: str) -> None:
    """Put the focus somewhere by the mouse; into the command line and, with the place "c", into the city by keys."""
    if place == "c":
        page.keyboard.press("c")
        expect(page.locator("[role=gridcell]:focus")).to_have_count(1)
    elif place == "[data-command]":
        page.keyboard.press("/")
        expect(page.locator(place)).to_be_focused()
    else:
        where = rects(page, place)[0]
        page.mouse.click(where["x"] + 20, where["y"] + 20)


def test_a_button_reached_by_keys_does_what_it_says(page: Page) -> None:
    choose(page, confirm="always")
    table = begin(page)
    n = table.state()["n"]
    hold(table, read(f"take {table.message()['view']['display'][0]}"))
    for _ in range(10):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("() => document.activeElement.matches('[data-act=undo]')"):
            break
    page.keyboard.press("Enter")
    table.wait_after_confirming()
    assert table.state()["n"] == n


@pytest.mark.parametrize("is_touch", [False, True])
def test_a_placement_can_be_moved_before_it_is_confirmed(new_page: NewPage, is_touch: bool) -> None:
    page = new_page(PHONE if is_touch else Look())
    choose(page, confirm="always")
    table = begin_placing(page)
    one, other = hold_placement(table)
    hit = page.locator(f'[data-cell="{other.cell}"]')
    (hit.tap if is_touch else hit.click)()
    expect(table.root).to_have_attribute("data-held", other.text)
    expect(hit).to_have_attribute("data-state", "ghost")
    expect(page.locator(f'[data-cell="{one.cell}"]')).to_have_attribute("data-state", "legal")
    page.reload()  # the server stores the pending action
    expect(hit).to_have_attribute("data-state", "ghost")
    page.keyboard.press("Enter")
    table.wait_after_confirming()
    assert any(line.endswith(other.text) for line in table.log())


def test_a_placement_can_be_moved_by_the_arrows(page: Page) -> None:
    choose(page, confirm="always")
    table = begin_placing(page)
    one, other = hold_placement(table)
    (x, y), (to_x, to_y) = [tuple(map(int, action.cell.split(","))) for action in (one, other)]
    steps = ["ArrowRight"] * (to_x - x) + ["ArrowLeft"] * (x - to_x)
    steps += ["ArrowDown"] * (to_y - y) + ["ArrowUp"] * (y - to_y)
    for key in steps:
        page.keyboard.press(key)
    expect(page.locator(f'[data-cell="{other.cell}"]')).to_have_attribute("data-state", "ghost")
    page.keyboard.press("Enter")  # at once, perhaps before the server has received the last step
    table.wait_after_confirming()
    assert any(line.endswith(other.text) for line in table.log())


def test_a_tile_can_still_go_into_the_reserve(page: Page) -> None:
    """No control disappears while a placement must be confirmed."""
    choose(page, confirm="always")
    table = begin_placing(page)
    before = page.locator(".cityhead button").count()
    one, _ = hold_placement(table)
    assert page.locator(".cityhead button").count() == before
    page.locator("[data-act=reserve]").click()
    expect(table.root).to_have_attribute("data-held", f"reserve {one.tile}")
    page.locator(f'[data-cell="{one.cell}"]').click()
    expect(table.root).to_have_attribute("data-held", one.text)


def test_what_changes_is_shown_until_it_is_confirmed(page: Page) -> None:
    """UX 6: wall, majorities and points."""
    choose(page, confirm="always")
    table = begin_placing(page)
    one, other, *_ = placements(table)
    page.locator(f'[data-cell="{one.cell}"]').hover()
    deltas = page.locator(".delta")
    expect(deltas.first).to_be_visible()
    shown = deltas.all_inner_texts()
    hold(table, one)
    expect(deltas).to_have_text(shown)
    expect(page.locator(".maj .hl")).to_have_count(1)
    page.locator(f'[data-cell="{other.cell}"]').click()
    expect(table.root).to_have_attribute("data-held", other.text)
    expect(deltas.first).to_be_visible()


# Disabled elements


def test_the_market_rests_while_a_tile_is_placed(page: Page) -> None:
    """No "1 too much", no tab stop, and no click that replaces the sentence."""
    choose(page, confirm="always")
    table = begin_placing(page)
    for is_held in (False, True):
        if is_held:
            hold_placement(table)
        sentence = page.locator("[data-sentence]").inner_text()
        for place in ("[data-yard]", "[data-hut]", "[data-reserve]"):
            for piece in page.locator(place).all():
                expect(piece).to_be_disabled()
                piece.click(force=True)
                expect(piece).to_have_attribute("aria-pressed", "false")
        for fit in page.locator(".fit").all():
            expect(fit).not_to_be_visible()
        for key in "1234":
            page.keyboard.press(key)
        assert page.locator("[data-sentence]").inner_text() == sentence
    page.keyboard.press("Enter")
    table.wait_after_confirming()
    assert table.wait_for_turn()
    expect(page.locator("[data-yard]").first).to_be_enabled()


# Layout


Rect = dict[str, float]
#: Elements whose position must not depend on the amount of content.
FIXED = (".boardwrap", ".yard", ".display", ".actions", ".zoom .btn", ".next", ".seat", ".seat .pts", ".tools")


def rects(page: Page, selector: str) -> list[Rect]:
    """Return the positions of the visible elements."""
    found: list[Rect] = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility()).map((e) => {
          const { x, y, width, height } = e.getBoundingClientRect();
          return { x, y, width, height };
        })""",
        selector,
    )
    return found


class Watch:
    """The position of a city on the screen, before and after an action."""

    #: The part of a cell around every tile that must be visible, so that it can be clicked.
    EDGE = 0.6
    SLACK = 0.6

    def __init__(self, table: Table) -> None:
        self._table = table
        self._page = table.page
        self.moved = 0
        self.placed = 0

    def look(self) -> tuple[Rect, Rect]:
        """Return the positions of the board and the starting tile."""
        return rects(self._page, ".boardwrap")[0], rects(self._page, '[data-cell="0,0"]')[0]

    def cells(self) -> list[tuple[int, int]]:
        message = self._table.message()
        city = message["view"]["players"][message["own"]["seat"] - 1]["city"]
        return [(int(x), int(y)) for x, y in [cell.split(",") for cell in city]]

    def check(self, before: tuple[Rect, Rect], tiles: int) -> None:
        """Check that the city was moved only if necessary."""
        board, start = before
        now_board, now = self.look()
        assert now_board == board
        if len(self.cells()) == tiles:
            assert same(now, start), "nothing was built, but the city was moved"
            return
        self.placed += 1
        if self.are_in_view(before, self.cells()):
            assert same(now, start), "every tile was in view, but the city was moved or zoomed"
        elif not same(now, start):
            self.moved += 1
        assert now["width"] >= 44 - self.SLACK

    def check_held(self, before: tuple[Rect, Rect], action: Action) -> None:
        """Check that the city was not moved by an action that is to be confirmed, unless its cell was out of view."""
        now_board, now = self.look()
        assert now_board == before[0]
        if not same(now, before[1]):
            x, y = action.cell.split(",")
            assert not self.are_in_view(before, [(int(x), int(y))]), "the cell was in view, but the city was moved"

    def are_in_view(self, before: tuple[Rect, Rect], cells: list[tuple[int, int]]) -> bool:
        """Return whether cells, with some space around them, were visible before."""
        board, start = before
        size = start["width"]
        needed = [
            (start["x"] + (x - self.EDGE) * size, start["y"] + (y - self.EDGE) * size, (1 + 2 * self.EDGE) * size)
            for x, y in cells
        ]
        right, bottom = board["x"] + board["width"], board["y"] + board["height"] - 40
        return all(x >= board["x"] and y >= board["y"] and x + w <= right and y + w <= bottom for x, y, w in needed)


def same(one: Rect, other: Rect) -> bool:
    return all(abs(one[key] - other[key]) < Watch.SLACK for key in one)


@pytest.mark.parametrize("look", [Look(), PHONE], ids=["laptop", "phone"])
def test_nothing_moves_while_a_city_grows(new_page: NewPage, look: Look) -> None:
    """UX 9: the starting tile and the zoom stay, and so does everything around the board."""
    page = new_page(look)
    choose(page, confirm="always")
    placed = moved = 0
    while placed < 10:  # a game may end before
        table = begin(page)
        watch = watch_game(table, look, 10 - placed)
        placed, moved = placed + watch.placed, moved + watch.moved
    assert moved < placed


class Dragger(Pointer):
    """Drags the city to cells out of view, because a reader who shows the whole city asks for smaller cells."""

    def _show(self, cell: str) -> None:
        self._scroll_to(cell)


def watch_game(table: Table, look: Look, placements: int) -> Watch:
    """Play until some tiles are placed or the game is over; check after every action that nothing has moved."""
    game = Game(table, Dragger(table, is_touch=look.touch), eager("moves"))
    watch, page = Watch(table), table.page
    fixed = {place: rects(page, place) for place in FIXED}
    while watch.placed < placements:
        before, tiles = watch.look(), len(watch.cells())
        hold_or_play(game)
        if not table.wait_for_turn():
            break
        watch.check(before, tiles)
        for place, where in fixed.items():
            now = rects(page, place)
            assert len(now) == len(where), place
            assert all(same(one, other) for one, other in zip(now, where, strict=True)), place
    return watch


def hold_or_play(game: Game) -> None:
    """Play one action; nothing may move while it must be confirmed either."""
    watch = Watch(game.table)
    before = watch.look()
    if not game.table.state().get("held"):
        action = read(game.choose(game.table.offers()))
        n = game.table.state()["n"]
        game.hands.act(action)
        game.table.wait_after(n)
    if game.table.state().get("held"):
        watch.check_held(before, read(game.table.message()["own"]["held"]))
        game.hands.confirm()
        game.table.wait_after_confirming()


def test_the_view_stays_where_the_reader_has_put_it(page: Page) -> None:
    choose(page, confirm="always")
    table = begin_placing(page)
    page.get_by_role("button", name="larger").or_(page.locator(".zoom .btn").nth(1)).first.click()
    board, start = Watch(table).look()
    one, _ = hold_placement(table)
    page.keyboard.press("Enter")
    table.wait_after_confirming()
    assert table.wait_for_turn()
    now = Watch(table).look()[1]
    assert now["width"] == start["width"]
    built = rects(page, f'[data-cell="{one.cell}"]')[0]
    assert built["x"] >= board["x"] - 1
    assert built["y"] >= board["y"] - 1
