"""Run and qrels files: read, checked, held in columns, written."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from primad.trec.qrels import Qrel, Qrels, read_qrels, write_qrels
    from primad.trec.run import Run, ScoredDoc, read_run, write_run

__all__ = ["Qrel", "Qrels", "Run", "ScoredDoc", "read_qrels", "read_run", "write_qrels", "write_run"]

_MODULES = dict.fromkeys(("Qrel", "Qrels", "read_qrels", "write_qrels"), "qrels") | dict.fromkeys(
    ("Run", "ScoredDoc", "read_run", "write_run"), "run"
)


def __getattr__(name: str) -> Any:
    """Fetch a public name when it is first used: reading the bytes of a file needs neither numpy nor polars."""
    if name not in _MODULES:
        raise AttributeError(f"module 'primad.trec' has no attribute '{name}'")
    return getattr(import_module(f"primad.trec.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
