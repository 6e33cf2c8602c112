"""Renders the icons from the artwork: `python -m tests.web.icons` writes them into web/public/assets."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser

from build_page import WEB
from tests.web.browser import browsing

ASSETS = WEB / "public" / "assets"
#: The tower has the clearest outline of all tiles, even at sixteen pixels.
TILE = "tile-tower"
#: The centre of the tower, and its scale; in a maskable icon it must fit into the inner circle.
CENTRE, LARGE, SAFE = (52, 47), 1.14, 0.9
SIZE = 100


def scene() -> str:
    """Return the drawing of the tile with literal colours."""
    artwork = (WEB / "src" / "art" / "artwork.svg").read_text("utf-8")
    found = re.search(rf'<symbol id="{TILE}"[^>]*?fill="([^"]+)"[^>]*>(.*?)</symbol>', artwork, re.DOTALL)
    assert found is not None
    lines = [re.sub(r"\s+", " ", line).strip() for line in found[2].strip().splitlines()]
    return re.sub(r"var\(--[\w-]+,\s*(#[0-9a-fA-F]+)\)", r"\1", f'<g fill="{found[1]}">{"".join(lines)}</g>')


def icon(zoom: float, radius: float) -> str:
    """Return an icon as SVG: the scene enlarged around the tower, with rounded corners."""
    x, y = SIZE / 2 - CENTRE[0] * zoom, SIZE / 2 - CENTRE[1] * zoom
    # Continue sky, hills and ground outside of the tile.
    around = (
        '<path fill="#552c7d" d="M-50-50h200v200h-200z"/><path fill="#351552" d="M-50 77h200v73h-200z"/>'
        '<path fill="#a98ad2" fill-opacity=".28" d="M-50 60Q-20 76 0 66V77H-50zM100 57q12-2 26-10l24 2V77H100z"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">'
        f'<clipPath id="a"><rect width="{SIZE}" height="{SIZE}" rx="{radius:g}"/></clipPath>'
        f'<g clip-path="url(#a)"><g transform="translate({x:.4g} {y:.4g}) scale({zoom:g})">{around}{scene()}</g></g>'
        "</svg>\n"
    )


def picture(browser: Browser, svg: str, size: int) -> bytes:
    """Return an icon as PNG."""
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:{size}px}}</style>{svg}")
    found = page.screenshot(omit_background=True)
    page.close()
    return found


def main() -> None:
    """Write all icons."""
    rounded, square, maskable = icon(LARGE, 22), icon(LARGE, 0), icon(SAFE, 0)
    (ASSETS / "icon.svg").write_text(rounded, "utf-8")
    with browsing() as browser:
        wanted = {"192": (rounded, 192), "512": (rounded, 512), "180": (square, 180), "maskable-512": (maskable, 512)}
        for name, (svg, size) in wanted.items():
            path: Path = ASSETS / f"icon-{name}.png"
            path.write_bytes(picture(browser, svg, size))


if __name__ == "__main__":
    main()
