"""The example with sb3-contrib trains and plays."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.optional import needs

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "sb3_contrib_ppo.py"


@needs("sb3_contrib", "sb3-contrib")
def test_the_example_trains_and_plays() -> None:
    command = [sys.executable, str(EXAMPLE), "--steps", "1024", "--games", "4", "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    assert re.fullmatch(r"1024 steps: reward [+-]\d\.\d{3} \([+-]\d\.\d{3} to [+-]\d\.\d{3}\) in 4 games", last)
