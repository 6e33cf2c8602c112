"""The results of a tournament, compared with counts by hand for constructed games."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from math import hypot, isclose, log10

import pytest

from granada.arena.intervals import Share, interval_of_mean, interval_of_share, share_of, together, wilson
from granada.arena.outcome import FINISHED, FORFEIT, STOPPED, VOID, Fault, GameOutcome
from granada.arena.ratings import MIDDLE, Rating, ranks_of, rate
from granada.arena.standings import Standings
from granada.arena.tournament import FIXED, Pairing, Tournament

DUEL = Tournament(("greedy", "random"), seats=2, games=4, mode=FIXED, rotate=True, paired=True)
THREE = Tournament(("greedy", "random", "random"), seats=3, games=3, mode=FIXED)


def ended(number: int, line_up: tuple[int, ...], totals: tuple[int, ...], deal: int = 0) -> GameOutcome:
    """Return a finished game with these points for walls in scoring A, and one for towers in C except for seat 0."""
    points = [(seat, "A", "wall", total - (seat > 0)) for seat, total in enumerate(totals)]
    points += [(seat, "C", "tower", 1) for seat in range(1, len(totals))]
    points.append((-1, "C", "tower", 50))  # Dirk
    won = tuple([seat for seat, total in enumerate(totals) if total == max(totals)])
    return GameOutcome(Pairing(number, deal or number, line_up), FINISHED, won, 60, 200, tuple(points))


def standings(tournament: Tournament, *outcomes: GameOutcome) -> Standings:
    return Standings(tournament, tournament.prepare(), outcomes)


def test_a_shared_victory_counts_a_part_for_each() -> None:
    found = standings(THREE, ended(1, (0, 1, 2), (9, 9, 3)), ended(2, (0, 1, 2), (9, 1, 3)))
    assert found.of("greedy").wins == 1.5
    assert found.of("greedy").share == 0.75
    assert found.of("greedy").interval == wilson(1.5, 2)


def test_a_bot_with_two_seats_is_counted_at_both() -> None:
    found = standings(THREE, ended(1, (0, 1, 2), (5, 9, 3)))
    assert (found.of("random").games, found.of("random").wins, found.of("random").share) == (2, 1.0, 0.5)


def test_points_and_margins_by_item_add_up_and_dirk_is_nobody() -> None:
    found = standings(THREE, ended(1, (0, 1, 2), (30, 10, 20)), ended(2, (0, 1, 2), (40, 20, 20)))
    greedy = found.of("greedy")
    assert (greedy.points(), greedy.points(["A"]), greedy.points(items=["tower"])) == (35.0, 35.0, 0.0)
    assert greedy.margin(["wall"]) == 35 - (9 + 19 + 19 + 19) / 4
    assert greedy.margin(["tower"]) == -1.0
    assert greedy.margin() == greedy.margin(["wall"]) + greedy.margin(["tower"]) == 17.5


def test_stopped_and_void_games_have_no_winner_and_forfeits_have_no_points() -> None:
    pairing = Pairing(1, 1, (0, 1))
    found = standings(
        DUEL,
        GameOutcome(pairing, STOPPED),
        GameOutcome(replace(pairing, number=2), VOID, reason="the lights went out"),
        GameOutcome(replace(pairing, number=3), FORFEIT, (1,), fault=Fault(0, "crashed: KeyError")),
    )
    assert found.ends == {FINISHED: 0, STOPPED: 1, FORFEIT: 1, VOID: 1}
    assert (found.of("greedy").games, found.of("greedy").wins, found.of("greedy").forfeits) == (1, 0.0, 1)
    assert (found.of("random").wins, found.of("random").points()) == (1.0, 0.0)
    assert dict(found.faults) == {(None, "the lights went out"): 1, ("greedy", "crashed: KeyError"): 1}
    assert found.meeting("random", "greedy").share == 1.0


def test_the_matrix_counts_who_was_ahead_and_a_tie_counts_half() -> None:
    found = standings(
        THREE, ended(1, (0, 1, 2), (9, 9, 3)), ended(2, (0, 1, 2), (1, 9, 3)), ended(3, (0, 1, 2), (9, 8, 7))
    )
    met = found.meeting("greedy", "random")
    assert (met.games, met.ahead) == (6, 0.5 + 1 + 2)
    assert found.meeting("random", "greedy").ahead == 6 - met.ahead


def test_the_order_in_which_outcomes_come_changes_nothing() -> None:
    some = [ended(number, (0, 1) if number % 2 else (1, 0), (number % 7, number % 5)) for number in range(1, 30)]
    mixed = some.copy()
    random.Random(1).shuffle(mixed)
    one, other = standings(DUEL, *some), standings(DUEL, *mixed)
    assert [vars(a)["rating"] for a in one.entrants] == [vars(b)["rating"] for b in other.entrants]
    assert one.of("greedy").margin_interval == other.of("greedy").margin_interval


def test_luck_that_all_had_cancels_in_the_interval_by_deals() -> None:
    # In every deal seat 0 has twenty points more; greedy is better by one or two.
    outcomes = []
    for deal in range(1, 11):
        better = 1 + deal % 2
        outcomes.append(ended(2 * deal - 1, (0, 1), (40 + better, 20), deal))
        outcomes.append(ended(2 * deal, (1, 0), (40, 20 + better), deal))
    paired = standings(DUEL, *outcomes).of("greedy").margin_interval
    alone = [replace(outcome, pairing=replace(outcome.pairing, deal=outcome.pairing.number)) for outcome in outcomes]
    unpaired = standings(DUEL, *alone).of("greedy").margin_interval
    assert paired is not None
    assert unpaired is not None
    assert 1 < paired[0] < 1.5 < paired[1] < 2
    assert unpaired[0] < -5


def test_the_interval_of_a_mean_is_that_of_student() -> None:
    # 2.262 standard errors for ten values, 2.776 for five.
    for values, factor in (([1.0, 2.0] * 5, 2.262), ([1.0, 2.0, 3.0, 4.0, 5.0], 2.776)):
        middle = sum(values) / len(values)
        deviation = (sum([(value - middle) ** 2 for value in values]) / (len(values) - 1)) ** 0.5
        found = interval_of_mean([[value] for value in values])
        assert found is not None
        assert isclose(found[1] - middle, factor * deviation / len(values) ** 0.5, rel_tol=0.01)
    assert interval_of_mean([[1.0], [2.0]]) is None
    assert interval_of_mean([[1.0]] * 9) is None


@pytest.mark.parametrize("pairs", [True, False])
def test_95_percent_intervals_hold_the_truth_about_95_times_of_100(pairs: bool) -> None:
    rng = random.Random(7)
    held = 0
    for _ in range(600):
        groups = []
        for _ in range(30):
            luck = rng.gauss(0, 3)
            groups.append([luck + rng.gauss(1, 1), -luck + rng.gauss(1, 1)] if pairs else [luck + rng.gauss(1, 1)])
        found = interval_of_mean(groups)
        assert found is not None
        held += found[0] <= 1 <= found[1]
    assert 0.93 < held / 600 < 0.97


@pytest.mark.parametrize("share", [0.5, 0.7, 0.95])
@pytest.mark.parametrize("alike", [0.0, 0.5], ids=["independent", "alike"])
def test_95_percent_intervals_of_shares_hold_the_truth_also_near_1(share: float, alike: float) -> None:
    """The two games of a deal often have the same result."""
    rng = random.Random(f"{share} {alike}")
    held = 0
    for _ in range(600):
        groups = []
        for _ in range(40):
            first = float(rng.random() < share)
            groups.append([first, first if rng.random() < alike else float(rng.random() < share)])
        low, high = interval_of_share(groups)
        assert 0 <= low <= high <= 1
        held += low <= share <= high
    assert 0.92 < held / 600 < 0.985


def test_few_deals_and_deals_that_are_alike_count_like_single_games() -> None:
    assert interval_of_share([]) == (0.0, 1.0)
    assert interval_of_share([[1.0, 0.0], [1.0, 1.0]]) == wilson(1.5, 2)
    assert interval_of_share([[1.0, 1.0]] * 9) == wilson(9, 9)
    assert interval_of_share([[1.0, 0.0]] * 9) == wilson(4.5, 9)


def test_95_percent_intervals_of_several_shares_together_hold_the_truth() -> None:
    """Tournaments of few and many deals, with pairs of games that are more or less correlated."""
    rng = random.Random(5)
    held = 0
    for _ in range(600):
        shares = []
        for deals, alike in ((8, 0.0), (20, 0.5), (75, 0.2)):
            groups = []
            for _ in range(deals):
                first = float(rng.random() < 0.6)
                groups.append([first, first if rng.random() < alike else float(rng.random() < 0.6)])
            shares.append(share_of(groups))
        found = together(shares)
        assert found.games == 206
        assert found.share == pytest.approx(sum([one.share * one.games for one in shares]) / 206)
        low, high = found.interval
        held += low <= 0.6 <= high
    assert 0.92 < held / 600 < 0.975


def test_shares_that_are_taken_together_count_by_their_games() -> None:
    assert together([]).interval == (0.0, 1.0)
    alone = share_of([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    assert together([alone]).interval == pytest.approx(alone.interval)
    twice = together([Share(0.6, 100, 100.0, 49), Share(0.6, 100, 100.0, 49)])
    assert twice == Share(0.6, 200, 200.0, 98)
    assert together([Share(1.0, 2, 1), Share(0.0, 6, 3)]) == Share(0.25, 8, 4.0)


def test_who_wins_more_is_rated_higher_and_more_games_make_it_more_certain() -> None:
    games = [ended(number, (0, 1, 2), (9, 5, number % 5)) for number in range(1, 61)]
    few, many = rate(("greedy", "random", "random:2s"), games[:10]), rate(("greedy", "random", "random:2s"), games)
    assert few is not None
    assert many is not None
    assert many["greedy"].points > many["random"].points > many["random:2s"].points
    assert many["greedy"].sigma < few["greedy"].sigma < 25 / 3


@pytest.mark.parametrize("chance", [0.5, 0.6, 0.75, 10 / 11])
def test_the_scale_of_ratings_is_like_elos(chance: float) -> None:
    assert Rating(25, 1).points == MIDDLE == 1500
    rng = random.Random(3)
    games = [ended(number, (0, 1), (9, 3) if rng.random() < chance else (3, 9)) for number in range(1, 1001)]
    found = rate(("greedy", "random"), games)
    assert found is not None
    better, worse = found["greedy"], found["random"]
    expected = 400 * log10(chance / (1 - chance))
    assert abs(better.points - worse.points - expected) < hypot(better.spread, worse.spread) < 75


def test_early_games_count_as_much_as_late_ones() -> None:
    lost, won = (3, 9), (9, 3)
    rows = [[lost] * 40 + [won] * 60, [won] * 60 + [lost] * 40, ([won, lost] * 40) + [won] * 20]
    leads = []
    for row in rows:
        found = rate(("greedy", "random"), [ended(number, (0, 1), totals) for number, totals in enumerate(row, 1)])
        assert found is not None
        leads.append(found["greedy"].points - found["random"].points)
        assert found["greedy"].spread < 90
    assert all([abs(lead - 400 * log10(60 / 40)) < 40 for lead in leads]), leads


def test_who_met_only_strong_ones_is_rated_by_them() -> None:
    """A chain: each wins 65 % against the one below, and plays only its neighbours."""
    rng, names = random.Random(5), ("greedy", "greedy:2s", "greedy:3s", "greedy:4s")
    games: list[GameOutcome] = []
    for lower, count in ((0, 300), (1, 60), (2, 60)):
        for _ in range(count):
            totals = (9, 3) if rng.random() < 0.65 else (3, 9)
            games.append(ended(len(games) + 1, (lower + 1, lower), totals))
    found = rate(names, games)
    assert found is not None
    points = [found[name].points for name in names]
    assert points == sorted(points)
    assert points[-1] - points[0] > 200  # 323 by the chances


def test_who_forfeits_is_behind_all_others() -> None:
    outcome = GameOutcome(
        Pairing(1, 1, (0, 1, 2)), FORFEIT, (0, 2), points=((1, "A", "wall", 90),), fault=Fault(1, "why")
    )
    assert ranks_of(outcome) == [0, 1, 0]
    assert ranks_of(ended(1, (0, 1, 2), (3, 9, 9))) == [2, 0, 0]


def test_without_openskill_there_are_no_ratings_and_everything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    found = standings(DUEL, ended(1, (0, 1), (9, 3)), ended(2, (1, 0), (5, 3)))
    assert not found.is_rated
    assert found.of("greedy").rating is None
    assert [one.spec for one in found.ladder] == ["greedy", "random"]
