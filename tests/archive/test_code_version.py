"""Does the version of the code change with everything that can change a score, and with nothing else?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from primad.archive import code_version as module
from primad.archive.code_version import code_version

SOURCE = Path(module.__file__).parents[1]


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Let the version be found out anew."""
    code_version.cache_clear()
    yield
    code_version.cache_clear()


def test_the_version_is_made_of_all_sources_that_read_and_score_runs() -> None:
    names = {name for name, _ in module._parts()}

    sources = {
        path.relative_to(SOURCE).as_posix() for room in ("trec", "evaluation") for path in (SOURCE / room).rglob("*.py")
    }
    packages = {"numpy", "polars", "ir_measures", "cwl-eval", "pytrec_eval-terrier"}
    assert names == sources | {"archive/batch.py"} | packages
    assert "evaluation/measures/average_precision.py" in names


@pytest.mark.parametrize(
    "changed", ["trec/run.py", "evaluation/measures/average_precision.py", "archive/batch.py", "numpy", "polars"]
)
def test_a_change_of_any_part_changes_the_version(monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    before = code_version()
    parts = [(name, content + b"#" if name == changed else content) for name, content in module._parts()]
    monkeypatch.setattr(module, "_parts", lambda: parts)
    code_version.cache_clear()

    assert code_version() != before


def test_what_moves_from_one_file_to_the_next_changes_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = set()
    for parts in ([("a", b"xy"), ("b", b"")], [("a", b"x"), ("b", b"y")]):
        monkeypatch.setattr(module, "_parts", lambda parts=parts: parts)
        code_version.cache_clear()
        versions.add(code_version())

    assert len(versions) == 2
