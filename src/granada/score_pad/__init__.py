"""A score pad for games with the printed components: points for what the players counted, and checks of the entries.

May import: rules. Start reading: `entries.py`.
"""

from granada.score_pad.checks import CODES, EntryProblem, pad_problems
from granada.score_pad.entries import SeatEntry, entries_needed, pad_rows

__all__ = ["CODES", "EntryProblem", "SeatEntry", "entries_needed", "pad_problems", "pad_rows"]
