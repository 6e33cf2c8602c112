"""Shared helpers of the tests: marks, random games ply by ply, and prepared positions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from granada import (
    DIRK,
    Action,
    Card,
    Chance,
    City,
    Luck,
    Options,
    Record,
    Remove,
    State,
    Swap,
    Take,
    Tile,
    cards,
    cell,
    new_game,
    score_rows,
    tile,
)
from granada.drawing.text import draw_city, parse_city, parse_marks
from granada.records.notation import action_text, event_text, parse_action
from granada.rules.cells import parse_cell
from granada.rules.chance import First
from granada.rules.deck import Deck, Pile
from granada.rules.events import Displayed
from granada.rules.money import MONEY
from granada.rules.money import card as card_named
from granada.rules.options import EDITIONS, MODULES
from granada.rules.player import Dirk
from granada.rules.tiles import ALHAMBRA


def rule(*numbers: str) -> pytest.MarkDecorator:
    """Mark a test with the numbers of the rules that it checks."""
    return pytest.mark.rule(*numbers)


def module_sets(edition: str) -> list[tuple[str, ...]]:
    """15: return all sets of modules that an edition can be played with."""
    fitting = [m for m in MODULES if edition != "granada" or m in ("vizier", "exchange")]
    return [some for size in range(len(fitting) + 1) for some in combinations(fitting, size)]


def all_options() -> list[Options]:
    """15: return every edition with every number of players and every set of modules."""
    return [
        Options(edition, players, modules)
        for edition in EDITIONS
        for players in range(2, 7)
        for modules in module_sets(edition)
    ]


def luck(seed: object) -> Luck:
    """Return luck that is the same in every run."""
    return Luck(random.Random(str(seed)))


def plies(options: Options, seed: object, max_turns: int = 200) -> Iterator[tuple[State, Action]]:
    """Yield the plies of a random game: the state, and the next action."""
    chance = luck(seed)
    state = new_game(options, chance)
    while not state.is_over and state.turns <= max_turns:
        actions = state.offers()
        action = actions[chance.below(len(actions))]
        yield state, action
        state.play(action, chance)


def last_plies(options: Options, seed: object) -> Iterator[tuple[State, Action]]:
    """Yield the plies of a random game with almost empty bags, which soon ends with left-over tiles."""
    chance = luck(seed)
    state = new_game(options, chance)
    for bag in state.bags:
        del bag[3:]
    while not state.is_over:
        actions = state.offers()
        action = actions[chance.below(len(actions))]
        yield state, action
        state.play(action, chance)


def position(edition: str = "alhambra", players: int = 3, *modules: str, scoring: str = "regular") -> State:
    """Return a game at its first decision, seat 0 to act, with empty hands."""
    state = new_game(Options(edition, players, modules, scoring), luck("position"))
    for seat in range(players):
        hand(state, seat, "")
    while state.seat != 0:  # the seats before seat 0 take a card
        state.play(state.offers()[0], First())
        hand(state, state.turn, "")
    return state


def hand(state: State, seat: int, text: str) -> None:
    """Give a seat exactly these cards; the cards it had go back to the deck."""
    player = state.players[seat]
    state.deck.pool.extend([card for card in player.hand() if card.sort == MONEY])
    player.give_up(player.hand())
    for card in cards(text) if text else ():
        player.receive(card)
        if card in state.deck.pool:
            state.deck.pool.remove(card)


def yard(state: State, *names: str) -> None:
    """Lay these faces on the yard, slot by slot (`-`: an empty slot), and change the bags to match."""
    for slot, name in enumerate(names):
        old = state.yard[slot]
        bag = state.bags[slot % len(state.bags)]
        if old is not None:
            bag.append(old if old.price % 2 == 0 or old.back is None else old.back)
        new = None if name == "-" else tile(name)
        if new is not None:
            even = new if new.back is None or new.price % 2 == 0 else new.back
            if even in bag:
                bag.remove(even)
        state.yard[slot] = new


def build(city: City, *texts: str) -> City:
    """Build tiles in a city, each as `garden-8-NW at 1,0`, without checking the rules."""
    for text in texts:
        name, _, where = text.partition(" at ")
        city = city.build(tile(name), parse_cell(where))
    return city


def play(state: State, *texts: str) -> State:
    """Play actions given as text after checking each; chance draws the first possibility."""
    for text in texts:
        action = parse_action(text, state.options.components)
        state.check(action)
        state.play(action, First())
    return state


def offers(state: State, verb: str = "") -> list[str]:
    """Return the texts of the offered actions that start with a verb."""
    return [text for text in map(action_text, state.offers()) if text.startswith(verb)]


def refusal(state: State, text: str) -> str:
    """Return the rule that forbids an action; empty if it is legal."""
    return state.is_legal(parse_action(text, state.options.components)).rule


class Last(Chance):
    """Chance that draws the last possibility, so that a score card comes as early as it can."""

    def below(self, count: int) -> int:
        return count - 1


class Dealing(Chance):
    """Chance that deals these cards as starting money, draws the last start player, and records the candidates."""

    def __init__(self, text: str) -> None:
        self.left = [card_named(name) for name in text.split()]
        self.tied: list[int] = []

    def below(self, count: int) -> int:
        return 0

    def dealt_card(self, deck: Deck, seat: int) -> Card:
        found = self.left.pop(0)
        deck.draw(found)
        return found

    def start(self, seats: list[int]) -> int:
        self.tied = seats
        return seats[-1]


def all_cards(state: State) -> Counter[str]:
    """Return how often each card is in the game: deck, display, discards and hands."""
    hands = [card for player in state.players for card in player.hand()]
    return Counter([card.name for card in (*state.deck.cards(), *state.display, *state.discards, *hands)])


def announce(state: State, *letters: str) -> None:
    """Put score cards on top of the deck in this order, and remove the others."""
    state.deck = Deck(state.deck.pool, (), tuple([Pile(1, card_named(letter), 0) for letter in letters]))


def bag(state: State, *names: str) -> None:
    """Leave exactly these tiles in the bag; chance that draws the first possibility draws them in this order."""
    state.bags[0][:] = [tile(name) for name in names]


def reserve(state: State, seat: int, *names: str) -> None:
    """Put tiles in the reserve of a seat."""
    for name in names:
        state.players[seat].store(tile(name))


def placing(state: State, *names: str) -> State:
    """Make these the acquired tiles of the seat on turn, so that it has to place them now."""
    state.finish_step()
    state.tray = tuple([tile(name) for name in names])
    return state


def row(state: State, seat: int, *names: str) -> None:
    """Build tiles in a row to the east in the city of a seat, legal or not, for majorities."""
    settle(state, seat, *[f"{name} at {x},0" for x, name in enumerate(names, start=1)])


def dirk(state: State, *names: str) -> Dirk:
    """9.2: return Dirk, with exactly these tiles if any are given."""
    assert state.dirk is not None
    if names:
        state.dirk.tiles = tuple([tile(name) for name in names])
    return state.dirk


def shares(state: State, scoring: str, item: str) -> list[int]:
    """Return the points of each seat, then of Dirk, for an item if a scoring took place now."""
    seats = [*range(len(state.players)), *([DIRK] if state.dirk is not None else [])]
    return [points(state, scoring, seat).get(item, 0) for seat in seats]


def picture(drawing: str, kind: int = ALHAMBRA) -> str:
    """Return a drawing of a city with its marks, as the product draws it."""
    return draw_city(parse_city(drawing, kind=kind), parse_marks(drawing))


def where_to_build(name: str, drawing: str, kind: int = ALHAMBRA) -> str:
    """Return the drawing with an x on each cell where a tile may be built."""
    city = parse_city(drawing, kind=kind)
    return draw_city(city, dict.fromkeys(city.cells_for(tile(name)), "x"))


def cells_to_swap(city: City, face: Tile) -> list[int]:
    """Return the cells whose tile may be replaced by this one, as they are offered."""
    offers: list[Action] = []
    city.offer_swaps(face, [Swap(face, place) for place in range(city.extent())], offers)
    return [action.cell for action in offers if isinstance(action, Swap)]


def cells_to_remove(city: City) -> list[int]:
    """Return the cells whose tile may be removed, as they are offered."""
    offers: list[Action] = []
    city.offer_removals([Remove(place) for place in range(city.extent())], offers)
    return [action.cell for action in offers if isinstance(action, Remove)]


def where_to_swap(name: str, drawing: str, kind: int = ALHAMBRA) -> str:
    """Return the drawing with an x on each tile that may be replaced by this one."""
    city = parse_city(drawing, kind=kind)
    return draw_city(city, dict.fromkeys(cells_to_swap(city, tile(name)), "x"))


def what_to_remove(drawing: str, kind: int = ALHAMBRA) -> str:
    """Return the drawing with an x on each tile that may be removed."""
    city = parse_city(drawing, kind=kind)
    return draw_city(city, dict.fromkeys(cells_to_remove(city), "x"))


def display(state: State, text: str) -> None:
    """Lay exactly these cards on the display; the cards that were there leave the game."""
    state.display = tuple([card_named(name) for name in text.split()])


def deck(state: State, text: str = "") -> None:
    """Leave exactly these cards in the deck, in one pile; the cards that were there leave the game."""
    state.deck = Deck([card_named(name) for name in text.split()], (), ())


def discards(state: State, text: str = "") -> None:
    """Leave exactly these cards on the discard pile."""
    state.discards = [card_named(name) for name in text.split()]


def bonus(state: State, seat: int, *names: str) -> None:
    """Give a seat exactly these unrevealed bonus cards."""
    state.players[seat].bonus = tuple([tile(name) for name in names])


def settle(state: State, seat: int, *texts: str) -> None:
    """Build tiles, each as `garden-8-NW at 1,0`, in the city of a seat."""
    player = state.players[seat]
    player.city = build(player.city, *texts)


def points(state: State, scoring: str, seat: int) -> dict[str, int]:
    """Return the points of a seat or DIRK if a scoring took place now, item by item in scoring order."""
    return {row.item: row.points for row in score_rows(state, scoring) if row.seat == seat}


def turn_over_deck(state: State, chance: Chance) -> list[str]:
    """Take single cards until the deck is empty, and return the cards that were turned up, in order."""
    turned_up: list[str] = []
    while not turned_up or not state.deck.is_empty():
        for event in state.play(Take(state.display[:1]), chance):
            if isinstance(event, Displayed):
                turned_up += [one.name for one in event.cards]
    return turned_up


def event_lines(state: State, start: str = "") -> list[str]:
    """Return the record lines of the last action's events that start with a prefix, without the action itself."""
    return [line for line in map(event_text, state.events[1:]) if line.startswith(start)]


def recorded(options: Options, seed: object, max_turns: int = 1000) -> tuple[Record, State]:
    """Return the record of a random game and its final state, after at most this number of turns."""
    chance = luck(seed)
    state = new_game(options, chance)
    record = Record(options)
    record.add(state.events)
    while not state.is_over and state.turns <= max_turns:
        actions = state.offers()
        record.add(state.play(actions[chance.below(len(actions))], chance))
    return record, state


__all__ = [
    "Dealing",
    "Last",
    "all_cards",
    "all_options",
    "announce",
    "bag",
    "bonus",
    "build",
    "cell",
    "cells_to_remove",
    "cells_to_swap",
    "deck",
    "dirk",
    "discards",
    "display",
    "event_lines",
    "hand",
    "luck",
    "module_sets",
    "offers",
    "picture",
    "placing",
    "play",
    "plies",
    "points",
    "position",
    "recorded",
    "refusal",
    "reserve",
    "row",
    "rule",
    "settle",
    "shares",
    "turn_over_deck",
    "what_to_remove",
    "where_to_build",
    "where_to_swap",
    "yard",
]
