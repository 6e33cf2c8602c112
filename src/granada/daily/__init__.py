"""The daily deal (docs/daily.md): one deal for each edition and day, the same for everybody, and the check of results.

May import: rules, records, bots. Start reading: `deal.py`, then `check.py`.
"""
