"""The store: entries of tables in SQLite or PostgreSQL, migrations, and notifications between processes.

May import: tables. Start reading: `sql_store.py`.
"""
