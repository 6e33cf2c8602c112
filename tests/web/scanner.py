"""Decodes a QR code from its pixels on the screen, as a phone does."""

from __future__ import annotations

from base64 import b64encode

from playwright.sync_api import Locator

from build_page import WEB

_READ = """async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    const { width, height } = picture;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(picture, 0, 0);
    return jsQR(context.getImageData(0, 0, width, height).data, width, height)?.data ?? null;
}"""


def scan(picture: Locator) -> str | None:
    """Return the text of the QR code in an element; None if there is none."""
    page = picture.page
    page.evaluate((WEB / "node_modules" / "jsqr" / "dist" / "jsQR.js").read_text("utf-8"))
    read: str | None = page.evaluate(_READ, b64encode(picture.screenshot()).decode())
    return read
