"""Datasets: the games of bots, token by token, in a folder that `granada dataset` writes and `read` reads.

A folder holds `metadata.json` and one file for each few games, so an interrupted run can be continued.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from granada.arena.results import difference, is_same
from granada.learning.dataset_files import (
    METADATA,
    BadDataset,
    Columns,
    decode,
    read_metadata,
    write_file,
    write_metadata,
)
from granada.learning.dataset_plan import DatasetPlan, Shard, make_here, make_in_processes, make_on_ray
from granada.learning.missing import missing
from granada.learning.tokens import TOKENS

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None

__all__ = ["BadDataset", "Dataset", "DatasetPlan", "Steps", "Written", "read", "seed_in", "write", "write_on_ray"]

#: What the metadata call it, where that is not plain.
_WHAT: Final = {"granada": "version of Granada", "environments": "version of the environments", "files": "format"}


@dataclass(frozen=True)
class Steps:
    """Consecutive steps of some games, as arrays with a row for each; a step is the choice of a token."""

    observations: NDArray[np.uint8]
    #: Eight tokens a byte, as `numpy.packbits` packs them.
    packed_masks: NDArray[np.uint8]
    tokens: NDArray[np.uint16]
    #: The seat that chose, the number of the game, and the number of the step in it, from 0.
    seats: NDArray[np.uint8]
    games: NDArray[np.uint32]
    steps: NDArray[np.uint16]
    #: What the seat got at its last step in the game, 0 before; and what it was going to get.
    rewards: NDArray[np.float32]
    outcomes: NDArray[np.float32]
    #: The points of the seat at the end, minus those of the best other player.
    leads: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def masks(self) -> NDArray[np.int8]:
        """1 for each token that could be chosen, 0 for the others."""
        return np.unpackbits(self.packed_masks, axis=1, count=TOKENS).view(np.int8)


#: The columns of the files, in the order of `Steps`.
_COLUMNS: Final = ("observation", "mask", "token", "seat", "game", "step", "reward", "outcome", "lead")


@dataclass(frozen=True)
class Dataset:
    """A dataset in a folder; iterating yields the steps of each file."""

    metadata: dict[str, Any]
    files: tuple[Path, ...]

    def __iter__(self) -> Iterator[Steps]:
        for path in self.files:
            yield _steps(path, decode(path))

    def all(self) -> Steps:
        """Return all steps at once, which takes some kilobytes for each."""
        parts = [[getattr(steps, name) for name in Steps.__dataclass_fields__] for steps in self]
        return Steps(*[np.concatenate(arrays) for arrays in zip(*parts, strict=True)])


def read(folder: str | Path) -> Dataset:
    """Return the dataset in a folder; BadDataset says what is wrong."""
    place = Path(folder)
    metadata = read_metadata(place)
    files = tuple(sorted(place.glob(f"games-*.{metadata.get('files')}")))
    if not files:
        raise BadDataset(f"{place} has no games yet")
    return Dataset(metadata, files)


def seed_in(folder: str | Path) -> int | None:
    """Return the seed of the dataset in a folder; None if there is none."""
    place = Path(folder)
    if not (place / METADATA).exists():
        return None
    try:
        return int(read_metadata(place)["tournament"]["seed"])
    except (KeyError, TypeError, ValueError):
        return None


def _steps(path: Path, columns: Columns) -> Steps:
    if not {*_COLUMNS} <= columns.keys():
        raise BadDataset(f"{path} is not a shard of a dataset: it has no column '{min({*_COLUMNS} - columns.keys())}'")
    return Steps(*[columns[name] for name in _COLUMNS])


class Written(NamedTuple):
    """How many games a dataset has so far, and how many steps were written in this run."""

    games: int
    steps: int


def write(plan: DatasetPlan, folder: str | Path, jobs: int = 1) -> Iterator[Written]:
    """Write the files that are missing, in up to `jobs` processes; yields the progress after each file."""
    if jobs == 1:
        return _write(plan, Path(folder), lambda shards: make_here(plan, shards))
    return _write(plan, Path(folder), lambda shards: make_in_processes(plan, shards, jobs))


def write_on_ray(
    plan: DatasetPlan, folder: str | Path, jobs: int | None = None, address: str | None = None
) -> Iterator[Written]:
    """Do the same on up to `jobs` processors of a Ray cluster, by default on all; the files are written here."""
    return _write(plan, Path(folder), lambda shards: make_on_ray(plan, shards, jobs, address))


def _write(plan: DatasetPlan, place: Path, make: Callable[[list[list[Any]]], Iterator[Shard]]) -> Iterator[Written]:
    plan.prepare()
    try:
        _begin(plan, place)
        present = {path.name for path in place.iterdir()}
        left = [games for games in plan.shards() if plan.name(games) not in present]
        written = Written(plan.tournament.size - sum([len(games) for games in left]), 0)
        yield written
        for games, (content, steps) in make(left):
            write_file(place / plan.name(games), content)
            written = Written(written.games + len(games), written.steps + steps)
            yield written
        _remove_others(plan, place)
    except OSError as error:
        raise BadDataset(f"cannot write {error.filename or place}: {error.strerror}") from None


def _begin(plan: DatasetPlan, place: Path) -> None:
    """Make the folder, or check that its games are the same."""
    place.mkdir(parents=True, exist_ok=True)
    wanted = plan.as_data()
    if any(place.iterdir()):
        stored = read_metadata(place)
        try:
            old = DatasetPlan.from_data(stored)
        except (KeyError, TypeError):
            raise BadDataset(f"{place} is not a dataset of this version") from None
        if not is_same(old.tournament, plan.tournament):
            raise BadDataset(f"{place} holds other games: {difference(old.tournament, plan.tournament)}")
        for key in wanted.keys() - {"tournament"}:
            if stored.get(key) != wanted[key]:
                what = _WHAT.get(key, key.replace("_", " "))
                raise BadDataset(f"{place} holds other games: its {what} is {stored.get(key)}, not {wanted[key]}")
        if stored == {"format": stored["format"], **wanted}:
            return
    write_metadata(place, wanted)


def _remove_others(plan: DatasetPlan, place: Path) -> None:
    """Remove the last file of a shorter run, whose games are now in a longer one."""
    wanted = {plan.name(games) for games in plan.shards()}
    for path in place.glob(f"games-*.{plan.format}"):
        if path.name not in wanted:
            path.unlink()
