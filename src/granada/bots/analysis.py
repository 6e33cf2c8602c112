"""A game that is over, looked at again: who was likely to win when, which decisions cost most, and what was better."""

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

#: Who wins, by seat, as far as a quick look at a position tells; the sum is 1.
Chances = Callable[[State], Sequence[float]]
#: So many decisions of a seat are named: those that cost most.
COSTLY: Final = 5
#: What costs less chance of winning than this is no mistake that anybody could see.
LEAST: Final = 0.01
#: Every decision is looked at with few nodes; twice as many as are named are looked at again, with more: of many
#: estimates the worst are also the unluckiest, and only a second look tells which were mistakes.
_FIRST_NODES: Final = 60
_SECOND_NODES: Final = 300
_FIRST_SHARE: Final = 2 / 3
#: Of longer games only so many decisions are looked at, or half as many, evenly spread.
MOST: Final = 2000
#: No decision gets less time.
_LEAST_SECONDS: Final = 0.01


@dataclass(frozen=True)
class Judged:
    """An action, what is expected of it (see `Advice`), and what would follow it in the same turn."""

    action: str
    lead: float | None
    win: float
    then: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decision:
    """What a seat (from 0) chose when n actions were played, what was best, and how much chance to win it cost."""

    n: int
    turn: int
    seat: int
    chosen: Judged
    best: Judged
    loss: float


@dataclass(frozen=True)
class Analysis:
    """What was found out about a game."""

    #: By the number of actions played, from the set-up to the end: the chance to win of each seat.
    chances: list[list[float]]
    #: All decisions for which the bot had an idea of what its actions bring, in the order of the game.
    decisions: list[Decision]
    #: By seat: the decisions that cost most, by their n, the most costly first; at most one of a turn.
    costly: list[list[int]]


@dataclass(frozen=True)
class _Moment:
    """A position in which a seat could choose, and what it played then and in the rest of that turn."""

    state: State
    turn: tuple[Action, ...]


@dataclass(frozen=True)
class _Played:
    """A position, what was played in it, and whether the same turn went on after it without any luck."""

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
) -> Analysis:
    """Look at a game that this program wrote, within about so many seconds; `tell` hears which part is done."""
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
    # 3.7: games have no longest length, but waiting has.
    found = _look(moments[:: 1 + len(moments) // MOST], level, seed, seconds, tell)
    return Analysis(curve, found, [_costly(found, seat) for seat in range(len(before.players))])


def _moment(played: Sequence[_Played], index: int) -> _Moment:
    """Return a decision with the rest of its turn."""
    turn = [played[index].action]
    while played[index].goes_on:
        index += 1
        turn.append(played[index].action)
    return _Moment(played[index - len(turn) + 1].state, tuple(turn))


def _chances(state: State, chances: Chances) -> list[float]:
    """Who wins; at the end that is known."""
    return victory(state) if state.is_over else [round(chance, 4) for chance in chances(state)]


def _look(
    moments: Sequence[_Moment], level: str, seed: str, seconds: float, tell: Callable[[float], None]
) -> list[Decision]:
    """Look at every decision, and again at those that seem to have cost most."""
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
    """A bot that needs so many seconds for so many decisions, or fewer if it has seen enough."""
    each = seconds / max(1, 2 * count)  # it is asked twice about each
    return make_bot(f"{level}:{nodes}n:{max(_LEAST_SECONDS, each):.3f}s", seed)


def _judge(moment: _Moment, bot: Bot) -> Decision | None:
    """What a decision cost, seen from the seat that made it (16); None if the bot has no idea.

    The bot says which turn it would play, and then compares that with the turn that was played: an action that does not
    end the turn is not to blame for a continuation that was never played.
    """
    state, seat, action = moment.state, moment.state.seat, moment.turn[0]
    if isinstance(action, Reveal):  # it costs nothing, and bots do it without a thought
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
    """The same as text, if the bot can tell what it brings."""
    if advice.win is None:
        return None
    lead, then = advice.lead, tuple([action_text(action) for action in advice.then])
    return Judged(action_text(advice.action), None if lead is None else round(lead, 2), round(advice.win, 4), then)


def _costly(decisions: Iterable[Decision], seat: int, count: int = COSTLY) -> list[int]:
    """The decisions of a seat that cost most, at most one of a turn."""
    own = sorted([one for one in decisions if one.seat == seat and one.loss >= LEAST], key=lambda one: -one.loss)
    turns: set[int] = set()
    found: list[int] = []
    for one in own:
        if one.turn not in turns and len(found) < count:
            turns.add(one.turn)
            found.append(one.n)
    return found
