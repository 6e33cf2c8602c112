"""Identities of browsers: a code takes a browser's identity to a second one, once and for a short time.

May import: tables, store. Start reading: `transfers.py`.
"""
