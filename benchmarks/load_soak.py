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
        self._samples: list[tuple[float, float]] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> MemoryLog:
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text("seconds,MB\n", "utf-8")
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
                sample = (time.monotonic() - start, self._server.memory())
                self._samples.append(sample)
                file.write(f"{sample[0]:.0f},{sample[1]:.1f}\n")
                file.flush()

    def summary(self) -> dict[str, float]:
        """Return the mean of each sixth of the time in MB, and the growth in the second half in MB per hour."""
        if len(self._samples) < 12:
            return {}
        count = len(self._samples)
        sixths = [self._samples[count * i // 6 : count * (i + 1) // 6] for i in range(6)]
        found = {f"memory, sixth {i + 1}, MB": statistics.fmean([mb for _, mb in one]) for i, one in enumerate(sixths)}
        late = self._samples[count // 2 :]
        slope = statistics.linear_regression([at for at, _ in late], [mb for _, mb in late]).slope
        return {**found, "growth, second half, MB/h": 3600 * slope}
