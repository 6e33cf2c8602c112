"""The analysis of finished games: the curve, the cost of each decision, and the most costly ones."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from granada import Options, Replay
from granada.arena.simulation import play_game
from granada.bots import BOTS, Advice, Bot, GreedyBot, analysis, make_bot
from granada.bots.analysis import COSTLY, LEAST, GameAnalysis, analyse
from granada.bots.external.position_reader import read_position
from granada.bots.win_chance import plain_chances, quick_chances
from granada.records.notation import action_text, parse_action
from granada.rules.bonus import KEEP, Reveal
from granada.rules.leftovers import winners
from granada.rules.options import EDITIONS
from granada.rules.state import Action
from granada.rules.view import View
from tests.kit import bonus, hand, luck, module_sets, offers, play, position, rule, settle, yard


def worth(action: str) -> float:
    """Return an arbitrary but fixed value of an action."""
    return int.from_bytes(hashlib.sha256(action.encode()).digest()[:2], "big") / 65536


class Ranker(Bot):
    """Evaluates only the best actions, like bots that search, unless there are few."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return self.advise(view, actions)[0].action

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        falling = sorted(actions, key=lambda one: -worth(action_text(one)))
        wins = [worth(action_text(one)) for one in falling]
        return [Advice(one, 40 * win - 20, win) for one, win in zip(falling, wins, strict=True)][: min(count, 4)]


class Wavering(Ranker):
    """Reports large mistakes in the first pass that it does not confirm in the second."""

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        found = super().advise(view, actions, count)
        if self.budget.nodes is not None and self.budget.nodes > 100:
            return [Advice(one.action, one.lead, 0.5) for one in found]
        return found


@pytest.fixture(autouse=True)
def _bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "ranker", Ranker)
    monkeypatch.setitem(BOTS, "wavering", Wavering)


@cache
def game(edition: str = "alhambra", players: int = 3) -> str:
    options = Options(edition, players, module_sets(edition)[-1])
    bots = [GreedyBot(f"analysis {seat}") for seat in range(players)]
    return str(play_game(options, bots, luck(f"analysis {edition}")).record)


def look(record: str, level: str = "ranker") -> GameAnalysis:
    return analyse(record, level, "s", 5.0, plain_chances, lambda _: None)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_curve_goes_from_the_set_up_to_the_winner(edition: str) -> None:
    found = look(game(edition))
    reading = Replay(game(edition), trusted=True)
    reading.run()
    assert len(found.chances) == reading.state.n + 1
    for chances in found.chances:
        assert sum(chances) == pytest.approx(1, abs=0.001)
        assert all(0 <= chance <= 1 for chance in chances)
    won = winners(reading.state)
    assert [seat for seat, chance in enumerate(found.chances[-1]) if chance > 0] == list(won)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_decision_is_compared_with_the_best(edition: str) -> None:
    found = look(game(edition))
    reading, decisions = Replay(game(edition), trusted=True), {one.n: one for one in found.decisions}
    assert [one.n for one in found.decisions] == sorted(decisions)
    while not reading.state.is_over:
        state, offers = reading.state.copy(), reading.state.offers()
        reading.step()
        line = next(line for line in reading.record.lines[::-1] if line[0].isdigit())
        if len(offers) == 1 or " reveal " in line:  # no choice, or a free action (13.2)
            assert state.n not in decisions
            continue
        if not line.endswith(" keep"):
            offers = [offer for offer in offers if not isinstance(offer, Reveal)]
        one = decisions[state.n]
        assert (one.seat, one.turn) == (state.seat, state.turns)
        assert f"{one.seat + 1} {one.chosen.action}" == line
        assert one.best.action == max([action_text(offer) for offer in offers], key=worth)
        assert one.loss == pytest.approx(worth(one.best.action) - worth(one.chosen.action), abs=0.001)


@rule("3.4", "4.2")
@pytest.mark.parametrize("level", ["search", "strongest"])
def test_a_purchase_is_judged_by_the_turn_that_was_played_after_it(level: str) -> None:
    """The tile was turned over, which wins; the quick policy would not have done it, and the game would be a draw."""
    text = (Path(__file__).parent / "turned_tile.position").read_text("utf-8")
    state = read_position(text.splitlines()).view.table
    turn = ("buy hospital-6 with y8", "place hospital-6 at 3,1 as district-7 with g3")
    actions = tuple([parse_action(action) for action in turn])
    decision = analysis._judge(analysis._Moment(state, actions), make_bot(f"{level}:300n", 1))
    assert decision is not None
    assert decision.chosen.action == turn[0]
    assert decision.loss == 0
    assert decision.chosen.win > 0.95


@rule("13.2")
def test_a_card_that_was_kept_before_the_last_scoring_is_found() -> None:
    """Both have one garden; the card makes it two: 20 points to 12 instead of 16 each."""
    state = position("alhambra", 3, "bonus")
    for player in state.players:
        player.bonus = ()
    settle(state, 0, "garden-10 at 1,0")
    settle(state, 1, "garden-11 at 1,0")
    bonus(state, 0, "garden-10")
    yard(state, "pavilion-2-NEW", "-", "-", "-")
    hand(state, 0, "y9")
    state.bags[0].clear()
    play(state, "buy pavilion-2-NEW with y9", "reserve pavilion-2-NEW")
    assert offers(state) == ["reveal garden-10", "keep"]
    for level in ("search:60n", "strongest:60n"):
        decision = analysis._judge(analysis._Moment(state, (KEEP,)), make_bot(level, 1))
        assert decision is not None
        assert (decision.best.action, decision.chosen.action) == ("reveal garden-10", "keep")
        assert decision.loss > 0.3
        advice = make_bot(level, 1).advise(state.view(0, remembers=True), state.offers())
        assert [action_text(one.action) for one in advice] == ["reveal garden-10", "keep"]
        assert advice[0].lead is not None
        assert advice[1].lead is not None
        assert advice[0].lead > advice[1].lead


def test_of_a_very_long_game_only_some_decisions_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = look(game())
    monkeypatch.setattr(analysis, "MOST", 20)
    found = look(game())
    assert len(found.chances) == len(whole.chances)
    assert 10 <= len(found.decisions) <= 20
    spread = [one.n for one in found.decisions]
    assert spread[0] < len(whole.chances) / 10
    assert spread[-1] > len(whole.chances) * 0.9


def test_the_costly_decisions_are_the_worst_of_their_turns() -> None:
    found = look(game())
    decisions = {one.n: one for one in found.decisions}
    assert len(found.costly) == 3
    for seat, costly in enumerate(found.costly):
        named = [decisions[n] for n in costly]
        assert len(named) == COSTLY
        assert [one.seat for one in named] == [seat] * COSTLY
        assert [one.loss for one in named] == sorted([one.loss for one in named], reverse=True)
        assert len({one.turn for one in named}) == COSTLY
        worst = max(one.loss for one in found.decisions if one.seat == seat)
        assert named[0].loss == worst
        assert all(one.loss >= LEAST for one in named)


def test_what_looks_bad_at_first_sight_is_looked_at_again() -> None:
    found = look(game(), "wavering")
    first = look(game())
    seconds = [one for one in found.decisions if one.best.win == 0.5]
    assert 3 * COSTLY <= len(seconds) <= 3 * 2 * COSTLY
    # A decision that turns out to be right in the second pass is not listed.
    assert not {one.n for one in seconds} & {n for costly in found.costly for n in costly}
    assert found.chances == first.chances


class Fastidious(Ranker):
    """Gives advice only about its own choice."""

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        return super().advise(view, actions, count)[:1]


def test_what_the_bot_does_not_judge_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "fastidious", Fastidious)
    found = look(game(), "fastidious")
    assert len(found.decisions) < len(look(game()).decisions)
    assert {one.loss for one in found.decisions} == {0.0}
    assert found.costly == [[], [], []]


def test_a_bot_without_an_idea_gives_a_curve_and_nothing_else() -> None:
    found = look(game(), "random")
    assert len(found.chances) > 10
    assert found.decisions == []
    assert found.costly == [[], [], []]


@rule("16.1", "16.2")
def test_decisions_are_seen_with_what_the_seat_could_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """No hindsight: a decision is judged by what the seat could know."""
    seen: list[View] = []

    class Witness(Ranker):
        def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
            seen.append(view)
            return super().advise(view, actions, count)

    monkeypatch.setitem(BOTS, "witness", Witness)
    look(game(), "witness")
    assert any(view.bonus(other) for view in seen for other in range(3))
    for view in seen:
        for other in range(3):
            known = view.table.players[other].seen_bonus
            assert other == view.seat or all(card is None or card in known for card in view.bonus(other))


def test_it_tells_how_far_it_is() -> None:
    heard: list[float] = []
    analyse(game(), "ranker", "s", 5.0, plain_chances, heard.append)
    assert heard == sorted(heard)
    assert heard[0] == 0
    assert 0.9 < heard[-1] < 1


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 4])
def test_chances_at_a_glance(edition: str, players: int) -> None:
    reading = Replay(game(edition, players), trusted=True)
    while not reading.state.is_over:
        for chances in (quick_chances(reading.state), plain_chances(reading.state)):
            assert len(chances) == players
            assert sum(chances) == pytest.approx(1, abs=0.001)
            assert min(chances) >= 0
        for _ in range(20):
            reading.step()


@rule("3.3")
def test_an_action_that_was_allowed_but_not_offered_is_judged_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player may overpay; bots do not evaluate that."""
    text = game("alhambra", 2)
    reading = Replay(text, trusted=True)
    found = None
    while not reading.state.is_over:
        state = reading.state
        for offer in state.offers():
            words = action_text(offer).split()
            if words[0] != "buy":
                continue
            spare = [card.name for card in state.players[state.seat].hand() if card.name[0] == words[3][0]]
            every = parse_action(" ".join([*words[:3], *spare]), state.options.components)
            if every not in state.offers() and state.is_legal(every):
                found = state.copy(), every
        reading.step()
    assert found is not None
    from granada.bots.analysis import _judge, _Moment

    state, action = found
    decision = _judge(_Moment(state, (action,)), Ranker("s"))
    assert decision is not None
    assert decision.chosen.action == action_text(action)
