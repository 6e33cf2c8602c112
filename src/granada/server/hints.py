"""Hints: what the strongest bot would do for a seat. It thinks where all bots do, in the pool, never in the loop."""

from __future__ import annotations

import asyncio
from typing import Final
from weakref import WeakKeyDictionary

from granada.notation import action_text, parse_action
from granada.rules.bonus import Reveal
from granada.rules.chance import First
from granada.rules.placing import Give, Place
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.state import Action, State
from granada.server import metrics
from granada.server.aids import next_scoring, points_by_seat
from granada.server.bot_pool import BotFailed, BotPool
from granada.server.commands import deciding_seat, running
from granada.server.holders import Holder
from granada.server.levels import levels
from granada.server.live import LiveTable
from granada.server.logs import shortened, warn
from granada.server.messages import Change
from granada.server.problems import Refusal
from granada.server.requests import Hint, Idea
from granada.server.table import Table

#: What changes the points of a scoring at once; it needs no luck.
_SCORING: Final = (Place, Add, Swap, Remove, Give, Reveal)


class Hints:
    """Asks the strongest bot, once a position: whoever asks again gets the same answer."""

    def __init__(self, pool: BotPool) -> None:
        self._pool: Final = pool
        #: The position that was last asked about at each table, and the bot that thinks about it or has done so.
        self._asked: Final[WeakKeyDictionary[LiveTable, tuple[State, asyncio.Task[Hint]]]] = WeakKeyDictionary()

    async def hint(self, live: LiveTable, holder: Holder, wanted: int | None) -> Hint:
        """What a bot would do for a seat of the holder (from 1; None: the one that decides); Refusal says why not."""
        table = live.table
        if table.options.aids == "purist":
            raise Refusal("purist", "this table plays without aids")
        game = running(table)
        state, seat = game.state, deciding_seat(table, holder, wanted)
        asked = self._asked.get(live)
        if asked is None or asked[0] is not state or _has_failed(asked[1]):
            asked = state, asyncio.create_task(self._think(table, state, seat))
            asked[1].add_done_callback(_has_failed)  # whoever waited for it may be gone
            self._asked[live] = asked
        try:
            found = await asyncio.shield(asked[1])  # others may wait for it, too
        except BotFailed:
            raise Refusal("unavailable", "the bot has no idea now: ask again in a moment") from None
        if game.state is not state:
            raise Refusal("stale", "the table has moved on while the bot was thinking")
        return found

    async def _think(self, table: Table, state: State, seat: int) -> Hint:
        level, offers = levels()[-1].id, state.offers()
        if len(offers) == 1:
            return Hint(level, [_idea(state, seat, offers[0])])
        try:
            with metrics.BOT_SECONDS.labels(level).time():
                text = await self._pool.choose(str(table.record()), level, table.bot_seed())
        except BotFailed as failure:
            metrics.BOT_FAILURES.labels(level).inc()
            warn("bot failed", table=shortened(table.id), bot=level, reason=failure.reason)
            raise
        return Hint(level, [_idea(state, seat, parse_action(text, state.options.components))])


def _has_failed(task: asyncio.Task[Hint]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _idea(state: State, seat: int, action: Action) -> Idea:
    return Idea(action_text(action), points_change(state, seat, action))


def points_change(state: State, seat: int, action: Action) -> Change | None:
    """7: the points of a seat (from 0) if the next scoring came before an action, and after it; None if it is alike."""
    scoring = next_scoring(state)
    if scoring is None or not isinstance(action, _SCORING):
        return None
    after = state.copy()
    action.do(after, seat, First())
    change = Change(points_by_seat(state, scoring)[seat], points_by_seat(after, scoring)[seat])
    return change if change.before != change.after else None
