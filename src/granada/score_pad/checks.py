"""Checks for impossible entries of a score pad: more tiles than exist, prices that no tile has, and so on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from granada.rules.components import HUT_COUNTS
from granada.rules.events import DIRK
from granada.rules.huts import HUT_LIMIT
from granada.rules.options import Options
from granada.rules.scoring import GRANADA_FACTORS, SCORINGS
from granada.rules.setup import BONUS_CARDS
from granada.rules.tiles import ALHAMBRA, ALHAMBRA_TYPES, GRANADA, TYPES
from granada.score_pad.entries import SeatEntry, kind_of, may_have, seated, stretches

#: The stable codes of problems with an entry.
CODES: Final = (
    "not_played",
    "not_for_dirk",
    "dirk_loses_tiles",
    "too_many_tiles",
    "too_many_bonus_cards",
    "bonus_card_without_tile",
    "too_many_huts",
    "hut_without_tile",
    "no_such_price",
    "price_without_tile",
    "price_too_low",
    "price_twice",
    "price_missing",
    "too_long",
)
#: 1.8, 14.5: the most tiles a hut counts for, because at least one of its edges has a wall.
_MOST_WORTH: Final = 3


@dataclass(frozen=True)
class EntryProblem:
    """An impossible entry; seat None: of all players together, item None: of no single type or stretch."""

    scoring: str
    seat: int | None
    item: str | None
    code: str
    rule: str
    detail: str


def pad_problems(options: Options, scorings: Mapping[str, Sequence[SeatEntry]]) -> list[EntryProblem]:
    """Return all impossible entries, scoring by scoring: first by seat, then of all players together."""
    found: list[EntryProblem] = []
    before: Sequence[SeatEntry] = ()
    for scoring in SCORINGS:
        if scoring in scorings:
            found += _Check(options, scoring, scorings[scoring], before).problems()
            before = scorings[scoring]
    return found


class _Check:
    """Checks one scoring; the entries of the scoring before show what Dirk had then."""

    def __init__(
        self, options: Options, scoring: str, entries: Sequence[SeatEntry], before: Sequence[SeatEntry]
    ) -> None:
        self._options: Final = options
        self._scoring: Final = scoring
        self._entries: Final = seated(options, entries)
        self._before: Final = dict(seated(options, before))
        self._types: Final = [type_ for type_ in range(len(TYPES)) if kind_of(type_) in options.kinds]
        #: 1.3, 1.4: the prices of all faces of each type.
        self._prices: Final[list[list[int]]] = [[] for _ in TYPES]
        for tile in (*options.components.alhambra, *options.components.granada):
            for face in (tile, tile.back):
                if face is not None:
                    self._prices[face.type].append(face.price)
        self._found: Final[list[EntryProblem]] = []

    def problems(self) -> list[EntryProblem]:
        """Return all problems."""
        for seat, entry in self._entries:
            self._check_lengths(seat, entry)
            for type_ in range(len(TYPES)):
                self._check_type(seat, entry, type_)
            self._check_cards(seat, entry)
            self._check_huts(seat, entry)
        self._check_lengths_together()
        for type_ in self._types:
            self._check_tiles_together(type_)
            if kind_of(type_) == GRANADA:
                self._check_prices_together(type_)
            else:
                self._check_cards_together(type_)
                self._check_huts_together(type_)
        self._check_granada_tiles()
        return self._found

    def _note(self, seat: int | None, item: str | None, code: str, rule: str, detail: str) -> None:
        self._found.append(EntryProblem(self._scoring, seat, item, code, rule, detail))

    # Walls, moats and runs

    def _check_lengths(self, seat: int, entry: SeatEntry) -> None:
        for word, length in entry.lengths().items():
            if not length:
                continue
            if seat == DIRK:
                self._note(seat, word, "not_for_dirk", "9.4", f"Dirk scores no {word}")
            elif word not in stretches(self._options):
                self._note(seat, word, "not_played", "15", f"no {word} is scored in this edition")
            elif word == "run" and length > min(entry.wall, entry.moat):
                detail = f"the run has {length} edges, but it is a part of the wall and of the moat"
                self._note(seat, word, "too_long", "10.7", detail)
            elif word != "run" and length > self._edges(word):
                detail = f"the {word} has {length} edges, but all tiles together have only {self._edges(word)}"
                self._note(seat, word, "too_long", "7.2", detail)

    def _check_lengths_together(self) -> None:
        """7.2: every edge belongs to one tile, and every tile to one city."""
        for word in ("wall", "moat"):
            lengths = [entry.lengths()[word] for seat, entry in self._entries if seat != DIRK]
            most = self._edges(word)
            if word in stretches(self._options) and max(lengths) <= most < sum(lengths):
                detail = f"the {word}s of all have {sum(lengths)} edges, but all tiles together have only {most}"
                self._note(None, word, "too_long", "7.2", detail)

    def _edges(self, word: str) -> int:
        """1.3, 1.4, 1.8: return the number of edges with a wall or a moat."""
        box = self._options.components
        huts = box.huts if "huts" in self._options.modules else ()
        tiles = (*box.alhambra, *huts) if word == "wall" else box.granada
        return sum([tile.walls.bit_count() for tile in tiles])

    # Tiles and prices

    def _check_type(self, seat: int, entry: SeatEntry, type_: int) -> None:
        count, price, word = entry.counts[type_], entry.highest[type_], TYPES[type_]
        if type_ not in self._types:
            if count or price:
                self._note(seat, word, "not_played", "15", f"there is no {word} in this edition")
            return
        cheap = len([one for one in self._prices[type_] if one <= price])
        if price and price not in self._prices[type_]:
            self._note(seat, word, "no_such_price", _printed(type_), f"no {word} has the price {price}")
        elif price and not count:
            self._note(seat, word, "price_without_tile", "7.4", f"a price of {price} is given, but no {word}")
        elif price and count > cheap:
            detail = f"there are {cheap} {word} up to the price {price}: so one of {count} must cost more"
            self._note(seat, word, "price_too_low", _printed(type_), detail)
        if seat in self._before and seat == DIRK and count < self._before[seat].counts[type_]:
            detail = f"Dirk had {self._before[seat].counts[type_]} {word} before, and nobody takes tiles from him"
            self._note(seat, word, "dirk_loses_tiles", "9.2", detail)

    def _check_tiles_together(self, type_: int) -> None:
        count, most = sum([entry.counts[type_] for _, entry in self._entries]), len(self._prices[type_])
        if count > most:
            detail = f"all together have {count} {TYPES[type_]}, but there are only {most}"
            self._note(None, TYPES[type_], "too_many_tiles", _printed(type_), detail)

    def _check_granada_tiles(self) -> None:
        """1.4: a tile shows only one of its two faces."""
        count = sum([sum(entry.counts[len(ALHAMBRA_TYPES) :]) for _, entry in self._entries])
        most = len(self._options.components.granada)
        if GRANADA in self._options.kinds and count > most:
            detail = f"all together have {count} Granada tiles, but there are only {most}, each with one face up"
            self._note(None, None, "too_many_tiles", "1.4", detail)

    def _check_prices_together(self, type_: int) -> None:
        """1.4, 7.4: prices are unique within a type, and needed where a tie decides about points."""
        word = TYPES[type_]
        owners = [(seat, e.counts[type_], e.highest[type_]) for seat, e in self._entries if e.counts[type_]]
        prices = [price for _, _, price in owners if price]
        falling = sorted([count for _, count, _ in owners], reverse=True)
        places = len(GRANADA_FACTORS[SCORINGS.index(self._scoring)])
        for seat, count, price in owners:
            if prices.count(price) > 1:
                self._note(seat, word, "price_twice", "1.4", f"there is only one {word} with the price {price}")
            elif not price and falling.count(count) > 1 and falling.index(count) < places:
                detail = f"others have {count} {word}, too: the highest price decides, and it is missing"
                self._note(seat, word, "price_missing", "7.4", detail)
        for price in sorted(set(prices)):
            # Players whose highest price is low cannot have more tiles together than there are at that price or below.
            counts = [count for _, count, highest in owners if 0 < highest <= price]
            cheap = len([one for one in self._prices[type_] if one <= price])
            if max(counts) <= cheap < sum(counts):
                detail = f"there are {cheap} {word} up to the price {price}, not {sum(counts)}"
                self._note(None, word, "price_too_low", "1.4", detail)
                break

    # Bonus cards

    def _check_cards(self, seat: int, entry: SeatEntry) -> None:
        """13.1, 13.2: the number of cards is limited, and a card is revealed by the player who has built its tile."""
        for type_, cards in enumerate(entry.bonus):
            if cards and self._can_have(seat, "bonus", type_) and cards > entry.counts[type_]:
                detail = f"{cards} bonus cards are revealed, but only {entry.counts[type_]} {TYPES[type_]} are built"
                self._note(seat, TYPES[type_], "bonus_card_without_tile", "13.2", detail)
        revealed = sum([self._cards(seat, entry, type_) for type_ in range(len(TYPES))])
        dealt = BONUS_CARDS[self._options.players]
        if revealed > dealt:
            detail = f"{revealed} bonus cards are revealed, but everybody got only {dealt}"
            self._note(seat, None, "too_many_bonus_cards", "13.1", detail)

    def _check_cards_together(self, type_: int) -> None:
        revealed = sum([self._cards(seat, entry, type_) for seat, entry in self._entries])
        most = len([tile for tile in self._options.components.bonus if tile.type == type_])
        if revealed > most:
            detail = f"all together have revealed {revealed} bonus cards of {TYPES[type_]}, but there are only {most}"
            self._note(None, TYPES[type_], "too_many_bonus_cards", "1.7", detail)

    def _cards(self, seat: int, entry: SeatEntry, type_: int) -> int:
        return entry.bonus[type_] if may_have(self._options, seat, "bonus", type_) else 0

    # Huts

    def _check_huts(self, seat: int, entry: SeatEntry) -> None:
        """14.4, 14.5: a player owns at most three huts, and they count for adjacent buildings."""
        for type_, worth in enumerate(entry.huts):
            if worth and self._can_have(seat, "huts", type_) and not entry.counts[type_]:
                detail = f"huts count for neighbouring {TYPES[type_]}, and none is built"
                self._note(seat, TYPES[type_], "hut_without_tile", "14.5", detail)
        huts = sum([self._huts(seat, entry, type_) for type_ in range(len(TYPES))])
        if huts > HUT_LIMIT:
            detail = f"this takes {huts} huts, and nobody owns more than {HUT_LIMIT}"
            self._note(seat, None, "too_many_huts", "14.4", detail)

    def _check_huts_together(self, type_: int) -> None:
        huts = sum([self._huts(seat, entry, type_) for seat, entry in self._entries])
        if huts > HUT_COUNTS[type_]:
            detail = f"this takes {huts} {TYPES[type_]} huts, but there are only {HUT_COUNTS[type_]}"
            self._note(None, TYPES[type_], "too_many_huts", "1.8", detail)

    def _huts(self, seat: int, entry: SeatEntry, type_: int) -> int:
        """14.5: return the fewest huts that count for this many tiles: a hut counts for built tiles only."""
        each = min(_MOST_WORTH, entry.counts[type_])
        return -(-entry.huts[type_] // each) if each and may_have(self._options, seat, "huts", type_) else 0

    def _can_have(self, seat: int, module: str, type_: int) -> bool:
        """Return whether a seat can have bonus cards or huts of a type, and note a problem if not."""
        if may_have(self._options, seat, module, type_):
            return True
        what, rule = {"bonus": ("bonus cards", "13.1"), "huts": ("huts", "14.3")}[module]
        if seat == DIRK:
            self._note(seat, TYPES[type_], "not_for_dirk", rule, f"Dirk has no {what}")
        elif module not in self._options.modules:
            self._note(seat, TYPES[type_], "not_played", "15", f"the {what} are not played")
        else:
            self._note(seat, TYPES[type_], "not_played", "15", f"there are no {what} of {TYPES[type_]}")
        return False


def _printed(type_: int) -> str:
    """Return the rule that lists the tiles of a type."""
    return "1.3" if kind_of(type_) == ALHAMBRA else "1.4"
