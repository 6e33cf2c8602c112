"""HTTP and WebSocket: thin routes over the operations of `granada.tables`, middleware, and the API documents.

May import: tables and the other parts of the server. Start reading: `app.py`.
"""
