"""The results file of a tournament: outcomes are written as games end, so an interrupted run can be continued."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

from granada.arena.fingerprint import fingerprint
from granada.arena.on_ray import play_on_ray
from granada.arena.outcome import GameOutcome
from granada.arena.tournament import Tournament
from granada.arena.workers import play_in_processes

_FORMAT: Final = "granada-arena-1"


class BadResults(ValueError):
    """A results file cannot be read, written or continued; the message names it."""


class Results:
    """The outcomes of a tournament, in a file or, without a path, in memory."""

    def __init__(self, tournament: Tournament, path: str | None = None) -> None:
        self.tournament: Final = tournament
        self.path: Final = path
        #: By the number of the game.
        self.outcomes: Final[dict[int, GameOutcome]] = {}
        #: Whether some games were played by other versions of the bots.
        self.is_mixed = False
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Results:
        if self.path is None:
            return self
        try:
            _check_kind(self.path)
            self._file = open(self.path, "a+b")
        except OSError as error:
            raise BadResults(f"cannot write {self.path}: {error.strerror}") from None
        try:
            _lock(self._file, self.path)
            self._continue(self._file)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def _continue(self, file: IO[bytes]) -> None:
        file.seek(0)
        content = file.read()
        end = content.rfind(b"\n") + 1
        if end:
            self.is_mixed = self._read(content[:end])
            if end < len(content):  # an incomplete line of a killed run: its game is played again
                file.truncate(end)
        else:
            if content and not content.startswith(b'{"format":'):
                raise BadResults(f"{self.path} is not a results file; it was not changed")
            file.truncate(0)
            self._write(_header(self.tournament))

    def _read(self, content: bytes) -> bool:
        assert self.path is not None
        stored, outcomes, bots = _parse(self.path, content)
        if not is_same(stored, self.tournament):
            raise BadResults(f"{self.path} holds another tournament: {difference(stored, self.tournament)}")
        self.outcomes.update({outcome.pairing.number: outcome for outcome in outcomes})
        return bots != fingerprint(self.tournament)

    def add(self, outcome: GameOutcome) -> None:
        """Store an outcome, safe against this process being killed."""
        self.outcomes[outcome.pairing.number] = outcome
        self._write(outcome.line())

    def _write(self, line: str) -> None:
        if self._file is None:
            return
        try:
            self._file.write(line.encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise BadResults(f"cannot write {self.path}: {error.strerror}") from None

    def played(self) -> list[GameOutcome]:
        """Return the outcomes of this tournament in order; a file may contain more, of a longer run."""
        size = self.tournament.size
        return [self.outcomes[number] for number in sorted(self.outcomes) if number <= size]


def play_missing(
    results: Results, jobs: int | None = None, on_ray: bool = False, address: str | None = None
) -> Iterator[GameOutcome]:
    """Play the games of a tournament that have no outcome yet, and store each outcome as its game ends."""
    tournament = results.tournament
    missing = [pairing for pairing in tournament.pairings() if pairing.number not in results.outcomes]
    if not missing:
        return
    if on_ray:
        outcomes = play_on_ray(tournament, missing, jobs, address)
    else:
        outcomes = play_in_processes(tournament, missing, jobs or 1)
    for outcome in outcomes:
        results.add(outcome)
        yield outcome


def read_results(path: str) -> tuple[Tournament, list[GameOutcome]]:
    """Return the tournament of a file and its outcomes in the order of the games."""
    try:
        _check_kind(path)
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadResults(f"cannot read {path}: {error.strerror}") from None
    tournament, outcomes, _ = _parse(path, content[: content.rfind(b"\n") + 1])
    return tournament, sorted(outcomes, key=lambda outcome: outcome.pairing.number)


def has_other_bots(path: str) -> bool:
    """Return whether the bots have changed since the first games in a file; BadResults if it cannot be read."""
    tournament, _, bots = _parse(path, Path(path).read_bytes().partition(b"\n")[0])
    return bots != fingerprint(tournament)


def _check_kind(path: str) -> None:
    """Refuse devices and pipes, which could be read for ever; opening a folder fails by itself."""
    if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
        raise BadResults(f"{path} is not a regular file, so it cannot hold results")


def _parse(path: str, content: bytes) -> tuple[Tournament, list[GameOutcome], str]:
    try:
        lines = content.decode("utf-8").splitlines()
        header: dict[str, Any] = json.loads(lines[0])
        if header["format"] != _FORMAT:
            raise ValueError(header["format"])
        tournament = Tournament.from_data(header["tournament"])
        bots: str = header["bots"]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise BadResults(f"{path} is not a results file; it was not changed") from None
    outcomes: list[GameOutcome] = []
    for number, line in enumerate(lines[1:], 2):
        try:
            outcomes.append(GameOutcome.parse(line, len(tournament.players)))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadResults(f"{path}, line {number}: not the outcome of a game") from None
    return tournament, outcomes, bots


def is_same(stored: Tournament, wanted: Tournament) -> bool:
    """Return whether two tournaments differ at most in the number of games."""
    return replace(stored, games=0) == replace(wanted, games=0)


def difference(stored: Tournament, wanted: Tournament) -> str:
    """Return the first difference between two tournaments, as a sentence."""
    old, new = stored.as_data(), wanted.as_data()
    for key in old:
        if key != "games" and old[key] != new[key]:
            return f"its {key.replace('_', ' ')} is {_value_text(old[key])}, not {_value_text(new[key])}"
    return "nothing differs"


def _value_text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join([str(part) for part in value]) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _header(tournament: Tournament) -> str:
    data = {"format": _FORMAT, "bots": fingerprint(tournament), "tournament": tournament.as_data()}
    return json.dumps(data, separators=(",", ":"))


def _lock(file: IO[bytes], path: str) -> None:
    """Keep two runs from writing the same file, on systems with file locks."""
    if os.name == "posix":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadResults(f"{path} is being written by another run") from None
