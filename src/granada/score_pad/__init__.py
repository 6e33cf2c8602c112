"""A score pad for games on a real table: points for what the players counted, and entries that cannot be right."""

from granada.score_pad.checks import CODES, EntryProblem, pad_problems
from granada.score_pad.entries import SeatEntry, entries_needed, pad_rows

__all__ = ["CODES", "EntryProblem", "SeatEntry", "entries_needed", "pad_problems", "pad_rows"]
