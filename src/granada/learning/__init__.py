"""Environments for learning: games step by step, as tokens and observations, for PettingZoo, Gymnasium and OpenSpiel.

May import: rules, records, drawing, bots, arena. Start reading: `tokens.py` (actions), then `layout.py` (observations).
"""
