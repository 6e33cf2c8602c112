"""The analysis of a finished game: win chances over time, the most costly decisions, and better alternatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from granada.bots import Advice, Bot, make_bot
from granada.bots.turns import goes_on
from granada.records.notation import action_text
from granada.records.replay import Replay
from granada.rules.bonus import KEEP, Reveal
from granada.rules.events import Acted
from granada.rules.leftovers import victory
from granada.rules.state import Action, State

#: Estimates the win chances by seat; the sum is 1.
Chances = Callable[[State], Sequence[float]]
#: The number of costly decisions that are listed for each seat.
COSTLY: Final = 5
#: The smallest loss of win chance that counts as a mistake.
LEAST: Final = 0.01
#: Every decision is evaluated with few nodes; twice as many as are listed are evaluated again with more, because the
#: worst of many estimates are also the unluckiest.
_FIRST_NODES: Final = 60
_SECOND_NODES: Final = 300
_FIRST_SHARE: Final = 2 / 3
#: The most decisions that are evaluated; in longer games an even selection.
MOST: Final = 2000
#: The least time for a decision.
_LEAST_SECONDS: Final = 0.01


@dataclass(frozen=True)
class Judged:
    """An action, its expected result (see `Advice`), and its continuation in the same turn."""

    action: str
    lead: float | None
    win: float
    then: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decision:
    """What a seat (from 0) chose after n actions, what was best, and the loss of win chance."""

    n: int
    turn: int
    seat: int
    chosen: Judged
    best: Judged
    loss: float


@dataclass(frozen=True)
class GameAnalysis:
    """The results of an analysis."""

    #: The win chance of each seat by the number of actions played, from the set-up to the end.
    chances: list[list[float]]
    #: All decisions that the bot could evaluate, in the order of the game.
    decisions: list[Decision]
    #: For each seat the n of its most costly decisions, the most costly first, at most one per turn.
    costly: list[list[int]]


@dataclass(frozen=True)
class _Moment:
    """A position with a choice, and what the seat played there and in the rest of that turn."""

    state: State
    turn: tuple[Action, ...]


@dataclass(frozen=True)
class _Played:
    """A position, the action played there, and whether the turn continued without a chance event."""

    state: State
    action: Action
    goes_on: bool


def analyse(
    record: str,
    level: str,
    seed: str,
    seconds: float,
    chances: Chances,
    tell: Callable[[float], None],
    open_money: bool = False,
) -> GameAnalysis:
    """Analyse a trusted record within about this many seconds; `tell` is called with the part that is done."""
    reading = Replay(record, trusted=True, open_money=open_money)
    curve, played = [_chances(reading.state, chances)], list[_Played]()
    before = reading.state.copy()
    while reading.step():
        acted = reading.state.events[0]
        assert isinstance(acted, Acted)
        played.append(_Played(before, acted.action, goes_on(reading.state, before.seat, before.turns, before.step)))
        curve.append(_chances(reading.state, chances))
        before = reading.state.copy()
    moments = [_moment(played, i) for i, one in enumerate(played) if len(one.state.offers()) > 1]
    # 3.7: games can have any length, but the time is limited.
    found = _evaluate_all(moments[:: 1 + len(moments) // MOST], level, seed, seconds, tell)
    return GameAnalysis(curve, found, [_costly(found, seat) for seat in range(len(before.players))])


def _moment(played: Sequence[_Played], index: int) -> _Moment:
    """Return a decision with the rest of its turn."""
    turn = [played[index].action]
    while played[index].goes_on:
        index += 1
        turn.append(played[index].action)
    return _Moment(played[index - len(turn) + 1].state, tuple(turn))


def _chances(state: State, chances: Chances) -> list[float]:
    """Return the win chances; at the end the result is known."""
    return victory(state) if state.is_over else [round(chance, 4) for chance in chances(state)]


def _evaluate_all(
    moments: Sequence[_Moment], level: str, seed: str, seconds: float, tell: Callable[[float], None]
) -> list[Decision]:
    """Evaluate every decision, and the most costly ones again."""
    first = _bot(level, seed, _FIRST_NODES, seconds * _FIRST_SHARE, len(moments))
    found: dict[int, Decision] = {}
    for done, moment in enumerate(moments):
        tell(_FIRST_SHARE * done / len(moments))
        decision = _judge(moment, first)
        if decision is not None:
            found[decision.n] = decision
    doubtful = {n for seat in {one.seat for one in found.values()} for n in _costly(found.values(), seat, 2 * COSTLY)}
    again = [moment for moment in moments if moment.state.n in doubtful]
    second = _bot(level, seed, _SECOND_NODES, seconds * (1 - _FIRST_SHARE), len(again))
    for done, moment in enumerate(again):
        tell(_FIRST_SHARE + (1 - _FIRST_SHARE) * done / len(again))
        decision = _judge(moment, second)
        if decision is not None:
            found[decision.n] = decision
    return list(found.values())


def _bot(level: str, seed: str, nodes: int, seconds: float, count: int) -> Bot:
    """Return a bot whose budget fits this many decisions into this many seconds."""
    each = seconds / max(1, 2 * count)  # it is asked twice about each
    return make_bot(f"{level}:{nodes}n:{max(_LEAST_SECONDS, each):.3f}s", seed)


def _judge(moment: _Moment, bot: Bot) -> Decision | None:
    """Return what a decision cost from the point of view of its seat (16); None if the bot cannot tell.

    The bot compares the whole turn it would play with the whole turn that was played, so that an action is not blamed
    for a continuation that was never played.
    """
    state, seat, action = moment.state, moment.state.seat, moment.turn[0]
    if isinstance(action, Reveal):  # always right: it costs nothing
        return None
    view = state.view(seat, remembers=True)
    offers = state.offers()
    if action is not KEEP:  # what could be revealed can still be revealed
        offers = [offer for offer in offers if not isinstance(offer, Reveal)]
    liked = bot.advise(view, offers, 1)[:1]
    turns = [(one.action, *one.then) for one in liked if one.action != action]
    advice = bot.compare(view, [*turns, moment.turn]) if turns else liked
    known = [one for one in [_judged(one) for one in advice] if one is not None]
    chosen = next((one for one in known if one.action == action_text(action)), None)
    if chosen is None or len(known) <= len(turns):
        return None
    best = max(known, key=lambda one: (one.win, one is chosen))
    return Decision(state.n, state.turns, seat, chosen, best, round(best.win - chosen.win, 4))


def _judged(advice: Advice) -> Judged | None:
    """Return advice as text; None if its result is unknown."""
    if advice.win is None:
        return None
    lead, then = advice.lead, tuple([action_text(action) for action in advice.then])
    return Judged(action_text(advice.action), None if lead is None else round(lead, 2), round(advice.win, 4), then)


def _costly(decisions: Iterable[Decision], seat: int, count: int = COSTLY) -> list[int]:
    """Return the most costly decisions of a seat, at most one per turn."""
    own = sorted([one for one in decisions if one.seat == seat and one.loss >= LEAST], key=lambda one: -one.loss)
    turns: set[int] = set()
    found: list[int] = []
    for one in own:
        if one.turn not in turns and len(found) < count:
            turns.add(one.turn)
            found.append(one.n)
    return found
