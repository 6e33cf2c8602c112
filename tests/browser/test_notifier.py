"""Several tabs: notifications of what another tab stored, and one tab that runs each table."""

from __future__ import annotations

import asyncio

from granada.browser.notifier import BrowserNotifier

TABLE = "A" * 16
OTHER = "B" * 16


class Site:
    """The locks of all tabs, by name."""

    def __init__(self) -> None:
        self.owners: dict[str, Tab] = {}


class Tab:
    """The channel and the locks of one tab."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.messages: asyncio.Queue[str] = asyncio.Queue()

    def send(self, message: str) -> None:
        raise AssertionError("a notifier only receives")

    async def receive(self) -> str:
        return await self.messages.get()

    async def take(self, name: str) -> bool:
        await asyncio.sleep(0)  # a Promise
        if name in self._site.owners:
            return False  # Web Locks refuse a lock even to the tab that holds it
        self._site.owners[name] = self
        return True

    def release(self, name: str) -> None:
        assert self._site.owners.pop(name) is self

    def close(self) -> None:
        """Lose all locks, as a tab that is closed or dies."""
        self._site.owners = {name: tab for name, tab in self._site.owners.items() if tab is not self}


def notifier_of(tab: Tab) -> BrowserNotifier:
    return BrowserNotifier(tab, tab, lambda _: None)


def test_a_table_is_run_by_one_tab_until_it_releases_it() -> None:
    async def run() -> None:
        site = Site()
        one, two = notifier_of(Tab(site)), notifier_of(Tab(site))
        for table in (TABLE, OTHER):
            assert all(await asyncio.gather(one.claim(table), one.claim(table)))
            assert await one.claim(table)
            assert not await two.claim(table)
        await one.release_all_but({TABLE})
        assert not await two.claim(TABLE)
        assert await two.claim(OTHER)
        assert not await one.claim(OTHER)

    asyncio.run(run())


def test_another_tab_takes_over_from_one_that_died() -> None:
    async def run() -> None:
        site = Site()
        dying = Tab(site)
        two = notifier_of(Tab(site))
        assert await notifier_of(dying).claim(TABLE)
        assert not await two.claim(TABLE)
        dying.close()
        assert await two.claim(TABLE)

    asyncio.run(run())


def test_a_cancelled_claim_leaves_no_unknown_lock() -> None:
    async def run() -> None:
        site = Site()
        one, two = notifier_of(Tab(site)), notifier_of(Tab(site))
        claiming = asyncio.create_task(one.claim(TABLE))
        await asyncio.sleep(0)
        claiming.cancel()
        await asyncio.gather(claiming, return_exceptions=True)
        await asyncio.sleep(0)
        await one.release_all_but(())
        assert await two.claim(TABLE)

    asyncio.run(run())


def test_a_notification_that_cannot_be_read_does_not_end_the_others() -> None:
    async def run() -> None:
        received: list[str] = []

        def receive(text: str) -> None:
            if text == "odd":
                raise ValueError(text)
            received.append(text)

        tab = Tab(Site())
        running = asyncio.create_task(BrowserNotifier(tab, tab, receive).run())
        for text in ("one", "odd", "two"):
            tab.messages.put_nowait(text)
        async with asyncio.timeout(10):
            while received != ["one", "two"]:
                await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(run())
