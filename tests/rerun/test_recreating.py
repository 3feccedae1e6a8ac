"""Does an annotated run re-create itself, and is what comes of it judged rightly?"""

import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from primad.errors import FileError, FormatError, UsageError
from primad.metadata.annotation import annotate
from primad.metadata.reading import read_record
from primad.replay.result import Rung, Stage
from primad.reproducibility.verdict import Agreement
from primad.rerun import Rerun, rerun
from primad.rerun.recreating import _Original
from primad.rerun.result import as_json
from primad.rerun.text import rerun_text
from tests.rerun.recorded import (
    COMMAND,
    DOCUMENTS,
    DRAWN,
    LIMITS,
    SEARCH,
    altered,
    committed,
    git,
    ranking_of,
    recorded,
    system,
)

pytestmark = pytest.mark.slow


def lines_of(run: Rerun) -> str:
    return "\n".join(run.last_lines)


def with_library(run: Path, target: Path, library: str) -> Path:
    """Return RUN as TARGET with another LIBRARY in its record."""
    before = "#     libraries:\n#       python:\n"
    text = run.read_text(encoding="utf-8")
    assert before in text
    target.write_text(text.replace(before, f"{before}#       - {library}\n"), encoding="utf-8")
    return target


# The same again ------------------------------------------------------------------------------------------------


def test_a_run_is_re_created_byte_for_byte_by_a_command_without_a_network(made: Path, scratch: Path) -> None:
    shown: list[str] = []

    found = rerun(made, limits=LIMITS, show=shown.append)

    assert found.reason == ""
    assert ranking_of(found.data) == ranking_of(made.read_bytes())
    assert (found.agreement, found.is_identical, found.name) == ("identical bytes", True, "mine.run")
    assert [(step.stage, step.network, step.status) for step in found.steps] == [(Stage.RUN, False, 0)]
    assert shown == ["searching in data/docs.txt"]
    assert found.sentences[0] == (
        "The re-created run is the original one, byte for byte; no scores were compared, for no qrels were given."
    )
    assert list(scratch.iterdir()) == []


def test_the_new_run_has_a_record_of_its_own(made: Path, again: Rerun) -> None:
    assert again.output is not None
    assert again.output.read_bytes() == again.data

    before, after = read_record(made), read_record(again.output)
    assert again.sandbox is not None
    assert after["platform.sandbox.rung"] == str(again.sandbox.rung) == "bubblewrap"
    assert after["actor.team"] == "ubiquity"
    assert after["actor.role"] == "reproducer"
    assert after["ranking.sha256"] == before["ranking.sha256"]
    for field in ("source.commit", "source.tree", "executable.cmd", "executable.sha256"):
        assert after[f"implementation.{field}"] == before[f"implementation.{field}"]
    assert after["resources.runtime.start time"] > before["resources.runtime.start time"]
    assert after["data.inputs[0].path"] == "data/docs.txt"


def test_the_type_says_that_another_actor_has_run_the_same_implementation(again: Rerun) -> None:
    assert again.type is not None
    assert str(again.type.type) == "p?i?A?"
    assert "By the records it is p?i?A?" in again.sentences[1]


def test_with_qrels_scores_are_compared_and_the_reproduction_is_assessed(again: Rerun) -> None:
    assert again.verdict is not None
    assert again.verdict.agreement is Agreement.BYTES
    assert again.verdict.submitted is not None
    # Relevant are d1 and d5 of topic 301, on ranks 1 and 5, and d2 of topic 302, on rank 2.
    assert again.verdict.submitted.measures["map"] == pytest.approx(((1 + 2 / 5) / 2 + 1 / 2) / 2)
    assert again.assessment is not None
    value = again.assessment.reproductions[0].find("rmse", of="map")
    assert value is not None
    assert value.value == 0.0
    assert again.sentences[0] == "The re-created run is the original one, byte for byte; map is 0.6000 for both."
    assert again.assessment.reproductions[0].silent == ()


def test_qrels_of_other_topics_leave_the_rankings_to_be_compared(made: Path, tmp_path: Path) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("999 0 d1 1\n")

    found = rerun(made, qrels=qrels, limits=LIMITS)

    assert found.is_identical
    assert found.verdict is None
    assert found.sentences[0].startswith("The re-created run is the original one, byte for byte; no scores were")
    assert "for no qrels were given" not in found.sentences[0]


def test_the_stated_commit_is_run_though_the_repository_has_moved_on(mine: Path) -> None:
    committed(mine.parent, {"data/docs.txt": "d9 d8 d7\n"})

    assert rerun(mine, limits=LIMITS).agreement == "identical bytes"


def test_the_code_may_come_from_another_clone(made: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(made.parent), "bare.git")
    run = Path(shutil.copy(made, tmp_path / "mine.run"))

    found = rerun(run, repository=tmp_path / "bare.git", limits=LIMITS)

    assert found.agreement == "identical bytes"
    assert found.plan.steps[0].does.startswith(f"clone {tmp_path / 'bare.git'} at commit ")


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_stated_repository_on_this_disk_needs_no_network(made: Path, tmp_path: Path, scheme: str) -> None:
    run = altered(made, tmp_path / "mine.run", implementation__source__repository=f"{scheme}{made.parent}")

    assert rerun(run, limits=LIMITS).agreement == "identical bytes"


def test_the_command_runs_in_the_folder_of_the_repository_that_it_was_run_in(tmp_path: Path) -> None:
    committed(tmp_path / "repository", {"src/search.py": SEARCH, "data/docs.txt": DOCUMENTS})
    command = ("python3", "search.py", "../data/docs.txt", "mine.run")
    run = recorded(tmp_path / "repository" / "src", command)

    found = rerun(run, limits=LIMITS)

    assert found.agreement == "identical bytes"
    assert found.steps[0].command.startswith("cd -- src && ")


def test_a_run_written_to_an_absolute_path_goes_to_the_output(tmp_path: Path) -> None:
    committed(tmp_path / "repository", {"search.py": SEARCH, "data/docs.txt": DOCUMENTS})
    target = tmp_path / "results" / "mine.run"
    target.parent.mkdir()
    run = recorded(tmp_path / "repository", (*COMMAND[:3], str(target)), run=str(target))
    before = run.read_bytes()

    found = rerun(run, repository=tmp_path / "repository", limits=LIMITS)

    assert found.agreement == "identical bytes"
    assert found.steps[0].command.endswith('data/docs.txt "$outputDir"/mine.run')
    assert target.read_bytes() == before


def test_of_several_runs_that_were_written_the_recorded_one_is_judged(tmp_path: Path) -> None:
    twice = SEARCH.replace("with open(target", "open('aside.run', 'w').write('1 Q0 x 1 1 mine\\n')\nwith open(target")
    run = system(tmp_path / "repository", twice)
    renamed = Path(shutil.copy(run, tmp_path / "renamed.run"))

    found = rerun(renamed, repository=run.parent, limits=LIMITS)

    assert (found.name, found.agreement) == ("mine.run", "identical bytes")


def test_the_plain_rung_is_used_only_where_it_is_trusted(made: Path, scratch: Path) -> None:
    with pytest.raises(UsageError, match="--trust"):
        rerun(made, wanted=Rung.PLAIN, limits=LIMITS)

    found = rerun(made, wanted=Rung.PLAIN, trust=True, limits=LIMITS)

    assert found.agreement == "identical bytes"
    assert found.record is not None
    assert found.record["platform.sandbox.rung"] == "plain"
    assert list(scratch.iterdir()) == []


# Something else -------------------------------------------------------------------------------------------------


def test_an_unseeded_choice_is_told(tmp_path: Path) -> None:
    run = system(tmp_path / "repository", DRAWN)

    found = rerun(run, limits=LIMITS)

    assert found.recreated
    assert not found.is_identical
    assert found.agreement == "different items"
    assert "ranks otherwise for 2 of 2 topics" in found.sentences[0]
    assert found.compared is not None
    assert [one.item for one in found.compared.differing] == ["301", "302"]


def test_another_commit_gives_another_run(mine: Path) -> None:
    later = committed(mine.parent, {"data/docs.txt": "d2 d1 d3\n"})
    other = altered(mine, mine.parent / "other.run", implementation__source__commit=later)

    found = rerun(other, limits=LIMITS)

    assert found.agreement == "different items"
    assert "the record states another tree of files than the commit has" in found.remarks
    assert "data/docs.txt of the commit is another file than the one that was read" in found.remarks


def test_a_ranking_that_was_changed_after_it_was_recorded_is_told(made: Path, tmp_path: Path) -> None:
    run = tmp_path / "mine.run"
    run.write_bytes(made.read_bytes().replace(b"302 Q0 d1 ", b"302 Q0 d0 "))

    found = rerun(run, repository=made.parent, limits=LIMITS)

    assert found.compared is not None
    assert (found.compared.same, found.compared.different) == (1, 1)
    assert "the ranking of the original was changed after it was recorded" in found.remarks


def test_a_library_that_is_not_here_is_told_and_the_rerun_goes_on(made: Path, tmp_path: Path) -> None:
    run = with_library(made, tmp_path / "mine.run", "primad-no-such==1.0")

    found = rerun(run, repository=made.parent, limits=LIMITS)

    assert found.libraries is not None
    assert found.libraries.absent == ("primad-no-such 1.0",)
    assert "not here: primad-no-such 1.0" in rerun_text(found)
    assert found.agreement == "identical bytes"


def test_a_command_that_fails_is_told_with_what_it_said_last(made: Path, scratch: Path) -> None:
    found = rerun(made, command="python3 search.py no-such-file mine.run", limits=LIMITS)

    assert not found.recreated
    assert "with exit status 1" in found.reason
    assert "No such file or directory: 'no-such-file'" in lines_of(found)
    assert found.sentences == (f"The run was not re-created: {found.reason}.",)
    assert list(scratch.iterdir()) == []


def test_a_command_that_writes_no_run_has_not_re_created_it(made: Path) -> None:
    found = rerun(made, command="true", limits=LIMITS)

    assert found.reason.startswith("true: ended well, but wrote no run")


def test_what_is_no_run_is_not_taken_for_one(made: Path) -> None:
    broken = "printf '301 Q0 d1 1 high mine\\n301 Q0 d1 2 1 mine\\n' > mine.run"

    found = rerun(made, command=broken, limits=LIMITS)

    assert not found.recreated
    assert "is no run that can be read" in found.reason or "wrote no run" in found.reason


def test_several_runs_of_which_none_is_known_to_be_meant_are_named(scratch: Path, tmp_path: Path) -> None:
    line = "echo 301 Q0 d1 1 1 mine >"
    committed(tmp_path / "repository", {"search.sh": f"{line} a.run\n{line} b.run\n"})
    run = recorded(tmp_path / "repository", ("sh", "search.sh"), run="a.run", trace=False)
    renamed = Path(shutil.copy(run, tmp_path / "renamed.run"))

    found = rerun(renamed, repository=run.parent, limits=LIMITS)

    assert found.reason == (
        "sh search.sh: wrote several runs, and which one is meant is not clear: a.run, b.run; "
        "call the given run as one of them"
    )
    assert found.libraries is None
    assert rerun(run, limits=LIMITS).name == "a.run"
    assert list(scratch.iterdir()) == []


def test_a_command_that_does_not_end_is_stopped(made: Path, scratch: Path) -> None:
    found = rerun(made, command="sleep 600", limits=replace(LIMITS, seconds=0.5))

    assert "by the limit on time" in found.reason
    assert found.steps[0].stopped_by == "time"
    assert list(scratch.iterdir()) == []


# Before anything is run -----------------------------------------------------------------------------------------


def test_a_run_without_metadata_is_refused(tmp_path: Path) -> None:
    run = tmp_path / "plain.run"
    run.write_text("301 Q0 d1 1 1 mine\n")

    with pytest.raises(FileError, match="nobody knows how it was made"):
        rerun(run)


def test_metadata_alone_is_refused(made: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.yml"
    record.write_text(read_record(made).to_yaml())

    with pytest.raises(FileError, match="found metadata alone"):
        rerun(record)


def test_qrels_that_cannot_be_read_are_refused_before_the_command_runs(made: Path, tmp_path: Path) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("301 0\n")
    shown: list[str] = []

    with pytest.raises(FormatError, match="qrels:1"):
        rerun(made, qrels=qrels, show=shown.append)
    assert shown == []


def test_fields_that_cannot_be_set_are_refused_before_the_command_runs(made: Path) -> None:
    shown: list[str] = []

    with pytest.raises(UsageError, match=r"source\.repository: expected the address"):
        rerun(made, values={"implementation.source.repository": "-x"}, show=shown.append)
    assert shown == []


def test_the_original_is_never_overwritten(made: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is the original; expected another place for the new run"):
        rerun(made, keep=made)
    with pytest.raises(FileError, match="its folder is not there"):
        rerun(made, keep=tmp_path / "no" / "such.run")


# For programs ---------------------------------------------------------------------------------------------------


def test_a_result_is_plain_values_with_a_schema(made: Path, again: Rerun) -> None:
    values = json.loads(json.dumps(as_json(again), allow_nan=False))

    assert values["schema"] == "primad.rerun/1"
    assert (values["recreated"], values["identical"], values["agreement"]) == (True, True, "identical bytes")
    assert values["sandbox"]["rung"] == "bubblewrap"
    assert values["topics"] == {"same": 2, "different": 0}
    assert values["verdict"]["points"] == 4
    assert values["record"]["implementation"]["source"]["commit"] == git(made.parent, "rev-parse", "HEAD")


def test_judgments_from_standard_input_are_read_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = tmp_path / "my.run"
    annotate(b"1 Q0 d1 1 0.5 bm25\n").save(run)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1 0 d1 1\n")))

    assert _Original.read(run, "-").gold == {"-": b"1 0 d1 1\n"}


def test_what_is_wrong_with_judgments_is_said_by_the_name_of_their_file(tmp_path: Path) -> None:
    run, qrels = tmp_path / "my.run", tmp_path / "my.qrels"
    annotate(b"1 Q0 d1 1 0.5 bm25\n").save(run)
    qrels.write_bytes(b"1 0 d1\n")

    with pytest.raises(FormatError, match=r"my\.qrels:1: expected 4 columns"):
        rerun(run, qrels=qrels)
