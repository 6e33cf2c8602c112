from __future__ import annotations

from pathlib import Path

from tests.server.fuzzing import fuzz
from tests.server.running import running


def test_fuzzing_the_api_by_its_document_finds_nothing(tmp_path: Path) -> None:
    with running(tmp_path / "data") as server:
        done = fuzz(server, 10, 1, tmp_path, "examples,coverage,fuzzing")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "No issues found" in done.stdout
