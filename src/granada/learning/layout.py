"""The layout of an observation: its segments, in order; every number is a byte (docs/learning.md)."""

from __future__ import annotations

from typing import Final, final

from granada.learning.tokens import CELL, CELLS, PAGE, TRAY_SIZE

#: The highest number in an observation; higher counts end there.
MOST: Final = 255
#: The numbers of a tile: see `TILE_FEATURES`.
FEATURES: Final = 37
#: The planes of a city.
PLANES: Final = (
    ("type", "0 free, 1 start tile, from 2 on the types in the order of 7.1"),
    ("price", "the price; 0 for a start tile or a hut"),
    ("north", "1 for a wall or moat on the north edge"),
    ("east", "the same on the east edge"),
    ("south", "the same on the south edge"),
    ("west", "the same on the west edge"),
)
PLANE_COUNT: Final = 6
assert len(PLANES) == PLANE_COUNT


@final
class Segment:
    """Some consecutive numbers of an observation with the same meaning."""

    def __init__(self, name: str, size: int, meaning: str) -> None:
        self.name: Final = name
        self.size: Final = size
        self.meaning: Final = meaning


#: What describes a tile on the yard, on the tray or in the reserve; all 0 if there is none.
TILE_FEATURES: Final = (
    Segment("type", 15, "one-hot, in the order of 7.1"),
    Segment("hut", 1, "1 for a hut"),
    Segment("price", 1, "the price"),
    Segment("walls", 4, "walls or moats: N, E, S, W"),
    Segment("back type", 15, "the type of the other face, one-hot"),
    Segment("back price", 1, "the price of the other face"),
)
assert sum([part.size for part in TILE_FEATURES]) == FEATURES

#: What the table shows to everybody, and what the seat that observes has chosen so far.
TABLE: Final = (
    Segment("edition", 3, "one-hot: alhambra, granada, combined"),
    Segment("modules", 4, "vizier, exchange, bonus, huts"),
    Segment("simplified", 1, "1 with the simplified scoring (7.5)"),
    Segment("hands", 1, "1 if the hands of the others are shown (16.1)"),
    Segment("players", 5, "one-hot: 2 to 6; 0 for one"),
    Segment("step", 6, "one-hot: act, place, award, vizier, reveal, over"),
    Segment("mine", 1, "1 if this seat has to decide"),
    Segment("deciding", 6, "the seat that has to decide, one-hot, counted from this one"),
    Segment("on turn", 6, "the seat on turn, one-hot, counted from this one"),
    Segment("turns", 2, "turns begun: the sum of two numbers"),
    Segment("announced", 2, "scoring A, B announced"),
    Segment("marker", 1, "1 if the next Granada tiles are odd"),
    Segment("deck", 1, "cards in the deck"),
    Segment("pending", 1, "1 if score card B waits for the first reshuffle (10.3)"),
    Segment("piles", 20, "five piles of the deck from the top: cards left, score A, score B, exchange cards"),
    Segment("unseen", 42, "copies of each card in the deck or in a hidden hand"),
    Segment("discards", 42, "copies of each card among the discards"),
    Segment("display", 24, "four places, sorted: four currencies, value, 1 for an exchange card"),
    Segment("bags", 2, "tiles in the bags: Alhambra, Granada"),
    Segment("alhambra bag", 54, "1 for each Alhambra tile in the bag"),
    Segment("granada bag", 54, "1 for each Granada tile in the bag"),
    Segment("yard", 8 * FEATURES, "eight places: space 1 to 4, Alhambra then Granada"),
    Segment("tray", TRAY_SIZE * FEATURES, "the tiles to be placed"),
    Segment("huts", 30, "the face-up hut of each type: 1, then its walls"),
    Segment("hut piles", 6, "face-down huts of each type"),
    Segment("dirk", 33, "1 if he takes part, his points as a sum of two numbers, tiles by type, highest price by type"),
    Segment("reserve", PAGE * FEATURES, "this page of your reserve"),
    Segment("word", CELL, "how often each token before the cells occurs in your word so far"),
)
#: What everybody knows of a player, and the cards of your hand.
PLAYER: Final = (
    Segment("points", 2, "the sum of two numbers"),
    Segment("hand size", 1, "cards in hand"),
    Segment("hand", 42, "copies of each card in hand; 0 if it is hidden"),
    Segment("money", 4, "the sum of each currency in hand; 0 if it is hidden"),
    Segment("vizier", 2, "active, inactive"),
    Segment("bonus", 10, "1 for each known bonus card in hand"),
    Segment("hidden bonus", 1, "unknown bonus cards in hand"),
    Segment("revealed", 10, "1 for each revealed bonus card"),
    Segment("reserve size", 1, "tiles in the reserve"),
    Segment("reserve types", 15, "tiles in the reserve by type"),
    Segment("reserve huts", 1, "huts in the reserve"),
    Segment("city size", 1, "tiles in the city with the start tiles"),
    Segment("outside", 1, "tiles outside the window"),
    Segment("types", 15, "tiles in the city by type, without huts"),
    Segment("highest", 15, "the highest price by type in the city"),
    Segment("city huts", 1, "huts in the city"),
    Segment("stretches", 3, "the longest wall, moat and run (7.2, 10.7)"),
    Segment("awards", 1, "left-over tiles still to be received (8.3)"),
)
TABLE_SIZE: Final = 1_695
PLAYER_SIZE: Final = 126
PLANES_SIZE: Final = 2_646
assert sum([segment.size for segment in TABLE]) == TABLE_SIZE
assert sum([segment.size for segment in PLAYER]) == PLAYER_SIZE
assert PLANE_COUNT * CELLS == PLANES_SIZE


def flat_size(players: int) -> int:
    """Return the number of numbers before the planes."""
    return TABLE_SIZE + players * PLAYER_SIZE


def size_of(players: int) -> int:
    """Return the size of an observation with some number of players."""
    return flat_size(players) + players * PLANES_SIZE


def offsets(players: int) -> dict[str, tuple[int, int]]:
    """Return the first index and the size of each segment by name; those of players are numbered, and yours is 0."""
    found: dict[str, tuple[int, int]] = {}
    at = 0
    for segment in TABLE:
        found[segment.name] = (at, segment.size)
        at += segment.size
    for player in range(players):
        for segment in PLAYER:
            found[f"{segment.name} {player}"] = (at, segment.size)
            at += segment.size
    for player in range(players):
        found[f"planes {player}"] = (at, PLANES_SIZE)
        at += PLANES_SIZE
    return found
