"""Takes screenshots of all screens: `python -m tests.web.screenshots docs/screens`.

With `--language de` the screens are in that language, at the sizes of a phone and a laptop.
"""

from __future__ import annotations

import argparse
import base64
import tempfile
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, Page

from granada.locales import LANGUAGES
from tests.server.running import running
from tests.web.browser import browsing
from tests.web.screens import SCREENS, Screen
from tests.web.visitors import DESKTOP, LAPTOP, PHONE, TABLET, Look, visiting

ENGLISH = Look().locale
LIGHT = (PHONE, TABLET, LAPTOP, DESKTOP)
#: Screens that are also taken in dark mode.
DARK = {"home": (LAPTOP, PHONE), "table-alhambra": (LAPTOP, PHONE), "table-combined": (LAPTOP,), "end": (LAPTOP,)}
#: WebP quality of 100, sufficient for flat colours and text.
QUALITY = 82


def picture(page: Page) -> bytes:
    """Return a screenshot of the window as WebP."""
    session = page.context.new_cdp_session(page)
    options = {"format": "webp", "quality": QUALITY, "optimizeForSpeed": False}
    found: dict[str, str] = session.send("Page.captureScreenshot", options)
    session.detach()
    return base64.b64decode(found["data"])


def take(browser: Browser, url: str, screen: Screen, look: Look, folder: Path) -> Path:
    """Take one screenshot; returns its path."""
    language = "" if look.locale == ENGLISH else f"-{look.locale}"
    path = folder / f"{screen.name}-{look.name}-{look.colours}{language}.webp"
    with visiting(browser, url, look) as visit:
        screen.go(visit.page)
        visit.page.wait_for_timeout(300)
        path.write_bytes(picture(visit.page))
    return path


def main() -> None:
    """Take all screenshots, or those of some screens."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="screens (default: all)")
    parser.add_argument("--language", choices=[*LANGUAGES], help="a language other than English")
    wanted = parser.parse_args()
    screens = [screen for screen in SCREENS if not wanted.names or screen.name in wanted.names]
    wanted.folder.mkdir(parents=True, exist_ok=True)
    if not wanted.names and wanted.language is None:
        for old in wanted.folder.glob("*.webp"):
            old.unlink()
    size = 0
    data = tempfile.TemporaryDirectory(prefix="granada-screens-")
    with data, running(Path(data.name)) as server, browsing() as browser:
        for screen in screens:
            looks = [*LIGHT, *[replace(look, colours="dark") for look in DARK.get(screen.name, ())]]
            if wanted.language is not None:
                looks = [replace(look, locale=wanted.language) for look in (PHONE, LAPTOP)]
            for look in looks:
                path = take(browser, server.url, screen, look, wanted.folder)
                size += path.stat().st_size
                print(f"{path.name} {path.stat().st_size / 1000:.0f} kB", flush=True)
    print(f"{size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
