"""The whole table as text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent, wrap
from typing import Final

from granada.drawing.shown import Shown
from granada.drawing.text import WIDTH as CELL_WIDTH
from granada.drawing.text import draw_city
from granada.drawing.words import city_summary, counted
from granada.rules.money import CURRENCIES, LETTERS
from granada.rules.state import State
from granada.rules.tiles import GRANADA, KINDS, Tile, by_order, walls_text
from granada.rules.view import View

WIDTH: Final = 100
_LABEL: Final = 9


def draw_table(
    piece: State | View, names: Sequence[str] | None = None, width: int | None = None, last: int | None = None
) -> str:
    """Draw the yard, the cards, the supply and every player's side of the table.

    Everything fits into a width that is given; without one, lines have at most 100 columns unless a city is wider. One
    seat may come last, after the yard: that of the player who reads it.
    """
    shown = Shown(piece, names)
    widest, width = width, WIDTH if width is None else width
    middle = ["", *_yard(shown.table, width), *_supply(shown, width), *_huts(shown.table, width)]
    lines = wrap(shown.heading(), width) + ([] if last is not None else middle)
    for seat in range(len(shown.names)):
        if seat != last:
            lines += ["", *_player(shown, seat, width, widest)]
    dirk = shown.table.dirk
    if dirk is not None:
        tiles = sorted(dirk.tiles, key=by_order)
        lines += ["", f"Dirk: {counted(dirk.score, 'point')}", *_list("tiles", [tile.name for tile in tiles], width)]
    if last is not None:
        lines += [*middle, "", *_player(shown, last, width, widest)]
    return "\n".join([line.rstrip() for line in lines])


def fit_city(drawing: str, width: int) -> str:
    """Split the drawing of a city that is too wide into parts, from west to east."""
    lines = drawing.split("\n")
    widest = max([len(line) for line in lines])
    if widest <= width:
        return drawing
    step = max(1, (width - 1) // (CELL_WIDTH + 1)) * (CELL_WIDTH + 1)
    parts: list[str] = []
    for start in range(0, widest - 1, step):
        parts += [line[start : start + step + 1].rstrip() for line in lines]
    return "\n".join(parts)


def _list(label: str, words: Sequence[str], width: int) -> list[str]:
    """Return a labelled list of words on as many lines as it needs; an empty list is a dash."""
    text = " ".join(words) or "-"
    first = f"{label:<{_LABEL}}"
    return wrap(text, width, initial_indent=first, subsequent_indent=" " * _LABEL, break_on_hyphens=False)


def _face(tile: Tile) -> str:
    """Return a name that includes the moats of a Granada tile."""
    return f"{tile.name} ~{walls_text(tile.walls)}" if tile.kind == GRANADA and tile.walls else tile.name


def _yard(table: State, width: int) -> list[str]:
    """1.9, 10.2: draw a column for each space, with the backs of Granada tiles, or a line each if it is too narrow."""
    kinds = len(table.options.kinds)
    rows = [[f"{i + 1} {name} {LETTERS[i]}" for i, name in enumerate(CURRENCIES)]]
    for half in range(kinds):
        tiles = [table.yard[space * kinds + half] for space in range(4)]
        rows.append([_face(tile) if tile is not None else "-" for tile in tiles])
        if any([tile is not None and tile.back is not None for tile in tiles]):
            rows.append([f"  back {tile.back.name}" if tile is not None and tile.back else "" for tile in tiles])
    column = (width - _LABEL) // 4
    if max([len(word) for row in rows for word in row]) >= column:
        first = 2 + max([len(word) for word in rows[0]])
        rows = [[f"{row[0]:<{first}}" + " ".join(row[1:])] for row in zip(*rows, strict=True)]
    lines: list[str] = []
    for i, row in enumerate(rows):
        lines.append(f"{'yard' if not i else '':<{_LABEL}}" + "".join([f"{word:<{column}}" for word in row]))
    return lines


def _supply(shown: Shown, width: int) -> list[str]:
    """1.2, 1.9, 1.10: draw the display, and what is left."""
    table = shown.table
    left = [f"deck {shown.deck_size}", f"discards {len(table.discards)}"]
    if shown.score_cards():
        left.append(f"score cards to come {shown.score_cards()}")
    for half, bag in enumerate(table.bags):
        left.append(f"bag of {KINDS[table.options.kinds[half]].capitalize()} {len(bag)}")
    if GRANADA in table.options.kinds:
        left.append(f"marker {shown.marker()}")
    lines = _list("display", [card.name for card in table.display], width)
    if table.announced:
        lines += _list("scoring", table.announced, width)
    return lines + _list("left", [", ".join(left)], width)


def _huts(table: State, width: int) -> list[str]:
    """14.1: draw the face-up huts, with the number of huts below."""
    if not table.huts:
        return []
    words = [f"{hut.name} (+{len(table.piles[i])})" for i, hut in enumerate(table.huts) if hut is not None]
    return _list("huts", words, width)


def _player(shown: Shown, seat: int, width: int, widest: int | None) -> list[str]:
    table = shown.table
    player = table.players[seat]
    is_deciding = not table.is_over and seat == table.seat
    lines = [f"{shown.names[seat]}: {counted(player.score, 'point')}{', decides' if is_deciding else ''}"]
    hand = shown.hands[seat]
    hidden = counted(shown.hand_sizes[seat], "card")
    lines += _list("hand", [card.name for card in hand] if hand is not None else [hidden], width)
    lines += _list("reserve", [tile.name for tile in player.reserve], width)
    if table.to_place(seat):
        lines += _list("to place", [_face(tile) for tile in table.to_place(seat)], width)
    if player.vizier is not None:
        lines += _list("vizier", ["awake" if player.vizier else "asleep"], width)
    if "bonus" in table.options.modules:
        cards = [card.name if card is not None else "?" for card in player.bonus]
        lines += _list("bonus", cards + [f"{card.name} (revealed)" for card in player.revealed], width)
    lines += _list("city", [city_summary(player.city)], width)
    drawing = draw_city(player.city)
    return lines + indent(drawing if widest is None else fit_city(drawing, widest - 2), "  ").split("\n")
