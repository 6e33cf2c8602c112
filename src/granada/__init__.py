"""Granada."""
