"""The API of the tables, with its addresses, JSON and errors: the same over HTTP and in a page without a server.

May import: tables, locales. No web framework: a transport passes a `Call` to a handler and sends the `Reply`.
Start reading: `handlers.py`.
"""
