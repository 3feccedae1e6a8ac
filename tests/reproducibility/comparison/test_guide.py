"""Does the guide to comparing say what there is?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.main import get_command

from primad.cli import app
from tests.cli.running import primad
from tests.docs.pages import files

GUIDE = (Path(__file__).resolve().parents[3] / "docs" / "guides" / "comparing.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder with the files that the guide shows."""
    monkeypatch.chdir(tmp_path)
    for name, text in files(GUIDE).items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_terms_in_the_guide_are_those_that_are_printed() -> None:
    printed = primad("compare", "original.yml", "mine.yml", "--terms").out.splitlines()

    shown = [line for line in GUIDE.splitlines() if re.match(r"  (ACM 1\.1|VIM|Whitaker|repro_eval)  ", line)]

    assert len(shown) == 4
    assert [line for line in shown if line not in printed] == []


def test_every_option_is_in_the_guide() -> None:
    command = get_command(app).commands["compare"]  # type: ignore[attr-defined]  # typer types it as a plain command
    options = [option for parameter in command.params for option in parameter.opts if option.startswith("-")]

    assert [option for option in options if f"`{option}" not in GUIDE] == []
