"""The files that the service worker of a static site keeps on the device, and its script with their list."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Final

SERVICE_WORKER: Final = "sw.js"
#: Files for hosts and for other sites, hidden files, and compressed copies.
_NOT_KEPT: Final = re.compile(
    rf"{re.escape(SERVICE_WORKER)}|_headers|\..*|404\.html|embed\.js|example\.\w+|.*\.(?:br|gz|map)", re.ASCII
)


def content_hash(content: bytes) -> str:
    """Return the hash of a file as the service worker computes it."""
    return hashlib.sha256(content).hexdigest()[:32]


def kept_files(folder: Path) -> dict[str, str]:
    """Return the paths of the files that the site needs offline, with their hashes, in a fixed order."""
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {path: content_hash((folder / path).read_bytes()) for path in paths if not _NOT_KEPT.fullmatch(path)}


def service_worker(script: str, files: dict[str, str]) -> str:
    """Return the built script of the service worker with the list of the files of this version."""
    version = content_hash(f"{script}{json.dumps(files)}".encode())[:12]
    return f"self.granadaSite = {json.dumps({'version': version, 'files': files}, separators=(',', ':'))};\n{script}"


def write_service_worker(folder: Path, script: str) -> None:
    """Write the service worker of a site whose other files are complete."""
    (folder / SERVICE_WORKER).write_text(service_worker(script, kept_files(folder)), "utf-8", newline="\n")
