"""A plain static host for a built site: files, 404.html, ETags and compression; and faults on request."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from granada.cli.site import MARKER, write_site
from granada.server.http.page import accepts

#: Media types as common hosts know them; other files are application/octet-stream.
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".record": "application/octet-stream",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
}
#: Media types that hosts compress.
COMPRESSED = re.compile(r"text/|application/(?:json|manifest\+json|wasm)|image/svg")


@dataclass
class StaticSite:
    """A running host of one folder. The attributes can be changed while it runs."""

    folder: Path
    #: The path of the folder on this host, with a slash at both ends.
    base: str
    #: Whether files are sent as gzip, or as the .br and .gz copies in `copies`.
    compresses: bool = True
    #: A folder with compressed copies of the files, or None.
    copies: Path | None = None
    #: Paths in the folder that are answered with status 503, and those whose body is cut off in the middle.
    failing: re.Pattern[str] | None = None
    cut: re.Pattern[str] | None = None
    #: Whether every connection is closed without an answer, as if there were no network.
    is_down: bool = False
    #: The paths of all requests on this host, in order.
    requests: list[str] = field(default_factory=list)
    port: int = 0
    _packed: dict[str, bytes] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """Return the address of the host."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Return the address of the site without the slash at its end."""
        return f"{self.origin}{self.base}".removesuffix("/")

    def find(self, path: str) -> Path | None:
        """Return the file at a path of this host."""
        if not path.startswith(self.base):
            return None
        name = path.removeprefix(self.base)
        found = (self.folder / (f"{name}index.html" if name == "" or name.endswith("/") else name)).resolve()
        return found if found.is_file() and self.folder.resolve() in found.parents else None

    def encoded(self, file: Path, content: bytes, accepted: str) -> tuple[bytes, str]:
        """Return the content as it is sent, and its encoding or an empty text."""
        if not self.compresses or not COMPRESSED.match(TYPES.get(file.suffix, "")):
            return content, ""
        if self.copies is not None:
            for coding, suffix in (("br", ".br"), ("gzip", ".gz")):
                copy = self.copies / f"{file.relative_to(self.folder.resolve())}{suffix}"
                if accepts(accepted, coding) and copy.is_file():
                    return copy.read_bytes(), coding
        if not accepts(accepted, "gzip"):
            return content, ""
        key = hashlib.sha256(content).hexdigest()
        if key not in self._packed:
            self._packed[key] = gzip.compress(content, 6, mtime=0)
        return self._packed[key], "gzip"


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD from a StaticSite."""

    protocol_version = "HTTP/1.1"
    #: Otherwise the body waits until the browser has acknowledged the headers, about 40 ms.
    disable_nagle_algorithm = True
    site: StaticSite

    def do_GET(self) -> None:
        """Send a file."""
        path = unquote(urlsplit(self.path).path)
        self.site.requests.append(path)
        if self.site.is_down:
            self.close_connection = True
            return
        name = path.removeprefix(self.site.base)
        if self.site.failing is not None and self.site.failing.search(name):
            self._send(503, b"", {})
            return
        if f"{path}/" == self.site.base:
            self._send(301, b"", {"location": self.site.base})
            return
        file, status = self.site.find(path), 200
        if file is None:
            file, status = self.site.find(f"{self.site.base}404.html"), 404
        if file is None:
            self._send(404, b"Not found", {"content-type": "text/plain"})
            return
        content = file.read_bytes()
        headers = {"content-type": TYPES.get(file.suffix, "application/octet-stream")}
        headers |= {"etag": f'"{hashlib.sha256(content).hexdigest()[:16]}"', "vary": "accept-encoding"}
        headers |= {"cache-control": "max-age=0"}
        if status == 200 and self.headers.get("if-none-match") == headers["etag"]:
            self._send(304, b"", headers)
            return
        content, coding = self.site.encoded(file.resolve(), content, self.headers.get("accept-encoding", ""))
        if coding:
            headers["content-encoding"] = coding
        is_cut = self.site.cut is not None and self.site.cut.search(name) is not None
        self._send(status, content, headers, is_cut)

    do_HEAD = do_GET  # noqa: N815 - the name that http.server expects

    def _send(self, status: int, content: bytes, headers: dict[str, str], is_cut: bool = False) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("content-length", str(len(content)))
        self.end_headers()
        if self.command == "GET" and status != 304:
            self.wfile.write(content[: len(content) // 2] if is_cut else content)
        if is_cut:
            self.close_connection = True

    def log_message(self, format: str, *arguments: object) -> None:
        """Print nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing when a browser closes a connection."""


@contextmanager
def serving(folder: Path, base: str = "/", **settings: object) -> Iterator[StaticSite]:
    """Serve a site on a free port of this machine."""
    site = StaticSite(folder, base, **settings)  # type: ignore[arg-type]
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"site": site}))
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def built_site(shared: Path, base: str = "/") -> Path:
    """Return a folder with the site below a base; processes that share a folder write it once."""
    import build_page
    import build_site

    shared.mkdir(parents=True, exist_ok=True)
    folder = shared / f"site{base.replace('/', '-')}"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / MARKER).exists():
            build_page.build()
            build_site.build()
            write_site(folder, base)
    return folder
