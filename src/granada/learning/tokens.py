"""The numbers of the tokens: an action is a word of a few tokens, chosen one after the other (docs/learning.md).

One space of 568 tokens is exact for every edition, module and number of players, because its blocks follow from the
rules: four cards on the display (1.9) give 15 ways to take some, a turn ends with at most eight tiles and one hut (3.4,
14.2), and whatever has no limit is reached page by page: the reserve (1.9) in pages of 16 tiles, the cells of the city
in windows of 21 by 21.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from granada.rules.acting import Buy, Pass, Purchase, Take
from granada.rules.bonus import Keep, Reveal
from granada.rules.cells import x_of, y_of
from granada.rules.huts import TakeHut
from granada.rules.money import Card
from granada.rules.placing import Give, Place, Reserve
from granada.rules.rebuilding import Remove, TileOnCell
from granada.rules.state import Action, State
from granada.rules.tiles import Tile
from granada.rules.vizier import Decline, Wake

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `granada.rules.codes`

#: The half width and the width of a window of cells, and the number of its cells.
REACH: Final = 10
WIDTH: Final = 21
CELLS: Final = 441
#: The number of tiles on a page of the reserve.
PAGE: Final = 16
#: The most tiles that have to be placed at once: in the combined game, eight bought tiles and a hut (3.4, 14.2).
TRAY_SIZE: Final = 9

# Literals, so that they are constants when compiled; `BLOCKS` checks them.
PASS: Final = 0
TAKE: Final = 1
BUY: Final = 16
VIZIER: Final = 24
TRAY: Final = 32
RESERVE: Final = 41
MORE: Final = 57
HUT: Final = 58
REMOVE: Final = 64
WAKE: Final = 65
DECLINE: Final = 66
KEEP: Final = 67
REVEAL: Final = 68
TURN: Final = 78
STORE: Final = 79
GIVE: Final = 80
CARD: Final = 81
SHIFT: Final = 123
CELL: Final = 127
TOKENS: Final = 568
#: The end of a word.
END: Final = -1


@final
class Block:
    """A block of tokens with the same meaning."""

    def __init__(self, name: str, first: int, size: int, rules: str, meaning: str) -> None:
        self.name: Final = name
        self.first: Final = first
        self.size: Final = size
        self.rules: Final = rules
        self.meaning: Final = meaning


#: All blocks, in order; docs/learning.md is generated from them.
BLOCKS: Final = (
    Block("PASS", PASS, 1, "3.7", "pass"),
    Block(
        "TAKE",
        TAKE,
        15,
        "3.2",
        "take cards: the number is `TAKE` - 1 plus 1, 2, 4 and 8 for the first to fourth card of the sorted display; "
        "of equal cards, the first ones are taken",
    ),
    Block("BUY", BUY, 8, "3.3, 10.2", "buy the tile of space 1 to 4: two tokens a space, Alhambra then Granada"),
    Block("VIZIER", VIZIER, 8, "11.2", "use the vizier for the tile of a space, in the same order"),
    Block("TRAY", TRAY, TRAY_SIZE, "4.1, 8.3", "place this one of the tiles to be placed, in the order acquired"),
    Block("RESERVE", RESERVE, PAGE, "3.5", "add or swap in this tile of the page of the sorted reserve"),
    Block("MORE", MORE, 1, "1.9", f"turn to the next page of the reserve: {PAGE} tiles"),
    Block("HUT", HUT, 6, "14.2", "take the face-up hut of a type"),
    Block("REMOVE", REMOVE, 1, "3.5", "remove a tile"),
    Block("WAKE", WAKE, 1, "11.6", "reactivate the vizier"),
    Block("DECLINE", DECLINE, 1, "11.2", "do not use the vizier"),
    Block("KEEP", KEEP, 1, "13.2", "reveal no bonus card before the scoring"),
    Block("REVEAL", REVEAL, 10, "13.2", "reveal a bonus card"),
    Block("TURN", TURN, 1, "4.2, 4.3", "turn the tile over, before the payment or `STORE`"),
    Block("STORE", STORE, 1, "4.1", "put the tile in the reserve"),
    Block("GIVE", GIVE, 1, "9.6", "give the tile to Dirk"),
    Block("CARD", CARD, 42, "3.3, 4.2, 12.4", "pay with this card next; payments are sorted like the cards"),
    Block("SHIFT", SHIFT, 4, "5", f"move the window {WIDTH} cells north, east, south or west: first east or west"),
    Block("CELL", CELL, CELLS, "5", "on this cell of the window, row by row from its north-west corner"),
)
assert [block.first for block in BLOCKS] + [TOKENS] == [
    sum([other.size for other in BLOCKS[:i]]) for i in range(len(BLOCKS) + 1)
]


def token_at(state: State, action: Action, depth: int) -> int:
    """Return the token at an index of the word of an offered action, or END after the last one."""
    at: i64 = depth
    if isinstance(action, Place):
        if at == 0:
            return TRAY + _index(state.tray, action.tile)
        at -= 1
        if action.face is not action.tile:
            if at == 0:
                return TURN
            at -= 1
            paid: i64 = len(action.cards)
            if at < paid:
                return CARD + action.cards[at].order
            at -= paid
        return _cell_token(action.cell, at)
    if isinstance(action, TileOnCell):
        index = _index(state.players[state.seat].reserve, action.tile)
        page: i64 = index // PAGE
        if at <= page:
            return MORE if at < page else RESERVE + index % PAGE
        return _cell_token(action.cell, at - page - 1)
    if isinstance(action, Remove):
        return REMOVE if at == 0 else _cell_token(action.cell, at - 1)
    if isinstance(action, Purchase):
        if at == 0:
            first: i64 = BUY if isinstance(action, Buy) else VIZIER
            return first + 2 * state.space_of(state.slot_of(action.tile)) + action.tile.kind
        return CARD + action.cards[at - 1].order if at <= len(action.cards) else END
    if isinstance(action, Reserve):
        return _storing_token(state, action, at)
    if isinstance(action, Give):
        return _giving_token(state, action, at)
    return END if at else _only_token(state, action)


def _index(tiles: tuple[Tile, ...], tile: Tile) -> i64:
    """Return the index of the first of the tiles that is this one."""
    i: i64 = 0
    for other in tiles:
        if other is tile:
            return i
        i += 1
    raise ValueError(f"{tile.name} is not there")


def _storing_token(state: State, action: Reserve, at: i64) -> i64:
    if at == 0:
        return TRAY + _index(state.tray, action.tile)
    if action.face is not action.tile:
        at -= 1
        if at == 0:
            return TURN
    return STORE if at == 1 else END


def _giving_token(state: State, action: Give, at: i64) -> i64:
    if at == 0:
        return TRAY + _index(state.tray, action.tile)
    at -= 1
    if action.face is not action.tile:
        if at == 0:
            return TURN
        at -= 1
    paid: i64 = len(action.cards)
    if at < paid:
        return CARD + action.cards[at].order
    return GIVE if at == paid else END


def _only_token(state: State, action: Action) -> i64:
    """Return the token of an action whose word has only one."""
    if isinstance(action, Take):
        return take_token(state.display, action)
    if isinstance(action, TakeHut):
        return HUT + action.type
    if isinstance(action, Reveal):
        return REVEAL + _index(state.options.components.bonus, action.tile)
    if isinstance(action, Pass):
        return PASS
    if isinstance(action, Wake):
        return WAKE
    if isinstance(action, Decline):
        return DECLINE
    if isinstance(action, Keep):
        return KEEP
    raise TypeError(f"{type(action).__name__} has no token")


def take_token(display: tuple[Card, ...], action: Take) -> i64:
    """Return the token that takes cards from a display."""
    token: i64 = TAKE - 1
    previous: Card | None = None
    copies: i64 = 0
    for card in action.cards:
        copies = copies + 1 if card is previous else 0
        previous = card
        rank: i64 = copies
        order: i64 = card.order
        for other in display:
            if other.order < order:
                rank += 1
        token += _RANK_BIT[rank]
    return token


_RANK_BIT: Final = [1, 2, 4, 8]

#: The tokens of the cells in the first window, by cell.
_GRID: Final = [CELL + (y_of(place) + REACH) * WIDTH + x_of(place) + REACH for place in range(CELLS)]


def _cell_token(place: i64, at: i64) -> i64:
    """Return the token at an index of the word of a cell: shifts of the window, then the cell in it."""
    if place < CELLS:  # the cells are numbered ring by ring, so these are the first window
        return _GRID[place] if at == 0 else END
    x: i64 = x_of(place)
    y: i64 = y_of(place)
    across: i64 = (x + REACH) // WIDTH
    down: i64 = (y + REACH) // WIDTH
    steps: i64 = across if across > 0 else -across
    if at < steps:
        return SHIFT + (1 if across > 0 else 3)
    at -= steps
    steps = down if down > 0 else -down
    if at < steps:
        return SHIFT + (2 if down > 0 else 0)
    if at > steps:
        return END
    return CELL + (y - down * WIDTH + REACH) * WIDTH + x - across * WIDTH + REACH


def word_of(state: State, action: Action) -> list[int]:
    """Return the whole word of an offered action, with its forced tokens."""
    word: list[int] = []
    while (token := token_at(state, action, len(word))) != END:
        word.append(token)
    return word
