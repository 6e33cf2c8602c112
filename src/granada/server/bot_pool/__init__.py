"""Bots in processes of their own: a slow or crashing bot fails its own job and nothing else.

May import: tables, bots, records, rules. Start reading: `pool.py`.
"""
