"""Observations: what a seat may see (16) as bytes, in the order of `layout`.

The encoder reads the state directly, because a view copies it; tests compare it with an encoding of the view at every
step of games of all set-ups. What rarely changes is kept: cities, reserves, bags and the yard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from granada.learning.layout import FEATURES, MOST, PLANES_SIZE, size_of
from granada.learning.tokens import CELL, CELLS, MORE, PAGE, REACH, SHIFT, TRAY_SIZE, WIDTH
from granada.rules.bonus import REVEALING
from granada.rules.cells import x_of, y_of
from granada.rules.city import City
from granada.rules.components import Components
from granada.rules.deck import Deck, Pile
from granada.rules.flow import ACTING
from granada.rules.money import CARDS, MONEY, UNIT, Card, worth
from granada.rules.options import EDITIONS, MODULES, Options
from granada.rules.placing import PLACING, PLACING_AWARD
from granada.rules.player import Player
from granada.rules.state import State
from granada.rules.tiles import ALHAMBRA, NO_TYPE, TYPES, Tile
from granada.rules.vizier import USING_VIZIER

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `granada.rules.codes`

_BYTE: Final = [bytes([number]) for number in range(MOST + 1)]
#: A count as two numbers that add up to it.
_SUM: Final = [bytes([min(number, MOST), number - min(number, MOST)]) for number in range(2 * MOST + 1)]
_NO_HAND: Final = bytes(46)
_NO_TILE: Final = bytes(FEATURES)
#: No tiles at some places.
_NO_TILES: Final = [bytes(FEATURES * count) for count in range(PAGE + 1)]
_NO_WORD: Final = bytes(CELL)
_NO_BONUS: Final = bytes(10)
_NO_PLANES: Final = bytes(PLANES_SIZE)
_NO_BAG: Final = bytes(54)


def _one_hots(size: int) -> list[bytes]:
    """Return the one-hot numbers of some size, and all zeros at the end."""
    return [bytes([i == j for j in range(size)]) for i in range(size + 1)]


_ONE_OF_SIX: Final = _one_hots(6)
#: The segments `step`, `mine` and `deciding` at the end of the game.
_OVER: Final = _ONE_OF_SIX[5] + bytes(7)
_ANNOUNCED: Final = [b"\0\0", b"\1\0", b"\0\1", b"\1\1"]
_STEPS: Final = (ACTING, PLACING, PLACING_AWARD, USING_VIZIER, REVEALING)

#: The copies of the money cards in a purse (see `granada.rules.money`): the values 9 to 6, and 5 to 1.
_HIGH: Final = [bytes([purse >> 2 * i & 3 for i in (3, 2, 1, 0)]) for purse in range(1 << 8)]
_LOW: Final = [bytes([purse >> 2 * i & 3 for i in (4, 3, 2, 1, 0)]) for purse in range(1 << 10)]
#: The exchange cards of a set of bits.
_EXCHANGE: Final = [bytes([cards >> i & 1 for i in range(6)]) for cards in range(1 << 6)]
_BIT: Final = [1, 2, 4, 8, 16, 32]


def _display_bytes(card: Card) -> bytes:
    currencies = [currency in (card.currency, card.other) for currency in range(4)]
    return bytes([*currencies, card.value, card.sort != MONEY])


def _tile_features(tile: Tile) -> bytes:
    """Return the numbers of a tile (`layout.TILE_FEATURES`)."""
    back = tile.back
    return bytes(
        [
            *[tile.type == type_ for type_ in range(len(TYPES))],
            tile.is_hut,
            tile.price,
            *[tile.walls >> side & 1 for side in range(4)],
            *[back is not None and back.type == type_ for type_ in range(len(TYPES))],
            0 if back is None else back.price,
        ]
    )


#: The numbers of each card on the display, by the order of the cards.
_SHOWN: Final = [_display_bytes(card) for card in CARDS]
#: For each box, the numbers of its tiles by their order.
_FEATURES: Final[dict[Components, list[bytes]]] = {}


def _features_of(box: Components) -> list[bytes]:
    """Return the numbers of each tile of a box, by the order of the tiles."""
    found = _FEATURES.get(box)
    if found is None:
        tiles = [*box.alhambra, *box.granada, *[tile.back for tile in box.granada if tile.back is not None], *box.huts]
        found = [_NO_TILE] * (1 + max([tile.order for tile in tiles]))
        for tile in tiles:
            found[tile.order] = _tile_features(tile)
        _FEATURES[box] = found
    return found


@final
class _Purses:
    """Counts of cards: a purse for each currency, and a set of exchange cards."""

    __slots__ = ("denar", "dirham", "dukat", "exchange", "gulden")

    def __init__(self) -> None:
        self.gulden: i64 = 0
        self.dirham: i64 = 0
        self.denar: i64 = 0
        self.dukat: i64 = 0
        self.exchange: i64 = 0

    def add(self, cards: list[Card]) -> None:
        unit: i64
        for card in cards:
            currency: i64 = card.currency
            if card.sort != MONEY:
                self.add_exchange(card)
                continue
            unit = UNIT[card.value]
            if currency == 0:
                self.gulden += unit
            elif currency == 1:
                self.dirham += unit
            elif currency == 2:
                self.denar += unit
            else:
                self.dukat += unit

    def add_exchange(self, card: Card) -> None:
        bit: i64 = _BIT[card.order]
        self.exchange |= bit

    def add_hand(self, player: Player) -> None:
        purses = player.purses
        self.gulden += purses[0]
        self.dirham += purses[1]
        self.denar += purses[2]
        self.dukat += purses[3]
        for card in player.exchange:
            self.add_exchange(card)

    def write(self, parts: list[bytes]) -> None:
        """Append the copies of each card, in the order of the cards."""
        parts.append(_EXCHANGE[self.exchange])
        parts.append(_HIGH[self.gulden >> 10])
        parts.append(_LOW[self.gulden & 1023])
        parts.append(_HIGH[self.dirham >> 10])
        parts.append(_LOW[self.dirham & 1023])
        parts.append(_HIGH[self.denar >> 10])
        parts.append(_LOW[self.denar & 1023])
        parts.append(_HIGH[self.dukat >> 10])
        parts.append(_LOW[self.dukat & 1023])


@final
class _Estate:
    """What was encoded of a player, kept until it changes."""

    __slots__ = (
        "bonus",
        "built",
        "city",
        "exchange",
        "others",
        "own",
        "planes",
        "purses",
        "reserve",
        "revealed",
        "score",
        "seen_bonus",
        "shows",
        "stored",
        "vizier",
    )

    def __init__(self, shows: bool) -> None:
        #: Whether the others see the hand.
        self.shows: Final = shows
        #: The list of the built tiles; a city replaces it at every change.
        self.built: list[Tile] | None = None
        self.city = b""
        self.planes = _NO_PLANES
        self.stored: tuple[Tile, ...] | None = None
        self.reserve = b""
        self.score: i64 = -1
        self.purses: Final = [0, 0, 0, 0]
        self.exchange: tuple[Card, ...] = ()
        self.vizier: bool | None = None
        self.bonus: tuple[Tile | None, ...] = ()
        self.seen_bonus: tuple[Tile, ...] = ()
        self.revealed: tuple[Tile, ...] = ()
        #: The segments of the player as the player sees them, and as the others do, without `awards`.
        self.own = b""
        self.others = b""

    def update(self, player: Player, box: Components) -> None:
        """Encode again what has changed."""
        is_changed = False
        tiles = player.city.tiles()
        if tiles is not self.built:
            self.built = tiles
            self.planes = _draw(player.city, 0, 0)
            self.city = _city_numbers(player.city, tiles)
            is_changed = True
        if player.reserve is not self.stored:
            self.stored = player.reserve
            self.reserve = _reserve_numbers(player.reserve)
            is_changed = True
        if not is_changed and (
            player.score == self.score
            and player.exchange is self.exchange
            and player.vizier is self.vizier
            and player.bonus is self.bonus
            and player.seen_bonus is self.seen_bonus
            and player.revealed is self.revealed
            and player.purses == self.purses
        ):
            return
        self.score = player.score
        self.purses[:] = player.purses
        self.exchange = player.exchange
        self.vizier = player.vizier
        self.bonus = player.bonus
        self.seen_bonus = player.seen_bonus
        self.revealed = player.revealed
        self.own = self._encode(player, box, True)
        self.others = self._encode(player, box, False)

    def _encode(self, player: Player, box: Components, is_own: bool) -> bytes:
        parts = [_SUM[min(player.score, 2 * MOST)], _BYTE[player.hand_size()]]
        if is_own or self.shows:
            hand = _Purses()
            hand.add_hand(player)
            hand.write(parts)
            for purse in player.purses:
                parts.append(_BYTE[worth(purse)])
        else:
            parts.append(_NO_HAND)
        vizier = player.vizier
        parts.append(_NO_VIZIER if vizier is None else _ACTIVE if vizier else _INACTIVE)
        if player.bonus or player.revealed:
            _add_bonus(box, player, is_own, parts)
        else:
            parts.append(_NO_BONUS_CARDS)
        parts.append(self.reserve)
        parts.append(self.city)
        return b"".join(parts)


def _clip(number: i64) -> i64:
    return number if number < MOST else MOST


def _city_numbers(city: City, tiles: list[Tile]) -> bytes:
    """Return the segments from `city size` on."""
    numbers = bytearray(37)
    huts: i64 = 0
    for tile in tiles:
        if tile.is_hut:
            huts += 1
        elif tile.type != NO_TYPE:
            at = 2 + tile.type
            numbers[at] = numbers[at] + 1
            if numbers[at + 15] < tile.price:
                numbers[at + 15] = tile.price
    outside: i64 = 0
    for place in reversed(city.places):
        if place < CELLS:
            break
        outside += 1
    numbers[0] = len(tiles)
    numbers[1] = outside
    numbers[32] = huts
    i: i64 = 33
    for edges in city.stretches():
        numbers[i] = _clip(len(edges))
        i += 1
    return bytes(numbers[:36])


def _reserve_numbers(reserve: tuple[Tile, ...]) -> bytes:
    """Return the segments `reserve size`, `reserve types` and `reserve huts`."""
    numbers = bytearray(17)
    for tile in reserve:
        at = 16 if tile.is_hut else 1 + tile.type
        numbers[at] = numbers[at] + 1
    numbers[0] = len(reserve)
    return bytes(numbers)


def _draw(city: City, across: i64, down: i64) -> bytes:
    """Return the planes of a city in a window, which is moved by some of its widths."""
    planes = bytearray(_NO_PLANES)
    tiles = city.tiles()
    i: i64 = 0
    place: i64
    for place in city.places:
        tile = tiles[i]
        i += 1
        if across or down or place >= CELLS:
            x: i64 = x_of(place) - across * WIDTH + REACH
            y: i64 = y_of(place) - down * WIDTH + REACH
            if not (0 <= x < WIDTH and 0 <= y < WIDTH):
                continue
            at: i64 = y * WIDTH + x
        else:
            at = _AT[place]
        planes[at] = tile.type + 2
        if tile.price:
            planes[at + CELLS] = tile.price
        walls: i64 = tile.walls
        if walls:
            if walls & 1:
                planes[at + 2 * CELLS] = 1
            if walls & 2:
                planes[at + 3 * CELLS] = 1
            if walls & 4:
                planes[at + 4 * CELLS] = 1
            if walls & 8:
                planes[at + 5 * CELLS] = 1
    return bytes(planes)


#: The index of each cell of the first window.
_AT: Final = [(y_of(place) + REACH) * WIDTH + x_of(place) + REACH for place in range(CELLS)]


@final
class Encoder:
    """Encodes what the seats of games with some options may see; with `memory`, all hands as well (16.1).

    A variant may have fewer seats than the options have players.
    """

    __slots__ = (
        "_bags",
        "_drawn",
        "_encoded",
        "_estates",
        "_features",
        "_given",
        "_head",
        "_n",
        "_of_dirk",
        "_of_piles",
        "_options",
        "_piles",
        "_players",
        "_seat",
        "_seats",
        "_shows_hands",
        "_sizes",
        "_state",
        "options",
        "size",
    )

    def __init__(self, options: Options, memory: bool = False, seats: int = 0) -> None:
        self.options: Final = options
        self._seats: Final = seats or options.players
        self.size: Final = size_of(self._seats)
        self._shows_hands: Final = memory or options.open_money
        self._features: Final = _features_of(options.components)
        self._estates: Final = [_Estate(self._shows_hands) for _ in range(self._seats)]
        #: The bag of each kind and its size when it was last encoded: a bag only ever loses tiles.
        self._bags: Final[list[list[Tile]]] = [[], []]
        self._sizes: Final = [0, 0]
        self._encoded: Final = [_NO_BAG, _NO_BAG]
        #: The tiles of Dirk and the piles of the deck when they were last encoded.
        self._given: tuple[Tile, ...] = ()
        self._of_dirk = _NO_TYPES
        self._piles: tuple[Pile, ...] = ()
        self._drawn = 0
        self._of_piles = _NO_PILES
        #: The last decision, and its segments before `reserve` and after `word`.
        self._state: State | None = None
        self._n = -1
        self._seat = -1
        self._head = b""
        self._players = b""
        self._options: Final = bytes(
            [
                *[options.edition == edition for edition in EDITIONS],
                *[module in options.modules for module in MODULES],
                options.scoring == "simplified",
                self._shows_hands,
                *[self._seats == players for players in range(2, 7)],
            ]
        )

    def __reduce__(self) -> tuple[type[Encoder], tuple[Options, bool, int]]:
        return Encoder, (self.options, self._shows_hands, self._seats)

    def observe(self, state: State, seat: int, out: memoryview, at: int = 0, word: list[int] | None = None) -> None:
        """Write the observation of a seat, `size` bytes from an index on; `word` has the tokens it chose so far."""
        if not word or self._state is not state or self._n != state.n or self._seat != seat:
            self._encode(state, seat)
        if word:
            flat = b"".join(
                [self._head, self._page(state, seat, PAGE * word.count(MORE)), _word_numbers(word), self._players]
            )
        else:
            flat = b"".join([self._head, self._page(state, seat, 0), _NO_WORD, self._players])
        start: i64 = at
        end: i64 = start + len(flat)
        out[start:end] = flat
        count: i64 = self._seats
        other: i64 = seat
        for _ in range(count):
            start = end
            end += PLANES_SIZE
            out[start:end] = self._estates[other].planes
            other = other + 1 if other + 1 < count else 0
        if word and word[len(word) - 1] >= SHIFT:  # a shift, because a cell ends the word
            across = word.count(SHIFT + 1) - word.count(SHIFT + 3)
            down = word.count(SHIFT + 2) - word.count(SHIFT)
            start = at + len(flat)
            out[start : start + PLANES_SIZE] = _draw(state.players[seat].city, across, down)

    def _encode(self, state: State, seat: int) -> None:
        """Encode all segments that do not depend on the word."""
        head = [self._options]
        self._add_progress(state, seat, head)
        self._add_cards(state, seat, head)
        self._add_tiles(state, head)
        players: list[bytes] = []
        count: i64 = self._seats
        other: i64 = seat
        for _ in range(count):
            estate = self._estates[other]
            estate.update(state.players[other], self.options.components)
            players.append(estate.own if other == seat else estate.others)
            awards: i64 = 0
            for owner, _ in state.awards:
                if owner == other:
                    awards += 1
            players.append(_BYTE[awards])
            other = other + 1 if other + 1 < count else 0
        self._head = b"".join(head)
        self._players = b"".join(players)
        self._state = state
        self._n = state.n
        self._seat = seat

    def _page(self, state: State, seat: int, first: i64) -> bytes:
        """Return the segment `reserve` with the tiles from an index on."""
        reserve = state.players[seat].reserve
        count: i64 = len(reserve)
        if first >= count:
            return _NO_TILES[PAGE]
        parts: list[bytes] = []
        i: i64 = first
        end: i64 = first + PAGE
        while i < end and i < count:
            parts.append(self._features[reserve[i].order])
            i += 1
        parts.append(_NO_TILES[end - i])
        return b"".join(parts)

    def _add_progress(self, state: State, seat: int, parts: list[bytes]) -> None:
        """Append the segments from `step` to `piles`."""
        task = state.agenda
        count: i64 = self._seats
        if task is None:
            parts.append(_OVER)
        else:
            index: i64 = 0
            for step in _STEPS:
                if step is task.step:
                    break
                index += 1
            parts.append(_ONE_OF_SIX[index])
            parts.append(_BYTE[task.seat == seat])
            parts.append(_ONE_OF_SIX[(task.seat - seat + count) % count])
        parts.append(_ONE_OF_SIX[(state.turn - seat + count) % count])
        turns: i64 = state.turns
        parts.append(_SUM[turns if turns < 2 * MOST else 2 * MOST])
        announced: i64 = 0
        for letter in state.announced:
            announced |= 1 if letter == "A" else 2
        parts.append(_ANNOUNCED[announced])
        parts.append(_BYTE[state.marker])
        deck = state.deck
        parts.append(_BYTE[deck.size()])
        parts.append(_BYTE[state.pending is not None])
        if self._piles is not deck.piles or self._drawn != deck.drawn:
            self._piles = deck.piles
            self._drawn = deck.drawn
            self._of_piles = _pile_numbers(deck)
        parts.append(self._of_piles)

    def _add_cards(self, state: State, seat: int, parts: list[bytes]) -> None:
        """Append the segments from `unseen` to `display`."""
        unseen = _Purses()
        unseen.add(state.deck.pool)
        for card in state.deck.exchange:
            unseen.add_exchange(card)
        if not self._shows_hands:
            other: i64 = 0
            for player in state.players:
                if other != seat:
                    unseen.add_hand(player)
                other += 1
        unseen.write(parts)
        spent = _Purses()
        spent.add(state.discards)
        spent.write(parts)
        orders: list[int] = []
        for card in state.display:
            order: i64 = card.order
            rank: i64 = len(orders)
            while rank and orders[rank - 1] > order:
                rank -= 1
            orders.insert(rank, order)
        for order in orders:
            parts.append(_SHOWN[order])
        for _ in range(4 - len(orders)):
            parts.append(_ONE_OF_SIX[6])

    def _add_tiles(self, state: State, parts: list[bytes]) -> None:
        """Append the segments from `bags` to `dirk`."""
        self._add_bags(state, parts)
        features = self._features
        kinds = self.options.kinds
        is_alhambra = kinds[0] == ALHAMBRA
        is_combined = len(kinds) == 2
        for tile in state.yard:
            if not is_alhambra:
                parts.append(_NO_TILE)
            parts.append(_NO_TILE if tile is None else features[tile.order])
            if is_alhambra and not is_combined:
                parts.append(_NO_TILE)
        for waiting in state.tray:
            parts.append(features[waiting.order])
        parts.append(_NO_TILES[TRAY_SIZE - len(state.tray)])
        if state.huts:
            for hut in state.huts:
                parts.append(_NO_HUT if hut is None else _HUTS[hut.walls])
            for pile in state.piles:
                parts.append(_BYTE[len(pile)])
        else:
            parts.append(_NO_HUTS)
        dirk = state.dirk
        if dirk is None:
            parts.append(_NO_DIRK)
        else:
            if dirk.tiles is not self._given:
                self._given = dirk.tiles
                self._of_dirk = _types_of(dirk.tiles)
            parts.append(_BYTE[1])
            parts.append(_SUM[min(dirk.score, 2 * MOST)])
            parts.append(self._of_dirk)

    def _add_bags(self, state: State, parts: list[bytes]) -> None:
        """Append the segments of the bags."""
        index: i64 = 0
        for kind in self.options.kinds:
            bag = state.bags[index]
            index += 1
            if self._bags[kind] is not bag or self._sizes[kind] != len(bag):
                self._bags[kind] = bag
                self._sizes[kind] = len(bag)
                self._encoded[kind] = _bag_numbers(bag)
        parts.append(_BYTE[self._sizes[0]])
        parts.append(_BYTE[self._sizes[1]])
        parts.append(self._encoded[0])
        parts.append(self._encoded[1])


_NO_HUT: Final = bytes(5)
_HUTS: Final = [bytes([1, *[walls >> side & 1 for side in range(4)]]) for walls in range(16)]
_NO_HUTS: Final = bytes(36)
_NO_DIRK: Final = bytes(33)
_NO_TYPES: Final = bytes(30)
_NO_PILES: Final = bytes(20)
_NO_VIZIER: Final = bytes(2)
_ACTIVE: Final = b"\1\0"
_INACTIVE: Final = b"\0\1"
_NO_BONUS_CARDS: Final = bytes(21)


def _pile_numbers(deck: Deck) -> bytes:
    """Return the segment `piles`."""
    numbers = bytearray(_NO_PILES)
    at = 0
    drawn = deck.drawn
    for pile in deck.piles:
        score = pile.score
        numbers[at] = pile.size - drawn
        if score is not None:
            numbers[at + 1 if score.name == "A" else at + 2] = 1
        numbers[at + 3] = pile.exchange
        drawn = 0
        at += 4
    return bytes(numbers)


def _bag_numbers(bag: list[Tile]) -> bytes:
    """Return 1 for each tile in a bag."""
    numbers = bytearray(_NO_BAG)
    for tile in bag:
        order: i64 = tile.order
        numbers[order if order < 54 else (order - 100) // 2] = 1
    return bytes(numbers)


def _types_of(tiles: tuple[Tile, ...]) -> bytes:
    """Return the number of tiles and the highest price by type."""
    numbers = bytearray(30)
    for tile in tiles:
        numbers[tile.type] = numbers[tile.type] + 1
        if numbers[15 + tile.type] < tile.price:
            numbers[15 + tile.type] = tile.price
    return bytes(numbers)


def _word_numbers(word: list[int]) -> bytes:
    """Return the segment `word`."""
    numbers = bytearray(_NO_WORD)
    for token in word:
        if token < CELL:
            numbers[token] = numbers[token] + 1
    return bytes(numbers)


def _add_bonus(box: Components, player: Player, is_own: bool, parts: list[bytes]) -> None:
    """Append the segments `bonus`, `hidden bonus` and `revealed`; others know only the cards they have seen (13.3)."""
    known = bytearray(_NO_BONUS)
    revealed = bytearray(_NO_BONUS)
    hidden = 0
    for card in player.bonus:
        if card is not None and (is_own or card in player.seen_bonus):
            known[box.bonus.index(card)] = 1
        else:
            hidden += 1
    for card in player.revealed:
        revealed[box.bonus.index(card)] = 1
    parts.append(bytes(known))
    parts.append(_BYTE[hidden])
    parts.append(bytes(revealed))
