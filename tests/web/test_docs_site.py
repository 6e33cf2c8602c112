"""The documentation site in a browser: pages, pictures and the search work without any other host."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Request, expect

from tests.docs.site import built_docs
from tests.web.static_site import serving


@pytest.mark.parametrize("width", [390, 1280])
def test_the_site_works_without_any_other_host(browser: Browser, built_folder: Path, width: int) -> None:
    with serving(built_docs(built_folder)) as host:
        context = browser.new_context(viewport={"width": width, "height": 844})
        page = context.new_page()
        elsewhere: list[str] = []
        messages: list[str] = []

        def note_request(request: Request) -> None:
            if urlsplit(request.url).hostname not in ("127.0.0.1", None):
                elsewhere.append(request.url)

        def note_message(message: ConsoleMessage) -> None:
            messages.append(message.text)

        page.on("request", note_request)
        page.on("console", note_message)
        page.goto(f"http://127.0.0.1:{host.port}/play/de.html")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Die Regeln")
        picture = page.locator("figure.rules img").first
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") > 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("s")
        page.get_by_role("textbox", name="Search").press_sequentially("Wesir")  # the search listens to keys
        expect(page.locator(".md-search-result__item").first).to_contain_text("Wesir")
        page.locator(".md-search-result__link").first.click()
        expect(page.locator("article")).to_contain_text("Wesir")
        context.close()
    assert elsewhere == []
    assert messages == []
