"""A pool of bot processes, so that a slow or crashing bot affects only its own job.

May import: tables, bots, records, rules. Start reading: `pool.py`.
"""
