"""The score pad: points of a game with the real box, and impossible entries."""

from __future__ import annotations

from collections.abc import Mapping

from granada.rules.errors import BadOptions
from granada.rules.options import Options
from granada.rules.tiles import TYPES
from granada.score_pad import SeatEntry, entries_needed, pad_problems, pad_rows
from granada.tables.aids import points_rows
from granada.tables.errors import TableError, rule_in
from granada.tables.pad_messages import PadEntry, PadProblem, PadResult, ScorePad, TypeName


def result_of(pad: ScorePad) -> PadResult:
    """Return the points of a pad; raises TableError for impossible options or missing entries."""
    options = _options(pad)
    needed = entries_needed(options)
    scorings: dict[str, list[SeatEntry]] = {}
    for scoring, entries in sorted(pad.scorings.items()):
        if len(entries) != needed:
            dirk = ", the last of them Dirk's (9.4)" if options.players == 2 else ""
            raise TableError("malformed", f"Scoring {scoring} has {len(entries)} entries instead of {needed}{dirk}.")
        scorings[scoring] = [_entry(entry) for entry in entries]
    result = PadResult([], [0] * needed, {}, [])
    for letter, found in scorings.items():
        rows = pad_rows(options, letter, found)
        points = [0] * needed
        for row in rows:
            points[row.seat] += row.points  # Dirk is seat -1, so his points come last
        result.rows += points_rows(rows)
        result.by_scoring[letter] = points
        result.totals = [total + gained for total, gained in zip(result.totals, points, strict=True)]
    for one in pad_problems(options, scorings):
        seat = None if one.seat is None else one.seat + 1
        result.problems.append(PadProblem(one.scoring, seat, one.item, one.code, one.rule, one.detail))
    return result


def _options(pad: ScorePad) -> Options:
    try:
        return Options(pad.edition, pad.players, pad.modules, pad.scoring)
    except BadOptions as error:
        raise TableError("bad_options", str(error), rule=rule_in(str(error))) from None


def _entry(entry: PadEntry) -> SeatEntry:
    return SeatEntry(
        entry.wall,
        entry.moat,
        entry.run or 0,
        _by_type(entry.counts),
        _by_type(entry.highest),
        _by_type(entry.bonus),
        _by_type(entry.huts),
    )


def _by_type(numbers: Mapping[TypeName, int]) -> tuple[int, ...]:
    by_word: dict[str, int] = {}
    for word, number in numbers.items():
        by_word[word] = number
    return tuple([by_word.get(word, 0) for word in TYPES])
