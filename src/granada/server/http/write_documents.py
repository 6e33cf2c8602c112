"""Writes the documents of the API into a directory: `python -m granada.server.http.write_documents docs/api`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from granada.server.http.app import Server, bare_app
from granada.server.http.openapi import as_text, openapi, socket_schema
from granada.server.ops.settings import Settings


def documents() -> dict[str, dict[str, Any]]:
    """The documents by the names of their files."""
    # Nothing is opened before the application starts, so no database is touched.
    app = bare_app(Server(Settings(database="sqlite:///never.sqlite")))
    return {"openapi.json": openapi(app), "socket.json": socket_schema()}


def main(directory: Path) -> None:
    """Write the files."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, document in documents().items():
        (directory / name).write_text(as_text(document), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/api"))
