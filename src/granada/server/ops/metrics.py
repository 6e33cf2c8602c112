"""Prometheus metrics of the server; with several workers, totals over all of them."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, PlatformCollector, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from granada.tables.ports import Metrics

#: The variable with the directory in which workers share metrics; prometheus_client reads it on import.
SHARED_DIRECTORY: Final = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
REGISTRY: Final = CollectorRegistry()

#: From one millisecond, the time of a normal action, to five seconds.
_LATENCY_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
#: From a bot that looks one action ahead to one that uses all of its time.
_THINKING_BUCKETS: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 60.0)

ACTIONS: Final = Counter("granada_actions", "Actions played, by who: person, bot, program.", ["who"], registry=REGISTRY)
ERRORS: Final = Counter("granada_errors", "Errors sent to clients, by code.", ["code"], registry=REGISTRY)
SOCKETS: Final = Gauge("granada_sockets", "Open sockets.", registry=REGISTRY, multiprocess_mode="livesum")
TABLES: Final = Gauge("granada_tables", "Tables in memory.", registry=REGISTRY, multiprocess_mode="livesum")
BLOCKS: Final = Gauge(
    "granada_memory_blocks",
    "Blocks of memory in use by Python; level unless there is a leak, even if the process keeps freed memory.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
COMMIT_SECONDS: Final = Histogram(
    "granada_commit_seconds",
    "Time until the entries of an action are stored.",
    buckets=_LATENCY_BUCKETS,
    registry=REGISTRY,
)
ANSWER_SECONDS: Final = Histogram(
    "granada_answer_seconds",
    "Time from receiving a command to sending the reply.",
    buckets=_LATENCY_BUCKETS,
    registry=REGISTRY,
)
BOT_SECONDS: Final = Histogram(
    "granada_bot_seconds", "Thinking time of bots, by level.", ["level"], buckets=_THINKING_BUCKETS, registry=REGISTRY
)
BOT_FAILURES: Final = Counter(
    "granada_bot_failures", "Bots that returned no legal action in time, by level.", ["level"], registry=REGISTRY
)
GARBAGE_SECONDS: Final = Histogram(
    "granada_garbage_seconds",
    "Pauses of the event loop for garbage collection, of new or of all objects.",
    ["which"],
    buckets=(0.0005, *_LATENCY_BUCKETS),
    registry=REGISTRY,
)
GARBAGE_OBJECTS: Final = Counter(
    "granada_garbage_objects", "Objects in reference cycles that were freed.", ["which"], registry=REGISTRY
)
ENTRIES: Final = Counter("granada_entries", "Entries written to the database.", registry=REGISTRY)
DATABASE_ERRORS: Final = Counter("granada_database_errors", "Failed database operations.", registry=REGISTRY)
HTTP_REQUESTS: Final = Counter(
    "granada_http_requests", "Requests served, by route and status.", ["method", "route", "status"], registry=REGISTRY
)


class PrometheusMetrics(Metrics):
    """Implements `granada.tables.ports.Metrics` for Prometheus."""

    def action_played(self, by: str) -> None:
        ACTIONS.labels(by).inc()

    def error_sent(self, code: str) -> None:
        ERRORS.labels(code).inc()

    def command_done(self, seconds: float) -> None:
        ANSWER_SECONDS.observe(seconds)

    def tables_in_memory(self, count: int) -> None:
        TABLES.set(count)

    def entry_stored(self) -> None:
        ENTRIES.inc()

    def database_failed(self) -> None:
        DATABASE_ERRORS.inc()

    def bot_failed(self, level: str) -> None:
        BOT_FAILURES.labels(level).inc()

    def time_commit(self) -> AbstractContextManager[object]:
        return COMMIT_SECONDS.time()

    def time_bot(self, level: str) -> AbstractContextManager[object]:
        return BOT_SECONDS.labels(level).time()


ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)


def share(directory: Path) -> None:
    """Make workers that start from now on share their metrics in a directory; its old metrics are deleted."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.glob("*.db"):
        old.unlink()
    os.environ[SHARED_DIRECTORY] = str(directory)


def mark_worker_stopped() -> None:
    """Drop the gauges of this worker; its counters stay in the totals."""
    if SHARED_DIRECTORY in os.environ:
        mark_process_dead(os.getpid())  # type: ignore[no-untyped-call]


def render() -> bytes:
    """Return the metrics of all workers in the Prometheus text format (CONTENT_TYPE)."""
    directory = os.environ.get(SHARED_DIRECTORY)
    if not directory:
        return generate_latest(REGISTRY)
    _drop_dead_workers(Path(directory))
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return generate_latest(together)


def _drop_dead_workers(directory: Path) -> None:
    """Drop the gauges of killed workers, which could not do so themselves."""
    if os.name != "posix":  # on Windows, signal 0 ends the process
        return
    for path in directory.glob("gauge_live*.db"):
        pid = int(path.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid)  # type: ignore[no-untyped-call]
        except PermissionError:
            pass  # the process exists, but belongs to another user
