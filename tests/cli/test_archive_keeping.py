"""Do scores, assessments, checks, backups and exports of an archive come out as asked for?"""

import json
import shlex
import stat
from pathlib import Path

import pytest

from primad.cli.archive.evaluating import place_of
from primad.compute import Slurm
from primad.errors import UsageError
from primad.reports.archive.answers import Evaluated, Unscored, Verified
from primad.reports.archive.work import evaluated_shown, verified_shown
from tests.archive.described import write_run
from tests.cli.running import primad

# Evaluating ------------------------------------------------------------------------------------------------------


def test_slurm_is_asked_for_what_the_option_says() -> None:
    place = place_of(None, "", "jobs=10, cores=4,memory=8GB,walltime=01:00:00,queue=short")

    assert place.slurm == Slurm(jobs=10, cores=4, memory="8GB", walltime="01:00:00", queue="short")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("jobs", "expected --slurm NAME=VALUE", id="no value"),
        pytest.param("jobs=2,,cores=1", "expected --slurm NAME=VALUE", id="nothing between commas"),
        pytest.param("jobs=2,jobs=3", "expected jobs once in --slurm", id="twice"),
        pytest.param("nodes=2", "found 'nodes'", id="unknown"),
        pytest.param("jobs=many", "expected a whole number of jobs", id="no number"),
    ],
)
def test_settings_of_slurm_that_mean_nothing_are_wrong_usage(text: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        place_of(None, "", text)


def test_two_places_at_once_are_wrong_usage(tmp_path: Path) -> None:
    outcome = primad("archive", "evaluate", "--jobs", "2", "--cluster", "tcp://h:1", "--archive", tmp_path)

    assert (outcome.code, outcome.out) == (2, "")
    assert "expected one place to work" in outcome.err


def test_an_evaluation_is_told_with_counts_and_rate() -> None:
    done = Evaluated(runs=40, measures=("map", "P_10"), computed=30, known=10, unscored=(), seconds=2.0)

    assert evaluated_shown(done, "table") == (
        "40 runs by map, P_10: 30 computed, 10 known before (2.0 s, 15.0 runs per second)\n"
    )


def test_an_evaluation_that_had_nothing_to_do_has_no_rate() -> None:
    unscored = (Unscored(address="a" * 64, tag="bm25", reason="no topic is judged"),)
    done = Evaluated(runs=1, measures=("map",), computed=0, known=0, unscored=unscored, seconds=0.0)

    assert evaluated_shown(done, "table") == "1 run by map: 0 computed, 0 known before, 1 without a score\n"
    assert json.loads(evaluated_shown(done, "json"))["unscored"][0]["reason"] == "no topic is judged"


@pytest.mark.usefixtures("filled")
def test_what_is_known_is_not_computed_again() -> None:
    first = json.loads(primad("archive", "evaluate", "-m", "map", "-m", "ndcg", "--format", "json").out)
    second = json.loads(primad("archive", "evaluate", "-m", "ndcg", "--format", "json").out)

    assert first["schema"] == "primad.archive.evaluate/1"
    assert (first["runs"], first["computed"] > 0) == (5, True)
    assert (second["runs"], second["computed"]) == (5, 0)


@pytest.mark.usefixtures("filled")
def test_only_runs_that_a_query_finds_are_evaluated() -> None:
    primad("archive", "evaluate", "tag:rm3", "-m", "ndcg")

    hits = json.loads(primad("archive", "search", "-m", "ndcg", "--format", "json").out)["hits"]
    assert [one["tag"] for one in hits if "ndcg" in one["scores"]] == ["rm3"]


@pytest.mark.usefixtures("filled")
def test_a_query_that_finds_nothing_evaluates_nothing() -> None:
    outcome = primad("archive", "evaluate", "team:nobody")

    assert (outcome.code, outcome.out) == (1, "")
    assert "no run matches 'team:nobody'" in outcome.err


@pytest.mark.usefixtures("empty")
def test_a_run_without_judgments_is_named_and_the_answer_is_no(tmp_path: Path) -> None:
    primad("archive", "add", write_run(tmp_path))

    outcome = primad("archive", "evaluate")

    assert outcome.code == 1
    assert outcome.out.startswith("1 run by map, ")
    assert "primad: bm25 (" in outcome.err
    assert ") has no score: " in outcome.err


def test_an_unknown_measure_is_told_before_any_work(filled: Path) -> None:
    outcome = primad("archive", "evaluate", "-m", "mapp", "--archive", filled)

    assert (outcome.code, outcome.out) == (1, "")
    assert "unknown measure 'mapp'; did you mean 'map'?" in outcome.err


# Assessing -------------------------------------------------------------------------------------------------------


def original() -> str:
    """Return the address of the run bm25 that was first."""
    (run,) = json.loads(primad("archive", "search", "tag:bm25 role:experimenter", "--format", "json").out)["hits"]
    address: str = run["address"]
    return address


@pytest.mark.usefixtures("filled")
def test_reproductions_in_the_archive_are_assessed() -> None:
    outcome = primad("archive", "assess", original(), "-m", "map", "--no-intervals", "--format", "json")

    told = json.loads(outcome.out)
    assert outcome.code == 0
    assert told["schema"].startswith("primad.assess")
    assert len(told["reproductions"]) == 2


@pytest.mark.slow
@pytest.mark.usefixtures("filled")
def test_a_report_of_an_assessment_is_written(tmp_path: Path) -> None:
    outcome = primad("archive", "assess", original(), "-m", "map", "--no-intervals", "--report", tmp_path / "report")

    assert outcome.code == 0
    assert (tmp_path / "report" / "report.html").is_file()
    assert f"primad: report in {tmp_path / 'report'}\n" in outcome.err


@pytest.mark.usefixtures("filled")
def test_the_precision_of_scores_is_told_over_all_runs() -> None:
    outcome = primad("archive", "qra", "-m", "map", "--format", "json")

    told = json.loads(outcome.out)
    assert outcome.code == 0
    assert told["schema"].startswith("primad.qra")
    assert told["groups"]


@pytest.mark.usefixtures("filled")
def test_what_is_measured_can_be_a_field_of_the_record() -> None:
    outcome = primad("archive", "qra", "-m", "map", "--object", "actor.team", "--format", "json")

    assert {group["object"] for group in json.loads(outcome.out)["groups"]} == {"grossman", "h2oloo", "ubiquity"}


@pytest.mark.usefixtures("filled")
def test_precision_without_scores_is_told_with_what_to_do() -> None:
    outcome = primad("archive", "qra", "-m", "ndcg_cut_5")

    assert (outcome.code, outcome.out) == (1, "")
    assert "compute them with: primad archive evaluate" in outcome.err


# Keeping ---------------------------------------------------------------------------------------------------------

GOOD = Verified(contents=12, runs=5, bytes=2048, damage=(), leftovers=())


def test_an_archive_without_damage_is_told_in_a_sentence() -> None:
    assert verified_shown(GOOD, "table", None) == ("looked at 12 contents (2.0 kB) and 5 runs: nothing is damaged\n")
    assert json.loads(verified_shown(GOOD, "json", None))["is_good"] is True


def test_damage_is_listed() -> None:
    bad = Verified(contents=2, runs=1, bytes=10, damage=("blobs/ab: is not what it was",), leftovers=("blobs/.x",))

    assert verified_shown(bad, "table", None).splitlines() == [
        "looked at 2 contents (10 bytes) and 1 run: 1 thing damaged",
        "- blobs/ab: is not what it was",
        "known to no run and no collection (left by work that was stopped, or replaced since), without harm: 1",
        "- blobs/.x",
    ]


def test_damage_makes_the_answer_no(filled: Path) -> None:
    assert primad("archive", "verify").code == 0
    blob = max((path for path in (filled / "blobs").rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
    blob.chmod(0o600)
    blob.write_bytes(blob.read_bytes()[:-3] + b"xyz")

    outcome = primad("archive", "verify", "--format", "json")

    assert outcome.code == 1
    assert len(json.loads(outcome.out)["damage"]) >= 1


@pytest.mark.usefixtures("filled")
def test_a_backup_comes_back_as_the_same_runs(tmp_path: Path) -> None:
    before = json.loads(primad("archive", "search", "--sort", "tag", "--format", "json").out)

    written = primad("archive", "backup", tmp_path / "b.tar")
    restored = primad("archive", "restore", tmp_path / "b.tar", tmp_path / "new")

    after = json.loads(
        primad("archive", "search", "--sort", "tag", "--format", "json", "--archive", tmp_path / "new").out
    )
    assert (written.code, restored.code) == (0, 0)
    assert written.err.startswith(f"primad: backup in {tmp_path / 'b.tar'}, ")
    verify = f"primad archive verify --archive {tmp_path / 'new'}"
    assert restored.err == (
        f"primad: archive in {tmp_path / 'new'}, with SQLite\nprimad: see that all is there with: {verify}\n"
    )
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700, "others may read it, hidden gold standards too"
    assert after == before


@pytest.mark.usefixtures("filled")
def test_a_run_that_is_removed_is_found_no_more_and_the_reason_is_kept() -> None:
    outcome = primad("archive", "remove", "rm3", "--because", "wrong topics")

    address = outcome.err.split("(")[1].split(")")[0]
    assert outcome.err == (f"primad: rm3 ({address}) is out of sight; adding its file again brings it back\n")
    assert primad("archive", "search", "tag:rm3").code == 1
    assert "reason: wrong topics" in primad("archive", "show", address).out
    assert "was already out of sight" in primad("archive", "remove", address).err


@pytest.mark.usefixtures("filled")
def test_runs_that_a_query_finds_are_exported_and_go_back_in(tmp_path: Path) -> None:
    outcome = primad("archive", "export", tmp_path / "out", "team:h2oloo")

    said = outcome.err.splitlines()
    assert said[0] == f"primad: 2 runs in {tmp_path / 'out'}"
    assert said[1].startswith("primad: another archive learns what they are judged by with: primad archive collection ")
    assert said[2:] == [f"primad: then they go into it with: primad archive add {tmp_path / 'out'}"]
    primad("archive", "init", tmp_path / "new")
    for line in said[1:]:
        _, *command = shlex.split(line.partition(" with: ")[2])
        done = primad(*command, "--archive", tmp_path / "new")
    assert done.out.startswith("2 added\n")
    assert " on Core17 by map, " in done.out


@pytest.mark.usefixtures("filled")
def test_nothing_is_exported_as_nothing(tmp_path: Path) -> None:
    outcome = primad("archive", "export", tmp_path / "out", "team:nobody")

    assert outcome.code == 1
    assert not (tmp_path / "out").exists()
