"""Everything that happens at a table, without I/O: entries, commands, views, and scheduling on asyncio.

May import: rules, records, drawing, bots, daily, puzzles, locales, score_pad; no web framework, no database, no
processes, so that it also runs in a browser. What it needs from outside is declared as protocols in `ports.py`.
Start reading: `service.py`.
"""
