"""What the tests know about the service worker: its list, its caches, and when it has kept everything."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page

from granada.cli.precache import SERVICE_WORKER, write_service_worker

#: Milliseconds in which Python and the whole site are loaded on a busy machine.
LOADING = 90_000
#: What the console says about requests without a network.
NO_NETWORK = r"ERR_[A-Z_]+"


def listed(folder: Path) -> dict[str, str]:
    """Return the files in the list of the service worker, with their hashes."""
    line = (folder / SERVICE_WORKER).read_text("utf-8").partition("\n")[0]
    files: dict[str, str] = json.loads(line.partition(" = ")[2].removesuffix(";"))["files"]
    return files


def wait_until_kept(page: Page) -> None:
    """Wait until the whole site is on the device and serves the page."""
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'", timeout=LOADING)


def caches(page: Page) -> dict[str, list[str]]:
    """Return the paths of the files in each cache."""
    found: dict[str, list[str]] = page.evaluate(
        "async () => Object.fromEntries(await Promise.all((await caches.keys()).map(async (name) =>"
        " [name, (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)])))"
    )
    return found


def change(folder: Path, name: str, text: str) -> None:
    """Publish a new version in which a file ends with other text."""
    (folder / name).write_text((folder / name).read_text("utf-8") + text, "utf-8")
    script = (folder / SERVICE_WORKER).read_text("utf-8").partition("\n")[2]
    (folder / SERVICE_WORKER).unlink()
    write_service_worker(folder, script)
