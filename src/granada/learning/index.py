"""The index of all numbers and names in docs/learning.md: `python -m granada.learning.index docs/learning.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from granada.learning.layout import PLANES, PLAYER, TABLE, TILE_FEATURES, Segment, offsets, size_of
from granada.learning.names import GYMNASIUM, OPEN_SPIEL, PETTINGZOO
from granada.learning.rewards import REWARDS
from granada.learning.tokens import BLOCKS, TOKENS
from granada.learning.variants import VARIANTS
from granada.rules.components import standard
from granada.rules.money import CARDS
from granada.rules.options import PLAYERS
from granada.rules.tiles import TYPES

BEGIN: Final = "<!-- index: written by python -m granada.learning.index docs/learning.md -->"
END: Final = "<!-- end of index -->"


def index_text() -> str:
    """Return the index as Markdown."""
    return "\n".join([*_names(), *_tokens(), *_observation(), *_pieces()])


def with_index(document: str) -> str:
    """Return a document with the index between its marks."""
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{index_text()}\n{END}{after}"


def _table(heading: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> list[str]:
    lines = [heading, tuple(["---"] * len(heading)), *rows]
    return [*["| " + " | ".join([str(cell) for cell in line]) + " |" for line in lines], ""]


def _names() -> list[str]:
    named = [(f"`{name}`", one.edition, one.variant or "-", one.reward) for name, one in GYMNASIUM.items()]
    return [
        "### Names",
        "",
        *_table(("Gymnasium", "edition", "variant", "reward"), named),
        *_table(("PettingZoo", "module"), [(f"`{name}`", f"`{module}`") for name, module in PETTINGZOO.items()]),
        *_table(("OpenSpiel", "edition"), [(f"`{name}`", edition) for name, edition in OPEN_SPIEL.items()]),
        *_table(("variant", "set-up"), [(f"`{name}`", one.meaning) for name, one in VARIANTS.items()]),
        *_table(("reward", "meaning"), [(f"`{name}`", meaning) for name, meaning in REWARDS.items()]),
    ]


def _tokens() -> list[str]:
    rows = [
        (block.first, block.first + block.size - 1, f"`{block.name}`", block.rules, block.meaning) for block in BLOCKS
    ]
    return ["### Tokens", "", f"{TOKENS} tokens.", "", *_table(("first", "last", "block", "rules", "meaning"), rows)]


def _observation() -> list[str]:
    places = offsets(PLAYERS[0])
    sizes = ", ".join([f"{size_of(players):,} with {players}" for players in PLAYERS])

    def rows(segments: tuple[Segment, ...], suffix: str, start: int) -> list[tuple[object, ...]]:
        return [(places[one.name + suffix][0] - start, one.size, f"`{one.name}`", one.meaning) for one in segments]

    heading = ("at", "size", "segment", "meaning")
    first = places[f"{PLAYER[0].name} 0"][0]
    return [
        "### Observations",
        "",
        "The numbers of the table, those of each player (your seat first, then clockwise), and the planes of each "
        f"player. Size: {sizes} players.",
        "",
        *_table(heading, rows(TABLE, "", 0)),
        f"Of each player, from {first:,} on, {sum([one.size for one in PLAYER])} numbers:",
        "",
        *_table(heading, rows(PLAYER, " 0", first)),
        "The planes of each city, 21 rows of 21 cells around the start tile:",
        "",
        *_table(("plane", "name", "meaning"), [(i, f"`{name}`", meaning) for i, (name, meaning) in enumerate(PLANES)]),
        "Of each tile on the yard, on the tray and in the reserve:",
        "",
        *_table(("size", "feature", "meaning"), [(one.size, f"`{one.name}`", one.meaning) for one in TILE_FEATURES]),
    ]


def _pieces() -> list[str]:
    box = standard()

    def numbered(names: Iterable[str]) -> str:
        return ", ".join([f"{i} {name}" for i, name in enumerate(names)])

    return [
        "### Cards, types and tiles",
        "",
        f"Cards: {numbered([card.name for card in CARDS[:42]])}.",
        "",
        f"Types: {numbered(TYPES)}. The planes add 2.",
        "",
        f"Alhambra tiles: {numbered([tile.name for tile in box.alhambra])}.",
        "",
        f"Granada tiles (even faces): {numbered([tile.name for tile in box.granada])}.",
        "",
        f"Bonus cards: {numbered([tile.name for tile in box.bonus])}.",
        "",
    ]


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_index(path.read_text("utf-8")), "utf-8")
