"""What a dataset contains, and how its shards are made: here, in several processes, or on a Ray cluster."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, Final, TypeAlias

from granada import __version__
from granada.arena.fingerprint import fingerprint
from granada.arena.on_ray import Files, NoRay, cluster, files_of, unpack, with_names
from granada.arena.tournament import Pairing, Tournament
from granada.learning.dataset_files import NPZ, check_format, encode
from granada.learning.labelled_games import LabelledGames
from granada.learning.layout import size_of
from granada.learning.names import VERSION
from granada.learning.token_game import Terms
from granada.learning.tokens import TOKENS
from granada.rules.errors import BadOptions

#: Games in a shard: some 50 MB in memory with two players.
GAMES: Final = 20
#: The content of a file, and the number of its steps.
Content: TypeAlias = tuple[bytes, int]
#: The games of a file, and its content.
Shard: TypeAlias = tuple[list[Pairing], Content]


@dataclass(frozen=True)
class DatasetPlan:
    """What a dataset contains: plain data that can be sent to other processes and machines."""

    #: In the fixed mode.
    tournament: Tournament
    variant: str = ""
    #: 16.1: whether observations contain all hands as a perfect memory knows them.
    memory: bool = False
    format: str = NPZ
    shard: int = GAMES

    def prepare(self) -> Terms:
        """Load the bots, check everything, and return the terms of the games; BadOptions says what is wrong."""
        check_format(self.format)
        tournament = self.tournament
        terms = Terms(tournament.prepare(), self.variant, self.memory, max_turns=tournament.max_turns)
        if terms.seats != len(tournament.players):
            raise BadOptions(f"bots cannot play the variant '{self.variant}': they need an opponent (2.1)")
        return terms

    def shards(self) -> Iterator[list[Pairing]]:
        """Yield the games of each shard."""
        pairings = self.tournament.pairings()
        while games := list(islice(pairings, self.shard)):
            yield games

    def name(self, games: list[Pairing]) -> str:
        """Return the name of the file with these games."""
        return f"games-{games[0].number:06}-{games[-1].number:06}.{self.format}"

    def content(self, games: list[Pairing], goes_on: Callable[[], bool] = lambda: True) -> Content:
        """Play the games of a file and return its content, or nothing if it does not go on."""
        labelled = LabelledGames(self.tournament, self.prepare())
        for pairing in games:
            if not goes_on():
                return b"", 0
            labelled.play(pairing)
        columns = labelled.columns()
        return encode(columns, self.format), len(columns["token"])

    def as_data(self) -> dict[str, Any]:
        """Return the metadata of the dataset."""
        players = len(self.tournament.players)
        return {
            "granada": __version__,
            "environments": f"v{VERSION}",
            "bots": fingerprint(self.tournament),
            "tournament": self.tournament.as_data(),
            "variant": self.variant,
            "memory": self.memory,
            "files": self.format,
            "shard": self.shard,
            "players": players,
            "observation_size": size_of(players),
            "tokens": TOKENS,
        }

    @staticmethod
    def from_data(data: dict[str, Any]) -> DatasetPlan:
        """Read a plan from metadata."""
        tournament = Tournament.from_data(data["tournament"])
        return DatasetPlan(tournament, data["variant"], data["memory"], data["files"], data["shard"])


def make_here(plan: DatasetPlan, shards: Iterable[list[Pairing]]) -> Iterator[Shard]:
    """Make shards in this process."""
    for games in shards:
        yield games, plan.content(games)


def make_in_processes(plan: DatasetPlan, shards: Iterable[list[Pairing]], jobs: int) -> Iterator[Shard]:
    """Make shards in some processes; they come in any order."""
    context = get_context("spawn")
    stop = context.Event()
    waiting = iter(shards)
    with ProcessPoolExecutor(jobs, context, _get_ready, (stop,)) as pool:
        running: dict[Future[Content], list[Pairing]] = {}
        try:
            for games in islice(waiting, jobs):
                running[pool.submit(_make, plan, games)] = games
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    games = running.pop(future)
                    for following in islice(waiting, 1):
                        running[pool.submit(_make, plan, following)] = following
                    yield games, future.result()
        except BrokenProcessPool:
            raise ChildProcessError("a process ended while it played; run the same command again to continue") from None
        finally:
            stop.set()


#: In a process: whether to stop after the game that is being played.
_stop: list[Event] = []


def _get_ready(stop: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    _stop.append(stop)


def _make(plan: DatasetPlan, games: list[Pairing]) -> Content:
    return plan.content(games, lambda: not _stop[0].is_set())


def make_on_ray(
    plan: DatasetPlan, shards: Iterable[list[Pairing]], jobs: int | None, address: str | None
) -> Iterator[Shard]:
    """Make shards on up to `jobs` processors of a Ray cluster, by default on all."""
    waiting = iter(shards)
    with cluster(jobs, address) as (ray, count):
        # With retries, because a machine of the cluster may disappear.
        make, files = ray.remote(num_cpus=1)(_make_there), files_of(plan.tournament)
        running: dict[Any, list[Pairing]] = {}
        for games in islice(waiting, count):
            running[make.remote(plan, files, games)] = games
        while running:
            (ready,), _ = ray.wait(list(running))
            games = running.pop(ready)
            for following in islice(waiting, 1):
                running[make.remote(plan, files, following)] = following
            try:
                yield games, ray.get(ready)
            except ray.exceptions.RayError as error:
                reason = str(error).strip().splitlines()[-1]
                raise NoRay(f"a machine of the cluster cannot play: {reason}") from None


def _make_there(plan: DatasetPlan, files: Files, games: list[Pairing]) -> Content:
    """Make a shard on another machine, which may not have the user's files."""
    with tempfile.TemporaryDirectory(prefix="granada-dataset-") as folder:
        names = unpack(files, Path(folder))
        return replace(plan, tournament=with_names(plan.tournament, names)).content(games)
