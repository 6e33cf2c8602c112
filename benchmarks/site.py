"""Performance of the static site: bytes, time until the first game, memory, and time from click to paint.

    make page-figures        or: python -m benchmarks.site --starts 3 --actions 60

The site comes from a plain host on this machine, compressed with Brotli. Times until the first game are from navigation
to the answer that the game has started. A slow processor is simulated by stopping all processes of the browser for
three quarters of the time: Chromium's own setting slows down pages, but not workers.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from playwright.sync_api import BrowserContext, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))

import build_page
from benchmarks.page import CLICKS, CPU_SLOWDOWN, HOME, NETWORK, TABLE, WATCH
from granada.cli.precache import kept_files
from granada.locales import LANGUAGES
from tests.web import api
from tests.web.browser import browsing, install
from tests.web.driver import Game, Pointer, Table, eager
from tests.web.screens import ready, upload
from tests.web.static_site import COMPRESSED, TYPES, StaticSite, built_site, serving
from tests.web.visitors import LAPTOP, PHONE, visiting

LANGUAGE: Final = "en"
#: Compresses the files of a folder into another one: `node -e … FROM TO NAME…`.
COMPRESS: Final = """
const [from, to, ...names] = process.argv.slice(1);
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { brotliCompressSync, constants, gzipSync } = require("node:zlib");
for (const name of names) {
  const content = readFileSync(join(from, name));
  mkdirSync(dirname(join(to, name)), { recursive: true });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(join(to, `${name}.br`), brotliCompressSync(content, { params }));
  writeFileSync(join(to, `${name}.gz`), gzipSync(content, { level: 9 }));
}
"""
#: Opens and starts a table as soon as the page takes requests, and notes when Python was ready and the game started.
FIRST_GAME: Final = """() => {
  const look = async () => {
    if (!globalThis.granada) return void setTimeout(look, 5);
    const send = async (path, body) =>
      (await globalThis.granada.request("POST", `/api/tables${path}`, JSON.stringify(body))).json();
    const seats = [{ kind: "person", name: "Ana" }, { kind: "bot", level: "greedy" }];
    const { table } = await send("", { seats, options: { edition: "granada" } });
    await send(`/${table.id}/start`, {});
    globalThis.firstGame = performance.now();
  };
  if (location.protocol.startsWith("http")) void look();
}"""
#: What the second worker does while clicks are measured, and the path at another table that is requested for it.
WORK: Final = {"nothing": "", "an analysis": "analysis", "a search": "hint"}
#: The search for a hint takes longer than the measurement, too.
BOTS: Final = json.dumps({"pause": 0, "think": 900, "limit": 1800})
#: Requests a path: a hint takes as long as the bot may think, and an analysis goes on as long as somebody asks for it.
ASK: Final = """(path) => {
  const ask = () => globalThis.granada.request("POST", path, "{}");
  window.asked = ask();
  if (path.endsWith("analysis")) setInterval(ask, 1000);
}"""
#: Milliseconds for a start on a slow machine.
PATIENCE: Final = 120_000


def main() -> int:
    """Run all measurements and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--starts", type=int, default=3, help="number of starts of each kind (default: 3)")
    parser.add_argument("--actions", type=int, default=60, help="number of actions to play (default: 60)")
    parser.add_argument(
        "--only", choices=("bytes", "phone", "starts", "memory", "clicks"), help="a part of the measurements"
    )
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="granada-site-") as data:
        folder, copies = built_site(Path(data)), Path(data) / "copies"
        _bytes(folder, copies)
        with serving(folder, copies=copies) as site:
            if wanted.only in (None, "phone"):
                _phone(site, wanted.starts)
            if wanted.only in (None, "starts"):
                _starts(site, Path(data), wanted.starts)
            if wanted.only in (None, "memory"):
                _memory(site, Path(data))
            if wanted.only in (None, "clicks"):
                for work in WORK:
                    _clicks(site, wanted.actions, work)
    return 0


def _bytes(folder: Path, copies: Path) -> None:
    """Print the compressed size of everything that is kept on a device with one language."""
    names = list(kept_files(folder))
    texts = [name for name in names if COMPRESSED.match(TYPES.get(Path(name).suffix, ""))]
    node = build_page.require_node().folder / "node"
    subprocess.run([node, "-e", COMPRESS, folder, copies, *texts], check=True)
    foreign = {name for name in names if _language(folder / name) not in (None, LANGUAGE)}
    for coding, suffix in (("Brotli", ".br"), ("gzip", ".gz")):
        sizes = {"python": 0, "client": 0}
        for name in set(names) - foreign:
            sent = copies / f"{name}{suffix}" if name in texts else folder / name
            sizes["python" if name.startswith("python/") else "client"] += sent.stat().st_size
        print(
            f"download with {coding}, everything for one language: {sum(sizes.values()) / 1e6:.2f} MB"
            f" (Python {sizes['python'] / 1e6:.2f}, client {sizes['client'] / 1e6:.2f})"
        )


def _language(path: Path) -> str | None:
    """Return the language of a file with texts, None if it has none."""
    name = re.match(r"(\w\w|rules)-.{8}\.js$", path.name)
    if name is None:
        return None
    if name[1] in LANGUAGES:
        return name[1]
    text = path.read_text("utf-8")
    for language in LANGUAGES:
        rules = (build_page.LOCALES / language / "rules.md").read_text("utf-8")
        heading = re.search(r"^## (.+)$", rules, re.MULTILINE)
        if heading is not None and heading[1].strip() in text:
            return language
    return None


def _phone(site: StaticSite, starts: int) -> None:
    """Print when the home page is usable on a slow phone."""
    times: list[float] = []
    with browsing() as browser:
        for _ in range(starts):
            with visiting(browser, site.url, replace(PHONE, moves=True)) as visit:
                session = visit.context.new_cdp_session(visit.page)
                session.send("Network.enable")
                session.send("Network.emulateNetworkConditions", NETWORK)
                session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
                visit.context.add_init_script(f"({WATCH})({HOME!r})")
                visit.page.goto("/")
                visit.page.wait_for_function("() => window.usable > 0")
                times.append(float(visit.page.evaluate("() => window.usable")))
    print(
        f"home on a phone (slow 4G, CPU {CPU_SLOWDOWN}× slower): usable after {statistics.median(times) / 1000:.2f} s"
    )


@contextmanager
def _profile(folder: Path) -> Iterator[BrowserContext]:
    """Start a new browser with a profile on disk."""
    with sync_playwright() as playwright:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        context = playwright.chromium.launch_persistent_context(
            folder, executable_path=install(), args=[*sandbox, "--disable-dev-shm-usage"], **LAPTOP.settings()
        )
        context.set_default_timeout(PATIENCE)
        try:
            yield context
        finally:
            context.close()


def _starts(site: StaticSite, data: Path, starts: int) -> None:
    """Print the times until the first game: with an empty profile, from the caches, and with a slow processor."""
    times: dict[str, list[float]] = {"cold": [], "cached": [], "slow": []}
    for number in range(starts):
        profile = data / f"profile-{number}"
        for kind, found in times.items():
            with _profile(profile) as context:
                page = context.new_page()
                page.add_init_script(f"({FIRST_GAME})()")
                with _slowed(_browser(profile), CPU_SLOWDOWN if kind == "slow" else 1):
                    page.goto(site.url)
                    page.wait_for_function("() => globalThis.firstGame > 0")
                    found.append(float(page.evaluate("() => globalThis.firstGame")))
                _settle(page)
    print(
        "first game ready on a desktop:"
        f" cold {_median(times['cold'])}, cached {_median(times['cached'])},"
        f" cached with a CPU {CPU_SLOWDOWN}× slower {_median(times['slow'])}"
    )


def _median(times: list[float]) -> str:
    each = " ".join(f"{one / 1000:.2f}" for one in times)
    return f"{statistics.median(times) / 1000:.2f} s ({each})"


def _settle(page: Page) -> None:
    """Wait until the service worker has stored everything, and the browser has had time to cache compiled code."""
    page.wait_for_function("async () => (await navigator.serviceWorker.ready).active?.state === 'activated'")
    time.sleep(5)


def _memory(site: StaticSite, data: Path) -> None:
    """Print the memory of the page's process with one worker, and with a second one for a search bot."""
    profile = data / "profile-0"
    with _profile(profile) as context:  # a visit whose downloads are not measured
        page = context.new_page()
        page.goto(site.url)
        _settle(page)
    found: list[int] = []
    for level in ("greedy", "search"):
        with _profile(profile) as context:
            page = context.new_page()
            page.goto(site.url)
            page.wait_for_function("() => globalThis.granada?.isReady()")
            seats = [{"kind": "person", "name": "Ana"}, {"kind": "bot", "level": level}]
            table = api.post(page, "/tables", {"seats": seats, "options": {"edition": "alhambra"}})["table"]["id"]
            api.post(page, f"/tables/{table}/start")
            _show(page, f"{site.url}/t/{table}")
            played = Game(Table(page), Pointer(Table(page)), eager("memory")).play(20)
            assert played == 20, "the game did not go on"
            context.new_cdp_session(page).send("HeapProfiler.collectGarbage")
            time.sleep(10)
            found.append(max(_pss(process) for process in _browser(profile) if _is_renderer(process)))
    print(f"memory of the page's process: {found[0]} MiB with one worker, {found[1]} MiB with a search bot")


def _clicks(site: StaticSite, actions: int, work: str) -> None:
    """Print the time from a click to the changed table, during some other work."""
    with browsing() as browser, visiting(browser, site.url, replace(LAPTOP, moves=True)) as visit:
        page = visit.page
        visit.context.set_default_timeout(PATIENCE)
        visit.context.add_init_script(f"localStorage.setItem('granada.bots', '{BOTS}')")
        page.goto("/about")
        table, other = [
            api.post(
                page,
                "/tables",
                {"seats": [{"kind": "person", "name": "Ana"}, second], "options": {"edition": "alhambra"}},
            )["table"]["id"]
            for second in ({"kind": "bot", "level": "greedy"}, {"kind": "person", "name": "Ben"})
        ]
        for one in (table, other):
            api.post(page, f"/tables/{one}/start")
        if work == "an analysis":
            other = upload(page, "alhambra-3-all-modules")
        _show(page, f"/t/{table}")
        if WORK[work]:
            page.evaluate(ASK, f"/api/tables/{other}/{WORK[work]}")
            page.wait_for_timeout(5000)  # the second worker starts
        page.evaluate(CLICKS)
        played = Game(Table(page), Pointer(Table(page)), eager("figures")).play(actions)
        waits: list[float] = page.evaluate("() => window.waits")
    p50, p95 = [statistics.quantiles(waits, n=100, method="inclusive")[percent - 1] for percent in (50, 95)]
    print(
        f"from click to paint over {played} actions with {work} in the second worker:"
        f" p50 {p50:.0f} ms, p95 {p95:.0f} ms, maximum {max(waits):.0f} ms ({len(waits)} clicks)"
    )


def _show(page: Page, address: str) -> None:
    """Open a table and wait until it is shown: Python has to load first."""
    page.goto(address)
    page.wait_for_selector(TABLE)
    ready(page)


# Processes of the browser


def _browser(profile: Path) -> list[int]:
    """Return the processes of the browser with a profile."""
    parents: dict[int, int] = {}
    first: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if f"--user-data-dir={profile}" in (entry / "cmdline").read_text():
                    first.append(int(entry.name))
            except OSError:
                continue  # it has ended
    found = set(first)
    while more := {process for process, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found)


def _is_renderer(process: int) -> bool:
    try:
        return "--type=renderer" in Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return False


def _pss(process: int) -> int:
    """Return the memory of a process in MiB, with its part of what several processes share."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return round(int(next(line.split()[1] for line in lines if line.startswith("Pss:"))) / 1024)


@contextmanager
def _slowed(processes: list[int], factor: int) -> Iterator[None]:
    """Let processes run for a part of the time only."""
    done = threading.Event()

    def send(number: signal.Signals) -> None:
        for process in processes:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                continue

    def run() -> None:
        while not done.wait(0.004):
            send(signal.SIGSTOP)
            time.sleep(0.004 * (factor - 1))
            send(signal.SIGCONT)

    if factor == 1:
        yield
        return
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        send(signal.SIGCONT)


if __name__ == "__main__":
    sys.exit(main())
