"""Observations equal an encoding of the view, in random games of all set-ups."""

from __future__ import annotations

import random
from itertools import chain, pairwise
from pathlib import Path

import pytest

import granada
from granada import Options, State, new_city, new_game, standard
from granada.learning.encoder import Encoder
from granada.learning.layout import PLAYER, PLAYER_SIZE, TABLE, TABLE_SIZE, offsets, size_of
from granada.learning.partial_word import PartialWord
from granada.learning.tokens import MORE, SHIFT
from granada.learning.variants import VARIANTS, set_up
from granada.rules.cells import cell
from granada.rules.components import Components, from_texts
from tests.kit import all_options, last_plies, luck, plies, rule
from tests.learning.plain_encoding import encode

Encoders = tuple[Encoder, Encoder]
DATA = Path(granada.__file__).parent / "data"


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


def own_box() -> Components:
    """Return a box in which two tiles have other backs and walls."""
    tiles, huts = [(DATA / name).read_text("utf-8") for name in ("granada_tiles.csv", "huts.csv")]
    return from_texts("own tiles", tiles.replace("2,arena,bath_house,NES", "2,arena,bath_house,N"), "own huts", huts)


def set_ups() -> list[Options]:
    """Return all options, and some with the other scoring, open hands and another box."""
    special = [
        Options(edition, players, modules, scoring, open_money=open_money, components=components)
        for players in range(2, 7)
        for edition, modules, scoring, open_money, components in (
            ("granada", (), "simplified", False, None),
            ("combined", ("vizier", "bonus"), "simplified", True, own_box()),
            ("granada", ("vizier",), "regular", False, own_box()),
            ("alhambra", ("exchange", "huts"), "regular", True, None),
        )
    ]
    return [*special, *all_options()]


SET_UPS = set_ups()


@rule("16.1", "16.2")
@pytest.mark.parametrize("number", range(len(SET_UPS)), ids=lambda number: repr(SET_UPS[number]))
def test_an_observation_is_an_encoding_of_the_view(number: int) -> None:
    """So nothing that a seat may not see can reach its observation: the deciding seat's, and another one's."""
    options = SET_UPS[number]
    rng, pair, remembers = random.Random(repr(options)), encoders(options), 0
    # Some random games do not end for a thousand turns, so others with few tiles show the end.
    games = plies(options, f"views {options}", 250), last_plies(options, f"last views {options}")
    for count, (state, _) in enumerate(chain(*games)):
        partial = PartialWord(state)
        while partial.tokens and rng.random() < 0.6:
            partial.choose(rng.choice(partial.tokens))
        seat = state.seat if rng.random() < 0.6 else rng.randrange(options.players)
        word = partial.word if seat == state.seat else []
        assert observed(pair[remembers], state, seat, word) == encode(state.view(seat, bool(remembers)), word), count
        remembers = 1 - remembers
    check(state, pair, [])
    assert state.is_over


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
