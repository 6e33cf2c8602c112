"""The client's own tests: `npm run test` in web/ (vitest)."""

from __future__ import annotations

from tests.server.npm import install, npm


def test_the_client_passes_its_own_tests() -> None:
    install()
    result = npm("run", "--silent", "test")
    assert result.returncode == 0, f"npm run test:\n{result.stdout}{result.stderr}"
