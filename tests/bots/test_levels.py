"""The levels and personalities: they play all editions, differ in style and strength, and use only their view."""

from __future__ import annotations

import gc
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from granada import Action, Luck, Options, Row, State, new_game
from granada.arena.simulation import play_game
from granada.bots import LEVELS, PERSONALITIES, make_bot
from granada.bots.budget import Budget
from granada.bots.candidates import FEW, REBUILDINGS, candidates
from granada.bots.external.position_reader import read_position
from granada.bots.halving import Candidate, Try, halve
from granada.bots.parallel import Found, run_on_cores
from granada.engine.policy import Policy
from granada.engine.weights import Weights
from granada.records.notation import action_text
from granada.rules.bonus import Reveal, Revealing
from granada.rules.flow import Acting
from granada.rules.options import EDITIONS
from granada.rules.placing import Placing, PlacingAward
from granada.rules.rebuilding import Remove, Swap
from granada.rules.stretches import MOAT, WALL
from granada.rules.vizier import UsingVizier
from tests.kit import all_options, luck, module_sets, rule

#: Bots that decide at once, and bots that search.
QUICK = ("novice", *PERSONALITIES)
THINKING = ("builder", "search:24n", "strongest:24n")
WEIGHTS = Weights()


def moments(options: Options, seed: object, max_turns: int = 400) -> Iterator[State]:
    """Yield positions with a choice from games of the quick policy with some random actions."""
    chance = luck(seed)
    state = new_game(options, chance)
    while not state.is_over and state.turns <= max_turns:
        actions = state.offers()
        if len(actions) > 1:
            yield state
        if chance.below(3):
            state.play(Policy(state, WEIGHTS).choose(), chance)
        else:
            state.play(actions[chance.below(len(actions))], chance)


def kind_of(state: State) -> str:
    """Return the kind of decision, so that a test can select some of each kind."""
    offers = state.offers()
    details = [
        "turning" if any(getattr(one, "face", None) is not getattr(one, "tile", None) for one in offers) else "",
        "hut" if any(tile.is_hut for tile in state.tray) else "",
        "rebuilding" if any(isinstance(one, (Remove, Swap)) for one in offers) else "",
        "exchange" if state.players[state.seat].exchange else "",
        "reveal" if any(isinstance(one, Reveal) for one in offers) else "",
        "few" if len(offers) <= FEW else "",
    ]
    return " ".join([type(state.step).__name__, *filter(None, details)])


def check(spec: str, state: State, seed: object = 1) -> None:
    """Check that a bot chooses an offered action and does not change its view."""
    offers, view = state.offers(), state.view(state.seat, remembers=True)
    assert make_bot(spec, str(seed)).choose(view, offers) in offers
    assert view == state.view(state.seat, remembers=True)


@pytest.mark.parametrize("options", all_options(), ids=repr)
def test_quick_bots_choose_what_is_offered_at_every_table(options: Options) -> None:
    for state in moments(options, f"quick {options}", 40):
        if state.n % 9 == 0:
            for spec in QUICK:
                check(spec, state, state.n)


#: All numbers of players for fast bots, small ones for slower bots.
TABLES = [(options, THINKING[number % 3]) for number, options in enumerate(all_options())]
TABLES = [(o, spec) for o, spec in TABLES if spec == "builder" or (len(o.modules) in (0, 1, 4) and o.players < 5)]


@pytest.mark.parametrize(("options", "spec"), TABLES, ids=repr)
def test_thinking_bots_choose_what_is_offered_at_every_table(options: Options, spec: str) -> None:
    """One position in the first turns; the next test has more."""
    for state in moments(options, f"thinking {options}"):
        if state.n >= 7 * options.players:
            check(spec, state)
            break


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3])
def test_all_bots_decide_every_kind_of_moment(edition: str, players: int) -> None:
    """Purchases with exchange cards, viziers, tiles turned over, gifts, huts, cards to reveal, tiles left over."""
    seen: Counter[str] = Counter()
    for game in range(3):
        for state in moments(Options(edition, players, module_sets(edition)[-1]), f"kinds {game}"):
            kind = kind_of(state)
            if seen[kind] == 0:
                for spec in QUICK:
                    check(spec, state)
                check(THINKING[len(seen) % 3], state)
            seen[kind] += 1
    steps = {kind.split()[0] for kind in seen}
    needed = {Acting, Placing, PlacingAward, UsingVizier} | (set() if edition == "granada" else {Revealing})
    assert {step.__name__ for step in needed} <= steps, steps
    wanted = ["exchange", "rebuilding", "few"]
    wanted += ["turning"] if edition != "alhambra" else []
    wanted += ["hut", "reveal"] if edition != "granada" else []
    for word in wanted:
        assert any(word in kind for kind in seen), word


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_builder_plays_games_to_their_end(edition: str) -> None:
    options = Options(edition, 2, module_sets(edition)[-1])
    game = play_game(options, [make_bot("builder", 1), make_bot("novice", 2)], luck(f"builder {edition}"), 300)
    assert game.is_finished
    assert game.state.players[0].score > 40


@pytest.mark.parametrize("spec", QUICK)
@pytest.mark.parametrize("edition", EDITIONS)
def test_quick_bots_play_games_to_their_end(spec: str, edition: str) -> None:
    options = Options(edition, 3, module_sets(edition)[-1])
    game = play_game(options, [make_bot(spec, seat) for seat in range(3)], luck("to the end"), 500)
    assert game.is_finished


@rule("8.2", "8.3")
@pytest.mark.parametrize("spec", ["search:8n", "strongest:8n"])
def test_bots_that_look_ahead_play_the_end_of_a_game(spec: str) -> None:
    """The end of a game: the last turns, the tiles left over, the last scoring."""
    chance = luck("the end")
    state = new_game(Options("alhambra", 2, ("bonus", "vizier")), chance)
    bot = make_bot(spec, 1)
    while not state.is_over:
        offers = state.offers()
        if sum(map(len, state.bags)) > 3:
            action = Policy(state, WEIGHTS).choose()
        else:
            action = bot.choose(state.view(state.seat, remembers=True), offers)
        assert action in offers
        state.play(action, chance)


def won(spec: str, other: str, edition: str, games: int, players: int = 2) -> int:
    """Return how many games a bot wins outright, rotating through the seats."""
    found = 0
    for game in range(games):
        seat = game % players
        bots = [make_bot(spec if one == seat else other, f"{game} {one}") for one in range(players)]
        totals = [one.score for one in play_game(Options(edition, players), bots, luck(f"won {game}")).state.players]
        found += totals[seat] == max(totals) and totals.count(max(totals)) == 1
    return found


def test_novice_beats_random() -> None:
    assert won("novice", "random", "alhambra", 12) == 12


@cache
def manners() -> dict[str, dict[str, float]]:
    """Return the longest walls and the points for majorities of masons and courtiers in ten games."""
    found = {name: Counter[str]() for name in PERSONALITIES}
    for game in range(10):
        edition = list(EDITIONS)[game % 3]
        names = ["mason", "courtier"] if game % 2 else ["courtier", "mason"]
        bots = [make_bot(name, f"{game}") for name in names]
        state = play_game(Options(edition, 2), bots, Luck(random.Random(f"manners {game}"))).state
        for seat, name in enumerate(names):
            city = state.players[seat].city
            found[name]["wall"] += city.stretch(WALL) + city.stretch(MOAT)
            found[name]["majorities"] += sum(row.points for row in state.rows if row.seat == seat and is_majority(row))
    return {name: {what: amount / 10 for what, amount in counts.items()} for name, counts in found.items()}


def is_majority(row: Row) -> bool:
    return row.item not in ("wall", "moat", "run")


@rule("7.2")
def test_masons_build_longer_walls_than_courtiers() -> None:
    assert manners()["mason"]["wall"] > 1.2 * manners()["courtier"]["wall"], manners()


@rule("7.3", "7.4")
def test_courtiers_gain_more_by_majorities_than_masons() -> None:
    assert manners()["courtier"]["majorities"] > manners()["mason"]["majorities"], manners()


# Advice ---------------------------------------------------------------------------------------------------------------


def some_moments(options: Options, every: int, seed: str = "advice") -> Iterator[State]:
    for i, state in enumerate(moments(options, seed)):
        if i % every == 3:
            yield state


@pytest.mark.parametrize("spec", ["builder", "search:24n", "strongest:24n"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_advice_has_leads_and_chances_for_at_most_the_requested_actions(spec: str, edition: str) -> None:
    for state in some_moments(Options(edition, 2, module_sets(edition)[-1]), 130):
        offers, view = state.offers(), state.view(state.seat, remembers=True)
        for count in (1, 3, 50):
            advice = make_bot(spec, 1).advise(view, offers, count)
            assert 1 <= len(advice) <= count
            assert {one.action for one in advice} <= set(offers)
            for one in advice:
                if len(advice) > 1:
                    assert one.lead is not None
                    assert one.win is not None
                    assert 0 <= one.win <= 1


@pytest.mark.parametrize("spec", ["novice", "greedy", "builder", "search:24n", "strongest:24n"])
def test_the_first_advice_is_what_the_bot_would_choose(spec: str) -> None:
    """Including positions in which a card can be revealed (13.2), which costs nothing."""
    for state in some_moments(Options("combined", 2, ("vizier", "exchange", "bonus", "huts")), 110):
        offers, view = state.offers(), state.view(state.seat, remembers=True)
        advice = make_bot(spec, 7).advise(view, offers, 5)
        assert make_bot(spec, 7).choose(view, offers) == advice[0].action


def test_advice_comes_best_first() -> None:
    """First the bot's choice, then the others by win chance; a search distinguishes the actions.

    The values come from samples that did not choose, so that of the choice may be a little lower by chance.
    """
    several, spread = 0, 0.0
    for state in some_moments(Options("alhambra", 2), 24):
        advice = make_bot("search:120n", 1).advise(state.view(state.seat, remembers=True), state.offers(), 12)
        wins = [one.win or 0.0 for one in advice]
        assert wins[1:] == sorted(wins[1:], reverse=True)
        several += len(advice) > 2
        spread += wins[0] - wins[-1]
    assert several > 3
    assert spread > 0.0


@pytest.mark.parametrize("spec", ["novice", "greedy", "builder", *PERSONALITIES])
@pytest.mark.parametrize("players", [2, 4])
def test_bots_that_decide_at_once_report_win_chances(spec: str, players: int) -> None:
    """At the beginning all chances are similar; advice after the first is sorted by win chance."""
    several = 0
    for state in some_moments(Options("alhambra", players), 25):
        advice = make_bot(spec, 1).advise(state.view(state.seat, remembers=True), state.offers(), 3)
        wins = [one.win or 0.0 for one in advice]
        assert all(one.lead is not None for one in advice)
        assert wins[1:] == sorted(wins[1:], reverse=True)
        assert len({one.action for one in advice}) == len(advice)
        several += len(advice) == 3
        if state.turns < 4:
            assert max(wins) < 1.6 / players
    assert several > 3


@rule("16.2")
@pytest.mark.parametrize("spec", [*QUICK, "builder", "search:24n", "strongest:24n"])
@pytest.mark.parametrize("edition", ["alhambra", "combined"])
def test_advice_is_the_same_whatever_others_hide(spec: str, edition: str) -> None:
    rng = random.Random(spec)
    differing = 0
    for state in some_moments(Options(edition, 2, ("bonus", "vizier")), 70, "hidden"):
        seat, offers = state.seat, state.offers()
        resampled = state.resample(seat, rng)
        differing += any(a.bonus != b.bonus for a, b in zip(state.players, resampled.players, strict=True))
        advice = [make_bot(spec, 5).advise(one.view(seat, remembers=True), offers, 4) for one in (state, resampled)]
        assert advice[0] == advice[1]
        choices = [make_bot(spec, 5).choose(one.view(seat, remembers=True), offers) for one in (state, resampled)]
        assert choices[0] == choices[1]
    assert differing


def _watch_looks(monkeypatch: pytest.MonkeyPatch, note: Callable[[State, int, int], None]) -> None:
    """Record the position, the seat and the number of turns of each roll-out."""
    from granada.bots import search
    from granada.engine.rollout import RolloutResult, roll_out_turn

    def watched(
        root: State, turn: tuple[Action, ...], seat: int, seed: int, turns: int, weights: Weights, with_features: bool
    ) -> RolloutResult:
        note(root, seat, turns)
        return roll_out_turn(root, turn, seat, seed, turns, weights, with_features)

    monkeypatch.setattr(search, "roll_out_turn", watched)


@rule("16.2")
def test_every_roll_out_resamples_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise plans would rely on cards that others may not have."""
    hands: set[str] = set()

    def note(root: State, seat: int, _: int) -> None:
        hands.add(repr([player.bonus for other, player in enumerate(root.players) if other != seat]))

    _watch_looks(monkeypatch, note)
    state = new_game(Options("alhambra", 2, ("bonus",)), luck("anew"))
    make_bot("search:60n", 1).choose(state.view(state.seat, remembers=True), state.offers())
    assert len(hands) > 1


@rule("16.2")
def test_how_long_a_bot_thinks_does_not_depend_on_its_secret_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search may end early if one action is clearly the best, but not while the seat has a secret card."""
    from granada.bots import search

    may_stops: list[bool] = []

    def watched(tried: Sequence[Candidate], budget: Budget, attempt: Try, luck: int = 0, may_stop: bool = True) -> None:
        may_stops.append(may_stop)
        halve(tried, budget, attempt, luck, may_stop)

    monkeypatch.setattr(search, "halve", watched)
    for modules in (("bonus",), ()):
        state = new_game(Options("alhambra", 2, modules), luck("secret"))
        seat = state.seat
        make_bot("search:30n", 1).choose(state.view(seat, remembers=True), state.offers())
        player = state.players[seat]
        player.seen_bonus = tuple([card for card in player.bonus if card is not None])
        make_bot("search:30n", 1).choose(state.view(seat, remembers=True), state.offers())
    assert may_stops == [False, True, True, True]


def test_a_larger_budget_looks_farther(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit in nodes it is the same on every machine; with seconds it depends on the speed of the rules."""
    from granada.bots import search

    for nodes, expected in ((1, 0.0), (400, 0.0), (800, 1.0), (3200, 3.0), (10**9, search.MOST_DOUBLINGS)):
        assert search.doublings(Budget(nodes=nodes)) == expected
    assert search.doublings(Budget(nodes=400, cores=4)) == 2.0
    assert search.doublings(Budget(nodes=800, seconds=60.0)) == 1.0
    for compiled, expected in ((False, 0.0), (True, 2.0)):
        monkeypatch.setattr(search, "is_compiled", lambda compiled=compiled: compiled)
        assert search.doublings(Budget(seconds=0.4)) == expected
        assert search.doublings(Budget(seconds=0.0)) == 0.0


def test_garbage_collection_does_not_delay_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many objects a collection took longer than the whole budget, and there is nothing to collect."""
    found: list[bool] = []
    _watch_looks(monkeypatch, lambda *_: found.append(gc.isenabled()))
    state = new_game(Options("combined", 2, ("exchange", "bonus")), luck("collector"))
    bot = make_bot("search:30n", 1)
    bot.choose(state.view(state.seat, remembers=True), state.offers())
    gc.collect()
    bot.choose(state.view(state.seat, remembers=True), state.offers())
    assert gc.collect() == 0
    assert gc.isenabled()
    assert found
    assert not any(found)


@rule("10.1")
def test_in_the_combined_game_it_looks_twice_as_far(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: set[tuple[str, int]] = set()
    _watch_looks(monkeypatch, lambda root, _, turns: looked.add((root.options.edition, turns)))
    for edition in ("granada", "combined"):
        state = new_game(Options(edition, 3), luck("far"))
        make_bot("search:30n", 1).choose(state.view(state.seat, remembers=True), state.offers())
    assert looked == {("granada", 12), ("combined", 24)}


@rule("16.1")
def test_bots_that_look_ahead_need_a_view_that_remembers() -> None:
    state = new_game(Options("alhambra", 3), luck("forgets"))
    with pytest.raises(ValueError, match="remembers"):
        make_bot("search:8n", 1).choose(state.view(state.seat), state.offers())


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The processes that a test forks; at its end they must have ended and been waited for."""
    found, fork = list[int](), os.fork

    def watched() -> int:
        found.append(fork())
        return found[-1]

    monkeypatch.setattr(os, "fork", watched)
    yield found
    for child in found:
        with pytest.raises(ChildProcessError):
            os.waitpid(child, os.WNOHANG)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here: one core does all the work")
def test_several_cores_choose_the_same_every_time_and_leave_nothing_behind(children: list[int]) -> None:
    state = new_game(Options("alhambra", 2, ("bonus",)), luck("cores"))
    view, offers = state.view(state.seat, remembers=True), state.offers()
    advice = [make_bot("search:24n:3c", 1).advise(view, offers, 4) for _ in range(2)]
    assert advice[0] == advice[1]
    assert {one.action for one in advice[0]} <= set(offers)
    assert advice[0] != make_bot("search:24n", 1).advise(view, offers, 4)  # more roll-outs
    assert len(children) == 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here: one core does all the work")
@pytest.mark.parametrize("core_that_is_quick", [0, 1])
def test_cancelled_cores_are_not_waited_for(core_that_is_quick: int, children: list[int]) -> None:
    """The fast core sends more than fits into a pipe, and it is not read at once."""
    started = time.monotonic()

    def work(core: int) -> Found:
        if core != core_that_is_quick:
            while not is_cancelled() or core:  # cancelling does not reach the process of another core
                time.sleep(0.01)
        return [([0.25] * 20_000, [1.5] * 20_000)]

    def is_cancelled() -> bool:
        return time.monotonic() - started > 0.5

    assert run_on_cores(2, work, is_cancelled) == [[([0.25] * 20_000, [1.5] * 20_000)]]
    assert time.monotonic() - started < 20
    assert len(children) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here: one core does all the work")
def test_a_core_that_dies_is_not_counted() -> None:
    def work(core: int) -> Found:
        if core == 1:
            os._exit(1)
        return [([float(core)], [0.0])]

    assert run_on_cores(3, work, lambda: False) == [[([0.0], [0.0])], [([2.0], [0.0])]]


@rule("16.2")
def test_every_core_resamples_hidden_bonus_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    from granada.bots import search

    state = new_game(Options("alhambra", 3, ("bonus",)), luck("hidden cores"))
    numbers: list[float] = []

    def one_after_the_other(cores: int, work: Callable[[int], Found], is_cancelled: Callable[[], bool]) -> list[Found]:
        found = []
        for core in range(cores):
            found.append(work(core))
            numbers.append(bot.rng.random())
        return found

    monkeypatch.setattr(search, "run_on_cores", one_after_the_other)
    bot = make_bot("search:12n:3c", 1)
    bot.choose(state.view(state.seat, remembers=True), state.offers())
    assert len(set(numbers)) == 3


# Candidates -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_candidates_are_offered_and_the_best_known_come_first(edition: str) -> None:
    for state in moments(Options(edition, 3, module_sets(edition)[-1]), f"candidates {edition}"):
        offers = state.offers()
        for count in (1, 3, 12):
            found = candidates(state, offers, WEIGHTS, count)
            chosen = [one.action for one in found]
            assert 1 <= len(found) <= max(count + REBUILDINGS, FEW)
            assert set(chosen) <= set(offers)
            assert len(set(chosen)) == len(chosen)
            known = [one.worth for one in found if not isinstance(one.action, (Remove, Swap))]
            assert known == sorted(known, reverse=True) or len(offers) <= FEW
            if len(offers) <= FEW:
                assert set(chosen) == set(offers)


@rule("3.5")
@pytest.mark.parametrize("edition", EDITIONS)
def test_bots_that_search_also_make_room_by_removing_tiles(edition: str) -> None:
    """It costs points at first and pays off later."""
    removed = 0
    for state in moments(Options(edition, 3, module_sets(edition)[-1]), f"candidates {edition}"):
        offers = state.offers()
        ways = [one for one in offers if isinstance(one, (Remove, Swap))]
        if len(offers) > FEW and ways:
            near = [one.action for one in candidates(state, offers, WEIGHTS, 12)]
            far = [one.action for one in candidates(state, offers, WEIGHTS, 12, daring=4)]
            assert not any(isinstance(one, Remove) for one in near)
            assert sum(isinstance(one, (Remove, Swap)) for one in far) == min(len(ways), 4)
            removed += sum(isinstance(one, Remove) for one in far)
    assert removed


@rule("3.5", "4.1")
@pytest.mark.parametrize("spec", ["search:800n", "strongest:800n"])
def test_a_tile_is_removed_where_a_closed_city_would_waste_one_that_was_bought(spec: str) -> None:
    """There is a tile to place that fits nowhere with either face."""
    position = read_position((Path(__file__).parent / "closed_city.position").read_text("utf-8").splitlines())
    best, *others = make_bot(spec, 1).advise(position.view, position.actions, 12)
    turn = [action_text(one) for one in (best.action, *best.then)]
    assert "remove 2,1" in turn
    assert any(one.startswith("place district-10 at 2,1 as bath_house-11 with") for one in turn)
    kept = [one.win for one in others if not any(isinstance(action, Remove) for action in (one.action, *one.then))]
    assert best.win is not None
    assert kept[0] is not None
    assert best.win > kept[0] + 0.1


@rule("3.5")
@pytest.mark.parametrize("spec", ["search", "strongest"])
def test_advice_also_considers_rebuilding_if_there_is_a_time_limit(spec: str) -> None:
    """Advice uses only a part of its time for the search; a distant time limit must not change anything."""
    position = read_position((Path(__file__).parent / "closed_city.position").read_text("utf-8").splitlines())
    timed, untimed = [
        make_bot(f"{spec}:{limits}", 1).advise(position.view, position.actions, 12) for limits in ("600s:800n", "800n")
    ]
    assert [one.action for one in timed] == [one.action for one in untimed]
    assert any([isinstance(action, Remove) for one in timed for action in (one.action, *one.then)])


def test_candidates_are_never_more_than_what_was_offered() -> None:
    """Advice about some actions contains only those."""
    rng = random.Random(3)
    for state in some_moments(Options("combined", 2, module_sets("combined")[-1]), 6):
        some = rng.sample(state.offers(), min(5, len(state.offers())))
        assert {one.action for one in candidates(state, some, WEIGHTS, 3)} <= set(some)


def test_levels_and_personalities_are_bots_with_names_of_their_own() -> None:
    assert len({*LEVELS, *PERSONALITIES}) == len(LEVELS) + len(PERSONALITIES)
    assert {
        type(make_bot(f"{name}:8n", 1)).__name__.removesuffix("Bot").lower() for name in (*LEVELS, *PERSONALITIES)
    } == {
        *LEVELS,
        *PERSONALITIES,
    }


@rule("13.2")
@pytest.mark.parametrize("spec", [*PERSONALITIES, "builder", "search:8n", "strongest:8n"])
def test_bonus_cards_are_revealed_because_it_costs_nothing(spec: str) -> None:
    seen = 0
    for state in moments(Options("alhambra", 3, ("bonus",)), "revealing"):
        offers = state.offers()
        if any(isinstance(one, Reveal) for one in offers):
            assert isinstance(make_bot(spec, 1).choose(state.view(state.seat, remembers=True), offers), Reveal)
            seen += 1
    assert seen
