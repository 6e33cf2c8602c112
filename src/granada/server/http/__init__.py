"""HTTP and WebSocket: thin routes over `granada.api`, middleware, and the API documents.

May import: api, tables and the other parts of the server. Start reading: `app.py`.
"""
