"""The rules of the game, without dependencies, clock or random generator; modules follow docs/rules.md.

May import: nothing else. Start reading: `state.py`, then `flow.py` (the turn), `acting.py` and `city.py`.
"""
