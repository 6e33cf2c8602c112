"""The majorities (7.3, 7.4) and the longest walls (7.2) of all players, as a table."""

from __future__ import annotations

from typing import Final

from granada.drawing.canvas import Canvas
from granada.drawing.cities import paint_swatch
from granada.drawing.palette import BRASS_FILL, INK, LINE, QUIET
from granada.drawing.panels import PAD, paint_panel, paint_token, paint_type
from granada.rules.events import DIRK
from granada.rules.scoring import holdings, score_rows
from granada.rules.state import State
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import ALHAMBRA, ALHAMBRA_TYPES, GRANADA, TYPES

_ROW: Final = 20.0


def _rows(table: State) -> list[tuple[str, int]]:
    """10.7: return what is scored, in scoring order: a word and, for types, the index of the type."""
    kinds = table.options.kinds
    rows = [(word, -1) for kind, word in ((ALHAMBRA, "wall"), (GRANADA, "moat")) if kind in kinds]
    if len(kinds) > 1:
        rows.append(("run", -1))
    for type_ in range(len(TYPES)):
        if (ALHAMBRA if type_ < len(ALHAMBRA_TYPES) else GRANADA) in kinds:
            rows.append((TYPES[type_], type_))
    return rows


def majorities_height(table: State) -> float:
    """Return the height of the panel."""
    return 44 + len(_rows(table)) * _ROW + PAD


def paint_majorities(canvas: Canvas, table: State, x: float, y: float, width: float, height: float) -> None:
    """7.3, 7.4: draw the counts of all players for everything that is scored; the leader's is on brass."""
    paint_panel(canvas, x, y, width, height, canvas.speech.say("picture.majorities"))
    held = holdings(table)
    first = {(row.item, row.seat) for row in score_rows(table, "A") if row.place == 1}
    column = min(56.0, (width - 2 * PAD - 118) / len(held))
    left = x + width - PAD - column * len(held)
    for i, holding in enumerate(held):
        paint_token(canvas, holding.seat, left + i * column + column / 2 - 10, y + 14, 20)
    row_height = (height - 44 - PAD) / len(_rows(table))
    for number, (word, type_) in enumerate(_rows(table)):
        top = y + 44 + number * row_height
        middle = top + row_height / 2
        canvas.path(f"M{x + PAD:g} {top:.2f}H{x + width - PAD:g}", "none", f' stroke="{LINE}"')
        if type_ >= 0:
            paint_type(canvas, type_, x + PAD, middle - 9, 18)
        else:
            paint_swatch(canvas, word, x + PAD, middle - 5, 18, 10)
        name = canvas.speech.type(type_) if type_ >= 0 else canvas.speech.stretch(word)
        canvas.text(x + PAD + 27, middle + 5, name, 14, room=left - x - PAD - 31)
        for i, holding in enumerate(held):
            count = holding.counts[type_] if type_ >= 0 else _length(table, holding.seat, word)
            is_first = type_ >= 0 and (TYPES[type_], holding.seat) in first
            centre = left + i * column + column / 2
            if is_first:
                canvas.box(centre - 12, middle - 9.5, 24, 19, BRASS_FILL, 5)
            fill = INK if count else QUIET
            canvas.text(centre, middle + 5, str(count) if count >= 0 else "", 14, fill, "middle", is_bold=count > 0)


def _length(table: State, seat: int, word: str) -> int:
    """7.2: return the longest wall, moat or run of a seat; Dirk has none (9.4)."""
    what = {"wall": WALL, "moat": MOAT, "run": RUN}[word]
    return table.players[seat].city.stretch(what) if seat != DIRK else -1
