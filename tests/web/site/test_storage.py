"""The storage of the device: full, evicted, absent, damaged or of a newer version; and all games in one file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web import api
from tests.web.driver import Game, Pointer, Table, eager
from tests.web.screens import ready
from tests.web.site.device import LOADING, change_worker, configure, debugger, expect_storage, wait_for_python
from tests.web.static_site import StaticSite
from tests.web.test_games import BOT, PERSON, open_table
from tests.web.visitors import Visit

#: Changes an entry in the database, in the page.
DAMAGE = """(table) => new Promise((resolve, reject) => {
  const open = indexedDB.open("granada");
  open.onerror = () => reject(open.error);
  open.onsuccess = () => {
    const transaction = open.result.transaction("entries", "readwrite");
    const entries = transaction.objectStore("entries");
    const get = entries.get([table, 2]);
    get.onsuccess = () => entries.put({ ...get.result, body: "{" });
    transaction.oncomplete = () => { open.result.close(); resolve(); };
    transaction.onabort = () => reject(transaction.error);
  };
})"""
#: In the worker: the database has no room between the messages "full" and "room" of a channel.
FULL = """{
  let isFull = false;
  const add = IDBObjectStore.prototype.add;
  IDBObjectStore.prototype.add = function (...values) {
    if (isFull) throw new DOMException("no room", "QuotaExceededError");
    return add.apply(this, values);
  };
  globalThis.testChannel = new BroadcastChannel("test");
  globalThis.testChannel.onmessage = ({ data }) => { isFull = data === "full"; };
}
"""
#: In the worker: the database cannot be opened, because of an error with a name.
CLOSED = """IDBFactory.prototype.open = () => {
  const request = { error: new DOMException("closed", "%s") };
  queueMicrotask(() => request.onerror());
  return request;
};
"""
#: In the worker: there is no database, as in some private windows.
NO_DATABASE = "Object.defineProperty(globalThis, 'indexedDB', { value: undefined });"
#: Raises the version of the database, in a page of the site that does not run the client.
RAISE = """() => new Promise((resolve, reject) => {
  const open = indexedDB.open("granada", 99);
  open.onerror = () => reject(open.error);
  open.onsuccess = () => { open.result.close(); resolve(); };
})"""


def export(page: Page, path: Path) -> Path:
    """Save all games from the settings to a file."""
    page.goto("/settings")
    ready(page)
    with page.expect_download() as saved:
        page.locator("[data-act=export]").click()
    saved.value.save_as(path)
    return path


def import_file(page: Page, path: Path) -> None:
    page.goto("/settings")
    ready(page)
    page.locator("input[data-import]").set_input_files(path)


def played(visit: Visit, actions: int = 4) -> Table:
    """Return a table after some actions of the reader."""
    configure(visit.context)
    table = open_table(visit.page, {"edition": "alhambra"}, [PERSON, BOT])
    Game(table, Pointer(table), eager("storage")).play(actions)
    return table


@pytest.mark.timeout(300)
def test_a_full_storage_is_explained_and_play_goes_on_when_there_is_room(visit: Visit) -> None:
    visit.ignore("storing failed|unavailable|status of 503")
    change_worker(visit, FULL)
    table = played(visit)
    page = visit.page
    table.wait_for_turn()
    message = table.message()
    page.evaluate("() => new BroadcastChannel('test').postMessage('full')")
    action = {"id": "full", "type": "act", "n": message["n"], "hold": False, "action": message["own"]["actions"][0]}
    reply = api.request(page, "POST", f"/tables/{table.id}/commands", api.encoded(action))
    assert reply.status == 503, reply.text
    expect_storage(page, "full")
    assert table.message()["n"] == message["n"]
    with page.expect_download():
        page.locator("[data-storage=full] [data-act=export]").click()
    page.evaluate("() => new BroadcastChannel('test').postMessage('room')")
    again = api.request(page, "POST", f"/tables/{table.id}/commands", api.encoded(action))
    assert again.ok, again.text
    assert table.message()["n"] > message["n"]
    expect(page.locator("[data-storage]")).to_have_count(0)


@pytest.mark.timeout(300)
def test_evicted_games_are_explained(visit: Visit, server: StaticSite) -> None:
    visit.ignore("InvalidState|database")
    table = played(visit)
    debugger(visit.page).send("Storage.clearDataForOrigin", {"origin": server.url, "storageTypes": "indexeddb"})
    expect_storage(visit.page, "lost")
    assert table.state()["phase"] == "playing"  # the table is still on the screen


@pytest.mark.timeout(300)
def test_games_that_were_evicted_while_the_page_was_closed_stay_in_the_list(
    visit: Visit, server: StaticSite, tmp_path: Path
) -> None:
    visit.ignore("status of 404|favicon")
    configure(visit.context)
    table = open_table(visit.page, {"edition": "alhambra"}, [PERSON, BOT]).id
    path = export(visit.page, tmp_path / "games.json")
    visit.page.goto("/assets/icon.svg")
    debugger(visit.page).send("Storage.clearDataForOrigin", {"origin": server.url, "storageTypes": "indexeddb"})
    broken = visit.page.locator(f"[data-broken='{table}']")
    visit.page.goto("/")
    expect(broken).to_contain_text("the browser has deleted it", timeout=LOADING)
    expect_storage(visit.page, "new")
    visit.page.reload()
    expect(broken).to_be_visible(timeout=LOADING)
    visit.page.goto(f"/t/{table}")
    expect(visit.page.locator("main .lost")).not_to_contain_text("nobody had played", timeout=LOADING)
    import_file(visit.page, path)
    expect(visit.page.locator("[data-said=done]")).to_be_visible()
    visit.page.goto("/")
    expect(visit.page.locator(f"a[href='/t/{table}']").first).to_be_visible(timeout=LOADING)
    expect(visit.page.locator("[data-broken]")).to_have_count(0)


@pytest.mark.timeout(300)
def test_puzzles_and_lessons_are_no_games_of_the_list(visit: Visit) -> None:
    configure(visit.context)
    page = visit.page
    page.goto("/learn/1")
    expect(page.locator("[data-table]")).to_be_visible(timeout=LOADING)
    [puzzle, *_] = api.get(page, "/puzzles")["puzzles"]
    api.post(page, f"/puzzles/{puzzle['id']}/table")
    page.goto("/settings")
    ready(page)
    expect(page.locator("#games")).to_contain_text("no games on this device")
    expect(page.locator("#games [data-act=list]")).to_have_count(0)


@pytest.mark.timeout(300)
def test_a_private_window_without_a_database_plays_in_memory(visit: Visit) -> None:
    change_worker(visit, NO_DATABASE)
    visit.context.add_init_script(NO_DATABASE)
    configure(visit.context)
    visit.page.goto("/about")
    wait_for_python(visit.page)
    expect_storage(visit.page, "memory")
    found = api.post(visit.page, "/tables", {"seats": [PERSON, BOT], "options": {"edition": "alhambra"}})
    api.post(visit.page, f"/tables/{found['table']['id']}/start")
    assert api.table_message(visit.page, found["table"]["id"])["table"]["phase"] == "playing"


@pytest.mark.timeout(300)
def test_without_room_for_a_database_games_are_played_in_memory(visit: Visit) -> None:
    change_worker(visit, CLOSED % "QuotaExceededError")
    configure(visit.context)
    visit.page.goto("/about")
    wait_for_python(visit.page)
    expect_storage(visit.page, "memory")
    found = api.post(visit.page, "/tables", {"seats": [PERSON, BOT], "options": {"edition": "alhambra"}})
    api.post(visit.page, f"/tables/{found['table']['id']}/start")
    assert api.table_message(visit.page, found["table"]["id"])["table"]["phase"] == "playing"


@pytest.mark.timeout(300)
def test_with_an_unreadable_database_a_game_can_be_played_without_saving(visit: Visit) -> None:
    visit.ignore("UnknownError")
    change_worker(visit, CLOSED % "UnknownError")
    configure(visit.context)
    visit.page.goto("/about")
    expect(visit.page.locator("[data-failed=database]")).to_be_visible(timeout=LOADING)
    visit.page.locator("[data-act=unsaved]").click()
    expect_storage(visit.page, "memory")
    wait_for_python(visit.page)
    found = api.post(visit.page, "/tables", {"seats": [PERSON, BOT], "options": {"edition": "alhambra"}})
    assert api.table_message(visit.page, found["table"]["id"])["table"]["phase"] == "lobby"
    # The next page tries the database again.
    visit.page.goto("/about")
    expect(visit.page.locator("[data-failed=database]")).to_be_visible(timeout=LOADING)


@pytest.mark.timeout(300)
def test_a_damaged_table_is_explained_and_the_others_work(visit: Visit) -> None:
    visit.ignore("status of|damaged")
    damaged = played(visit).id
    other = open_table(visit.page, {"edition": "granada"}, [PERSON, BOT])
    whole = other.id
    visit.page.evaluate(DAMAGE, damaged)
    visit.page.goto(f"/t/{damaged}")
    expect(visit.page.locator("main .lost")).to_be_visible(timeout=LOADING)
    visit.page.goto(f"/t/{whole}")
    ready(visit.page)
    assert other.wait_for_turn()
    # The home page says why it is not in the list.
    visit.page.goto("/")
    card = visit.page.locator(f"[data-broken='{damaged}']")
    expect(card).to_contain_text("stored with an error", timeout=LOADING)
    card.locator("button").click()
    expect(card).to_have_count(0)
    expect(visit.page.locator(f"a[href='/t/{whole}']").first).to_be_visible()


@pytest.mark.timeout(600)
def test_a_damaged_game_is_left_out_of_a_file_and_repaired_from_one(
    new_visit: Callable[..., Visit], tmp_path: Path
) -> None:
    here, there = new_visit(), new_visit()
    here.ignore("status of|damaged")
    configure(here.context)
    tables = [open_table(here.page, {"edition": edition}, [PERSON, BOT]).id for edition in ("alhambra", "granada")]
    damaged, whole = tables
    sound = export(here.page, tmp_path / "sound.json")
    here.page.evaluate(DAMAGE, damaged)
    partial = export(here.page, tmp_path / "partial.json")
    # Elsewhere the other game is there.
    configure(there.context)
    import_file(there.page, partial)
    expect(there.page.locator("[data-said=done]")).to_contain_text("1 game in this file is damaged")
    assert api.table_message(there.page, whole)["table"]["phase"] == "playing"
    assert api.request(there.page, "GET", f"/tables/{damaged}").status == 404
    # The earlier file repairs the game.
    assert api.request(here.page, "GET", f"/tables/{damaged}").status != 200
    import_file(here.page, sound)
    expect(here.page.locator("[data-said=done]")).to_contain_text("1 game was added or updated")
    assert api.table_message(here.page, damaged)["table"]["phase"] == "playing"


@pytest.mark.timeout(300)
def test_a_tab_lets_go_of_a_game_that_another_one_deletes(visit: Visit) -> None:
    visit.ignore("status of 404")
    configure(visit.context)
    table = open_table(visit.page, {"edition": "alhambra"}, [PERSON, BOT])
    table.wait_for_turn()
    # This tab does not list the game again.
    visit.page.evaluate("() => { Storage.prototype.setItem = () => {}; }")
    tab = visit.context.new_page()
    tab.goto("/about")
    tab.evaluate("() => localStorage.setItem('granada.tables', '[]')")
    tab.goto("/settings")
    ready(tab)
    tab.once("dialog", lambda dialog: dialog.accept())
    tab.locator("[data-act=delete]").click()
    expect(visit.page.locator("main .lost")).to_be_visible(timeout=LOADING)
    expect(tab.locator("[data-act=delete]")).to_have_count(0)
    assert api.request(tab, "GET", f"/tables/{table.id}").status == 404


@pytest.mark.timeout(300)
def test_a_newer_database_is_left_alone(visit: Visit, tmp_path: Path) -> None:
    visit.ignore("newer|VersionError|favicon")
    played(visit)
    visit.page.goto("/assets/icon.svg")
    visit.page.evaluate(RAISE)
    visit.page.goto("/new")
    expect(visit.page.locator("[data-failed=newer_database]")).to_be_visible(timeout=LOADING)
    assert visit.page.evaluate("async () => (await indexedDB.databases())[0].version") == 99


@pytest.mark.timeout(600)
def test_all_games_move_to_another_device_in_one_file(new_visit: Callable[..., Visit], tmp_path: Path) -> None:
    here, there = new_visit(), new_visit()
    table = played(here)
    table_id, log = table.id, table.log()
    path = export(here.page, tmp_path / "games.json")
    configure(there.context)
    import_file(there.page, path)
    expect(there.page.locator("[data-said=done]")).to_be_visible()
    there.page.goto("/")
    ready(there.page)
    there.page.locator(f'a[href="/t/{table_id}"]').first.click()
    expect(there.page.locator("[data-table]")).to_be_visible()
    moved = Table(there.page)
    assert moved.wait_for_turn()
    assert moved.log()[: len(log)] == log
    Game(moved, Pointer(moved), eager("moved")).play(2)  # the seat came along
    # Older copies do not replace a longer game.
    longer = moved.message()["n"]
    import_file(there.page, path)
    expect(there.page.locator("[data-said=done]")).to_be_visible()
    assert api.table_message(there.page, table_id)["n"] >= longer


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no games",
        "{}",
        json.dumps({"format": "granada-games", "version": 99, "entries": [], "tables": [], "meta": []}),
    ],
    ids=["empty", "text", "other JSON", "newer"],
)
def test_a_file_that_holds_no_games_is_rejected(visit: Visit, tmp_path: Path, text: str) -> None:
    path = tmp_path / "games.json"
    path.write_text(text, "utf-8")
    import_file(visit.page, path)
    expect(visit.page.locator("[data-said=problem]")).to_be_visible()
    expect(visit.page.locator("[data-said=done]")).to_have_count(0)
