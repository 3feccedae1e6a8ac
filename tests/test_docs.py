"""Every measure and every option is in the documentation."""

from __future__ import annotations

from pathlib import Path

from typer.main import get_command

from primad.cli import app
from primad.reports.documentation import measures_page

DOCS = Path(__file__).parent.parent / "docs"


def test_the_page_of_measures_is_what_the_measures_say() -> None:
    assert (DOCS / "measures.md").read_text() == measures_page(), "run: make docs"


def test_every_option_of_evaluate_is_in_the_guide() -> None:
    guide = (DOCS / "evaluation.md").read_text()
    command = get_command(app).commands["evaluate"]  # type: ignore[attr-defined]  # typer types it as a plain command
    options = [option for parameter in command.params for option in parameter.opts if option.startswith("-")]

    missing = [option for option in options if f"`{option}" not in guide and option not in ("--help", "--measure")]

    assert missing == []
