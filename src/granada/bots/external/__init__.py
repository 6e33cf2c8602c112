"""Third-party bots: plug-ins, programs in any language, and the line protocol that connects them.

May import: rules, records, drawing, engine, bots. Start reading: `plugins.py`.
"""
