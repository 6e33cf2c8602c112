"""Games token by token: rewards, limits, copies, variants, opponents and batches."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

from granada import Options
from granada.learning.batch import Batch
from granada.learning.bot_opponents import BotOpponent
from granada.learning.opponents import BadOpponent, Opponent, RandomOpponent
from granada.learning.partial_word import IllegalToken
from granada.learning.rewards import final_rewards, potentials
from granada.learning.seat_game import EVERY_SEAT, SeatGame
from granada.learning.terms import terms_of
from granada.learning.token_game import Terms, TokenGame
from granada.learning.tokens import TOKENS
from granada.rules.errors import BadOptions
from tests.kit import rule


def play(game: TokenGame, rng: random.Random, steps: int = 100_000) -> list[float]:
    """Choose random tokens, and return the sums of the rewards."""
    sums = [0.0] * game.terms.seats
    while steps and not game.is_done:
        game.choose(rng.choice(game.tokens))
        sums = [one + other for one, other in zip(sums, game.rewards, strict=True)]
        steps -= 1
    return sums


@pytest.mark.parametrize(
    ("name", "points", "expected"),
    [
        ("rank", [50, 70, 60], [-1, 1, 0]),
        ("rank", [50, 70], [-1, 1]),
        ("rank", [50, 50], [0, 0]),
        ("rank", [9, 7, 7, 1], [1, 0, 0, -1]),
        ("rank", [9], [0]),
        ("margin", [150, 70, 60], [0.8, -0.8, -0.9]),
        ("score", [150, 70, 50], [0.9, -0.3, -0.6]),
        ("points", [150, 70], [1.5, 0.7]),
    ],
)
def test_final_rewards(name: str, points: list[int], expected: list[float]) -> None:
    assert final_rewards(name, points) == pytest.approx(expected)


@rule("8.4")
@pytest.mark.parametrize("edition", ["alhambra", "granada", "combined"])
def test_a_whole_game_rewards_the_ranks(edition: str) -> None:
    rng = random.Random(edition)
    game = TokenGame(terms_of(edition, players=3), rng)
    sums = play(game, rng)
    assert game.is_over
    assert not game.is_truncated
    assert game.tokens == []
    assert sums == pytest.approx(final_rewards("rank", [player.score for player in game.state.players]))
    with pytest.raises(IllegalToken, match=r"rule 8\.4"):
        game.choose(0)


def test_shaping_adds_up_to_nothing() -> None:
    """The potential is 0 at the end, so only the one of the beginning is left."""
    rng = random.Random(3)
    game = TokenGame(terms_of("alhambra", variant="short", shaping=0.5), rng)
    before = potentials(game.state)
    sums = play(game, rng)
    final = final_rewards("rank", [player.score for player in game.state.players])
    assert sums == pytest.approx([end - 0.5 * start for end, start in zip(final, before, strict=True)])


@rule("7")
@pytest.mark.parametrize("max_turns", [1_000, 12])
def test_shaping_between_two_choices_is_the_difference_of_the_potentials(max_turns: int) -> None:
    """Also with a discount, and with choices of others in between: γΦ' - Φ, as long as the game is not over."""
    rng, discount, weight = random.Random(11), 0.9, 0.5
    terms = terms_of("granada", players=3, shaping=weight, discount=discount, max_turns=max_turns)
    game = TokenGame(terms, rng)
    last: list[float | None] = [None] * 3
    earned = [0.0] * 3
    checked = 0
    while True:
        final = final_rewards("rank", [player.score for player in game.state.players]) if game.is_over else [0.0] * 3
        now = potentials(game.state)
        for seat in range(3) if game.is_done else [game.seat]:
            before = last[seat]
            if before is not None:
                assert earned[seat] == pytest.approx(final[seat] + weight * (discount * now[seat] - before))
                checked += 1
            last[seat], earned[seat] = now[seat], 0.0
        if game.is_done:
            break
        game.choose(rng.choice(game.tokens))
        earned = [one + other for one, other in zip(earned, game.rewards, strict=True)]
    assert checked > 10
    assert game.is_over == (max_turns == 1_000)


@rule("3.7")
def test_a_limit_of_turns_truncates_the_game() -> None:
    rng = random.Random(4)
    game = TokenGame(terms_of("granada", players=2, max_turns=7), rng)
    assert play(game, rng) == [0.0, 0.0]
    assert game.is_truncated
    assert game.is_done
    assert game.state.turns == 8


def test_copies_and_pickles_go_on_alike() -> None:
    rng = random.Random(5)
    game = TokenGame(terms_of("combined", players=3, modules=("exchange",), shaping=1.0), rng)
    play(game, random.Random(6), 60)
    while len(game.word) < 1 or len(game.tokens) < 2:
        game.choose(game.tokens[0])
    twins = [game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    expected = play(game, random.Random(7))
    for twin in twins:
        assert play(twin, random.Random(7)) == expected
        assert twin.state.key() == game.state.key()


@pytest.mark.parametrize(("variant", "seats", "tiles"), [("short", 2, 10), ("solo", 1, 44), ("short-solo", 1, 10)])
def test_variants_change_only_the_set_up(variant: str, seats: int, tiles: int) -> None:
    rng = random.Random(variant)
    game = TokenGame(terms_of("alhambra", variant=variant, reward="points"), rng)
    state = game.state
    assert (len(state.players), len(state.bags[0]), state.turns, state.dirk is None) == (seats, tiles, 1, False)
    if seats == 1:
        assert (state.seat, state.turn) == (0, 0)
        assert state.discards
    assert play(game, rng) == [player.score / 100 for player in game.state.players]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 7}, "two to six players can play, not 7 (2.1)"),
        ({"modules": ("moon",)}, "the module 'moon' is none of vizier, exchange, bonus, huts (15)"),
        ({"scoring": "simplified"}, "the simplified scoring needs Granada tiles"),
        ({"reward": "fame"}, "the reward 'fame' is none of rank, margin, score, points (8.4)"),
        ({"max_turns": 0}, "at least one turn must be played, not 0 (3.7)"),
        ({"discount": 0.0}, "the discount of the shaping must be above 0 and at most 1, not 0.0 (7)"),
        ({"variant": "tiny"}, "the variant 'tiny' is none of short, solo, short-solo (15)"),
        ({"players": 2.0}, "players must be a whole number, not 2.0 (2.1)"),
        ({"max_turns": "9"}, "max_turns must be a whole number, not '9' (3.7)"),
        ({"shaping": "x"}, "shaping must be a finite number, not 'x' (7)"),
        ({"shaping": float("nan")}, "shaping must be a finite number, not nan (7)"),
        ({"discount": float("inf")}, "discount must be a finite number, not inf (7)"),
        ({"variant": "short", "players": 3}, "changes a game of 2 players, not 3 (9.1)"),
    ],
)
def test_wrong_terms_name_the_rule(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadOptions) as error:
        terms_of("alhambra", **arguments)  # type: ignore[arg-type]
    assert message in str(error.value)


def test_an_unknown_argument_is_named() -> None:
    with pytest.raises(TypeError, match="there is no argument 'player'"):
        terms_of("alhambra", player=2)  # type: ignore[call-arg]


class First(Opponent):
    """Plays the first offered action, and counts its decisions."""

    def __init__(self) -> None:
        self.count = 0
        self.seeds: list[int] = []

    def restart(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, game: TokenGame) -> None:
        self.count += 1
        game.play(game.offers[0])


def test_opponents_play_between_the_choices_of_a_seat() -> None:
    terms, rng, first = terms_of("alhambra", players=3), random.Random(8), First()
    game = SeatGame(terms, 1, [RandomOpponent(), first], 1)
    total = 0.0
    while not game.game.is_done:
        assert game.game.seat == game.seat == 1
        total += game.choose(rng.choice(game.game.tokens))
    points = [player.score for player in game.game.state.players]
    assert total == pytest.approx(final_rewards("rank", points)[1])
    assert first.count > 10
    game.restart(1)
    assert first.seeds[0] == first.seeds[1]


@pytest.mark.parametrize(
    ("opponents", "own", "message"),
    [(1, 0, "1 opponents are given for 3 seats"), (2, 3, "there is no seat 3"), (1, EVERY_SEAT, "1 opponents")],
)
def test_wrong_seats_are_refused(opponents: int, own: int, message: str) -> None:
    with pytest.raises(BadOptions, match=message):
        SeatGame(terms_of("alhambra", players=3), 1, [RandomOpponent() for _ in range(opponents)], own)


def test_too_few_turns_for_every_seat_are_refused() -> None:
    with pytest.raises(BadOptions, match=r"before every seat has had one \(3.7\)"):
        SeatGame(terms_of("alhambra", players=3, max_turns=2), 1, [RandomOpponent(), RandomOpponent()], 0)


def batch_of(terms: Terms, count: int) -> tuple[Batch, bytearray, bytearray]:
    games = [SeatGame(terms, seed, [], EVERY_SEAT) for seed in range(count)]
    observations, masks = bytearray(count * games[0].game.size), bytearray(count * TOKENS)
    return Batch(games, memoryview(observations), memoryview(masks)), observations, masks


def test_a_batch_plays_the_same_games_as_single_ones() -> None:
    terms, rng = terms_of("combined", variant="short"), random.Random(9)
    batch, observations, masks = batch_of(terms, 3)
    single = [SeatGame(terms, seed, [], EVERY_SEAT) for seed in range(3)]
    size, ended = single[0].game.size, 0
    for _ in range(300):
        tokens = [rng.choice(game.game.tokens) for game in single]
        batch.step(tokens)
        endings = {index: last for index, last, *_ in batch.endings}
        for i, game in enumerate(single):
            seat = game.seat
            assert batch.rewards[i] == game.choose(tokens[i])
            assert batch.terminated[i] == game.game.is_over == (i in endings)
            out = bytearray(size)
            if game.game.is_over:
                game.game.observe(seat, memoryview(out))
                assert endings[i] == out
                game.restart()
                ended += 1
            game.game.observe(game.seat, memoryview(out))
            assert observations[i * size : (i + 1) * size] == out
            assert {t for t in range(TOKENS) if masks[i * TOKENS + t]} == set(game.game.tokens)
    assert ended > 3


def test_what_is_written_over_is_as_good_as_new() -> None:
    """The rows of a seat that moves on from game to game equal observations in new buffers."""
    terms, rng = terms_of("alhambra", players=3, max_turns=30), random.Random(10)
    games = [SeatGame(terms, seed, [RandomOpponent(), RandomOpponent()], 0, True) for seed in range(2)]
    size = games[0].game.size
    observations = bytearray(2 * size)
    batch = Batch(games, memoryview(observations), memoryview(bytearray(2 * TOKENS)))
    for _ in range(60):
        batch.step([rng.choice(game.game.tokens) for game in games])
        for i, game in enumerate(games):
            out = bytearray(size)
            game.game.observe(game.seat, memoryview(out))
            assert observations[i * size : (i + 1) * size] == out
    assert {game.own for game in games} != {0}


def test_an_illegal_token_ends_only_its_own_game() -> None:
    batch, _, _ = batch_of(terms_of("alhambra", players=2), 2)
    n = batch.games[1].game.state.n
    batch.step([0, batch.games[1].game.tokens[0]])
    assert batch.rewards[0] == -1.0
    assert batch.terminated == [True, False]
    assert [(index, reason) for index, _, reason, *_ in batch.endings] == [
        (0, "rule 3.7: an action must be taken if one is possible")
    ]
    assert batch.games[1].game.state.n >= n


class Stubborn(Opponent):
    """Chooses a token that never comes next."""

    def act(self, game: TokenGame) -> None:
        game.choose(TOKENS - 1)


def test_an_illegal_token_of_an_opponent_is_not_that_of_the_learner() -> None:
    def begin() -> None:
        game = SeatGame(terms_of("alhambra", variant="short"), 1, [Stubborn()], 0)
        while not game.game.is_done:
            game.choose(game.game.tokens[0])

    with pytest.raises(BadOpponent, match=r"^the opponent <.*Stubborn.*> in seat 1: token 567 cannot come next$"):
        begin()


def test_rewards_of_all_seats_cover_the_whole_step() -> None:
    """The choice of the learner and those of the opponents, up to its next choice."""
    rng = random.Random(12)
    terms = terms_of("alhambra", players=3, shaping=1.0, discount=0.8, max_turns=40)
    game = SeatGame(terms, 5, [First(), RandomOpponent()], 1)
    while not game.game.is_done:
        before = potentials(game.game.state)
        reward = game.choose(rng.choice(game.game.tokens))
        now = potentials(game.game.state)
        assert game.game.earned[1] == reward == pytest.approx(0.8 * now[1] - before[1])


def test_games_of_a_seat_are_copied_and_pickled() -> None:
    """With their opponents, which go on as they would."""
    terms = terms_of("alhambra", players=3, max_turns=60)
    game = SeatGame(terms, 5, [First(), BotOpponent("novice")], 1, True)
    rng = random.Random(13)
    for _ in range(5):
        game.choose(rng.choice(game.game.tokens))
    twins = [copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    keys = []
    for twin in (*twins, game):
        own = random.Random(14)
        for _ in range(12):
            if twin.game.is_done:
                twin.restart()
            twin.choose(own.choice(twin.game.tokens))
        keys.append((twin.game.state.key(), twin.own))
    assert keys[0] == keys[1] == keys[2]
    first = First()
    first.count = 7
    assert [twin.count for twin in (copy.copy(first), copy.deepcopy(first), pickle.loads(pickle.dumps(first)))] == [
        7
    ] * 3


def test_options_reach_the_game() -> None:
    terms = terms_of("granada", players=5, scoring="simplified", open_money=True)
    assert terms.options == Options("granada", 5, scoring="simplified", open_money=True)
