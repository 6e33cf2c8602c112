"""The mypyc attributes of a class; without mypy_extensions they do nothing, so the rules have no dependency."""

from __future__ import annotations

from typing import Any

try:
    from mypy_extensions import mypyc_attr as mypyc_attr
except ImportError:

    def mypyc_attr(*attrs: str, **values: object) -> Any:  # type: ignore[misc]
        """Return the class unchanged."""
        return lambda cls: cls
