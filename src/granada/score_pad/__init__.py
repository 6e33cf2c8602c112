"""A score pad for games on a real table: points for what the players counted, and entries that cannot be right."""

from granada.score_pad.checks import CODES, Problem, pad_problems
from granada.score_pad.entries import Entry, entries_needed, pad_rows

__all__ = ["CODES", "Entry", "Problem", "entries_needed", "pad_problems", "pad_rows"]
