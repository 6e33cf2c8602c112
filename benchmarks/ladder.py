"""Play the tournaments of the ladder and write docs/ladder.md.

    make ladder                                         play all missing games; takes hours
    python benchmarks/ladder.py --only granada-doubling-0.2s --scale 0.1
    python benchmarks/ladder.py --list                  list the tournaments and their progress
    python benchmarks/ladder.py --write                 write docs/ladder.md from the stored games only

Each game is stored in benchmarks/ladder_games: an interrupted run can be resumed, and a larger scale adds games. When
the bots have changed, remove the results and docs/ladder/figures.json, and change SEED.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.ladder_ratings import write_ratings  # noqa: E402
from benchmarks.ladder_report import write_report  # noqa: E402
from benchmarks.ladder_tournaments import ENTRIES, Entry  # noqa: E402
from granada.arena.results import BadResults, Results, play_missing  # noqa: E402
from granada.cli.arguments import MOST_JOBS, number  # noqa: E402
from granada.cli.progress_bar import ProgressBar  # noqa: E402
from granada.rules.errors import BadOptions  # noqa: E402


def main(argv: list[str] | None = None) -> int:
    """Play the missing games and write the report."""
    options = _options(argv)
    entries = [entry.scaled(options.scale) for entry in ENTRIES if not options.only or entry.name in options.only]
    unknown = set(options.only) - {entry.name for entry in ENTRIES}
    if unknown:
        print(f"there is no tournament {', '.join(sorted(unknown))}; --list shows the names", file=sys.stderr)
        return 2
    folder = Path(options.results)
    folder.mkdir(parents=True, exist_ok=True)
    if options.list:
        for entry in entries:
            done = _lines(folder / f"{entry.name}.jsonl") - 1
            print(f"{entry.name:40} {max(done, 0):5} of {entry.tournament.size:5} games")
        return 0
    if not options.write:
        try:
            for entry in entries:
                _play(entry, folder, options.jobs)
        except KeyboardInterrupt:
            print("interrupted; run the same command again to continue", file=sys.stderr)
            return 130
    docs = ROOT / "docs" if options.docs is None else Path(options.docs)
    ratings = write_report(docs, folder, ENTRIES)
    if options.docs is None and ratings:  # the server shows the ratings of the report
        write_ratings(ratings)
    return 0


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play the tournaments of the ladder and write docs/ladder.md.")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="only this tournament; can be repeated"
    )
    parser.add_argument(
        "--scale", type=_positive, default=1.0, metavar="X", help="factor for the number of games (default: 1)"
    )
    parser.add_argument(
        "--jobs", type=number(1, MOST_JOBS), default=os.cpu_count() or 1, metavar="N", help="processes (default: all)"
    )
    parser.add_argument(
        "--results", default=str(ROOT / "benchmarks" / "ladder_games"), metavar="DIR", help="the folder of the results"
    )
    parser.add_argument("--docs", metavar="DIR", help="the folder of ladder.md (default: docs)")
    parser.add_argument("--list", action="store_true", help="list the tournaments without playing")
    parser.add_argument("--write", action="store_true", help="write the report without playing")
    return parser.parse_args(argv)


def _positive(text: str) -> float:
    scale = float(text)
    if not 0.0 < scale < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not a scale between 0 and 1000000")
    return scale


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _play(entry: Entry, folder: Path, jobs: int) -> None:
    """Play the missing games of a tournament; it is skipped with a message if that is not possible."""
    tournament = entry.tournament
    start = time.perf_counter()
    try:
        tournament.prepare()
        with Results(tournament, str(folder / f"{entry.name}.jsonl")) as results:
            if results.is_mixed:
                print(f"{entry.name}: the bots have changed since its first games", file=sys.stderr)
            done = len(results.played())
            with ProgressBar(tournament.size, True, done) as progress:
                for _ in play_missing(results, jobs):
                    done += 1
                    progress.show(done)
    except (BadOptions, BadResults, ChildProcessError) as error:
        print(f"{entry.name} is skipped: {error}", file=sys.stderr)
        return
    print(f"{entry.name}: {done} games, {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
