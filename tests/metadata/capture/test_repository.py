"""Is the state of a repository told as it is, without a program of its own being run?"""

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from primad.metadata.capture import has_commit, repository
from primad.metadata.capture.repository import Repository, _Git, source

ADDRESS = "https://github.com/org/repo.git"
TOKEN = "glpat-" + "a1B2c3D4e5F6g7H8i9J0"

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Return git as a function, in the folder 'work' unless another is given, with no settings but ours."""
    settings = tmp_path / "gitconfig"
    settings.write_text(
        "[user]\nname = Ada\nemail = ada@example.org\n"
        '[init]\ndefaultBranch = main\n[protocol "file"]\nallow = always\n',
        encoding="utf-8",
    )
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    program = shutil.which("git")
    assert program is not None

    def run(*arguments: str, folder: Path = tmp_path / "work") -> str:
        done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    (tmp_path / "work").mkdir()
    return run


@pytest.fixture
def work(git: Git, tmp_path: Path) -> Path:
    """Return a repository with one commit, on the branch main."""
    folder = tmp_path / "work"
    git("init", "-q")
    (folder / "search.py").write_text("print(1)\n", encoding="utf-8")
    git("add", "-A")
    git("commit", "-qm", "first")
    return folder


@pytest.fixture
def published(git: Git, work: Path, tmp_path: Path) -> Path:
    """Return a repository whose commit is on the server, which goes by a public address afterwards."""
    git("init", "-q", "--bare", str(tmp_path / "server"))
    git("remote", "add", "origin", str(tmp_path / "server"))
    git("push", "-qu", "origin", "main")
    git("remote", "set-url", "origin", ADDRESS)
    return work


def state(folder: Path) -> Repository:
    """Return the state of a repository that is there."""
    found = repository(folder)
    assert found is not None
    return found


def commit_more(git: Git, folder: Path, text: str = "print(2)\n") -> None:
    """Change the script and commit it."""
    (folder / "search.py").write_text(text, encoding="utf-8")
    git("commit", "-qam", "more", folder=folder)


# What is checked out -----------------------------------------------------------------------------------------------


def test_a_clean_repository_is_described_whole(git: Git, published: Path) -> None:
    assert repository(published) == Repository(
        root=published.resolve(),
        remote=ADDRESS,
        commit=git("rev-parse", "HEAD"),
        tree=git("rev-parse", "HEAD^{tree}"),
        branch="main",
        uncommitted=False,
        unpushed=False,
        untracked=False,
    )


def test_a_folder_inside_belongs_to_the_repository(work: Path) -> None:
    (work / "runs" / "deep").mkdir(parents=True)

    assert repository(work / "runs" / "deep") == repository(work)


def test_a_repository_without_a_commit_has_none(git: Git, tmp_path: Path) -> None:
    git("init", "-q")

    found = state(tmp_path / "work")

    assert (found.commit, found.tree, found.branch, found.unpushed) == (None, None, "main", None)
    assert found.root == (tmp_path / "work").resolve()


def test_without_a_branch_there_is_the_commit(git: Git, work: Path) -> None:
    git("checkout", "-q", "--detach")

    assert (state(work).branch, state(work).commit) == (None, git("rev-parse", "HEAD"))


def test_another_working_tree_has_its_own_state(git: Git, work: Path, tmp_path: Path) -> None:
    git("worktree", "add", "-qb", "trial", str(tmp_path / "trial"))
    commit_more(git, tmp_path / "trial")

    assert (state(tmp_path / "trial").branch, state(work).branch) == ("trial", "main")
    assert state(tmp_path / "trial").commit == git("rev-parse", "trial")


@pytest.mark.parametrize("name", ["with a blank", "new\nline", "ümlaut"])
def test_the_name_of_the_folder_may_be_strange(git: Git, work: Path, tmp_path: Path, name: str) -> None:
    work.rename(tmp_path / name)

    found = state(tmp_path / name)

    assert found.root == (tmp_path / name).resolve()
    assert found.tree == git("rev-parse", "HEAD^{tree}", folder=tmp_path / name)


# What differs -------------------------------------------------------------------------------------------------------


def test_a_changed_file_is_an_uncommitted_change(work: Path) -> None:
    (work / "search.py").write_text("print(2)\n", encoding="utf-8")

    assert (state(work).uncommitted, state(work).untracked) == (True, False)


def test_a_staged_file_is_an_uncommitted_change(git: Git, work: Path) -> None:
    (work / "new.py").write_text("print(2)\n", encoding="utf-8")
    git("add", "new.py")

    assert (state(work).uncommitted, state(work).untracked) == (True, False)


def test_a_removed_file_is_an_uncommitted_change(work: Path) -> None:
    (work / "search.py").unlink()

    assert state(work).uncommitted


def test_a_renamed_file_is_an_uncommitted_change(git: Git, work: Path) -> None:
    git("mv", "search.py", "find.py")

    assert state(work).uncommitted


def test_a_conflict_is_an_uncommitted_change(git: Git, work: Path) -> None:
    git("checkout", "-qb", "trial")
    commit_more(git, work, "print(2)\n")
    git("checkout", "-q", "main")
    commit_more(git, work, "print(3)\n")
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "trial")

    assert state(work).uncommitted


def test_a_new_file_is_untracked_and_no_uncommitted_change(git: Git, work: Path) -> None:
    (work / "bm25.run").write_text("301 Q0 d1 1 0.5 bm25\n", encoding="utf-8")

    assert (state(work).uncommitted, state(work).untracked) == (False, True)

    git("config", "status.showUntrackedFiles", "no")

    assert (state(work).uncommitted, state(work).untracked) == (False, True)


def test_an_ignored_file_is_nothing(git: Git, work: Path) -> None:
    (work / ".gitignore").write_text("*.run\n", encoding="utf-8")
    git("add", "-A")
    git("commit", "-qm", "ignore")
    (work / "bm25.run").write_text("301 Q0 d1 1 0.5 bm25\n", encoding="utf-8")

    assert (state(work).uncommitted, state(work).untracked) == (False, False)


def test_a_file_that_was_only_touched_is_no_change(work: Path) -> None:
    os.utime(work / "search.py", (1, 1))

    assert not state(work).uncommitted


@pytest.mark.parametrize("name", ["# branch.head evil", "1 evil", "x\n# branch.oid 0000", "x\n1 .M evil"])
def test_the_name_of_a_file_cannot_pass_for_a_state(git: Git, work: Path, name: str) -> None:
    (work / name).write_text("x", encoding="utf-8")

    found = state(work)

    assert (found.branch, found.commit, found.uncommitted) == ("main", git("rev-parse", "HEAD"), False)


def test_a_change_in_a_submodule_is_an_uncommitted_change(git: Git, work: Path, tmp_path: Path) -> None:
    shutil.copytree(work, tmp_path / "library")
    git("submodule", "--quiet", "add", str(tmp_path / "library"), "library")
    git("commit", "-qm", "library")

    assert not state(work).uncommitted

    (work / "library" / "new.txt").write_text("x", encoding="utf-8")
    assert not state(work).uncommitted

    (work / "library" / "search.py").write_text("print(2)\n", encoding="utf-8")
    assert state(work).uncommitted


def test_a_submodule_at_another_commit_is_an_uncommitted_change(git: Git, work: Path, tmp_path: Path) -> None:
    shutil.copytree(work, tmp_path / "library")
    git("submodule", "--quiet", "add", str(tmp_path / "library"), "library")
    git("commit", "-qm", "library")
    commit_more(git, work / "library")

    assert state(work).uncommitted


def test_a_submodule_that_was_not_fetched_is_no_change(git: Git, work: Path, tmp_path: Path) -> None:
    shutil.copytree(work, tmp_path / "library")
    git("submodule", "--quiet", "add", str(tmp_path / "library"), "library")
    git("commit", "-qm", "library")
    git("clone", "-q", str(work), str(tmp_path / "clone"))

    assert not state(tmp_path / "clone").uncommitted


def test_an_empty_folder_in_the_place_of_a_submodule_is_no_change(git: Git, work: Path, tmp_path: Path) -> None:
    shutil.copytree(work, tmp_path / "library")
    git("submodule", "--quiet", "add", str(tmp_path / "library"), "library")
    git("commit", "-qm", "library")
    (work / "library" / ".git").unlink()
    (work / "library" / ".git").mkdir()

    assert not state(work).uncommitted


# What others can get ------------------------------------------------------------------------------------------------


def test_a_commit_that_is_only_here_is_unpushed(git: Git, published: Path) -> None:
    commit_more(git, published)

    assert state(published).unpushed is True


def test_a_repository_behind_its_server_has_nothing_unpushed(git: Git, published: Path) -> None:
    commit_more(git, published)
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    git("reset", "-q", "--hard", "HEAD~1")

    assert state(published).unpushed is False


def test_without_a_remote_it_is_not_known_what_is_unpushed(work: Path) -> None:
    assert state(work).unpushed is None


def test_a_branch_that_was_never_pushed_is_unpushed_once_it_has_a_commit(git: Git, published: Path) -> None:
    git("checkout", "-qb", "trial")

    assert state(published).unpushed is False

    commit_more(git, published)

    assert state(published).unpushed is True


def test_a_branch_that_follows_a_local_one_is_judged_by_the_server(git: Git, published: Path) -> None:
    commit_more(git, published)
    git("checkout", "-q", "--track", "-b", "trial", "main")

    assert state(published).unpushed is True


def test_a_commit_of_the_server_without_a_branch_is_not_unpushed(git: Git, published: Path) -> None:
    git("checkout", "-q", "--detach")

    assert state(published).unpushed is False


def test_a_branch_that_the_server_no_longer_has_is_unpushed(git: Git, published: Path) -> None:
    git("update-ref", "-d", "refs/remotes/origin/main")

    assert state(published).unpushed is True


# The address ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        pytest.param(ADDRESS, ADDRESS, id="https"),
        pytest.param("git@github.com:org/repo.git", "git@github.com:org/repo.git", id="ssh in short"),
        pytest.param("github.com:org/repo.git", "github.com:org/repo.git", id="ssh in short, no user"),
        pytest.param("ssh://git@github.com:22/org/repo", "ssh://git@github.com:22/org/repo", id="ssh"),
        pytest.param(f"https://oauth2:{TOKEN}@gitlab.com/org/repo", "https://gitlab.com/org/repo", id="a token"),
        pytest.param("https://ada:s3cret@example.org/repo", "https://example.org/repo", id="a password"),
        pytest.param("codecommit::us-east-1://repo", "codecommit::us-east-1://repo", id="a helper"),
        pytest.param("/srv/git/repo.git", None, id="a path"),
        pytest.param("../repo.git", None, id="a path from here"),
        pytest.param("repo", None, id="a name"),
        pytest.param("./with:colon", None, id="a path with a colon"),
        pytest.param("file:///srv/git/repo.git", None, id="a path as an address"),
        pytest.param("FILE:///srv/git/repo.git", None, id="... in capitals"),
        pytest.param("ext::sh -c harm", None, id="a program"),
        pytest.param("https://example.org/a\x1b[31mb", None, id="control characters"),
        pytest.param("https://example.org/a b", None, id="a blank"),
        pytest.param(os.fsdecode(b"https://example.org/\xff"), None, id="a byte that is no text"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_only_an_address_for_others_is_kept_and_without_secrets(
    git: Git, work: Path, url: str, expected: str | None
) -> None:
    git("config", "remote.origin.url", url)

    assert state(work).remote == expected


def test_the_remote_of_the_branch_comes_first_then_origin_then_any(git: Git, work: Path) -> None:
    git("remote", "add", "fork", "https://example.org/fork")
    assert state(work).remote == "https://example.org/fork"

    git("remote", "add", "origin", "https://example.org/origin")
    assert state(work).remote == "https://example.org/origin"

    git("remote", "add", "upstream", "https://example.org/upstream")
    git("config", "branch.main.remote", "upstream")
    assert state(work).remote == "https://example.org/upstream"


def test_of_two_addresses_the_first_counts(git: Git, work: Path) -> None:
    git("remote", "add", "origin", ADDRESS)
    git("remote", "set-url", "--add", "origin", "https://example.org/mirror")

    assert state(work).remote == ADDRESS


def test_the_abbreviations_of_the_user_are_written_out(git: Git, work: Path) -> None:
    git("config", "--global", f"url.https://oauth2:{TOKEN}@github.com/.insteadOf", "gh:")
    git("remote", "add", "origin", "gh:org/repo.git")

    assert state(work).remote == ADDRESS


def test_a_token_in_the_name_of_a_branch_goes(git: Git, work: Path) -> None:
    git("checkout", "-qb", f"try-{TOKEN}")

    assert state(work).branch == "try-REDACTED"


# Where there is nothing to tell ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("git")
def test_a_folder_without_a_repository_has_none(tmp_path: Path) -> None:
    assert repository(tmp_path) is None
    assert repository(tmp_path / "gone") is None
    assert source(tmp_path) == {}


def test_a_repository_without_files_is_none(git: Git, tmp_path: Path) -> None:
    git("init", "-q", "--bare")

    assert repository(tmp_path / "work") is None


def test_without_git_there_is_no_repository(work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert repository(work) is None
    assert not has_commit(work, "abcdef0")


def test_a_repository_of_somebody_else_is_none(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variables = _Git._environment

    def as_somebody_else(git: _Git) -> dict[str, str]:
        """Return the variables with one by which git's own tests make it believe so."""
        return variables(git) | {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}

    monkeypatch.setattr(_Git, "_environment", as_somebody_else)

    assert repository(work) is None


def test_a_damaged_repository_is_none(work: Path) -> None:
    (work / ".git" / "HEAD").write_bytes(b"\xff\x00")

    assert repository(work) is None


def test_a_damaged_index_is_none(work: Path) -> None:
    (work / ".git" / "index").write_bytes(b"DIRCgarbage")

    assert repository(work) is None


# Hostile repositories -------------------------------------------------------------------------------------------------


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """Return a program that leaves a file 'harm' when it is run."""
    path = tmp_path / "trap"
    path.write_text(f"#!/bin/sh\ntouch '{tmp_path}/harm'\ncat\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def spring(folder: Path) -> None:
    """Change a file but not its length, so that git has to look into it."""
    (folder / "search.py").write_text("print(2)\n", encoding="utf-8")
    os.utime(folder / "search.py", (1, 1))


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"core.fsmonitor": "{}"}, id="a monitor"),
        pytest.param({"filter.x.clean": "{}"}, id="a filter"),
        pytest.param({"filter.x.process": "{}"}, id="a filter that stays"),
        pytest.param({"filter.x.clean": "{}", "filter.x.required": "true"}, id="a filter that must succeed"),
        pytest.param({"filter.x=y.z.clean": "{}"}, id="a filter with a strange name"),
        pytest.param({"core.pager": "{}", "pager.status": "true"}, id="a pager"),
        pytest.param({"alias.status": "!{}", "alias.rev-parse": "!{}"}, id="another name"),
        pytest.param({"core.sshCommand": "{}", "core.editor": "{}", "credential.helper": "!{}"}, id="others"),
    ],
)
def test_no_program_of_the_repository_is_run(
    git: Git, work: Path, trap: Path, tmp_path: Path, settings: dict[str, str]
) -> None:
    name = "x=y.z" if "filter.x=y.z.clean" in settings else "x"
    (work / ".git" / "info" / "attributes").write_text(f"*.py filter={name}\n", encoding="utf-8")
    for key, value in settings.items():
        git("config", key, value.format(trap))
    spring(work)

    found = state(work)
    source(work)

    assert found.uncommitted
    assert not (tmp_path / "harm").exists()


def test_no_filter_is_run_whose_name_is_no_text(work: Path, trap: Path, tmp_path: Path) -> None:
    (work / ".git" / "info" / "attributes").write_bytes(b"*.py filter=x\xff\n")
    with (work / ".git" / "config").open("ab") as stream:
        stream.write(b'[filter "x\xff"]\n\tclean = %s\n' % bytes(trap))
    spring(work)

    assert state(work).uncommitted
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize("setting", ["core.fsmonitor", "filter.x.clean", "filter.x.process"])
def test_the_trap_would_snap(git: Git, work: Path, trap: Path, tmp_path: Path, setting: str) -> None:
    (work / ".git" / "info" / "attributes").write_text("*.py filter=x\n", encoding="utf-8")
    git("config", setting, str(trap))
    spring(work)

    with suppress(subprocess.CalledProcessError):
        git("status")

    assert (tmp_path / "harm").exists()


def test_no_hook_is_run(work: Path, trap: Path, tmp_path: Path) -> None:
    for name in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
        shutil.copy(trap, work / ".git" / "hooks" / name)
    spring(work)

    assert state(work).uncommitted
    assert not (tmp_path / "harm").exists()


def test_no_program_of_a_submodule_is_run(git: Git, work: Path, trap: Path, tmp_path: Path) -> None:
    shutil.copytree(work, tmp_path / "library")
    git("submodule", "--quiet", "add", str(tmp_path / "library"), "library")
    git("commit", "-qm", "library")
    modules = work / ".git" / "modules" / "library"
    (modules / "info").mkdir(exist_ok=True)
    (modules / "info" / "attributes").write_text("*.py filter=x\n", encoding="utf-8")
    git("config", "filter.x.clean", str(trap), folder=work / "library")
    git("config", "core.fsmonitor", str(trap), folder=work / "library")
    spring(work / "library")

    assert state(work).uncommitted
    assert not (tmp_path / "harm").exists()


def test_a_filter_of_the_user_is_used(git: Git, work: Path) -> None:
    (work / ".git" / "info" / "attributes").write_text("*.py filter=strip\n", encoding="utf-8")
    git("config", "--global", "filter.strip.clean", "sed s/2/1/")
    spring(work)

    assert not state(work).uncommitted


def test_nothing_is_written(work: Path) -> None:
    os.utime(work / "search.py", (1, 1))
    before = {path: path.stat().st_mtime_ns for path in [work, *work.rglob("*")]}

    source(work)

    assert {path: path.stat().st_mtime_ns for path in [work, *work.rglob("*")]} == before


@pytest.mark.parametrize(
    "variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"]
)
def test_variables_do_not_lead_to_another_repository(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    expected = repository(work)

    monkeypatch.setenv(variable, str(tmp_path / "elsewhere"))

    assert expected is not None
    assert repository(work) == expected


def test_nothing_is_fetched(git: Git, published: Path, trap: Path, tmp_path: Path) -> None:
    # A repository may leave out objects and promise to fetch them, by a program it names.
    git("config", "extensions.partialClone", "origin")
    git("config", "remote.origin.promisor", "true")
    git("config", "remote.origin.url", "ssh://example.org/repo")
    git("config", "core.sshCommand", str(trap))
    tree = git("rev-parse", "HEAD^{tree}")
    (published / ".git" / "objects" / tree[:2] / tree[2:]).unlink()

    repository(published)
    has_commit(published, "0123456789" * 4)

    assert not (tmp_path / "harm").exists()


# Commits -------------------------------------------------------------------------------------------------------------


def test_a_commit_is_known_whole_and_shortened(git: Git, work: Path) -> None:
    commit = git("rev-parse", "HEAD")

    assert has_commit(work, commit)
    assert has_commit(work, commit[:7])
    assert has_commit(work, commit.upper())


@pytest.mark.parametrize("commit", ["0123456789" * 4, "HEAD", "main", "--help", "", "-e", "abc", "a" * 65, "HEAD\0"])
def test_what_is_no_commit_is_not_known(work: Path, commit: str) -> None:
    assert not has_commit(work, commit)


def test_the_hash_of_something_else_is_no_commit(git: Git, work: Path) -> None:
    assert not has_commit(work, git("rev-parse", "HEAD^{tree}"))


def test_no_commit_is_known_outside_of_a_repository(git: Git, work: Path, tmp_path: Path) -> None:
    assert not has_commit(tmp_path, git("rev-parse", "HEAD"))
    assert not has_commit(work / "gone", git("rev-parse", "HEAD"))


# As the schema has it ------------------------------------------------------------------------------------------------


def test_the_source_has_the_keys_of_the_schema(git: Git, published: Path) -> None:
    (published / "run.sh").write_text("python search.py\nexit\n", encoding="utf-8")
    (published / "untracked.go").write_text("x\n" * 99, encoding="utf-8")
    git("add", "run.sh")

    assert source(published) == {
        "lang": ["Shell", "Python"],
        "repository": ADDRESS,
        "commit": git("rev-parse", "HEAD"),
        "tree": git("rev-parse", "HEAD^{tree}"),
        "branch": "main",
        "uncommitted changes": True,
        "unpushed changes": False,
        "unchecked files": True,
    }


def test_what_is_not_known_of_the_source_is_left_out(git: Git, tmp_path: Path) -> None:
    git("init", "-q")
    git("symbolic-ref", "HEAD", "refs/heads/trial")

    assert source(tmp_path / "work") == {
        "branch": "trial",
        "uncommitted changes": False,
        "unchecked files": False,
    }
