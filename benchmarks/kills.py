"""Kill the server repeatedly under load, and check that no action is lost or executed twice.

Several tables are played at full speed by simulated players and bots. At random moments the server and its bots are
killed (kill -9). The database must then contain every acknowledged action and every broadcast change exactly once and
in order. After the restart, clients resend commands, both unanswered and answered ones. At the end, all games must
continue and replay.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.killing import Figures, kill_often
from tests.server.running import RunningServer


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=200, help="number of kills (default: 200)")
    parser.add_argument("--tables", type=int, default=4, help="tables with players, plus two of bots (default: 4)")
    parser.add_argument("--seconds", type=float, default=1800, help="time limit (default: 1800)")
    parser.add_argument("--database", default="", help="postgresql://user@host/name (default: a new SQLite file)")
    parser.add_argument("--seed", default="1", help="seed for the times of the kills and for the actions")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="granada-kills-") as directory:
        database = wanted.database or f"sqlite:///{directory}/granada.sqlite"
        server = RunningServer(Path(directory), database)
        start = time.monotonic()
        server.start()
        try:
            figures = asyncio.run(
                kill_often(server, database, wanted.kills, wanted.tables, wanted.seconds, wanted.seed)
            )
        finally:
            if server.process is not None and server.process.poll() is None:
                server.kill()
        show(figures, database.partition(":")[0], time.monotonic() - start)
    return 0 if figures.kills >= wanted.kills else 1


def show(figures: Figures, database: str, seconds: float) -> None:
    print(f"database                 {database}")
    print(f"kills                    {figures.kills} in {seconds:.0f} s, {figures.early} of them during a start")
    print(f"tables, finished games   {figures.tables}, {figures.games}")
    print(f"entries stored           {figures.entries}")
    print(f"actions acknowledged     {figures.acknowledged}: none lost, none duplicated, all in order")
    print(
        f"unanswered at a kill     {figures.unanswered_stored + figures.unanswered_lost}:"
        f" {figures.unanswered_stored} stored, {figures.unanswered_lost} not;"
        f" resent {figures.sent_again} times, each executed once"
    )
    print(f"answered and resent      {figures.again}: none executed twice")
    median = statistics.median(figures.starts)
    print(f"start until healthy      median {median:.2f} s, maximum {max(figures.starts):.2f} s")


if __name__ == "__main__":
    sys.exit(main())
