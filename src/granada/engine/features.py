"""The features of a position from the point of view of a seat: the input of the learned model."""

from __future__ import annotations

from typing import Final

from granada.engine.evaluation import Outlook, lead_of
from granada.engine.purse import cheapest, sums_of
from granada.engine.standing import TYPE_COUNT
from granada.rules.money import number_of_cards, worth
from granada.rules.player import Player
from granada.rules.state import State
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import ALHAMBRA, GRANADA

#: The number of features of one seat, and of the game as a whole.
OF_SEAT: Final = 17
OF_GAME: Final = 17
#: All features: of the seat, its strongest rival, the other seats on average, the types, the game.
FEATURES: Final = 3 * OF_SEAT + 2 * TYPE_COUNT + OF_GAME


def features(outlook: Outlook, seat: int) -> list[float]:
    """Return FEATURES numbers of order 1, the same number for every edition and number of players."""
    standing = outlook.standing
    state = standing.state
    players = len(state.players)
    totals = outlook.totals
    points: list[list[float]] = [[], [], []]
    for index in standing.scorings:
        points[index] = outlook.points[index]
    blocks = [_of_seat(state, other, totals[other], points) for other in range(players)]
    rival = -1
    for other in range(players):
        if other != seat and (rival < 0 or totals[other] > totals[rival]):
            rival = other
    mean: list[float] = []
    for i in range(OF_SEAT):
        whole = 0.0
        for other in range(players):
            if other != seat:
                whole += blocks[other][i] / (players - 1)
        mean.append(whole)
    found = blocks[seat] + blocks[rival] + mean
    leading = 0  # the number of types of which the seat has more than anybody else
    counts = standing.counts
    for type_ in range(TYPE_COUNT):
        own = counts[seat * TYPE_COUNT + type_]
        most = 0
        for one in range(standing.entrants):
            count = counts[one * TYPE_COUNT + type_]
            if count > most and one != seat:
                most = count
        if own > most:
            leading += 1
        found.append(own / 4.0)
        found.append(max(-3, min(3, own - most)) / 3.0)
    found += _of_game(state, seat, rival)
    found.append(lead_of(totals, seat) / 40.0)
    found.append(leading / 5.0)
    return found


def _of_seat(state: State, seat: int, promised: float, points: list[list[float]]) -> list[float]:
    player = state.players[seat]
    city = player.city
    coins = 0
    cards = 0
    richest = 0
    for purse in player.purses:
        value = worth(purse)
        coins += value
        richest = max(richest, value)
        cards += number_of_cards(purse)
    payable, exactly = _payable(state, player)
    return [
        player.score / 60.0,
        promised / 100.0,
        points[0][seat] / 20.0 if points[0] else 0.0,
        points[1][seat] / 40.0 if points[1] else 0.0,
        points[2][seat] / 80.0 if points[2] else 0.0,
        city.stretch(WALL) / 15.0,
        city.stretch(MOAT) / 15.0,
        city.stretch(RUN) / 8.0,
        len(city.tiles()) / 15.0,
        coins / 25.0,
        cards / 8.0,
        richest / 12.0,
        payable / 4.0,
        exactly / 4.0,
        len(player.reserve) / 4.0,
        len(player.exchange) / 2.0,
        1.0 if player.vizier else 0.0,
    ]


def _payable(state: State, player: Player) -> tuple[int, int]:
    """Return the numbers of tiles in the yard that the player can pay for, and pay for exactly."""
    payable = 0
    exactly = 0
    for slot, tile in enumerate(state.yard):
        if tile is not None:
            currency = state.space_of(slot)
            paid = cheapest(sums_of(player.purses[currency]), tile.price)
            if paid:
                payable += 1
                if paid == tile.price:
                    exactly += 1
    return payable, exactly


def _of_game(state: State, seat: int, rival: int) -> list[float]:
    players = len(state.players)
    left = 0
    for bag in state.bags:
        left += len(bag)
    until = [0.0, 0.0]
    passed = 0
    for pile in state.deck.piles:
        passed += pile.size
        if pile.score is not None:
            until[0 if pile.score.name == "A" else 1] = passed / 60.0
    turn = state.turn if state.agenda is None else state.seat
    return [
        1.0,
        left / 40.0,
        left / (8.0 * players),
        until[0],
        until[1],
        1.0 if state.pending is not None else 0.0,
        1.0 if players == 2 else 0.0,
        1.0 if players == 3 else 0.0,
        players / 4.0,
        1.0 if ALHAMBRA in state.options.kinds else 0.0,
        1.0 if GRANADA in state.options.kinds else 0.0,
        1.0 if state.options.scoring == "simplified" else 0.0,
        (seat - turn) % players / players,
        (rival - turn) % players / players,
        len(state.display) / 4.0,
    ]
