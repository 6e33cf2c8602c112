"""The same games on a Ray cluster: on this machine, or on others that have Granada installed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from socket import create_connection
from typing import Any, Final

from granada.arena.outcome import VOID, Outcome
from granada.arena.tournament import Pairing, Tournament
from granada.arena.workers import LOOK, Worker

#: What a tournament reads from files on the machine of its user, which other machines do not have.
Files = dict[str, bytes]
#: Seconds without any news from the cluster after which it is asked again.
NEWS: Final = 1.0
#: Seconds within which the head of a cluster has to answer.
ANSWER: Final = 10.0


class NoRay(ValueError):
    """The games cannot be played on Ray, for a reason that says what to do."""


def play_on_ray(
    tournament: Tournament, pairings: Iterable[Pairing], jobs: int | None, address: str | None
) -> Iterator[Outcome]:
    """Play games on so many processors of a cluster (all that it has, if no number is given)."""
    ray = _ray()
    _connect(ray, jobs, address)
    try:
        # More than it has would wait for processors that others of this very run hold.
        most = max(1, int(ray.cluster_resources().get("CPU", 1)))
        yield from _Cluster(ray, tournament).play(pairings, min(jobs or most, most))
    finally:
        ray.shutdown()


def _ray() -> Any:
    try:
        return import_module("ray")
    except ImportError:
        raise NoRay("Ray is not installed: pip install 'granada[ray]'") from None


def _connect(ray: Any, jobs: int | None, address: str | None) -> None:
    """Start a cluster of this machine alone, or join one by its address (`auto`: one that runs here)."""
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
    """Ray itself tries for minutes to reach a machine on which nothing runs."""
    host, sign, port = address.rpartition("://")[2].rpartition(":")
    if not sign or not port.isascii() or not port.isdigit():
        return  # `auto`, or something that Ray may understand
    try:
        create_connection((host.strip("[]"), int(port)), ANSWER).close()
    except (OSError, OverflowError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "nothing answers"
        raise NoRay(f"no Ray cluster at '{address}': {reason}") from None


class _Cluster:
    """Hands games to actors; one whose machine goes away is replaced, and its game is played once more."""

    def __init__(self, ray: Any, tournament: Tournament) -> None:
        self._ray: Final = ray
        self._tournament: Final = tournament
        self._files: Final = _files(tournament)
        self._actor: Final = ray.remote(num_cpus=1, max_restarts=0)(Seat)

    def play(self, pairings: Iterable[Pairing], count: int) -> Iterator[Outcome]:
        """Play games with so many actors at once."""
        waiting = iter(pairings)
        running: dict[Any, tuple[Any, Pairing, bool]] = {}
        for pairing in islice(waiting, count):
            actor = self._hire()
            running[actor.play.remote(pairing)] = (actor, pairing, False)
        while running:
            ready, _ = self._ray.wait(list(running), timeout=NEWS)
            for reference in ready:
                actor, pairing, is_second_try = running.pop(reference)
                try:
                    outcome: Outcome = self._ray.get(reference)
                except self._ray.exceptions.RayError as error:
                    if isinstance(error, self._ray.exceptions.RayTaskError) or _never_began(error):
                        raise NoRay(
                            f"a machine of the cluster cannot play: {str(error).strip().splitlines()[-1]}"
                        ) from None
                    actor = self._hire()
                    if not is_second_try:
                        running[actor.play.remote(pairing)] = (actor, pairing, True)
                        continue
                    outcome = Outcome(pairing, VOID, reason=f"its machine went away twice: {type(error).__name__}")
                for following in islice(waiting, 1):
                    running[actor.play.remote(following)] = (actor, following, False)
                yield outcome

    def _hire(self) -> Any:
        return self._actor.remote(self._tournament, self._files)


def _never_began(error: Exception) -> bool:
    """Whether an actor could not even be made: Granada is missing there, or it has no room for files."""
    return bool(getattr(error, "actor_init_failed", False))


class Seat:
    """One processor of the cluster: a watched process of its own there plays the games, as it would at home."""

    def __init__(self, tournament: Tournament, files: Files) -> None:
        self._folder: Final = tempfile.TemporaryDirectory(prefix="granada-arena-")
        self._names: Final = _unpack(files, Path(self._folder.name))
        self._worker: Final = Worker(_with_names(tournament, self._names))

    def play(self, pairing: Pairing) -> Outcome:
        """Play a game."""
        self._worker.give(pairing)
        while True:
            self._worker.pipe.poll(LOOK)
            outcome = self._worker.look()
            if outcome is not None:
                return self._as_at_home(outcome)

    def _as_at_home(self, outcome: Outcome) -> Outcome:
        """A reason may name a file: it is told by the name that its owner knows."""
        fault, reason = outcome.fault, outcome.reason
        for name, there in self._names.items():
            reason = reason.replace(there, name)
            fault = None if fault is None else replace(fault, reason=fault.reason.replace(there, name))
        return replace(outcome, fault=fault, reason=reason)


def _files(tournament: Tournament) -> Files:
    names = [*tournament.bot_files, *[name for name in (tournament.granada_tiles, tournament.huts) if name]]
    return {name: Path(name).read_bytes() for name in names}


def _unpack(files: Files, folder: Path) -> dict[str, str]:
    """Write files to this machine, each in a folder of its own under its old name; returns where they are now."""
    there: dict[str, str] = {}
    for number, (name, content) in enumerate(files.items()):
        path = folder / str(number) / Path(name).name
        path.parent.mkdir()
        path.write_bytes(content)
        there[name] = str(path)
    return there


def _with_names(tournament: Tournament, names: dict[str, str]) -> Tournament:
    """The same tournament with other names of its files."""
    return replace(
        tournament,
        bot_files=tuple([names[name] for name in tournament.bot_files]),
        granada_tiles=names.get(tournament.granada_tiles or ""),
        huts=names.get(tournament.huts or ""),
    )
