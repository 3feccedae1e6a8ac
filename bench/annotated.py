"""Annotated runs to check: small rankings under headers with everything that people and capture put into them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.synthetic import Collection, Shape
from primad import Record, annotate

SHAPE = Shape(topics=10, judged=20, retrieved=100, documents=200_000, decimals=4)

RECORD: dict[str, Any] = {
    "platform": {
        "hardware": {
            "cpu": {
                "model": "Intel Xeon Gold 6144 CPU @ 3.50GHz",
                "architecture": "x86_64",
                "operation mode": "64-bit",
                "number of cores": 16,
            },
            "ram": "64 GB",
        },
        "operating system": {"kernel": "Linux 5.4.0-90-generic", "distribution": "Ubuntu 20.04.3 LTS"},
        "software": {
            "libraries": {"python": [f"package-{number}==1.{number}.0" for number in range(60)]},
            "retrieval toolkit": ["anserini==0.3.0"],
            "runtime": ["python==3.11.7"],
        },
    },
    "research goal": {
        "venue": {"name": "SIGIR", "year": 2022},
        "publication": {"doi": "https://doi.org/10.1145/3477495.3531738"},
        "evaluation": {
            "reported measures": ["map", "ndcg", "P_10"],
            "baseline": ["bm25"],
            "significance test": [{"name": "t-test", "correction method": "bonferroni"}],
        },
    },
    "implementation": {
        "executable": {"cmd": "python search.py --k1 0.9 --b 0.4"},
        "source": {
            "lang": ["Python", "Shell"],
            "repository": "https://example.org/team/code",
            "commit": "9548cd6f2a1b8c7d6e5f4a3b2c1d0e9f8a7b6c5d",
        },
    },
    "method": {
        "automatic": True,
        "score ties": "reverse alphabetical order",
        "indexing": {"tokenizer": "standard", "stemmer": "Porter", "stopwords": "Lucene"},
        "retrieval": [{"name": "bm25", "k1": 0.9, "b": 0.4}, {"name": "rm3", "reranks": "bm25", "terms": 10}],
    },
    "actor": {"name": "Jimmy Lin", "orcid": "0000-0002-0661-7189", "team": "h2oloo", "role": "experimenter"},
    "data": {
        "test collection": {
            "name": "The New York Times Annotated Corpus",
            "source": "https://catalog.ldc.upenn.edu/LDC2008T19",
            "qrels": "https://trec.nist.gov/data/core/qrels.txt",
            "topics": "https://trec.nist.gov/data/core/core_nist.txt",
            "ir_datasets": "nyt/trec-core-2017",
        }
    },
}


def write_annotated(folder: Path, number: int) -> None:
    """Write NUMBER annotated runs of 1,000 lines into FOLDER: ten rankings, each under headers of their own."""
    folder.mkdir()
    collection = Collection(SHAPE, seed=1)
    rankings = ["".join(collection.run_lines("bm25", 0.6 + place / 10, place + 1)).encode() for place in range(10)]
    for place in range(number):
        values = {"tag": "bm25", "method.retrieval[0].k1": place / number}
        annotated = annotate(rankings[place % 10], template=Record(RECORD), values=values)
        (folder / f"{place}.run").write_bytes(annotated.data)
