"""The notebooks: a new run gives the stored outputs, Jupyter can read them, and the site shows them."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from docs_site import notebooks
from tests.docs.site import built_docs

per_notebook = pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)


def notebook(*cells: str, tags: tuple[str, ...] = ()) -> notebooks.Notebook:
    """Return a notebook with some cells."""
    found: list[dict[str, Any]] = [
        {"cell_type": "code", "execution_count": None, "metadata": {"tags": [*tags]}, "outputs": [], "source": [cell]}
        for cell in cells
    ]
    return {"cells": found}


def without_drawings(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return outputs with the titles of their pictures only: artwork may change without a new run of the notebooks."""
    found: list[dict[str, Any]] = copy.deepcopy(outputs)
    for output in found:
        if svg := "".join(output.get("data", {}).get("image/svg+xml", [])):
            output["data"]["image/svg+xml"] = re.findall("<title.*?</title>", svg)[:1]
    return found


@per_notebook
def test_a_new_run_gives_the_stored_outputs(path: Path) -> None:
    stored = notebooks.read(path)
    again = notebooks.executed(stored)
    for before, after in zip(notebooks.code_cells(stored), notebooks.code_cells(again), strict=True):
        assert before["execution_count"] == after["execution_count"]
        if notebooks.varies(before):
            assert [kind["output_type"] for kind in before["outputs"]] == [
                kind["output_type"] for kind in after["outputs"]
            ]
        else:
            assert without_drawings(before["outputs"]) == without_drawings(after["outputs"]), (
                f"run: python -m docs_site.notebooks {path.stem}"
            )


@per_notebook
def test_notebooks_have_the_form_of_version_4_5(path: Path) -> None:
    found = notebooks.read(path)
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in found["cells"]]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[\w-]{1,64}", one) for one in ids)
    for cell in found["cells"]:
        assert cell["cell_type"] in ("code", "markdown")
        keys = {"cell_type", "id", "metadata", "source"}
        assert set(cell) == (keys | {"execution_count", "outputs"} if cell["cell_type"] == "code" else keys)
    assert found["cells"][0]["source"][0].startswith("# ")


def test_there_is_a_notebook_for_each_topic() -> None:
    assert [path.stem for path in notebooks.paths()] == ["arena", "library", "training"]


def test_a_cell_that_fails_is_named() -> None:
    with pytest.raises(notebooks.CellFailed, match="cell 2: ZeroDivisionError"):
        notebooks.executed(notebook("x = 1", "x / 0"))
    with pytest.raises(notebooks.CellFailed, match="cell 1: RuntimeError: granada nothing"):
        notebooks.executed(notebook("!granada nothing"))


def test_what_a_cell_shows() -> None:
    cells = notebooks.code_cells(
        notebooks.executed(notebook("import granada\nprint(1)\n2 + 3", "granada.tile('tower-12')", "None"))
    )
    printed, value = cells[0]["outputs"]
    assert printed["text"] == ["1\n"]
    assert value["data"] == {"text/plain": ["5"]}
    assert "".join(cells[1]["outputs"][0]["data"]["image/svg+xml"]).startswith("<svg")
    assert cells[2]["outputs"] == []


@per_notebook
def test_the_site_shows_the_notebook(path: Path, built_folder: Path) -> None:
    site = built_docs(built_folder) / "notebooks"
    text = (site / f"{path.stem}.html").read_text("utf-8")
    assert (site / path.name).exists()
    pictures = re.findall(rf'src="({path.stem}-\d+\.svg)"', text)
    shown = [output for cell in notebooks.code_cells(notebooks.read(path)) for output in cell["outputs"]]
    assert len(pictures) == len([one for one in shown if "image/svg+xml" in one.get("data", {})]) > 0
    assert all((site / picture).exists() for picture in pictures)
