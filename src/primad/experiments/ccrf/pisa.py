"""What does a keyword search by another toolkit find?  BM25 by PyTerrier and PISA, described from its pipeline.

    bm25_by_pisa   the first documents by BM25, as PISA computes it
    toolkit_work   the team that reproduces the BM25 run of a collection so

PISA needs no Java; its wheels are made for Linux on x86_64.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from fcntl import F_DUPFD_CLOEXEC, fcntl
from functools import partial
from pathlib import Path

from primad import method_of
from primad.experiments.ccrf.collection import Collection, CollectionError
from primad.experiments.ccrf.fusion import Ranking, Retrieved, ordered
from primad.experiments.ccrf.plan import Made, Team, Work

OTHER_TOOLKIT = Team("toolkit", "-", "keyword search")

_READ_BY_PISA = re.compile("[A-Za-z0-9]")
_FIRST_FILE = 3  # behind the three that a process is given


def toolkit_work(target: Collection) -> Work:
    """Return the work of searching TARGET by PISA, which reproduces its BM25 run."""
    return Work("keyword search by another toolkit", (), target, partial(_made, target))


def _made(target: Collection) -> list[Made]:
    """Search TARGET."""
    return [Made(OTHER_TOOLKIT, f"pisa.{target.name}", bm25_by_pisa(target), f"bm25.{target.name}")]


def bm25_by_pisa(collection: Collection, depth: int = 1000) -> Retrieved:
    """Return the DEPTH best documents of COLLECTION for each of its topics."""
    import pandas as pd
    import pyterrier_pisa

    _refuse_unreadable(collection)
    with tempfile.TemporaryDirectory() as folder, _quiet():
        index = pyterrier_pisa.PisaIndex(str(Path(folder) / "index"), text_field="text", stemmer="porter2", threads=1)
        index.index({"docno": name, "text": text} for name, text in sorted(collection.documents.items()))
        pipeline = index.bm25(k1=0.9, b=0.4, num_results=depth, threads=1)
        found = pipeline(pd.DataFrame(list(collection.topics.items()), columns=["qid", "query"]))
        described = method_of(pipeline)
    ranking: Ranking = {
        str(topic): ordered(zip(rows["docno"], rows["score"].astype(float), strict=True))
        for topic, rows in found.groupby("qid", sort=False)
    }
    method = described["method"]
    toolkits = described["platform"]["software"]["retrieval toolkit"]
    return Retrieved(ranking, method["retrieval"], method.get("indexing", {}), tuple(toolkits))


def _refuse_unreadable(collection: Collection) -> None:
    """Refuse documents of which PISA reads no word: it would end this process."""
    if not any(_READ_BY_PISA.search(text) for text in collection.documents.values()):
        raise CollectionError(
            f"{collection.name}: expected documents with words of letters from a to z or digits, found none that PISA "
            "can search"
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Let PISA say nothing: it writes to the terminal past Python, whoever is reading there."""
    _flush()
    with ExitStack() as stack:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        stack.callback(os.close, nowhere)
        for number in (1, 2):
            stack.callback(_way_back(number))
            os.dup2(nowhere, number)
        stack.callback(_flush)  # what was held back must not come out later
        yield


def _way_back(number: int) -> Callable[[], None]:
    """Return what makes the open file NUMBER again what it is now; a closed one, too, for PISA's files may get it."""
    try:
        kept = fcntl(number, F_DUPFD_CLOEXEC, _FIRST_FILE)
    except OSError:
        return partial(os.close, number)

    def go_back() -> None:
        """Put it back."""
        os.dup2(kept, number)
        os.close(kept)

    return go_back


def _flush() -> None:
    """Write out what Python holds back."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
