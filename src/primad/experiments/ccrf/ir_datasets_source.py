"""How does a dataset of the package ir_datasets become a collection?

    from_ir_datasets   the documents, topics and judgments of a dataset by its identifier

The package fetches data when they are first asked for, so it must be installed, the machine needs a network then, and
some datasets need a licence first; each of these is said in one message when it is missing.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from primad.experiments.ccrf.collection import Collection, CollectionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# All documents are held in memory; more than these are no matter for a demonstration.
MOST_DOCUMENTS = 2_000_000

_PARTS = ("docs", "queries", "qrels")


def from_ir_datasets(identifier: str, most_documents: int = MOST_DOCUMENTS) -> Collection:
    """Return the dataset IDENTIFIER of ir_datasets, such as 'vaswani', if it has at most MOST_DOCUMENTS."""
    dataset = _load(identifier)
    missing = [part for part in _PARTS if not getattr(dataset, f"has_{part}")()]
    if missing:
        raise CollectionError(f"ir_datasets '{identifier}' has no {' and no '.join(missing)}; choose one that has")
    with _explained(identifier):
        qrels = _grades(dataset.qrels_iter())
        topics = {str(topic.query_id): _text(topic, "query_id", "title") for topic in dataset.queries_iter()}
        documents = _documents(dataset.docs_iter(), identifier, most_documents)
    return Collection(identifier, documents, topics, qrels, f"dataset '{identifier}' of ir_datasets")


def _load(identifier: str) -> Any:
    """Return the dataset, or say that the package or the dataset is unknown here."""
    try:
        package = import_module("ir_datasets")
    except ImportError:
        raise CollectionError("this needs the package ir_datasets; install it: pip install ir_datasets") from None
    try:
        return package.load(identifier)
    except KeyError:
        raise CollectionError(f"ir_datasets knows no dataset '{identifier}'; see https://ir-datasets.com") from None


@contextmanager
def _explained(identifier: str) -> Iterator[None]:
    """Turn what goes wrong while data are fetched into one message."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise CollectionError(
            f"ir_datasets '{identifier}' cannot be fetched ({reason}); "
            "it needs a network, and some datasets a licence: see https://ir-datasets.com"
        ) from error


def _grades(judgments: Iterable[Any]) -> dict[str, dict[str, int]]:
    """Return the judgments as topic to document to grade; of a document judged twice the last one counts."""
    grades: dict[str, dict[str, int]] = {}
    for judgment in judgments:
        grades.setdefault(str(judgment.query_id), {})[str(judgment.doc_id)] = int(judgment.relevance)
    return grades


def _documents(documents: Iterable[Any], identifier: str, most: int) -> dict[str, str]:
    """Return the texts by id, as long as there are at most MOST."""
    texts: dict[str, str] = {}
    for document in documents:
        if len(texts) == most:
            raise CollectionError(f"ir_datasets '{identifier}' has more than {most:,} documents; choose a smaller one")
        texts[str(document.doc_id)] = _text(document, "doc_id")
    return texts


def _text(entry: Any, identifier: str, preferred: str = "") -> str:
    """Return the PREFERRED field of an ENTRY, or what the package takes for its text, or all its texts but the id."""
    if preferred and isinstance(getattr(entry, preferred, None), str):
        return str(getattr(entry, preferred))
    if hasattr(entry, "default_text"):
        return str(entry.default_text())
    fields = (getattr(entry, name) for name in entry._fields if name != identifier)
    return " ".join(value for value in fields if isinstance(value, str))
