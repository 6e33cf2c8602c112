"""The fixtures of the web client on a static site: the pages come from files, and the games run in the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.static_site import StaticSite, serving


# The fixtures of tests/web ask for `server`; here it is a plain host of files.
@pytest.fixture(scope="package")
def server(site_folder: Path) -> Iterator[StaticSite]:
    """A host of the built site at its root."""
    with serving(site_folder) as host:
        yield host
