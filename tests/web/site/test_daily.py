"""The daily deal without a server: the same deal, and results that stay on the device."""

from __future__ import annotations

from playwright.sync_api import expect

from granada.daily.deal import DailyDeal
from granada.locales import translate
from tests.web import api
from tests.web.daily_lists import record, today, within_a_day
from tests.web.site.device import configure, offline, wait_for_python
from tests.web.static_site import StaticSite
from tests.web.test_daily import play_out, stored
from tests.web.visitors import Visit


@within_a_day
def test_a_finished_daily_deal_is_recorded_on_the_device(visit: Visit, server: StaticSite) -> None:
    configure(visit.context)
    page = visit.page
    with offline(visit, server):
        page.goto("/daily")
        expect(page.locator("[data-list]")).to_contain_text(translate("en", "daily.no_server_say"))
        page.locator("[data-act=play]").click()
        expect(page.locator("[data-table]")).to_have_attribute("data-phase", "playing")
        deal = api.get(page, "/daily/alhambra/today")
        opening = DailyDeal("alhambra", today()).opening()
        assert deal["display"] == [card.name for card in opening.display]
        play_out(page, "device")
        expect(page.locator("[data-daily]")).to_have_attribute("data-daily", "listed")
        result = api.get(page, "/daily/alhambra/today")["mine"]
        assert stored(page) == [{"edition": "alhambra", "date": str(today()), **result}]
        page.locator("[data-act=daily]").click()
        expect(page.locator("[data-deal]")).to_have_attribute("data-deal", "done")
        expect(page.locator("[data-list=own] [data-row]")).to_have_count(1)
        page.reload()
        expect(page.locator("[data-list=own] [data-row]")).to_contain_text(str(result["points"]))


@within_a_day
def test_a_record_of_another_deal_is_refused_on_the_device_too(visit: Visit) -> None:
    visit.page.goto("/daily")
    wait_for_python(visit.page)
    text = record("alhambra", today(), "Ana")
    reply = api.request(visit.page, "POST", "/daily/granada/today/results", text, api.TEXT)
    assert (reply.status, reply.json()["reason"]["code"]) == (400, "daily_deal")
