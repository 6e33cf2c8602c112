"""Offline use: every screen from the device, nothing from elsewhere, and downloads that break off."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.offline.worker import LOADING, NO_NETWORK, caches, listed, wait_until_kept
from tests.web.screens import ready
from tests.web.static_site import StaticSite
from tests.web.visitors import Visit

#: The addresses of screens: links to them open without a network.
SCREENS = (
    "",
    "new",
    "record",
    "settings",
    "about",
    "me",
    "me/stored",
    "daily",
    "daily/granada",
    "puzzles",
    "learn",
    "learn/money",
    "rules",
    "pad",
    "?lang=de",
    "rules?lang=hu",
)
#: The pieces of the sentences about the download.
BROKEN, COMPLETE = "The download was interrupted", "Everything is on this device"


@pytest.mark.timeout(300)
def test_after_the_first_visit_every_screen_opens_without_a_network(visit: Visit, host: StaticSite) -> None:
    page = visit.page
    page.goto("/games/")
    wait_until_kept(page)
    kept = caches(page)
    assert [sorted(paths) for paths in kept.values()] == [sorted(f"/games/{name}" for name in listed(host.folder))]
    visit.ignore(NO_NETWORK)
    host.is_down = True
    host.requests.clear()
    for path in SCREENS:
        response = page.goto(f"/games/{path}")
        assert response is not None
        assert (response.status, response.from_service_worker) == (200, True), path
        ready(page)
        expect(page.get_by_role("heading", name="Something went wrong")).to_have_count(0)
    # Only the browser itself has looked for a new version.
    assert set(host.requests) <= {"/games/sw.js"}


@pytest.mark.timeout(300)
def test_what_is_not_part_of_the_site_comes_from_the_network(visit: Visit, host: StaticSite) -> None:
    page = visit.page
    page.goto("/games/")
    wait_until_kept(page)
    (host.folder / "mine.txt").write_text("first", "utf-8")
    read = "async (path) => (await fetch(path, { cache: 'no-store' })).text()"
    assert page.evaluate(read, "/games/mine.txt") == "first"
    (host.folder / "mine.txt").write_text("second", "utf-8")
    assert page.evaluate(read, "/games/mine.txt") == "second"
    for path in ("/games/example.html", "/games/api/tables", "/games/nothing", "/elsewhere"):
        visit.ignore("status of 404")
        response = page.goto(path)
        assert response is not None
        assert not response.from_service_worker, path


@pytest.mark.timeout(300)
def test_a_download_that_breaks_off_is_explained_and_can_be_repeated(visit: Visit, host: StaticSite) -> None:
    visit.ignore(NO_NETWORK)
    visit.ignore("sw.js")
    page = visit.page
    # The icon is not part of the screen, so that only the download for offline use breaks off.
    host.cut = re.compile(r"icon-512\.png")
    page.goto("/games/settings")
    panel = page.get_by_role("region", name="Playing offline")
    expect(panel).to_contain_text(BROKEN, timeout=LOADING)
    # What has arrived stays.
    kept = next(iter(caches(page).values()))
    assert len(kept) > 10
    host.cut = None
    host.requests.clear()
    panel.get_by_role("button", name="Try again").click()
    expect(panel).to_contain_text(COMPLETE, timeout=LOADING)
    assert "/games/assets/icon-512.png" in host.requests
    assert not {path for path in host.requests if path in kept}
    wait_until_kept(page)


@pytest.mark.timeout(300)
def test_a_full_disk_is_not_an_interrupted_download(visit: Visit, host: StaticSite) -> None:
    visit.ignore("sw.js|no room")
    script = host.folder / "sw.js"
    whole = script.read_text("utf-8")
    full = 'Cache.prototype.put = () => Promise.reject(new DOMException("no room", "QuotaExceededError"));\n'
    script.write_text(full + whole, "utf-8")
    visit.page.goto("/games/settings")
    panel = visit.page.get_by_role("region", name="Playing offline")
    expect(panel).to_contain_text("enough storage", timeout=LOADING)
    script.write_text(whole, "utf-8")
    panel.get_by_role("button", name="Try again").click()
    expect(panel).to_contain_text(COMPLETE, timeout=LOADING)


@pytest.mark.timeout(300)
def test_a_changed_file_is_not_mixed_into_a_version(visit: Visit, host: StaticSite) -> None:
    """A host that is in the middle of an upload has files of two versions."""
    visit.ignore("sw.js")
    (host.folder / "assets" / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", "utf-8")
    visit.page.goto("/games/settings")
    panel = visit.page.get_by_role("region", name="Playing offline")
    expect(panel).to_contain_text(BROKEN, timeout=LOADING)
    assert "/games/assets/icon.svg" not in next(iter(caches(visit.page).values()))
