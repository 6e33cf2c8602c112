"""Requests of a page: to the server with its cookie or, on a static site, to the page itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from playwright.sync_api import Page

JSON = "application/json"
TEXT = "text/plain"
#: Milliseconds until a page has loaded its scripts, on a busy machine.
LOADING = 60_000


@dataclass(frozen=True)
class Response:
    """The answer to a request."""

    status: int
    text: str

    @property
    def ok(self) -> bool:
        return self.status < 400

    def json(self) -> Any:
        return msgspec.json.decode(self.text)


def is_site(page: Page) -> bool:
    """Whether a page works without a server."""
    found: bool = page.evaluate("() => document.querySelector('meta[name=granada-site]') !== null")
    return found


def request(page: Page, method: str, path: str, body: str | None = None, media_type: str = JSON) -> Response:
    """Send a request; the page must have been loaded before."""
    path = f"/api{path}"
    if is_site(page):
        page.wait_for_function("() => globalThis.granada", timeout=LOADING)
        reply = page.evaluate(
            """async ([method, path, body, type]) => {
              const reply = await globalThis.granada.request(method, path, body ?? undefined, type);
              return [reply.status, await reply.text()];
            }""",
            [method, path, body, media_type],
        )
        return Response(*reply)
    headers = {} if body is None else {"content-type": media_type}
    answer = page.request.fetch(path, method=method, data=body, headers=headers)
    return Response(answer.status, answer.text())


def get(page: Page, path: str) -> Any:
    """Return the JSON at a path of the API."""
    reply = request(page, "GET", path)
    assert reply.ok, reply.text
    return reply.json()


def post(page: Page, path: str, body: object | None = None) -> Any:
    """Send JSON to a path of the API, and return the JSON of the answer."""
    reply = request(page, "POST", path, encoded({} if body is None else body))
    assert reply.ok, reply.text
    return reply.json()


def post_text(page: Page, path: str, text: str) -> Any:
    """Send a text to a path of the API, and return the JSON of the answer."""
    reply = request(page, "POST", path, text, TEXT)
    assert reply.ok, reply.text
    return reply.json()


def table_message(page: Page, table: str) -> dict[str, Any]:
    """Return the message of a table as the browser may see it."""
    found: dict[str, Any] = get(page, f"/tables/{table}")
    return found


def encoded(body: object) -> str:
    """Return the JSON of a body."""
    return msgspec.json.encode(body).decode()
