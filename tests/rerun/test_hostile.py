"""Can a record or a repository that means harm do any?"""

import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from primad.errors import FileError
from primad.metadata.capture.packages import Environment
from primad.metadata.reading import read_record
from primad.replay.result import Stage
from primad.rerun import Given, missing, rerun
from primad.rerun.cloning import Checkout, clone
from primad.rerun.given import Origin
from primad.rerun.installing import _settings_of_pip
from primad.rerun.libraries import Interpreter
from tests.rerun.recorded import DOCUMENTS, LIMITS, SEARCH, altered, committed, git, recorded

READS_SHADOW = "printf '301 Q0 %s 1 1 mine\\n' \"$(cat /etc/shadow 2>&1 | head -c 20 | tr ' ' _)\" > mine.run"
READS_HOME = "ls -a {home} && exit 3"
CONNECTS = (
    "python3 -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 2)\" && "
    "printf '301 Q0 reached 1 1 mine\\n' > mine.run"
)


@pytest.mark.parametrize(
    "commit",
    ["--upload-pack=touch {marker}", "-q", "HEAD", "main", "$(touch {marker})", "e5da5c5; touch {marker}", "../x"],
)
def test_a_commit_that_is_no_hash_never_reaches_git(made: Path, tmp_path: Path, commit: str) -> None:
    marker = tmp_path / "marker"
    stated = commit.format(marker=marker)
    run = altered(made, tmp_path / "mine.run", implementation__source__commit=stated)

    found = rerun(run, repository=made.parent, limits=LIMITS)

    assert [lack.field for lack in found.plan.lacks if lack.is_essential] == ["implementation.source.commit"]
    assert "expected a hash in hexadecimal" in found.plan.lacks[0].what
    assert found.steps == ()
    assert not marker.exists()


@pytest.mark.parametrize(
    "repository",
    [
        "ext::sh -c touch% {marker}",
        "--upload-pack=touch {marker}",
        "fd::17",
        "-u",
        "ssh://-oProxyCommand=touch%20{marker}/x",
        "transport::file:///x",
        "file://evil.example.org/x",
        "relative/folder",
    ],
)
def test_a_repository_that_is_no_address_never_reaches_git(made: Path, tmp_path: Path, repository: str) -> None:
    marker = tmp_path / "marker"
    run = altered(made, tmp_path / "mine.run", implementation__source__repository=repository.format(marker=marker))

    found = rerun(run, fetch=True, limits=LIMITS)

    assert not found.recreated
    assert found.steps == ()
    assert not marker.exists()


def test_git_itself_refuses_other_transports(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    origin = Origin(f"ext::touch {marker}", is_local=False, said_by="stated")

    with pytest.raises(FileError, match=r"transport 'ext' not allowed"):
        clone(origin, "e5da5c5", tmp_path / "code", fetch=True)
    assert not marker.exists()


# Much out of little -----------------------------------------------------------------------------------------------


def tree_of(folder: Path, entries: Iterable[str]) -> str:
    """Return the tree with ENTRIES in the repository at FOLDER, whatever is in them."""
    return git(folder, "mktree", given="\n".join(entries))


def commit_of(folder: Path, tree: str) -> str:
    """Return a commit of TREE that nobody has checked out, on the branch of FOLDER."""
    commit = git(folder, "commit-tree", "-m", "much", tree)
    git(folder, "update-ref", "refs/heads/much", commit)
    return commit


def blob_of(folder: Path, text: str) -> str:
    """Return TEXT as a file of the repository at FOLDER."""
    return git(folder, "hash-object", "-w", "--stdin", given=text)


def cloned(place: Path, commit: str, folder: Path, **options: int) -> Checkout:
    return clone(Origin(str(place), is_local=True, said_by="given"), commit, folder, fetch=False, **options)


def test_a_few_objects_that_stand_for_very_large_files_are_not_checked_out(mine: Path, tmp_path: Path) -> None:
    blob = blob_of(mine.parent, "0" * 1_000_000)
    commit = commit_of(mine.parent, tree_of(mine.parent, [f"100644 blob {blob}\t{n}" for n in range(50)]))

    with pytest.raises(FileError, match=r"its files have 50,000,000 bytes, more than 200 times what git keeps"):
        cloned(mine.parent, commit, tmp_path / "code")
    assert [path.name for path in (tmp_path / "code").iterdir()] == [".git"]


def test_a_few_objects_that_stand_for_very_many_files_are_not_checked_out(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("primad.replay.committed.MOST_FILES", 10_000)  # git takes a while to list more
    tree = tree_of(mine.parent, [f"100644 blob {blob_of(mine.parent, '')}\t{n}" for n in range(100)])
    for _ in range(4):  # ten thousand million files
        tree = tree_of(mine.parent, [f"040000 tree {tree}\t{n}" for n in range(100)])
    commit = commit_of(mine.parent, tree)

    with pytest.raises(FileError, match=r"has more than 10,000 files and folders"):
        cloned(mine.parent, commit, tmp_path / "code")
    assert [path.name for path in (tmp_path / "code").iterdir()] == [".git"]


def test_a_commit_that_has_lost_a_file_is_not_checked_out_and_the_error_says_where_to_look(
    mine: Path, tmp_path: Path
) -> None:
    blob = blob_of(mine.parent, "lost")
    commit = commit_of(mine.parent, tree_of(mine.parent, [f"100644 blob {blob}\tlost.py"]))
    (mine.parent / ".git" / "objects" / blob[:2] / blob[2:]).unlink()

    with pytest.raises(FileError, match=rf"cannot be checked out \(.*{blob}.*\); name a repository that has all of it"):
        cloned(mine.parent, commit, tmp_path / "code")


def test_no_more_is_checked_out_than_the_sandbox_may_use(made: Path, tmp_path: Path) -> None:
    size = len(SEARCH) + len(DOCUMENTS)

    found = rerun(made, limits=replace(LIMITS, disk=size - 1))

    assert f"its files have {size} bytes, and no more than {size - 1} are checked out" in found.reason
    assert found.steps == ()
    assert (
        cloned(made.parent, git(made.parent, "rev-parse", "HEAD"), tmp_path / "code", most=size).committed.bytes == size
    )


# The sandbox ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["..", "/etc", "a/../.."])
def test_the_command_cannot_be_run_outside_of_the_code(made: Path, tmp_path: Path, folder: str) -> None:
    run = altered(made, tmp_path / "mine.run", implementation__executable__folder=folder)

    lacks = missing(read_record(run), Given(repository=made.parent))

    assert "implementation.executable.folder" in [lack.field for lack in lacks if lack.is_essential]


def test_programs_that_a_repository_asks_for_are_not_run(tmp_path: Path) -> None:
    folder, marker = tmp_path / "repository", tmp_path / "marker"
    committed(folder, {"search.py": SEARCH, "data/docs.txt": DOCUMENTS, ".gitattributes": "*.txt filter=spy\n"})
    run = recorded(folder)
    for hook in ("post-checkout", "pre-commit", "post-merge", "reference-transaction"):
        (folder / ".git" / "hooks").mkdir(exist_ok=True)
        (folder / ".git" / "hooks" / hook).write_text(f"#!/bin/sh\necho {hook} >> {marker}\n")
        (folder / ".git" / "hooks" / hook).chmod(0o755)
    for name, value in {
        "filter.spy.smudge": f"sh -c 'echo smudge >> {marker}; cat'",
        "core.fsmonitor": f"sh -c 'echo monitor >> {marker}'",
        "uploadpack.packObjectsHook": f"sh -c 'echo pack >> {marker}'",
    }.items():
        git(folder, "config", name, value)

    assert rerun(run, limits=LIMITS).agreement == "identical bytes"
    assert not marker.exists()


def test_a_submodule_is_told_and_not_cloned(tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    modules = f'[submodule "x"]\n\tpath = x\n\turl = {tmp_path / "other"}\n'
    committed(folder, {"search.py": SEARCH, "data/docs.txt": DOCUMENTS, ".gitmodules": modules})

    found = rerun(recorded(folder), limits=LIMITS)

    assert found.remarks == ("the code has submodules, which are not cloned",)


def test_a_clone_does_not_remember_where_it_is_from(made: Path, tmp_path: Path) -> None:
    checkout = clone(
        Origin(str(made.parent), is_local=True, said_by="given"),
        git(made.parent, "rev-parse", "HEAD"),
        tmp_path / "code",
        fetch=False,
    )

    texts = [path.read_bytes() for path in (tmp_path / "code" / ".git").rglob("*") if path.is_file()]
    assert checkout.commit == git(made.parent, "rev-parse", "HEAD")
    assert [text for text in texts if os.fsencode(made.parent) in text] == []


def test_a_branch_that_is_called_like_a_commit_is_not_taken_for_it(mine: Path) -> None:
    folder = mine.parent
    commit = git(folder, "rev-parse", "HEAD")
    committed(folder, {"data/docs.txt": "d9\n"})
    git(folder, "tag", commit[:7])
    short = altered(mine, folder / "short.run", implementation__source__commit=commit[:7])

    found = rerun(short, limits=LIMITS)

    assert not found.recreated
    assert found.plan.lacks[0].what == f"{folder} does not have {commit[:7]}"


def test_a_folder_that_is_a_link_in_the_commit_leads_nowhere(tmp_path: Path) -> None:
    folder, outside = tmp_path / "repository", tmp_path / "outside"
    outside.mkdir()
    committed(folder, {"search.py": SEARCH})
    (folder / "data").symlink_to(outside)
    git(folder, "add", "data")
    git(folder, "commit", "--quiet", "--message", "link")
    (outside / "docs.txt").write_text(DOCUMENTS)
    run = recorded(folder, trace=False)
    (outside / "docs.txt").unlink()
    documents = tmp_path / "docs.txt"
    documents.write_text(DOCUMENTS)

    found = rerun(run, inputs=[("data/docs.txt", documents)], limits=LIMITS)

    assert found.reason.startswith("data/docs.txt: a folder on its way is a link in the commit")
    assert list(outside.iterdir()) == []


def test_a_command_reads_neither_passwords_nor_the_home(made: Path) -> None:
    of_shadow = rerun(made, command=READS_SHADOW, limits=LIMITS)
    of_home = rerun(made, command=READS_HOME.format(home=Path.home()), limits=LIMITS)

    assert b"root:" not in of_shadow.data
    assert b"cat:_/etc/shadow" in of_shadow.data
    assert not of_home.recreated
    assert ".bashrc" not in "\n".join(of_home.last_lines)


def test_a_command_has_no_network_even_where_it_may_be_fetched(made: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        found = rerun(made, command=CONNECTS.format(port=port), fetch=True, limits=LIMITS)

    assert not found.recreated
    assert [(step.stage, step.network) for step in found.steps] == [(Stage.RUN, False)]
    assert "Connection refused" in "\n".join(found.last_lines) or "unreachable" in "\n".join(found.last_lines)


def test_a_link_to_a_file_of_this_machine_is_not_taken_for_the_run(made: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.run"
    secret.write_text("301 Q0 secret 1 1 mine\n")
    up = "../" * 20 + ".."

    found = rerun(made, command=f"ln -s {up}{secret} mine.run && ln -s {up}{tmp_path} folder", limits=LIMITS)

    assert not found.recreated
    assert "wrote no run" in found.reason


def test_what_a_command_leaves_is_removed_however_deep_and_closed_it_is(made: Path, scratch: Path) -> None:
    deep = "mkdir -p a/b && touch a/b/c && chmod 000 a/b a && for i in $(seq 100); do mkdir d && cd d; done"

    found = rerun(made, command=deep, limits=LIMITS)

    assert "wrote no run" in found.reason
    assert list(scratch.iterdir()) == []


def test_a_pip_in_the_working_folder_is_not_the_pip_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "marker"
    (tmp_path / "pip.py").write_text(f"open({str(marker)!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    here = Interpreter(sys.executable, (), Environment("python==3.11.7", ()))

    settings = _settings_of_pip(here)

    assert settings["find-links"] == str(tmp_path)
    assert not marker.exists()
