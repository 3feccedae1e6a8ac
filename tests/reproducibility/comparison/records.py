"""A complete record, copies of it with other values, and run files that carry them."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from primad.metadata.header import with_block
from primad.metadata.paths import parse, put, remove
from primad.metadata.reading import from_tree
from primad.metadata.record import Record
from primad.safe_yaml import write_yaml

RANKING = b"301 Q0 FT911-3 1 2.5 bm25\n301 Q0 FT911-4 2 1.25 bm25\n302 Q0 FT911-3 1 0.5 bm25\n"

COMPLETE: dict[str, Any] = {
    "tag": "bm25",
    "platform": {
        "hardware": {"cpu": {"model": "Xeon", "architecture": "x86_64"}, "ram": "64 GB"},
        "operating system": {"kernel": "5.4.0-90-generic", "distribution": "Ubuntu 20.04.3 LTS"},
        "software": {
            "runtime": ["java==11.0.2"],
            "libraries": {"java": ["lucene==7.6"], "python": ["numpy==1.15.4", "scikit-learn==0.20.1"]},
            "retrieval toolkit": ["anserini==0.3.0"],
        },
    },
    "research goal": {
        "venue": {"name": "ECIR", "year": 2019},
        "publication": {"doi": "https://doi.org/10.1007/978-3-030-15712-8_26", "abstract": "We ask."},
        "evaluation": {
            "reported measures": ["map", "P_10"],
            "baseline": ["ql"],
            "significance test": [{"name": "t-test", "correction method": "bonferroni"}],
        },
    },
    "implementation": {
        "executable": {"cmd": "python search.py --k1 0.9", "program": "search.py", "sha256": "a" * 64},
        "source": {
            "lang": ["java", "python"],
            "repository": "https://github.com/castorini/anserini",
            "commit": "9548cd6b",
            "tree": "e8275b8c",
        },
    },
    "method": {
        "automatic": True,
        "score ties": "reverse alphabetical order",
        "indexing": {"tokenizer": "standard", "stemmer": "Porter", "stopwords": "Lucene"},
        "retrieval": [
            {"name": "bm25", "method": "lucene.BM25Similarity", "k1": 0.9, "b": 0.4},
            {"name": "lr reranker", "method": "sklearn.LogisticRegression", "reranks": "bm25"},
            {"name": "interpolation", "weight": 0.6, "interpolates": ["lr reranker", "bm25"]},
        ],
    },
    "actor": {
        "name": "Jimmy Lin",
        "orcid": "0000-0002-0661-7189",
        "team": "h2oloo",
        "mail": "jimmylin@uwaterloo.ca",
        "role": "experimenter",
        "degree": "Ph.D.",
    },
    "data": {
        "test collection": {
            "name": "Core17",
            "source": "https://catalog.ldc.upenn.edu/LDC2008T19",
            "qrels": "https://trec.nist.gov/data/core/qrels.txt",
            "topics": "https://trec.nist.gov/data/core/core_nist.txt",
            "ir_datasets": "nyt/trec-core-2017",
        },
        "training data": [{"name": "Robust04", "folds": ["fold1", "fold2"]}, {"name": "Robust05"}],
        "other": [{"name": "GloVe", "source": "https://nlp.stanford.edu/projects/glove/"}],
    },
}


def record(values: dict[str, Any] | None = None, *, without: tuple[str, ...] = ()) -> Record:
    """Return the complete record with other VALUES by path, and WITHOUT what stands at some paths."""
    tree = copy.deepcopy(COMPLETE)
    for path in without:
        remove(tree, parse(path))
    for path, value in (values or {}).items():
        put(tree, parse(path), value)
    return from_tree(tree)


def stating(values: dict[str, Any]) -> Record:
    """Return a record that states VALUES by path, and nothing else."""
    tree: dict[str, Any] = {}
    for path, value in values.items():
        put(tree, parse(path), value)
    return from_tree(tree)


def run_file(path: Path, of: Record, ranking: bytes = RANKING) -> Path:
    """Return PATH, a run with the header of a record in it."""
    path.write_bytes(with_block(write_yaml(of.tree), ranking))
    return path
