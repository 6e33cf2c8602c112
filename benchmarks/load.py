"""Load test: many tables whose players act at random times, each over its own socket.

    python benchmarks/load.py --tables 500 --clients 3 --seconds 60 --interval 2
    python benchmarks/load.py --growth 100,500,1000,2000        writes docs/load.md and docs/load.svg
    python benchmarks/load.py --soak 30 --tables 200            measure memory over 30 minutes

Server and players share the machine: look at the CPU time first, then at the lag of the players, then at latencies.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.load_client import GAMES, Plan, allow_many_sockets, run  # noqa: E402
from benchmarks.load_report import verdicts, write_report  # noqa: E402
from benchmarks.load_server import MeasuredServer, busy_time  # noqa: E402
from benchmarks.load_soak import MemoryLog  # noqa: E402
from tests.server.databases import postgres  # noqa: E402

#: Time limit in seconds for opening a table and playing its first actions.
OPENING_TIMEOUT = 0.5
#: Seconds after which a measurement is aborted if replies are still missing.
REPLY_TIMEOUT = 60.0
#: Seconds for the server to become idle before a measurement.
REST = 2.0

Result = dict[str, Any]


def measure(options: argparse.Namespace, tables: int) -> Result:
    """Measure one run on a new server."""
    if options.postgres:
        with postgres() as cluster, cluster.database() as url:
            return _measure_on(options, tables, url)
    return _measure_on(options, tables, options.database)


def _measure_on(options: argparse.Namespace, tables: int, database: str) -> Result:
    with tempfile.TemporaryDirectory(prefix="granada-load-") as name:
        server = MeasuredServer(options.python, Path(name), database, options.workers, options.compression)
        try:
            return _measure(options, tables, server)
        finally:
            server.stop()


def _measure(options: argparse.Namespace, tables: int, server: MeasuredServer) -> Result:
    time.sleep(REST)
    base = server.memory()
    processes = [_Players(options, tables, number, server.url) for number in range(options.processes)]
    try:
        limit = time.monotonic() + 60 + tables * OPENING_TIMEOUT
        for players in processes:
            players.wait(limit)
        time.sleep(REST)
        memory_idle, cpu_idle = server.memory(), _share(server, options.idle)
        before, stored, busy, start = server.cpu(), server.commits(), busy_time(), time.monotonic()
        with MemoryLog(server, options.memory) as memory_log:
            for players in processes:
                players.pipe.send(float(options.seconds))
            limit = start + options.seconds + REPLY_TIMEOUT
            figures = [players.wait(limit) for players in processes]
        # Until the last reply, because late replies are work too.
        cpu, busy, duration = server.cpu() - before, busy_time() - busy, time.monotonic() - start
        memory, commits, garbage = server.memory(), server.commits(), server.garbage()
    finally:
        for players in processes:
            players.end()
    answers = [one for each in figures for one in each["answers"]]
    lags = [one for each in figures for one in each["lags"]]
    players_cpu = sum([each["cpu"] for each in figures])
    errors = sum([each["errors"] for each in figures], Counter[str]())
    return {
        "tables": tables,
        "sockets": tables * options.clients,
        "seconds": options.seconds,
        "actions": len(answers),
        "actions_per_second": len(answers) / duration,
        "answer_ms": percentiles(answers),
        "arrival_ms": percentiles([one for each in figures for one in each["arrivals"]]),
        "commit_ms": 1000 * (commits[0] - stored[0]) / max(1.0, commits[1] - stored[1]),
        "errors": dict(errors),
        "complaints": server.complaints(),
        "games_ended": sum([each["renewed"] for each in figures]),
        "compressed_sockets": sum([each["compressed"] for each in figures]),
        "wire_bytes_per_action": sum([each["wire"] for each in figures]) / max(1, len(answers)),
        "message_bytes": sum([each["size"] for each in figures]) / max(1, sum([each["messages"] for each in figures])),
        "server_cpu": cpu / duration,
        "server_cpu_ms_per_action": 1000 * cpu / max(1, len(answers)),
        "server_cpu_idle": cpu_idle,
        "memory_base_mb": base,
        "memory_idle_mb": memory_idle,
        "memory_mb": memory,
        "memory_kb_per_table": 1000 * (memory_idle - base) / tables,
        "soak": memory_log.summary(),
        "garbage": garbage,
        "players_cpu": players_cpu / duration,
        "others_cpu": max(0.0, busy - cpu - players_cpu) / duration,
        "players_lag_ms": percentiles(lags),
    }


class _Players:
    """A process of players."""

    def __init__(self, options: argparse.Namespace, tables: int, number: int, url: str) -> None:
        share = tables // options.processes + (number < tables % options.processes)
        games = tuple(GAMES) if options.edition == "mixed" else (options.edition,)
        plan = Plan(
            url,
            share,
            options.clients,
            games,
            options.interval,
            options.advance,
            number + options.seed,
        )
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=run, args=(plan, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def wait(self, deadline: float) -> Any:
        """Return its next message."""
        while not self.pipe.poll(0.2):
            if not self._process.is_alive() or time.monotonic() > deadline:
                raise SystemExit("a process of players failed; see above")
        try:
            return self.pipe.recv()
        except EOFError:
            raise SystemExit("a process of players failed; see above") from None

    def end(self) -> None:
        """Wait for it to end, or kill it."""
        self._process.join(REPLY_TIMEOUT)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _share(server: MeasuredServer, seconds: float) -> float:
    """Return the fraction of one core that the server uses over some seconds."""
    before, start = server.cpu(), time.monotonic()
    time.sleep(seconds)
    return (server.cpu() - before) / (time.monotonic() - start)


def percentiles(values: list[float]) -> dict[str, float]:
    """Return percentiles, maximum and mean."""
    if not values:
        return {}
    ordered = sorted(values)
    found = {f"p{p}": ordered[min(len(ordered) - 1, len(ordered) * p // 100)] for p in (50, 95, 99)}
    return {**found, "max": ordered[-1], "mean": statistics.fmean(ordered)}


def about(options: argparse.Namespace) -> dict[str, object]:
    """Describe what is measured."""
    code = "import granada, sys; print(granada.is_compiled(), granada.__version__, sys.version.split()[0])"
    compiled, version, python = subprocess.run(
        [options.python, "-c", code], capture_output=True, text=True, check=True, cwd="/"
    ).stdout.split()
    database = "postgresql" if options.postgres else options.database.partition(":")[0].partition("+")[0] or "sqlite"
    return {
        "granada": version,
        "rules": "compiled" if compiled == "True" else "interpreted",
        "python": python,
        "database": database,
        "workers": options.workers,
        "interval": options.interval,
        "clients": options.clients,
        "edition": options.edition,
        "compression": options.compression,
        "cores": os.cpu_count(),
        "machine": platform.machine(),
    }


def show(result: Result) -> None:
    """Print the figures of one run."""

    def line(what: str, times: dict[str, float]) -> None:
        print(f"  {what:<28}" + "  ".join([f"{name} {value:8.2f}" for name, value in times.items()]))

    print(
        f"{result['tables']} tables, {result['sockets']} sockets: {result['actions']} actions, "
        f"{result['actions_per_second']:.1f} per second; errors: {result['errors'] or 'none'}; "
        f"warnings in the log: {result['complaints']}; games ended: {result['games_ended']}"
    )
    line("reply, ms", result["answer_ms"])
    line("other players, ms", result["arrival_ms"])
    line("lag of the players, ms", result["players_lag_ms"])
    print(f"  {'stored, ms':<27} mean {result['commit_ms']:8.2f}")
    print(
        f"  server: {100 * result['server_cpu']:.1f} % of a core, "
        f"{result['server_cpu_ms_per_action']:.2f} ms per action, idle {100 * result['server_cpu_idle']:.1f} %; "
        f"{result['memory_mb']:.0f} MB, idle {result['memory_idle_mb']:.0f} MB, "
        f"before {result['memory_base_mb']:.0f} MB: {result['memory_kb_per_table']:.0f} KB per table"
    )
    print(
        f"  players: {100 * result['players_cpu']:.1f} % of a core; others on the machine: "
        f"{100 * result['others_cpu']:.0f} %; a message has {result['message_bytes']:.0f} bytes, "
        f"an action sends {result['wire_bytes_per_action']:.0f} bytes over {result['compressed_sockets']} compressed "
        "and other sockets",
        flush=True,
    )
    for which, (count, seconds, objects) in result["garbage"].items():
        print(
            f"  garbage collections of {which} objects: {count:.0f}, {1000 * seconds:.0f} ms in total, "
            f"{1000 * seconds / max(1, count):.2f} ms each; {objects:.0f} objects in cycles"
        )
    for name, value in result["soak"].items():
        print(f"  {name:<27} {value:8.1f}", flush=True)
    for verdict in verdicts(result):
        print(f"  {verdict}", flush=True)


def read_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--clients", type=int, default=3, help="seats at a table, each with a socket")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--interval", type=float, default=2.0, help="average seconds between actions at a table")
    parser.add_argument(
        "--idle", type=float, default=10.0, help="seconds for which the cost of idle tables is measured"
    )
    parser.add_argument("--advance", type=int, default=40, help="the most actions at a table before the measurement")
    parser.add_argument("--edition", choices=["mixed", *GAMES], default="mixed")
    parser.add_argument("--compression", action="store_true", help="let the server compress socket messages")
    parser.add_argument("--database", default="", help="postgresql://… (default: a new SQLite file)")
    parser.add_argument("--postgres", action="store_true", help="start a PostgreSQL server for this run")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1, help="processes of players")
    parser.add_argument("--python", default=sys.executable, help="the Python that runs the server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--growth", help="numbers of tables (100,500,1000): measure each, and write docs/load.md")
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="measure memory over this many minutes")
    parser.add_argument("--memory", type=Path, help="write memory over time to this file (CSV); --soak has a default")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.soak:
        options.seconds = 60 * options.soak
        options.memory = options.memory or ROOT / "build" / "soak.csv"
    return options


def main() -> int:
    """Measure and report; the exit status is 1 if there were errors."""
    options = read_options()
    allow_many_sockets()
    setting = about(options)
    sizes = [int(size) for size in options.growth.split(",")] if options.growth else [options.tables]
    results: list[Result] = []
    if not options.json:
        print(", ".join([f"{key}: {value}" for key, value in setting.items()]), flush=True)
    for size in sizes:
        results.append(measure(options, size))
        if not options.json:
            show(results[-1])
    if options.json:
        print(json.dumps({"about": setting, "results": results}, indent=1))
    if options.growth:
        write_report(setting, results, ROOT / "docs")
    return 1 if any([result["errors"] or result["complaints"] for result in results]) else 0


if __name__ == "__main__":
    sys.exit(main())
