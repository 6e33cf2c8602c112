"""A tournament game always ends with an outcome, whatever a bot does."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from granada import Action, Options
from granada.arena.match import play_pairing
from granada.arena.outcome import FINISHED, FORFEIT, STOPPED, VOID, GameOutcome, Thinking
from granada.arena.tournament import Tournament
from granada.bots import BOTS, Advice, Bot
from granada.bots.external.program import ProgramBot
from granada.bots.external.third_party import ThirdPartyBot
from granada.rules.view import View
from tests.arena.tournaments import TRIO, duel
from tests.kit import rule

ROOT = Path(__file__).parents[2]


def first(tournament: Tournament) -> GameOutcome:
    return play_pairing(tournament, next(tournament.pairings()), tournament.prepare())


def test_a_game_is_played_to_its_end_and_the_most_points_win() -> None:
    outcome = first(TRIO)
    totals = outcome.totals()
    assert outcome.end == FINISHED
    assert outcome.winners == tuple([seat for seat in range(2) if totals[seat] == max(totals)])
    assert outcome.decisions > outcome.turns > 20
    assert all([thinking.decisions > 10 for thinking in outcome.thinking])


def test_also_an_interrupt_of_its_own_costs_a_bot_the_game() -> None:
    outcome = first(duel("interrupter"))
    assert (outcome.end, outcome.winners) == (FORFEIT, (1,))
    assert outcome.fault is not None
    assert outcome.fault.reason == "crashed: KeyboardInterrupt"


def test_the_same_game_again_is_the_same() -> None:
    assert first(TRIO).without_times() == first(TRIO).without_times()


def test_a_game_that_is_stopped_has_no_winner() -> None:
    outcome = first(replace(TRIO, max_turns=5))
    assert (outcome.end, outcome.winners, outcome.is_decided) == (STOPPED, (), False)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("thrower", "odd_bots.py, line 21) failed: KeyError: 'nowhere'"),
        ("cheat", "chose remove 0,0, which is not allowed: rule 1.5: "),
        ("leaver", "failed: SystemExit: enough"),
        ("unmade", "failed: OSError: my table of openings is missing"),
    ],
)
def test_a_bot_that_crashes_or_breaks_the_rules_loses_and_the_others_share_the_win(name: str, reason: str) -> None:
    tournament = replace(duel(name), players=("random", name, "greedy"), seats=3)
    outcome = first(tournament)
    assert (outcome.end, outcome.winners, outcome.is_decided) == (FORFEIT, (0, 2), True)
    assert outcome.fault is not None
    assert outcome.fault.seat == 1
    assert f"the bot '{name}'" in outcome.fault.reason
    assert reason in outcome.fault.reason


@rule("3.3")
def test_3_3_a_bot_may_choose_what_is_allowed_and_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[bool] = []
    check = ThirdPartyBot._check

    def noted(bot: ThirdPartyBot, action: object, view: View, actions: Sequence[Action]) -> None:
        chosen.append(action in actions)
        check(bot, action, view, actions)

    monkeypatch.setattr(ThirdPartyBot, "_check", noted)
    outcome = first(duel("spender"))
    assert (outcome.end, outcome.fault) == (FINISHED, None)
    assert set(chosen) == {True, False}


def test_to_start_a_program_is_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[bool] = []
    ask = ProgramBot._ask

    def noted(bot: ProgramBot, view: View, actions: Sequence[Action], count: int) -> list[Advice]:
        started.append(bot._program is not None)
        return ask(bot, view, actions, count)

    monkeypatch.setattr(ProgramBot, "_ask", noted)
    command = f"example={shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'examples' / 'line_bot.py'))}"
    assert first(replace(duel("example"), bot_programs=(command,), max_turns=4)).end == STOPPED
    assert set(started) == {True}


class Own(Bot):
    """A bot without the wrapper of third-party bots."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return self.answer(view, actions)

    def answer(self, view: View, actions: Sequence[Action]) -> Action:
        raise NotImplementedError


class Crashing(Own):
    def answer(self, view: View, actions: Sequence[Action]) -> Action:
        return actions[1000]


class Silent(Own):
    def answer(self, view: View, actions: Sequence[Action]) -> Action:
        return None  # type: ignore[return-value]


class Forger(Own):
    def answer(self, view: View, actions: Sequence[Action]) -> Action:
        return Action()


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        (Crashing, "crashed: IndexError: "),
        (Silent, "chose no action, but None"),
        (Forger, "chose Action(), which is "),
    ],
)
def test_a_bot_of_ours_that_fails_loses_as_well(bot: type[Bot], reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "own", bot)
    outcome = first(Tournament(("random", "own")))
    assert outcome.fault is not None
    assert outcome.fault.seat == 1
    assert outcome.fault.reason.startswith(reason)


def test_a_fault_of_ours_makes_the_game_void_and_stops_nothing() -> None:
    outcome = play_pairing(TRIO, next(TRIO.pairings()), Options("granada", 3))
    assert outcome.end == VOID
    assert "the game could not be played on: IndexError" in outcome.reason
    assert not outcome.is_decided


def test_a_bot_that_thinks_too_long_is_noted_but_does_not_lose() -> None:
    outcome = first(replace(duel("slow:0.01s"), max_turns=6))
    slow, other = outcome.thinking
    assert outcome.end == STOPPED
    assert slow.late == slow.decisions > 0
    assert 0.008 * slow.late < slow.excess <= slow.worst * slow.late
    assert slow.longest >= 0.02
    assert other.late == 0


def test_within_120_percent_nobody_is_late() -> None:
    thinking = Thinking()
    for seconds in (0.5, 1.0, 1.19, 1.3):
        thinking.add(seconds, 1.0)
    assert (thinking.late, round(thinking.excess, 6), round(thinking.worst, 6)) == (1, 0.3, 0.3)


def test_times_of_games_are_joined_and_percentiles_are_right_to_a_tenth() -> None:
    one, other = Thinking(), Thinking()
    for number in range(1, 101):
        (one if number % 2 else other).add(number / 1000, None)
    one.join(other)
    assert (one.decisions, one.longest) == (100, 0.1)
    assert one.seconds == pytest.approx(5.05)
    assert one.percentile(0.95) == pytest.approx(0.095, rel=0.11)
    assert one.percentile(0.5) == pytest.approx(0.05, rel=0.11)


@pytest.mark.parametrize("tournament", [TRIO, duel("thrower"), replace(TRIO, max_turns=3)])
def test_an_outcome_is_one_line_of_json(tournament: Tournament) -> None:
    outcome = first(tournament)
    line = outcome.line()
    assert "\n" not in line
    again = GameOutcome.parse(line, len(tournament.players))
    assert again.without_times() == outcome.without_times()
    assert again.thinking[0].decisions == outcome.thinking[0].decisions
    assert again.thinking[0].classes == outcome.thinking[0].classes
    assert GameOutcome.parse(again.line(), len(tournament.players)) == again
