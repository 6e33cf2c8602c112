"""The figures of the client: what the first visit loads may not grow, and the frame rate of motions is measured."""

from __future__ import annotations

from playwright.sync_api import Browser

from benchmarks.page import Frames, first_load, scoring_frames, screens, turn_frames
from tests.server.running import RunningServer

#: The most that a first visit may load, in bytes, compressed.
LIMITS = {"home": 100_000, "table": 160_000}


def test_the_first_load_is_small(browser: Browser, server: RunningServer) -> None:
    loads = {name: first_load(browser, server, path, selector) for name, path, selector in screens(browser, server)}
    assert loads.keys() == LIMITS.keys()
    for name, files in loads.items():
        assert {"document", "script", "stylesheet"} <= {kind for kind, _ in files}
        assert sum(size for _, size in files) <= LIMITS[name], f"{name}: {sorted(files, key=lambda one: -one[1])}"


def check(frames: Frames) -> None:
    """Check that frames were counted while something moved, and that the rate is reported; not how high it is."""
    assert frames.gaps
    assert len(frames.waits) == len(frames.runs)
    assert "frames per second" in str(frames)


def test_the_frame_rate_of_turns_is_measured(browser: Browser, server: RunningServer) -> None:
    check(turn_frames(browser, server, 2))


def test_the_frame_rate_of_a_scoring_is_measured(browser: Browser, server: RunningServer) -> None:
    """In every step points fly."""
    frames = scoring_frames(browser, server)
    check(frames)
    assert len(frames.runs) > 1
