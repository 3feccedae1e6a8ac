"""A notebook shows what happens: those of docs/notebooks are executed, and what they print is what they store.

Where a change is meant to alter an output, execute them anew, and look at the difference:

    .venv/bin/python -c "from tests.test_notebooks import renew; renew()"

A picture may differ between machines by a pixel, so that there is one is all that is compared.
"""

from __future__ import annotations

import ast
import copy
import os
import re
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from nbclient import NotebookClient

import primad

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbformat import NotebookNode

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
WALKTHROUGH = FOLDER / "walkthrough.ipynb"

SECONDS_PER_CELL = 300  # enough on a busy machine: all cells together take less than 30 on an idle one
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
OPEN_TO_NOTEBOOKS = "primad.experiments.ccrf"

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def renew() -> None:
    """Execute every notebook and store it with its outputs."""
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(executed(read(path), Path(folder)), path)  # type: ignore[no-untyped-call]


def read(path: Path) -> NotebookNode:
    """Return the notebook at PATH, which is a valid one."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    return notebook


def executed(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """Return NOTEBOOK with the outputs that its cells have in FOLDER, where also all its temporary files are."""
    fresh = copy.deepcopy(notebook)
    for cell in code_cells(fresh):
        cell.outputs = []
    client = NotebookClient(
        fresh,
        timeout=SECONDS_PER_CELL,
        kernel_name="python3",  # that of this environment
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    here = str(folder)
    client.execute(env={**os.environ, "TMPDIR": here, "IPYTHONDIR": here})
    fresh.metadata = copy.deepcopy(METADATA)  # without the version of Python that executed it
    return fresh


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the cells of NOTEBOOK that are code."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell: NotebookNode) -> list[dict[str, Any]]:
    """Return the outputs of CELL, of a picture only its kind."""
    return [
        {**output, "data": {kind: "" if kind.startswith("image/") else data for kind, data in output.data.items()}}
        if "data" in output
        else dict(output)
        for output in cell.outputs
    ]


def letters(text: str) -> set[str]:
    """Return the types in TEXT, such as priMad; with letters of one case, it may be the package or the model."""
    found = set(re.findall(r"\b[pP][rR][iI][mM][aA][dD]\b", text))
    return {one for one in found if not (one.islower() or one.isupper())}


def descriptions(cell: NotebookNode) -> list[str]:
    """Return how each picture that CELL shows is described to people who do not see it."""
    return [
        output.metadata.get(kind, {}).get("alt", "")
        for output in cell.outputs
        for kind in output.get("data", {})
        if kind.startswith("image/")
    ]


def foreign_names(code: str) -> Iterator[str]:
    """Yield what CODE takes from primad that is not open to notebooks."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names if name.name.startswith("primad."))
            case ast.ImportFrom(module=str(module)) if f"{module}.".startswith("primad."):
                yield from [] if f"{module}.".startswith(f"{OPEN_TO_NOTEBOOKS}.") else [module]
            case ast.Attribute(value=ast.Name(id="primad"), attr=name) if name not in primad.__all__:
                yield f"primad.{name}"


@pytest.mark.slow
@each_notebook
def test_a_notebook_runs_and_shows_what_it_stores(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    stored = read(path)

    outcome = executed(stored, tmp_path)

    found = {cell.id: shown(cell) for cell in code_cells(outcome)}
    assert found == {cell.id: shown(cell) for cell in code_cells(stored)}, "renew it, if that is how it should be"


@each_notebook
def test_a_notebook_is_stored_as_it_was_executed_from_top_to_bottom(path: Path) -> None:
    cells = code_cells(read(path))

    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert [cell.id for cell in cells if not cell.outputs] == []
    assert [cell.id for cell in cells for output in cell.outputs if output.get("name") == "stderr"] == []


@each_notebook
def test_a_notebook_tells_nothing_of_where_and_when_it_was_executed(path: Path) -> None:
    notebook = read(path)

    assert notebook.metadata == METADATA
    assert [cell.id for cell in notebook.cells if cell.metadata] == []


@each_notebook
def test_a_notebook_shows_a_picture_with_a_description(path: Path) -> None:
    found = [text for cell in code_cells(read(path)) for text in descriptions(cell)]

    assert found
    assert all(found)


@each_notebook
def test_every_step_of_a_notebook_is_introduced(path: Path) -> None:
    cells = read(path).cells

    before = {cell.id: above.cell_type for above, cell in pairwise(cells) if cell.cell_type == "code"}

    assert before == {cell.id: "markdown" for cell in code_cells(read(path))}


@each_notebook
def test_a_notebook_uses_nothing_but_the_public_api_and_the_experiments(path: Path) -> None:
    assert [name for cell in code_cells(read(path)) for name in foreign_names(cell.source)] == []


@each_notebook
def test_a_notebook_states_no_address_that_could_be_made_up(path: Path) -> None:
    assert [cell.id for cell in code_cells(read(path)) if "://" in cell.source] == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("import primad.trec.run", ["primad.trec.run"], id="a module"),
        pytest.param("from primad.reports.files import report", ["primad.reports.files"], id="from a module"),
        pytest.param("import primad\nprimad.trec.read_run('a.run')", ["primad.trec"], id="through the package"),
        pytest.param(
            "import primad\nfrom primad.experiments.ccrf.generator import generate\nprimad.read_run('a.run')",
            [],
            id="what is open",
        ),
    ],
)
def test_what_is_not_public_is_found_in_code(code: str, expected: list[str]) -> None:
    assert list(foreign_names(code)) == expected


def test_the_walkthrough_has_twelve_steps() -> None:
    cells = read(WALKTHROUGH).cells

    numbers = [int(number) for cell in cells for number in re.findall(r"^\*\*(\d+)\. ", cell.source, re.MULTILINE)]

    assert len(code_cells(read(WALKTHROUGH))) == 12
    assert numbers == list(range(1, 13))


def test_the_walkthrough_speaks_of_the_letters_that_it_shows() -> None:
    notebook = read(WALKTHROUGH)

    spoken_of = [letters(cell.source) for cell in notebook.cells if cell.cell_type == "markdown"]
    printed = [letters(output.get("text", "")) for cell in code_cells(notebook) for output in cell.outputs]

    assert set().union(*printed) == {"primaD", "prIMAd", "priMAd"}
    assert set().union(*spoken_of) == set().union(*printed)
