"""Is what commands print as JSON what its schemas say, and nothing else?

Commands are really run, on a copy of the demonstration and on a few small files; those on a track as its guide has
them.  Schemas let no key pass that they do not name.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no annotations

from tests.cli.demonstrations import quick
from tests.cli.running import primad
from tests.docs.making import DOCS, schemas
from tests.docs.outputs import CASES, SMALL
from tests.docs.pages import ROOT, commands, files, text_of
from tests.docs.surroundings import at, shell

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("json")]

# Names of what lies in folders that primad alone reads.
FOLDERS = {"primad.backup/1", "primad.collection/1", "primad.store/1"}
GUIDE = "docs/guides/track.md"


def printed_by(command: str, *, form: bool = True) -> str:
    """Return what COMMAND prints, as JSON if FORM says so; one that is not ours is left to a shell."""
    if not command.startswith("primad "):
        return shell(command).out
    words = shlex.split(command.partition(" > ")[0].partition(" | ")[0])[1:]
    place = words.index("--") if "--" in words else len(words)
    done = primad(*words[:place], *(["--format", "json"] if form else []), *words[place:])
    assert done.code in {0, 1}, f"$ {command}\n{done.err}"  # 1 is a "no"
    return done.out


def wrong(name: str, document: Any) -> list[str]:
    """Return what is wrong with DOCUMENT by the schema NAME."""
    found = Draft202012Validator(schemas()[name]).iter_errors(document)
    return [f"{'/'.join(map(str, one.absolute_path))}: {one.message[:200]}" for one in found]


def test_commands_print_what_their_schemas_say(
    tmp_path_factory: pytest.TempPathFactory, subtests: pytest.Subtests
) -> None:
    place = tmp_path_factory.mktemp("json")
    shutil.copytree(quick(tmp_path_factory).folder, place / "demo")
    for name, text in SMALL.items():
        (place / name).write_text(text)

    for name, command in CASES:  # one after the other: some read what others wrote
        with subtests.test(command), at(place, place / "home"):
            document = json.loads(printed_by(command))

            assert wrong(name, document) == []
            assert document.get("schema", name) == name


def test_evidence_for_badges_is_what_its_schema_says(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.mktemp("evidence")
    shutil.copytree(quick(tmp_path_factory).folder / "archive", place / "archive")

    with at(place, place / "home"):
        printed_by("primad track report --out report --evidence badges --archive archive", form=False)

    found = [json.loads(path.read_text()) for path in sorted((place / "badges").rglob("evidence.json"))]
    assert len(found) == 4
    assert [wrong("primad.badge-evidence/1", one) for one in found] == [[], [], [], []]


def test_commands_on_a_track_print_what_their_schema_says(tmp_path: Path) -> None:
    text = text_of(GUIDE)
    for name, content in files(text).items():
        (tmp_path / name).write_text(content)
    documents = []

    with at(tmp_path, tmp_path / "home"):
        for command, _ in commands(text):
            said = printed_by(command, form=has_json(command))
            if "> sheet.yaml" in command:
                Path("sheet.yaml").write_text(said)
            documents += [json.loads(said)] if has_json(command) and said else []

    assert [wrong("primad.track/1", one) for one in documents if wrong("primad.track/1", one)] == []
    assert {key for one in documents for key in one} >= {"track", "attempt", "phase", "submitted", "machine", "level"}


def has_json(command: str) -> bool:
    """Tell whether COMMAND prints JSON if it is asked to, and not a file for people."""
    words = command.split()
    wanted = [" ".join(words[:length]) for length in (3, 4)]
    return any(name in wanted for name in names_with_json()) and not re.search(r"--print|--out ", command)


def names_with_json() -> list[str]:
    """Return the commands that can print JSON, by their help."""
    page = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    parts = re.findall(r"^## (primad.*)\n(?s:(.*?))(?=^## |\Z)", page, re.MULTILINE)
    return [name for name, part in parts if re.search(r"--format <[^>]*json", part)]


def test_every_command_that_prints_json_is_tried() -> None:
    tried = "\n".join([*(command for _, command in CASES), *(command for command, _ in commands(text_of(GUIDE)))])
    elsewhere = {"primad show", "primad schema", "primad track replay", "primad track assess"}

    assert [name for name in names_with_json() if not re.search(rf"{name}\b", tried) and name not in elsewhere] == []


def test_every_form_that_the_code_names_has_a_schema() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = set(re.findall(r'"(primad\.[\w.-]+/\d+)"', source))

    assert named - FOLDERS == set(schemas()) - {"primad.check"}


def test_a_key_that_no_schema_names_is_found() -> None:
    document = {"version": 1, "good": True, "files": [], "new": 1}

    assert wrong("primad.check", document) == [
        ": Additional properties are not allowed ('new' was unexpected)",
    ]
