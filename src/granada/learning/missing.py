"""What to say if a package of the extra `learning` is missing."""

from __future__ import annotations


def missing(error: ModuleNotFoundError, extra: str = "granada[learning]") -> ModuleNotFoundError:
    """Return the error that says in one line what to install."""
    return ModuleNotFoundError(f"{error.name} is not installed: pip install '{extra}'", name=error.name)
