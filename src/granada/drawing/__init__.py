"""Text and SVG pictures of tiles, cities and tables: for the README, the terminal, notebooks and tests.

May import: rules, records, locales. Start reading: `svg.py` for pictures, `text.py` for the terminal.
"""

from granada.drawing.svg import svg_city, svg_table, svg_tile
from granada.drawing.text import draw_city, parse_city, parse_marks
from granada.drawing.text_table import draw_table
from granada.rules.city import City
from granada.rules.state import State
from granada.rules.tiles import Tile
from granada.rules.view import View

__all__ = ["draw_city", "draw_table", "paint", "parse_city", "parse_marks", "svg_city", "svg_table", "svg_tile"]


def paint(piece: object) -> str:
    """Return the SVG of a tile, a city, a state or a view, for `granada.rules.pictures.use_painter`."""
    if isinstance(piece, Tile):
        return svg_tile(piece)
    if isinstance(piece, City):
        return svg_city(piece)
    if isinstance(piece, State | View):
        return svg_table(piece)
    raise TypeError(f"there is no picture of a {type(piece).__name__}")
