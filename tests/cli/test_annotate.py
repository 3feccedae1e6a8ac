"""Does `primad annotate` write the run it was asked for, where it was asked to, and say what there is to say?"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from primad.metadata.annotation import annotate
from primad.metadata.reading import read_record
from primad.trec.files import packing_of, read_bytes
from tests.cli.running import Outcome, primad
from tests.trec.archives import KINDS, Pack

RANKING = b"301 Q0 FT911-3 1 0.5 bm25\n302 Q0 FT911-4 1 0.25 bm25\n"
ANNOTATED = annotate(RANKING).data
TOKEN = "hf_" + "a1B2" * 9
ADDED = (
    "primad: what this machine, environment and repository say was added; if the run was not made here: --no-capture\n"
)
PRIMAD = str(Path(sys.executable).with_name("primad"))

each_kind = pytest.mark.parametrize("pack", [pytest.param(pack, id=kind) for kind, pack in KINDS.items()])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a run and a template."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.run").write_bytes(RANKING)
    (tmp_path / "me.yml").write_bytes(b"actor: {name: Ann, team: h2oloo, role: ENTER_VALUE_HERE}\n")
    return tmp_path


def bare(*arguments: object, stdin: bytes = b"") -> Outcome:
    """Run ``primad annotate ARGUMENTS`` without what this machine says."""
    return primad("annotate", *arguments, "--no-capture", stdin=stdin)


def names_here() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


# Where it goes -----------------------------------------------------------------------------------------------


def test_without_a_place_to_write_to_the_annotated_run_is_printed() -> None:
    assert bare("a.run") == Outcome(0, ANNOTATED.decode(), "")
    assert Path("a.run").read_bytes() == RANKING


def test_a_run_is_read_from_standard_input() -> None:
    assert bare("-", stdin=RANKING) == Outcome(0, ANNOTATED.decode(), "")


@each_kind
def test_a_packed_run_is_printed_unpacked(pack: Pack) -> None:
    assert bare("-", stdin=pack(RANKING)) == Outcome(0, ANNOTATED.decode(), "")


def test_bytes_that_are_no_text_are_printed_as_they_are() -> None:
    run = b"1 Q0 \xff\xfe 1 0.5 bm25\r\n"

    done = subprocess.run([PRIMAD, "annotate", "--no-capture", "-"], input=run, capture_output=True, check=True)

    assert done.stdout == annotate(run).data
    assert done.stdout.endswith(b"\n" + run)


@pytest.mark.parametrize("option", ["--in-place", "-i"])
def test_in_place_the_run_itself_is_annotated(option: str) -> None:
    assert bare("a.run", option) == Outcome(0, "", "")
    assert Path("a.run").read_bytes() == ANNOTATED
    assert names_here() == ["a.run", "me.yml"]


@pytest.mark.parametrize("option", ["--output", "-o"])
def test_with_an_output_another_file_is_written(option: str) -> None:
    assert bare("a.run", option, "b.run") == Outcome(0, "", "")
    assert Path("b.run").read_bytes() == ANNOTATED
    assert Path("a.run").read_bytes() == RANKING


@each_kind
@pytest.mark.parametrize("name", ["x.run", "x.run.gz"])
def test_in_place_a_run_stays_packed_as_it_was_whatever_its_name(pack: Pack, name: str) -> None:
    Path(name).write_bytes(pack(RANKING))
    packing = packing_of(name)

    outcome = bare(name, "--in-place")

    assert outcome == Outcome(0, "", "")
    assert (packing_of(name), read_bytes(name)) == (packing, ANNOTATED)


@pytest.mark.parametrize(
    ("name", "packing"), [("b", ""), ("b.gz", ".gz"), ("b.bz2", ".bz2"), ("b.xz", ".xz"), ("b.zst", ".zst")]
)
def test_an_output_is_packed_as_its_name_says(name: str, packing: str) -> None:
    assert bare("a.run", "--output", name).code == 0
    assert (packing_of(name), read_bytes(name)) == (packing, ANNOTATED)


def test_annotating_twice_gives_the_same_file() -> None:
    arguments = ("a.run", "-i", "--template", "me.yml", "--set", "method.retrieval[0].k1=0.9")
    bare(*arguments)
    once = Path("a.run").read_bytes()

    outcome = bare(*arguments)

    assert outcome == Outcome(0, "", "")
    assert Path("a.run").read_bytes() == once != RANKING


def test_a_metadata_file_of_its_own_is_annotated() -> None:
    outcome = bare("me.yml", "--set", "actor.role=experimenter")

    assert outcome.out == (
        "schema-version: '0.2'\nrun-version: '1.0'\n"
        "actor:\n  name: Ann\n  team: h2oloo\n  role: experimenter\n"
    )  # fmt: skip


def test_the_metadata_beside_a_run_is_taken_over_with_a_remark() -> None:
    Path("a.run.meta").write_bytes(b"actor: {team: IRC}\n")

    outcome = bare("a.run", "--in-place")

    assert outcome == Outcome(0, "", "primad: metadata of a.run.meta was taken over\n")
    assert read_record("a.run")["actor.team"] == "IRC"


def test_a_device_that_takes_no_more_is_explained() -> None:
    outcome = bare("a.run", "--output", "/dev/full")

    assert outcome == Outcome(1, "", "primad: /dev/full: cannot be written (No space left on device)\n")


def test_standard_output_that_takes_no_more_is_explained() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [PRIMAD, "annotate", "a.run", "--no-capture"], stdout=full, stderr=subprocess.PIPE, check=False
        )

    assert (done.returncode, done.stderr) == (1, b"primad: <stdout>: cannot be written (No space left on device)\n")


# What goes in ------------------------------------------------------------------------------------------------


def test_settings_win_over_the_template_and_the_template_over_the_header() -> None:
    Path("a.run").write_bytes(
        annotate(RANKING, values={"actor": {"name": "h", "team": "h", "role": "reproducer"}}).data
    )

    outcome = bare("a.run", "--template", "me.yml", "--set", "actor.name=Bob", "-i")

    assert outcome == Outcome(0, "", "")
    assert read_record("a.run")["actor"] == {"name": "Bob", "team": "h2oloo", "role": "reproducer"}


def test_any_number_of_fields_can_be_set() -> None:
    settings = [
        "method.retrieval[0].name=bm25",
        "method.retrieval[0].k1=0.9",
        "method.retrieval[1]={name: rm3, terms: 10}",
        "method.automatic=yes",
        "data.test_collection.name=Core17",
        "implementation.source.commit=0123",
        "actor.fields=[ir, nlp]",
        "actor.name=Ann: of Green Gables",
        "platform.hardware.ram=64GB",
    ]

    outcome = bare("a.run", "-i", *(part for setting in settings for part in ("--set", setting)))

    record = read_record("a.run")
    assert outcome == Outcome(0, "", "")
    assert record["method"] == {
        "retrieval": [{"name": "bm25", "k1": 0.9}, {"name": "rm3", "terms": 10}],
        "automatic": True,
    }
    assert record["data"] == {"test collection": {"name": "Core17"}}
    assert record["implementation.source.commit"] == "0123"
    assert record["actor"] == {"fields": ["ir", "nlp"], "name": "Ann: of Green Gables"}
    assert record["platform.hardware.ram"] == "64 GB"


def test_a_setting_of_bytes_that_are_no_text_is_written_as_text() -> None:
    done = subprocess.run(
        [PRIMAD, "annotate", "a.run", "--no-capture", "-i", "--set", b"actor.name=Andr\xe9"],
        capture_output=True,
        check=True,
    )

    assert (done.stdout, done.stderr) == (b"", b"")
    assert read_record("a.run")["actor.name"] == r"Andr\udce9"


def test_an_unknown_field_is_a_remark() -> None:
    outcome = bare("a.run", "-i", "--set", "actor.tem=IRC")

    assert outcome == Outcome(
        0, "", "primad: 'actor.tem' is no field of the schema and was added as it is; did you mean 'actor.team'?\n"
    )
    assert read_record("a.run")["actor.tem"] == "IRC"


def test_an_old_header_is_upgraded_and_what_moved_is_said() -> None:
    header = b"# ir_metadata.start\n# schema-version: 0.1\n# implementation:\n#   commit: 9548e6\n# ir_metadata.end\n"
    Path("a.run").write_bytes(header + RANKING)

    outcome = bare("a.run", "--upgrade", "-i")

    assert outcome == Outcome(0, "", "primad: moved: implementation.commit → implementation.source.commit\n")
    assert read_record("a.run")["schema-version"] == "0.2"


def test_a_secret_is_not_written_anywhere() -> None:
    Path("me.yml").write_text(f"data: {{other: [{{source: 'https://ann:{TOKEN}@x.org/d'}}]}}\n", encoding="utf-8")

    outcome = bare("a.run", "--template", "me.yml", "--set", f"implementation.executable.cmd=s.py --token {TOKEN}")

    assert TOKEN not in outcome.out + outcome.err
    assert "cmd: s.py --token REDACTED\n" in outcome.out
    assert sorted(outcome.err.splitlines()) == [
        "primad: a secret was taken out of data.other[0].source",
        "primad: a secret was taken out of implementation.executable.cmd",
    ]


def test_a_changed_ranking_is_refused_until_it_is_accepted() -> None:
    changed = ANNOTATED.replace(b"0.5", b"0.75")
    Path("a.run").write_bytes(changed)

    refused = bare("a.run", "-i")
    kept = Path("a.run").read_bytes()
    accepted = bare("a.run", "-i", "--accept-ranking")

    assert refused == Outcome(
        1,
        "",
        "primad: a.run: the ranking was changed after it was annotated, so its metadata may describe another run; "
        "if it still is right, accept the ranking with --accept-ranking\n",
    )
    assert kept == changed
    assert accepted == Outcome(0, "", "")
    new = hashlib.sha256(RANKING.replace(b"0.5", b"0.75")).hexdigest()
    assert read_record("a.run")["ranking.sha256"] == new


# What is captured --------------------------------------------------------------------------------------------


def git(*arguments: str, folder: Path) -> str:
    """Run git as somebody without any settings."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": os.devnull}
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main")
    command = [str(shutil.which("git")), *identity, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with a commit, whose remote address holds a password."""
    code = tmp_path / "code"
    code.mkdir()
    git("init", "-q", folder=code)
    (code / "search.py").write_text("print()\n", encoding="utf-8")
    git("add", ".", folder=code)
    git("commit", "-q", "-m", "search", folder=code)
    git("remote", "add", "origin", f"https://ann:{TOKEN}@example.org/team/code.git", folder=code)
    return code


def test_the_machine_and_the_repository_around_the_run_are_captured(repository: Path) -> None:
    run = repository / "a.run"
    run.write_bytes(RANKING)

    outcome = primad("annotate", run, "-i")

    record = read_record(run)
    assert outcome == Outcome(0, "", ADDED)
    assert record["implementation.source.commit"] == git("rev-parse", "HEAD", folder=repository).strip()
    assert record["implementation.source.repository"] == "https://example.org/team/code.git"
    assert record["platform.operating system.kernel"]
    assert TOKEN.encode() not in run.read_bytes()


def test_annotating_twice_with_what_is_captured_gives_the_same_file(repository: Path) -> None:
    run = repository / "a.run"
    run.write_bytes(RANKING)
    git("add", "a.run", folder=repository)
    git("commit", "-q", "-m", "run", folder=repository)
    primad("annotate", run, "-i")
    once = run.read_bytes()

    outcome = primad("annotate", run, "-i")

    assert outcome.code == 0
    assert run.read_bytes() == once
    assert outcome.err == (
        "primad: nothing captured was added to implementation: implementation.source.uncommitted changes "
        "is stated as False, here it is True\n"
    )


def test_the_repository_that_is_named_is_captured(repository: Path) -> None:
    outcome = primad("annotate", "a.run", "--repo", repository, "-i")

    assert outcome == Outcome(0, "", ADDED)
    assert read_record("a.run")["implementation.source.commit"] == git("rev-parse", "HEAD", folder=repository).strip()


def test_the_working_folder_is_captured_for_a_run_from_standard_input(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)

    outcome = primad("annotate", "-", stdin=RANKING)

    assert f"commit: {git('rev-parse', 'HEAD', folder=repository).strip()}" in outcome.out.replace("'", "")


def test_a_run_from_another_machine_keeps_its_platform(repository: Path) -> None:
    values = {"platform.operating system.kernel": "BeOS 5", "implementation.source.commit": "0" * 40}
    Path("a.run").write_bytes(annotate(RANKING, values=values).data)

    outcome = primad("annotate", "a.run", "--repo", repository, "-i")

    record = read_record("a.run")
    assert record["platform"] == {"operating system": {"kernel": "BeOS 5"}}
    assert record["implementation"] == {"source": {"commit": "0" * 40}}
    lines = outcome.err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(
        "primad: nothing captured was added to platform: platform.operating system.kernel is stated as 'BeOS 5', here"
    )
    assert re.fullmatch(
        "primad: nothing captured was added to implementation: implementation.source.commit is stated as '0{40}', "
        "here it is '[0-9a-f]{40}'",
        lines[1],
    )


def test_nothing_is_said_to_be_added_where_nothing_captured_was() -> None:
    values = {"platform.operating system.kernel": "BeOS 5", "implementation.source.commit": "0" * 40}
    Path("a.run").write_bytes(annotate(RANKING, values=values).data)

    outcome = primad("annotate", "a.run", "-i", "--set", "actor.team=h2oloo")

    assert read_record("a.run")["actor.team"] == "h2oloo"
    assert "nothing captured was added to platform" in outcome.err
    assert "what this machine, environment and repository say was added" not in outcome.err


# What is refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ("a.run", "-i", "-o", "b.run"),
            "--in-place writes into the run itself; expected a file, and no --output",
            id="in place and elsewhere",
        ),
        pytest.param(
            ("-", "-i"),
            "--in-place writes into the run itself; expected a file, and no --output",
            id="standard input in place",
        ),
        pytest.param(
            ("-", "--template", "-"),
            "standard input can be read once only; expected - at most once",
            id="standard input twice",
        ),
        pytest.param(
            ("a.run", "--ask"),
            "--ask needs a terminal to ask on; give fields with --set or --template instead",
            id="questions without a terminal",
        ),
        pytest.param(
            ("a.run", "-i", "--set", "actor.team"),
            "expected --set field=value, as in --set actor.team=h2oloo, found 'actor.team'",
            id="a setting without value",
        ),
        pytest.param(
            ("a.run", "-i", "--set", "=h2oloo"),
            "expected a field such as actor.team or method.retrieval[0].name, found ''",
            id="a setting without field",
        ),
        pytest.param(
            ("a.run", "-i", "--set", "method.retrieval[].k1=1"),
            "expected the place in the list, as in method.retrieval[0].k1, found 'method.retrieval[].k1'",
            id="a setting of all stages",
        ),
        pytest.param(
            ("a.run", "-i", "--template", "me.yml", "--set", "actor.name.first=Ann"),
            "expected a mapping at 'actor.name', to set 'actor.name.first', found 'Ann'",
            id="a setting that would wipe out another",
        ),
        pytest.param(
            ("a.run", "-i", "--set", "actor.role=boss"),
            "actor.role: expected experimenter or reproducer, found 'boss'",
            id="a setting outside of its vocabulary",
        ),
        pytest.param(
            ("a.run", "-i", "--repo", "nowhere"), "expected a folder after --repo, found 'nowhere'", id="no folder"
        ),
        pytest.param(
            ("a.run", "-i", "--repo", "a.run"), "expected a folder after --repo, found 'a.run'", id="a file as folder"
        ),
        pytest.param(
            ("a.run", "-i", "--repo", "x" * 300),
            f"expected a folder after --repo, found '{'x' * 300}'",
            id="a folder with too long a name",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_as_misuse(arguments: tuple[str, ...], message: str) -> None:
    assert primad("annotate", *arguments, stdin=RANKING) == Outcome(2, "", f"primad: {message}\n")
    assert Path("a.run").read_bytes() == RANKING


def test_questions_are_refused_where_standard_input_is_closed() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", PRIMAD, "annotate", "a.run", "--ask"], capture_output=True, check=False
    )

    message = b"primad: --ask needs a terminal to ask on; give fields with --set or --template instead\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", message)


def test_a_run_from_a_closed_standard_input_is_refused() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", PRIMAD, "annotate", "-", "--no-capture"],
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"primad: <stdin>: is closed\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("gone.run",), "gone.run: no such file", id="a missing run"),
        pytest.param(
            ("empty.run", "-i"),
            "empty.run: expected a run, found no ranking lines; is it the file you meant?",
            id="an empty run",
        ),
        pytest.param((".",), ".: expected a file, found a directory; name the files in it", id="a folder"),
        pytest.param(("a.run", "--template", "gone.yml"), "gone.yml: no such file", id="a missing template"),
        pytest.param(
            ("a.run", "--template", "a.run"),
            "a.run: has no metadata; add it with: primad annotate",
            id="a template that says nothing",
        ),
        pytest.param(
            ("a.run", "--template", "broken.yml"),
            "broken.yml:2: expected each key once, found 'name' again (first in line 1); remove one of the two",
            id="a broken template",
        ),
        pytest.param(
            ("open.run",),
            "open.run:1: expected metadata that ends with '# ir_metadata.end', found no such line",
            id="a header without end",
        ),
        pytest.param(
            ("binary",),
            "binary: expected a run or YAML in UTF-8, found other bytes; is it the file you meant?",
            id="a binary file",
        ),
        pytest.param(
            ("a.run", "--output", "nowhere/b.run"),
            "nowhere/b.run: cannot be written (No such file or directory)",
            id="an output in no folder",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_a_message_and_nothing_is_written(
    arguments: tuple[str, ...], message: str
) -> None:
    Path("broken.yml").write_bytes(b"actor: {name: Ann,\n  name: Bob}\n")
    Path("open.run").write_bytes(b"# ir_metadata.start\n# tag: a\n")
    Path("binary").write_bytes(bytes(range(256)))
    Path("empty.run").touch()
    before = {name: Path(name).read_bytes() for name in names_here()}

    outcome = bare(*arguments)

    assert outcome == Outcome(1, "", f"primad: {message}\n")
    assert {name: Path(name).read_bytes() for name in names_here()} == before
