"""Is the reference what the code says, and is everything in it: measures, commands, options, settings, errors?"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from typer.main import get_command

from primad import errors
from primad.cli import app
from primad.evaluation.measures import families
from primad.metadata.schema import load_schema
from primad.reports.archive import answers
from primad.reports.documentation.checklist import checklist_page
from primad.reports.documentation.commands import commands
from primad.reports.documentation.errors import tree
from primad.reports.documentation.settings import DEFAULTS
from primad.reproducibility.catalogue import measures
from primad.web.settings import ENVIRONMENT, site_here
from tests.docs.making import DOCS, MADE, schema_files
from tests.docs.pages import ROOT


@pytest.mark.parametrize("name", MADE)
def test_what_is_made_from_the_code_is_what_the_code_says(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == MADE[name](), "run: make docs"


def test_the_schemas_of_json_are_those_of_its_types_and_there_are_no_others() -> None:
    there = {
        path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8")
        for path in (DOCS / "reference" / "json").iterdir()
    }

    assert there == schema_files(), "run: make docs"


def test_every_evaluation_measure_says_what_misleads() -> None:
    assert [name for name, one in families.items() if not one.pitfall] == []


def test_every_reproducibility_measure_says_how_to_read_it_and_what_misleads() -> None:
    known = [one for one in measures().values() if one.formula.__module__.startswith("primad.")]

    assert [one.name for one in known if not (one.reading and one.pitfall)] == []


PROGRAM = dict(commands(get_command(app), "primad"))


@pytest.mark.parametrize("name", PROGRAM)
def test_a_command_has_help_an_example_and_words_for_each_option(name: str) -> None:
    command = PROGRAM[name]

    assert command.help
    assert re.search(rf"^  (.*\| )?{name}\b", command.epilog or "", re.MULTILINE)
    assert [one.name for one in command.params if not getattr(one, "help", None)] == []


def test_every_variable_that_the_code_reads_is_among_the_settings() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    page = (DOCS / "reference" / "settings.md").read_text(encoding="utf-8")

    assert sorted(set(re.findall(r"_?PRIMAD_[A-Z_]+", source)) - set(re.findall(r"`(\w+)`", page))) == []
    assert sorted(DEFAULTS) == sorted(ENVIRONMENT)


def test_the_defaults_of_a_site_are_those_of_the_page() -> None:
    site = site_here({})

    assert DEFAULTS["PRIMAD_HOSTS"] == ", ".join(site.hosts)
    assert DEFAULTS["PRIMAD_PROXIES"] == ", ".join(map(str, site.proxies))
    assert DEFAULTS["PRIMAD_UPLOAD_LIMIT"] == str(site.upload_limit // 1_000_000)
    assert (site.https, site.hsts_preload, site.private, site.mail) == (False, False, False, "")


def test_every_error_of_the_module_is_on_the_page_with_the_tree_of_its_docstring() -> None:
    drawn = re.findall(r"^ +[│├└─ ]*(\w+) {2,}", errors.__doc__ or "", re.MULTILINE)

    assert [error.__name__ for error in tree()] == drawn


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
        ("score", "scorers.md"),
        ("pack", "bundles.md"),
        ("rerun", "rerun.md"),
        ("serve", "server.md"),
        ("worker", "jobs.md"),
    ],
)
def test_every_option_is_in_the_guide(name: str, page: str) -> None:
    guide = (DOCS / "guides" / page).read_text()

    assert [option for option in options_of(command_called(name)) if f"`{option}" not in guide] == []


def command_called(name: str) -> Any:
    """Return the command of that NAME; typer types it as a plain command."""
    return get_command(app).commands[name]  # type: ignore[attr-defined]


def options_of(command: Any) -> list[str]:
    """Return the options of COMMAND, but for those that need no words."""
    options = [option for parameter in command.params for option in parameter.opts if option.startswith("-")]
    return [option for option in options if option not in ("--help", "--measure")]


@pytest.mark.parametrize("name", list(command_called("archive").commands))
def test_every_command_on_an_archive_is_in_its_guide_with_its_options(name: str) -> None:
    guide = (DOCS / "guides" / "archive.md").read_text()

    assert re.search(rf"`(primad archive )?{name}\b", guide)
    assert [one for one in options_of(command_called("archive").commands[name]) if f"`{one}" not in guide] == []


def commands_of(name: str) -> list[str]:
    """Return the commands of the group NAME, those of groups in it behind the name of the group."""
    found = command_called(name).commands
    return [f"{one} {inner}" for one, group in found.items() for inner in getattr(group, "commands", {})] + [
        one for one, command in found.items() if not hasattr(command, "commands")
    ]


@pytest.mark.parametrize("name", commands_of("track"))
def test_every_command_on_a_track_is_in_its_guide_with_its_options(name: str) -> None:
    guide = (DOCS / "guides" / "track.md").read_text()
    command = command_called("track")
    for word in name.split():
        command = command.commands[word]

    assert re.search(rf"`(primad track )?{name}\b", guide)
    assert [one for one in options_of(command) if f"`{one}" not in guide] == []


ANSWERS = (
    answers.Found,
    answers.Hit,
    answers.Baselines,
    answers.Baseline,
    answers.Reproductions,
    answers.Reproduced,
    answers.Shown,
    answers.VersionFacts,
    answers.ScoreFacts,
    answers.EventFacts,
    answers.OverviewRow,
    answers.Progress,
    answers.Year,
    answers.Point,
    answers.CollectionFacts,
    answers.QrelsFacts,
    answers.Standing,
    answers.Evaluated,
    answers.Unscored,
    answers.Verified,
)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.__name__)
def test_every_key_of_what_an_archive_answers_is_in_its_guide(answer: Any) -> None:
    table = (DOCS / "guides" / "archive.md").read_text().partition("## For programs")[2]

    assert [one.name for one in fields(answer) if not re.search(rf"`{one.name}(\[\])?`", table)] == []


def test_every_answer_of_an_archive_is_looked_at() -> None:
    assert {one for one in vars(answers).values() if isinstance(one, type) and is_dataclass(one)} == set(ANSWERS)
