"""Other tools, each in an environment of its own that ``make test`` makes (tests/peers), run as processes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run_peer(
    peer: str, program: str, *arguments: object, cwd: Path | None = None, check: bool = True
) -> subprocess.CompletedProcess[str]:
    """Return what PROGRAM (of the environment, or a script in tests/peers) of the environment of PEER prints.

    Without the environment the test is skipped, which is an error where tests count.
    """
    environment = ROOT / ".venv" / "peers" / peer
    if not (environment / ".locked").exists():
        pytest.skip(f"the environment of {peer} is missing; run: make test")
    script = ROOT / "tests" / "peers" / program
    command = [environment / "bin" / "python", "-W", "ignore", script] if program.endswith(".py") else []
    return subprocess.run(
        [*map(str, command or [environment / "bin" / program]), *map(str, arguments)],
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONUTF8": "1", "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=check,
        timeout=120,
        cwd=cwd,
    )
