"""Bad input: a one-line message, status 2, no partial output, no traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from granada import __version__
from tests.cli.command import ENVIRONMENT, PATIENCE, complaint, granada, has_reason, output


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("", "arguments are required: COMMAND"),
        ("dance", "invalid choice: 'dance'"),
        ("simulate --gam 5", "unrecognized arguments: --gam 5"),
        ("simulate more", "unrecognized arguments: more"),
        ("simulate --edition chess", "the edition 'chess' is none of alhambra, granada, combined (15)"),
        ("simulate --modules vizier,chess", "the module 'chess' is none of vizier, exchange, bonus, huts (15)"),
        ("simulate --modules vizier,vizier", "the module 'vizier' is named twice (15)"),
        ("simulate --edition granada --modules huts", "the module 'huts' needs Alhambra tiles"),
        ("simulate --scoring simplified", "the simplified scoring needs Granada tiles"),
        ("simulate --players random", "two to six players can play, not 1 (2.1)"),
        ("simulate --players random,deep", "the bot 'deep' is none of random, "),
        ("simulate --players you,random", "the bot 'you' is none of random, "),
        ("puzzles --out new.jsonl --append", "--append needs --from"),
        ("simulate --games 0", "'0' is not a whole number from 1 to 999999"),
        ("simulate --games -5", "'-5' is not a whole number from 1 to 999999"),
        ("simulate --games 1000000000000", "'1000000000000' is not a whole number from 1 to 999999"),
        ("simulate --games 1e3", "'1e3' is not a whole number from 1 to 999999"),
        ("simulate --jobs 0", "'0' is not a whole number from 1 to 256"),
        ("simulate --jobs 1000000", "'1000000' is not a whole number from 1 to 256"),
        ("simulate --seed -1", "'-1' is not a whole number from 0 to "),
        ("simulate --max-turns 0", "'0' is not a whole number from 1 to 1000000"),
        ("simulate --records", "expected one argument"),
        ("simulate --huts missing.csv", "cannot read missing.csv: No such file or directory"),
        ("simulate --granada-tiles folder", "cannot read folder: Is a directory"),
        ("simulate --modules huts --huts binary", "cannot read binary: it is not UTF-8 text"),
        ("simulate --modules huts --huts text", "text, line 1: the first line must be 'type,walls'"),
        ("simulate --games 1 --records text", "cannot write text: File exists"),
        ("simulate --games 1 --records text/out", "cannot write text/out: Not a directory"),
        ("replay", "arguments are required: FILE"),
        ("replay missing", "cannot read missing: No such file or directory"),
        ("replay folder", "cannot read folder: Is a directory"),
        ("replay binary", "binary is not a record: it is not UTF-8 text"),
        ("draw missing", "cannot read missing: No such file or directory"),
        ("perft --players 7", "'7' is not a whole number from 2 to 6"),
        ("perft --depth 0", "'0' is not a whole number from 1 to 12"),
        ("perft --modules chess", "the module 'chess' is none of"),
        ("play --players greedy,greedy", "one of the players must be 'you'"),
        ("play --players you,deep", "the bot 'deep' is none of random, "),
        ("play --bot-file missing.py", "cannot read missing.py: No such file or directory"),
        ("play --bot-program me", "'me' is not a program: use NAME=COMMAND"),
        ("simulate --bot-file", "expected one argument"),
        ("simulate --bot-file folder", "cannot read folder: Is a directory"),
        ("simulate --bot-file binary", "binary, line 1: not valid Python: "),
        ("simulate --bot-file text", "text, line 1: NameError: name 'text' is not defined"),
        ("simulate --bot-program me=no-such-program", "the program 'no-such-program' of the bot 'me' does not exist"),
        ("simulate --bot-program greedy=python", "the name 'greedy' is taken"),
        ("serve --bot-file missing.py", "missing.py: No such file or directory"),
        ("bot", "arguments are required: LEVEL"),
        ("bot deep", "the bot 'deep' is none of random, "),
        ("bot greedy:fast", "'fast' in 'greedy:fast' is not a budget"),
        ("bot greedy --bot-file missing.py", "cannot read missing.py: No such file or directory"),
        ("play --record folder", "cannot write folder: Is a directory"),
        ("play --record missing/game.record", "cannot write missing/game.record: No such file or directory"),
    ],
)
def test_bad_input_gets_one_line(arguments: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "text").write_text("text\n")
    before = sorted(tmp_path.rglob("*"))
    assert has_reason(complaint(*arguments.split(), cwd=tmp_path), reason)
    assert sorted(tmp_path.rglob("*")) == before


def test_an_empty_name_is_no_file() -> None:
    for arguments in (("replay", ""), ("simulate", "--records", ""), ("play", "--record", "")):
        assert "a file name is needed" in complaint(*arguments)


def test_a_bot_that_fails_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text("def choose(view, actions):\n    return actions[1000]\n")
    (tmp_path / "none.py").write_text("def choose(view, actions):\n    return None\n")
    files = ("--bot-file", "odd.py", "--bot-file", "none.py")
    for jobs in (1, 2):
        message = complaint("simulate", *files, "--players", "odd,odd", "--games", 2, "--jobs", jobs, cwd=tmp_path)
        assert message == "granada: error: the bot 'odd' (odd.py, line 2) failed: IndexError: list index out of range\n"
    message = complaint("simulate", *files, "--players", "none,none", cwd=tmp_path)
    assert message == "granada: error: the bot 'none' (none.py) chose None, which is not an action\n"
    program = ("--bot-program", f"me={sys.executable} -c pass", "--players", "me,me")
    assert f"({shlex.join([sys.executable, '-c', 'pass'])}) ended with code 0" in complaint("simulate", *program)


def test_what_cannot_be_written_is_complained_about(record: Path, tmp_path: Path) -> None:
    message = complaint("draw", record, "--out", tmp_path)
    assert has_reason(message, f"cannot write {tmp_path}: Is a directory")
    missing = tmp_path / "missing" / "table.svg"
    message = complaint("draw", record, "--out", missing)
    assert has_reason(message, f"cannot write {missing}: No such file or directory")
    (tmp_path / "000001.record").mkdir()
    for jobs in (1, 2):
        message = complaint("simulate", "--games", 2, "--jobs", jobs, "--records", tmp_path)
        assert has_reason(message, f"cannot write {tmp_path / '000001.record'}: Is a directory")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_is_complained_about(record: Path) -> None:
    assert "cannot write /dev/full: No space left on device" in complaint("draw", record, "--out", "/dev/full")
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "granada", "draw", str(record)]
        finished = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE, env=ENVIRONMENT)
    assert finished.stderr == b"granada: error: cannot write the output: No space left on device\n"
    assert finished.returncode == 2


@pytest.mark.parametrize(
    "command", ["perft --depth 3 --divide --seed 1", "play --seed 1", "simulate --games 2 --seed 1"]
)
def test_a_reader_that_goes_away_is_no_reason_to_complain(command: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "granada", *command.split()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stdin is not None
        process.stdin.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 141


def test_the_version() -> None:
    assert output("--version") == f"granada {__version__}\n"


@pytest.mark.parametrize("command", ["", "play", "simulate", "replay", "verify", "draw", "perft", "bot"])
def test_every_command_explains_itself(command: str) -> None:
    finished = granada(*command.split(), "--help")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout.startswith(f"usage: granada {command}".rstrip())
