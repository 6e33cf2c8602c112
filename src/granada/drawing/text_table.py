"""The whole table as text for the terminal, at most 100 columns wide unless a city is wider."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent, wrap
from typing import Final

from granada.drawing.shown import Shown
from granada.drawing.text import draw_city
from granada.drawing.words import city_summary, counted
from granada.rules.money import CURRENCIES, LETTERS
from granada.rules.state import State
from granada.rules.tiles import GRANADA, KINDS, Tile, by_order, walls_text
from granada.rules.view import View

WIDTH: Final = 100
_LABEL: Final = 9
_COLUMN: Final = (WIDTH - _LABEL) // 4


def draw_table(piece: State | View, names: Sequence[str] | None = None) -> str:
    """The yard, the cards, the supply and every player's side of the table."""
    shown = Shown(piece, names)
    lines = wrap(shown.heading(), WIDTH)
    lines += ["", *_yard(shown.table), *_supply(shown), *_huts(shown.table)]
    for seat in range(len(shown.names)):
        lines += ["", *_player(shown, seat)]
    dirk = shown.table.dirk
    if dirk is not None:
        tiles = sorted(dirk.tiles, key=by_order)
        lines += ["", f"Dirk: {counted(dirk.score, 'point')}", *_list("tiles", [tile.name for tile in tiles])]
    return "\n".join([line.rstrip() for line in lines])


def _list(label: str, words: Sequence[str]) -> list[str]:
    """A labelled list of words, on as many lines as it needs; nothing is shown as a dash."""
    text = " ".join(words) or "-"
    first = f"{label:<{_LABEL}}"
    return wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * _LABEL, break_on_hyphens=False)


def _face(tile: Tile) -> str:
    """A name that also tells the moats of a Granada tile."""
    return f"{tile.name} ~{walls_text(tile.walls)}" if tile.kind == GRANADA and tile.walls else tile.name


def _yard(table: State) -> list[str]:
    """1.9, 10.2: a column a space; below a Granada tile its back."""
    kinds = len(table.options.kinds)
    rows = [[f"{i + 1} {name} {LETTERS[i]}" for i, name in enumerate(CURRENCIES)]]
    for half in range(kinds):
        tiles = [table.yard[space * kinds + half] for space in range(4)]
        rows.append([_face(tile) if tile is not None else "-" for tile in tiles])
        if any([tile is not None and tile.back is not None for tile in tiles]):
            rows.append([f"  back {tile.back.name}" if tile is not None and tile.back else "" for tile in tiles])
    lines: list[str] = []
    for i, row in enumerate(rows):
        lines.append(f"{'yard' if not i else '':<{_LABEL}}" + "".join([f"{word:<{_COLUMN}}" for word in row]))
    return lines


def _supply(shown: Shown) -> list[str]:
    """1.2, 1.9, 1.10: the display, and what is left."""
    table = shown.table
    left = [f"deck {shown.deck_size}", f"discards {len(table.discards)}"]
    if shown.score_cards():
        left.append(f"score cards to come {shown.score_cards()}")
    for half, bag in enumerate(table.bags):
        left.append(f"bag of {KINDS[table.options.kinds[half]].capitalize()} {len(bag)}")
    if GRANADA in table.options.kinds:
        left.append(f"marker {shown.marker()}")
    lines = _list("display", [card.name for card in table.display])
    if table.announced:
        lines += _list("scoring", table.announced)
    return lines + _list("left", [", ".join(left)])


def _huts(table: State) -> list[str]:
    """14.1: the face-up huts, with the number of those below."""
    if not table.huts:
        return []
    words = [f"{hut.name} (+{len(table.piles[i])})" for i, hut in enumerate(table.huts) if hut is not None]
    return _list("huts", words)


def _player(shown: Shown, seat: int) -> list[str]:
    table = shown.table
    player = table.players[seat]
    is_deciding = not table.is_over and seat == table.seat
    lines = [f"{shown.names[seat]}: {counted(player.score, 'point')}{', decides' if is_deciding else ''}"]
    hand = shown.hands[seat]
    hidden = counted(shown.hand_sizes[seat], "card")
    lines += _list("hand", [card.name for card in hand] if hand is not None else [hidden])
    lines += _list("reserve", [tile.name for tile in player.reserve])
    if table.to_place(seat):
        lines += _list("to place", [_face(tile) for tile in table.to_place(seat)])
    if player.vizier is not None:
        lines += _list("vizier", ["awake" if player.vizier else "asleep"])
    if "bonus" in table.options.modules:
        cards = [card.name if card is not None else "?" for card in player.bonus]
        lines += _list("bonus", cards + [f"{card.name} (revealed)" for card in player.revealed])
    lines += _list("city", [city_summary(player.city)])
    return lines + indent(draw_city(player.city), "  ").split("\n")
