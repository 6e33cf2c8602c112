"""What the server counts and measures, for Prometheus; with several workers, over all of them."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, PlatformCollector, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

#: Where several workers keep what they count; the library looks for it when it is imported.
SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
REGISTRY: Final = CollectorRegistry()

#: From a millisecond, which an action takes, to seconds, after which nobody believes in the server any more.
_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
#: From a bot that looks one action ahead to one that searches as long as it may.
_THINKING: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 60.0)

ACTIONS: Final = Counter("granada_actions", "Actions played, by who: person, bot, program.", ["who"], registry=REGISTRY)
ERRORS: Final = Counter("granada_errors", "Errors sent to clients, by code.", ["code"], registry=REGISTRY)
SOCKETS: Final = Gauge("granada_sockets", "Open sockets.", registry=REGISTRY, multiprocess_mode="livesum")
TABLES: Final = Gauge("granada_tables", "Tables in memory.", registry=REGISTRY, multiprocess_mode="livesum")
COMMIT_SECONDS: Final = Histogram(
    "granada_commit_seconds", "Until the entries of an action were stored.", buckets=_QUICK, registry=REGISTRY
)
ANSWER_SECONDS: Final = Histogram(
    "granada_answer_seconds", "From a command's arrival to the reply sent.", buckets=_QUICK, registry=REGISTRY
)
BOT_SECONDS: Final = Histogram(
    "granada_bot_seconds", "How long a bot thought, by level.", ["level"], buckets=_THINKING, registry=REGISTRY
)
BOT_FAILURES: Final = Counter(
    "granada_bot_failures", "Bots that gave no legal action in time, by level.", ["level"], registry=REGISTRY
)
GARBAGE_SECONDS: Final = Histogram(
    "granada_garbage_seconds",
    "How long a garbage collection stopped the event loop, by what it looked at: new objects, or all.",
    ["which"],
    buckets=(0.0005, *_QUICK),
    registry=REGISTRY,
)
GARBAGE_OBJECTS: Final = Counter(
    "granada_garbage_objects", "Objects in reference cycles that were collected.", ["which"], registry=REGISTRY
)
ENTRIES: Final = Counter("granada_entries", "Entries written to the database.", registry=REGISTRY)
DATABASE_ERRORS: Final = Counter("granada_database_errors", "What the database refused or lost.", registry=REGISTRY)
HTTP_REQUESTS: Final = Counter(
    "granada_http_requests", "Requests answered, by route and status.", ["method", "route", "status"], registry=REGISTRY
)


class PrometheusMetrics:
    """The metrics of tables (`granada.tables.ports.Metrics`), for Prometheus."""

    def action_played(self, by: str) -> None:
        """A person, a bot or a program has played an action."""
        ACTIONS.labels(by).inc()

    def error_sent(self, code: str) -> None:
        """A request or a command was answered with an error."""
        ERRORS.labels(code).inc()

    def command_done(self, seconds: float) -> None:
        """A command was executed, this long after it arrived."""
        ANSWER_SECONDS.observe(seconds)

    def tables_in_memory(self, count: int) -> None:
        """The number of tables in memory has changed."""
        TABLES.set(count)

    def entry_stored(self) -> None:
        """An entry was stored."""
        ENTRIES.inc()

    def database_failed(self) -> None:
        """The database did not answer."""
        DATABASE_ERRORS.inc()

    def bot_failed(self, level: str) -> None:
        """A bot gave no valid answer in time."""
        BOT_FAILURES.labels(level).inc()

    def time_commit(self) -> AbstractContextManager[object]:
        """Measures how long storing an entry takes."""
        return COMMIT_SECONDS.time()

    def time_bot(self, level: str) -> AbstractContextManager[object]:
        """Measures how long a bot thinks."""
        return BOT_SECONDS.labels(level).time()


ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)


def share(directory: Path) -> None:
    """Let the workers that are started after this count together in a directory, which is emptied."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.glob("*.db"):
        old.unlink()
    os.environ[SHARED] = str(directory)


def leave() -> None:
    """A worker ends: what it has open counts no more, what it did still does."""
    if SHARED in os.environ:
        mark_process_dead(os.getpid())  # type: ignore[no-untyped-call]


def render() -> bytes:
    """All figures in the text format of Prometheus (CONTENT_TYPE), those of all workers if there are several."""
    directory = os.environ.get(SHARED)
    if not directory:
        return generate_latest(REGISTRY)
    _forget_the_dead(Path(directory))
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return generate_latest(together)


def _forget_the_dead(directory: Path) -> None:
    """A worker that was killed could not leave; its sockets and tables would be counted for ever."""
    if os.name != "posix":  # elsewhere signal 0 ends a process
        return
    for path in directory.glob("gauge_live*.db"):
        pid = int(path.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid)  # type: ignore[no-untyped-call]
        except PermissionError:
            pass  # it lives, and belongs to somebody else
