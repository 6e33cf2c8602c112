"""One game of a tournament: whatever a bot does, it ends with an outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import perf_counter
from typing import Final

from granada.arena.deals import Deal
from granada.arena.game_loop import picks_blindly, play_bots
from granada.arena.outcome import FINISHED, FORFEIT, STOPPED, VOID, Fault, Outcome, Thinking
from granada.arena.tournament import Pairing, Tournament, budget_of
from granada.bots import Bot, make_bot
from granada.bots.external.third_party import BotError, said
from granada.bots.gc_control import no_collecting
from granada.rules.events import NOBODY
from granada.rules.leftovers import winners
from granada.rules.options import Options
from granada.rules.setup import new_game
from granada.rules.state import Action, State

#: Called with the seat that begins to think, and with NOBODY when it has chosen.
Watch = Callable[[int], None]
#: Reasons are cut: a bot may complain at any length.
LONGEST_REASON: Final = 300


class _Forfeit(Exception):
    """A bot did what ends its game."""


@no_collecting()
def play_pairing(
    tournament: Tournament, pairing: Pairing, options: Options, watch: Watch = lambda seat: None
) -> Outcome:
    """Play a game; its luck depends on the deal alone, and the bots on the seed, the game and their seats."""
    game = _Game(tournament, pairing, options, watch)
    fault: Fault | None = None
    try:
        game.play()
    except _Forfeit as forfeit:
        fault = Fault(game.thinks, str(forfeit)[:LONGEST_REASON])
    except Exception as error:  # a fault of ours shall not stop a tournament
        reason = f"the game could not be played on: {type(error).__name__}: {error}"[:LONGEST_REASON]
        return Outcome(pairing, VOID, reason=reason, thinking=tuple(game.thinking))
    finally:
        watch(NOBODY)
    return game.outcome(fault)


class _Game:
    """The bots at the table, and how far they have come."""

    def __init__(self, tournament: Tournament, pairing: Pairing, options: Options, watch: Watch) -> None:
        self.tournament: Final = tournament
        self.pairing: Final = pairing
        self.options: Final = options
        self.watch: Final = watch
        self.specs: Final = [tournament.players[number] for number in pairing.line_up]
        self.budgets: Final = [budget_of(spec) for spec in self.specs]
        self.thinking: Final = [Thinking() for _ in self.specs]
        #: Whose bot is called, or was called last.
        self.thinks = 0
        self.state: State | None = None

    def play(self) -> None:
        """Play to the end, or for so many turns."""
        bots = [self._make(seat, spec) for seat, spec in enumerate(self.specs)]
        chance = Deal(self.tournament.luck_of(self.pairing))
        state = self.state = new_game(self.options, chance)
        play_bots(state, bots, chance, self.tournament.max_turns, asks=self._ask)

    def _make(self, seat: int, spec: str) -> Bot:
        self.thinks = seat
        self.watch(seat)
        try:
            bot = make_bot(spec, f"{self.tournament.seed}/{self.pairing.number}/{seat + 1}")
            bot.get_ready()
            return bot
        except BaseException as error:  # an interrupt, too, is its own: real ones never come here
            raise _Forfeit(_told("could not be made", error)) from error

    def _ask(self, bot: Bot, state: State, actions: list[Action]) -> Action:
        """What a bot chooses; its time is measured, and whatever it does wrong ends the game."""
        seat = self.thinks = state.seat
        if picks_blindly(bot):
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
            raise _Forfeit(_told("crashed", error)) from error
        finally:
            self.thinking[seat].add(perf_counter() - start, self.budgets[seat])
            self.watch(NOBODY)
        self._check(state, action)
        return action

    @staticmethod
    def _check(state: State, action: object) -> None:
        """Whatever the rules allow may be chosen, also what is not offered (3.3)."""
        if not isinstance(action, Action):
            raise _Forfeit(f"chose no action, but {action!r}")
        try:
            verdict = state.is_legal(action)
        except Exception as error:  # an action of the bot's own making can be anything
            raise _Forfeit(_told(f"chose {action!r}, which is no action", error)) from error
        if not verdict:
            raise _Forfeit(f"chose {action!r}, which is not allowed: {verdict}")

    def outcome(self, fault: Fault | None) -> Outcome:
        """What is noted of it."""
        state = self.state
        points: Counter[tuple[int, str, str]] = Counter()
        end, won = STOPPED, tuple[int, ...]()
        if fault is not None:
            end, won = FORFEIT, tuple([seat for seat in range(len(self.specs)) if seat != fault.seat])
        elif state is not None and state.is_over:
            end, won = FINISHED, winners(state)
        for row in state.rows if state is not None else ():
            points[row.seat, row.scoring, row.item] += row.points
        return Outcome(
            self.pairing,
            end,
            won,
            state.turns if state is not None else 0,
            state.n if state is not None else 0,
            tuple([(*why, amount) for why, amount in points.items()]),
            fault,
            thinking=tuple(self.thinking),
        )


def _told(what: str, error: BaseException) -> str:
    """What a bot did, with the error that told of it; those of guests are whole sentences already."""
    if isinstance(error, BotError):
        return str(error)
    try:
        return f"{what}: {said(error)}"
    except Exception:  # also the text of an error can be the bot's own making
        return f"{what}: {type(error).__name__}"
