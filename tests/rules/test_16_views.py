"""16: hidden information."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from granada import NOBODY, Buy, Card, Give, Options, Place, State, Take, Tile, UseVizier, new_game, tile
from granada.rules.events import BonusDealt, Dealt
from granada.rules.money import EXCHANGE_CARDS
from tests.kit import bonus, display, hand, luck, module_sets, offers, play, plies, position, rule, settle


def table(players: int = 3, open_money: bool = False) -> State:
    """Return a game at its first decision, with every module, seat 0 to act."""
    for seed in range(100):
        options = Options("combined", players, module_sets("combined")[-1], open_money=open_money)
        state = new_game(options, luck(seed))
        if state.seat == 0:
            return state
    raise AssertionError("seat 0 never starts")


def moments(players: int, seed: object, step: int = 11) -> Iterator[State]:
    """Yield every n-th ply of a random game in which bonus cards are revealed and go back to the hand."""
    for state, _ in plies(Options("alhambra", players, ["bonus", "vizier", "exchange"]), seed, 120):
        if state.n % step == 0:
            yield state


def names(cards: tuple[Card, ...] | None) -> list[str] | None:
    return None if cards is None else [card.name for card in cards]


# 16.1: hands ----------------------------------------------------------------------------------------------------------


@rule("16.1")
def test_16_1_other_hands_are_hidden_but_not_their_size() -> None:
    state = position("alhambra", 3)
    hand(state, 0, "y5")
    hand(state, 1, "g9 g8")
    view = state.view(0)
    assert [names(view.hand(seat)) for seat in range(3)] == [["y5"], None, None]
    assert view.hand_sizes == (1, 2, 0)
    assert [player.hand() for player in view.table.players[1:]] == [(), ()]
    assert view.deck_size == len(state.deck.cards())


@rule("16.1")
def test_16_1_a_spectator_sees_no_hand() -> None:
    state = table()
    view = state.view(NOBODY)
    assert [view.hand(seat) for seat in range(3)] == [None] * 3
    assert [player.hand() for player in view.table.players] == [()] * 3


@rule("16.1")
@pytest.mark.parametrize("seat", [0, 1, NOBODY])
def test_16_1_hidden_hands_cannot_be_distinguished_from_the_deck(seat: int) -> None:
    state = table()
    other = state.copy()
    for card in other.players[2].hand():
        other.deck.pool.append(card)
    other.players[2].give_up(other.players[2].hand())
    for card in sorted(other.deck.pool, key=str)[: state.view(seat).hand_sizes[2]]:
        other.players[2].receive(card)
        other.deck.pool.remove(card)
    assert other.players[2].hand() != state.players[2].hand()
    assert other.view(seat) == state.view(seat)
    assert other.view(seat).table.deck.pool == state.view(seat).table.deck.pool


@rule("16.1", "12.3")
@pytest.mark.parametrize("seat", [0, NOBODY])
def test_16_1_exchange_cards_in_hidden_hands_cannot_be_distinguished_from_the_deck(seat: int) -> None:
    tables: list[State] = []
    for held in EXCHANGE_CARDS[:2]:
        state = new_game(Options("alhambra", 2, ["exchange"]), luck(3))
        state.players[1].receive(held)
        state.deck.exchange = tuple(card for card in EXCHANGE_CARDS if card is not held)
        tables.append(state)
    assert tables[0].view(seat) == tables[1].view(seat)


@rule("16.1")
@pytest.mark.parametrize("seat", [1, NOBODY])
def test_16_1_with_open_money_everybody_sees_all_hands(seat: int) -> None:
    state = table(3, open_money=True)
    assert [state.view(seat).hand(other) for other in range(3)] == [player.hand() for player in state.players]


@rule("16.1")
@pytest.mark.parametrize("options", [Options("alhambra", 4, ("exchange",)), Options("combined", 2)], ids=repr)
def test_16_1_a_view_puts_hidden_cards_into_the_deck_in_order(options: Options) -> None:
    """Whatever the order of the deck, the hidden cards of hands cannot be distinguished from it."""
    rng = random.Random("order")
    for state, _ in plies(options, "order", 120):
        if state.n % 5:
            continue
        for seat in (0, 1, NOBODY):
            hidden = [player.hand() for other, player in enumerate(state.players) if other != seat]
            unseen = [*state.deck.pool, *state.deck.exchange, *[card for cards in hidden for card in cards]]
            unseen.sort(key=lambda card: card.order)
            mixed = state.copy()
            rng.shuffle(mixed.deck.pool)
            for table in (state, mixed):
                view = table.view(seat)
                assert view.table.deck.pool == [card for card in unseen if card not in EXCHANGE_CARDS]
                assert view.table.deck.exchange == tuple([card for card in unseen if card in EXCHANGE_CARDS])
                assert view.deck_size == len(state.deck.cards())
                assert view.hand_sizes == tuple([len(player.hand()) for player in state.players])
                for other, player in enumerate(view.table.players):
                    assert player.hand() == (state.players[seat].hand() if other == seat else ())


@rule("16.1")
def test_16_1_bots_may_remember() -> None:
    state = table()
    view = state.view(1, remembers=True)
    assert [view.hand(other) for other in range(3)] == [player.hand() for player in state.players]
    assert Counter(view.table.deck.cards()) == Counter(state.deck.cards())


@rule("16.1")
@pytest.mark.parametrize("edition", ["alhambra", "granada", "combined"])
def test_16_1_every_card_enters_and_leaves_a_hand_in_the_open(edition: str) -> None:
    options = Options(edition, 2, ["vizier", "exchange"])
    memory: list[Counter[Card]] = [Counter(), Counter()]
    for state, action in plies(options, "memory"):
        for event in state.events if state.n == 0 else []:
            if isinstance(event, Dealt):
                memory[event.seat].update(event.cards)
        assert memory == [Counter(player.hand()) for player in state.players]
        if isinstance(action, Take):
            memory[state.seat].update(action.cards)
        elif isinstance(action, (Buy, UseVizier, Place, Give)):
            memory[state.seat] -= Counter(action.cards)


@rule("16.1")
@pytest.mark.parametrize("seat", [-1, 3, 99, -3])
def test_16_1_there_is_no_view_of_a_seat_that_does_not_exist(seat: int) -> None:
    with pytest.raises(ValueError, match=f"no seat {seat}"):
        table().view(seat)


# 16.2: order of the deck, and bonus cards -----------------------------------------------------------------------------


@rule("16.2")
def test_16_2_unrevealed_bonus_cards_are_hidden_from_the_others() -> None:
    state = table()
    assert len(set(state.players[0].bonus)) == 3
    for seat in (0, 1, 2, NOBODY):
        for remembers in (False, True):
            view = state.view(seat, remembers)
            seen = [view.bonus(other) for other in range(3)]
            assert seen == [state.players[other].bonus if other == seat else (None,) * 3 for other in range(3)]


@rule("16.2")
def test_16_2_a_view_does_not_depend_on_hidden_bonus_cards() -> None:
    state = table()
    other = state.copy()
    first, second = other.players[1], other.players[2]
    first.bonus, second.bonus = second.bonus, first.bonus
    assert other.view(0) == state.view(0)
    assert other.view(NOBODY) == state.view(NOBODY)
    assert other.view(1) != state.view(1)


@rule("16.2")
def test_16_2_a_view_has_no_events_and_offers_nothing_hidden() -> None:
    state = position("alhambra", 3, "bonus")
    settle(state, 0, "garden-10 at 1,0")
    bonus(state, 0, "garden-10", "tower-11")
    assert "reveal garden-10" in offers(state.view(0).table)
    assert "reveal garden-10" not in offers(state.view(1).table)
    assert new_game(state.options, luck(1)).view(0).table.events == []


@rule("16.2")
def test_16_2_the_deal_of_bonus_cards_is_seen_by_its_owner_alone() -> None:
    dealt = [event for event in table().events if isinstance(event, BonusDealt)]
    assert [[event.seen_by(seat) for seat in (0, 1, 2, NOBODY)] for event in dealt] == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, False],
    ]


@rule("16.2")
def test_16_2_a_view_is_a_copy() -> None:
    state = table()
    before = state.key()
    view = state.view(0)
    view.table.players[0].score = 77
    view.table.yard[0] = None
    view.table.deck.pool.clear()
    view.table.bags[0].clear()
    assert state.key() == before


@rule("16.2")
def test_16_2_nothing_in_the_state_decides_what_comes_next() -> None:
    state = position("combined", 3, "huts")
    display(state, "y9 g9 b9 o9")
    hand(state, 0, "y9 y8")
    state.yard[0], state.yard[1] = tile("pavilion-2-NEW"), tile("arena-2")
    drawn: dict[str, set[str]] = {"display": set(), "yard": set(), "hut": set()}
    for seed in range(30):
        later, chance = state.copy(), luck(seed)
        for action in (Take(later.display[:1]), Take(later.display[1:2])):
            later.play(action, chance)
        drawn["display"].add(later.display[-1].name)
        later = play(state.copy(), "buy pavilion-2-NEW with y9")
        later.play(later.offers()[-1], chance)
        drawn["yard"].add(str(later.yard[0]))
        later = state.copy()
        later.play(next(a for a in later.offers() if repr(a) == "TakeHut(4)"), chance)
        drawn["hut"].add(str(later.huts[4]))
    assert len(drawn["display"]) > 8
    assert len(drawn["yard"]) > 8
    assert len(drawn["hut"]) > 2


# Resampling -----------------------------------------------------------------------------------------------------------


@rule("16.2")
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_16_2_a_resampled_state_looks_the_same(players: int) -> None:
    rng = random.Random(players)
    for state in moments(players, players):
        for seat in (*range(players), NOBODY):
            sampled = state.resample(seat, rng)
            for remembers in (False, True):
                assert sampled.view(seat, remembers) == state.view(seat, remembers)


@rule("16.2", "13.3")
def test_16_2_resampling_keeps_the_cards_that_the_seat_has_or_has_seen() -> None:
    state = position("alhambra", 3, "bonus")
    bonus(state, 0, "garden-10", "garden-11", "tower-11")
    bonus(state, 1, "arcades-9", "chambers-10", "tower-12")
    bonus(state, 2, "arcades-10", "pavilion-8", "seraglio-9")
    settle(state, 0, "garden-10 at 1,0", "garden-11 at 0,1")
    display(state, "y9 g9 b9 o9")
    play(state, "reveal garden-10", "reveal garden-11", "remove 1,0")  # one is revealed, one went back to the hand
    hidden: set[tuple[Tile | None, ...]] = set()
    for seed in range(100):
        sampled = state.resample(1, random.Random(seed))
        assert sampled.players[1].bonus == state.players[1].bonus
        assert sampled.players[0].revealed == (tile("garden-11"),)
        assert tile("garden-10") in sampled.players[0].bonus
        cards = [card for player in sampled.players for card in (*player.bonus, *player.revealed)]
        assert None not in cards
        assert len(set(cards)) == 9
        hidden.add(sampled.players[2].bonus)
    unseen = {tile(name) for name in ("tower-11", "arcades-10", "pavilion-8", "seraglio-9", "chambers-11")}
    assert {card for cards in hidden for card in cards} == unseen  # including the unused card
    assert len(hidden) == 10  # every three of five


@rule("16.2")
def test_16_2_resampling_changes_nothing_else() -> None:
    state = table()
    sampled = state.resample(0, random.Random(3))
    for player, original in zip(sampled.players, state.players, strict=True):
        player.bonus = original.bonus
    assert sampled.key() == state.key()


@rule("16.2")
def test_16_2_a_view_that_remembers_can_be_sampled() -> None:
    state = table()
    sampled = state.view(0, remembers=True).sample(random.Random(1))
    assert sampled.view(0) == state.view(0)
    assert not [player for player in sampled.players if None in player.bonus]
    with pytest.raises(ValueError, match=r"16\.1"):
        state.view(0).sample(random.Random(1))
