"""Ways to a table: a new game, a link, a record, and your own tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from granada.bots import LEVELS, PERSONALITIES
from granada.locales import LANGUAGES, translate
from granada.records.notation import parse_action
from granada.records.replay import Replay
from granada.rules.placing import PLACING
from granada.rules.state import State
from tests.web import api
from tests.web.scanner import scan
from tests.web.screens import GOLDEN, lobby, ready, visit_first
from tests.web.test_frame import LOCALES
from tests.web.visitors import PHONE, Look, NewPage, Visit

TABLE = re.compile(r"/t/[A-Za-z0-9_-]{16}$")


def text(key: str, **values: object) -> str:
    return translate("en", key, **values)


def test_one_click_begins_a_game(new_page: NewPage) -> None:
    page = new_page(PHONE)
    page.goto("/")
    page.get_by_role("button", name=text("home.play")).click()
    expect(page).to_have_url(TABLE)
    expect(page.locator("[data-table]")).to_have_attribute("data-phase", "playing")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_home_page_loads_only_its_own_texts(new_page: NewPage, language: str) -> None:
    """A text that is missing there would load those of all other screens (web/first_messages.ts)."""
    page = new_page(locale=LOCALES[language])
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto("/")
    ready(page)
    page.wait_for_load_state("networkidle")
    assert [url for url in loaded if "/assets/more-" in url] == []
    page.locator('.ways a[href="/new"]').click()
    expect(page.locator("h1")).to_have_text(translate(language, "home.new"))
    assert [url for url in loaded if "/assets/more-" in url] != []


def test_bots_of_every_strength_can_be_chosen(page: Page) -> None:
    """Each level has a description; the choice is remembered."""
    page.goto("/")
    choice = page.get_by_label(text("home.level"))
    expect(choice).to_have_value("greedy")
    for level in LEVELS:
        choice.select_option(level)
        expect(page.locator(".hero-level .say")).to_contain_text(text(f"level_say.{level}"))
        expect(page.locator("#hero-line")).to_contain_text(text(f"level.{level}"))
    page.goto("/new")
    ready(page)
    expect(page.get_by_label(text("home.level")).first).to_have_value(LEVELS[-1])
    page.locator(".all-bots summary").click()
    for bot in (*LEVELS, *PERSONALITIES):
        expect(page.locator(".all-bots")).to_contain_text(text(f"level_say.{bot}"))
    page.goto("/")
    page.get_by_role("button", name=text("home.play")).click()
    expect(page).to_have_url(TABLE)
    seats = api.table_message(page, page.url[-16:])["table"]["seats"]
    assert [seat["level"] for seat in seats if seat["kind"] == "bot"] == [LEVELS[-1]] * 2


def test_a_table_of_ones_own_waits_on_the_start_page(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name=text("home.play")).click()
    expect(page).to_have_url(TABLE)
    expect(page.locator("[data-table]")).to_be_visible()
    table = page.url
    page.goto("/")
    ready(page)
    page.locator(f'a[href$="{table[-18:]}"]').first.click()
    expect(page).to_have_url(table)


@pytest.mark.parametrize("form", ["{url}/t/{id}", "{id}", "  {url}/t/{id}?lang=de  "])
def test_a_link_or_its_code_leads_to_the_table(new_page: NewPage, form: str) -> None:
    host, guest = new_page(), new_page()
    lobby(host)
    link = host.url.rpartition("/t/")
    guest.goto("/")
    guest.locator("#join-code").fill(form.format(url=link[0], id=link[2]))
    guest.get_by_role("button", name=text("home.join_now"), exact=True).click()
    expect(guest).to_have_url(host.url)


@pytest.mark.parametrize("look", [Look(colours="light"), Look(colours="dark"), PHONE])
def test_the_qr_code_in_the_lobby_is_the_link_of_the_table(new_page: NewPage, look: Look) -> None:
    page = new_page(look)
    lobby(page)
    assert scan(page.locator(".qr svg")) == page.url


@pytest.mark.parametrize(
    ("typed", "key"),
    [("", "home.join_empty"), ("myrtle", "home.join_nonsense"), ("0123456789abcdef", "home.join_gone")],
)
def test_what_is_no_link_is_told(visit: Visit, typed: str, key: str) -> None:
    visit.ignore("404")
    page = visit.page
    page.goto("/")
    page.locator("#join-code").fill(typed)
    page.locator("#join-code").press("Enter")
    expect(page.locator("#join-problem")).to_have_text(text(key))
    expect(page.locator("#join-code")).to_be_focused()


def test_a_public_table_is_found(new_page: NewPage) -> None:
    host, guest = new_page(), new_page()
    visit_first(host)
    seats = [{"kind": "person", "name": "Ana"}, {"kind": "open"}]
    wanted = {"seats": seats, "options": {"edition": "granada"}, "is_public": True}
    table = api.post(host, "/tables", wanted)["table"]["id"]
    guest.goto("/")
    guest.locator(f'a[href="/t/{table}"]').click()
    expect(guest).to_have_url(re.compile(f"/t/{table}$"))


# Records


def test_a_record_is_gone_through(page: Page) -> None:
    page.goto("/record")
    page.locator("input[type=file]").set_input_files(GOLDEN / "granada-2.record")
    expect(page).to_have_url(re.compile(r"/t/[A-Za-z0-9_-]{16}/replay(\?n=0)?$"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_record_that_is_not_valid_is_refused_in_the_language_of_the_reader(
    new_visit: Callable[..., Visit], tmp_path: Path, language: str
) -> None:
    """The message has the line, the reason and the rule, all in the reader's language."""
    visit = new_visit(locale=LOCALES[language])
    visit.ignore("400")
    lines = (GOLDEN / "granada-2.record").read_text("utf-8").splitlines()
    take = next(i for i, line in enumerate(lines) if re.match(r"\d take ", line))
    score = next(i for i, line in enumerate(lines) if line.startswith("= score"))
    forbidden = translate(language, "fault.illegal", reason=translate(language, "against.display"))
    without_rule = (translate(language, "fault.notation"), translate(language, "fault.newer"))
    for place, line, expected in (
        (0, "granada-record 2", translate(language, "fault.newer")),
        (take, f"{lines[take][:7]}y1 y1 y1", forbidden),
        (take, f"{lines[take][:7]}nonsense", translate(language, "fault.notation")),
        (take, "! reshuffle", translate(language, "fault.seat", expected=lines[take][0])),
        (score, f"{lines[score]}0", translate(language, "fault.result", expected=lines[score])),
    ):
        broken = tmp_path / "broken.record"
        broken.write_text("\n".join([*lines[:place], line, *lines[place + 1 :]]) + "\n", "utf-8")
        visit.page.goto("/record")
        visit.page.locator("input[type=file]").set_input_files(broken)
        expect(visit.page.get_by_text(translate(language, "record.bad"))).to_be_visible()
        expect(visit.page.locator(".refusal")).to_contain_text(line)
        expect(visit.page.locator("[data-reason]")).to_contain_text(expected)
        expect(visit.page.locator(".refusal")).not_to_contain_text(
            re.compile("breaks rule|the rules give|not of the form")
        )
        cites_rule = translate(language, "record.rule", rule="X").partition("X")[0]
        check = expect(visit.page.locator("[data-reason]"))
        (check.not_to_contain_text if expected in without_rule else check.to_contain_text)(cites_rule)


def test_a_record_of_granada_is_refused_in_its_words(visit: Visit, tmp_path: Path) -> None:
    """5.2, 10.5: Granada tiles have moats."""
    visit.ignore("400")
    reading = Replay((GOLDEN / "granada-5.record").read_text("utf-8"))
    while (wrong := wrong_edge(reading.state)) is None:
        assert reading.step()
    broken = tmp_path / "broken.record"
    broken.write_text(f"{reading.record}{wrong}\n", "utf-8")
    visit.page.goto("/record")
    visit.page.locator("input[type=file]").set_input_files(broken)
    expect(visit.page.locator("[data-reason]")).to_contain_text(translate("en", "edge.granada"))


def wrong_edge(state: State) -> str | None:
    """Return a placement that is illegal because of an edge, as a line of a record."""
    if state.step is not PLACING:
        return None
    lines = [f"place {state.tray[0].name} at {x},{y}" for x in range(-3, 4) for y in range(-3, 4)]
    wrong = next((one for one in lines if state.is_legal(parse_action(one)).code == "edge"), None)
    return wrong and f"{state.seat + 1} {wrong}"
