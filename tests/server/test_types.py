from __future__ import annotations

from pathlib import Path

from build_page import WEB
from tests.server.npm import install, npm


def test_the_types_in_the_repository_are_those_of_the_document(tmp_path: Path) -> None:
    install()
    made = tmp_path / "api.d.ts"
    done = npm("run", "--silent", "document", "--", "--output", str(made))
    assert done.returncode == 0, done.stdout + done.stderr
    assert made.read_text("utf-8") == (WEB / "src" / "api.d.ts").read_text("utf-8"), "run make api"


def test_the_lock_names_no_registry() -> None:
    lock = (WEB / "package-lock.json").read_text("utf-8")
    assert '"integrity"' in lock
    assert '"resolved"' not in lock
