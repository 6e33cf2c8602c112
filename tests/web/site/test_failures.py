"""What the reader sees when the game cannot run on the device, and the way out."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from granada.locales import translate
from tests.web.site.device import LOADING, change_worker, wait_for_python
from tests.web.visitors import Visit

#: What breaks the worker of the tables, by the code of the failure.
BREAKS = {
    "unsupported": "WebAssembly.instantiateStreaming = undefined;",
    "memory": "WebAssembly.instantiateStreaming = async () => { throw new RangeError('no room'); };",
    "database": "IDBFactory.prototype.open = () => { throw new DOMException('broken', 'UnknownError'); };",
    # An error that nothing catches, after the start.
    "crashed": "{ const post = self.postMessage.bind(self); self.postMessage = (message) => { post(message);"
    " if (message.type === 'ready') setTimeout(() => { throw new Error('stopped'); }); }; }",
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("code", BREAKS)
def test_a_game_that_cannot_run_says_why_and_offers_a_way_out(visit: Visit, code: str) -> None:
    visit.ignore("stopped|no room|broken|wasm instantiation failed")
    change_worker(visit, BREAKS[code])
    page = visit.page
    page.goto("/new")
    failure = page.locator(f"[data-failed={code}]")
    expect(failure).to_contain_text(translate("en", f"problem.device_{code}"), timeout=LOADING)
    failure.get_by_text(translate("en", "device.use_server")).click()
    expect(failure.get_by_role("textbox")).to_be_visible()
    visit.context.unroute("**/tables_worker-*.js")
    failure.get_by_role("button", name=translate("en", "app.retry")).click()
    wait_for_python(page)
    expect(failure).to_have_count(0)
