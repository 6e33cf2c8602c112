"""Judging positions: what tiles, money and actions are worth, quick play to look ahead, and the chance to win.

Everything here is compiled like the rules, but for the learned model, which needs NumPy.
"""
