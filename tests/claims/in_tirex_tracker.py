"""What does tirex-tracker itself do?  A program for the environment of TIRA; each function answers one question.

Standard input is a JSON list of questions, each a function with its arguments; the answers are printed as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module, metadata
from inspect import signature
from pathlib import Path
from typing import Any

BUSY = "import time\nstart = time.process_time()\nwhile time.process_time() - start < 1: pass"


def about() -> dict[str, Any]:
    """Return the version, what can be measured, and the libraries that come with it."""
    folder = Path(tracker().__file__).parent
    return {
        "version": metadata.version("tirex_tracker"),
        "measures": [measure.name for measure in tracker().Measure],
        "files": sorted(path.name for path in folder.iterdir()),
        "options": list(signature(tracker().tracking).parameters),
        "calls": [name for name, one in vars(tracker()).items() if getattr(one, "__module__", "") == "tirex_tracker"],
    }


def child(path: str) -> dict[str, str]:
    """Return what is measured, into PATH, of a process that does nothing while its child works for a second."""
    with tracker().tracking(export_file_path=path, poll_intervall_ms=500) as handle:
        subprocess.run([sys.executable, "-c", BUSY], check=True)
    return {
        measure.name: entry.value.decode() for measure, entry in handle.results.items() if "_MS" in measure.name
    } | {
        "series": next(
            entry.value.decode() for measure, entry in handle.results.items() if "RAM_USED_PRO" in measure.name
        )
    }


def registering(path: str) -> list[str]:
    """Return the fields below implementation of what is written to PATH where a note was registered there."""
    tracker().register_metadata({"implementation": {"note": "mine"}})
    with tracker().tracking(export_file_path=path):
        pass
    tracker().clear_metadata_register()
    return sorted(import_module("yaml").safe_load(Path(path).read_text(encoding="utf-8"))["implementation"])


def existing(path: str) -> list[str]:
    """Return what happened, in order, where the file at PATH exists already."""
    happened = []
    try:
        with tracker().tracking(export_file_path=path):
            happened.append("the work was done")
    except ValueError as error:
        happened.append(str(error))
    return happened


def failing(path: str) -> list[str]:
    """Return the names of all fields that are written to PATH of work that fails."""
    try:
        with tracker().tracking(export_file_path=path):
            list[str]()[0]
    except IndexError:
        return names_in(import_module("yaml").safe_load(Path(path).read_text(encoding="utf-8")))
    return []


def names_in(tree: Any) -> list[str]:
    """Return the names of the fields of TREE and of what is below them."""
    below = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else []
    return [*(tree if isinstance(tree, dict) else []), *(name for one in below for name in names_in(one))]


def tracker() -> Any:
    """Return its module, which only the environment of TIRA has."""
    return import_module("tirex_tracker")


if __name__ == "__main__":
    answers = [globals()[question](*words) for question, *words in json.load(sys.stdin)]
    json.dump(answers, sys.stdout)
