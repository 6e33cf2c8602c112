"""The memory of a server over time, for a soak test."""

from __future__ import annotations

import statistics
import threading
import time
from pathlib import Path
from types import TracebackType

from benchmarks.load_server import MeasuredServer

#: Seconds between samples.
STEP = 10.0


class MemoryLog:
    """Samples the memory of a server in a thread, and writes a line of CSV for each sample at once."""

    def __init__(self, server: MeasuredServer, path: Path | None) -> None:
        self._server = server
        self._path = path
        self._samples: list[tuple[float, float, float]] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> MemoryLog:
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text("seconds,MB,blocks\n", "utf-8")
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        assert self._path is not None
        start = time.monotonic()
        with self._path.open("a", encoding="utf-8") as file:
            while not self._is_over.wait(STEP):
                sample = (time.monotonic() - start, self._server.memory(), self._server.blocks())
                self._samples.append(sample)
                file.write(f"{sample[0]:.0f},{sample[1]:.1f},{sample[2]:.0f}\n")
                file.flush()

    def summary(self) -> dict[str, float]:
        """Return the mean of each sixth of the time, and the growth per hour in the second half."""
        if len(self._samples) < 12:
            return {}
        count = len(self._samples)
        sixths = [self._samples[count * i // 6 : count * (i + 1) // 6] for i in range(6)]
        late = self._samples[count // 2 :]
        found: dict[str, float] = {}
        for column, name, unit in ((1, "memory, MB", 1.0), (2, "blocks, million", 1e6)):
            for i, one in enumerate(sixths):
                found[f"{name}, sixth {i + 1}"] = statistics.fmean([sample[column] for sample in one]) / unit
            slope = statistics.linear_regression([one[0] for one in late], [one[column] for one in late]).slope
            found[f"{name}, growth per hour in the second half"] = 3600 * slope / unit
        return found
