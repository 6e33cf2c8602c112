"""The site as an app: it can be installed, works below a path, and has a strict policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from granada.server.http.security_headers import site_policy
from tests.web.browser import arguments, install
from tests.web.offline.worker import wait_until_kept
from tests.web.screens import ready
from tests.web.static_site import StaticSite
from tests.web.visitors import Visit


@pytest.mark.timeout(300)
def test_it_can_be_installed(browser: Browser, host: StaticSite, tmp_path: Path) -> None:
    # Nothing can be installed from a private window, which contexts of a browser otherwise are.
    context = browser.browser_type.launch_persistent_context(
        tmp_path / "profile", executable_path=install(), args=arguments()
    )
    try:
        page = context.pages[0]
        page.goto(f"{host.url}/")
        wait_until_kept(page)
        session = context.new_cdp_session(page)
        assert session.send("Page.getInstallabilityErrors") == {"installabilityErrors": []}
        found: dict[str, Any] = session.send("Page.getAppManifest")
        assert found["errors"] == []
        manifest = found["manifest"]
        assert {manifest[key] for key in ("id", "startUrl", "scope")} == {f"{host.url}/"}
        assert manifest["display"] == "kStandalone"
        assert len(manifest["icons"]) >= 4
    finally:
        context.close()


@pytest.mark.timeout(300)
def test_a_link_to_a_screen_works_at_the_first_visit(visit: Visit, host: StaticSite) -> None:
    """The host answers with 404.html, which is the page."""
    page = visit.page
    response = page.goto("/games/rules?lang=de")
    assert response is not None
    assert response.status == 404
    ready(page)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("h1")).not_to_have_text("Seite nicht gefunden")
    page.goto("/games/no/such/screen")
    ready(page)
    expect(page.locator("h1")).to_have_text("Page not found")


@pytest.mark.timeout(300)
def test_everything_is_asked_for_below_the_base(visit: Visit, host: StaticSite) -> None:
    page = visit.page
    page.goto("/games/")
    wait_until_kept(page)
    page.goto("/games/rules")
    ready(page)
    assert {path for path in host.requests if not path.startswith("/games/")} <= {"/favicon.ico"}


def test_the_policy_is_in_the_page_and_holds(visit: Visit, host: StaticSite) -> None:
    page = visit.page
    page.goto("/games/about")
    ready(page)
    policy = page.locator("meta[http-equiv=Content-Security-Policy]")
    expect(policy).to_have_attribute("content", site_policy())
    visit.ignore("policy: script-src-elem|violates the following Content Security Policy")
    page.evaluate(
        "() => { const s = document.createElement('script'); s.text = 'window.x = 1'; document.head.append(s) }"
    )
    assert page.evaluate("() => window.x") is None
