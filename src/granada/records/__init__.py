"""The text of actions and whole games (docs/notation.md), and the provably fair shuffle (docs/shuffle.md).

`luck.py` (the default random source, which the shuffle uses) and `playout.py` (random games, which can write a record)
are here because `rules` must not contain a random generator.

May import: rules. Start reading: `record.py`, then `replay.py`.
"""
