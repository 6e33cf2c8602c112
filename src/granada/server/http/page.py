"""The page: the web client as it was built, at every address that is not the API's."""

from __future__ import annotations

import os
import re
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from granada.server.http.credentials import secret_in_cookie
from granada.server.http.request_context import context_of

#: The page, as it lies in the package; build_page.py puts it there.
PAGE: Final = Path(__file__).parents[2] / "page"
#: The addresses for which the client has a screen, as routes.ts names them; at others it says that nothing is there.
SCREENS: Final = re.compile(
    r"/(?:new|record|settings|about|learn(?:/\w+)?|rules|pad|t/[A-Za-z0-9_-]{16}(?:/replay)?)?", re.ASCII
)
#: Whoever asks below these wants no page: what is missing there is refused in the words of the API.
_NO_PAGE: Final = ("/api", "/assets")
#: A name with the hash of its content, as Vite gives it: whatever changes gets another name.
HASHED: Final = re.compile(r".+-[A-Za-z0-9_-]{8}\.(?:js|css|svg|png|webp|json)")
#: What the files are; a machine's own list may name them otherwise, and browsers are told not to guess.
_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
}
#: Compressed copies of the files, the smallest first.
_PACKED: Final = (("br", ".br"), ("gzip", ".gz"))
_MISSING: Final = (
    "<!doctype html><html lang=en><title>Granada</title><p>The server runs, but its page is not built. "
    "Run <code>make page</code> in the folder of Granada's sources, then load this page again. "
    'The <a href="/api/docs">API</a> works without it.'
)


def page_routes() -> list[BaseRoute]:
    """The page at every address where nothing else is: the last routes of the application."""
    files = PageFiles(directory=PAGE / "assets", check_dir=False)

    async def page(request: Request) -> Response:
        """The page; whoever has it can hold a seat, so the secret comes with it and not with the first request."""
        status = 200 if SCREENS.fullmatch(request.url.path) else 404
        index = PAGE / "index.html"
        try:
            response = files.file_response(index, index.stat(), request.scope, status)
        except FileNotFoundError:
            return HTMLResponse(_MISSING, 503, {"cache-control": "no-store"})
        if request.method == "GET" and secret_in_cookie(request.headers) is None:
            context_of(request).set_cookie(request, response)
        return response

    return [Mount("/assets", files, name="assets"), PageRoute("/{path:path}", page, methods=["GET"])]


class PageRoute(Route):
    """All addresses but those of the API, which refuses in its own way what it does not know."""

    def matches(self, scope: Scope) -> tuple[Match, MutableMapping[str, Any]]:
        """Whether a request is for the page."""
        path: str = scope["path"]
        if any(path == taken or path.startswith(f"{taken}/") for taken in _NO_PAGE):
            return Match.NONE, {}
        return super().matches(scope)


class PageFiles(StaticFiles):
    """Files with their compressed copies; those with a hash in their name are kept for ever."""

    async def check_config(self) -> None:
        """Nothing to check: what is not built is not there."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """A file, or the smallest copy of it that the client reads."""
        asked = Headers(scope=scope)
        path = Path(full_path)
        headers = {"cache-control": _keeping(path.name), "vary": "accept-encoding"}
        chosen = path
        for coding, suffix in _PACKED:
            packed = path.with_name(path.name + suffix)
            if accepts(asked.get("accept-encoding", ""), coding) and packed.is_file():
                chosen, stat_result = packed, packed.stat()
                headers["content-encoding"] = coding
                break
        media_type = _TYPES.get(path.suffix)
        response = FileResponse(chosen, status_code, headers, media_type, stat_result=stat_result)
        if status_code == 200 and self.is_not_modified(response.headers, asked):
            return NotModifiedResponse(response.headers)
        return response


def accepts(header: str, coding: str) -> bool:
    """Whether a client that sends this header reads a coding.

    >>> [accepts(header, "br") for header in ("gzip, br", "br;q=0, gzip", "gzip", "*", "BR;q=0.5", "")]
    [True, False, False, False, True, False]
    """
    for part in header.split(","):
        name, _, weight = part.partition(";")
        if name.strip().lower() == coding:
            return re.fullmatch(r"q=0(\.0*)?", weight.strip()) is None
    return False


def _keeping(name: str) -> str:
    """How long browsers may keep a file: for ever, or only if they ask each time whether it has changed."""
    return "public, max-age=31536000, immutable" if HASHED.fullmatch(name) else "no-cache"
