"""Search a tiny collection with PyTerrier and PISA, and let the run say how it was made.

    pip install '.[pyterrier]'     in a checkout of primad
    python annotate_pyterrier.py bm25.run

The method in the header is read from the pipeline: nobody types k1 and b.  PISA needs no Java; it is there for Linux
on x86_64.
"""

import sys
import tempfile
from pathlib import Path

import pandas as pd
import primad
import pyterrier_pisa

DOCUMENTS = {
    "d1": "wind power grows in the north",
    "d2": "solar power and wind power prices fall",
    "d3": "football results of the weekend",
    "d4": "storm and wind damage in the north",
    "d5": "football fans and the weekend of storm",
}
TOPICS = {"1": "wind power", "2": "football weekend", "3": "storm damage"}
JUDGMENTS = {"1": {"d1": 1, "d2": 1, "d4": 0}, "2": {"d3": 1, "d5": 1}, "3": {"d4": 1, "d5": 0}}

# What no program can know; write your own.
STATED = {
    "actor.name": "Ada Example",
    "actor.role": "experimenter",
    "actor.team": "example",
    "data.test collection.name": "Five sentences",
    "method.automatic": True,
    "research goal.evaluation.reported measures": ["map"],
}


def search(pipeline: pyterrier_pisa.PisaRetrieve, path: str) -> None:
    """Write what PIPELINE finds for the topics to PATH, as a run."""
    found = pipeline(pd.DataFrame(list(TOPICS.items()), columns=["qid", "query"]))
    with Path(path).open("w", encoding="utf-8") as run:
        for row in found.sort_values(["qid", "rank"]).itertuples():
            print(row.qid, "Q0", row.docno, row.rank + 1, row.score, "bm25-pisa", file=run)


def main(path: str) -> None:
    """Make an index, search it, and annotate the run at PATH."""
    with tempfile.TemporaryDirectory() as folder:
        index = pyterrier_pisa.PisaIndex(f"{folder}/index", text_field="text", stemmer="porter2", threads=1)
        index.index({"docno": name, "text": text} for name, text in DOCUMENTS.items())
        bm25 = index.bm25(k1=0.9, b=0.4, num_results=10, threads=1)
        with primad.record(values=STATED) as recording:
            recording.method(bm25)
            search(bm25, path)
            recording.annotate(path)

    stage = primad.read_record(path)["method.retrieval"][0]
    print(f"{path} was made by {stage['name']} with k1 {stage['k1']} and b {stage['b']}")
    print(primad.evaluate(JUDGMENTS, path, ["map"]))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "bm25.run")
