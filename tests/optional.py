"""Tests of packages that need not be installed: skipped without them, unless GRANADA_NO_SKIPS is set."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest


def needs(package: str, install: str) -> pytest.MarkDecorator:
    """Skip a test if a package is missing; with GRANADA_NO_SKIPS it runs, and fails."""
    is_missing = find_spec(package) is None and not os.environ.get("GRANADA_NO_SKIPS")
    return pytest.mark.skipif(is_missing, reason=f"{package} is not installed: pip install {install}")
