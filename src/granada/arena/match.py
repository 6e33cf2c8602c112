"""One game between bots: the loop that simulations and tournaments share, and a tournament game with its forfeits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Final

from granada.arena.deals import Deal
from granada.arena.outcome import FINISHED, FORFEIT, STOPPED, VOID, Fault, GameOutcome, Thinking
from granada.arena.tournament import Pairing, Tournament, budget_of
from granada.bots import Bot, RandomBot, make_bot
from granada.bots.external.third_party import BotError, error_text
from granada.bots.gc_control import without_gc
from granada.records.playout import MAX_TURNS, play_seats_at_random
from granada.records.record import Record
from granada.rules.chance import Chance
from granada.rules.events import NOBODY
from granada.rules.leftovers import winners
from granada.rules.options import Options
from granada.rules.setup import new_game
from granada.rules.state import Action, State

#: Called with the seat whose bot starts to think, and with NOBODY when it is done.
Watch = Callable[[int], None]
#: Longer reasons are cut.
LONGEST_REASON: Final = 300
#: Asks the bot of the current seat for one of several actions.
Ask = Callable[[Bot, State, list[Action]], Action]


def ignores_view(bot: Bot) -> bool:
    """Whether a bot never reads its view, so that none has to be made; a class derived from RandomBot may read it."""
    return type(bot) is RandomBot


def ask(bot: Bot, state: State, actions: list[Action]) -> Action:
    """Return the bot's choice."""
    if ignores_view(bot):
        return bot.pick(actions)  # making a view takes longer than playing an action
    return bot.choose(state.view(state.seat, remembers=True), actions)


def play_bots(
    state: State,
    bots: Sequence[Bot],
    chance: Chance,
    max_turns: int = MAX_TURNS,
    record: Record | None = None,
    asks: Ask = ask,
) -> None:
    """Play a game to its end or for `max_turns`, and add its events to the record; there is one bot for each seat.

    Bots are only asked where there is a choice.
    """
    if asks is ask and all([ignores_view(bot) for bot in bots]):
        play_seats_at_random(state, [bot.rng.random for bot in bots], chance, max_turns, record)
    while not state.is_over and state.turns <= max_turns:
        actions = state.offers()
        action = actions[0] if len(actions) == 1 else asks(bots[state.seat], state, actions)
        events = state.play(action, chance)
        if record is not None:
            record.add(events)


def outcome_of(
    pairing: Pairing, state: State | None, fault: Fault | None = None, thinking: Sequence[Thinking] = ()
) -> GameOutcome:
    """Return the outcome of a game that ended, was stopped, or was forfeited; there is no state if it never began."""
    end, won = STOPPED, tuple[int, ...]()
    if fault is not None:
        end, won = FORFEIT, tuple([seat for seat in range(len(pairing.line_up)) if seat != fault.seat])
    elif state is not None and state.is_over:
        end, won = FINISHED, winners(state)
    rows = state.rows if state is not None else []
    return GameOutcome(
        pairing,
        end,
        won,
        state.turns if state is not None else 0,
        state.n if state is not None else 0,
        tuple([(row.seat, row.scoring, row.item, row.points) for row in rows]),
        fault,
        thinking=tuple(thinking),
    )


class _Forfeit(Exception):
    """A bot did something that ends its game."""


@without_gc()
def play_pairing(
    tournament: Tournament, pairing: Pairing, options: Options, watch: Watch = lambda seat: None
) -> GameOutcome:
    """Play a game of a tournament; whatever a bot does, there is an outcome.

    Chance depends on the deal alone, the bots on the seed of the tournament, the number of the game and their seats.
    """
    match = _Match(tournament, pairing, options, watch)
    fault: Fault | None = None
    try:
        match.play()
    except _Forfeit as forfeit:
        fault = Fault(match.asked, str(forfeit)[:LONGEST_REASON])
    except Exception as error:  # our own bugs must not stop a tournament
        reason = f"the game could not be played on: {type(error).__name__}: {error}"[:LONGEST_REASON]
        return GameOutcome(pairing, VOID, reason=reason, thinking=tuple(match.thinking))
    finally:
        watch(NOBODY)
    return outcome_of(pairing, match.state, fault, match.thinking)


class _Match:
    """A game in which bots are timed and checked."""

    def __init__(self, tournament: Tournament, pairing: Pairing, options: Options, watch: Watch) -> None:
        self.tournament: Final = tournament
        self.pairing: Final = pairing
        self.options: Final = options
        self.watch: Final = watch
        self.specs: Final = tournament.seated(pairing)
        self.budgets: Final = [budget_of(spec) for spec in self.specs]
        self.thinking: Final = [Thinking() for _ in self.specs]
        #: The seat whose bot was called last.
        self.asked = 0
        self.state: State | None = None

    def play(self) -> None:
        """Play to the end, or for `max_turns`."""
        bots = [self._make(seat, spec) for seat, spec in enumerate(self.specs)]
        chance = Deal(self.tournament.deal_seed(self.pairing))
        self.state = new_game(self.options, chance)
        play_bots(self.state, bots, chance, self.tournament.max_turns, asks=self._ask)

    def _make(self, seat: int, spec: str) -> Bot:
        self.asked = seat
        self.watch(seat)
        try:
            bot = make_bot(spec, self.tournament.bot_seed(self.pairing, seat))
            bot.get_ready()
            return bot
        except BaseException as error:  # worker processes ignore Ctrl-C, so a KeyboardInterrupt is the bot's own
            raise _Forfeit(_reason("could not be made", error)) from error

    def _ask(self, bot: Bot, state: State, actions: list[Action]) -> Action:
        """Return the bot's choice and note its time; an error or an illegal action forfeits the game."""
        seat = self.asked = state.seat
        if ignores_view(bot):
            start = perf_counter()
            action = bot.pick(actions)
            self.thinking[seat].add(perf_counter() - start, None)
            return action
        view = state.view(seat, remembers=True)
        self.watch(seat)
        start = perf_counter()
        try:
            action = bot.choose(view, actions)
        except BaseException as error:
            raise _Forfeit(_reason("crashed", error)) from error
        finally:
            self.thinking[seat].add(perf_counter() - start, self.budgets[seat])
            self.watch(NOBODY)
        self._check(state, action)
        return action

    @staticmethod
    def _check(state: State, action: object) -> None:
        """3.3: a bot may choose any legal action, also one that is not offered."""
        if not isinstance(action, Action):
            raise _Forfeit(f"chose no action, but {action!r}")
        try:
            verdict = state.is_legal(action)
        except Exception as error:  # a bot can derive its own class from Action
            raise _Forfeit(_reason(f"chose {action!r}, which is not an action", error)) from error
        if not verdict:
            raise _Forfeit(f"chose {action!r}, which is not allowed: {verdict}")


def _reason(what: str, error: BaseException) -> str:
    """Return what a bot did, with its error; a BotError already is a whole sentence."""
    if isinstance(error, BotError):
        return str(error)
    try:
        return f"{what}: {error_text(error)}"
    except Exception:  # the bot's own exception class may fail in __str__
        return f"{what}: {type(error).__name__}"
