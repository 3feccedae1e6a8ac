"""Is what a run states held against this machine and a real repository?"""

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from primad.metadata.capture import capture
from primad.metadata.checking.files import Demands, check_file
from primad.metadata.checking.findings import Checked, Finding
from primad.metadata.checking.further import with_this_place
from primad.metadata.checking.here import contradictions
from primad.metadata.header import with_block
from primad.metadata.reading import metadata_in
from primad.metadata.record import Record
from tests.metadata.checking.complete import RANKING

pytestmark = pytest.mark.slow

REMOTE = "https://example.org/team/code.git"


def git(folder: Path, *arguments: str) -> str:
    """Run git as somebody without settings of their own."""
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    people = {f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["/usr/bin/env", "git", "-C", folder, *arguments],
        env=os.environ | settings | people,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Return a repository with two commits."""
    folder = tmp_path / "code"
    folder.mkdir()
    git(folder, "init", "-b", "main")
    git(folder, "remote", "add", "origin", REMOTE)
    for number in ("1", "2"):
        (folder / "search.py").write_text(f"print({number})\n")
        git(folder, "add", ".")
        git(folder, "commit", "-m", number)
    return folder


def contradicted(tree: dict[str, Any], folder: Path, captured: dict[str, Any] | None = None) -> list[tuple[str, str]]:
    """Return fields and messages that FOLDER and this machine, or what was CAPTURED there, contradict."""
    metadata = metadata_in(Record(tree).to_yaml().encode(), "m.yml")
    assert metadata is not None
    found = contradictions(metadata, capture(folder) if captured is None else captured, folder)
    assert {(one.severity, one.code) for one in found} <= {("warning", "here")}
    return [(one.field, one.message) for one in found]


def with_source(**facts: str) -> dict[str, Any]:
    return {"implementation": {"source": facts}}


# The repository ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [7, 40])
def test_the_commit_that_is_checked_out_is_right(repo: Path, length: int) -> None:
    commit = git(repo, "rev-parse", "HEAD")[:length]

    assert contradicted(with_source(commit=commit), repo) == []
    assert contradicted(with_source(commit=commit.upper()), repo) == []


def test_a_commit_that_the_repository_does_not_have_is_found(repo: Path) -> None:
    assert contradicted(with_source(commit="9548cd6"), repo) == [
        ("implementation.source.commit", "9548cd6 is stated, but the repository code has no such commit")
    ]


def test_a_repository_at_another_commit_is_found(repo: Path) -> None:
    first, second = git(repo, "rev-parse", "HEAD~1", "HEAD").split()

    assert contradicted(with_source(commit=first[:9]), repo) == [
        ("implementation.source.commit", f"{first[:9]} is stated, the repository stands at {second[:9]}")
    ]


@pytest.mark.parametrize("stated", ["main", "HEAD", "--help", "$(touch hacked)"])
def test_what_is_no_commit_is_none_that_the_repository_has(repo: Path, stated: str) -> None:
    assert contradicted(with_source(commit=stated), repo) == [
        ("implementation.source.commit", f"{stated} is stated, but the repository code has no such commit")
    ]


def test_a_folder_in_no_repository_contradicts_any_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert contradicted(with_source(commit="9548cd6"), Path()) == [
        ("implementation.source.commit", f"9548cd6 is stated, but {tmp_path} is in no repository")
    ]
    assert contradicted(with_source(lang="python"), Path()) == []


@pytest.mark.parametrize(
    "address",
    [
        pytest.param(REMOTE, id="the same"),
        pytest.param("https://example.org/team/code", id="without .git"),
        pytest.param("https://example.org/team/code/", id="with a slash"),
        pytest.param("http://EXAMPLE.org/team/code", id="http, and a host in capitals"),
        pytest.param("git@example.org:team/code.git", id="ssh as people write it"),
        pytest.param("ssh://git@example.org/team/code.git", id="ssh as an address"),
        pytest.param("ssh://git@example.org:2222/team/code.git", id="ssh with a port"),
        pytest.param("example.org/team/code", id="without scheme"),
        pytest.param("https://user:secret@example.org/team/code", id="with a password"),
    ],
)
def test_one_repository_has_many_addresses(repo: Path, address: str) -> None:
    assert contradicted(with_source(repository=address), repo) == []


def test_names_that_start_with_a_digit_are_no_ports(repo: Path) -> None:
    git(repo, "remote", "set-url", "origin", "git@example.org:3b1b/code.git")

    assert contradicted(with_source(repository="https://example.org/3b1b/code"), repo) == []


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("https://example.org/team/other", id="another name"),
        pytest.param("https://example.org/Team/code", id="another team"),
        pytest.param("https://example.com/team/code", id="another host"),
        pytest.param("git@example.org:code.git", id="no team"),
    ],
)
def test_another_repository_is_found(repo: Path, address: str) -> None:
    assert contradicted(with_source(repository=address), repo) == [
        ("implementation.source.repository", f"'{address}' is stated, here it is '{REMOTE}'")
    ]


def test_a_password_in_an_address_is_not_shown(repo: Path) -> None:
    (found,) = contradicted(with_source(repository="https://me:s3cr3t@example.org/team/other"), repo)

    assert "s3cr3t" not in found[1]


def test_changes_that_were_not_there_are_found(repo: Path) -> None:
    (repo / "search.py").write_text("print(3)\n")
    tree = {"implementation": {"source": {"uncommitted changes": False, "branch": "topic"}}}

    assert contradicted(tree, repo) == [
        ("implementation.source.uncommitted changes", "false is stated, here it is true")
    ]


# The machine -------------------------------------------------------------------------------------------------


def test_what_was_captured_here_is_right_here(repo: Path) -> None:
    assert contradicted(capture(repo), repo) == []


def test_another_processor_is_found_with_its_line(repo: Path) -> None:
    captured = {"platform": {"hardware": {"cpu": {"model": "Xeon", "number of cores": 16}, "ram": "64 GB"}}}
    metadata = metadata_in(
        b"tag: a\nplatform:\n  hardware:\n    ram: 64 GB\n    cpu:\n      model: EPYC\n      number of cores: 8\n",
        "m.yml",
    )
    assert metadata is not None

    assert contradictions(metadata, captured, repo) == [
        Finding("m.yml", 6, "platform.hardware.cpu.model", "warning", "here", "'EPYC' is stated, here it is 'Xeon'"),
        Finding("m.yml", 7, "platform.hardware.cpu.number of cores", "warning", "here", "8 is stated, here it is 16"),
    ]


def test_a_real_capture_contradicts_another_processor(repo: Path) -> None:
    tree = {"platform": {"hardware": {"cpu": {"architecture": "abacus"}}}}

    ((field, message),) = contradicted(tree, repo)

    assert field == "platform.hardware.cpu.architecture"
    assert message.startswith("'abacus' is stated, here it is '")


def test_what_is_not_stated_or_not_known_here_is_no_contradiction(repo: Path) -> None:
    captured = {"platform": {"hardware": {"ram": "64 GB"}, "operating system": {"kernel": "Linux"}}}

    assert contradicted({"platform": {"hardware": {"ram": "ENTER_VALUE_HERE"}}}, repo, captured) == []
    assert (
        contradicted({"platform": {"hardware": {"gpu": {"model": "RTX"}}}, "actor": {"name": "a"}}, repo, captured)
        == []
    )


@pytest.mark.parametrize(
    ("software", "expected"),
    [
        pytest.param({"libraries": {"python": ["numpy==2.4.0", "typing_extensions==4"]}}, [], id="the same"),
        pytest.param({"libraries": {"python": ["Zope-Interface==6"]}}, [], id="the same, spelled otherwise"),
        pytest.param({"libraries": {"python": ["NumPy==2.4.0", "Typing-Extensions==4"]}}, [], id="spelled otherwise"),
        pytest.param(
            {"libraries": {"python": ["typing-extensions==4", "numpy==1.15.4"]}},
            [("platform.software.libraries.python[1]", "numpy==1.15.4 is stated, here it is 2.4.0")],
            id="another version",
        ),
        pytest.param(
            {"libraries": {"python": ["pyserini==0.1"]}},
            [("platform.software.libraries.python[0]", "pyserini==0.1 is stated, here there is none")],
            id="not installed",
        ),
        pytest.param({"libraries": {"python": ["numpy"]}}, [], id="no version"),
        pytest.param(
            {"libraries": ["numpy 1.15.4", "lucene 9"]},
            [("platform.software.libraries.other[0]", "numpy==1.15.4 is stated, here it is 2.4.0")],
            id="a list without languages",
        ),
        pytest.param({"libraries": {"java": ["numpy==1"]}}, [], id="another language"),
        pytest.param(
            {"runtime": ["java==17", "python==3.8.1"]},
            [("platform.software.runtime[1]", "python==3.8.1 is stated, here it is 3.11.7")],
            id="another Python, and a Java that nobody looked for",
        ),
        pytest.param({"libraries": {"python": {"a": {"b": "c"}}}, "runtime": 5}, [], id="the wrong shape"),
    ],
)
def test_libraries_of_another_version_are_found(
    repo: Path, software: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    python = ["numpy==2.4.0", "typing_extensions==4", "zope.interface==6"]
    here = {"libraries": {"python": python}, "runtime": ["python==3.11.7"]}

    assert contradicted({"platform": {"software": software}}, repo, {"platform": {"software": here}}) == expected


# Files that were checked -------------------------------------------------------------------------------------


def test_contradictions_are_added_to_what_was_found_before(repo: Path, tmp_path: Path) -> None:
    run = tmp_path / "a.run"
    run.write_bytes(with_block("tag: rm3\nimplementation: {source: {commit: 9548cd6}}\n", RANKING))
    bare = tmp_path / "bare.run"
    bare.write_bytes(RANKING)
    before = [check_file(str(run)), check_file(str(bare))]

    after = with_this_place(before, Demands(), repo)

    message = "9548cd6 is stated, but the repository code has no such commit"
    added = Finding(str(run), 3, "implementation.source.commit", "warning", "here", message)
    assert after == [replace(before[0], findings=(*before[0].findings, added)), before[1]]


def test_what_came_from_standard_input_is_held_against_this_place_without_lines(repo: Path) -> None:
    checked = Checked("-", "-", (), Record(with_source(commit="9548cd6")))

    (after,) = with_this_place([checked], Demands(), repo)

    assert [(one.file, one.line, one.field) for one in after.findings] == [("-", 0, "implementation.source.commit")]


def test_a_file_that_is_gone_meanwhile_is_left_as_it_was(repo: Path) -> None:
    checked = Checked("gone.run", "gone.run", (), Record({"tag": "a"}))

    assert with_this_place([checked], Demands(), repo) == [checked]
