"""Which bots meet, on which deal, at which seats."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from granada import BadOptions
from granada.arena.tournament import FIXED, Pairing, Tournament

FOUR = Tournament(("random", "greedy", "random:2s", "greedy:2s"), games=6)


def test_a_round_robin_lets_every_combination_meet_in_so_many_games() -> None:
    for seats in (2, 3, 4):
        tournament = replace(FOUR, seats=seats)
        met = Counter([tuple(sorted(pairing.line_up)) for pairing in tournament.pairings()])
        assert met == Counter(dict.fromkeys(combinations(range(4), seats), 6))
        assert tournament.size == sum(met.values())


def test_the_fixed_mode_seats_all_at_one_table_and_a_bot_may_meet_itself() -> None:
    tournament = Tournament(("greedy", "random", "random"), seats=3, games=2, mode=FIXED)
    tournament.prepare()
    assert [pairing.line_up for pairing in tournament.pairings()] == [(0, 1, 2), (0, 1, 2)]
    assert tournament.entrants == ("greedy", "random")


def test_rotate_gives_everybody_every_seat() -> None:
    tournament = Tournament(("greedy", "random", "random"), seats=3, games=3, mode=FIXED, rotate=True)
    assert [pairing.line_up for pairing in tournament.pairings()] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def test_without_pairs_every_game_has_a_deal_of_its_own() -> None:
    deals = [pairing.deal for pairing in replace(FOUR, rotate=True).pairings()]
    assert len(set(deals)) == len(deals)


def test_paired_games_of_all_combinations_have_the_same_deals() -> None:
    deals = Counter([pairing.deal for pairing in replace(FOUR, paired=True).pairings()])
    assert deals == Counter(dict.fromkeys(range(1, 7), 6))


def test_paired_and_rotated_every_deal_is_played_from_every_seat() -> None:
    tournament = replace(FOUR, seats=3, paired=True, rotate=True)
    for deal in (1, 2):
        line_ups = [pairing.line_up for pairing in tournament.pairings() if pairing.deal == deal]
        assert sorted(line_ups) == sorted(
            [seated[turn:] + seated[:turn] for seated in combinations(range(4), 3) for turn in range(3)]
        )


def test_more_games_change_nothing_of_the_first_ones() -> None:
    tournament = replace(FOUR, rotate=True, paired=True)
    more = list(replace(tournament, games=60).pairings())
    assert more[: tournament.size] == list(tournament.pairings())
    assert [pairing.number for pairing in more] == list(range(1, len(more) + 1))


def test_a_tournament_goes_through_json() -> None:
    tournament = replace(FOUR, modules=("vizier",), bot_files=("a.py",), huts="huts.csv")
    assert Tournament.from_data(json.loads(json.dumps(tournament.as_data()))) == tournament


def test_the_luck_of_a_game_is_that_of_its_deal() -> None:
    assert (
        FOUR.deal_seed(Pairing(7, 2, (0, 1)))
        == FOUR.deal_seed(Pairing(8, 2, (1, 0)))
        != FOUR.deal_seed(Pairing(7, 3, (0, 1)))
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"players": ("random", "deep")}, "the bot 'deep' is none of random, "),
        ({"players": ("random", "greedy:fast")}, "'fast' in 'greedy:fast' is not a budget"),
        ({"players": ("random", "random")}, "'random' is named twice: a bot can meet itself only in the fixed mode"),
        ({"players": ("random", "greedy"), "seats": 3}, "a round-robin with 3 seats needs at least 3 bots"),
        ({"mode": "swiss"}, "the mode 'swiss' is none of round-robin, fixed"),
        ({"mode": FIXED}, "in the fixed mode all 4 bots sit at one table, not 2"),
        ({"players": ("random",), "mode": FIXED, "seats": 1}, "two to six players can play, not 1"),
        ({"edition": "chess"}, "the edition 'chess' is none of"),
        ({"bot_files": ("missing.py",)}, "cannot read missing.py"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(change: dict[str, object], reason: str) -> None:
    with pytest.raises(BadOptions) as refused:
        Tournament.from_data({**FOUR.as_data(), **change}).prepare()
    assert reason in str(refused.value)
