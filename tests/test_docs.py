"""Every measure and every option is in the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.main import get_command

from primad.cli import app
from primad.metadata.schema import load_schema
from primad.reports.documentation import checklist_page, measures_page

DOCS = Path(__file__).parent.parent / "docs"


def test_the_page_of_measures_is_what_the_measures_say() -> None:
    assert (DOCS / "measures.md").read_text() == measures_page(), "run: make docs"


def test_the_checklist_is_what_the_schema_says() -> None:
    assert (DOCS / "checklist.md").read_text() == checklist_page(), "run: make docs"


def test_the_checklist_has_an_entry_with_reason_and_form_for_each_field() -> None:
    entries = checklist_page().split("- [ ] `")[1:]

    assert sorted(entry.split("`")[0] for entry in entries) == sorted(field.path for field in load_schema().fields)
    assert [entry for entry in entries if "*Why:* " not in entry or "*Written as* " not in entry] == []


def test_an_entry_of_the_checklist_says_what_there_is_to_say() -> None:
    field = load_schema().by_path["actor", "role"]

    assert (
        f"- [ ] `actor.role` **essential**: {field.meaning}\n"
        "  *Written as* text, such as `experimenter`, one of: experimenter, reproducer.\n"
        f"  *Why:* {field.why}\n"
    ) in checklist_page()


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("evaluate", "evaluation.md"),
        ("check", "metadata.md"),
        ("show", "metadata.md"),
        ("strip", "metadata.md"),
        ("template", "metadata.md"),
        ("schema", "metadata.md"),
        ("compare", "comparing.md"),
        ("assess", "assessing.md"),
        ("qra", "precision.md"),
        ("exec", "metadata.md"),
        ("demo", "demonstration.md"),
    ],
)
def test_every_option_is_in_the_guide(name: str, page: str) -> None:
    guide = (DOCS / page).read_text()
    command = get_command(app).commands[name]  # type: ignore[attr-defined]  # typer types it as a plain command
    options = [option for parameter in command.params for option in parameter.opts if option.startswith("-")]

    missing = [option for option in options if f"`{option}" not in guide and option not in ("--help", "--measure")]

    assert missing == []
