"""Search everything a server sends for hidden information (16), in complete games over real sockets.

    python benchmarks/leaks.py --games 30

The long version of tests/server/test_secrets.py, which plays four games. A script named `secrets` would shadow the
module of the standard library.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.server.oracle import REPEATABLE  # noqa: E402
from tests.server.running import running  # noqa: E402
from tests.server.spied import GAMES, spied_games  # noqa: E402

#: The number of concurrent games on one server.
CONCURRENT = 5


def main() -> int:
    """Play and search; the exit status is 1 if a leak was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = [[*GAMES][number % len(GAMES)] for number in range(options.games)]
    messages = size = secrets = actions = 0
    found: list[str] = []
    start = time.monotonic()
    for first in range(0, len(names), CONCURRENT):
        with tempfile.TemporaryDirectory(prefix="granada-leaks-") as data, running(Path(data), **REPEATABLE) as server:
            games = asyncio.run(spied_games(server, names[first : first + CONCURRENT], options.seed + first))
            server.stop()
            log = server.log().encode()
        for name, game in zip(names[first:], games, strict=False):
            leaks = game.search.leaks(game.captured) + game.search.leaks_of_operation(log)
            found += [f"{name}: {leak}" for leak in leaks]
            messages += game.search.messages
            size += game.search.size
            secrets += game.search.secrets
            actions += max(game.oracle.moments)
        print(f"{min(first + CONCURRENT, len(names))} games, {messages} messages, found {len(found)}", flush=True)
    print(
        f"games {len(names)}  entries {actions}  messages {messages}  bytes {size}  secrets searched {secrets}  "
        f"found {len(found)}  in {time.monotonic() - start:.0f} s"
    )
    for leak in found[:20]:
        print(leak)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
