"""The tables in a web page without a server: Python in a Web Worker, entries in IndexedDB, bots in a second worker.

May import: rules, records, engine, bots, tables, api; no framework, no NumPy, no threads, no processes. What JavaScript
provides is declared as protocols in `bridge.py`. Start reading: `app.py`.
"""
