"""Puzzles: positions from games between bots in which one whole turn is clearly the best.

May import: rules, records, engine, bots. Start reading: `puzzle.py` (what a puzzle is), then `finder.py`.
"""
