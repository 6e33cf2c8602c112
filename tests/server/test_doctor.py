"""`granada doctor`."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from granada.cli import doctor as command
from granada.cli.arguments import Parser
from granada.server.ops import doctor as checks
from granada.server.ops.doctor import CHECKS, Finding, Result, examine
from granada.server.ops.settings import Settings
from granada.server.store.migrate import newest_version


@pytest.fixture
def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@pytest.fixture
def settings(tmp_path: Path, free_port: int) -> Settings:
    return Settings(data_dir=str(tmp_path / "data"), port=free_port)


def found(settings: Settings, what: str) -> Finding:
    level, message = CHECKS[what](settings)
    return Finding(what, level, message)


def versioned(path: Path, version: str) -> str:
    """Return the URL of a database that contains only a version."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES (?)", (version,))
    connection.close()
    return f"sqlite:///{path}"


def test_a_sound_installation_has_nothing_to_mend_and_is_left_as_it_was(settings: Settings, tmp_path: Path) -> None:
    findings = list(examine(settings))
    assert [finding.check for finding in findings] == list(CHECKS)
    assert [finding for finding in findings if finding.level == "FAIL"] == []
    assert [finding.check for finding in findings if finding.level == "warn"] in ([], ["rules"])
    assert list(tmp_path.iterdir()) == []


def test_a_check_that_breaks_has_failed_and_the_others_go_on(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Settings) -> Result:
        raise RuntimeError("no disk")

    monkeypatch.setitem(CHECKS, "data", broken)
    findings = {finding.check: finding for finding in examine(settings)}
    assert findings["data"] == Finding("data", "FAIL", "RuntimeError: no disk")
    assert findings["games"].level == "ok"


def test_a_python_of_another_time_fails(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "OLDEST", (4, 0))
    assert found(settings, "Python").level == "FAIL"


def test_a_missing_package_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(checks.PACKAGES, "no_such_module", "no-such-package")
    finding = found(settings, "packages")
    assert finding.level == "FAIL"
    assert finding.message == "no-such-package cannot be imported; run: pip install 'granada[server]'"


def test_settings_that_do_not_fit_fail(settings: Settings) -> None:
    finding = found(replace(settings, workers=2), "settings")
    assert finding.level == "FAIL"
    assert "PostgreSQL" in finding.message


def test_a_proxy_that_is_not_declared_is_a_warning(settings: Settings) -> None:
    behind = replace(settings, public_url="https://granada.club.example")
    finding = found(behind, "settings")
    assert finding.level == "warn"
    assert "GRANADA_TRUSTED_PROXIES" in finding.message
    assert found(replace(behind, trusted_proxies=1), "settings").level == "ok"


@pytest.mark.parametrize(("think", "limit"), [(20, 20), (16, 20), (0.001, 20), (5000, 99999)])
def test_bots_need_time_beside_their_thinking(settings: Settings, think: float, limit: float) -> None:
    finding = found(replace(settings, bot_think=think, bot_seconds=limit), "settings")
    assert finding.level == "FAIL"
    assert f"the thinking time of bots is {think:g} s, which is not between 0.01 and" in finding.message
    assert found(replace(settings, bot_think=15, bot_seconds=20), "settings").level == "ok"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_fails(settings: Settings, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert found(settings, "folder").level == "FAIL"
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_is_made_later_and_needs_room(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"{tmp_path / 'data'} (will be created)" in found(settings, "folder").message
    monkeypatch.setattr(checks, "LOW_SPACE", 1 << 62)
    assert found(settings, "folder").level == "warn"
    monkeypatch.setattr(checks, "NO_SPACE", 1 << 62)
    assert found(settings, "folder").level == "FAIL"
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "GRANADA_DATA_DIR" in found(settings, "folder").message


def test_an_old_sqlite_fails_unless_it_is_not_used(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(settings, "SQLite").message.endswith("write-ahead log works")
    monkeypatch.setattr(checks, "OLDEST_SQLITE", (9, 0))
    assert found(settings, "SQLite").level == "FAIL"
    assert found(replace(settings, database="postgresql://club@nowhere/granada"), "SQLite").level == "ok"


def test_a_database_must_have_the_version_of_the_program(settings: Settings, tmp_path: Path) -> None:
    newest = newest_version()
    assert newest is not None
    expected = {"none": "ok", newest: "ok", "0000": "warn", "9999": "FAIL"}
    for version, level in expected.items():
        path = tmp_path / f"{version}.sqlite"
        url = f"sqlite:///{path}" if version == "none" else versioned(path, version)
        assert found(replace(settings, database=url), "database").level == level, version
        assert path.exists() == (version != "none")


def test_a_server_on_a_newer_database_ends_with_a_sentence(tmp_path: Path) -> None:
    address = versioned(tmp_path / "newer.sqlite", "9999")
    command = [sys.executable, "-m", "granada", "serve", "--no-browser", "--port", "0"]
    environment = {**os.environ, "GRANADA_DATABASE": address, "GRANADA_DATA_DIR": str(tmp_path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode != 0
    assert "version 9999, which is newer than this program" in ended.stderr
    assert "upgrade Granada" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1, ended.stderr


def test_a_file_that_is_no_database_fails(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "broken.sqlite"
    path.write_text("This is no database, however long one looks at it." * 100)
    finding = found(replace(settings, database=f"sqlite:///{path}"), "database")
    assert finding.level == "FAIL"
    assert "file is not a database" in finding.message


def test_a_database_that_does_not_answer_fails_without_telling_its_password(settings: Settings, free_port: int) -> None:
    url = f"postgresql://club:hush-hush@127.0.0.1:{free_port}/granada"
    finding = found(replace(settings, database=url), "database")
    assert finding.level == "FAIL"
    assert f"postgresql://club:***@127.0.0.1:{free_port}/granada does not answer" in finding.message
    assert "hush-hush" not in finding.message


@pytest.fixture
def taken(free_port: int) -> Iterator[int]:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", free_port))
        listener.listen()
        yield free_port


def test_a_port_in_use_is_a_warning_because_it_may_be_the_server(settings: Settings, taken: int) -> None:
    finding = found(replace(settings, port=taken), "port")
    assert (finding.level, "is in use" in finding.message) == ("warn", True)


def test_an_address_of_another_machine_fails(settings: Settings) -> None:
    assert found(replace(settings, host="192.0.2.1"), "port").level == "FAIL"


def test_a_clock_of_another_time_fails_and_one_that_differs_from_the_disk_warns(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time()
    monkeypatch.setattr(time, "time", lambda: 1.0)
    assert found(settings, "clock").level == "FAIL"
    monkeypatch.setattr(time, "time", lambda: real + 3600)
    assert found(settings, "clock").level == "warn"


# The command


def run(*arguments: str) -> int:
    parser = Parser(prog="granada")
    command.add_to(parser.add_subparsers())
    parsed = parser.parse_args(["doctor", *arguments])
    status: int = parsed.run(parsed)
    return status


def test_the_command_prints_a_line_for_each_check_and_succeeds(
    tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRANADA_PORT", str(free_port))
    assert run("--data-dir", str(tmp_path)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines[:-1]] == list(CHECKS)
    assert lines[-1] == "No problems found."
    assert run("--database", versioned(tmp_path / "new.sqlite", "9999")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("FAIL  database  ")]
    assert lines[-1] == "1 of these must be fixed before the server can run."


WITHOUT = """
import sys
sys.modules["sqlalchemy"] = None
from granada.cli import doctor
from granada.cli.arguments import Parser
from granada.cli.errors import CommandError
parser = Parser(prog="granada")
doctor.add_to(parser.add_subparsers())
parsed = parser.parse_args(["doctor"])
try:
    parsed.run(parsed)
except CommandError as failure:
    print(failure)
    sys.exit(failure.status)
"""


def test_without_the_server_the_command_says_so_in_one_sentence() -> None:
    finished = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, timeout=60)
    assert (finished.returncode, finished.stderr) == (1, "")
    assert finished.stdout == (
        "granada: error: the server is not installed ('sqlalchemy' is missing): run pip install 'granada[server]'\n"
    )
