"""Observations equal an encoding of the view, in random games of all set-ups."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from granada import Options, State, new_city, new_game, standard
from granada.learning.encoder import Encoder
from granada.learning.layout import PLAYER, PLAYER_SIZE, TABLE, TABLE_SIZE, offsets, size_of
from granada.learning.partial_word import PartialWord
from granada.learning.tokens import MORE, SHIFT
from granada.learning.variants import VARIANTS, set_up
from granada.rules.cells import cell
from tests.kit import all_options, last_plies, luck, plies, rule
from tests.learning.plain_encoding import encode

Encoders = tuple[Encoder, Encoder]
per_option = pytest.mark.parametrize("options", all_options(), ids=repr)


def encoders(options: Options, seats: int = 0) -> Encoders:
    """Return the encoders for views that show the other hands only if they are open, and for those that remember."""
    return Encoder(options, seats=seats), Encoder(options, memory=True, seats=seats)


def observed(encoder: Encoder, state: State, seat: int, word: list[int]) -> bytes:
    out = bytearray(encoder.size)
    encoder.observe(state, seat, memoryview(out), 0, word)
    return bytes(out)


def check(state: State, pair: Encoders, word: list[int], seats: set[int] | None = None) -> None:
    """Compare the observations of seats with encodings of their views; the deciding seat has chosen a word."""
    for seat in range(len(state.players)) if seats is None else seats:
        own = word if not state.is_over and seat == state.seat else []
        for remembers, encoder in enumerate(pair):
            assert observed(encoder, state, seat, own) == encode(state.view(seat, bool(remembers)), own)


def check_a_token(state: State, pair: Encoders, rng: random.Random) -> None:
    """Compare for the deciding seat and another at some token of a decision, and sometimes at one before it."""
    partial = PartialWord(state)
    seats = {state.seat, rng.randrange(len(state.players))}
    while partial.tokens and rng.random() < 0.5:
        if rng.random() < 0.3:
            check(state, pair, partial.word, seats)
        partial.choose(rng.choice(partial.tokens))
    check(state, pair, partial.word, seats)


@rule("16.1", "16.2")
@per_option
def test_an_observation_is_an_encoding_of_the_view(options: Options) -> None:
    """So nothing that a seat may not see can reach its observation."""
    rng = random.Random(repr(options))
    pair = encoders(options)
    for state, _ in plies(options, f"views {options}", 40):
        if rng.random() < 0.05:
            check_a_token(state, pair, rng)
    pair = encoders(options)
    for state, _ in last_plies(options, f"last views {options}"):
        if rng.random() < 0.1:
            check_a_token(state, pair, rng)
    check(state, pair, [])
    assert state.is_over


@pytest.mark.parametrize("edition", ["alhambra", "granada", "combined"])
def test_whole_games_with_open_money(edition: str) -> None:
    options = Options(edition, 3, ("exchange",), open_money=True)
    rng, pair = random.Random(edition), encoders(options)
    for state, _ in plies(options, f"open {edition}", 1_000):
        if rng.random() < 0.03:
            check_a_token(state, pair, rng)
    check(state, pair, [])


@pytest.mark.parametrize("name", VARIANTS)
def test_variants(name: str) -> None:
    options, chance, rng = Options("combined", 2), luck(name), random.Random(name)
    state = set_up(options, VARIANTS[name], chance)
    pair = encoders(options, len(state.players))
    while not state.is_over and state.turns < 200:
        if rng.random() < 0.03:
            check_a_token(state, pair, rng)
        state.play(rng.choice(state.offers()), chance)
    check(state, pair, [])


def test_a_city_beyond_the_window_and_a_reserve_of_several_pages() -> None:
    options = Options("combined", 3)
    state = new_game(options, luck("far"))
    player = state.players[state.seat]
    player.city = new_city(0)
    for x in range(1, 30):
        player.city.put(standard().alhambra[x], cell(x, 0))
        player.city.put(standard().granada[x], cell(-x, -12))
    player.reserve = standard().alhambra[31:54]
    pair = encoders(options)
    check(state, pair, [MORE])
    check(state, pair, [MORE, SHIFT + 3, SHIFT])
    check(state, pair, [SHIFT + 1])
    assert player.city.tile_at(cell(29, 0)) is standard().alhambra[29]


def test_as_many_discards_as_before_a_reshuffle() -> None:
    """The encoder counts the discards again only if they have become more, or were shuffled into the deck."""
    options = Options("alhambra", 3)
    state, pair = new_game(options, luck("again")), encoders(options)
    deck = state.deck
    state.discards += [deck.draw_plain(0), deck.draw_plain(5)]
    check(state, pair, [])
    deck.refill(state.discards)
    state.discards.clear()
    state.discards += [deck.draw_plain(9), deck.draw_plain(20)]
    check(state, pair, [])


def test_nothing_is_kept_of_another_game() -> None:
    options = Options("combined", 2, ("vizier", "exchange", "bonus", "huts"))
    pair, rng = encoders(options), random.Random("others")
    games = [plies(options, f"other {i}", 100) for i in range(4)]
    for _ in range(60):
        state, _ = next(rng.choice(games))
        check_a_token(state, pair, rng)


def test_numbers_end_at_255_and_points_are_a_sum() -> None:
    options = Options("alhambra", 2)
    state = new_game(options, luck("points"))
    state.players[0].score, state.players[1].score, state.turns = 300, 1_000, 512
    found = observed(Encoder(options), state, 0, [])
    places = offsets(2)
    for name, expected in (("points 0", [255, 45]), ("points 1", [255, 255]), ("turns", [255, 255])):
        at, size = places[name]
        assert list(found[at : at + size]) == expected


def test_the_layout_is_complete() -> None:
    assert sum(segment.size for segment in TABLE) == TABLE_SIZE
    assert sum(segment.size for segment in PLAYER) == PLAYER_SIZE
    places = list(offsets(4).values())
    assert all(at + size == following for (at, size), (following, _) in pairwise(places))
    assert sum(places[-1]) == size_of(4) == Encoder(Options()).size
