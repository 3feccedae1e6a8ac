"""Does a dataset of ir_datasets become a collection, and is it said why it does not?

The package is not installed here and would need a network, so a module of our own stands in its place.
"""

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from primad.experiments.ccrf.collection import Collection, CollectionError
from primad.experiments.ccrf.ir_datasets_source import from_ir_datasets


class Document(NamedTuple):
    doc_id: str
    title: str
    body: str
    size: int = 3


class Described(NamedTuple):
    doc_id: str
    text: str

    def default_text(self) -> str:
        return self.text.upper()


class Topic(NamedTuple):
    query_id: str
    title: str
    narrative: str = "a long story"


class Query(NamedTuple):
    query_id: str
    text: str


class Judgment(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class Dataset:
    """A dataset as the package hands it over; FAILURE is raised when documents are fetched."""

    def __init__(self, failure: Exception | None = None, *, judged: bool = True) -> None:
        self.failure = failure
        self.judged = judged

    def has_docs(self) -> bool:
        return True

    def has_queries(self) -> bool:
        return True

    def has_qrels(self) -> bool:
        return self.judged

    def docs_iter(self) -> Iterator[Any]:
        if self.failure:
            raise self.failure
        yield Document("d1", "Red", "rose")
        yield Described("d2", "blue rose")

    def queries_iter(self) -> Iterator[Any]:
        yield Topic("1", "roses")
        yield Query("2", "grass")

    def qrels_iter(self) -> Iterator[Any]:
        yield Judgment("1", "d1", 2)
        yield Judgment("1", "d2", 0)


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> dict[str, Dataset]:
    """Return the datasets that the package knows, to be filled by the test."""
    datasets: dict[str, Dataset] = {}
    module = ModuleType("ir_datasets")
    module.load = datasets.__getitem__  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ir_datasets", module)
    return datasets


def test_a_dataset_becomes_a_collection(package: dict[str, Dataset]) -> None:
    package["tiny"] = Dataset()

    assert from_ir_datasets("tiny") == Collection(
        name="tiny",
        documents={"d1": "Red rose", "d2": "BLUE ROSE"},
        topics={"1": "roses", "2": "grass"},
        qrels={"1": {"d1": 2, "d2": 0}},
        description="dataset 'tiny' of ir_datasets",
    )


def test_without_the_package_the_line_that_installs_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)

    with pytest.raises(CollectionError, match="pip install ir_datasets"):
        from_ir_datasets("vaswani")


@pytest.mark.usefixtures("package")
def test_an_unknown_dataset_is_named() -> None:
    with pytest.raises(CollectionError, match="ir_datasets knows no dataset 'vaswanni'"):
        from_ir_datasets("vaswanni")


def test_a_dataset_without_judgments_is_refused(package: dict[str, Dataset]) -> None:
    package["bare"] = Dataset(judged=False)

    with pytest.raises(CollectionError, match="'bare' has no qrels"):
        from_ir_datasets("bare")


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        pytest.param(ConnectionError("no route\n to host"), "no route to host", id="no network"),
        pytest.param(RuntimeError("all sources failed"), "all sources failed", id="no source"),
        pytest.param(TimeoutError(), "TimeoutError", id="no words"),
    ],
)
def test_a_failed_download_is_explained(package: dict[str, Dataset], failure: Exception, reason: str) -> None:
    package["far"] = Dataset(failure)

    with pytest.raises(CollectionError, match=rf"'far' cannot be fetched \({reason}\); it needs a network"):
        from_ir_datasets("far")


def test_a_dataset_too_large_for_memory_is_refused(package: dict[str, Dataset]) -> None:
    package["tiny"] = Dataset()

    assert len(from_ir_datasets("tiny", most_documents=2).documents) == 2
    with pytest.raises(CollectionError, match="more than 1 documents; choose a smaller one"):
        from_ir_datasets("tiny", most_documents=1)
