"""Fuzzing of the API from its OpenAPI document. A long run: `python -m tests.server.fuzzing 500 SEED`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.server.running import Guest, RunningServer, running

GOLDEN = Path(__file__).parent.parent / "golden"
#: All requests are sent with the token, except revoking it, which would end the run.
CONFIG = """\
[auth.openapi.program]
bearer = "{token}"
[[operations]]
include-name = "DELETE /api/programs"
headers = {{ Authorization = "Bearer another" }}
"""
#: Streams never end, so they cannot be fuzzed; they have separate tests.
ENDLESS = "/api/tables/{table_id}/stream"


def prepare(server: RunningServer) -> dict[str, object]:
    """Prepare a program with a table in the lobby, a running one, one without spectators, and finished games."""
    with Guest(server) as stranger:
        token: str = stranger.post("/programs", {"name": "fuzz"})["token"]
    with Guest(server, token) as guest:
        waiting = guest.open_table(["open", "person", "greedy"])
        playing = guest.open_table(["person", "greedy"], modules=["vizier", "exchange", "bonus", "huts"])
        guest.start(playing)
        alone = guest.open_table(["person", "person"], edition="granada", spectators=False)
        guest.start(alone)
        records = []
        over = []
        for edition in ("alhambra", "granada"):
            text = next(iter(sorted(GOLDEN.glob(f"{edition}*2*.record")))).read_text("utf-8")
            records.append(text)
            response = guest.http.post("/api/records", content=text, headers={"content-type": "text/plain"})
            over.append(response.json()["table"]["id"])
    return {
        "url": server.url,
        "token": token,
        "tables": [waiting, playing, alone, *over],
        "running": playing,
        "records": records,
    }


def fuzz(
    server: RunningServer, examples: int, seed: int, directory: Path, phases: str
) -> subprocess.CompletedProcess[str]:
    """Run schemathesis against a server; returns 0 if its checks and those of `fuzz_hooks` pass."""
    prepared = prepare(server)
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": str(Path(__file__).with_name("fuzz_hooks.py")),
        "GRANADA_FUZZ": json.dumps(prepared),
    }
    config = directory / "schemathesis.toml"
    config.write_text(CONFIG.format(token=prepared["token"]), "utf-8")
    command = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "--config-file",
        str(config),
        "run",
        f"{server.url}/api/openapi.json",
    ]
    command += ["--checks", "all", "--exclude-checks", "positive_data_acceptance"]
    command += ["--exclude-path", ENDLESS, "--phases", phases, "--max-examples", str(examples), "--seed", str(seed)]
    command += ["--request-timeout", "30", "--no-color"]
    command += ["--continue-on-failure", "--warnings", "off", "--output-truncate", "false"]
    return subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, timeout=7200)


def main(examples: int, seed: int) -> int:
    """Run the fuzzer from the command line."""
    with tempfile.TemporaryDirectory() as directory, running(Path(directory) / "data") as server:
        done = fuzz(server, examples, seed, Path(directory), "examples,coverage,fuzzing,stateful")
        print(done.stdout, done.stderr)
        return done.returncode


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500, int(sys.argv[2]) if len(sys.argv) > 2 else 1))
