"""The symbols of `data/artwork.svg`, one by one, so that each picture contains only those it needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Final

from granada.drawing.palette import TRACE, TYPE_COLOURS
from granada.rules.tiles import ALHAMBRA_TYPES, TYPES

_PIECE: Final = re.compile(r'<(symbol|g) id="([\w-]+)".*?</\1>', re.DOTALL)
_VARIABLE: Final = re.compile(r"var\(--([\w-]+),\s*(#\w+)\)")
_REFERENCE: Final = re.compile(r'href="#([\w-]+)"')


@cache
def _symbols() -> dict[str, str]:
    """Return all symbols by id, with the colours of the artwork filled in.

    Custom properties are resolved here because viewers other than browsers do not know them, and because a page that
    defines properties of the same names would repaint a picture in a notebook.
    """
    text = (resources.files("granada") / "data" / "artwork.svg").read_text("utf-8")
    # Groups inside symbols have no id, so the first closing tag after a shared part is its own.
    raw = {found[2]: re.sub(r">\s+<", "><", found[0]) for found in _PIECE.finditer(text)}
    symbols = {name: _coloured(body, {"trace": TRACE}) for name, body in raw.items()}
    for type_, name in enumerate(ALHAMBRA_TYPES):
        body = raw["hut"].replace('id="hut"', f'id="hut-{name}"')
        symbols[f"hut-{name}"] = _coloured(body, {"type-colour": TYPE_COLOURS[type_][0]})
    return symbols


def _coloured(body: str, colours: dict[str, str]) -> str:
    return _VARIABLE.sub(lambda found: colours.get(found[1], found[2]), body)


def definitions(names: Iterable[str]) -> str:
    """Return the definitions of these symbols and of all they refer to, in the order of the artwork."""
    symbols = _symbols()
    needed: list[str] = []
    queue = list(names)
    while queue:
        name = queue.pop()
        if name not in needed:
            needed.append(name)
            queue += _REFERENCE.findall(symbols[name])
    return "".join([body for name, body in symbols.items() if name in needed])


def scene(type_: int, is_hut: bool) -> str:
    """Return the symbol with the picture of a type."""
    return f"hut-{TYPES[type_]}" if is_hut else f"tile-{TYPES[type_]}"
