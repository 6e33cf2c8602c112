"""Every offer has one word, in random games of all set-ups and in positions at the limits of the token space."""

from __future__ import annotations

import pickle
import random

import pytest

from granada import Add, Options, Place, Remove, State, Swap, TakeHut, Tile, card, new_city, new_game, standard
from granada.learning.illegal import block_of, reason
from granada.learning.partial_word import IllegalToken, PartialWord, choices
from granada.learning.tokens import BLOCKS, CARD, CELL, MORE, RESERVE, SHIFT, TAKE, TOKENS, TRAY, TRAY_SIZE, word_of
from granada.rules.cells import LARGEST, cell, ring_start
from granada.rules.placing import PLACING
from granada.rules.state import Task
from tests.kit import all_options, hand, last_plies, luck, plies, position, rule

per_option = pytest.mark.parametrize("options", all_options(), ids=repr)


def check_words(state: State, rng: random.Random) -> None:
    """Check that every offer has one word, that no word begins another, and that tokens lead to the offer."""
    offers = state.offers()
    words = [word_of(state, action) for action in offers]
    assert len({tuple(word) for word in words}) == len(offers)
    assert all(0 <= token < TOKENS for word in words for token in word)
    mask = bytearray(TOKENS)
    chosen = rng.choice(offers)
    partial = PartialWord(state)
    for token in choices(state, chosen):
        depth = len(partial.word)
        following = {word[depth] for word in words if word[:depth] == partial.word}  # no word may end here
        assert len(following) > 1
        partial.mask(memoryview(mask))
        assert {i for i, legal in enumerate(mask) if legal} == following == set(partial.tokens)
        partial.choose(token)
    assert partial.action == chosen
    assert partial.word == word_of(state, chosen)[: len(partial.word)]
    assert partial.tokens == []


@per_option
def test_tokens_lead_to_every_offer(options: Options) -> None:
    rng = random.Random(repr(options))
    for state, _ in plies(options, f"words {options}", 40):
        if rng.random() < 0.3:
            check_words(state, rng)
    for state, _ in last_plies(options, f"last words {options}"):
        check_words(state, rng)


def test_the_blocks_fill_the_space() -> None:
    numbers = [token for block in BLOCKS for token in range(block.first, block.first + block.size)]
    assert numbers == list(range(TOKENS))
    assert [block_of(token).name for token in (0, 15, 16, 567)] == ["PASS", "TAKE", "BUY", "CELL"]


def test_every_cell_that_a_city_can_reach_has_its_own_word() -> None:
    state = new_game(Options(), luck("cells"))
    words = [tuple(word_of(state, Remove(place))) for place in range(ring_start(LARGEST + 1))]
    assert len(set(words)) == len(words) == (2 * LARGEST + 1) ** 2
    assert all(CELL <= word[-1] < TOKENS and all(SHIFT <= token < CELL for token in word[1:-1]) for word in words)
    assert max(len(word) for word in words) == 2 + 2 * 5


def far_city(state: State) -> None:
    """Give the seat on turn a city that reaches 30 cells east and 30 cells south, and a reserve of all other tiles."""
    player = state.players[state.seat]
    player.city = new_city(0)
    across = [one for one in standard().alhambra if not one.walls & 10][:14]
    for x in range(1, 31):
        player.city.put(across[x % 14], cell(x, 0))
        player.city.put(across[x % 7], cell(0, x))
    huts = {hut.name: hut for hut in standard().huts}.values()
    player.reserve = (*standard().alhambra, *[one.back or one for one in standard().granada], *list(huts)[:3])


@rule("1.9")
def test_no_reserve_and_no_city_is_too_large() -> None:
    state = position("combined", 3)
    far_city(state)
    player, rng = state.players[state.seat], random.Random(1)
    assert len(player.reserve) == 111
    offers = state.offers()
    kinds = {type(action) for action in offers}
    assert {Add, Swap, Remove} <= kinds
    words = {tuple(word_of(state, action)) for action in offers}
    assert len(words) == len(offers)
    assert max(word.count(MORE) for word in words) == 110 // 16
    assert any(word.count(SHIFT + 1) == 1 for word in words)
    for _ in range(5):
        check_words(state, rng)


@rule("3.4", "14.2")
def test_nine_tiles_can_wait_to_be_placed() -> None:
    """3.4: eight purchases paid exactly, and a hut."""
    state = position("combined", 3, "huts")
    names = [one for one in state.yard if one is not None]
    state.tray = (*names, *[hut for hut in state.huts if hut is not None][:1])
    state.yard[:] = [None] * 8
    seat = state.seat
    state.agenda = Task(PLACING, seat, state.agenda)
    assert len(state.tray) == TRAY_SIZE == 9
    first = {word_of(state, action)[0] for action in state.offers()}
    assert first == set(range(TRAY, TRAY + 9))
    check_words(state, random.Random(2))


def test_the_word_of_a_tile_that_is_turned_over() -> None:
    state = position("granada", 2)
    hand(state, 0, "y2 y1 g3")
    even = next(one for one in standard().granada if not one.walls)
    state.tray = (even,)
    state.agenda = Task(PLACING, 0, state.agenda)
    texts = {str(action): word_of(state, action) for action in state.offers()}
    turned = f"place {even.name} at 0,-1 as {even.back} with"
    assert texts[f"{turned} y2 y1"] == [TRAY, 78, CARD + 13, CARD + 14, CELL + 9 * 21 + 10]
    assert texts[f"{turned} g3"] == [TRAY, 78, CARD + 21, CELL + 9 * 21 + 10]
    assert texts[f"reserve {even.name} as {even.back}"] == [TRAY, 78, 79]
    assert texts[f"give {even.name} as {even.back} with g3"] == [TRAY, 78, CARD + 21, 80]
    assert texts[f"give {even.name}"] == [TRAY, 80]


def test_takes_are_numbered_by_the_sorted_display() -> None:
    state = position("alhambra", 3)
    display = ("o1", "y3", "o1", "g1")
    state.display = tuple([card(name) for name in display])
    takes = {str(action): word_of(state, action) for action in state.offers()}
    assert takes["take y3"] == [TAKE]
    assert takes["take g1"] == [TAKE + 1]
    assert takes["take o1"] == [TAKE + 3]
    assert takes["take o1 o1"] == [TAKE + 11]
    assert takes["take y3 o1"] == [TAKE + 4]


def test_forced_tokens_are_chosen_by_themselves() -> None:
    state = position("alhambra", 3)
    state.tray = (standard().alhambra[0],)
    state.agenda = Task(PLACING, 0, state.agenda)
    partial = PartialWord(state)
    assert partial.word == [TRAY]
    assert all(token == 79 or token >= CELL for token in partial.tokens)
    assert pickle.loads(pickle.dumps(partial)).word == [TRAY]
    store = next(action for action in state.offers() if not isinstance(action, Place))
    assert choices(state, store) == [79]


def test_a_token_that_cannot_come_next_is_refused() -> None:
    partial = PartialWord(new_game(Options(), luck(1)))
    with pytest.raises(IllegalToken, match="token 0 cannot come next"):
        partial.choose(0)
    with pytest.raises(IllegalToken, match="token 63 cannot come next"):
        choices(partial.state, TakeHut(5))


def reasons(state: State, *tokens: int) -> str:
    """Return why the last token cannot follow the others."""
    partial = PartialWord(state)
    for token in tokens[:-1]:
        partial.choose(token)
    return reason(partial, tokens[-1])


def test_illegal_tokens_are_explained_with_the_rule() -> None:
    state = position("alhambra", 3)
    state.display = tuple([card(name) for name in ("y9", "g3", "b3", "o1")])
    assert reasons(state, TAKE + 2) == "rule 3.2: several cards may sum to at most 5, not 12"
    assert reasons(state, 58) == "rule 14.2: there are no huts of that type in this game"
    assert reasons(state, 0) == "rule 3.7: an action must be taken if one is possible"
    assert reasons(state, 65) == "rule 11.1: this game is played without viziers"
    assert reasons(state, 68) == "rule 13.2: the bonus card of pavilion-8 is not in hand"
    assert reasons(state, 16) == "rule 3.3: BUY 0 cannot come next"
    assert reasons(state, 600) == "there are 568 tokens, from 0 to 567, not 600"
    state.display = state.display[:1]
    assert reasons(state, TAKE + 2) == "rule 3.2: TAKE 2 cannot come next"


def test_illegal_cells_are_explained_with_the_rule() -> None:
    state = position("alhambra", 3)
    walled = next(one for one in standard().alhambra if one.walls == 1)
    state.tray = (walled,)
    state.agenda = Task(PLACING, 0, state.agenda)
    south = CELL + 11 * 21 + 10
    assert reasons(state, south) == "rule 5.2: its north edge does not match the edge that it touches"
    assert reasons(state, CELL + 10 * 21 + 10) == "rule 5.4: there is already a tile on this cell"
    state = position("alhambra", 3)
    player = state.players[0]
    player.reserve = (walled,)
    player.city = new_city(0).build(standard().bonus[0], cell(1, 0))
    assert reasons(state, RESERVE, CELL) == "rule 5.4: the tile would not touch the city along an edge"
    assert reasons(state, RESERVE, CELL + 10 * 21 + 10) == "rule 1.5: the start tile is never swapped"
    assert PartialWord(state).tokens.count(RESERVE) == 1


def test_tiles_have_an_order_that_numbers_can_use() -> None:
    """The encoder finds the numbers of a tile by its order, and each kind in its part of the bags."""
    box = standard()
    assert [one.order for one in box.alhambra] == list(range(54))
    assert [one.order for one in box.granada] == list(range(100, 208, 2))
    assert all(isinstance(one, Tile) and one.order >= 300 for one in box.huts)
