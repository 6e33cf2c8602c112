"""Notebooks: run their cells and store what they show, and turn them into pages of the site.

python -m docs_site.notebooks            runs all notebooks of docs/notebooks and stores their outputs
python -m docs_site.notebooks arena      runs one

Running them needs no Jupyter: cells are Python, or commands that begin with `!`. What can be shown is text and SVG.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, Final

from docs_site.links import ROOT

FOLDER: Final = ROOT / "docs" / "notebooks"
#: The tag of a cell whose output differs between machines, times for example.
VARIES: Final = "varies"
Cell = dict[str, Any]
Notebook = dict[str, Any]


class CellFailed(Exception):
    """A cell of a notebook raised an error; the message says which."""


def paths() -> list[Path]:
    """Return all notebooks."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Notebook:
    """Read a notebook."""
    found: Notebook = json.loads(path.read_text("utf-8"))
    return found


def write(path: Path, notebook: Notebook) -> None:
    """Write a notebook as Jupyter does."""
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")


def code_cells(notebook: Notebook) -> list[Cell]:
    """Return the cells that can be run."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def varies(cell: Cell) -> bool:
    """Return whether the output of a cell differs between machines."""
    return VARIES in cell["metadata"].get("tags", [])


def executed(notebook: Notebook) -> Notebook:
    """Return a notebook with the outputs of a new run, in an empty folder."""
    found: Notebook = json.loads(json.dumps(notebook))
    names: dict[str, Any] = {"__name__": "__main__"}
    with _empty_folder():
        for number, cell in enumerate(code_cells(found), 1):
            try:
                cell["outputs"] = _outputs("".join(cell["source"]), names, number)
            except Exception as error:
                raise CellFailed(f"cell {number}: {type(error).__name__}: {error}") from error
            cell["execution_count"] = number
    return found


@contextlib.contextmanager
def _empty_folder() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell; returns what it printed, and the value of an expression at its end."""
    if source.startswith("!"):
        return _printed("".join([_command(line.removeprefix("!")) for line in source.splitlines()]))
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    return _printed(printed.getvalue()) + _shown(value, number)


def _command(line: str) -> str:
    """Run a command; returns what it printed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env={**os.environ, "PATH": path})
    if done.returncode:
        raise RuntimeError(f"{line}: {done.stderr}")
    return done.stdout


def _printed(text: str) -> list[dict[str, Any]]:
    if not text:
        return []
    return [{"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}]


def _shown(value: object, number: int) -> list[dict[str, Any]]:
    """Return how a value is displayed: as a picture if it has one, and as text."""
    if value is None:
        return []
    picture = getattr(value, "_repr_svg_", lambda: None)()
    data = {"text/plain": [repr(value)] if picture is None else [f"<{type(value).__name__}>"]}
    if picture is not None:
        data["image/svg+xml"] = picture.splitlines(keepends=True)
    return [{"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}]


def pages() -> dict[str, str]:
    """Return the pages of all notebooks and their pictures, by their paths on the site."""
    found: dict[str, str] = {}
    for path in paths():
        found |= _page(path)
    return found


def _page(path: Path) -> dict[str, str]:
    """Return the page of a notebook, and its pictures."""
    found: dict[str, str] = {}
    lines: list[str] = []
    for cell in read(path)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            lines += [source, ""]
            if len(lines) == 2:  # after the title
                lines += [f'<a href="{path.name}" download>Download this notebook</a>, and run it with Jupyter.', ""]
            continue
        lines += ["```sh" if source.startswith("!") else "```python", source.removeprefix("!"), "```", ""]
        for output in cell["outputs"]:
            data = output.get("data", {})
            svg = "".join(data.get("image/svg+xml", []))
            if svg:
                name = f"{path.stem}-{cell['execution_count']}.svg"
                found[f"notebooks/{name}"] = svg
                lines += [f"![{_title(svg)}]({name})", ""]
            else:
                text = "".join(output.get("text", data.get("text/plain", [])))
                lines += ["```text", text.rstrip("\n"), "```", ""]
    return {f"notebooks/{path.stem}.md": "\n".join(lines), **found}


def _title(svg: str) -> str:
    """Return what a picture shows, by its title."""
    title = re.search(r"<title[^>]*>(.*?)</title>", svg, re.DOTALL)
    if title is None:
        raise ValueError("a picture in a notebook has no title")
    return unescape(title[1]).replace("[", "(").replace("]", ")")


def main() -> None:
    """Run notebooks and store their outputs."""
    for path in paths():
        if len(sys.argv) < 2 or path.stem in sys.argv[1:]:
            write(path, executed(read(path)))
            print(f"{path.relative_to(ROOT)}: {len(code_cells(read(path)))} cells")


if __name__ == "__main__":
    main()
