"""The file of a tournament: each outcome is written when its game ends, so an interrupted run can go on."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

from granada.arena.behaviour import fingerprint
from granada.arena.outcome import Outcome
from granada.arena.tournament import Tournament

_FORMAT: Final = "granada-arena-1"


class BadResults(ValueError):
    """A file of results cannot be gone on with, for a reason that names it."""


class Results:
    """The outcomes of a tournament, in a file or (without a name) in memory alone."""

    def __init__(self, tournament: Tournament, path: str | None = None) -> None:
        self.tournament: Final = tournament
        self.path: Final = path
        #: By the numbers of the games.
        self.outcomes: Final[dict[int, Outcome]] = {}
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
            self._go_on(self._file)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def _go_on(self, file: IO[bytes]) -> None:
        file.seek(0)
        content = file.read()
        end = content.rfind(b"\n") + 1
        if end:
            self.is_mixed = self._read(content[:end])
            if end < len(content):  # a line without an end was cut when the run was killed: its game is played again
                file.truncate(end)
        else:
            if content and not content.startswith(b'{"format":'):
                raise BadResults(f"{self.path} is no file of results: it is left as it is")
            file.truncate(0)
            self._write(_header(self.tournament))

    def _read(self, content: bytes) -> bool:
        assert self.path is not None
        stored, outcomes, bots = _parse(self.path, content)
        if not is_same(stored, self.tournament):
            raise BadResults(f"{self.path} holds another tournament: {difference(stored, self.tournament)}")
        self.outcomes.update({outcome.pairing.number: outcome for outcome in outcomes})
        return bots != fingerprint(self.tournament)

    def add(self, outcome: Outcome) -> None:
        """Note an outcome; it stays noted also if this process is killed."""
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

    def played(self) -> list[Outcome]:
        """The outcomes of this tournament's games, in order; a file may hold more, of a longer run."""
        size = self.tournament.size
        return [self.outcomes[number] for number in sorted(self.outcomes) if number <= size]


def read_results(path: str) -> tuple[Tournament, list[Outcome]]:
    """What a file holds, in the order of the games."""
    try:
        _check_kind(path)
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadResults(f"cannot read {path}: {error.strerror}") from None
    tournament, outcomes, _ = _parse(path, content[: content.rfind(b"\n") + 1])
    return tournament, sorted(outcomes, key=lambda outcome: outcome.pairing.number)


def has_other_bots(path: str) -> bool:
    """Whether the bots have changed since the first games in a file; BadResults if it cannot be read."""
    tournament, _, bots = _parse(path, Path(path).read_bytes().partition(b"\n")[0])
    return bots != fingerprint(tournament)


def _check_kind(path: str) -> None:
    """A device or a pipe would be read without an end; a folder is complained about when it is opened."""
    if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
        raise BadResults(f"{path} is no file in which results can be kept")


def _parse(path: str, content: bytes) -> tuple[Tournament, list[Outcome], str]:
    try:
        lines = content.decode("utf-8").splitlines()
        header: dict[str, Any] = json.loads(lines[0])
        if header["format"] != _FORMAT:
            raise ValueError(header["format"])
        tournament = Tournament.from_data(header["tournament"])
        bots: str = header["bots"]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise BadResults(f"{path} is no file of results: it is left as it is") from None
    outcomes: list[Outcome] = []
    for number, line in enumerate(lines[1:], 2):
        try:
            outcomes.append(Outcome.parse(line, len(tournament.players)))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadResults(f"{path}, line {number}: this is no outcome of a game") from None
    return tournament, outcomes, bots


def is_same(stored: Tournament, wanted: Tournament) -> bool:
    """Whether the games of one are among those of the other: only their number may differ."""
    return replace(stored, games=0) == replace(wanted, games=0)


def difference(stored: Tournament, wanted: Tournament) -> str:
    """What differs first between two tournaments, for people."""
    old, new = stored.as_data(), wanted.as_data()
    for key in old:
        if key != "games" and old[key] != new[key]:
            return f"its {key.replace('_', ' ')} is {_told(old[key])}, not {_told(new[key])}"
    return "nothing differs"


def _told(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join([str(part) for part in value]) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _header(tournament: Tournament) -> str:
    data = {"format": _FORMAT, "bots": fingerprint(tournament), "tournament": tournament.as_data()}
    return json.dumps(data, separators=(",", ":"))


def _lock(file: IO[bytes], path: str) -> None:
    """Two runs must not write the same file; where a system has no such locks, they are trusted."""
    if os.name == "posix":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadResults(f"{path} is being written by another run") from None
