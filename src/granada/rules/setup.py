"""Set-up (2, 9, 10.2, 10.3, 11.1, 12.1, 13.1, 14.1): the only place that reads the modules of the options."""

from __future__ import annotations

from typing import Final

from granada.rules.bonus import sorted_cards
from granada.rules.chance import Chance
from granada.rules.city import new_city
from granada.rules.deck import Deck
from granada.rules.end_of_turn import (
    DIRK_DRAW,
    DISPLAY_SIZE,
    give_tiles_to_dirk,
    put_on_yard,
)
from granada.rules.events import BonusDealt, Dealt, Displayed, Started
from granada.rules.flow import NEXT_TURN
from granada.rules.huts import turn_up_hut
from granada.rules.money import COPIES, EXCHANGE_CARDS, MONEY_CARDS, SCORE_A, SCORE_B
from granada.rules.options import SPACES, Options
from granada.rules.player import Dirk, Player
from granada.rules.state import State
from granada.rules.tiles import ALHAMBRA_TYPES, GRANADA, Tile

#: 2.3: cards are dealt until their total is at least this.
STARTING_MONEY: Final = 20
#: 13.1: the number of bonus cards per player, by the number of players.
BONUS_CARDS: Final = (0, 0, 3, 3, 2, 2, 1)


def new_game(options: Options, chance: Chance) -> State:
    """Return a new game at its first decision; `events` contains what happened."""
    is_combined = len(options.kinds) > 1
    with_huts = "huts" in options.modules
    components = options.components
    vizier = True if "vizier" in options.modules else None
    copies = COPIES if options.players > 2 else COPIES - 1  # 9.1
    state = State(
        options=options,
        players=[
            Player(
                city=new_city(options.kinds[0]),
                purses=[0, 0, 0, 0],
                exchange=(),
                reserve=(),
                vizier=vizier,
                bonus=(),
                seen_bonus=(),
                revealed=(),
                score=0,
            )
            for _ in range(options.players)
        ],
        dirk=Dirk((), 0) if options.players == 2 else None,
        yard=[None] * (SPACES * len(options.kinds)),
        bags=[list(components.of_kind(kind)) for kind in options.kinds],
        marker=0,
        deck=Deck([card for card in MONEY_CARDS for _ in range(copies)], (), ()),
        pending=SCORE_B if is_combined else None,
        discards=[],
        display=(),
        huts=(None,) * len(ALHAMBRA_TYPES) if with_huts else (),
        piles=tuple(
            [tuple([hut for hut in components.huts if hut.type == type_]) for type_ in range(len(ALHAMBRA_TYPES))]
        )
        if with_huts
        else (),
        tray=(),
        awards=(),
        announced=(),
        agenda=None,
        turn=0,
        turns=0,
        n=0,
        rows=(),
    )
    _fill_yard(state, chance)
    give_tiles_to_dirk(state, [min(DIRK_DRAW, len(bag)) for bag in state.bags], chance)  # 9.3
    state.marker = 1
    for seat in range(options.players):
        _deal_money(state, seat, chance)
    start = chance.start(_start_candidates(state))
    state.emit(Started(start))
    _fill_display(state, chance)
    _divide_deck(state)
    if "bonus" in options.modules:
        _deal_bonus_cards(state, chance)
    for type_ in range(len(state.piles)):
        turn_up_hut(state, type_, chance)
    state.push(NEXT_TURN, start)
    state.go_on(chance)
    return state


def _fill_yard(state: State, chance: Chance) -> None:
    """2.2, 10.2: fill the yard; in the combined game, the first Granada tiles must have at least one moat."""
    kinds = state.options.kinds
    for slot in range(len(state.yard)):
        half = slot % len(kinds)
        bag = state.bags[half]
        candidates = bag
        if kinds[half] == GRANADA and len(kinds) > 1:
            candidates = [tile for tile in bag if tile.walls]
        tile = chance.yard_tile(candidates, state.marker, state.space_of(slot))
        if candidates is not bag:
            bag.remove(tile)
        put_on_yard(state, slot, tile)


def _deal_money(state: State, seat: int, chance: Chance) -> None:
    """2.3: deal cards to a seat until their total is 20 or more."""
    player = state.players[seat]
    amount = 0
    while amount < STARTING_MONEY:
        card = chance.dealt_card(state.deck, seat)
        player.receive(card)
        amount += card.value
    state.emit(Dealt(seat, player.hand()))


def _start_candidates(state: State) -> list[int]:
    """2.4: return the seats with the fewest cards, then the smallest total, then the lowest age."""
    ages = state.options.ages
    ranks: list[tuple[int, int, int]] = []
    for seat, player in enumerate(state.players):
        hand = player.hand()
        ranks.append((len(hand), sum([card.value for card in hand]), ages[seat] if ages else 0))
    best = min(ranks)
    return [seat for seat, rank in enumerate(ranks) if rank == best]


def _fill_display(state: State, chance: Chance) -> None:
    """2.5: turn up the first four cards of the display; the deck has no score cards yet."""
    for _ in range(DISPLAY_SIZE):
        state.display = (*state.display, chance.display_card(state.deck))
    state.emit(Displayed(state.display))


def _divide_deck(state: State) -> None:
    """2.6, 10.3, 12.1: divide the deck into five piles and add the score cards and the exchange cards."""
    is_combined = state.pending is not None
    state.deck.divide(
        {2: SCORE_A} if is_combined else {1: SCORE_A, 3: SCORE_B},
        EXCHANGE_CARDS if "exchange" in state.options.modules else (),
        (1, 2, 3),
    )


def _deal_bonus_cards(state: State, chance: Chance) -> None:
    """13.1: deal the bonus cards, face down; the rest leave the game unseen."""
    left: list[Tile] = list(state.options.components.bonus)
    count = BONUS_CARDS[len(state.players)]
    for seat, player in enumerate(state.players):
        cards = chance.bonus_cards(left, seat, count)
        left = [tile for tile in left if tile not in cards]
        player.bonus = sorted_cards(cards)
        state.emit(BonusDealt(seat, player.bonus))
