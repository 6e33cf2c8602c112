"""The store of the page in a real browser: the contract of all stores, under Pyodide on IndexedDB."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext
from playwright.sync_api import Error as PlaywrightError

from build_page import ROOT, WEB, require_node
from tests.server.store_contract import CASES, PAGE, SINGLE, Case
from tests.web import browser as chromium
from tests.web.static_site import StaticSite, serving

MODULES = ("tests/server/store_contract.py", "tests/web/site/page_contract.py")
SCRIPT = "store_worker.js"
#: Runs cases in a worker and returns the fault of each, by name.
RUN = """(asked) => new Promise((resolve) => {
  const worker = new Worker("/store_worker.js", { type: "module" });
  const found = {};
  worker.onmessage = ({ data }) => {
    found[data.name] = data.fault;
    if (data.name === "" || Object.keys(found).length === asked.cases.length) { worker.terminate(); resolve(found); }
  };
  worker.onerror = (event) => resolve({ "": event.message });
  worker.postMessage(asked);
})"""
#: Appends entries in a worker until the browser ends, and prints the version of each that is acknowledged.
WRITE = """() => {
  const worker = new Worker("/store_worker.js", { type: "module" });
  worker.onmessage = ({ data }) => console.info(`stored ${data}`);
  worker.postMessage({ write: true });
}"""
#: Returns the stored versions and commands.
READ = """() => new Promise((resolve, reject) => {
  const open = indexedDB.open("granada");
  open.onerror = () => reject(open.error);
  open.onsuccess = () => {
    const read = open.result.transaction("entries").objectStore("entries").getAll();
    read.onsuccess = () => resolve(read.result.map(({ version, command }) => [version, command]));
  };
})"""


@pytest.fixture(scope="module")
def host(site_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticSite]:
    """A host of the built site, with the worker that runs the cases beside it."""
    folder = tmp_path_factory.mktemp("store") / "site"
    shutil.copytree(site_folder, folder)
    command = ["node_modules/.bin/rolldown", "tests/store_worker.ts", "--format", "esm", "--file", str(folder / SCRIPT)]
    node = str(require_node().folder / "node")
    done = subprocess.run([node, *command], cwd=WEB, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "empty.html").write_text("<!doctype html><title>Store</title>", "utf-8")
    with serving(folder) as serving_host:
        yield serving_host


@pytest.fixture(scope="module")
def faults(browser: Browser, host: StaticSite) -> dict[str, str]:
    """The faults of all cases by name, on IndexedDB and (after a slash) in memory."""
    modules = {path: (ROOT / path).read_text("utf-8") for path in MODULES}
    [runtime] = (host.folder / "python").glob("runtime-*.json")
    context = browser.new_context(base_url=host.url)
    try:
        page = context.new_page()
        page.goto("/empty.html")
        found: dict[str, str] = {}
        for cases, is_memory in (((*CASES, *PAGE), False), ((*SINGLE, *PAGE), True)):
            names = [case.__name__ for case in cases]
            asked = {
                "runtime": f"/python/{runtime.name}",
                "modules": modules,
                "cases": names,
                "memory": is_memory,
            }
            results = page.evaluate(RUN, asked)
            assert set(results) == set(names), results
            found |= {f"memory/{name}" if is_memory else name: fault for name, fault in results.items()}
        return found
    finally:
        context.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("case", [*CASES, *PAGE], ids=lambda case: case.__name__)
def test_the_contract_of_all_stores_on_indexeddb(case: Case, faults: dict[str, str]) -> None:
    assert faults[case.__name__] == ""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("case", [*SINGLE, *PAGE], ids=lambda case: case.__name__)
def test_the_contract_of_all_stores_in_memory(case: Case, faults: dict[str, str]) -> None:
    assert faults[f"memory/{case.__name__}"] == ""


def launch_at(browser: Browser, folder: Path, url: str) -> BrowserContext:
    """Start a browser whose data is kept in a folder."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return browser.browser_type.launch_persistent_context(
        folder, executable_path=chromium.install(), args=[*sandbox, "--disable-dev-shm-usage"], base_url=url
    )


def processes_of(folder: Path) -> list[int]:
    """Return the ids of the processes of a browser with its data in a folder."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if f"--user-data-dir={folder}".encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


@pytest.mark.timeout(300)
def test_what_was_acknowledged_is_stored_once_when_the_browser_is_killed(
    browser: Browser, host: StaticSite, tmp_path: Path
) -> None:
    acknowledged: list[int] = []
    for _ in range(3):
        context = launch_at(browser, tmp_path, host.url)
        page = context.new_page()
        page.goto("/empty.html")
        heard = 0

        def hear(text: str) -> None:
            nonlocal heard
            if text.startswith("stored "):
                acknowledged.append(int(text.removeprefix("stored ")))
                heard += 1

        page.on("console", lambda message: hear(message.text))
        page.evaluate(WRITE)
        while heard < 20:
            page.wait_for_event("console", timeout=60_000)
        for process in processes_of(tmp_path):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        with suppress(PlaywrightError):
            context.close()
    context = launch_at(browser, tmp_path, host.url)
    page = context.new_page()
    page.goto("/empty.html")
    stored = page.evaluate(READ)
    context.close()
    versions = [version for version, _ in stored]
    assert versions == list(range(1, len(versions) + 1))
    assert [command for _, command in stored] == [f"h:{version}" for version in versions]
    assert len(acknowledged) >= 60
    assert set(acknowledged) <= set(versions)
    assert len(acknowledged) == len(set(acknowledged))
