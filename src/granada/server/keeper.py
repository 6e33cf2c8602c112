"""The keeper of tables: lets bots play, clocks expire, and bots take over for those who are away."""

from __future__ import annotations

import asyncio
import contextlib
import random
from dataclasses import dataclass
from typing import Final, Literal

from granada.bots import RandomBot
from granada.notation import action_text
from granada.rules.bonus import ASKING
from granada.server import metrics
from granada.server.bot_pool import BotFailed, BotPool
from granada.server.cleaning import Cleaner
from granada.server.commands import Proposal, expire, play
from granada.server.entries import Resumed
from granada.server.hall import Hall, clock
from granada.server.live import LiveTable
from granada.server.lobby import hand_over
from granada.server.logs import fail, shortened, warn
from granada.server.news import News
from granada.server.presence import Presence
from granada.server.problems import Refusal
from granada.server.store import Unavailable
from granada.server.table import Table
from granada.server.turns import Owner

#: A bot that plays when another fails.
SUBSTITUTE: Final = "greedy"
#: Seconds between two looks at all tables, and before something that failed is tried again.
ROUND: Final = 5.0
AGAIN: Final = 1.0
#: Milliseconds after which a table that nobody uses is put out of memory.
IDLE: Final = 5 * 60_000
#: The rounds between two announcements to other processes of who is here.
ANNOUNCING: Final = 3


@dataclass(frozen=True)
class Duty:
    """What is to be done at a table next, and when (milliseconds)."""

    what: Literal["bot", "expire", "hand_over"]
    seat: int
    #: How many actions were played: another position is another duty, another name at the table is not.
    n: int
    at: int
    level: str | None = None


def duty_of(live: LiveTable) -> Duty | None:
    """What a table waits for that no person brings."""
    table = live.table
    seat = table.deciding()
    if seat is None or table.game is None:
        return None
    n = table.game.state.n
    if table.bot_for(seat) is not None:
        return Duty("bot", seat, n, 0, table.bot_for(seat))
    duties: list[Duty] = []
    takeover_at = live.takeover_at(seat)
    if takeover_at is not None:
        duties.append(Duty("hand_over", seat, n, takeover_at))
    expires_at = table.clocks.expires_at()
    if expires_at is not None:
        duties.append(Duty("expire", seat, n, expires_at))
    return min(duties, key=lambda duty: duty.at, default=None)


def _count(table: Table) -> int:
    return 0 if table.game is None else table.game.state.n


class Keeper:
    """Does the duties of all tables that this process keeps."""

    def __init__(self, hall: Hall, presence: Presence, pool: BotPool, news: News, pause: float, keep_days: int) -> None:
        self._hall: Final = hall
        self._presence: Final = presence
        self._pool: Final = pool
        self._news: Final = news
        self._pause: Final = pause
        self._cleaner: Final = Cleaner(hall.store, keep_days)
        self._is_open = True
        #: The tables that were adopted after this process started, or another died.
        self._adopted: Final[set[str]] = set()
        self._soon: Final = asyncio.Event()
        hall.changed = self.look

    def look(self, live: LiveTable) -> None:
        """See whether a table has another duty now."""
        duty = duty_of(live) if self._is_open else None
        if duty == live.duty:
            return  # also if the last viewer has left: a bot that is thinking plays its action, and the next one waits
        if duty is not None and duty.what == "bot" and live.watching(clock()) == "nobody":
            duty = None  # the first visitor makes the keeper look again
        if live.task is not None:
            live.task.cancel()
        live.duty = duty
        live.task = asyncio.create_task(self._do(live, duty)) if duty is not None else None

    async def _do(self, live: LiveTable, duty: Duty) -> None:
        try:
            if not await self._news.may_keep(live.table.id):
                live.duty = None  # whoever keeps it does it; if nobody does any more, the next round will see
                return
            if duty.what == "bot":
                await self._let_bot_play(live, duty)
            else:
                await asyncio.sleep(max(0.0, (duty.at - clock()) / 1000))
                await self._hall.change(live.table.id, lambda table: self._due(table, duty))
        except (Refusal, Unavailable):
            await asyncio.sleep(AGAIN)
            self._look_again(live, duty)
        except Exception as error:  # one table must never stop the others
            fail("duty failed", error, table=shortened(live.table.id), duty=duty.what)
            await asyncio.sleep(AGAIN)
            self._look_again(live, duty)

    def _look_again(self, live: LiveTable, duty: Duty) -> None:
        if live.duty == duty:
            live.duty = live.task = None
            self.look(live)

    def _due(self, table: Table, duty: Duty) -> Proposal:
        if table.waits_for_person() != duty.seat or _count(table) != duty.n:
            raise Refusal("stale", "somebody was quicker")
        if duty.what == "expire":
            expires_at = table.clocks.expires_at()
            if expires_at is None or expires_at > clock():
                raise Refusal("stale", "there is time again")
            return expire(table, duty.seat)
        return hand_over(table, duty.seat)

    # Bots

    async def _let_bot_play(self, live: LiveTable, duty: Duty) -> None:
        table, level = live.table, duty.level
        assert level is not None
        if self._pause and live.watching(clock()) == "person":
            await asyncio.sleep(self._pause)
        text = await self._choice(table, level, live.owner())

        def decide(now: Table) -> Proposal:
            if now.deciding() != duty.seat or now.bot_for(duty.seat) != duty.level or _count(now) != duty.n:
                raise Refusal("stale", "somebody was quicker")
            return play(now, duty.seat, text, "bot")

        await self._hall.change(table.id, decide)

    async def _choice(self, table: Table, level: str, owner: Owner) -> str:
        """What a bot plays; if it fails a simpler one plays, and if that fails any offered action is."""
        game = table.game
        assert game is not None
        seed = table.bot_seed()
        offers = game.state.offers()
        # Before a scoring the answer takes its time: how soon it came would tell what a bot can reveal (16.2).
        if len(offers) == 1 and game.state.step is not ASKING:
            return action_text(offers[0])
        record = str(table.record())
        for one in (level, SUBSTITUTE):
            try:
                with metrics.BOT_SECONDS.labels(one).time():
                    return await self._pool.choose(record, one, seed, owner)
            except BotFailed as failure:
                metrics.BOT_FAILURES.labels(one).inc()
                warn("bot failed", table=shortened(table.id), bot=one, reason=failure.told)
        return action_text(RandomBot(seed).pick(offers))

    # Rounds

    async def run(self) -> None:
        """Look after all tables until cancelled."""
        count = 0
        while True:
            self._soon.clear()
            try:
                await self._round(count)
            except (Unavailable, Refusal):
                metrics.DATABASE_ERRORS.inc()
            except Exception as error:
                fail("round failed", error)
            count += 1
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._soon.wait(), ROUND * (0.75 + random.random() / 2))

    async def _round(self, count: int) -> None:
        playing = await self._hall.store.playing()
        self._adopted.intersection_update(playing)
        for table_id in playing:
            if table_id not in self._adopted and await self._news.may_keep(table_id):
                await self._adopt(table_id)
                self._adopted.add(table_id)
            await asyncio.sleep(0)
        for live in list(self._hall.tables.values()):
            self.look(live)
        self._presence.forget_silent()
        self._hall.forget_idle(clock() - IDLE)
        # Whoever has a table in memory can take over what this process has put out of its own.
        await self._news.keep_only({live.table.id for live in self._hall.tables.values() if live.table.phase != "over"})
        if count % ANNOUNCING == 0:
            for live in list(self._hall.tables.values()):
                if live.watching_here(clock()) != "nobody":
                    self._presence.announce(live)
        await self._cleaner.look(self._hall.tables)

    async def _adopt(self, table_id: str) -> None:
        """Begin to keep a table; the time in which nobody kept it is nobody's."""
        try:
            live = await self._hall.table(table_id)
            if live.table.clocks.running is not None and live.loaded_at > live.table.changed_at + 1000:
                await self._hall.change(table_id, lambda _: Proposal(Resumed()))
            self.look(live)
        except Refusal as refusal:
            if refusal.code == "unavailable":  # the next round tries again
                raise
        except Exception as error:  # one table must never stop the others
            fail("adopting failed", error, table=shortened(table_id))

    def forget(self) -> None:
        """Another process may keep everything now; see soon what this one can."""
        self._adopted.clear()
        self._soon.set()

    def close(self) -> None:
        """Do nothing more."""
        self._is_open = False
        for live in self._hall.tables.values():
            self.look(live)
