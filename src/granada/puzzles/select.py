"""Chooses the puzzles to ship from those that were found, and completes what the list shows of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from granada.bots.gc_control import without_gc
from granada.puzzles.bot_game import BotGame
from granada.puzzles.explain import themes_of
from granada.puzzles.files import Examined
from granada.puzzles.puzzle import RATINGS, Puzzle, Source, read_turn
from granada.rules.cells import cell_text
from granada.rules.state import State

#: The rating of a puzzle also depends on the gap to the next best turn, in win chance, and on the length of the turn.
USUAL_GAP: Final = 0.06
OF_GAP: Final = 1000.0
MOST_OF_GAP: Final = 90.0
USUAL_LENGTH: Final = 2
OF_ACTION: Final = 25


def select(games: Iterable[Examined], keep: int) -> list[Examined]:
    """Return games with up to `keep` puzzles of many kinds, numbered, and completed to the end of the game."""
    finished = [(game.number, _finished(one)) for game in games for one in _different(game.puzzles)]
    finished.sort(key=lambda pair: (pair[0], pair[1].n))
    kept = _varied(finished, keep)
    found: list[Examined] = []
    for number in sorted({number for number, _ in kept}):
        own = [one for other, one in kept if other == number]
        source = _completed(own[-1].source)
        before = sum([len(game.puzzles) for game in found])
        puzzles = [replace(one, source=source, id=before + i) for i, one in enumerate(own, 1)]
        found.append(Examined(number, tuple(puzzles)))
    return found


def appended(old: Sequence[Examined], new: Sequence[Examined]) -> list[Examined]:
    """Return all games; the new puzzles are numbered after the old ones, except those that are there already."""
    known = {(one.source.seed, one.n) for game in old for one in game.puzzles}
    number = max([one.id for game in old for one in game.puzzles], default=0)
    games = list(old)
    for game in new:
        fresh = [one for one in game.puzzles if (one.source.seed, one.n) not in known]
        if fresh:
            games.append(Examined(game.number, tuple([replace(one, id=number + i) for i, one in enumerate(fresh, 1)])))
            number += len(fresh)
    return games


def _different(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """Return the puzzles of a game without obvious ones, and without those that ask for the same turn again."""
    found: dict[tuple[int, tuple[str, ...]], Puzzle] = {}
    for one in puzzles:
        if one.obvious.turn in one.accepted:
            continue
        found.setdefault((one.seat, one.best.turn), one)
    return list(found.values())


def _varied(finished: Sequence[tuple[int, Puzzle]], keep: int) -> list[tuple[int, Puzzle]]:
    """Return the puzzles to keep: again and again one of the kind of which there are fewest so far."""
    left = list(finished)
    count: Counter[tuple[str, str]] = Counter()
    kept: list[tuple[int, Puzzle]] = []
    while left and len(kept) < keep:
        best = min(left, key=lambda pair: (sum([count[kind] for kind in _kinds(pair[1])]), pair[0], pair[1].n))
        left.remove(best)
        kept.append(best)
        count.update(_kinds(best[1]))
    kept.sort(key=lambda pair: (pair[0], pair[1].n))
    return kept


def _kinds(puzzle: Puzzle) -> list[tuple[str, str]]:
    return [("edition", puzzle.source.edition), ("theme", puzzle.themes[0]), ("grade", puzzle.grade)]


def _finished(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with its themes, its rating and its city."""
    state, options = puzzle.state(), puzzle.source.options()
    themes = themes_of(state, read_turn(puzzle.best.turn, options), read_turn(puzzle.obvious.turn, options))
    return replace(puzzle, themes=themes, rating=rating_of(puzzle), city=city_of(state, puzzle.seat))


def rating_of(puzzle: Puzzle) -> int:
    """Return the rating before anybody has tried the puzzle."""
    wrong = [one.win for one in (puzzle.obvious, *puzzle.others) if one.turn not in puzzle.accepted]
    gap = puzzle.best.win - max(wrong)
    by_gap = max(-MOST_OF_GAP, min(MOST_OF_GAP, OF_GAP * (USUAL_GAP - gap)))
    by_length = OF_ACTION * (len(puzzle.best.turn) - USUAL_LENGTH)
    return round((RATINGS[puzzle.grade] + by_gap + by_length) / 5) * 5


def city_of(state: State, seat: int) -> dict[str, str]:
    """Return the tiles of a city by cell, for a small picture."""
    city = state.players[seat].city
    return {cell_text(place): city.tile_on(place).name for place in city.places}


@without_gc()
def _completed(source: Source) -> Source:
    """Return a game with the actions up to its end: the same bots play it again."""
    game = BotGame(source.options(), source.bots, source.seed)
    while game.goes_on:
        game.step()
    if tuple(game.actions[: len(source.actions)]) != source.actions:
        raise ValueError("the bots play this game differently now; find the puzzles again")
    return replace(source, actions=tuple(game.actions))
