"""Server operation: settings, logs, metrics, health, garbage collection and `granada doctor`.

May import: tables, store. Start reading: `settings.py`.
"""
