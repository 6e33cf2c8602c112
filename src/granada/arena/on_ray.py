"""Tournament games on a Ray cluster: on this machine, or on others that have Granada installed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from socket import create_connection
from typing import Any, Final

from granada.arena.outcome import VOID, GameOutcome
from granada.arena.tournament import Pairing, Tournament
from granada.arena.workers import CHECK_INTERVAL, Worker

#: The contents of the user's files, by path, for machines that do not have them.
Files = dict[str, bytes]
#: Seconds to wait for the cluster before checking again.
WAIT_SECONDS: Final = 1.0
#: Seconds within which the head of a cluster has to accept a connection.
CONNECT_SECONDS: Final = 10.0


class NoRay(ValueError):
    """The games cannot be played on Ray; the message says what to do."""


def play_on_ray(
    tournament: Tournament, pairings: Iterable[Pairing], jobs: int | None, address: str | None
) -> Iterator[GameOutcome]:
    """Play games on up to `jobs` processors of a cluster, by default on all."""
    with cluster(jobs, address) as (ray, count):
        yield from _Cluster(ray, tournament).play(pairings, count)


@contextmanager
def cluster(jobs: int | None, address: str | None) -> Iterator[tuple[Any, int]]:
    """Yield Ray, connected to a cluster, and the number of processors to use: up to `jobs`, by default all."""
    ray = _ray()
    _connect(ray, jobs, address)
    try:
        # More actors than processors would wait for each other for ever.
        most = max(1, int(ray.cluster_resources().get("CPU", 1)))
        yield ray, min(jobs or most, most)
    finally:
        ray.shutdown()


def _ray() -> Any:
    try:
        return import_module("ray")
    except ImportError:
        raise NoRay("Ray is not installed: pip install 'granada[ray]'") from None


def _connect(ray: Any, jobs: int | None, address: str | None) -> None:
    """Start a cluster on this machine, or connect to one by its address (`auto`: one that runs here)."""
    if address is not None:
        _check_answer(address)
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address is None:
            ray.init(address="local", num_cpus=jobs, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        where = "on this machine" if address is None else f"at '{address}'"
        raise NoRay(f"no Ray cluster {where}: {str(error).splitlines()[0]}") from None


def _check_answer(address: str) -> None:
    """Fail fast if nothing listens at an address; Ray itself would try for minutes."""
    host, sign, port = address.rpartition("://")[2].rpartition(":")
    if not sign or not port.isascii() or not port.isdigit():
        return  # `auto`, or an address that Ray may understand
    try:
        create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "nothing answers"
        raise NoRay(f"no Ray cluster at '{address}': {reason}") from None


class _Cluster:
    """Hands games to actors; an actor whose machine disappears is replaced, and its game is played again once."""

    def __init__(self, ray: Any, tournament: Tournament) -> None:
        self._ray: Final = ray
        self._tournament: Final = tournament
        self._files: Final = files_of(tournament)
        self._actor: Final = ray.remote(num_cpus=1, max_restarts=0)(RayActor)

    def play(self, pairings: Iterable[Pairing], count: int) -> Iterator[GameOutcome]:
        """Play games with `count` actors at once."""
        waiting = iter(pairings)
        running: dict[Any, tuple[Any, Pairing, bool]] = {}
        for pairing in islice(waiting, count):
            actor = self._new_actor()
            running[actor.play.remote(pairing)] = (actor, pairing, False)
        while running:
            ready, _ = self._ray.wait(list(running), timeout=WAIT_SECONDS)
            for reference in ready:
                actor, pairing, is_second_try = running.pop(reference)
                try:
                    outcome: GameOutcome = self._ray.get(reference)
                except self._ray.exceptions.RayError as error:
                    if isinstance(error, self._ray.exceptions.RayTaskError) or _never_began(error):
                        raise NoRay(
                            f"a machine of the cluster cannot play: {str(error).strip().splitlines()[-1]}"
                        ) from None
                    actor = self._new_actor()
                    if not is_second_try:
                        running[actor.play.remote(pairing)] = (actor, pairing, True)
                        continue
                    reason = f"its machine disappeared twice: {type(error).__name__}"
                    outcome = GameOutcome(pairing, VOID, reason=reason)
                for following in islice(waiting, 1):
                    running[actor.play.remote(following)] = (actor, following, False)
                yield outcome

    def _new_actor(self) -> Any:
        return self._actor.remote(self._tournament, self._files)


def _never_began(error: Exception) -> bool:
    """Whether an actor could not be created, because Granada is not installed there or the disk is full."""
    return bool(getattr(error, "actor_init_failed", False))


class RayActor:
    """An actor on one processor of the cluster; a watched process plays the games, as on this machine."""

    def __init__(self, tournament: Tournament, files: Files) -> None:
        self._folder: Final = tempfile.TemporaryDirectory(prefix="granada-arena-")
        self._names: Final = unpack(files, Path(self._folder.name))
        self._worker: Final = Worker(with_names(tournament, self._names))

    def play(self, pairing: Pairing) -> GameOutcome:
        """Play a game."""
        self._worker.start_game(pairing)
        while True:
            self._worker.pipe.poll(CHECK_INTERVAL)
            outcome = self._worker.poll()
            if outcome is not None:
                return self._with_local_names(outcome)

    def _with_local_names(self, outcome: GameOutcome) -> GameOutcome:
        """Replace the names of temporary files in reasons by the user's own."""
        fault, reason = outcome.fault, outcome.reason
        for name, there in self._names.items():
            reason = reason.replace(there, name)
            fault = None if fault is None else replace(fault, reason=fault.reason.replace(there, name))
        return replace(outcome, fault=fault, reason=reason)


def files_of(tournament: Tournament) -> Files:
    """Return the contents of the files that a tournament needs."""
    names = [*tournament.bot_files, *[name for name in (tournament.granada_tiles, tournament.huts) if name]]
    return {name: Path(name).read_bytes() for name in names}


def unpack(files: Files, folder: Path) -> dict[str, str]:
    """Write each file to its own folder under its old name; returns the new paths by the old ones."""
    there: dict[str, str] = {}
    for number, (name, content) in enumerate(files.items()):
        path = folder / str(number) / Path(name).name
        path.parent.mkdir()
        path.write_bytes(content)
        there[name] = str(path)
    return there


def with_names(tournament: Tournament, names: dict[str, str]) -> Tournament:
    """Return the same tournament with other paths for its files."""
    return replace(
        tournament,
        bot_files=tuple([names[name] for name in tournament.bot_files]),
        granada_tiles=names.get(tournament.granada_tiles or ""),
        huts=names.get(tournament.huts or ""),
    )
