"""Observations: what a seat may see (16) as bytes, in the order of `layout`.

The encoder reads the state directly, because a view copies it; tests compare it with an encoding of the view at every
decision of a game of every set-up. What rarely changes is kept: cities, reserves, bags and the yard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from granada.learning.layout import FEATURES, MOST, PLANES_SIZE, size_of
from granada.learning.tokens import CELL, CELLS, MORE, PAGE, REACH, SHIFT, TRAY_SIZE, WIDTH
from granada.rules.bonus import REVEALING
from granada.rules.cells import x_of, y_of
from granada.rules.city import City
from granada.rules.components import Components
from granada.rules.deck import Deck, Pile, purses_of
from granada.rules.flow import ACTING
from granada.rules.money import CARDS, MONEY, Card, worth
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


def _write_cards(yellow: i64, green: i64, blue: i64, orange: i64, exchange: i64, parts: list[bytes]) -> None:
    """Append the copies of each card, in the order of the cards: of purses, and a set of exchange cards."""
    parts.append(_EXCHANGE[exchange])
    parts.append(_HIGH[yellow >> 10])
    parts.append(_LOW[yellow & 1023])
    parts.append(_HIGH[green >> 10])
    parts.append(_LOW[green & 1023])
    parts.append(_HIGH[blue >> 10])
    parts.append(_LOW[blue & 1023])
    parts.append(_HIGH[orange >> 10])
    parts.append(_LOW[orange & 1023])


def _exchange_bits(cards: tuple[Card, ...]) -> i64:
    """Return a bit for each of some exchange cards."""
    bits: i64 = 0
    for card in cards:
        bit: i64 = _BIT[card.order]
        bits |= bit
    return bits


@final
class _Estate:
    """What was encoded of a player, kept until it changes."""

    __slots__ = (
        "_blue",
        "_bonus",
        "_built",
        "_city",
        "_exchange",
        "_green",
        "_is_own_stale",
        "_orange",
        "_others",
        "_own",
        "_reserve",
        "_revealed",
        "_score",
        "_seen_bonus",
        "_shows",
        "_stored",
        "_tail_of_others",
        "_tail_of_own",
        "_vizier",
        "_yellow",
        "planes",
    )

    def __init__(self, shows: bool) -> None:
        #: Whether the others see the hand.
        self._shows: Final = shows
        #: The list of the built tiles; a city replaces it at every change.
        self._built: list[Tile] | None = None
        self._city = b""
        self.planes = _NO_PLANES
        self._stored: tuple[Tile, ...] | None = None
        self._reserve = b""
        self._score: i64 = -1
        self._yellow: i64 = 0
        self._green: i64 = 0
        self._blue: i64 = 0
        self._orange: i64 = 0
        self._exchange: tuple[Card, ...] = ()
        self._vizier: bool | None = None
        self._bonus: tuple[Tile | None, ...] = ()
        self._seen_bonus: tuple[Tile, ...] = ()
        self._revealed: tuple[Tile, ...] = ()
        #: The segments from `points` to `money`, as the player and as the others see them; the own ones are encoded
        #: when they are needed.
        self._own = b""
        self._is_own_stale = True
        self._others = b""
        #: The segments from `vizier` to `stretches`.
        self._tail_of_own = b""
        self._tail_of_others = b""

    def add(self, player: Player, box: Components, is_own: bool, parts: list[bytes]) -> None:
        """Append the segments of the player without `awards`; encode again what has changed."""
        tiles = player.city.tiles()
        if tiles is not self._built:
            self._built = tiles
            self.planes = _draw(player.city, 0, 0)
            self._city = _city_numbers(player.city, tiles)
            self._encode_tail(player, box)
        elif not (
            player.reserve is self._stored
            and player.vizier is self._vizier
            and player.bonus is self._bonus
            and player.seen_bonus is self._seen_bonus
            and player.revealed is self._revealed
        ):
            self._encode_tail(player, box)
        purses = player.purses
        yellow: i64 = purses[0]
        green: i64 = purses[1]
        blue: i64 = purses[2]
        orange: i64 = purses[3]
        score: i64 = player.score
        if not (
            yellow == self._yellow
            and green == self._green
            and blue == self._blue
            and orange == self._orange
            and score == self._score
            and player.exchange is self._exchange
        ):
            self._yellow = yellow
            self._green = green
            self._blue = blue
            self._orange = orange
            self._score = score
            self._exchange = player.exchange
            self._is_own_stale = True
            points = _SUM[score if score < 2 * MOST else 2 * MOST]
            self._others = b"".join([points, _BYTE[player.hand_size()], _NO_HAND])
        if is_own or self._shows:
            if self._is_own_stale:
                self._own = self._with_hand()
                self._is_own_stale = False
            parts.append(self._own)
        else:
            parts.append(self._others)
        parts.append(self._tail_of_own if is_own else self._tail_of_others)

    def _with_hand(self) -> bytes:
        """Return the segments from `points` to `money` with the cards in hand."""
        yellow, green, blue, orange = self._yellow, self._green, self._blue, self._orange
        parts = [self._others[:3]]
        _write_cards(yellow, green, blue, orange, _exchange_bits(self._exchange), parts)
        parts.append(_BYTE[worth(yellow)])
        parts.append(_BYTE[worth(green)])
        parts.append(_BYTE[worth(blue)])
        parts.append(_BYTE[worth(orange)])
        return b"".join(parts)

    def _encode_tail(self, player: Player, box: Components) -> None:
        if player.reserve is not self._stored:
            self._stored = player.reserve
            self._reserve = _reserve_numbers(player.reserve)
        vizier = player.vizier
        self._vizier = vizier
        self._bonus = player.bonus
        self._seen_bonus = player.seen_bonus
        self._revealed = player.revealed
        of_vizier = _NO_VIZIER if vizier is None else _ACTIVE if vizier else _INACTIVE
        if player.bonus or player.revealed:
            own = _bonus_numbers(box, player, True)
            others = _bonus_numbers(box, player, False)
            self._tail_of_own = b"".join([of_vizier, own, self._reserve, self._city])
            self._tail_of_others = b"".join([of_vizier, others, self._reserve, self._city])
        else:
            self._tail_of_own = b"".join([of_vizier, _NO_BONUS_CARDS, self._reserve, self._city])
            self._tail_of_others = self._tail_of_own


def _clip(number: i64) -> i64:
    return number if number < MOST else MOST


def _city_numbers(city: City, tiles: list[Tile]) -> bytes:
    """Return the segments from `city size` to `stretches`."""
    numbers = [0] * 36
    huts: i64 = 0
    for tile in tiles:
        if tile.is_hut:
            huts += 1
        elif tile.type != NO_TYPE:
            at: i64 = 2 + tile.type
            count: i64 = numbers[at]
            numbers[at] = count + 1
            highest: i64 = numbers[at + 15]
            if highest < tile.price:
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
    return bytes(numbers)


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
        "_deck",
        "_discards",
        "_display",
        "_encoded",
        "_estates",
        "_features",
        "_given",
        "_n",
        "_of_bags",
        "_of_dirk",
        "_of_discards",
        "_of_display",
        "_of_piles",
        "_of_tray",
        "_of_yard",
        "_options",
        "_parts",
        "_piles",
        "_points",
        "_refills",
        "_room",
        "_seat",
        "_seats",
        "_shown",
        "_shows_hands",
        "_sizes",
        "_spent",
        "_state",
        "_tray",
        "_up",
        "_yard",
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
        self._of_bags = bytes(2 + 2 * 54)
        #: The yard when it was last encoded.
        self._yard: list[Tile | None] = []
        self._of_yard = b""
        #: The tray, the face-up huts, and the tiles and points of Dirk when they were last encoded.
        self._tray: tuple[Tile, ...] | None = None
        self._up: tuple[Tile | None, ...] = ()
        self._given: tuple[Tile, ...] = ()
        self._points = -1
        self._of_dirk = _NO_TYPES
        self._of_tray = b""
        #: The piles of the deck when they were last encoded, without the size of the first.
        self._piles: tuple[Pile, ...] = ()
        self._of_piles = _NO_PILES
        #: The display and the discards when they were last encoded: discards only become more up to the next refill.
        self._display: tuple[Card, ...] | None = None
        self._of_display = b""
        self._deck: Deck | None = None
        self._refills = 0
        self._discards: list[Card] = []
        self._spent = -1
        self._of_discards = b""
        #: The last decision, the parts of its observation up to the planes, and the index of `reserve` and `word`.
        self._state: State | None = None
        self._n = -1
        self._seat = -1
        self._parts: list[bytes] = []
        self._room: i64 = 0
        #: The planes at each place of the observation that is kept.
        self._shown: Final = [b""] * self._seats
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

    def observe(
        self,
        state: State,
        seat: int,
        out: memoryview,
        at: int = 0,
        word: list[int] | None = None,
        is_kept: bool = False,
    ) -> None:
        """Write the observation of a seat, `size` bytes from an index on; `word` has the tokens it chose so far.

        `is_kept` says that these bytes are still what the last call with it has written.
        """
        if not word or self._state is not state or self._n != state.n or self._seat != seat:
            self._encode(state, seat)
        parts = self._parts
        if word:
            parts[self._room] = self._page(state, seat, PAGE * word.count(MORE))
            parts[self._room + 1] = _word_numbers(word)
        else:
            parts[self._room] = self._page(state, seat, 0)
            parts[self._room + 1] = _NO_WORD
        flat = b"".join(parts)
        start: i64 = at
        end: i64 = start + len(flat)
        out[start:end] = flat
        is_shifted = bool(word) and word is not None and word[len(word) - 1] >= SHIFT  # because a cell ends the word
        count: i64 = self._seats
        other: i64 = seat
        place: i64 = 0
        while place < count:
            planes = self._estates[other].planes
            if is_shifted and place == 0 and word is not None:
                across = word.count(SHIFT + 1) - word.count(SHIFT + 3)
                down = word.count(SHIFT + 2) - word.count(SHIFT)
                planes = _draw(state.players[seat].city, across, down)
            start = end
            end += PLANES_SIZE
            if not is_kept:
                out[start:end] = planes
            elif self._shown[place] is not planes:
                self._shown[place] = planes
                out[start:end] = planes
            place += 1
            other = other + 1 if other + 1 < count else 0

    def _encode(self, state: State, seat: int) -> None:
        """Encode all segments that do not depend on the word, and leave room for the others."""
        parts = [self._options]
        self._add_progress(state, seat, parts)
        self._add_cards(state, seat, parts)
        self._add_tiles(state, parts)
        self._room = len(parts)
        parts.append(b"")
        parts.append(b"")
        self._parts = parts
        count: i64 = self._seats
        other: i64 = seat
        for _ in range(count):
            self._estates[other].add(state.players[other], self.options.components, other == seat, parts)
            awards: i64 = 0
            if state.awards:
                for owner, _ in state.awards:
                    if owner == other:
                        awards += 1
            parts.append(_BYTE[awards])
            other = other + 1 if other + 1 < count else 0
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
        piles = deck.piles
        if self._piles is not piles:
            self._piles = piles
            self._of_piles = _pile_numbers(piles)
        parts.append(_BYTE[piles[0].size - deck.drawn] if piles else _BYTE[0])
        parts.append(self._of_piles)

    def _add_cards(self, state: State, seat: int, parts: list[bytes]) -> None:
        """Append the segments from `unseen` to `display`."""
        deck = state.deck
        purses = deck.purses()
        yellow: i64 = purses[0]
        green: i64 = purses[1]
        blue: i64 = purses[2]
        orange: i64 = purses[3]
        exchange: i64 = purses[4]
        if deck.exchange:
            exchange |= _exchange_bits(deck.exchange)
        if not self._shows_hands:
            other: i64 = 0
            for player in state.players:
                if other != seat:
                    purses = player.purses
                    yellow += purses[0]
                    green += purses[1]
                    blue += purses[2]
                    orange += purses[3]
                    if player.exchange:
                        exchange |= _exchange_bits(player.exchange)
                other += 1
        _write_cards(yellow, green, blue, orange, exchange, parts)
        discards = state.discards
        if not (
            self._deck is deck
            and self._refills == deck.refills
            and self._discards is discards
            and self._spent == len(discards)
        ):
            self._deck = deck
            self._refills = deck.refills
            self._discards = discards
            self._spent = len(discards)
            self._of_discards = _card_numbers(discards)
        parts.append(self._of_discards)
        if self._display is not state.display:
            self._display = state.display
            self._of_display = _display_numbers(state.display)
        parts.append(self._of_display)

    def _add_tiles(self, state: State, parts: list[bytes]) -> None:
        """Append the segments from `bags` to `dirk`."""
        index: i64 = 0
        is_changed = False
        for kind in self.options.kinds:
            bag = state.bags[index]
            index += 1
            if self._bags[kind] is not bag or self._sizes[kind] != len(bag):
                self._bags[kind] = bag
                self._sizes[kind] = len(bag)
                self._encoded[kind] = _bag_numbers(bag)
                is_changed = True
        if is_changed:
            sizes = self._sizes
            self._of_bags = b"".join([_BYTE[sizes[0]], _BYTE[sizes[1]], self._encoded[0], self._encoded[1]])
        parts.append(self._of_bags)
        if self._yard != state.yard:
            self._yard = state.yard.copy()
            self._of_yard = self._yard_numbers(self._yard)
        parts.append(self._of_yard)
        dirk = state.dirk
        if not (
            self._tray is state.tray
            and self._up is state.huts
            and (dirk is None or (self._given is dirk.tiles and self._points == dirk.score))
        ):
            self._encode_tray(state)
        parts.append(self._of_tray)

    def _yard_numbers(self, yard: list[Tile | None]) -> bytes:
        """Return the segment `yard`."""
        features = self._features
        kinds = self.options.kinds
        is_alhambra = kinds[0] == ALHAMBRA
        is_combined = len(kinds) == 2
        parts: list[bytes] = []
        for tile in yard:
            if not is_alhambra:
                parts.append(_NO_TILE)
            parts.append(_NO_TILE if tile is None else features[tile.order])
            if is_alhambra and not is_combined:
                parts.append(_NO_TILE)
        return b"".join(parts)

    def _encode_tray(self, state: State) -> None:
        """Encode the segments from `tray` to `dirk`."""
        features = self._features
        parts = [features[waiting.order] for waiting in state.tray]
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
            self._points = dirk.score
            parts.append(_BYTE[1])
            parts.append(_SUM[min(dirk.score, 2 * MOST)])
            parts.append(self._of_dirk)
        self._tray = state.tray
        self._up = state.huts
        self._of_tray = b"".join(parts)


_NO_HUT: Final = bytes(5)
_HUTS: Final = [bytes([1, *[walls >> side & 1 for side in range(4)]]) for walls in range(16)]
_NO_HUTS: Final = bytes(36)
_NO_DIRK: Final = bytes(33)
_NO_TYPES: Final = bytes(30)
_NO_PILES: Final = bytes(19)
_NO_VIZIER: Final = bytes(2)
_ACTIVE: Final = b"\1\0"
_INACTIVE: Final = b"\0\1"
_NO_BONUS_CARDS: Final = bytes(21)


def _pile_numbers(piles: tuple[Pile, ...]) -> bytes:
    """Return the segment `piles` without its first number."""
    numbers = bytearray(_NO_PILES)
    at = 0
    for pile in piles:
        score = pile.score
        if at:
            numbers[at - 1] = pile.size
        if score is not None:
            numbers[at if score.name == "A" else at + 1] = 1
        numbers[at + 2] = pile.exchange
        at += 4
    return bytes(numbers)


def _card_numbers(cards: list[Card]) -> bytes:
    """Return the copies of each card."""
    parts: list[bytes] = []
    purses = purses_of(cards)
    _write_cards(purses[0], purses[1], purses[2], purses[3], purses[4], parts)
    return b"".join(parts)


def _display_numbers(display: tuple[Card, ...]) -> bytes:
    """Return the segment `display`."""
    orders: list[int] = []
    for card in display:
        order: i64 = card.order
        rank: i64 = len(orders)
        while rank and orders[rank - 1] > order:
            rank -= 1
        orders.insert(rank, order)
    parts = [_SHOWN[order] for order in orders]
    for _ in range(4 - len(orders)):
        parts.append(_ONE_OF_SIX[6])
    return b"".join(parts)


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


def _bonus_numbers(box: Components, player: Player, is_own: bool) -> bytes:
    """Return the segments `bonus`, `hidden bonus` and `revealed`; others know only the cards they have seen (13.3)."""
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
    return b"".join([bytes(known), _BYTE[hidden], bytes(revealed)])
