"""The map of packages (docs/architecture.md) as a picture: the site loads no program that could draw Mermaid's text."""

from __future__ import annotations

import re
from typing import Final

_BLOCK: Final = re.compile(r"^```mermaid\ngraph TD\n(?P<edges>(?: +\w+ --> \w+\n)+)```$", re.MULTILINE)
_WIDTH: Final = 116.0
_HEIGHT: Final = 34.0
_ACROSS: Final = 140
_DOWN: Final = 84.0
#: How often the order of each row is improved.
_ROUNDS: Final = 8


def with_pictures(text: str) -> str:
    """Return a document with a picture in the place of each graph."""
    return _BLOCK.sub(lambda found: _picture(re.findall(r"(\w+) --> (\w+)", found["edges"])), text)


def _rows(edges: list[tuple[str, str]]) -> list[list[str]]:
    """Return the packages row by row: each above all that it imports, and near them."""
    below = {name: [target for source, target in edges if source == name] for edge in edges for name in edge}
    heights: dict[str, int] = {}

    def height(name: str) -> int:
        if name not in heights:
            heights[name] = 1 + max([height(target) for target in below[name]], default=-1)
        return heights[name]

    rows: list[list[str]] = [[] for _ in range(1 + max([height(name) for name in below]))]
    for name in below:
        rows[height(name)].append(name)
    for _ in range(_ROUNDS):
        middles = {name: place - (len(row) - 1) / 2 for row in rows for place, name in enumerate(row)}
        near = {name: [one for edge in edges if name in edge for one in edge if one != name] for name in below}
        for row in rows:
            row.sort(key=lambda name: sum([middles[one] for one in near[name]]) / len(near[name]))
    return rows[::-1]


def _picture(edges: list[tuple[str, str]]) -> str:
    """Return a graph as SVG in the colours of the page."""
    rows = _rows(edges)
    width = max([len(row) for row in rows]) * _ACROSS
    middles = {
        name: (width / 2 + (place - (len(row) - 1) / 2) * _ACROSS, 30.0 + level * _DOWN)
        for level, row in enumerate(rows)
        for place, name in enumerate(row)
    }
    parts = []
    for source, target in edges:
        (x, y), (to_x, to_y) = middles[source], middles[target]
        y, to_y = y + _HEIGHT / 2, to_y - _HEIGHT / 2 - 5
        curve = f"M{x:g} {y:g}C{x:g} {y + 34:g} {to_x:g} {to_y - 34:g} {to_x:g} {to_y:g}"
        parts.append(f'<path d="{curve}" marker-end="url(#arrow)"/>')
    for name, (x, y) in middles.items():
        box = f'x="{x - _WIDTH / 2:g}" y="{y - _HEIGHT / 2:g}" width="{_WIDTH:g}" height="{_HEIGHT:g}" rx="6"'
        parts.append(f'<rect {box}/><text x="{x:g}" y="{y + 5:g}">{name}</text>')
    words = "; ".join(f"{source} imports {target}" for source, target in edges)
    arrow = '<marker id="arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    return (
        f'<svg class="map" viewBox="0 0 {width} {len(rows) * _DOWN - 14:g}" role="img">'
        f"<title>The map of packages</title><desc>{words}</desc>"
        f'<defs>{arrow}<path d="M0 0L8 4L0 8z"/></marker></defs>{"".join(parts)}</svg>'
    )
