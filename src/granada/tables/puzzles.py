"""Puzzles at tables: the list, a table for each attempt, and the verdict on a turn."""

from __future__ import annotations

import gzip
import random
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

import msgspec

from granada.puzzles.explain import Fact, explain
from granada.puzzles.puzzle import Puzzle, read_turn
from granada.puzzles.shipped import shipped
from granada.puzzles.turns import WrongTurn, check_turn, outcome
from granada.rules.errors import NotationError
from granada.rules.events import NOBODY
from granada.rules.state import Action, State
from granada.rules.vizier import UsingVizier
from granada.tables import lobby
from granada.tables.aids import aids_of
from granada.tables.asking import OneAtATime
from granada.tables.clock import clock
from granada.tables.entries import Created, SeatPlan
from granada.tables.errors import TableError
from granada.tables.fair_queue import Owner
from granada.tables.holders import Holder
from granada.tables.levels import strongest
from granada.tables.log import warn
from granada.tables.messages import Reason, TableOptions, encoder
from granada.tables.names import NAMES, clean, suggest
from granada.tables.ports import Background, BotFailed, BotRunner
from granada.tables.presence import Presence
from granada.tables.puzzle_messages import (
    ListedPuzzle,
    PuzzleFact,
    PuzzleInfo,
    PuzzleList,
    PuzzleRatings,
    PuzzleTask,
    PuzzleTurn,
    PuzzleVerdict,
)
from granada.tables.registry import TableRegistry

#: A turn that was not valued before counts as the best if it is behind by less, in points and in win chance.
AS_GOOD_LEAD: Final = 0.5
AS_GOOD_WIN: Final = 0.005
#: The positions and games that are kept in memory.
KEPT: Final = 64
#: A turn draws at most this many cards from the deck.
DRAWN: Final = 4
#: With fewer tiles in each bag the game may end with the turn (8.1).
FEW_TILES: Final = 3


class Puzzles:
    """Opens puzzles at tables and judges turns."""

    def __init__(
        self,
        registry: TableRegistry,
        presence: Presence,
        runner: BotRunner,
        background: Background,
        asking: OneAtATime | None = None,
    ) -> None:
        self._registry: Final = registry
        self._presence: Final = presence
        self._runner: Final = runner
        self._background: Final = background
        self._asking: Final = OneAtATime() if asking is None else asking
        #: Each needs the position, which is replayed from the start of the game.
        self._infos: Final[dict[int, PuzzleInfo]] = {}

    def listed(self) -> bytes:
        """Return the encoded list of all puzzles."""
        return _encoded_list()

    def packed(self) -> bytes:
        """Return the same list, compressed: it is large, and nothing in it is anybody's secret."""
        return _packed_list()

    def ratings(self) -> PuzzleRatings:
        """Return the ratings of all puzzles, for the home page: the whole list is ten times as long."""
        return PuzzleRatings({str(one.id): one.rating for one in shipped().values()})

    async def info(self, address: str, number: int) -> PuzzleInfo:
        """Return a puzzle before its answer; raises TableError."""
        _puzzle(number)
        found = self._infos.get(number)
        if found is None:
            found = self._infos[number] = await self._background.do(address, lambda: _info(number))
        return found

    async def open(self, holder: Holder, address: str, number: int, name: str | None) -> bytes:
        """Open a table at the position of a puzzle; only the holder's seat plays there."""
        puzzle = _puzzle(number)
        seats = _seats(puzzle, holder, name)
        record = await self._background.do(address, lambda: _record(puzzle, puzzle.n, [one.name for one in seats]))
        options = msgspec.convert(
            {"edition": puzzle.source.edition, "modules": list(puzzle.source.modules), "takeover": False}, TableOptions
        )
        created = Created(options, seats, False, holder.hash, opening=record, puzzle=number)
        live = await self._registry.create(created, address)
        self._presence.visit(live, address, holder)
        await self._registry.change(live.table.id, lambda table: lobby.start(table, holder))
        return live.message(holder, None, clock())

    async def judge(self, holder: Holder | None, address: str, number: int, texts: Sequence[str]) -> PuzzleVerdict:
        """Return the verdict on a whole turn; raises TableError if it is not one."""
        puzzle = _puzzle(number)
        verdict = await self._background.do(address, lambda: _verdict(puzzle, texts))
        if verdict.own.gain is None:
            # Callers without a session count together at their address.
            async with self._asking.turn(f"address {address}" if holder is None else holder.hash):
                await self._value(puzzle, verdict, Owner(address, "" if holder is None else holder.hash))
        return verdict

    async def _value(self, puzzle: Puzzle, verdict: PuzzleVerdict, owner: Owner) -> None:
        """Complete a verdict on a turn that was not valued before: a bot compares it with the best one.

        If the bot fails, the turn has no gain, and the attempt does not count.
        """
        record, seed = _record(puzzle, puzzle.n), puzzle.source.seed
        try:
            gap = await self._runner.compare(record, strongest(), seed, puzzle.best.turn, verdict.own.actions, owner)
        except BotFailed as failure:
            warn("bot failed", bot=strongest(), reason=failure.loggable)
            return
        verdict.own.gain = _rounded(puzzle.gain - gap.lead)
        verdict.is_solved = gap.lead <= AS_GOOD_LEAD and gap.win <= AS_GOOD_WIN


def _puzzle(number: int) -> Puzzle:
    puzzle = shipped().get(number)
    if puzzle is None:
        raise TableError("not_found", f"There is no puzzle {number}.")
    return puzzle


@lru_cache(maxsize=KEPT)
def _position(number: int) -> State:
    """Return the position of a puzzle, which must not be changed."""
    return _puzzle(number).state()


def _info(number: int) -> PuzzleInfo:
    puzzle = _puzzle(number)
    source = puzzle.source
    return PuzzleInfo(
        number,
        source.edition,
        len(source.bots),
        list(source.modules),
        puzzle.seat + 1,
        puzzle.grade,
        puzzle.rating,
        _task(_position(number)),
        dict(puzzle.city),
    )


def _record(puzzle: Puzzle, n: int | None = None, names: Sequence[str] = ()) -> str:
    """Return the record of the game of a puzzle, up to n actions."""
    return str(puzzle.source.replayed(len(puzzle.source.actions) if n is None else n, names)[1])


@cache
def _encoded_list() -> bytes:
    return encoder.encode(
        PuzzleList(
            [
                ListedPuzzle(
                    one.id,
                    one.source.edition,
                    len(one.source.bots),
                    list(one.source.modules),
                    list(one.themes),
                    one.grade,
                    one.rating,
                    dict(one.city),
                )
                for one in shipped().values()
            ]
        )
    )


@cache
def _packed_list() -> bytes:
    return gzip.compress(_encoded_list(), mtime=0)


def _task(state: State) -> PuzzleTask:
    """Return what has to be found, from what a spectator sees."""
    if isinstance(state.step, UsingVizier):
        return PuzzleTask("vizier")
    if max([len(bag) for bag in state.bags]) < FEW_TILES:
        return PuzzleTask("last")
    aids = aids_of(state.view(NOBODY))
    scoring = aids.next_scoring
    if scoring is not None and scoring in aids.unseen.scores and aids.unseen.scores[scoring][0] < DRAWN:
        return PuzzleTask("scoring", scoring)
    return PuzzleTask("turn")


def _seats(puzzle: Puzzle, holder: Holder, name: str | None) -> tuple[SeatPlan, ...]:
    """Return the holder on the seat of a puzzle, and the bots of the game, which do not move, on the others."""
    own = clean(name or "") or suggest()
    free = [one for one in NAMES if one != own]
    names = random.Random(puzzle.source.seed).sample(free, len(puzzle.source.bots))
    return tuple(
        [
            SeatPlan("person", own, None, holder.hash, is_program=holder.is_program)
            if seat == puzzle.seat
            else SeatPlan("bot", names[seat], bot.partition(":")[0])
            for seat, bot in enumerate(puzzle.source.bots)
        ]
    )


def _verdict(puzzle: Puzzle, texts: Sequence[str]) -> PuzzleVerdict:
    """Return the verdict on a turn, without a gain if it was not valued before; raises TableError."""
    state, options = _position(puzzle.id), puzzle.source.options()
    turn = _read(state, texts)
    result = outcome(state, turn)

    def is_same(other: Sequence[str]) -> bool:
        return outcome(state, read_turn(other, options)) == result

    is_solved = is_same(puzzle.best.turn) or any([is_same(one) for one in puzzle.accepted])
    known = [one.lead - puzzle.obvious.lead for one in (puzzle.obvious, *puzzle.others) if is_same(one.turn)]
    gain = puzzle.gain if is_solved else known[0] if known else None
    best, obvious = (read_turn(one.turn, options) for one in (puzzle.best, puzzle.obvious))
    return PuzzleVerdict(
        is_solved,
        PuzzleTurn(list(texts), None if gain is None else _rounded(gain)),
        PuzzleTurn(list(puzzle.best.turn), _rounded(puzzle.gain)),
        PuzzleTurn(list(puzzle.obvious.turn), 0.0),
        [_fact(one) for one in explain(state, best, obvious)],
        list(puzzle.themes),
        _record(puzzle),
        puzzle.n,
    )


def _read(state: State, texts: Sequence[str]) -> tuple[Action, ...]:
    """Return the actions of a turn; TableError says why they are not one whole turn."""
    try:
        turn = read_turn(texts, state.options)
        check_turn(state, turn)
    except NotationError as error:
        raise TableError("malformed", str(error)) from None
    except WrongTurn as error:
        if error.verdict is None:
            raise TableError("bad_turn", str(error), rule="4.1") from None
        reason = Reason("illegal", error.verdict.code)
        raise TableError("illegal", str(error), rule=error.verdict.rule, reason=reason) from None
    return turn


def _fact(fact: Fact) -> PuzzleFact:
    return PuzzleFact(
        fact.code,
        fact.tile,
        fact.face,
        list(fact.cards),
        fact.item,
        fact.before,
        fact.after,
        fact.scoring,
        fact.seat + 1,
    )


def _rounded(gain: float) -> float:
    return round(gain, 1)
