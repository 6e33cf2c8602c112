"""Invariants at every ply of random games, over all editions, player counts and sets of modules."""

from __future__ import annotations

import gc
import random
from collections import Counter
from itertools import chain

import pytest

from granada import NOBODY, Action, Options, Record, State, Tile, action_text, new_game, parse_action, replay
from granada.rules.cells import NEAR
from granada.rules.city import City, new_city
from granada.rules.events import Awarded, BonusDealt
from granada.rules.flow import ACTING, ACTIONS, CHOICES
from granada.rules.lawful import is_lawful
from granada.rules.money import COPIES, EXCHANGE_CARDS, MONEY_CARDS, SCORE_A, SCORE_B
from granada.rules.placing import PLACING_AWARD
from granada.rules.rebuilding import Remove
from granada.rules.scoring import Scoring
from granada.rules.stretches import longest_stretches
from tests.kit import all_options, cells_to_remove, cells_to_swap, last_plies, luck, plies, rule

OPTIONS = all_options()
#: One game of each kind is played to the end, the others for some turns.
LONG = [o for o in OPTIONS if o.players in (2, 4) and len(o.modules) in (0, 2 if o.edition == "granada" else 4)]

per_option = pytest.mark.parametrize("options", OPTIONS, ids=repr)


def even(tile: Tile) -> str:
    """Return the name of the even face of a tile."""
    return tile.back.name if tile.back is not None and tile.price % 2 else tile.name


def all_cards(state: State) -> Counter[str]:
    cards = [*state.deck.cards(), *state.discards, *state.display]
    for player in state.players:
        cards += player.hand()
    return Counter(card.name for card in cards)


def all_tiles(state: State) -> Counter[str]:
    tiles = [tile for bag in state.bags for tile in bag]
    tiles += [tile for tile in (*state.yard, *state.tray, *state.huts) if tile is not None]
    tiles += [tile for _, tile in state.awards]
    tiles += [tile for pile in state.piles for tile in pile]
    tiles += state.dirk.tiles if state.dirk is not None else ()
    for player in state.players:
        tiles += [*player.reserve, *(tile for tile in player.city.tiles() if not tile.is_start)]
    return Counter(map(even, tiles))


def is_held(state: State, scoring: str) -> bool:
    """Return whether a scoring is on the agenda."""
    return any(isinstance(task.step, Scoring) and task.step.letter == scoring for task in state.tasks())


@rule("1.1", "1.2", "1.6", "9.1")
@per_option
def test_no_card_is_lost_or_doubled(options: Options) -> None:
    copies = COPIES if options.players > 2 else COPIES - 1
    expected = Counter({card.name: copies for card in MONEY_CARDS})
    if "exchange" in options.modules:
        expected.update(card.name for card in EXCHANGE_CARDS)
    for state, _ in plies(options, f"cards {options}", 40):
        cards = all_cards(state)
        if state.pending is not None:
            cards[state.pending.name] += 1
        held = {row.scoring for row in state.rows} | set(state.announced)
        for card in (SCORE_A, SCORE_B):
            assert cards.pop(card.name, 0) == (0 if card.name in held or is_held(state, card.name) else 1)
        assert cards == expected


@rule("1.3", "1.4", "1.8")
@per_option
def test_no_tile_is_lost_or_doubled(options: Options) -> None:
    box = options.components
    expected = Counter(tile.name for kind in options.kinds for tile in box.of_kind(kind))
    if "huts" in options.modules:
        expected.update(hut.name for hut in box.huts)
    for state, _ in plies(options, f"tiles {options}", 40):
        assert all_tiles(state) == expected


@rule("13.1")
@pytest.mark.parametrize("options", [o for o in OPTIONS if "bonus" in o.modules], ids=repr)
def test_no_bonus_card_is_lost_or_doubled(options: Options) -> None:
    dealt: list[str] | None = None
    for state, _ in plies(options, f"bonus {options}", 30):
        cards = [card for player in state.players for card in (*player.bonus, *player.revealed) if card is not None]
        names = sorted(card.name for card in cards)
        dealt = dealt or names
        assert names == dealt
        for player in state.players:
            assert all(player.city.contains(card) for card in player.revealed)


@per_option
def test_copies_never_share_what_changes(options: Options) -> None:
    chance = luck(f"luck {options}")
    for state, action in plies(options, f"copies {options}", 25):
        before = state.key()
        copy = state.copy()
        assert copy.key() == before
        copy.play(action, chance)
        assert state.key() == before
        original = state.copy()
        original.play(action, chance)
        after = copy.key()
        while not copy.is_over and copy.n < state.n + 4:
            copy.play(copy.offers()[-1], chance)
        assert state.key() == before
        assert (copy.key() == after) == (copy.n == state.n + 1)


@rule("8.2", "8.3")
@per_option
def test_left_over_tiles_are_all_placed_by_their_owners(options: Options) -> None:
    chance = luck(f"luck {options}")
    rng = random.Random(repr(options))
    tiles: Counter[str] | None = None
    given: dict[str, int] = {}
    placers: list[int] = []
    for state, action in last_plies(options, f"left over {options}"):
        tiles = tiles or all_tiles(state)
        assert all_tiles(state) == tiles
        given |= {event.tile.name: event.seat for event in state.events if isinstance(event, Awarded)}
        assert all(given[tile.name] == owner for owner, tile in state.awards)
        if state.step is PLACING_AWARD:
            assert all(given[tile.name] == state.seat for tile in state.tray)
            assert options.edition == "alhambra" or not state.awards
            if not placers or placers[-1] != state.seat:
                placers.append(state.seat)
        before = state.key()
        copy = state.copy()
        copy.play(action, chance)
        assert state.key() == before
        assert state.resample(state.seat, rng).view(state.seat) == state.view(state.seat)
    if options.edition == "alhambra":
        order = state.order_from((state.turn + 1) % options.players)
        assert placers == [seat for seat in order if seat in placers]


@rule("3.3")
@per_option
def test_offers_are_legal_different_in_fixed_order_and_readable(options: Options) -> None:
    for state, _ in plies(options, f"offers {options}", 25):
        offers = state.offers()
        assert offers
        assert offers == list(state.legal_actions) == state.copy().offers()
        texts = [action_text(offer) for offer in offers]
        assert len(set(texts)) == len(texts)
        for text, offer in zip(texts, offers, strict=True):
            assert parse_action(text, options.components) == offer
            assert state.is_legal(offer), f"{text}: {state.is_legal(offer)}"
            assert offer in state.legal_actions


#: The actions of each step (3.1, 4.1, 8.3, 11.2, 13.2), written out independently.
LISTED = {
    "act": ["take", "buy", "add", "remove", "swap", "hut", "wake", "pass", "reveal"],
    "place": ["place", "reserve", "give", "reveal"],
    "award": ["place", "reserve", "reveal"],
    "vizier": ["vizier", "decline", "reveal"],
    "reveal": ["reveal", "keep"],
}


@rule("3.1", "4.1", "8.3", "11.2", "13.2")
def test_every_step_lists_its_actions() -> None:
    assert {step.word: [action.verb for action in step.actions] for step in CHOICES} == LISTED


@rule("3.1", "3.7", "4.1", "8.3", "11.2", "13.2")
def test_offers_and_admission_follow_from_the_list_of_the_step() -> None:
    options = Options("combined", 2, ("vizier", "exchange", "bonus", "huts"))
    offered: dict[str, set[str]] = {word: set() for word in LISTED}
    for seed in range(4):
        for state, _ in chain(plies(options, f"listed {seed}"), last_plies(options, f"listed {seed}")):
            listed = LISTED[state.step.word]
            verbs = [offer.verb for offer in state.offers()]
            offered[state.step.word].update(verbs)
            if state.step is ACTING:  # in the order of the list; tiles are placed one by one
                assert verbs == sorted(verbs, key=listed.index)
                assert ("pass" in verbs) == (not set(verbs) - {"pass", "reveal"})
            for verb, named in ACTIONS.items():
                assert bool(state.step.admits(named())) == (verb in listed), f"{verb} at {state.step}"
    for word, verbs in LISTED.items():  # passing and revealing are rare in random games
        assert set(verbs) - offered[word] <= {"pass", "reveal"}, word


def oracle_cells(city: City, tile: Tile) -> list[int]:
    """5: return the cells where a tile may be built, by trying every cell next to a tile."""
    near = {NEAR[8 * place + side] for place in city.places for side in range(4)}
    return sorted(place for place in near if city.tile_at(place) is None and is_lawful(city.build(tile, place)))


def check_building_with_is_lawful(city: City, tile: Tile) -> None:
    """5, 3.5: compare the cells to build on and to swap with `is_lawful`."""
    cells = oracle_cells(city, tile)
    assert city.cells_for(tile) == cells
    for place in {NEAR[8 * place + side] for place in city.places for side in range(8)}:
        assert bool(city.verdict(tile, place)) == (place in cells)
    to_swap = cells_to_swap(city, tile)
    for place in city.places:
        swapped = place not in city.starts and is_lawful(city.swap(tile, place))
        assert (place in to_swap) == swapped
        assert bool(city.swap_verdict(tile, place)) == swapped


def check_removing_with_is_lawful(city: City) -> None:
    """3.5b: compare the tiles that may be removed with `is_lawful`."""
    assert is_lawful(city)
    to_remove = cells_to_remove(city)
    for place in city.places:
        removed = place not in city.starts and is_lawful(city.remove(place))
        assert (place in to_remove) == removed
        assert bool(city.remove_verdict(place)) == removed


@rule("5.2", "5.3", "5.4", "5.5", "5.6", "10.5", "10.6")
@pytest.mark.parametrize(("options", "turns"), [*((o, 40) for o in OPTIONS), *((o, 200) for o in LONG)], ids=repr)
def test_the_fast_building_rules_agree_with_is_lawful(options: Options, turns: int) -> None:
    rng = random.Random(repr(options))
    for state, _ in plies(options, f"oracle {options} {turns}", turns):
        player = state.players[state.seat]
        on_hand = [tile for tile in (*player.reserve, *state.tray, *state.yard) if tile is not None]
        check_building_with_is_lawful(player.city, rng.choice(on_hand))
        check_removing_with_is_lawful(player.city)
        if state.step is ACTING:
            offered = [action.cell for action in state.offers() if isinstance(action, Remove)]
            assert offered == cells_to_remove(player.city)


@rule("5.6")
def test_a_city_that_was_built_and_rebuilt_is_the_same_as_one_built_at_once() -> None:
    for state, _ in plies(Options("combined", 3, ("huts",)), "same"):
        for player in state.players:
            city = player.city
            for place in cells_to_remove(city):
                again = city.remove(place).build(city.tile_on(place), place)
                assert again == city
                assert cells_to_remove(again) == cells_to_remove(city)
                assert again.stretches() == city.stretches()


@rule("5.2", "5.3", "5.4", "5.5", "5.6", "10.5", "10.6")
@pytest.mark.parametrize("options", LONG, ids=repr)
def test_a_city_with_outdated_codes_gives_the_same_verdicts(options: Options) -> None:
    rng = random.Random(repr(options))
    for state, _ in plies(options, f"changed {options}"):
        city = state.players[state.seat].city
        tile = rng.choice([tile for tile in (*state.tray, *state.yard) if tile is not None])
        changes = [city.build(tile, place) for place in city.cells_for(tile)[:2]]
        changes += [city.remove(place) for place in cells_to_remove(city)[:2]]
        changes += [city.swap(tile, place) for place in cells_to_swap(city, tile)[:2]]
        for changed in changes:
            asked = changed.copy()
            again = changed.copy()
            place, other = asked.places[-1], asked.tile_on(asked.places[-1])
            again.take(place)  # there and back again: its codes are out of date but correct
            again.put(other, place)
            for near in sorted({NEAR[8 * place + side] for place in asked.places for side in range(8)}):
                for question in (City.verdict, City.swap_verdict):
                    assert str(question(again, tile, near)) == str(question(asked, tile, near))
                assert str(again.remove_verdict(near)) == str(asked.remove_verdict(near))
            assert again == asked


@rule("5.6")
@pytest.mark.parametrize("options", LONG, ids=repr)
def test_a_city_built_without_queries_equals_one_that_was_queried_at_every_step(options: Options) -> None:
    for state, _ in plies(options, f"silent {options}"):
        city = state.players[state.seat].city
        tile = city.tiles()[-1]
        silent = new_city(options.kinds[0])
        silent.starts = city.starts
        for place in reversed(city.places[1:]):
            silent.put(tile, place)
            silent.replace(city.tile_on(place), place)
        assert silent.stretches() == city.stretches()
        assert cells_to_remove(silent) == cells_to_remove(city)
        assert silent.cells_for(tile) == city.cells_for(tile)
        assert cells_to_swap(silent, tile) == cells_to_swap(city, tile)
        assert silent == city


@rule("7.2")
@pytest.mark.parametrize("edition", ["alhambra", "granada"])
def test_a_walk_round_a_city_finds_the_same_longest_wall_as_all_its_edges(edition: str) -> None:
    lengths = set()
    for state, _ in plies(Options(edition, 2), f"walk {edition}"):
        for player in state.players:
            tiles = [player.city.tile_at(place) for place in range(player.city.extent())]
            walked = longest_stretches(tiles, is_mixed=False)
            assert walked == longest_stretches(tiles, is_mixed=True)
            lengths.add(max(len(stretch) for stretch in walked))
    assert len(lengths) > 5


@rule("16.1", "16.2")
@per_option
def test_a_view_shows_nothing_that_the_seat_cannot_know(options: Options) -> None:
    rng = random.Random(repr(options))
    for state, _ in plies(options, f"views {options}", 30):
        for seat in (*range(options.players), NOBODY):
            for remembers in (False, True):
                view = state.view(seat, remembers)
                again = state.resample(seat, rng)
                assert again.view(seat, remembers) == view
                for other, player in enumerate(view.table.players):
                    if other == seat:
                        assert player.hand() == state.players[other].hand()
                        assert player.bonus == state.players[other].bonus
                    else:
                        assert all(card is None or card in player.seen_bonus for card in player.bonus)
                        assert remembers or (player.hand() == () and view.hand(other) is None)
                    assert view.hand_sizes[other] == len(state.players[other].hand())


@pytest.mark.parametrize(("options", "turns"), [*((o, 60) for o in OPTIONS), *((o, 400) for o in LONG)], ids=repr)
def test_a_replayed_record_is_the_game_that_was_played(options: Options, turns: int) -> None:
    chance = luck(f"record {options}")
    state, record = new_game(options, chance), Record(options)
    record.add(state.events)
    while not state.is_over and state.turns <= turns:
        actions = state.offers()
        record.add(state.play(actions[chance.below(len(actions))], chance))
    text = str(record)
    reading = replay(text, partial=not state.is_over)
    assert reading.state.key() == state.key()
    assert str(reading.record) == text
    for until in (0, 1, state.n // 2):
        assert replay(text, partial=True, until=until).state.n == until


@rule("16.2")
def test_only_bonus_cards_are_shown_to_one_seat_alone() -> None:
    options = Options("combined", 3, ("vizier", "exchange", "bonus", "huts"))
    chance = luck("told")
    state = new_game(options, chance)
    while not state.is_over and state.turns < 200:
        for event in state.events:
            seen = [seat for seat in (*range(3), NOBODY) if event.seen_by(seat)]
            assert seen == ([event.seat] if isinstance(event, BonusDealt) else [0, 1, 2, NOBODY])
        actions: list[Action] = state.offers()
        state.play(actions[chance.below(len(actions))], chance)


def test_the_rules_make_no_reference_cycles() -> None:
    """Simulations rely on it: they turn off the garbage collector."""
    options = Options("combined", 2, ("vizier", "exchange", "bonus", "huts"))
    sum(1 for _ in plies(options, "warm up", 30))
    gc.collect()
    gc.disable()
    try:
        sum(1 for _ in plies(options, "cycles", 200))
        assert gc.collect() == 0
    finally:
        gc.enable()
