"""Run and qrels files: read, checked, held in columns, written."""

from typing import TYPE_CHECKING

from primad.lazily import fetched

if TYPE_CHECKING:
    from primad.trec.qrels import Qrel, Qrels, read_qrels, write_qrels
    from primad.trec.run import Run, ScoredDoc, read_run, write_run

__all__ = ["Qrel", "Qrels", "Run", "ScoredDoc", "read_qrels", "read_run", "write_qrels", "write_run"]

__getattr__, __dir__ = fetched(
    __name__,
    {
        "qrels": ["Qrel", "Qrels", "read_qrels", "write_qrels"],
        "run": ["Run", "ScoredDoc", "read_run", "write_run"],
    },
)
