"""How do tests ask another tool?  As a process in the environment of its own that ``make test`` makes (tests/peers).

needs    the environment of a peer, or the test is skipped
ask      what a question of a program beside this file is answered, as JSON
call     a command of the peer itself
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT

PEERS = ROOT / ".venv" / "peers"
HERE = Path(__file__).parent


def needs(peer: str) -> Path:
    """Return the environment of PEER; without it the test is skipped."""
    if not (PEERS / peer / ".locked").exists():
        pytest.skip(f"the environment of {peer} is missing; run: make test")
    return PEERS / peer


def ask(
    peer: str, program: str, questions: Mapping[str, Sequence[object]], folder: Path | None = None
) -> dict[str, Any]:
    """Return the answers of PROGRAM to QUESTIONS, each a function and its arguments, in the environment of PEER."""
    words = json.dumps([[str(word) for word in question] for question in questions.values()])
    done = call(peer, "python", "-W", "ignore", HERE / program, stdin=words, folder=folder)
    assert done.returncode == 0, done.stderr
    return dict(zip(questions, json.loads(done.stdout.splitlines()[-1]), strict=True))


def call(
    peer: str, command: str, *words: object, stdin: str = "", folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Return how COMMAND of the environment of PEER ended."""
    # Its packages are installed uncompiled, so the first import has to be allowed to keep what it compiles.
    settings = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONUTF8": "1", "COLUMNS": "200"}
    line = [str(needs(peer) / "bin" / command), *map(str, words)]
    return subprocess.run(
        line, input=stdin, cwd=folder, env=settings, capture_output=True, encoding="utf-8", check=False
    )
