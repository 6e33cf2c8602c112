"""The learned evaluation in JavaScript, called from the interpreter of the page, which runs in Node here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from build_page import ROOT, require_node
from tests.server.npm import install

SCRIPT = str(Path("tests") / "engine" / "predictions.py")


def predictions(*command: str) -> dict[str, Any]:
    done = subprocess.run([*command, SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.timeout(600)
def test_javascript_predicts_the_same_as_numpy() -> None:
    install()
    node = str(require_node().folder / "node")
    found, expected = predictions(node, str(Path("benchmarks") / "pyodide.mjs")), predictions(sys.executable)
    assert (found["model"], expected["model"]) == ("InstalledModel", "NumpyModel")
    assert len(found["chances"]) == len(found["leads"]) == len(expected["chances"]) > 1000
    # NumPy adds 98 products in 32 bits, JavaScript in 64; leads are in points.
    assert found["chances"] == pytest.approx(expected["chances"], abs=1e-5)
    assert found["leads"] == pytest.approx(expected["leads"], abs=1e-3)
