"""The table server: tables over HTTP and WebSocket, stored in SQLite or PostgreSQL.

May import: everything but arena and cli. Start reading: `server.py`.
"""
