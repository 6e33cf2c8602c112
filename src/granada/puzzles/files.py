"""The files of puzzles: one line of JSON for each game, with its puzzles."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from granada.puzzles.puzzle import Puzzle, Source, Valued

#: Separates the actions of a game or a turn.
BETWEEN: Final = "|"


class BadPuzzles(ValueError):
    """A file of puzzles is damaged; the message names the line."""


@dataclass(frozen=True)
class Examined:
    """A game that was examined, by its number, with its puzzles."""

    number: int
    puzzles: tuple[Puzzle, ...]


def line_of(examined: Examined) -> str:
    """Return the line of a game."""
    puzzles = examined.puzzles
    data: dict[str, Any] = {"game": examined.number}
    if puzzles:
        source = max(puzzles, key=lambda one: one.n).source
        data["edition"] = source.edition
        if source.modules:
            data["modules"] = list(source.modules)
        data["bots"] = list(source.bots)
        data["seed"] = source.seed
        data["actions"] = BETWEEN.join(source.actions)
        data["puzzles"] = [_puzzle_data(one) for one in puzzles]
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def read_lines(lines: Iterable[str]) -> Iterator[Examined]:
    """Yield the games of a file; BadPuzzles says which line is damaged."""
    for number, line in enumerate(lines, 1):
        try:
            yield _read_game(json.loads(line))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise BadPuzzles(f"line {number}: {type(error).__name__}: {error}") from None


def write_games(path: Path, games: Iterable[Examined]) -> None:
    """Write a file of games; one whose name ends in `.gz` is compressed."""
    text = "".join([f"{line_of(game)}\n" for game in games]).encode()
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)


def read_packed(packed: bytes) -> Iterator[Examined]:
    """Yield the games of a compressed file."""
    return read_lines(gzip.decompress(packed).decode().splitlines())


def _puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    data: dict[str, Any] = {"n": puzzle.n, "seat": puzzle.seat + 1, "best": _valued_data(puzzle.best)}
    if puzzle.accepted:
        data["accepted"] = [BETWEEN.join(turn) for turn in puzzle.accepted]
    data["obvious"] = _valued_data(puzzle.obvious)
    data["others"] = [_valued_data(one) for one in puzzle.others]
    data["grade"] = puzzle.grade
    if puzzle.id:
        data = {
            "id": puzzle.id,
            "rating": puzzle.rating,
            "themes": list(puzzle.themes),
            "city": dict(puzzle.city),
            **data,
        }
    return data


def _read_game(data: Mapping[str, Any]) -> Examined:
    if "puzzles" not in data:
        return Examined(data["game"], ())
    source = Source(
        data["edition"],
        tuple(data.get("modules", ())),
        tuple(data["bots"]),
        data["seed"],
        tuple(data["actions"].split(BETWEEN)),
    )
    return Examined(data["game"], tuple([_read_puzzle(source, one) for one in data["puzzles"]]))


def _read_puzzle(source: Source, data: Mapping[str, Any]) -> Puzzle:
    return Puzzle(
        source,
        data["n"],
        data["seat"] - 1,
        _read_valued(data["best"]),
        tuple([_split(turn) for turn in data.get("accepted", ())]),
        _read_valued(data["obvious"]),
        tuple([_read_valued(one) for one in data["others"]]),
        data["grade"],
        data.get("id", 0),
        data.get("rating", 0),
        tuple(data.get("themes", ())),
        data.get("city", {}),
    )


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split(BETWEEN))


def _valued_data(valued: Valued) -> list[Any]:
    """Return a valued turn for JSON; hundredths of a point are enough."""
    return [BETWEEN.join(valued.turn), round(valued.lead, 2), round(valued.win, 4)]


def _read_valued(data: Sequence[Any]) -> Valued:
    return Valued(_split(data[0]), float(data[1]), float(data[2]))
