"""The check of a record against a daily deal: options, draws, the person's actions and every action of a bot."""

from __future__ import annotations

from typing import Final

from granada.bots import make_bot
from granada.bots.seeding import bot_seed
from granada.daily.deal import SEAT, DailyDeal
from granada.daily.outcome import Outcome, outcome_of
from granada.records.lines import RecordLines
from granada.records.notation import action_text
from granada.records.replay import Replay
from granada.records.shuffle import FIXED, FORKED_AT, ORDER, SEED, ShuffleError, verify
from granada.rules.acting import Buy
from granada.rules.money import total
from granada.rules.options import Options
from granada.rules.state import Action, State


class DailyError(ValueError):
    """A record is not a valid result of a deal; the reason names the line, where there is one, and the rule."""

    def __init__(self, code: str, reason: str, line: int | None = None, expected: str = "") -> None:
        super().__init__(reason if line is None else f"line {line}: {reason}")
        #: A stable code and the expected text, from which the client builds a translated sentence.
        self.code: Final = code
        self.expected: Final = expected
        self.line: Final = line


def check_record(deal: DailyDeal, text: str, trusts_bots: bool = False) -> Outcome:
    """Return the outcome of a finished game of a deal; DailyError or RecordError says what is wrong and on which line.

    With `trusts_bots`, as for a game that this program has run itself, the bots' actions need only be legal.
    """
    source = RecordLines(text)
    _check_header(deal, source)
    watch = _Watch(deal, trusts_bots)
    try:
        proof = verify(text, observe=watch.see)
    except ShuffleError as error:
        if error.line is None:
            raise DailyError("daily_deal", f"{error} (D1)", expected=str(deal)) from None
        reason = f"the deal gives '{error.expected}' here (D3)"
        raise DailyError("daily_drawn", reason, error.line, error.expected) from None
    if not proof.is_over:
        raise DailyError("daily_unfinished", "the game is not over (D5)", source.end)
    return outcome_of(Replay(source, trusted=True).run(), source.record.names[SEAT], watch.exact)


def _check_header(deal: DailyDeal, source: RecordLines) -> None:
    """D1, D2: raise DailyError if a record is of another deal."""
    record = source.record
    if record.options != deal.options:
        reason = f"this game is {_words(record.options)}, but the deal is {_words(deal.options)} (D2)"
        raise DailyError("daily_deal", reason, expected=str(deal))
    if FORKED_AT in record.extra:
        raise DailyError("daily_forked", "the game was continued from a position of another game (D5)")
    if record.extra.get(SEED) != deal.seed or record.extra.get(ORDER) != FIXED:
        raise DailyError("daily_deal", f"the seed is not that of the deal {deal} (D1)", expected=str(deal))


def _words(options: Options) -> str:
    words = [options.edition, f"{options.players} players", f"{options.scoring} scoring", *options.modules]
    return ", ".join([*words, *(["with ages"] if options.ages else [])])


class _Watch:
    """Compares the actions of the bots with those of the record, and counts the person's exact payments."""

    def __init__(self, deal: DailyDeal, trusts_bots: bool) -> None:
        self._deal: Final = deal
        self._seed: Final = deal.seed
        self._trusts_bots: Final = trusts_bots
        self.exact = 0

    def see(self, state: State, action: Action, line: int) -> None:
        """Look at an action before it is played; DailyError if a bot plays another one."""
        if state.seat == SEAT:
            if isinstance(action, Buy) and total(action.cards) == action.tile.price:
                self.exact += 1
            return
        if self._trusts_bots:
            return
        level = self._deal.bots[state.seat - 1]
        wanted = bot_action(level, self._seed, state)
        if action != wanted:
            words = action_text(wanted)
            reason = f"seat {state.seat + 1} is the bot {level}, which plays '{words}' here (D4)"
            raise DailyError("daily_bot", reason, line, f"{state.seat + 1} {words}")


def bot_action(level: str, seed: str, state: State) -> Action:
    """D4: return the action of a bot, as a table plays it."""
    offers = state.offers()
    if len(offers) == 1:
        return offers[0]
    return make_bot(level, bot_seed(seed, state.n)).choose(state.view(state.seat, remembers=True), offers)
