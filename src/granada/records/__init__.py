"""The text of actions and whole games (docs/notation.md), and the proof of the shuffle (docs/shuffle.md).

May import: rules. Start reading: `record.py`, then `replay.py`.
"""
