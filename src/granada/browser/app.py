"""Starts the tables of a page on what JavaScript provides (web/src/device/tables_worker.ts)."""

from __future__ import annotations

import gc
import secrets
from typing import Final

from granada.browser.bot_runner import BrowserBots
from granada.browser.bridge import Bridge
from granada.browser.dispatcher import Dispatcher
from granada.browser.idb_store import IndexedDbStore
from granada.browser.notifier import BrowserNotifier
from granada.tables.clock import server_time
from granada.tables.service import TableService

#: Seconds within which an analysis must report some progress, however slow the device is.
REVIEW_TIMEOUT: Final = 60.0


async def start(bridge: Bridge, pause: float, think: float, nodes: int, limit: float) -> Dispatcher:
    """Return the dispatcher of the running tables.

    Bots wait for people up to `pause` seconds, think `think` seconds and up to `nodes` positions (0: no limit), and are
    stopped after `limit` seconds.
    """
    store = IndexedDbStore(bridge.database, bridge.channel, secrets.token_hex(4))
    notifier = BrowserNotifier(bridge.channel, bridge.locks, lambda notification: tables.receive(notification))
    tables = TableService(
        store,
        notifier,
        BrowserBots(bridge.bots, limit, think, nodes),
        BrowserBots(bridge.reviews, max(REVIEW_TIMEOUT, limit), keeps_worker=False),
        pause=pause,
        adopts_all=False,
    )
    server_time.begin_after(await store.newest_at())
    secret = await bridge.database.secret()
    gc.freeze()  # what is loaded now stays; later collections need not look at it
    tables.start()
    return Dispatcher(tables, secret)
