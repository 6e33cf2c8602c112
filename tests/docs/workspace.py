"""A folder in which the code of one document runs: a copy of the repository, with an empty home."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.docs.blocks import ROOT, Block
from tests.docs.checks import ON_COMMANDS, ON_DATA
from tests.docs.exceptions import CHECKED, DATA, RUNNABLE, SMALLER, TYPED
from tests.server.running import PATIENCE, RunningServer

#: What commands may name; they write into the folder itself.
_LINKED: Final = ("benchmarks", "deploy", "examples", "src", "tests", "web")
_NAMED: Final = re.compile(r"(?:#|//) (?P<name>[\w.]+\.\w+)\n")
_HASH: Final = re.compile(r"\b[0-9a-f]{64}\b")


class Workspace:
    """Runs the blocks of a document in their order, and one server at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self._server: RunningServer | None = None
        self._names: Final[dict[str, Any]] = {"__name__": "__main__"}
        for name in _LINKED:
            (folder / name).symlink_to(ROOT / name)
        home = folder / "home"
        home.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GRANADA_", "XDG_"))}
        self._environment: Final = {
            **kept,
            "HOME": str(home),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}",
            "PYTHONWARNINGS": "default",
        }

    def close(self) -> None:
        """Stop the server."""
        if self._server is not None:
            self._server.stop()
            self._server = None

    def run(self, block: Block) -> None:
        """Run or check a block."""
        match block.language:
            case "python":
                self._run_python(block)
            case "javascript":
                self._keep(block)
            case "sh":
                for command in block.commands():
                    self._command(block, command)
            case _:
                self._checked(block, block.text, ON_DATA[DATA[block.language]])

    def _run_python(self, block: Block) -> None:
        """Run examples as a doctest, with the names of earlier ones, and anything else as a program."""
        if ">>> " not in block.text:
            self._shell(block, f"python {self._keep(block)}")
            return
        test = doctest.DocTestParser().get_doctest(block.text, self._names, block.place, block.place, block.line)
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        assert not runner.failures, "".join(report)
        self._names.update(test.globs)

    def _keep(self, block: Block) -> str:
        """Store a program under the name that its first line says, and return the name."""
        named = _NAMED.match(block.text)
        name = named["name"] if named else "block.py"
        assert named or block.language == "python", f"{block.place}: the first line must name the file"
        (self.folder / name).write_text(block.text, "utf-8")
        return name

    def _command(self, block: Block, command: str) -> None:
        """Run a command, or check it if it is one of the exceptions."""
        for row in CHECKED:
            if re.search(row.pattern, command):
                self._checked(block, command, ON_COMMANDS[row.check])
                return
        assert command.split()[0] in RUNNABLE, f"{block.place}: {command}: may not run; see exceptions.py"
        if command.startswith("granada serve"):
            self._serve(command)
            return
        for part in SMALLER:
            port = str(self._server.port) if self._server is not None else ""
            command = re.sub(part.pattern, part.replacement.replace("{port}", port), command)
        typed = next((row.text for row in TYPED if re.search(row.pattern, command)), None)
        printed = self._shell(block, command, typed)
        for found in _HASH.findall(printed) if "sha256sum" in command else []:
            assert found in block.document.read_text("utf-8"), f"{block.place}: the document does not name {found}"

    def _shell(self, block: Block, command: str, typed: str | None = None) -> str:
        result = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self._environment,
            input=typed or "",
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
        )
        assert result.returncode == 0, f"{block.place}: {command}\n{result.stdout[-3000:]}{result.stderr[-3000:]}"
        return result.stdout

    def _checked(self, block: Block, text: str, check: Callable[[str], None]) -> None:
        try:
            check(text)
        except Exception as error:
            raise AssertionError(f"{block.place}: {text}\n{error}") from error

    def _serve(self, command: str) -> None:
        """Start a server with the arguments of a command, on a free port; an earlier one is stopped first."""
        self.close()
        arguments = shlex.split(command.rstrip(" &"), comments=True)[2:]
        self._server = RunningServer(self.folder / "data")
        self._server.arguments, self._server.folder = arguments, self.folder
        self._server.start()
