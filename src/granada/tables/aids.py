"""Aids for players: majorities, the next scoring, unseen components, and what a hand can pay."""

from __future__ import annotations

from functools import lru_cache

from granada.rules.acting import exchange_payments
from granada.rules.deck import Deck
from granada.rules.events import DIRK, Row
from granada.rules.money import EXCHANGE, LETTERS, MONEY, Card, number_of_cards, payments, total, worth
from granada.rules.player import Player
from granada.rules.scoring import Holding, Scoring, holdings, score_rows, scorings_to_come
from granada.rules.state import State
from granada.rules.tiles import ALHAMBRA, ALHAMBRA_TYPES, GRANADA, TYPES, Tile
from granada.rules.view import View
from granada.tables import messages


def aids_of(seen: View) -> messages.Aids:
    """16: Return the aids of a table, computed from what a spectator sees, so that they reveal nothing hidden."""
    table = seen.table
    scoring = next_scoring(table)
    held = holdings(table)
    return messages.Aids(
        majorities=[majority(held, type_) for type_ in types_of(table)],
        next_scoring=scoring,
        points=[] if scoring is None else points_rows(score_rows(table, scoring)),
        unseen=_unseen(seen),
    )


# Scorings


def announced(table: State) -> list[str]:
    """6.3, 8.4: Return the scorings that are about to take place, in order."""
    return [*table.announced, *[task.step.letter for task in table.tasks() if isinstance(task.step, Scoring)]]


def next_scoring(table: State) -> str | None:
    """6.1, 8.4, 10.3: Return the next scoring: A or B while their cards are in the deck, then C."""
    return next(iter(scorings_to_come(table)), None)


def points_rows(rows: list[Row] | tuple[Row, ...]) -> list[messages.PointsRow]:
    """7: Convert rows of points to messages: seats from 1, and Dirk (-1 in the rules) as 0."""
    return [messages.PointsRow(row.seat + 1, row.scoring, row.item, row.place, row.points) for row in rows]


def points_by_seat(table: State, scoring: str) -> dict[int, int]:
    """7: Return the points of each seat (from 0) and of DIRK if a scoring took place now."""
    points = dict.fromkeys([*range(len(table.players)), *([] if table.dirk is None else [DIRK])], 0)
    for row in score_rows(table, scoring):
        points[row.seat] += row.points
    return points


# Majorities


def types_of(table: State) -> list[int]:
    """7.1: Return the types that are scored, in scoring order."""
    kinds = table.options.kinds
    first = 0 if ALHAMBRA in kinds else len(ALHAMBRA_TYPES)
    last = len(TYPES) if GRANADA in kinds else len(ALHAMBRA_TYPES)
    return list(range(first, last))


def majority(held: list[Holding], type_: int) -> messages.Majority:
    """7.3, 7.4: Return the counts and ranks of all players for a type."""
    counts = [holding.counts[type_] for holding in held]
    return _majority(type_, tuple(counts), tuple([holding.highest[type_] for holding in held]))


# Most actions change no majority and few payments, so cache them. The cached messages must not be modified.


@lru_cache(maxsize=1 << 14)
def _majority(type_: int, counts: tuple[int, ...], highest: tuple[int, ...]) -> messages.Majority:
    return messages.Majority(TYPES[type_], list(counts), list(highest), _ranks(type_, list(counts), list(highest)))


def _ranks(type_: int, counts: list[int], highest: list[int]) -> list[int]:
    """7.3, 7.4: Return ranks by number of tiles; Alhambra types share ties, Granada types break them by price."""
    if type_ < len(ALHAMBRA_TYPES):
        highest = [0] * len(counts)
    keys = [100 * count + price for count, price in zip(counts, highest, strict=True)]
    falling = sorted(keys, reverse=True)
    return [falling.index(key) + 1 if key else 0 for key in keys]


# Unseen components


def _unseen(seen: View) -> messages.Unseen:
    """16: Count what a spectator cannot see in deck, bags and hidden hands; a Granada tile counts for both sides."""
    table = seen.table
    tiles = [0] * len(TYPES)
    for bag in table.bags:
        for tile in bag:
            tiles[tile.type] += 1
            if tile.back is not None:
                tiles[tile.back.type] += 1
    money = _sorted_money([*table.deck.pool, *table.deck.exchange])
    return messages.Unseen(
        tiles={TYPES[type_]: tiles[type_] for type_ in types_of(table)},
        money=money.money,
        exchange=money.exchange,
        scores=_score_cards(seen),
    )


def unseen_money(table: State, seat: int) -> messages.UnseenMoney:
    """16.1: Count the money that a seat (from 0) cannot see; only sums, which do not reveal where a card is."""
    found = _sorted_money([*table.deck.pool, *table.deck.exchange])
    if not table.options.open_money:
        for other, player in enumerate(table.players):
            if other != seat:
                for letter, purse in zip(LETTERS, player.purses, strict=True):
                    found.money[letter] += number_of_cards(purse)
                found.exchange += len(player.exchange)
    return found


def _sorted_money(cards: list[Card]) -> messages.UnseenMoney:
    counts = [0] * len(LETTERS)
    for card in cards:
        if card.sort == MONEY:
            counts[card.currency] += 1
    return messages.UnseenMoney(dict(zip(LETTERS, counts, strict=True)), len(cards) - sum(counts))


def _score_cards(seen: View) -> dict[str, tuple[int, int]]:
    """6.1, 8.1, 10.3: Return the fewest and the most cards that can be drawn before each score card in the deck."""
    table = seen.table
    if table.is_over or "C" in announced(table):
        return {}
    found = _places_in(table.deck)
    if table.pending is not None:
        # When the deck runs out, the card is shuffled into the discards. These are at least the present discards (and
        # at least one card, because the card stays out without discards), and at most all cards of the game.
        hands = [card for seat in range(len(table.players)) for card in seen.hand(seat) or ()]
        cards = [*table.discards, *table.deck.pool, *table.deck.exchange, *table.display, *hands]
        fewest, _ = _place_of_pending(table.pending, cards[: max(1, len(table.discards))])
        _, most = _place_of_pending(table.pending, cards)
        found[table.pending.name] = (seen.deck_size + fewest, seen.deck_size + most)
    return found


def _places_in(deck: Deck) -> dict[str, tuple[int, int]]:
    """2.6: Return the fewest and the most cards that can lie above each score card."""
    found: dict[str, tuple[int, int]] = {}
    above = -deck.drawn
    for pile in deck.piles:
        if pile.score is not None:
            found[pile.score.name] = (max(0, above), above + pile.size - 1)
        above += pile.size
    return found


def _place_of_pending(score: Card, discards: list[Card]) -> tuple[int, int]:
    """10.3: Return the same for a score card that is shuffled into the second of five piles of these cards."""
    deck = Deck(discards, (), ())
    deck.divide({1: score}, (), ())
    return _places_in(deck)[score.name]


# Payments


def offers_of(table: State, seat: int) -> list[messages.Offer]:
    """3.3, 12.4: Return for each tile of the yard how well a seat (from 0) can pay it."""
    player = table.players[seat]
    offers: list[messages.Offer] = []
    for slot, tile in enumerate(table.yard):
        if tile is not None:
            currency = table.space_of(slot)
            if not player.exchange:
                offers.append(_plain_offer(tile, currency, player.purses[currency]))
            else:
                cards = _best_payment(player, currency, tile.price)
                offers.append(_offer(tile, cards, 0 if cards else _most(player, currency)))
    return offers


@lru_cache(maxsize=1 << 14)
def _plain_offer(tile: Tile, currency: int, purse: int) -> messages.Offer:
    """3.3: Return the offer for a hand without exchange cards."""
    return _offer(tile, min(payments(currency, purse, tile.price), key=_cost, default=()), worth(purse))


def _offer(tile: Tile, cards: tuple[Card, ...], most: int) -> messages.Offer:
    if not cards:
        return messages.Offer(tile.name, "short", tile.price - most, [])
    over = total(cards) - tile.price
    return messages.Offer(tile.name, "over" if over else "exact", over, [card.name for card in cards])


def _best_payment(player: Player, currency: int, price: int) -> tuple[Card, ...]:
    """3.3, 3.4, 12.4: Return the cheapest payment, preferring no exchange card, then few cards; empty if none."""
    found = [*payments(currency, player.purses[currency], price), *exchange_payments(player, currency, price)]
    return min(found, key=_cost, default=())


def _cost(cards: tuple[Card, ...]) -> tuple[int, bool, int]:
    return total(cards), cards[0].sort == EXCHANGE, len(cards)


def _most(player: Player, currency: int) -> int:
    """3.3, 12.4: Return the most that a hand can pay in a currency, using at most one exchange card."""
    others = [card.currency + card.other - currency for card in player.exchange if currency in _currencies(card)]
    return player.money(currency) + max([player.money(other) for other in others], default=0)


def _currencies(exchange: Card) -> tuple[int, int]:
    return exchange.currency, exchange.other
