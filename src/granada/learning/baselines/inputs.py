"""Observations as inputs of the NumPy policy: one row for each decision, and one for each legal cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.learning import arrays
from granada.learning.layout import FEATURES, PLANES_SIZE, PLAYER_SIZE, TABLE_SIZE, offsets
from granada.learning.missing import missing
from granada.learning.tokens import CELL, PAGE, REMOVE, RESERVE, TRAY, TRAY_SIZE, WIDTH

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None

Floats = NDArray[np.float32]
#: The inputs of a decision: the table, this player, and the mean and the highest numbers of the others.
INPUTS: Final = TABLE_SIZE + 3 * PLAYER_SIZE
#: The inputs of a cell: for it and its eight neighbours whether there is a tile, and its walls; then the walls of the
#: tile to be placed, and whether it comes from the tray or the reserve, or a tile is removed.
CELL_INPUTS: Final = 9 * 5 + 4 + 3
#: Most numbers are 0 or 1, some are counts up to 255.
_SCALE: Final = (np.log1p(np.arange(256)) / 2).astype(np.float32)
_AT: Final = offsets(1)
#: The walls among the numbers of a tile.
_WALLS: Final = slice(17, 21)
#: By cell of the window, the indices of its surroundings in a city with a free row on each side.
_AROUND: Final = np.array(
    [
        [(row + down) * (WIDTH + 2) + column + across for down in range(3) for across in range(3)]
        for row in range(WIDTH)
        for column in range(WIDTH)
    ]
)


class Inputs:
    """The inputs of some decisions, and which tokens are legal."""

    def __init__(
        self,
        table: Floats,
        masks: NDArray[np.int8],
        rows: NDArray[np.int64],
        cells: NDArray[np.int64],
        around: Floats,
    ) -> None:
        self.table: Final = table
        self.masks: Final = masks
        #: The decision and the number of each legal cell, and what is around it.
        self.rows: Final = rows
        self.cells: Final = cells
        self.around: Final = around

    def __len__(self) -> int:
        return len(self.table)


def inputs_of(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Inputs:
    """Return the inputs of observations of any edition, with any number of players."""
    players = (observations.shape[1] - TABLE_SIZE) // (PLAYER_SIZE + PLANES_SIZE)
    rows, cells = np.nonzero(masks[:, CELL:])
    table, around = _table_inputs(observations, players), _cell_inputs(observations, players, rows, cells)
    return Inputs(table, masks.copy(), rows, cells, around)


def joined(parts: Sequence[Inputs]) -> Inputs:
    """Return the decisions of several inputs, one after the other."""
    starts = np.cumsum([0, *[len(part) for part in parts]])
    return Inputs(
        np.concatenate([part.table for part in parts]),
        np.concatenate([part.masks for part in parts]),
        np.concatenate([part.rows + start for part, start in zip(parts, starts, strict=False)]),
        np.concatenate([part.cells for part in parts]),
        np.concatenate([part.around for part in parts]),
    )


def _table_inputs(observations: NDArray[np.uint8], players: int) -> Floats:
    found = np.zeros((len(observations), INPUTS), np.float32)
    flat = _SCALE[arrays.flat(observations, players)]
    own = TABLE_SIZE + PLAYER_SIZE
    found[:, :own] = flat[:, :own]
    if players > 1:
        others = flat[:, own:].reshape(len(flat), players - 1, PLAYER_SIZE)
        found[:, own : own + PLAYER_SIZE] = others.mean(axis=1)
        found[:, own + PLAYER_SIZE :] = others.max(axis=1)
    return found


def _cell_inputs(
    observations: NDArray[np.uint8], players: int, rows: NDArray[np.int64], cells: NDArray[np.int64]
) -> Floats:
    found = np.zeros((len(rows), CELL_INPUTS), np.float32)
    if not len(rows):
        return found
    places = np.unique(rows)
    back = np.searchsorted(places, rows)
    seen = observations[places]
    own = arrays.planes(seen, players)[:, 0]
    city = np.zeros((len(own), 5, WIDTH + 2, WIDTH + 2), np.float32)
    city[:, 0, 1:-1, 1:-1] = own[:, 0] > 0
    city[:, 1:, 1:-1, 1:-1] = own[:, 2:]
    found[:, :45] = city.reshape(len(own), 5, -1)[back[:, None], :, _AROUND[cells]].reshape(len(rows), 45)
    word = seen[:, _AT["word"][0] :]
    for source, (first, count, name) in enumerate([(TRAY, TRAY_SIZE, "tray"), (RESERVE, PAGE, "reserve")]):
        at = _AT[name][0]
        tiles = seen[:, at : at + count * FEATURES].reshape(-1, count, FEATURES)[:, :, _WALLS]
        is_chosen: NDArray[np.bool_] = word[:, first : first + count] > 0
        found[:, 45:49] += (tiles * is_chosen[:, :, None]).sum(axis=1)[back]
        found[:, 49 + source] = np.asarray(is_chosen.any(axis=1))[back]
    found[:, 51] = word[back, REMOVE] > 0
    return found
