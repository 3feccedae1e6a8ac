"""What does TIRA's client itself say?  A program for the environment of TIRA; each function answers one question.

Standard input is a JSON list of questions, each a function with its arguments; the answers are printed as JSON.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import Any


def about() -> dict[str, Any]:
    """Return the version, and how many formats are checked."""
    return {"version": metadata.version("tira"), "formats": sorted(checks().FORMAT_TO_CHECK)}


def run(folder: str) -> list[str]:
    """Return what the checker says of the run in FOLDER."""
    verdict, message = checks().check_format(Path(folder), "run.txt")
    return [verdict.name, message]


def checks() -> Any:
    """Return the module that checks formats."""
    return import_module("tira.check_format")


if __name__ == "__main__":
    answers = [globals()[question](*words) for question, *words in json.load(sys.stdin)]
    json.dump(answers, sys.stdout)
