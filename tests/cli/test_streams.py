"""What commands read and write through pipes, also on systems with other encodings and line ends."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from granada import replay
from granada.cli import PIPE_CLOSED, main
from granada.drawing import svg_table
from tests.cli.command import ENVIRONMENT, PATIENCE

#: A name with signs that cp1252 has, and one that it lacks.
NAMES = ("Zoë", "Ödön ♞")


class Stream(io.TextIOWrapper):
    """A standard stream as Windows opens it for a file or a pipe."""

    def __init__(self, content: bytes = b"") -> None:
        self.bytes = io.BytesIO(content)
        super().__init__(self.bytes, encoding="cp1252", newline="\r\n")


@pytest.fixture
def named(record: Path, tmp_path: Path) -> Path:
    """A record whose players have names that are not ASCII."""
    text = record.read_text("utf-8").replace("players: greedy 1, random 2", f"players: {', '.join(NAMES)}")
    path = tmp_path / "named.record"
    path.write_text(text, "utf-8", newline="\n")
    return path


def test_pipes_are_utf_8_with_line_feeds(named: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    streams = {"stdin": Stream(named.read_bytes()), "stdout": Stream(), "stderr": Stream()}
    for name, stream in streams.items():
        monkeypatch.setattr(sys, name, stream)
    assert main(["draw", "-"]) == 0
    drawn = streams["stdout"].bytes.getvalue().decode("utf-8")
    reading = replay(named.read_text("utf-8"))
    assert drawn == svg_table(reading.state, reading.record.names) + "\n"
    assert all(name in drawn for name in NAMES)
    assert main(["draw", "no such ♞"]) == 2
    streams["stderr"].flush()
    assert streams["stderr"].bytes.getvalue() == (
        "granada: error: cannot read no such ♞: No such file or directory\n".encode()
    )


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        # Without UTF-8 mode, Python uses ASCII in this locale.
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "Ödön ♞".encode()),
        ({"PYTHONIOENCODING": "cp1252"}, "Ödön \\u265e".encode("cp1252")),
    ],
)
def test_only_an_explicit_encoding_is_used_instead(named: Path, settings: dict[str, str], expected: bytes) -> None:
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "PYTHONIOENCODING"}
    done = subprocess.run(
        [sys.executable, "-m", "granada", "replay", str(named)],
        capture_output=True,
        timeout=PATIENCE,
        env={**environment, **settings},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert expected in done.stdout


def test_windows_calls_a_reader_that_went_away_an_invalid_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def flush(self) -> None:
            raise OSError(22, "Invalid argument")

        def fileno(self) -> int:
            return other

    with open(os.devnull, "wb") as file:
        other = file.fileno()
        for is_windows, status in ((True, PIPE_CLOSED), (False, 2)):
            with monkeypatch.context() as patched:
                patched.setattr("granada.cli._IS_WINDOWS", is_windows)
                patched.setattr(sys, "stdout", Closed())
                patched.setattr(sys, "stderr", io.StringIO())
                assert main(["--version"]) == status
