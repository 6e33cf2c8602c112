"""Kill the table server again and again under load, and look for what is lost or done twice.

Several tables are played as fast as they can be, by people over sockets and by bots. At random moments the server and
its bots are killed (kill -9). Then, in the database: every acknowledged action, and everything that anybody was told,
must be there, once and in its place; after the restart clients send what was not answered again, and also what was.
At the end all games go on, and every one of them replays.
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
    parser.add_argument("--kills", type=int, default=200, help="how often (default: 200)")
    parser.add_argument("--tables", type=int, default=4, help="tables with people, besides two of bots (default: 4)")
    parser.add_argument("--seconds", type=float, default=1800, help="end after so many in any case (default: 1800)")
    parser.add_argument("--database", default="", help="postgresql://user@host/name (default: a new SQLite file)")
    parser.add_argument("--seed", default="1", help="for the moments and the actions")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="granada-kills-") as directory:
        database = wanted.database or f"sqlite:///{directory}/granada.sqlite"
        server = RunningServer(Path(directory), database)
        begun = time.monotonic()
        server.start()
        try:
            figures = asyncio.run(
                kill_often(server, database, wanted.kills, wanted.tables, wanted.seconds, wanted.seed)
            )
        finally:
            if server.process is not None and server.process.poll() is None:
                server.kill()
        show(figures, database.partition(":")[0], time.monotonic() - begun)
    return 0 if figures.kills >= wanted.kills else 1


def show(figures: Figures, database: str, seconds: float) -> None:
    print(f"database                 {database}")
    print(f"kills                    {figures.kills} in {seconds:.0f} s, {figures.early} of them while it started")
    print(f"tables, games to the end {figures.tables}, {figures.games}")
    print(f"entries stored           {figures.entries}")
    print(f"actions acknowledged     {figures.acknowledged}: none lost, none twice, all in their place")
    print(
        f"unanswered at a kill     {figures.unanswered_stored + figures.unanswered_lost}:"
        f" {figures.unanswered_stored} stored, {figures.unanswered_lost} not;"
        f" sent again {figures.sent_again} times, each obeyed once"
    )
    print(f"answered and sent again  {figures.again}: none obeyed twice")
    median = statistics.median(figures.starts)
    print(f"start until healthy      median {median:.2f} s, most {max(figures.starts):.2f} s")


if __name__ == "__main__":
    sys.exit(main())
