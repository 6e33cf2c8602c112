"""The motions of pieces: what moves, from where to where, and what ends or skips them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest
from playwright.sync_api import APIRequestContext, Browser, Page, WebSocketRoute, expect

from tests.server.running import RunningServer
from tests.web.motions import Duel, Motions, box_of
from tests.web.visitors import PHONE, Look, choose, visiting

MOVING = Look(moves=True)
MOVING_PHONE = replace(PHONE, moves=True)


@pytest.fixture(scope="module")
def pages(browser: Browser, server: RunningServer) -> Iterator[Callable[[Look], Page]]:
    """Return a function that returns the page for a look; it is opened once."""
    with ExitStack() as visits:
        opened: dict[Look, Page] = {}

        def page_for(look: Look) -> Page:
            if look not in opened:
                opened[look] = visits.enter_context(visiting(browser, server.url, look)).page
                Motions.record(opened[look])
                choose(opened[look], speed=0.001)  # a scoring stays at its step
            return opened[look]

        yield page_for


@pytest.fixture(scope="module")
def other(browser: Browser, server: RunningServer) -> Iterator[APIRequestContext]:
    """The browser of the other players."""
    context = browser.new_context(base_url=server.url)
    yield context.request
    context.close()


Open = Callable[..., tuple[Duel, Motions]]


@pytest.fixture
def duel(pages: Callable[[Look], Page], other: APIRequestContext) -> Open:
    """Return a function that opens a table whose motions are held at their beginning."""

    def open_duel(record: str, n: int, look: Look = MOVING, is_deciding: bool = True) -> tuple[Duel, Motions]:
        page = pages(look)
        opened = Duel(page, other, record, n, is_deciding)
        motions = Motions(page)
        motions.hold()
        return opened, motions

    return open_duel


# What moves, and where it ends


def test_a_card_flies_to_the_hand(duel: Open) -> None:
    """Its neighbours close up, and the refill comes from the deck."""
    table, motions = duel("alhambra-4", 0)
    page = table.page
    before = box_of(page, "[data-display=g9]")
    table.act("take g9")
    ((begin, end),) = motions.ways("take")
    assert begin.is_at(before)
    assert end.is_at(box_of(page, "[data-hand=g9]"))
    assert "slide" in motions.seen()
    (refill,) = motions.ways("refill")
    assert refill[0].is_within(box_of(page, "[data-place=deck]"))
    assert refill[1].is_at(box_of(page, "[data-display]:nth-child(1) >> nth=3"))


def test_a_card_flies_to_the_player_who_took_it(duel: Open) -> None:
    table, motions = duel("alhambra-4", 0, is_deciding=False)
    before = box_of(table.page, "[data-display=g9]")
    table.act("take g9")
    ((begin, end),) = motions.ways("take")
    assert begin.is_at(before)
    assert end.is_within(box_of(table.page, "[data-place=seat-1]"))
    assert end.width < before.width


def test_money_flies_to_the_price_and_the_tile_to_the_tray(duel: Open) -> None:
    """3.4: exactly paid, so there are sparks, and that you act again goes to the sentence."""
    table, motions = duel("alhambra-4", 2)
    page = table.page
    tile, cards = (
        box_of(page, '[data-yard="garden-10-N"] .tile'),
        [box_of(page, f"[data-hand={c}]") for c in ("y8", "y2")],
    )
    table.act("buy garden-10-N with y8 y2")
    paid = motions.ways("pay")
    assert [begin.is_at(card) for (begin, _), card in zip(paid, cards, strict=True)] == [True, True]
    plate = box_of(page, ".st-empty .plate")
    assert all(end.is_within(plate) for _, end in paid)
    ((begin, end),) = motions.ways("buy")
    assert begin.is_at(tile)
    assert end.is_at(box_of(page, '[data-tray="garden-10-N"] .tile'))
    assert motions.seen().count("exact") == 8
    ((_, words),) = motions.ways("exact-words")
    sentence = box_of(page, "[data-sentence]")
    assert (words.x, words.y) == (sentence.x, sentence.y)


def test_a_tile_that_another_player_buys_flies_there(duel: Open) -> None:
    """And from there into the miniature of the city."""
    table, motions = duel("alhambra-4", 6, is_deciding=False)
    page = table.page
    before = box_of(page, '[data-yard="pavilion-7-E"] .tile')
    table.act("buy pavilion-7-E with b8")
    ((begin, end),) = motions.ways("buy")
    seat = box_of(page, "[data-place=seat-1]")
    assert begin.is_at(before)
    assert end.is_within(seat)
    table.act("place pavilion-7-E at 0,1")
    ((begin, end),) = motions.ways("place")
    assert begin.is_within(seat)
    assert end.is_at(box_of(page, '[data-place=mini-1] [data-piece="pavilion-7-E"]'), slack=6)


def test_a_tile_is_placed_and_the_wall_grows(duel: Open) -> None:
    table, motions = duel("alhambra-4", 7)
    page = table.page
    tray = box_of(page, '[data-tray="pavilion-7-E"] .tile')
    number = page.locator("[data-length=wall]")
    assert "0" in number.inner_text()
    table.act("place pavilion-7-E at 0,1")
    ((begin, end),) = motions.ways("place")
    assert begin.is_at(tray)
    assert end.is_at(box_of(page, '[data-cell="0,1"]'))
    assert motions.seen().count("wall") == 1
    page.evaluate("() => document.getAnimations().forEach((animation) => animation.finish())")
    expect(number).to_contain_text("1")
    assert "place-settle" in motions.seen()


def test_a_placement_to_confirm_flies_once(duel: Open) -> None:
    """The tile flies when it is put down; when the turn is confirmed it is already there; undone it flies back."""
    table, motions = duel("alhambra-4", 7)
    page = table.page
    table.act("place pavilion-7-E at 0,1", hold=True)
    ((_, cell),) = motions.ways("place")
    assert cell.is_at(box_of(page, '[data-cell="0,1"]'))
    page.locator("[data-act=undo]").click()
    ((begin, end),) = motions.ways("undo")
    assert begin.is_at(cell)
    assert end.is_at(box_of(page, '[data-tray="pavilion-7-E"] .tile'))
    table.act("place pavilion-7-E at 0,1", hold=True)
    expect(table.table.root).not_to_have_attribute("data-held", "")
    page.locator("[data-act=main]").click()
    motions.wait_for("turn")
    assert motions.seen().count("place") == 2


def test_a_tile_is_put_into_the_reserve(duel: Open) -> None:
    table, motions = duel("alhambra-4", 4)
    tray = box_of(table.page, '[data-tray="garden-10-N"] .tile')
    table.act("reserve garden-10-N")
    ((begin, end),) = motions.ways("reserve")
    assert begin.is_at(tray)
    assert end.is_at(box_of(table.page, '[data-reserve="garden-10-N"] .tile'))


def test_two_tiles_are_swapped(duel: Open) -> None:
    table, motions = duel("alhambra-4", 93)
    built = box_of(table.page, '[data-cell="1,0"]')
    table.act("swap pavilion-7-E at 1,0")
    ((begin, _),) = motions.ways("reserve")
    ((_, end),) = motions.ways("place")
    assert begin.is_at(built)
    assert end.is_at(built)


def test_a_tile_is_turned_over_on_its_way(duel: Open) -> None:
    """4.2: the face changes when the tile stands upright."""
    table, motions = duel("granada-3-modules-simplified", 6)
    table.act("place bath_house-4 at 1,0 as park-5 with y3")
    ((_, end),) = motions.ways("place")
    assert end.is_at(box_of(table.page, '[data-cell="1,0"]'))
    assert motions.seen().count("flip") == 2
    faces = table.page.locator(".motion-piece use").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    assert {"#tile-bath_house", "#tile-park"} <= set(faces)


@pytest.mark.parametrize(("look", "dirk"), [(MOVING, ".dirk-mini"), (MOVING_PHONE, ".seat[data-place=seat-0]")])
def test_a_tile_is_given_to_dirk(duel: Open, look: Look, dirk: str) -> None:
    table, motions = duel("alhambra-2", 49, look)
    table.act("give chambers-9-S")
    ((_, end),) = motions.ways("give")
    assert end.is_within(box_of(table.page, dirk))


def test_on_a_phone_refills_come_from_above(duel: Open) -> None:
    table, motions = duel("alhambra-4", 0, MOVING_PHONE)
    table.act("take g9")
    ((begin, end),) = motions.ways("refill")
    assert begin.x == end.x
    assert begin.y == pytest.approx(end.y - 40, abs=1)


def test_the_turn_goes_from_seat_to_seat(duel: Open) -> None:
    table, motions = duel("alhambra-4", 0)
    first = box_of(table.page, "[data-place=seat-1]")
    table.act("take g9")
    ((begin, end),) = motions.ways("turn")
    second = box_of(table.page, "[data-place=seat-2]")
    assert (begin.x, begin.width) == pytest.approx((first.x, first.width), abs=1)
    assert (end.x, end.width) == pytest.approx((second.x, second.width), abs=1)
    assert "sentence" in motions.seen()


def test_a_tile_that_is_dropped_flies_from_the_pointer(duel: Open) -> None:
    table, motions = duel("alhambra-4", 7)
    page = table.page
    page.locator('[data-tray="pavilion-7-E"]').drag_to(page.locator('[data-cell="0,1"]'))
    ((begin, end),) = motions.ways("place")
    assert end.is_at(box_of(page, '[data-cell="0,1"]'))
    assert begin.is_within(end, slack=20)


# The points of a scoring: Carla keeps her cards, and then walls bring 4, 5 and 5.


def totals(page: Page) -> list[str]:
    """Return the totals; on a laptop the total before the step stands beside each of them."""
    return [total.split()[-1] for total in page.locator(".scoring .ptot").all_inner_texts()]


def seat_points(page: Page) -> list[str]:
    return page.locator(".seats .pts").all_inner_texts()


BEFORE_SCORING = ("alhambra-3-all-modules", 373)
BEFORE, AFTER_WALL, AFTER_ALL = ["9", "9", "14"], ["13", "14", "19"], ["29", "42", "56"]


@pytest.mark.parametrize("look", [MOVING, MOVING_PHONE], ids=["laptop", "phone"])
def test_points_fly_to_the_totals(duel: Open, look: Look) -> None:
    """The totals count up when they land; the seats do not show them before the result."""
    table, motions = duel(*BEFORE_SCORING, look)
    page = table.page
    table.act("keep")
    ways = motions.ways("points")
    assert page.locator(".motion-points").all_inner_texts() == ["+4", "+5", "+5"]
    for i, (begin, end) in enumerate(ways):
        row = f".scoring .prow >> nth={i} >> "
        assert begin.is_within(box_of(page, f"{row}.pp"), slack=8)
        assert end.is_within(box_of(page, f"{row}.ptot"))
    assert totals(page) == BEFORE
    page.evaluate("() => document.getAnimations().forEach((animation) => animation.finish())")
    expect(page.locator(".scoring .ptot").last).to_have_text(re.compile(f"{AFTER_WALL[-1]}$"))
    expect(page.locator(".motion-points")).to_have_count(0)
    assert seat_points(page) == BEFORE


def test_the_points_of_a_whole_scoring_fly_to_the_seats(duel: Open) -> None:
    table, motions = duel(*BEFORE_SCORING)
    page = table.page
    table.act("keep")
    motions.wait_for("points")
    page.locator(".scoring .skipper").click()
    expect(page.locator(".scoring .prow.result")).to_have_count(3)
    ways = motions.ways("points")
    assert page.locator(".motion-points").all_inner_texts() == ["+20", "+33", "+42"]
    for i, (begin, end) in enumerate(ways):
        assert begin.is_within(box_of(page, f".scoring .prow >> nth={i} >> .pp"), slack=8)
        assert end.is_within(box_of(page, f"[data-place=seat-{i + 1}] .pts"))
    assert seat_points(page) == BEFORE
    page.keyboard.press("Shift")
    assert seat_points(page) == AFTER_ALL


@pytest.mark.parametrize("way", ["click", "key", "step"])
def test_input_counts_all_points_at_once(duel: Open, way: str) -> None:
    table, motions = duel(*BEFORE_SCORING)
    page = table.page
    table.act("keep")
    motions.wait_for("points")
    assert totals(page) == BEFORE
    if way == "step":
        page.locator(".scoring .stepper button").nth(1).click()
        page.locator(".scoring .stepper button").nth(0).click()
        assert page.locator(".motion-points").count() == 3  # those of the new step
        page.keyboard.press("Shift")
    elif way == "click":
        page.locator(".scoring .why").click()
    else:
        page.keyboard.press("Shift")
    assert totals(page) == AFTER_WALL
    assert page.locator(".motion-points").count() == 0
    assert motions.left() == [0, 0, 0]


def test_no_points_fly_in_a_hidden_tab(duel: Open) -> None:
    table, motions = duel(*BEFORE_SCORING)
    page = table.page
    page.evaluate("() => Object.defineProperty(document, 'hidden', { get: () => true })")
    table.act("keep")
    expect(page.locator(".scoring .ptot")).to_have_count(3)
    assert totals(page) == AFTER_WALL
    assert "points" not in motions.seen()


def test_under_reduced_motion_totals_are_ringed(duel: Open) -> None:
    table, motions = duel(*BEFORE_SCORING, Look())
    page = table.page
    table.act("keep")
    motions.wait_for_rings(3, ".scoring .ptot")
    assert totals(page) == AFTER_WALL
    assert "points" not in motions.seen()
    page.locator(".scoring .skipper").click()
    motions.wait_for_rings(3, ".seats .pts")
    assert seat_points(page) == AFTER_ALL


# What ends or skips them


def test_nothing_is_left_when_everything_has_landed(duel: Open) -> None:
    table, motions = duel("alhambra-4", 2)
    table.page.evaluate("() => (window.motionsAreHeld = false)")
    table.act("buy garden-10-N with y8 y2")
    motions.wait_for("buy-settle")
    table.page.wait_for_function("() => !document.getAnimations().some(({ id }) => id.startsWith('motion-'))")
    assert motions.left() == [0, 0, 0]
    expect(table.page.locator(".motion-layer [data-piece], .motion-layer [data-hand]")).to_have_count(0)


@pytest.mark.parametrize("way", ["click", "key"])
def test_input_acts_at_once_and_finishes_all_motions(duel: Open, way: str) -> None:
    """3.4: after an exact payment the next tile can be picked while the last one is on its way."""
    table, motions = duel("alhambra-4", 2)
    page = table.page
    table.act("buy garden-10-N with y8 y2")
    motions.wait_for("buy")
    assert motions.left()[0] > 0
    other = page.locator("[data-yard]").first
    assert motions.left()[2] > 0
    if way == "click":
        other.click()
    else:
        page.keyboard.press("1" if page.locator(".ytile").first.get_attribute("data-yard") else "2")
    assert motions.left() == [0, 0, 0]
    expect(other).to_have_attribute("aria-pressed", "true")


def test_the_next_message_finishes_all_motions(duel: Open) -> None:
    table, motions = duel("alhambra-4", 0, is_deciding=False)
    table.act("take g9")
    motions.wait_for("take")
    table.page.evaluate("() => (window.motions = [])")
    table.act("take o5")
    assert len(motions.ways("take")) == 1


def test_nothing_moves_on_a_reload(duel: Open) -> None:
    table, motions = duel("alhambra-4", 0)
    table.act("take g9")
    motions.wait_for("take")
    table.page.reload()
    table.page.wait_for_selector(".motion-layer", state="attached")
    expect(table.page.locator("[data-hand=g9]")).to_be_visible()
    assert motions.seen() == []


def test_nothing_moves_in_a_hidden_tab(duel: Open) -> None:
    table, motions = duel("alhambra-4", 0)
    page = table.page
    page.evaluate("() => Object.defineProperty(document, 'hidden', { get: () => true })")
    table.act("take g9")
    expect(page.locator("[data-hand=g9]")).to_be_visible()
    assert motions.seen() == []


def test_a_hidden_tab_finishes_all_motions(duel: Open) -> None:
    table, motions = duel("alhambra-4", 0)
    table.act("take g9")
    motions.wait_for("take")
    table.page.evaluate(
        """() => {
          Object.defineProperty(document, "hidden", { get: () => true });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    assert motions.left() == [0, 0, 0]


def test_nothing_moves_when_several_turns_arrive_together(duel: Open, pages: Callable[[Look], Page]) -> None:
    """As after a lost connection: the first message is lost here."""
    lost: list[str | bytes] = []

    def lose_first(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(lambda text: route.send(text) if lost or "1 take g9" not in str(text) else lost.append(text))

    page = pages(MOVING)
    page.route_web_socket("**/*", lose_first)
    table, motions = duel("alhambra-4", 0)
    table.act("take g9")
    table.act("take o5")
    expect(page.locator("[data-hand=g9]")).to_be_visible()
    assert lost
    assert motions.seen() == []


def test_reduced_motion_fades_and_rings(duel: Open) -> None:
    table, motions = duel("alhambra-4", 2, Look())
    page = table.page
    table.act("buy garden-10-N with y8 y2")
    motions.wait_for("buy")
    assert set(motions.seen()) == {"buy", "ring"}
    assert page.locator(".motion-layer > *").count() == 0
    rung = page.evaluate(
        """() => document.getAnimations().filter(({ id }) => id === "motion-ring").map(
          ({ effect }) => effect.target.dataset.place ?? effect.target.id)"""
    )
    assert set(rung) == {"space-0-0", "content"}
    page.evaluate("() => document.getAnimations().forEach((animation) => animation.finish())")
    assert motions.left() == [0, 0, 0]
