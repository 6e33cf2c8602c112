"""A QR code on the screen, read as a phone reads it: from its pixels."""

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
    """The text of the QR code in a picture; None if there is none."""
    page = picture.page
    page.evaluate((WEB / "node_modules" / "jsqr" / "dist" / "jsQR.js").read_text("utf-8"))
    read: str | None = page.evaluate(_READ, b64encode(picture.screenshot()).decode())
    return read
