"""Python in the worker of the page: progress, interrupted downloads, and that nothing comes from elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.web.static_site import TYPES, StaticSite, serving

#: Starts the worker of the tables, and returns its messages until it is ready or has failed.
START = """([script, runtime]) => new Promise((resolve) => {
  const messages = [];
  const worker = new Worker(script, { type: "module" });
  worker.onmessage = ({ data }) => {
    messages.push(data);
    if (data.type !== "ready" && data.type !== "failed") return;
    worker.terminate();
    resolve(messages);
  };
  worker.onerror = (event) => resolve([...messages, { type: "error", detail: event.message }]);
  worker.postMessage({ type: "start", runtime, bots: { pause: 0, think: 1, nodes: 60, limit: 20 } });
})"""
#: Milliseconds for a start on a busy machine.
PATIENCE = 90_000


@pytest.fixture
def host(site_folder: Path) -> Iterator[StaticSite]:
    """A host for one test, which may break it."""
    with serving(site_folder) as site:
        yield site


@pytest.fixture
def blank(browser: Browser, host: StaticSite) -> Iterator[Page]:
    """A page of the host that does not run the client."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{host.url}/python/NOTICES.txt")
    yield page
    context.close()


def start(page: Page, host: StaticSite) -> list[dict[str, Any]]:
    """Start the worker of the tables and return its messages."""
    (script,) = (host.folder / "assets").glob("tables_worker-*.js")
    (runtime,) = (host.folder / "python").glob("runtime-*.json")
    found: list[dict[str, Any]] = page.evaluate(
        START, [f"{host.url}/assets/{script.name}", f"{host.url}/python/{runtime.name}"]
    )
    return found


def test_python_starts_with_progress_up_to_the_last_byte(blank: Page, host: StaticSite) -> None:
    outside: list[str] = []
    blank.context.on("request", lambda one: outside.append(one.url) if not one.url.startswith(host.url) else None)
    messages = start(blank, host)
    assert messages[-1] == {"type": "ready"}
    steps = [message for message in messages if message["type"] == "progress"]
    (path,) = (host.folder / "python").glob("runtime-*.json")
    total = json.loads(path.read_text("utf-8"))["bytes"]
    assert {step["total"] for step in steps} == {total}
    loaded = [step["loaded"] for step in steps]
    assert loaded == sorted(loaded)
    assert loaded[-1] == total
    assert len(loaded) > 3
    assert outside == []


def test_a_host_with_wrong_media_types_will_do(blank: Page, host: StaticSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(TYPES, ".wasm")
    assert start(blank, host)[-1] == {"type": "ready"}


@pytest.mark.parametrize("name", ["runtime-", r"pyodide\.mjs", r"asm\.mjs", r"asm\.wasm", "library-", "granada-.*txt"])
def test_a_missing_file_is_reported_and_a_second_try_works(blank: Page, host: StaticSite, name: str) -> None:
    host.failing = re.compile(name)
    last = start(blank, host)[-1]
    assert (last["type"], last["code"]) == ("failed", "download")
    assert re.search(name, last["detail"])
    if name == "granada-.*txt":  # one second try is enough: all files are fetched in the same way
        host.failing = None
        assert start(blank, host)[-1] == {"type": "ready"}


@pytest.mark.parametrize("name", [r"asm\.wasm", "library-", "msgspec-"])
def test_a_download_that_breaks_off_is_reported(blank: Page, host: StaticSite, name: str) -> None:
    host.cut = re.compile(name)
    last = start(blank, host)[-1]
    assert (last["type"], last["code"]) == ("failed", "download")


def test_a_file_of_another_version_is_reported(blank: Page, host: StaticSite, tmp_path: Path) -> None:
    # Some hosts answer with the home page instead of a missing file.
    folder = tmp_path / "site"
    folder.mkdir()
    for path in host.folder.rglob("*"):
        target = folder / path.relative_to(host.folder)
        if path.is_dir():
            target.mkdir(exist_ok=True)
        elif path.name == "pyodide.asm.wasm":
            target.write_text("<!doctype html>", "utf-8")
        else:
            target.hardlink_to(path)
    host.folder = folder
    last = start(blank, host)[-1]
    assert (last["type"], last["code"]) == ("failed", "download")
    assert "bytes arrived instead of" in last["detail"]
