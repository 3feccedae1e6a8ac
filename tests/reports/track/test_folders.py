"""Are the folders of a track's report and of evidence written whole, and is nobody's file lost?"""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from primad.errors import FileError, PairingError, UsageError
from primad.reports.track.badges import badges_of
from primad.reports.track.evidence import part_of, write_evidence
from primad.reports.track.facts import TimeRow
from primad.reports.track.folder import write_track_report
from tests.reports.track.examples import empty, full, hostile, namesakes


def names(folder: Path) -> list[str]:
    """Return the files in FOLDER."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


# Report ----------------------------------------------------------------------------------------------------------


def test_a_report_holds_the_page_the_tables_and_the_pictures(tmp_path: Path) -> None:
    files = write_track_report(full(), tmp_path / "report")

    assert [path.name for path in files][:3] == ["report.html", "track.tex", "track.json"]
    assert names(tmp_path / "report") == sorted(path.name for path in files)
    assert {"times.svg", "differences.svg", "questions.csv", "scores.csv"} <= {path.name for path in files}


def test_only_what_is_asked_for_is_written_beside_the_values(tmp_path: Path) -> None:
    files = write_track_report(full(), tmp_path / "report", ["latex"])

    assert [path.name for path in files] == ["track.tex", "track.json"]


def test_the_report_of_nothing_has_a_page_too(tmp_path: Path) -> None:
    files = write_track_report(empty(), tmp_path / "report")

    assert [path.name for path in files] == ["report.html", "track.tex", "track.json"]


@pytest.mark.parametrize("formats", ["word", ["html", "word"], []])
def test_an_unknown_format_is_refused_before_anything_is_written(tmp_path: Path, formats: str | list[str]) -> None:
    with pytest.raises(UsageError, match="expected as formats of the report some of html, latex, csv, json, svg"):
        write_track_report(full(), tmp_path / "report", formats)

    assert not (tmp_path / "report").exists()


def test_a_former_report_is_replaced_and_none_of_its_files_stays_as_it_was(tmp_path: Path) -> None:
    write_track_report(full(), tmp_path / "report", ["csv", "svg"])

    write_track_report(empty(), tmp_path / "report", "csv")

    assert names(tmp_path / "report") == ["track.json"]


def test_a_report_in_one_more_form_keeps_the_forms_it_had(tmp_path: Path) -> None:
    before = write_track_report(empty(), tmp_path / "report", ["html", "latex"])

    after = write_track_report(full(), tmp_path / "report", "pdf")

    assert {path.name for path in after} == {path.name for path in before} | {"times.pdf", "differences.pdf"}
    assert names(tmp_path / "report") == sorted(path.name for path in after)
    assert "Words" in (tmp_path / "report" / "report.html").read_text()


@pytest.mark.parametrize("name", ["times.csv", "report.html", "track.json", "mine/notes.txt"])
def test_a_folder_with_a_file_of_somebody_is_left_alone(tmp_path: Path, name: str) -> None:
    mine = tmp_path / "report" / name
    mine.parent.mkdir(parents=True)
    mine.write_text('{"schema": "of somebody else"}')

    with pytest.raises(FileError, match="holds files that primad did not write there"):
        write_track_report(full(), tmp_path / "report")

    assert names(tmp_path / "report") == [name]


def test_a_file_that_somebody_put_into_a_report_is_not_lost(tmp_path: Path) -> None:
    write_track_report(full(), tmp_path / "report")
    (tmp_path / "report" / "notes.txt").write_text("mine")

    with pytest.raises(FileError, match=r"notes\.txt"):
        write_track_report(full(), tmp_path / "report")


def test_a_file_in_place_of_the_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "report").write_text("mine")

    with pytest.raises(FileError, match="expected a folder, found a file"):
        write_track_report(full(), tmp_path / "report")


# Evidence --------------------------------------------------------------------------------------------------------


def test_evidence_says_what_was_run_by_whom_where_and_with_which_result(tmp_path: Path) -> None:
    write_evidence(full(), "red/words", tmp_path / "words")

    page = (tmp_path / "words" / "README.md").read_text()
    assert page.startswith("# Evidence for badges: Words\n")
    assert "| 1 | Words | Ann | user | laptop | default | test | succeeded |" in page
    assert "| Ann | Debian 12; 16 GB ram, 3 MB cache |" in page
    assert "| 3 | .01 or more apart | Words | Ann | Primad | 2 | 0.8000 | 0.7800 | -0.0200 |" in page
    assert "A badge is awarded by people" in page
    assert "Grams" not in page


def test_each_badge_has_what_speaks_to_it() -> None:
    found = {badge.name: badge.found for badge in badges_of(full(), "red/words")}

    assert found["Artifacts Evaluated, Functional"] == (
        "2 of 3 attempts succeeded; 1 attempt repeats another one. Those who got it to work: 1 analyst."
    )
    assert found["Results Reproduced"] == "1 of 2 outputs gave the same results, and 0 were close."
    assert found["Results Replicated"] == "Nothing: analysts ran the system of its authors."
    assert found["Artifacts Available"].startswith("Nothing")


def test_a_badge_says_how_close_outputs_are_by_the_limit_in_force() -> None:
    near = replace(full().verdicts[0], points=3, agreement="less than .05 apart")
    found = {badge.name: badge.found for badge in badges_of(replace(full(), verdicts=(near, near)), near.submission)}

    assert found["Results Reproduced"] == (
        "0 of 2 outputs gave the same results, and 2 were close (less than .05 apart)."
    )


def test_evidence_for_programs_lists_each_file_with_its_digest(tmp_path: Path) -> None:
    files = {"attempt-1/transcript.txt": b"all well\n"}

    written = write_evidence(full(), "red/words", tmp_path / "words", files)

    content = json.loads((tmp_path / "words" / "evidence.json").read_text())
    assert content["schema"] == "primad.badge-evidence/1"
    digest = hashlib.sha256(b"all well\n").hexdigest()
    assert content["files"] == [{"path": "files/attempt-1/transcript.txt", "bytes": 9, "sha256": digest}]
    assert content["report"]["attempts"][1]["reason"] == "gcc is missing"
    assert [badge["name"] for badge in content["badges"]][-2:] == ["Results Reproduced", "Results Replicated"]
    assert (tmp_path / "words/files/attempt-1/transcript.txt").read_bytes() == b"all well\n"
    assert sorted(written) == sorted(tmp_path / "words" / name for name in names(tmp_path / "words"))


def test_evidence_about_one_system_says_nothing_of_others() -> None:
    part = part_of(full(), "blue/grams")

    assert [one.title for one in part.systems] == ["Grams"]
    assert (part.attempts, part.machines, part.verdicts, part.questions, part.comments) == ((), (), (), (), ())
    assert [one.data_set for one in part.cells] == ["test"]


@pytest.mark.parametrize(("submission", "minutes"), [("red/base", 10.0), ("blue/base", 90.0)])
def test_evidence_about_a_system_has_nothing_of_another_one_with_its_title(submission: str, minutes: float) -> None:
    part = part_of(namesakes(), submission)

    assert [one.human for one in part.times] == [minutes]
    assert [one.submission for one in part.stages] == [submission]
    assert [one.submission for one in part.cells] == [submission]
    assert [list(row.by_system) for row in part.questions] == [[submission]]
    assert [one.submission for one in part.recommendations] == [submission] * (submission == "blue/base")


def test_published_times_without_an_address_belong_to_the_only_system_with_their_title() -> None:
    printed = TimeRow("Words", "user", 47.0, 150.0, None, None, "", published=True)

    assert part_of(replace(full(), times=(printed,)), "red/words").times == (printed,)
    assert part_of(replace(namesakes(), times=(replace(printed, system="Baseline"),)), "red/base").times == ()


def test_evidence_of_reuse_are_the_answers_about_that_system_to_questions_with_that_purpose() -> None:
    found = [{badge.name: badge.found for badge in badges_of(namesakes(), f"{team}/base")} for team in ("red", "blue")]

    assert [one["Artifacts Evaluated, Reusable"] for one in found] == [
        "again, Use it elsewhere? Why? 100%, from 1 answer. Share of yes.",
        "again, Use it elsewhere? Why? 0%, from 2 answers. Share of yes.",
    ]


def test_a_tenth_question_about_something_else_is_no_evidence_of_reuse() -> None:
    tenth = replace(full().questions[0], key="Q10")

    found = {badge.name: badge.found for badge in badges_of(replace(full(), questions=(tenth,)), "red/words")}

    assert found["Artifacts Evaluated, Reusable"].startswith("Nothing: no answers on using the system elsewhere")


def test_scores_in_evidence_have_their_scale_and_rule(tmp_path: Path) -> None:
    write_evidence(full(), "red/words", tmp_path / "words")

    page = (tmp_path / "words" / "README.md").read_text()
    assert "| Question | Words | Scale | Rule |\n" in page
    assert "| Q2(+) Missing parts easy to add? | 80% (n=2) | 5-point scale | Mean over 5. |\n" in page


def test_former_evidence_is_replaced_unless_somebody_put_a_file_among_it(tmp_path: Path) -> None:
    write_evidence(full(), "red/words", tmp_path / "words", {"a.txt": b"a"})
    write_evidence(full(), "red/words", tmp_path / "words", {"b.txt": b"b"})
    assert names(tmp_path / "words") == ["README.md", "evidence.json", "files/b.txt"]

    (tmp_path / "words" / "files" / "mine.txt").write_text("mine")
    with pytest.raises(FileError, match=r"files/mine\.txt"):
        write_evidence(full(), "red/words", tmp_path / "words")


def test_a_readme_of_somebody_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")

    with pytest.raises(FileError, match=r"README\.md"):
        write_evidence(full(), "red/words", tmp_path)


@pytest.mark.parametrize("name", ["../out", "/etc/passwd", "a//b", "a/./b", "", "a\\b", "a\nb", "x" * 1001])
def test_a_file_that_would_lie_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="expected the path of a file below its folder"):
        write_evidence(full(), "red/words", tmp_path / "words", {name: b""})

    assert not (tmp_path / "words").exists()


def test_an_unknown_submission_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(PairingError, match="red/words, blue/grams"):
        write_evidence(full(), "green/trees", tmp_path / "words")


def test_names_that_are_traps_are_text_in_markdown(tmp_path: Path) -> None:
    write_evidence(hostile(), "red/words", tmp_path / "words")

    page = (tmp_path / "words" / "README.md").read_text()
    assert "<script>" not in page
    assert "\x1b" not in page
    assert {line.count(" | ") for line in page.splitlines() if line.startswith("| No.")} == {12}
    rows = [line for line in page.splitlines() if line.startswith("| 2 |")]
    assert [row.count(" | ") for row in rows] == [12]
