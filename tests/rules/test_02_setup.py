"""Chapter 2: set-up."""

from __future__ import annotations

import pytest

from granada import BadOptions, Chance, Options, State, event_text, new_game
from granada.rules.chance import First
from tests.kit import Dealing, Last, luck, rule, turn_over_deck


def new_games(*editions: str) -> list[State]:
    """Yield games with each number of players."""
    return [new_game(Options(edition, players), luck(players)) for edition in editions for players in range(2, 7)]


def event_lines(state: State, start: str = "") -> list[str]:
    """Return the set-up lines of the record that start with a prefix."""
    return [line for line in map(event_text, state.events) if line.startswith(start)]


# 2.1, 2.2 -------------------------------------------------------------------------------------------------------------


@rule("2.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_2_1_two_to_six_players(players: int) -> None:
    state = new_game(Options("alhambra", players), luck(players))
    assert len(state.players) == players
    assert (state.dirk is not None) == (players == 2)


@rule("2.1")
@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_2_1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(BadOptions, match=r"2\.1"):
        Options("alhambra", players)


@rule("2.2")
def test_2_2_four_tiles_in_order_onto_the_yard() -> None:
    for state in new_games("alhambra", "granada"):
        lines = event_lines(state, "! yard")
        assert [line.split()[2] for line in lines] == ["1", "2", "3", "4"]
        assert [line.split()[3] for line in lines] == [tile.name for tile in state.yard if tile is not None]
        assert lines == event_lines(state)[:4]  # before everything else
        dirks = 6 if len(state.players) == 2 else 0
        assert len(state.bags[0]) == 54 - 4 - dirks


@rule("2.2")
def test_2_2_granada_even_faces_up_and_then_the_marker_on_odd() -> None:
    for state in new_games("granada"):
        assert [tile.price % 2 for tile in state.yard if tile is not None] == [0, 0, 0, 0]
        assert state.marker == 1


# 2.3 ------------------------------------------------------------------------------------------------------------------


@rule("2.3")
def test_2_3_cards_until_the_total_is_20_or_more() -> None:
    # 19 is not enough, so a 9 follows: 28; exactly 20 is enough.
    state = new_game(Options("alhambra", 3), Dealing("y9 g9 b1 o9 y9 g9 o2 y1 y1 y1 g1 g1 g1 b1 b1 o1 o1 o1 y8 b3"))
    assert event_lines(state, "! deal") == [
        "! deal 1 y9 g9 b1 o9",
        "! deal 2 y9 g9 o2",
        "! deal 3 y8 y1 y1 y1 g1 g1 g1 b3 b1 b1 o1 o1 o1",
    ]
    assert [sum([card.value for card in player.hand()]) for player in state.players] == [28, 20, 22]


@rule("2.3")
def test_2_3_everybody_starts_with_20_to_28() -> None:
    totals: set[int] = set()
    for seed in range(60):
        for player in new_game(Options("granada", 6), luck(seed)).players:
            values = [card.value for card in player.hand()]
            assert sum(values) - max(values) < 20
            totals.add(sum(values))
    assert totals == set(range(20, 29))


# 2.4 ------------------------------------------------------------------------------------------------------------------

FEW_24, FEW_20, FEW_21 = "y9 g9 b6", "y8 g8 b4", "y7 g7 b7"
MANY_20 = "o5 o5 o5 o3 o2"


@rule("2.4")
@pytest.mark.parametrize(
    ("deals", "ages", "tied"),
    [
        ((MANY_20, FEW_24, "g9 b9 o1 o1"), (), [1]),
        ((FEW_24, FEW_20, MANY_20), (), [1]),
        ((FEW_21, FEW_24, FEW_20), (9, 10, 90), [2]),
        ((FEW_20, MANY_20, "o9 o9 o2"), (), [0, 2]),
        ((FEW_20, MANY_20, "o9 o9 o2"), (30, 10, 29), [2]),
        ((FEW_20, MANY_20, "o9 o9 o2"), (30, 10, 31), [0]),
        ((FEW_20, MANY_20, "o9 o9 o2"), (30, 10, 30), [0, 2]),
        ((FEW_20, "g9 g9 g2", "o9 o9 o2"), (30, 30, 40), [0, 1]),
        ((FEW_20, "g9 g9 g2", "o9 o9 o2"), (), [0, 1, 2]),
    ],
    ids=[
        "fewest cards, whatever the total",
        "then the smallest total",
        "age matters only if that is tied",
        "no ages: chance",
        "the youngest of the tied",
        "the youngest, now the other",
        "equal ages: chance",
        "equal ages of three tied: chance among two",
        "three tied: chance",
    ],
)
def test_2_4_the_start_player(deals: tuple[str, ...], ages: tuple[int, ...], tied: list[int]) -> None:
    chance = Dealing(" ".join(deals))
    state = new_game(Options("alhambra", 3, ages=ages), chance)
    assert chance.tied == tied
    assert state.seat == state.turn == tied[-1]
    assert event_lines(state, "! start") == [f"! start {tied[-1] + 1}"]


@rule("2.4")
@pytest.mark.parametrize("ages", [(20, 30), (20, 30, 40, 50), (20, 30, -1), (20, 30, 200)])
def test_2_4_ages_that_cannot_be(ages: tuple[int, ...]) -> None:
    with pytest.raises(BadOptions, match=r"2\.4"):
        Options("alhambra", 3, ages=ages)


# 2.5, 2.6 -------------------------------------------------------------------------------------------------------------


@rule("2.5")
def test_2_5_four_more_cards_on_the_display() -> None:
    for state in new_games("alhambra", "granada"):
        assert len(state.display) == 4
        assert all([card.value for card in state.display])  # no score card among them
        assert event_lines(state)[-1] == f"! display {' '.join([card.name for card in state.display])}"


@rule("2.5")
def test_2_5_set_up_goes_in_order() -> None:
    state = new_game(Options("alhambra", 2), luck("order"))
    order = [line.split()[1] for line in event_lines(state)]
    assert order == ["yard"] * 4 + ["dirk"] + ["deal"] * 2 + [
        "start",
        "display",
    ]


@rule("2.6")
@pytest.mark.parametrize(
    ("chance", "a", "b"),
    [(Last(), 19, 19 + 20 + 19), (First(), 19 + 19, 19 + 20 + 19 + 19)],
    ids=["as early as possible", "as late as possible"],
)
def test_2_6_score_cards_in_piles_2_and_4(chance: Chance, a: int, b: int) -> None:
    # 10 cards in hands and 4 on the display leave 94: piles of 19, 19, 19, 19 and 18; A and B come on top.
    state = new_game(Options("alhambra", 3), Dealing(f"{FEW_24} {FEW_20} g9 b9 o1 o1"))
    drawn = turn_over_deck(state, chance)
    assert len(drawn) == 94 + 2
    assert (drawn.index("A"), drawn.index("B")) == (a, b)


@rule("2.6")
def test_2_6_score_cards_never_come_elsewhere() -> None:
    for seed in range(40):
        state = new_game(Options("granada", 3), Dealing(f"{FEW_24} {FEW_20} g9 b9 o1 o1"))
        drawn = turn_over_deck(state, luck(seed))
        assert 19 <= drawn.index("A") <= 38
        assert 58 <= drawn.index("B") <= 77
        assert (drawn.count("A"), drawn.count("B")) == (1, 1)
