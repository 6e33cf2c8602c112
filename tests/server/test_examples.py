from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from granada.records.shuffle import verify
from tests.server.running import PATIENCE, Guest, RunningServer, running

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("examples")) as found:
        yield found


def run(name: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def output(process: subprocess.Popen[str]) -> str:
    out, error = process.communicate(timeout=2 * PATIENCE)
    assert process.returncode == 0, error
    return out


@pytest.mark.parametrize(("edition", "bots"), [("alhambra", 1), ("granada", 2), ("combined", 2)])
def test_a_program_plays_over_the_api_to_the_end(
    server: RunningServer, edition: str, bots: int, tmp_path: Path
) -> None:
    record = tmp_path / "game.record"
    arguments = ("--edition", edition, "--bots", str(bots), "--record", str(record))
    printed = output(run("play_over_api.py", server.url, *arguments))
    assert " wins" in printed
    assert "The seed gives all" in printed
    text = record.read_text("utf-8")
    assert verify(text).is_over
    assert f"edition: {edition}\n" in text


@pytest.mark.parametrize(("edition", "bots"), [("alhambra", 2), ("granada", 1), ("combined", 1)])
def test_a_program_plays_over_the_socket_to_the_end(server: RunningServer, edition: str, bots: int) -> None:
    printed = output(run("play_over_socket.py", server.url, "--edition", edition, "--bots", str(bots)))
    assert " wins" in printed
    assert "The seed gives all" in printed


def test_two_programs_play_with_each_other_by_the_link_of_a_table(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["open", "open"])
        programs = [run(name, f"{server.url}/t/{table}") for name in ("play_over_api.py", "play_over_socket.py")]
        with host.socket(table) as socket:
            message = socket.next()
            while any(seat["kind"] == "open" for seat in message["table"]["seats"]):
                message = socket.next()
        host.start(table)
        assert all(" wins" in output(program) for program in programs)
