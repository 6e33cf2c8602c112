"""An encoding of a view in plain Python, segment by segment by name: what the compiled encoder must equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from granada import Card, City, Tile, View
from granada.learning.layout import PLANES, TILE_FEATURES, offsets, size_of
from granada.learning.tokens import BLOCKS, CELL
from granada.rules.cells import x_of, y_of
from granada.rules.money import CARDS, EXCHANGE, MONEY
from granada.rules.options import EDITIONS, MODULES
from granada.rules.tiles import KINDS, TYPES

FIRST = {block.name: block.first for block in BLOCKS}
STEPS = ("act", "place", "award", "vizier", "reveal")


def encode(view: View, word: Sequence[int]) -> bytes:
    """Return the observation of the seat of a view that has chosen these tokens."""
    table, me = view.table, view.seat
    count = len(table.players)
    segments = _table(view, word)
    for k in range(count):
        seat = (me + k) % count
        for name, numbers in _player(view, seat).items():
            segments[f"{name} {k}"] = numbers
        shift = _shift(word) if k == 0 else (0, 0)
        segments[f"planes {k}"] = _planes(table.players[seat].city, *shift)
    out = bytearray(size_of(count))
    places = offsets(count)
    assert segments.keys() == places.keys()
    for name, numbers in segments.items():
        at, size = places[name]
        assert len(numbers) == size, name
        out[at : at + size] = bytes(numbers)
    return bytes(out)


def _table(view: View, word: Sequence[int]) -> dict[str, Sequence[int]]:
    table, me, options = view.table, view.seat, view.table.options
    count = len(table.players)
    deck = table.deck
    unseen = Counter([*deck.pool, *deck.exchange])
    piles: list[int] = []
    for i, pile in enumerate(deck.piles):
        score = "" if pile.score is None else pile.score.name
        piles += [pile.size - (0 if i else deck.drawn), score == "A", score == "B", pile.exchange]
    bags = {KINDS[kind]: bag for kind, bag in zip(options.kinds, table.bags, strict=True)}
    box = options.components
    slots: list[Tile | None] = [None] * 8
    for slot, tile in enumerate(table.yard):
        kind = options.kinds[slot % len(options.kinds)]
        slots[2 * table.space_of(slot) + kind] = tile
    page = list(word).count(FIRST["MORE"])
    dirk = table.dirk
    return {
        "edition": [options.edition == edition for edition in EDITIONS],
        "modules": [module in options.modules for module in MODULES],
        "simplified": [options.scoring == "simplified"],
        "hands": [view.remembers],
        "players": [count == n for n in range(2, 7)],
        "step": [not table.is_over and table.step.word == step for step in STEPS] + [table.is_over],
        "mine": [not table.is_over and table.seat == me],
        "deciding": [not table.is_over and table.seat == (me + k) % count for k in range(6)][:count]
        + [0] * (6 - count),
        "on turn": [table.turn == (me + k) % count for k in range(count)] + [0] * (6 - count),
        "turns": _sum(table.turns),
        "announced": ["A" in table.announced, "B" in table.announced],
        "marker": [table.marker],
        "deck": [view.deck_size],
        "pending": [table.pending is not None],
        "piles": _padded(piles, 20),
        "unseen": [unseen[card] for card in CARDS[:42]],
        "discards": [table.discards.count(card) for card in CARDS[:42]],
        "display": _padded(
            [n for card in sorted(table.display, key=lambda card: card.order) for n in _shown(card)],
            24,
        ),
        "bags": [len(bags.get(kind, [])) for kind in KINDS],
        "alhambra bag": [tile in bags.get("alhambra", []) for tile in box.alhambra],
        "granada bag": [tile in bags.get("granada", []) for tile in box.granada],
        "yard": _tiles(slots, 8),
        "tray": _tiles(table.tray, 9),
        "huts": [n for hut in table.huts or [None] * 6 for n in ([1, *_walls(hut)] if hut else [0] * 5)],
        "hut piles": [len(pile) for pile in table.piles] or [0] * 6,
        "dirk": [0] * 33 if dirk is None else [1, *_sum(dirk.score), *_types(dirk.tiles), *_highest(dirk.tiles)],
        "reserve": _tiles(table.players[me].reserve[16 * page : 16 * page + 16], 16),
        "word": [list(word).count(token) for token in range(CELL)],
    }


def _player(view: View, seat: int) -> dict[str, Sequence[int]]:
    table = view.table
    player = table.players[seat]
    hand = view.hand(seat)
    cards = () if hand is None else hand
    reserve, city = player.reserve, player.city
    tiles = city.tiles()
    box = table.options.components
    return {
        "points": _sum(player.score),
        "hand size": [view.hand_sizes[seat]],
        "hand": [cards.count(card) for card in CARDS[:42]],
        "money": [sum(card.value for card in cards if card.sort == MONEY and card.currency == c) for c in range(4)],
        "vizier": [player.vizier is True, player.vizier is False],
        "bonus": [tile in player.bonus for tile in box.bonus],
        "hidden bonus": [player.bonus.count(None)],
        "revealed": [tile in player.revealed for tile in box.bonus],
        "awards": [len([owner for owner, _ in table.awards if owner == seat])],
        "reserve size": [len(reserve)],
        "reserve types": _types(reserve),
        "reserve huts": [len([tile for tile in reserve if tile.is_hut])],
        "city size": [len(tiles)],
        "outside": [len([place for place in city.places if max(abs(x_of(place)), abs(y_of(place))) > 10])],
        "types": _types(tiles),
        "highest": _highest(tiles),
        "city huts": [len(city.huts())],
        "stretches": [min(255, city.stretch(what)) for what in range(3)],
    }


def _shift(word: Sequence[int]) -> tuple[int, int]:
    north, east, south, west = [list(word).count(FIRST["SHIFT"] + side) for side in range(4)]
    return east - west, south - north


def _planes(city: City, across: int, down: int) -> bytes:
    planes = {name: bytearray(21 * 21) for name, _ in PLANES}
    for place, tile in zip(city.places, city.tiles(), strict=True):
        x, y = x_of(place) - 21 * across + 10, y_of(place) - 21 * down + 10
        if 0 <= x < 21 and 0 <= y < 21:
            planes["type"][21 * y + x] = 1 if tile.is_start else 2 + tile.type
            planes["price"][21 * y + x] = tile.price
            for name, wall in zip(("north", "east", "south", "west"), _walls(tile), strict=True):
                planes[name][21 * y + x] = wall
    return b"".join(planes.values())


def _tiles(tiles: Sequence[Tile | None], places: int) -> list[int]:
    return _padded([number for tile in tiles for number in _features(tile)], places * len(_features(None)))


@cache
def _features(tile: Tile | None) -> list[int]:
    if tile is None:
        return [0] * sum(part.size for part in TILE_FEATURES)
    back = [0] * 16 if tile.back is None else [*_one_hot(tile.back.type), tile.back.price]
    return [*_one_hot(tile.type), tile.is_hut, tile.price, *_walls(tile), *back]


def _one_hot(type_: int) -> list[int]:
    return [type_ == t for t in range(len(TYPES))]


def _walls(tile: Tile) -> list[int]:
    return [tile.walls >> side & 1 for side in range(4)]


def _types(tiles: Sequence[Tile]) -> list[int]:
    return [len([tile for tile in tiles if tile.type == t and not tile.is_hut]) for t in range(len(TYPES))]


def _highest(tiles: Sequence[Tile]) -> list[int]:
    return [max([0, *[tile.price for tile in tiles if tile.type == t]]) for t in range(len(TYPES))]


def _shown(card: Card) -> list[int]:
    return [*[c in (card.currency, card.other) for c in range(4)], card.value, card.sort == EXCHANGE]


def _sum(number: int) -> list[int]:
    return [min(255, number), max(0, min(255, number - 255))]


def _padded(numbers: list[int], size: int) -> list[int]:
    return numbers + [0] * (size - len(numbers))
