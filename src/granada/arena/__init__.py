"""Games between bots: simulations, tournaments on this machine or on a Ray cluster, their ratings and reports.

May import: rules, records, drawing, bots. Start reading: `match.py` (one game), then `tournament.py` and `workers.py`.
"""
