"""Performance of the web client: size of the first load, time until usable, click latency, frame rates.

    make page-figures        or: python -m benchmarks.page --loads 5 --actions 150
    python -m benchmarks.page --only motion

The server runs on this machine; the phone is Chromium with a throttled network and CPU.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, Request, expect

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.running import RunningServer, running
from tests.web import api
from tests.web.browser import browsing
from tests.web.driver import Game, Pointer, Table, eager
from tests.web.screens import open_at, ready, visit_first
from tests.web.screens import scoring as go_to_scoring
from tests.web.visitors import LAPTOP, PHONE, Look, choose, visiting

#: Lighthouse's "slow 4G", in bytes per second and milliseconds, and the CPU slowdown.
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
CPU_SLOWDOWN = 4
#: A screen is usable when this element is visible.
HOME, TABLE = ".btn.primary", "[data-table] [data-display]"

#: Records when the screen is usable, in milliseconds since navigation.
WATCH = """(selector) => {
  const look = () => {
    const found = document.querySelector(selector);
    if (!found?.checkVisibility()) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => (window.usable = performance.now())));
  };
  look();
}"""

#: Records the time from a click until the changed table is painted.
CLICKS = """() => {
  window.waits = [];
  let begun = null;
  addEventListener("click", () => (begun ??= performance.now()), true);
  const note = (changes) => {
    if (begun === null || !changes.some(({ target }) => target.matches?.("[data-table]"))) return;
    const from = begun;
    begun = null;
    requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - from)));
  };
  new MutationObserver(note).observe(document.body, {
    subtree: true, attributes: true, attributeFilter: ["data-n", "data-held"],
  });
  addEventListener("pointerdown", () => (begun = null), true);
}"""

#: Records the time of every frame during the animation of a scoring.
FRAMES = """() => new Promise((done) => {
  const times = [];
  const until = performance.now() + 6000;
  const look = (now) => {
    times.push(now);
    if (now > until || !document.querySelector("[data-table] .scoring")) done(times);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""

#: Records the time of every frame while pieces are on their way. All motions are started by `animate`, and set off when
#: they are `ready`, which is when the new state has been drawn: how long that takes is recorded apart.
MOTION_FRAMES = """(() => {
  const frames = (window.motionFrames = { running: 0, runs: [], waits: [] });
  let run = null;
  const look = (now) => {
    if (frames.running === 0) run = null;
    else run.push(now);
    if (run !== null) requestAnimationFrame(look);
  };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (keyframes, options) {
    const animation = animate.call(this, keyframes, options);
    if (!options?.id?.startsWith("motion-")) return animation;
    const begun = performance.now();
    frames.running += 1;
    animation.ready.then(() => {
      if (run !== null || frames.running === 0) return;
      frames.waits.push(performance.now() - begun);
      frames.runs.push((run = []));
      requestAnimationFrame(look);
    }, () => {});
    const end = () => (frames.running -= 1);
    animation.finished.then(end, end);
    return animation;
  };
})()"""
#: Records the time of every frame of two seconds in which nothing happens: what this machine can show at all.
IDLE_FRAMES = """() => new Promise((done) => {
  const times = [];
  const until = performance.now() + 2000;
  const look = (now) => {
    times.push(now);
    if (now > until) done(times);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
#: The position before the first scoring of a golden game: seat 2 keeps its cards.
BEFORE_SCORING = ("alhambra-3-all-modules", 110)
_SLOWLY = f" (CPU {CPU_SLOWDOWN}× slower)"
#: The frames per second that motions should have.
TARGET = 60


def main() -> int:
    """Run all measurements and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--loads", type=int, default=5, help="number of loads per screen (default: 5)")
    parser.add_argument("--actions", type=int, default=150, help="number of actions to play (default: 150)")
    parser.add_argument("--turns", type=int, default=40, help="number of actions to play for the motions (default: 40)")
    parser.add_argument("--only", choices=list(PARTS), help="measure only one thing")
    wanted = parser.parse_args()
    parts = [wanted.only] if wanted.only else list(PARTS)
    data = tempfile.TemporaryDirectory(prefix="granada-page-")
    with data, running(Path(data.name)) as server, browsing() as browser:
        for part in parts:
            PARTS[part](browser, server, wanted)
    return 0


def _all_bytes(browser: Browser, server: RunningServer, _: argparse.Namespace) -> None:
    for name, path, selector in screens(browser, server):
        sizes = first_load(browser, server, path, selector)
        by_kind: dict[str, int] = {}
        for kind, size in sizes:
            by_kind[kind] = by_kind.get(kind, 0) + size
        parts = ", ".join(
            f"{kind} {size / 1000:.1f}" for kind, size in sorted(by_kind.items(), key=lambda one: -one[1])
        )
        whole = sum(by_kind.values()) / 1000
        print(f"first load of the {name}: {whole:.1f} kB compressed in {len(sizes)} files ({parts})")


def _all_loads(browser: Browser, server: RunningServer, wanted: argparse.Namespace) -> None:
    for name, path, selector in screens(browser, server):
        _load(browser, server, name, path, selector, wanted.loads)


def screens(browser: Browser, server: RunningServer) -> list[tuple[str, str, str]]:
    """Return what is measured: names, addresses, and what makes a screen usable."""
    return [("home", "/", HOME), ("table", f"/t/{_table(browser, server)}", TABLE)]


def _table(browser: Browser, server: RunningServer) -> str:
    with visiting(browser, server.url) as visit:
        return open_at(visit.page, "alhambra-3-all-modules", 300)


def first_load(browser: Browser, server: RunningServer, path: str, selector: str) -> list[tuple[str, int]]:
    """Return the kind and the compressed size of every file that a phone loads on its first visit."""
    with visiting(browser, server.url, PHONE) as visit:
        finished: list[Request] = []
        visit.page.on("requestfinished", lambda request: finished.append(request))
        visit.page.goto(path)
        visit.page.wait_for_selector(selector)
        visit.page.wait_for_load_state("networkidle")
        return [
            ("data" if "/api/" in one.url else one.resource_type, int(one.sizes()["responseBodySize"]))
            for one in finished
        ]


def _load(browser: Browser, server: RunningServer, name: str, path: str, selector: str, loads: int) -> None:
    first: list[float] = []
    again: list[float] = []
    for _ in range(loads):
        with visiting(browser, server.url, replace(PHONE, moves=True)) as visit:
            session = visit.context.new_cdp_session(visit.page)
            session.send("Network.enable")
            session.send("Network.emulateNetworkConditions", NETWORK)
            session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
            visit.context.add_init_script(f"({WATCH})({selector!r})")
            for times in (first, again):
                visit.page.goto(path)
                visit.page.wait_for_function("() => window.usable > 0")
                times.append(float(visit.page.evaluate("() => window.usable")))
    print(
        f"{name} on a phone (slow 4G, CPU {CPU_SLOWDOWN}× slower): usable after"
        f" {statistics.median(first) / 1000:.2f} s, on the second visit after"
        f" {statistics.median(again) / 1000:.2f} s (median of {loads})"
    )


def _clicks(browser: Browser, server: RunningServer, wanted: argparse.Namespace) -> None:
    with visiting(browser, server.url, replace(LAPTOP, moves=True)) as visit:
        page = visit.page
        _open_table(page)
        page.evaluate(CLICKS)
        table = Table(page)
        played = Game(table, Pointer(table), eager("figures")).play(wanted.actions)
        waits: list[float] = page.evaluate("() => window.waits")
    print(
        f"from click to paint over {played} actions: p50 {_part(waits, 50):.0f} ms, p95 {_part(waits, 95):.0f} ms,"
        f" maximum {max(waits):.0f} ms ({len(waits)} clicks that changed the table)"
    )


def _open_table(page: Page) -> None:
    visit_first(page)
    seats = [{"kind": "person", "name": "Ana"}, {"kind": "bot", "level": "greedy"}]
    table = api.post(page, "/tables", {"seats": seats, "options": {"edition": "alhambra"}})["table"]["id"]
    api.post(page, f"/tables/{table}/start")
    page.goto(f"/t/{table}")
    ready(page)


def _frames(browser: Browser, server: RunningServer, _: argparse.Namespace) -> None:
    for look in (LAPTOP, PHONE):
        with visiting(browser, server.url, Look(look.width, look.height, moves=True, touch=look.touch)) as visit:
            go_to_scoring(visit.page)
            if look.touch:
                _slow_down(visit.page)
            times: list[float] = visit.page.evaluate(FRAMES)
        gaps = [after - before for before, after in itertools.pairwise(times)]
        late = sum(gap > 25 for gap in gaps)
        slowly = _SLOWLY if look.touch else ""
        print(
            f"scoring at {look.name}{slowly}: {len(gaps) / sum(gaps) * 1000:.0f} frames per second,"
            f" p95 {_part(gaps, 95):.1f} ms per frame, {late} of {len(gaps)} over 25 ms"
        )


@dataclass(frozen=True)
class Frames:
    """The frames of motions in a slow page: their times, and how long each set of motions took to set off."""

    what: str
    idle: list[float]
    runs: list[list[float]]
    waits: list[float]

    @property
    def gaps(self) -> list[float]:
        return [after - before for times in self.runs for before, after in itertools.pairwise(times)]

    def __str__(self) -> str:
        gaps = self.gaps
        dropped = sum(max(0, round(gap * TARGET / 1000) - 1) for gap in gaps)
        return (
            f"motions on a phone{_SLOWLY}, {self.what}:"
            f" {len(gaps) / sum(gaps) * 1000:.0f} frames per second (target {TARGET}; at rest {_rate(self.idle):.0f}),"
            f" p95 {_part(gaps, 95):.1f} ms per frame, {dropped} of {len(gaps) + dropped} frames dropped"
            f" in {len(self.runs)} sets of motions; they set off {statistics.median(self.waits):.0f} ms after the new"
            " state (median)"
        )


def _motion(browser: Browser, server: RunningServer, wanted: argparse.Namespace) -> None:
    print(turn_frames(browser, server, wanted.turns))
    print(scoring_frames(browser, server))


def turn_frames(browser: Browser, server: RunningServer, turns: int) -> Frames:
    """Play turns on a slow phone; the turns of the other players are shown at their usual speed."""
    with visiting(browser, server.url, replace(PHONE, moves=True)) as visit:
        page = visit.page
        choose(page, pace="follow")
        page.add_init_script(MOTION_FRAMES)
        _open_table(page)
        _slow_down(page)
        table = Table(page)
        assert table.wait_for_turn()
        idle: list[float] = page.evaluate(IDLE_FRAMES)
        game = Game(table, Pointer(table, is_touch=True), eager("motions"))
        while len(game.played) < turns and game.step():
            # Any input would end the motions.
            page.wait_for_function("() => window.motionFrames.running === 0")
        return _frames_of(page, f"{len(game.played)} own actions and the turns of a bot", idle)


def scoring_frames(browser: Browser, server: RunningServer) -> Frames:
    """Show a scoring on a slow phone, step by step: points fly to the totals, and those of the result to the seats."""
    with visiting(browser, server.url, replace(PHONE, moves=True)) as visit:
        page = visit.page
        page.add_init_script(MOTION_FRAMES)
        page.goto(f"/t/{open_at(page, *BEFORE_SCORING)}")
        ready(page)
        table = Table(page)
        message = table.message()
        _slow_down(page)
        idle: list[float] = page.evaluate(IDLE_FRAMES)
        page.evaluate("() => (window.motionFrames.runs = [], window.motionFrames.waits = [])")
        action = {"id": "to-scoring", "type": "act", "n": message["n"], "hold": False, "action": "keep"}
        api.post(page, f"/tables/{table.id}/commands", action)
        page.wait_for_selector(".scoring")
        page.wait_for_selector(".scoring .prow.result", timeout=60_000)
        # The points of the result fly to the seats only after it is shown; the seats count up when they land.
        scores = [str(player["score"]) for player in api.table_message(page, table.id)["view"]["players"]]
        expect(page.locator(".seats .pts")).to_have_text(scores)
        page.wait_for_function("() => window.motionFrames.running === 0")
        return _frames_of(page, "a scoring of three players", idle)


def _slow_down(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})


def _frames_of(page: Page, what: str, idle: list[float]) -> Frames:
    # In one call: motions may be set off between two.
    frames: dict[str, Any] = page.evaluate("() => window.motionFrames")
    return Frames(what, idle, frames["runs"], frames["waits"])


def _rate(times: list[float]) -> float:
    return (len(times) - 1) / (times[-1] - times[0]) * 1000


def _part(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


#: What can be measured alone.
PARTS: Final[dict[str, Callable[[Browser, RunningServer, argparse.Namespace], None]]] = {
    "bytes": _all_bytes,
    "loads": _all_loads,
    "clicks": _clicks,
    "scoring": _frames,
    "motion": _motion,
}


if __name__ == "__main__":
    sys.exit(main())
