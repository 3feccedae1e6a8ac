"""Does a recording become a bundle that runs elsewhere, says what it cannot tell, and holds no secret?"""

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primad.errors import FileError, UsageError
from primad.metadata.record import Record
from primad.metadata.recording.of_command import record_command
from primad.replay.committed import listed
from primad.replay.manifest import MANIFEST, Expected, Prerequisite, manifest_in
from primad.replay.packing import Packed, pack
from primad.replay.unpacking import unpack

SEARCH = """\
import sys
topic = open(sys.argv[1]).read().split()[0]
open(sys.argv[2], "w").write(f"{topic} Q0 d1 1 9.5 bm25\\n")
"""
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2"

Git = Callable[..., str]
Tree = dict[str, Any]


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Return git as a function in the folder 'work', which is the working folder, with no settings but ours."""
    settings = tmp_path / "gitconfig"
    settings.write_text("[user]\nname = Ada\nemail = ada@example.org\n[init]\ndefaultBranch = main\n")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    program = shutil.which("git")
    assert program is not None
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)

    def run(*arguments: str, given: str | None = None) -> str:
        done = subprocess.run([program, *arguments], cwd=work, input=given, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    run("init", "-q")
    return run


@pytest.fixture
def commit(git: Git, tmp_path: Path) -> str:
    """Return the only commit of the repository 'work', which has a script and a README."""
    return committed(git, tmp_path / "work", {"search.py": SEARCH, "README.md": "How to"})


def committed(git: Git, work: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)
    git("add", "-A")
    git("commit", "-qm", "x")
    return git("rev-parse", "HEAD")


def recorded(command: str, commit: str = "", **more: Any) -> Path:
    """Write the record of COMMAND, and return its file; MORE has further fields by path, '__' between the parts."""
    source: Tree = {"source": {"commit": commit, "lang": ["Python"]}} if commit else {}
    tree: Tree = {
        "platform": {"operating system": {"kernel": "Linux 6.1"}, "software": {"runtime": ["python==3.11.7"]}},
        "implementation": {"executable": {"cmd": command, "program": "search.py"}, **source},
        "resources": {"runtime": {"wallclock": "90000 ms"}, "exit status": 0, "ram": {"peak": "52.4 MB"}},
    }
    for path, value in more.items():
        inner, *steps = tree, *path.split("__")
        for step in steps[:-1]:
            inner = inner.setdefault(step.replace("_", " "), {})
        inner[steps[-1].replace("_", " ")] = value
    file = Path("record.yml")
    file.write_text(Record(tree).to_yaml())
    return file


def traced(**files: list[str]) -> dict[str, Any]:
    return {f"data__{kind}": [{"path": path} for path in paths] for kind, paths in files.items()}


def run_of(packed: Packed) -> tuple[str, ...]:
    return packed.manifest.configurations["default"].run


def contents(packed: Packed, folder: Path) -> dict[str, str]:
    unpack(packed.path, folder)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


# The whole of it -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("commit")
def test_a_recorded_command_runs_elsewhere_and_gives_the_same(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "topics.txt").write_text("301 black bear\n")
    done = record_command([sys.executable, "search.py", str(data / "topics.txt"), "bm25.run"], runs=["bm25.run"])
    assert (done.execution.status, done.annotated) == (0, (Path("bm25.run"),))

    packed = pack(Path("bm25.run"), tmp_path / "bundle.tar.gz")

    system, output, elsewhere = tmp_path / "system", tmp_path / "output", tmp_path / "elsewhere"
    unpack(packed.path, system)
    data.rename(elsewhere)
    output.mkdir()
    (system / ".venv/bin").mkdir(parents=True)
    (system / ".venv/bin/python3").symlink_to(sys.executable)  # in place of the installation, which needs a network
    for command in manifest_in(system).configurations["default"].run:
        variables = {"PATH": "/usr/bin:/bin", "inputDataset": str(elsewhere), "outputDir": str(output)}
        subprocess.run(["/bin/sh", "-c", command], cwd=system, env=variables, check=True)
    assert {path.name: path.read_text() for path in output.iterdir()} == {"bm25.run": "301 Q0 d1 1 9.5 bm25\n"}
    assert (packed.manifest.name, packed.manifest.output) == ("bm25", ("bm25.run",))
    assert [sentence for sentence in packed.untold if not sentence.startswith("which libraries of req")] == []


def test_the_manifest_says_what_was_recorded(commit: str, tmp_path: Path) -> None:
    (tmp_path / "topics.txt").write_text("301")
    libraries = {"platform__software__libraries": {"python": ["numpy==2.4.1", "pip==23.2", "Bm25s==0.3"]}}
    record = recorded(
        f"/opt/env/bin/python search.py {tmp_path}/topics.txt out.run", commit, **libraries, tag="My BM25"
    )

    packed = pack(record)

    manifest = packed.manifest
    assert packed.path == Path("my-bm25.tar.gz")
    assert (manifest.name, manifest.version, manifest.language) == ("my-bm25", commit[:12], "Python")
    assert manifest.operating_system == "Linux 6.1"
    assert manifest.prerequisites == (Prerequisite("python", "3.11", note="recorded with 3.11.7"),)
    assert manifest.expected == Expected(minutes=1.5, memory=52_400_000)
    assert manifest.install == ("python3 -m venv .venv", ".venv/bin/python -m pip install -r requirements.txt")
    files = contents(packed, tmp_path / "system")
    assert files["requirements.txt"] == "Bm25s==0.3\nnumpy==2.4.1\n"
    assert files["search.py"] == SEARCH
    assert manifest_in(tmp_path / "system") == manifest


def test_what_analysts_will_miss_is_told(commit: str) -> None:
    packed = pack(recorded("python search.py in out", commit))

    assert [one.what for one in packed.missing][:2] == [
        "no progress messages are described",
        "no sample of the output is there",
    ]
    assert "there is no README" not in [one.what for one in packed.missing]


def test_the_same_recording_gives_the_same_bytes_without_times_and_owners(commit: str, tmp_path: Path) -> None:
    record = recorded("python search.py in out", commit)
    first = pack(record, tmp_path / "a.tar.gz").path.read_bytes()
    os.utime("search.py", (1, 1))

    second = pack(record, tmp_path / "b.tgz").path.read_bytes()

    assert first == second
    with tarfile.open(tmp_path / "a.tar.gz") as archive:
        headers = [(one.name, one.mtime, one.uid, one.gid, one.uname, one.mode) for one in archive]
    assert headers == [
        (f"search/{name}", 0, 0, 0, "", 0o644) for name in ("README.md", "primad-system.yaml", "search.py")
    ]


# The command ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "files", "expected"),
    [
        pytest.param(
            "python search.py /data/topics.txt runs/bm25.run",
            traced(inputs=["/data/topics.txt", "search.py"], outputs=["runs/bm25.run"]),
            'python3 search.py "$inputDataset"/topics.txt "$outputDir"/bm25.run',
            id="files",
        ),
        pytest.param(
            "python search.py --topics=/data/a/topics.txt --docs /data/docs --output=runs",
            traced(inputs=["/data/a/topics.txt", "/data/docs/1.txt"], outputs=["runs/a.run", "runs/b.run"]),
            'python3 search.py --topics="$inputDataset"/a/topics.txt --docs "$inputDataset"/docs --output="$outputDir"',
            id="folders and options",
        ),
        pytest.param(
            "python search.py '/data/my topics.txt' 'a b; reboot'",
            traced(inputs=["/data/my topics.txt"], outputs=["out.run"]),
            (
                'cp -R . "${TMPDIR:-/tmp}"/system && cd "${TMPDIR:-/tmp}"/system && '
                "python3 search.py \"$inputDataset\"/'my topics.txt' 'a b; reboot' && "
                'cp -- out.run "$outputDir"/'
            ),
            id="blanks, and an output that is not named",
        ),
        pytest.param(
            "/usr/bin/python3.11 search.py README.md -o /scratch/ada/x.run",
            traced(inputs=["README.md"]),
            'python3 search.py README.md -o "$outputDir"/x.run',
            id="an output that only its option tells",
        ),
    ],
)
def test_places_of_the_machine_become_variables(
    command: str, files: dict[str, Any], expected: str, commit: str
) -> None:
    assert run_of(pack(recorded(command, commit, **files))) == (expected,)


def test_a_command_that_ran_in_a_folder_runs_there(git: Git, tmp_path: Path) -> None:
    commit = committed(git, tmp_path / "work", {"my code/search.py": SEARCH, "config.yaml": "k: 1\n"})
    files = traced(inputs=["../config.yaml", "/data/t.txt"], outputs=["out.run"])
    record = recorded(
        "python search.py ../config.yaml /data/t.txt out.run",
        commit,
        **files,
        implementation__executable__folder="my code",
    )

    assert run_of(pack(record)) == (
        'cd \'my code\' && python3 search.py ../config.yaml "$inputDataset"/t.txt "$outputDir"/out.run',
    )


def test_a_command_that_names_no_output_runs_in_a_copy_and_leaves_the_system_as_it_is(git: Git, tmp_path: Path) -> None:
    writes = "open('out.run', 'w').write(open('../topics.txt').read())"
    commit = committed(git, tmp_path / "work", {"my code/search.py": writes, "topics.txt": "301"})
    files = traced(inputs=["../topics.txt"], outputs=["out.run"])
    packed = pack(recorded("python search.py", commit, **files, implementation__executable__folder="my code"))
    system, output, scratch = (tmp_path / name for name in ("system", "output", "a scratch"))
    before = contents(packed, system)
    output.mkdir()
    scratch.mkdir()

    (command,) = run_of(packed)
    variables = {"PATH": os.environ["PATH"], "outputDir": str(output), "TMPDIR": str(scratch)}
    subprocess.run(["/bin/sh", "-c", command], cwd=system, env=variables, check=True)

    assert {path.name: path.read_text() for path in output.iterdir()} == {"out.run": "301"}
    assert {path.relative_to(system).as_posix() for path in system.rglob("*") if path.is_file()} == set(before)


def test_a_path_of_the_code_is_named_from_the_bundle(commit: str, tmp_path: Path) -> None:
    record = recorded(f"python {tmp_path}/work/search.py", commit)

    assert run_of(pack(record)) == ("python3 search.py",)


def test_what_was_not_traced_is_told_by_what_is_there(commit: str, tmp_path: Path) -> None:
    (tmp_path / "topics.txt").write_text("301")

    packed = pack(recorded("python search.py ../topics.txt --output bm25.run", commit))

    assert run_of(packed) == ('python3 search.py "$inputDataset"/topics.txt --output "$outputDir"/bm25.run',)
    assert packed.untold == ()


@pytest.mark.parametrize(
    ("command", "more", "sentence"),
    [
        pytest.param("python search.py a b", {}, "which words are the data set; put $inputDataset there", id="input"),
        pytest.param("python search.py a b", {}, "which words are the output; put $outputDir there", id="output"),
        pytest.param(
            "python search.py --model /home/ada/m.bin", {}, "what /home/ada/m.bin is on another machine", id="path"
        ),
        pytest.param(
            "/opt/tool/search search.py",
            {},
            "where /opt/tool/search is on another machine; it is looked for by its name alone",
            id="program",
        ),
        pytest.param(
            "python search.py --api-key abc123",
            {},
            "a secret that was taken out of the command; let the system ask for it, or do without",
            id="secret",
        ),
        pytest.param(
            "sh -c 'search.py < in > out'",
            {},
            "which words of the text for the shell are files; put $inputDataset and $outputDir there",
            id="shell",
        ),
        pytest.param(
            "python search.py",
            traced(inputs=["/data/a", "/data/b"]),
            "how the command finds /data/a, /data/b, which it read and does not name",
            id="hidden input",
        ),
        pytest.param(
            "python search.py /data/a /other/b",
            traced(inputs=["/data/a", "/other/b"]),
            "how the files of the data set lie in one folder; they were in several",
            id="inputs here and there",
        ),
        pytest.param(
            "python search.py README.md",
            traced(inputs=["README.md"]),
            'whether README.md belongs to the data set; then its place is "$inputDataset", not the bundle',
            id="an input that is part of the code",
        ),
        pytest.param(
            "python search.py",
            {"resources__exit_status": 3},
            "whether the system works: the recorded command ended with status 3",
            id="failure",
        ),
        pytest.param(
            "python search.py",
            {"implementation__executable__sha256": "0" * 64},
            "why search.py is another file than the one that was run",
            id="other code",
        ),
        pytest.param(
            "python search.py",
            {"platform__software__libraries": {"python": ["numpy==2.4.1"]}},
            "which libraries of requirements.txt the system needs; it lists all that were there (1)",
            id="libraries",
        ),
    ],
)
def test_what_the_recording_does_not_tell_is_said(
    command: str, more: dict[str, Any], sentence: str, commit: str
) -> None:
    assert sentence in pack(recorded(command, commit, **more)).untold


def test_a_secret_in_the_command_is_not_packed(commit: str, tmp_path: Path) -> None:
    packed = pack(recorded(f"python search.py --api-key abc123 --auth {TOKEN}", commit, actor__mail=TOKEN))

    everything = "".join(contents(packed, tmp_path / "system").values())
    assert "abc123" not in everything
    assert TOKEN not in everything


# The code ------------------------------------------------------------------------------------------------------------


def test_the_code_is_that_of_the_recorded_commit_whatever_lies_there_now(git: Git, commit: str, tmp_path: Path) -> None:
    committed(git, tmp_path / "work", {"search.py": "changed", "later.py": ""})
    Path("README.md").write_text("changed, and in no commit")

    packed = pack(recorded("python search.py", commit))

    files = contents(packed, tmp_path / "system")
    assert (packed.source, files["search.py"], files["README.md"]) == (f"commit {commit[:12]}", SEARCH, "How to")
    assert packed.files == ("README.md", MANIFEST, "search.py")


def test_no_program_of_the_repository_is_run(git: Git, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    files = {"search.py": SEARCH, ".gitattributes": "*.py filter=evil export-ignore\n"}
    commit = committed(git, tmp_path / "work", files)
    git("config", "filter.evil.smudge", f"touch {mark}; cat")
    git("config", "core.fsmonitor", f"touch {mark}")

    packed = pack(recorded("python search.py", commit))

    assert contents(packed, tmp_path / "system")["search.py"] == SEARCH
    assert not mark.exists()


def test_changes_that_are_in_no_commit_leave_only_the_files_that_are_named(commit: str, tmp_path: Path) -> None:
    Path("search.py").write_text("# changed\n")
    Path("helper.py").write_text("# new\n")
    Path("topics.txt").write_text("301\n")
    record = recorded(
        "python search.py topics.txt",
        commit,
        **traced(inputs=["helper.py", "topics.txt"]),
        implementation__source__uncommitted_changes=True,
    )

    packed = pack(record, include=[Path("README.md")])

    assert packed.files == ("README.md", "helper.py", MANIFEST, "search.py")
    assert contents(packed, tmp_path / "system")["search.py"] == "# changed\n"
    assert packed.source == "files that the recording names"
    assert (
        "which files are the code, for the code had changes in no commit; add what is missing with --include"
        in packed.untold
    )
    assert run_of(packed) == ('python3 search.py "$inputDataset"/topics.txt',)


def test_without_a_repository_the_files_that_are_named_are_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("search.py").write_text(SEARCH)
    Path("search.py").chmod(0o755)

    packed = pack(recorded("./search.py"))

    unpack(packed.path, tmp_path / "system")
    assert packed.files == (MANIFEST, "search.py")
    assert (tmp_path / "system" / "search.py").stat().st_mode & 0o777 == 0o755
    assert packed.untold[0].startswith("which files are the code, for the recording names no commit")


def test_files_elsewhere_that_a_record_names_are_not_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "private.py").write_text("secret")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    Path("search.py").write_text(SEARCH)
    Path("link.py").symlink_to(tmp_path / "private.py")
    names = ["../private.py", str(tmp_path / "private.py"), "link.py", "/etc/passwd"]

    packed = pack(recorded("python search.py", **traced(inputs=names)))

    assert packed.files == (MANIFEST, "search.py")
    assert packed.left_out == ()


def test_links_in_a_folder_are_not_followed_out_of_it(commit: str, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "a").write_text("secret")
    Path("models").mkdir()
    Path("models/file").symlink_to(tmp_path / "private" / "a")
    Path("models/folder").symlink_to(tmp_path / "private")
    Path("models/b").write_text("x")

    packed = pack(recorded("python search.py", commit), include=[Path("models")])

    assert packed.files == ("README.md", "models/b", MANIFEST, "search.py")
    assert packed.left_out == (
        "models/folder is left out, for it is a link",
        "models/file is left out, for it is a link",
    )


def test_a_record_that_ran_outside_of_its_repository_packs_the_repository_alone(commit: str) -> None:
    packed = pack(recorded("python search.py", commit, implementation__executable__folder="../.."))

    assert packed.files == ("README.md", MANIFEST, "search.py")
    assert run_of(packed) == ("python3 search.py",)


def test_a_manifest_of_the_authors_is_kept(git: Git, tmp_path: Path) -> None:
    own = 'name: mine\ncontact: ada@example.org\nrun: ./go "$inputDataset" "$outputDir"\n'
    commit = committed(git, tmp_path / "work", {"search.py": SEARCH, MANIFEST: own})

    packed = pack(recorded("python search.py", commit))

    assert (packed.path, packed.manifest.contact) == (Path("mine.tar.gz"), "ada@example.org")
    assert contents(packed, tmp_path / "system")[MANIFEST] == own


def test_a_list_of_libraries_of_the_authors_is_kept(git: Git, tmp_path: Path) -> None:
    commit = committed(git, tmp_path / "work", {"search.py": SEARCH, "requirements.txt": "numpy\n"})

    packed = pack(recorded("python search.py", commit, platform__software__libraries={"python": ["numpy==2.4.1"]}))

    files = contents(packed, tmp_path / "system")
    assert (files["requirements.txt"], files["requirements-recorded.txt"]) == ("numpy\n", "numpy==2.4.1\n")
    assert packed.manifest.install[1] == ".venv/bin/python -m pip install -r requirements-recorded.txt"


# What is left out ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [".env.production", "prod.env", "keys/id_rsa.old", ".git-credentials.txt", ".ssh/config"],
)
def test_files_that_hold_secrets_by_their_names_are_left_out(name: str, git: Git, tmp_path: Path) -> None:
    commit = committed(git, tmp_path / "work", {"search.py": SEARCH, name: "a"})

    packed = pack(recorded("python search.py", commit))

    assert packed.files == (MANIFEST, "search.py")
    assert packed.left_out == (f"{name} is left out, for files of that name hold secrets",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(f"token = '{TOKEN}'\n", "something in it looks like an access token", id="token"),
        pytest.param("-----BEGIN RSA PRIVATE KEY-----\nabc\n", "there is a private key in it", id="key"),
        pytest.param(
            "https://me:s3cret@example.org/",
            "an address in it has a password or a key; if that is an example, name the file with --include",
            id="address",
        ),
    ],
)
def test_files_with_secrets_in_them_are_left_out(text: str, reason: str, git: Git, tmp_path: Path) -> None:
    commit = committed(git, tmp_path / "work", {"search.py": SEARCH, "settings.py": text})

    packed = pack(recorded("python search.py", commit))

    assert packed.left_out == (f"settings.py is left out, for {reason}",)
    assert TOKEN not in "".join(contents(packed, tmp_path / "system").values())


def test_a_file_with_the_example_of_a_password_is_packed_if_it_is_named_and_that_is_told(
    git: Git, tmp_path: Path
) -> None:
    files = {"search.py": SEARCH, "docs/guide.md": "https://user:password@example.com\n", "docs/a.txt": "a"}
    record = recorded("python search.py", committed(git, tmp_path / "work", files))
    sentence = (
        "docs/guide.md is left out, for an address in it has a password or a key; "
        "if that is an example, name the file with --include"
    )

    alone = pack(record)
    by_its_folder = pack(record, include=[Path("docs")])
    named = pack(record, include=[Path("docs/guide.md")])

    assert (alone.left_out, by_its_folder.left_out, named.left_out) == ((sentence,), (sentence,), ())
    assert named.files == ("docs/a.txt", "docs/guide.md", MANIFEST, "search.py")
    assert alone.files == by_its_folder.files == ("docs/a.txt", MANIFEST, "search.py")
    assert (
        "whether the password in docs/guide.md is only an example; the file is packed, for it was named with --include"
        in named.untold
    )


@pytest.mark.parametrize(("name", "text"), [("key.txt", f"{TOKEN}"), (".netrc", "machine a"), ("a.pem", "x")])
def test_naming_a_file_that_is_certainly_secret_does_not_pack_it(name: str, text: str, commit: str) -> None:
    Path(name).write_text(text)

    packed = pack(recorded("python search.py", commit), include=[Path(name)])

    assert name not in packed.files
    assert [sentence.partition(" is left out, for ")[0] for sentence in packed.left_out] == [name]


@pytest.mark.parametrize("name", [".env.example", "tokenizer.py"])
def test_files_that_only_sound_like_secrets_are_packed(name: str, git: Git, tmp_path: Path) -> None:
    text = "max_tokens = 512\npassword = input()\nsha = '0123456789abcdef0123456789abcdef'\n"
    commit = committed(git, tmp_path / "work", {"search.py": SEARCH, name: text})

    assert name in pack(recorded("python search.py", commit)).files


def test_links_and_files_that_git_keeps_elsewhere_are_left_out(git: Git, tmp_path: Path) -> None:
    Path("link").symlink_to("/etc/passwd")
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    commit = committed(git, tmp_path / "work", {"search.py": SEARCH, "model.bin": pointer})

    assert pack(recorded("python search.py", commit)).left_out == (
        "link is left out, for it is a link",
        "model.bin is left out, for git keeps it elsewhere (LFS); name it with --include",
    )


@pytest.mark.parametrize("name", ["a\\b", "a\nb"])
def test_a_name_that_no_bundle_may_have_is_left_out(name: str, git: Git, tmp_path: Path) -> None:
    commit = committed(git, tmp_path / "work", {"search.py": SEARCH, name: "x"})

    packed = pack(recorded("python search.py", commit))

    assert packed.left_out == (f"{name} is left out, for its name cannot be that of a file everywhere",)
    assert unpack(packed.path, tmp_path / "system").files == (MANIFEST, "search.py")


def test_of_two_names_that_are_one_on_some_systems_the_first_is_packed(git: Git, tmp_path: Path) -> None:
    commit = committed(git, tmp_path / "work", {"search.py": SEARCH, "Lib/a": "1", "lib/b": "2"})

    packed = pack(recorded("python search.py", commit))

    assert packed.left_out == ("lib/b is left out, for Lib has the same name on some systems",)
    assert unpack(packed.path, tmp_path / "system").files == ("Lib/a", MANIFEST, "search.py")


def test_a_file_that_git_keeps_elsewhere_is_packed_if_it_is_named(git: Git, tmp_path: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    commit = committed(git, tmp_path / "work", {"search.py": SEARCH, "model.bin": pointer})
    Path("model.bin").write_text("x")

    packed = pack(recorded("python search.py", commit), include=[Path("model.bin")])

    assert ("model.bin" in packed.files, packed.left_out) == (True, ())


def test_a_folder_is_included_without_what_can_be_made_again(commit: str) -> None:
    for name in ("models/a.bin", "models/__pycache__/b.pyc", "models/.env", "models/deep/c"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("x")

    packed = pack(recorded("python search.py", commit), include=[Path("models")])

    assert packed.files == ("README.md", "models/a.bin", "models/deep/c", MANIFEST, "search.py")
    assert packed.left_out == ("models/.env is left out, for files of that name hold secrets",)


def test_what_lies_outside_of_the_code_is_not_included(commit: str, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("x")

    packed = pack(recorded("python search.py", commit), include=[tmp_path / "other"])

    assert packed.left_out == (f"{tmp_path}/other is left out, for it lies outside of {tmp_path}/work",)


# Refusals ------------------------------------------------------------------------------------------------------------


def test_a_record_without_command_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("actor: {name: Ada}\n")

    with pytest.raises(FileError, match="does not tell which command was run; record it with: primad exec"):
        pack(tmp_path / "a.yml")


@pytest.mark.usefixtures("git")
def test_a_command_of_which_no_code_is_found_is_refused() -> None:
    with pytest.raises(FileError, match="no code was found, for the recording names no commit; name it with --include"):
        pack(recorded("python gone.py"))
    assert sorted(path.name for path in Path.cwd().iterdir()) == [".git", "record.yml"]


def test_a_file_to_include_that_is_not_there_is_refused(commit: str) -> None:
    with pytest.raises(FileError, match="gone: no such file"):
        pack(recorded("python search.py", commit), include=[Path("gone")])


def test_a_bundle_under_a_name_of_another_kind_is_refused(commit: str) -> None:
    with pytest.raises(UsageError, match=r"a name that ends in \.tar\.gz or \.tgz, found 'a\.zip'"):
        pack(recorded("python search.py", commit), Path("a.zip"))


def test_a_place_without_code_is_refused(commit: str) -> None:
    with pytest.raises(UsageError, match="expected a folder with the code, found 'gone'"):
        pack(recorded("python search.py", commit), folder=Path("gone"))


def test_a_commit_with_too_many_files_is_not_packed(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = committed(git, tmp_path / "work", {f"{number}.py": "" for number in range(3)})
    monkeypatch.setattr("primad.replay.committed.MOST_FILES", 2)

    with pytest.raises(FileError, match=rf"^commit {commit[:12]}: has more than 2 files and folders; commit fewer$"):
        pack(recorded("python 0.py", commit))


def test_a_few_objects_that_stand_for_very_many_empty_folders_are_not_packed(
    git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("primad.replay.committed.MOST_FILES", 1000)
    tree = git("mktree", given="")
    for _ in range(8):  # a hundred million folders
        tree = git("mktree", given="\n".join(f"040000 tree {tree}\t{number}" for number in range(10)))
    commit = git("commit-tree", "-m", "much", tree)

    with pytest.raises(FileError, match=r"has more than 1,000 files and folders"):
        pack(recorded("python search.py", commit))


def test_a_commit_that_git_takes_too_long_to_list_is_not_packed(commit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primad.replay.committed.PATIENCE", 0)

    with pytest.raises(FileError, match=rf"git cannot list the files of the commit {commit} \(it took more than 0 s\)"):
        pack(recorded("python search.py", commit))


def test_why_git_cannot_list_a_commit_is_told_in_the_error_and_nowhere_else(
    git: Git, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit = committed(git, tmp_path / "work", {"deep/search.py": SEARCH})
    lost = git("rev-parse", "HEAD:deep")
    (tmp_path / "work" / ".git" / "objects" / lost[:2] / lost[2:]).unlink()

    with pytest.raises(FileError, match=rf"git cannot list the files of the commit {commit} \(.*{lost}.*\); fetch it"):
        pack(recorded("python search.py", commit))
    assert capfd.readouterr() == ("", "")


def test_without_git_a_commit_cannot_be_packed_and_the_error_says_so(
    commit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(FileError, match=r"^git: it cannot be run: No such file or directory; install git"):
        list(listed(tmp_path / "work", commit))


@pytest.mark.parametrize(
    ("left", "reason"),
    [
        pytest.param(None, "", id="gone"),
        pytest.param(20, r" \(.*fatal: .*\)", id="cut off"),
    ],
)
def test_a_file_that_git_has_lost_is_named(
    left: int | None, reason: str, git: Git, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit = committed(git, tmp_path / "work", {"search.py": SEARCH, "z.py": "1"})
    lost = git("rev-parse", "HEAD:search.py")
    place = tmp_path / "work" / ".git" / "objects" / lost[:2] / lost[2:]
    content = place.read_bytes()
    place.unlink()
    if left:
        place.write_bytes(content[:left])

    with pytest.raises(FileError, match=rf": git does not have {lost}{reason}; fetch it first"):
        pack(recorded("python search.py", commit))
    assert capfd.readouterr() == ("", "")
