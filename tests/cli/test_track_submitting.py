"""Do teams get their outputs and systems into a track, and do organisers get them to analysts?"""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from primad.track.track import Track
from tests.cli import track_folders
from tests.cli.running import Outcome, primad
from tests.track import small


@pytest.fixture
def opened(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from track_folders.worked_in(track_folders.opened(tmp_path_factory), tmp_path, monkeypatch)


@pytest.fixture
def ready(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from track_folders.worked_in(track_folders.ready(tmp_path_factory), tmp_path, monkeypatch)


def track(*arguments: object, stdin: bytes = b"") -> Outcome:
    return primad("track", *arguments, stdin=stdin)


def shown(*thing: str) -> Any:
    """Return what is known of a THING, or of the track."""
    (content,) = (
        value for key, value in json.loads(track("show", *thing, "--format", "json").out).items() if key != "schema"
    )
    return content


# Outputs ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("opened")
def test_an_output_is_scored_and_a_value_that_the_scorer_does_not_find_is_told() -> None:
    outcome = track("submit", "alpha", "run1", "output.tsv", "--value", "f1=0.9", "--value", "precision=0.8")

    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err.splitlines() == [
        "primad: alpha/run1: default: f1 was stated as 0.9, the scorer of the task finds 0.8000",
        "primad: alpha/run1 is submitted; its system follows with: primad track submit alpha/run1 --system BUNDLE",
    ]
    submission = shown("alpha/run1")
    (output,) = submission["outputs"]
    assert output["files"] == {"output.tsv": len(small.OUTPUT)}
    assert output["values"] == {"f1": 0.9, "precision": 0.8}
    assert output["scored"]["f1"] == pytest.approx(0.8)
    assert submission["row"]["state"] == "waits for a system"


@pytest.mark.usefixtures("opened")
def test_team_and_name_may_be_one_word_for_an_output_too() -> None:
    outcome = track("submit", "alpha/run1", "output.tsv")

    assert outcome.code == 0, outcome.err
    assert shown("alpha/run1")["outputs"][0]["files"] == {"output.tsv": len(small.OUTPUT)}


def test_every_mistake_in_a_manifest_is_told_with_its_line(opened: Path) -> None:
    system = opened / "system"
    system.mkdir()
    (system / "primad-system.yaml").write_text("name: words\nrun: ./code\nexpected: {minutes: soon}\nlicence: MIT\n")

    checked = track("preflight", "system")

    assert (checked.code, checked.out) == (1, "")
    assert [line.split(": expected")[0] for line in checked.err.splitlines()] == [
        "primad: system/primad-system.yaml:3",
        "primad: system/primad-system.yaml:4",
    ]
    assert checked.err.splitlines()[0].endswith("expected a number of minutes above 0, found 'soon'")


@pytest.mark.usefixtures("opened")
def test_outputs_of_several_configurations_are_one_submission() -> None:
    outcome = track("submit", "alpha", "run1", "fast=worse.tsv", "slow@test=output.tsv", "--format", "json")

    assert json.loads(outcome.out)["submitted"] == {"submission": "alpha/run1", "remarks": [], "missing": []}
    outputs = {one["configuration"]: one["scored"]["f1"] for one in shown("run1")["outputs"]}
    assert outputs == {"fast": pytest.approx(0.6), "slow": pytest.approx(0.8)}


def test_how_an_output_was_made_can_be_said_in_a_file(opened: Path) -> None:
    (opened / "record.yaml").write_text("actor: {name: Ada, team: alpha}\n")

    outcome = track("submit", "alpha", "run1", "output.tsv", "--record", "record.yaml", "--title", "Alpha 1")

    assert outcome.code == 0, outcome.err
    assert shown("alpha/run1")["row"]["title"] == "Alpha 1"
    track("export", "folder", "--private")
    assert any("Ada" in path.read_text() for path in (opened / "folder").rglob("*.yaml"))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["alpha"], 2, "expected TEAM NAME FILE..., or TEAM/NAME with --system", id="no name"),
        pytest.param(["alpha", "run1"], 2, "expected the files of an output for the task coding", id="no file"),
        pytest.param(["gamma", "run1", "output.tsv"], 1, "no team is called 'gamma'", id="no team"),
        pytest.param(["alpha", "Run 1", "output.tsv"], 2, "as the name of a submission, found 'Run 1'", id="no slug"),
        pytest.param(["alpha", "run1", "no.tsv"], 1, "no.tsv: no such file or folder", id="no such file"),
        pytest.param(["alpha", "run1", "output.tsv", "--task", "x"], 1, "no task is called 'x'", id="no task"),
        pytest.param(["alpha", "run1", "output.tsv", "--data-set", "x"], 1, "no data set is called 'x'", id="no data"),
        pytest.param(["alpha", "run1", "output.tsv", "--value", "f1"], 2, "MEASURE=NUMBER, found 'f1'", id="no value"),
        pytest.param(
            ["alpha", "run1", "a=output.tsv", "b=worse.tsv", "--value", "f1=1"], 2, "are about one output", id="whose"
        ),
        pytest.param(
            ["alpha", "run1", "output.tsv", "./output.tsv"], 2, "found 'output.tsv' again", id="the same name twice"
        ),
        pytest.param(["alpha", "run1", "output.tsv", "--secret"], 2, "--secret is about a system", id="a secret of it"),
        pytest.param(["alpha", "output.tsv"], 2, "found the file 'output.tsv' in place of NAME", id="a file as name"),
        pytest.param(["/run1", "output.tsv"], 2, "expected TEAM NAME FILE", id="no team in one word"),
        pytest.param(["alpha/run1", "--system", "."], 1, "pack it first: tar czf system.tar.gz -C . .", id="a folder"),
        pytest.param(["alpha/run1", "--system", "no.tar"], 1, "no.tar: no such file", id="no bundle"),
        pytest.param(["alpha/run1", "--system", "b", "--value", "a=1"], 2, "--value is about an output", id="both"),
        pytest.param(["alpha/run1", "--system", "b", "--remote", "c"], 2, "found both", id="two systems"),
        pytest.param(["alpha", "run1", "x", "--system", "b"], 2, "TEAM/NAME, found 'x' as well", id="a file too much"),
    ],
)
def test_what_cannot_be_submitted_is_refused_and_nothing_is_kept(
    arguments: list[str], code: int, message: str, opened: Path
) -> None:
    from primad.track.models import Submission

    Track(opened)  # tables are those of the track that was opened last
    outcome = track("submit", *arguments)

    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err
    assert not Submission.objects.exists()


def test_an_output_that_the_scorer_cannot_read_is_refused(opened: Path) -> None:
    (opened / "broken.tsv").write_text("no columns here\n")

    outcome = track("submit", "alpha", "run1", "broken.tsv")

    assert outcome.code == 1
    assert "broken.tsv:1: expected" in outcome.err
    assert shown()["submissions"] == []


# Systems ---------------------------------------------------------------------------------------------------------


def test_a_preflight_says_what_analysts_will_miss(opened: Path) -> None:
    complete = opened / "complete"
    complete.mkdir()
    (complete / "primad-system.yaml").write_text("name: dictionary\nrun: python3 code.py\n")

    table, document = track("preflight", "complete"), track("preflight", "complete", "--format", "json")

    assert table.code == document.code == 1
    assert table.out.startswith("Q1  no prerequisites are stated: analysts find out what the system needs by errors")
    missing = json.loads(document.out)["missing"]
    assert {"question", "what", "why", "how"} == set(missing[0])
    assert "no prerequisites are stated" in [one["what"] for one in missing]
    (complete / "primad-system.yaml").write_text("name: dictionary\nrunn: python3 code.py\n")
    wrong = track("preflight", "complete")
    assert (wrong.code, wrong.out) == (1, "")
    assert "complete/primad-system.yaml:1: expected a command under 'run'" in wrong.err
    assert "nothing: no such file or folder" in track("preflight", "nothing").err


@pytest.mark.usefixtures("opened")
def test_a_bundle_becomes_the_system_and_the_newest_counts() -> None:
    track("submit", "alpha", "run1", "output.tsv")

    first = track("submit", "alpha/run1", "--system", "system.tar.gz")
    second = track("submit", "alpha", "run1", "--system", "system.tar.gz", "--format", "json")

    assert first.code == second.code == 0
    assert "no sample of the output is there" in first.out
    assert "the system of alpha/run1 is submitted; mend what analysts will miss" in first.err
    assert "no sample of the output is there" in [one["what"] for one in json.loads(second.out)["submitted"]["missing"]]
    systems = shown("alpha/run1")["systems"]
    assert [(one["version"], one["kind"], one["bundle"]) for one in systems] == [
        (1, "bundle", "system.tar.gz"),
        (2, "bundle", "system.tar.gz"),
    ]
    assert systems[1]["prerequisites"] == ["python3 >=3.8"]


def test_a_remote_system_keeps_its_secret_to_itself(opened: Path) -> None:
    (opened / "how.txt").write_text("ssh demo@example.org\n")
    track("submit", "alpha", "run1", "output.tsv")

    taken = track("submit", "alpha/run1", "--remote", "how.txt", "--secret", "--language", "Java", stdin=b"s3cret pw\n")

    assert (taken.code, taken.out) == (0, "")
    assert taken.err == "primad: alpha/run1 is reached by its instructions, the secret is stored encrypted\n"
    table = track("show", "alpha/run1").out
    assert "ssh demo@example.org" in table
    assert "one is kept encrypted; print it with --secret" in table
    assert track("show", "alpha/run1", "--secret").out == "s3cret pw\n"
    assert "read the secret" in track("show", "alpha/run1").out
    assert not [path for path in opened.rglob("*") if path.is_file() and b"s3cret" in path.read_bytes()]


def test_a_secret_that_is_not_there_is_asked_for_in_vain(opened: Path) -> None:
    (opened / "how.txt").write_text("ssh demo@example.org\n")
    track("submit", "alpha", "run1", "output.tsv")

    assert "expected a secret on standard input" in track("submit", "run1", "--remote", "how.txt", "--secret").err
    assert "can be read once only" in track("submit", "run1", "--remote", "-", "--secret").err
    assert shown("run1")["systems"] == []
    assert "the system of alpha/run1 has no secret" in track("show", "alpha/run1", "--secret").err
    assert (
        "a submission can have a secret; expected TEAM/NAME, found the analyst ann"
        in track("show", "ann", "--secret").err
    )


class Terminal(io.TextIOWrapper):
    """Standard input of which somebody types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("opened")
def test_a_secret_that_is_typed_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from primad.cli.track import submitting

    asked: list[str] = []

    def typed(prompt: str) -> str:
        asked.append(prompt)
        return "typed"

    monkeypatch.setattr("sys.stdin", Terminal(io.BytesIO()))
    monkeypatch.setattr("getpass.getpass", typed)

    assert submitting._secret() == "typed"
    assert asked == ["Secret (not shown): "]


# Decisions -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("opened")
def test_whether_a_submission_is_eligible_is_decided_with_a_reason() -> None:
    track("submit", "alpha", "run1", "output.tsv")

    assert "say why the submission is eligible or not, with --because" in track("decide", "run1", "no").err
    told = track("decide", "run1", "no", "--because", "the wrong task")
    assert (told.code, told.err) == (0, "primad: alpha/run1 is not eligible: the wrong task\n")
    assert [(one["state"], one["why"]) for one in shown()["submissions"]] == [("not eligible", "the wrong task")]
    assert track("decide", "run1", "perhaps", "--because", "x").code == 2


@pytest.mark.usefixtures("opened")
def test_a_withdrawn_submission_says_why() -> None:
    track("submit", "alpha", "run1", "output.tsv")

    assert "say why the submission is withdrawn" in track("withdraw", "run1").err
    assert track("withdraw", "run1", "--because", "a bug").err == "primad: alpha/run1 is withdrawn; its files stay\n"
    (row,) = shown()["submissions"]
    assert row["state"] == "withdrawn"
    assert row["why"].endswith(": a bug")


# Assigning -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("ready")
def test_the_matrix_shows_who_runs_what_on_which_machine() -> None:
    outcome = track("assign", "--per-submission", 1)

    assert outcome.code == 0
    heading, _, row, load = outcome.out.splitlines()
    assert heading.split() == ["submission", "ann", "dan"]
    assert row.split() in (["alpha/run1", "laptop"], ["alpha/run1", "server"])
    assert sorted(load.split()) == ["0", "1", "systems"]


@pytest.mark.usefixtures("ready")
def test_an_assignment_by_hand_is_marked_and_taken_back() -> None:
    track("assign", "ann", "run1", "--remove")
    assert [
        one["analyst"] for one in json.loads(track("assign", "dan", "run1", "--format", "json").out)["assignments"]
    ] == ["dan"]

    marked = track("assign", "ann", "alpha/run1", "--machine", "laptop", "--remark", "knows it")

    assert marked.out.splitlines()[2].split() == ["alpha/run1", "laptop", "*", "yes", "*"]
    assert marked.out.endswith("* by hand\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["ann"], 2, "expected ANALYST and SUBMISSION, or neither", id="an analyst alone"),
        pytest.param(["--remove"], 2, "are about one assignment", id="remove whom"),
        pytest.param(["ann", "run1", "--per-submission", "2"], 2, "is about the matrix of all", id="one and all"),
        pytest.param(["ann", "run9"], 1, "no submission is called 'run9'", id="no submission"),
        pytest.param(["eve", "run1"], 1, "no analyst is called 'eve'", id="no analyst"),
        pytest.param(["ann", "run1", "--machine", "x"], 1, "no machine is called 'x'", id="no machine"),
    ],
)
def test_what_cannot_be_assigned_is_refused(arguments: list[str], code: int, message: str, ready: Path) -> None:
    from primad.track.models import Assignment

    Track(ready)  # tables are those of the track that was opened last
    outcome = track("assign", *arguments)

    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err
    assert Assignment.objects.count() == 2


@pytest.mark.usefixtures("opened")
def test_a_conflict_of_interest_is_refused() -> None:
    track("submit", "beta", "run1", "output.tsv")
    track("submit", "beta/run1", "--system", "system.tar.gz")
    track("phase", "assignment")

    outcome = track("assign", "dan", "beta/run1")

    assert outcome.code == 2
    assert "dan has a conflict of interest with beta (a former member)" in outcome.err
