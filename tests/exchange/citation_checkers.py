"""What do the tools of others make of many citations at once?

answers    what a program of tests/peers says to each of some questions
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from tests.exchange.peers import run_peer


def answers(environment: str, program: str, questions: list[Any]) -> list[Any]:
    """Return what tests/peers/PROGRAM says in ENVIRONMENT to each of QUESTIONS."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "questions.json"
        path.write_text(json.dumps(questions), encoding="utf-8")
        done = run_peer(environment, program, path, check=False)
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    assert len(found) == len(questions)
    return found
