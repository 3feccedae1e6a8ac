"""Is each run scored once, rightly, and is it told which have no score and why?"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from primad import evaluate
from primad.archive import scoring
from primad.archive.archive import Archive
from primad.archive.batch import Batch, Content, score_batch
from primad.archive.code_version import code_version
from primad.archive.models import Score
from primad.compute import Place
from primad.errors import MeasureError, UnknownMeasure, UsageError, WorkError
from primad.reports.archive.answers import Evaluated
from primad.store.blobs import digest_of
from tests.archive.deadly import DEADLY, deadly
from tests.archive.described import QRELS, ranking, record, write, write_own_run, write_qrels, write_run

pytestmark = pytest.mark.slow

MEASURES = ("map", "P_1", "num_rel_ret")
# The mean average precision of a run whose lists are turned around in so many of the three topics.
MAP = (1.0, 31 / 36, 25 / 36, 19 / 36)


def add(archive: Archive, *paths: Path, **options: Any) -> None:
    """Add runs, all of which must be kept."""
    found = list(archive.add(paths, **options))
    assert [one for one in found if one.status == "refused"] == []


def filled(archive: Archive, folder: Path, runs: int = 4) -> list[Path]:
    """Let ARCHIVE have a collection with judgments and so many runs, and return their files."""
    archive.set_collection("Core17", qrels=[write_qrels(folder)])
    paths = [write_own_run(folder, number) for number in range(runs)]
    add(archive, *paths)
    return paths


def scored(archive: Archive, measures: Iterable[str] = MEASURES, **options: Any) -> Evaluated:
    """Score all runs of ARCHIVE."""
    with archive.speaking():
        from primad.archive.scoring import evaluate as evaluate_runs
        from primad.archive.search.finding import in_sight

        return evaluate_runs(archive.folder, in_sight(), list(measures), **options)


def kept(archive: Archive, *columns: str) -> dict[tuple[str, str], Any]:
    """Return what is kept of the scores: the COLUMNS, or the value, by tag and measure."""
    with archive.speaking():
        rows = Score.objects.values_list("ranking__runs__tag", "measure", *(columns or ("value",)))
        return {(tag, measure): values if len(values) > 1 else values[0] for tag, measure, *values in rows}


def counts(done: Evaluated) -> tuple[int, int, int, int]:
    """Return how many runs there were, were computed, were known, and have no score."""
    return done.runs, done.computed, done.known, len(done.unscored)


# Scores ----------------------------------------------------------------------------------------------------------


def test_every_run_has_the_scores_that_its_file_has(archive: Archive, tmp_path: Path) -> None:
    paths = filled(archive, tmp_path)

    done = scored(archive)

    assert counts(done) == (4, 4, 0, 0)
    assert done.measures == MEASURES
    expected = evaluate(tmp_path / "core17.qrels", paths, MEASURES)
    assert kept(archive) == {(run.tag, name): value for run in expected for name, value in run.summary.items()}
    assert [kept(archive)[f"run{number}", "map"] for number in range(4)] == pytest.approx(MAP)


def test_a_score_knows_its_standard_error_its_topics_and_its_code(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path)

    scored(archive)

    found = kept(archive, "standard_error", "items", "code")
    # Over the topics 0, 1 and 1 the variance is 1/3, so the error of their mean is a third.
    assert found["run1", "P_1"] == [pytest.approx(1 / 3), 3, code_version()]
    assert found["run0", "map"] == [0.0, 3, code_version()]
    assert found["run1", "num_rel_ret"][0] is None  # a sum has none


def test_judged_topics_that_a_run_lacks_count_as_0(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path, 2)
    add(archive, write(tmp_path, "short.run", record("short"), "302 Q0 d4 1 9.5 short\n"))

    scored(archive, ["map", "P_1", "num_rel"])

    # Over the topics 0, 1 and 0 the variance is 1/3, so the error of their mean is a third.
    found = kept(archive, "value", "standard_error", "items")
    assert found["short", "map"] == found["short", "P_1"] == [pytest.approx(1 / 3), pytest.approx(1 / 3), 3]
    assert found["short", "num_rel"][0] == found["run0", "num_rel"][0] == 4
    assert [hit.tag for hit in archive.search("", sort="map").hits] == ["run0", "run1", "short"]
    with archive.speaking():
        from primad.archive.topic_scores import read_topic_scores

        run = archive.run("short")
        topics = read_topic_scores(archive.folder, [run.ranking_id], run.collection.qrels_id, "map")
    assert topics == {run.ranking_id: {"302": 1.0}}


def test_scores_are_not_computed_again(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path)
    scored(archive)
    first = {path: path.stat().st_mtime_ns for path in archive.folder.scores.rglob("*.parquet")}

    again = scored(archive)

    assert counts(again) == (4, 0, 4, 0)
    assert {path: path.stat().st_mtime_ns for path in archive.folder.scores.rglob("*.parquet")} == first


def test_only_measures_that_are_missing_are_computed(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path)
    scored(archive, ["map"])
    tables = kept(archive, "topics__digest")

    more = scored(archive, ["P_1", "map"])

    assert counts(more) == (4, 4, 0, 0)
    found = kept(archive, "topics__digest")
    assert {key: table for key, table in found.items() if key[1] == "map"} == tables
    assert found["run0", "P_1"] not in tables.values()


def test_a_new_run_is_scored_and_the_others_are_left_alone(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path, 2)
    scored(archive)
    add(archive, write_run(tmp_path, "new.run", "new", 3))

    assert counts(scored(archive)) == (3, 1, 2, 0)
    assert kept(archive)["new", "map"] == pytest.approx(MAP[3])


def test_scores_of_other_code_are_replaced(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path)
    scored(archive, ["map"])
    with archive.speaking():
        Score.objects.update(code="0" * 16, value=0.5)

    assert counts(scored(archive, ["map"])) == (4, 4, 0, 0)
    assert kept(archive, "value", "code")["run0", "map"] == [1.0, code_version()]
    assert len(kept(archive)) == 4


def test_new_judgments_give_new_scores_beside_the_old(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path, 1)
    scored(archive, ["map"])
    stricter = tmp_path / "new.qrels"
    stricter.write_text(QRELS.replace("d3 1", "d3 0"))
    archive.set_collection("Core17", qrels=[stricter])

    assert counts(scored(archive, ["num_rel_ret"])) == (1, 1, 0, 0)
    with archive.speaking():
        found = Score.objects.order_by("id").values_list("measure", "value", "qrels__name")
        assert list(found) == [("map", 1.0, "core17.qrels"), ("num_rel_ret", 3.0, "new.qrels")]


def test_two_headers_over_one_ranking_have_one_score(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    add(archive, write_run(tmp_path, "a.run"), write_run(tmp_path, "b.run", actor__name="Grace"))

    done = scored(archive, ["map"])

    assert counts(done) == (2, 2, 0, 0)
    with archive.speaking():
        assert Score.objects.count() == 1


def test_one_ranking_in_two_collections_is_scored_by_the_judgments_of_each(archive: Archive, tmp_path: Path) -> None:
    one_topic = tmp_path / "one.qrels"
    one_topic.write_text("301 0 d2 1\n")
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    archive.set_collection("Other", qrels=[one_topic])
    add(archive, write_run(tmp_path, "a.run"), write_run(tmp_path, "b.run", data__test_collection__name="Other"))

    done = scored(archive, ["recip_rank"])

    assert counts(done) == (2, 2, 0, 0)
    with archive.speaking():
        found = dict(Score.objects.values_list("qrels__name", "value"))
    assert found == {"core17.qrels": 1.0, "one.qrels": pytest.approx(1 / 3)}


def test_scores_whose_topics_are_lost_are_computed_again(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path)
    scored(archive)
    (path,) = archive.folder.scores.rglob("*.parquet")
    content = path.read_bytes()
    path.unlink()

    assert counts(scored(archive)) == (4, 4, 0, 0)
    assert path.read_bytes() == content


def test_a_run_that_is_replaced_while_it_is_looked_up_leaves_no_score_under_its_former_ranking(
    sqlite_archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = sqlite_archive
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    add(archive, write_run(tmp_path, "bad.run", "bm25", worse=3))
    before = archive.run("bm25")
    better = write_run(tmp_path, "good.run", "bm25")
    look_up = scoring._files_of

    def replaced(runs: Iterable[int]) -> Iterator[tuple[int, int, str]]:
        add(archive, better, replaces=before.address)
        yield from look_up(runs)

    with monkeypatch.context() as patched:
        patched.setattr(scoring, "_files_of", replaced)
        first = archive.evaluate(measures=["map"])
    second = archive.evaluate(measures=["map"])

    assert reasons(first) == {"bm25": "was replaced in the meantime; evaluate once more"}
    assert first.computed + second.computed == 1
    assert list(Score.objects.values_list("ranking__digest", "value")) == [(archive.run("bm25").ranking.digest, 1.0)]


def test_removed_runs_are_not_scored(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path, 2)
    archive.remove("run0")

    assert counts(scored(archive)) == (1, 1, 0, 0)
    assert {tag for tag, _ in kept(archive)} == {"run1"}


@pytest.mark.parametrize("jobs", [pytest.param(1, id="here"), pytest.param(2, id="two processes")])
def test_more_runs_than_fit_a_batch_or_a_page_are_all_scored(
    sqlite_archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.setattr("primad.archive.scoring._PAGE", 7)
    filled(sqlite_archive, tmp_path, 40)

    done = scored(sqlite_archive, ["map"], place=Place(jobs=jobs))

    assert counts(done) == (40, 40, 0, 0)
    assert kept(sqlite_archive) == {(f"run{n}", "map"): pytest.approx(MAP[n % 4]) for n in range(40)}
    assert len(list(sqlite_archive.folder.scores.rglob("*.parquet"))) == 3  # batches of 16


def test_runs_that_would_travel_together_are_parted_where_they_are_large(
    sqlite_archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed_over: list[Batch] = []

    def seen(batch: Batch) -> Any:
        handed_over.append(batch)
        return score_batch(batch)

    def elsewhere(_: Any, batches: Iterable[Batch], **__: Any) -> Iterator[Any]:
        yield from ((batch, seen(batch)) for batch in batches)

    filled(sqlite_archive, tmp_path, 5)
    monkeypatch.setattr("primad.archive.scoring._MOST_BYTES", 1)
    monkeypatch.setattr("primad.compute.outcomes", elsewhere)

    done = scored(sqlite_archive, ["map"], place=Place(cluster="tcp://example.org:1"))

    assert counts(done) == (5, 5, 0, 0)
    assert [len(batch.rankings) for batch in handed_over] == [1] * 5
    assert all(content.packed and not content.store for batch in handed_over for _, content in batch.rankings)


# Progress --------------------------------------------------------------------------------------------------------


def test_whoever_watches_sees_one_thing_per_run(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path, 3)
    scored(archive, ["map"])
    add(archive, write_run(tmp_path, "x.run", "x"), write_run(tmp_path, "y.run", "y", data__test_collection__name="No"))
    seen: list[int] = []

    def watch(things: Iterable[Any], total: int) -> Iterator[Any]:
        for thing in things:
            seen.append(total)
            yield thing

    assert counts(scored(archive, ["map"], watch=watch)) == (5, 1, 3, 1)
    assert seen == [5] * 5


def test_an_archive_without_runs_has_nothing_to_score(archive: Archive) -> None:
    assert counts(scored(archive)) == (0, 0, 0, 0)


# What cannot be scored -------------------------------------------------------------------------------------------


def reasons(done: Evaluated) -> dict[str, str]:
    """Return why runs have no score, by tag."""
    return {one.tag: one.reason for one in done.unscored}


def test_a_collection_without_judgments_is_told(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path, 1)
    add(archive, write_run(tmp_path, "x.run", "x", data__test_collection__name="Robust04"))

    done = scored(archive, ["map"])

    assert counts(done) == (2, 1, 0, 1)
    hint = "give them with: primad archive collection Robust04 --qrels FILE"
    assert reasons(done) == {"x": f"the collection Robust04 has no judgments; {hint}"}


def test_topics_that_do_not_fit_are_told(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path, 1)
    add(archive, write(tmp_path, "x.run", None, "9 Q0 d1 1 1 x\n"), collection="Core17", without_metadata=True)

    done = scored(archive, ["map"])

    assert counts(done) == (2, 1, 0, 1)
    assert reasons(done) == {
        "x": "topics: expected topics of the qrels (301, 302, 303), found only others (9)",
    }


def damage(archive: Archive, digest: str) -> Path:
    """Let the content with DIGEST be another one, and return where it is."""
    path = archive.folder.blobs.path_of(digest)
    other = archive.folder.blobs.path_of(archive.folder.blobs.put(b"something else"))
    path.unlink()
    path.write_bytes(other.read_bytes())
    return path


def file_of(archive: Archive, tag: str) -> str:
    """Return the digest of the file of the run TAG."""
    run = archive.run(tag)
    with archive.speaking():
        digest: str = run.versions.get().file
        return digest


@pytest.mark.parametrize("jobs", [pytest.param(1, id="here"), pytest.param(2, id="two processes")])
def test_a_damaged_run_is_told_and_the_others_are_scored(sqlite_archive: Archive, tmp_path: Path, jobs: int) -> None:
    filled(sqlite_archive, tmp_path, 3)
    path = damage(sqlite_archive, file_of(sqlite_archive, "run1"))

    done = scored(sqlite_archive, ["map"], place=Place(jobs=jobs))

    assert counts(done) == (3, 2, 0, 1)
    assert reasons(done)["run1"].startswith(f"{path}: holds other bytes than its name says")
    assert {tag for tag, _ in kept(sqlite_archive)} == {"run0", "run2"}


def test_damaged_judgments_are_told_and_other_collections_are_scored(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path, 1)
    other = tmp_path / "other.qrels"
    other.write_text("301 0 d1 1\n")
    archive.set_collection("Other", qrels=[other])
    add(archive, write_run(tmp_path, "x.run", "x", data__test_collection__name="Other"))
    damage(archive, digest_of(other.read_bytes()))

    done = scored(archive, ["map"])

    assert counts(done) == (2, 1, 0, 1)
    assert reasons(done)["x"].startswith("its judgments are damaged: ")


@pytest.mark.parametrize(
    ("measures", "error", "said"),
    [
        pytest.param(["mapp"], UnknownMeasure, "unknown measure 'mapp'; did you mean 'map'?", id="unknown"),
        pytest.param(
            ["map", "runid"], MeasureError, "measure 'runid': it gives no score for a run as a whole", id="no"
        ),
        pytest.param([], UsageError, "expected at least one measure, such as map, found none", id="none"),
    ],
)
def test_a_wrong_measure_is_refused_before_any_work(
    sqlite_archive: Archive, tmp_path: Path, measures: list[str], error: type[Exception], said: str
) -> None:
    filled(sqlite_archive, tmp_path, 1)

    with pytest.raises(error) as caught:
        scored(sqlite_archive, measures)

    assert str(caught.value) == said
    assert kept(sqlite_archive) == {}


def test_measures_are_kept_under_the_names_of_trec_eval(sqlite_archive: Archive, tmp_path: Path) -> None:
    filled(sqlite_archive, tmp_path, 1)

    done = scored(sqlite_archive, ["AP", "P@1", "P_1", "RBP(p=0.5,rel=1)"])

    assert done.measures == ("map", "P_1", "RBP(p=0.5,rel=1)")
    assert {measure for _, measure in kept(sqlite_archive)} == set(done.measures)


def test_of_a_set_of_measures_those_without_a_score_are_passed_over(sqlite_archive: Archive, tmp_path: Path) -> None:
    filled(sqlite_archive, tmp_path, 1)

    done = scored(sqlite_archive, ["official"])

    assert "runid" not in done.measures
    assert {measure for _, measure in kept(sqlite_archive)} == set(done.measures) >= {"map", "gm_map", "num_q"}


# Batches ---------------------------------------------------------------------------------------------------------


def test_a_worker_with_other_code_is_refused() -> None:
    qrels = Content(digest_of(QRELS.encode()), QRELS.encode())

    with pytest.raises(WorkError, match="another version of primad"):
        score_batch(Batch(1, qrels, ("map",), (), "0" * 16))


def test_a_batch_needs_nothing_but_what_it_carries() -> None:
    qrels = Content(digest_of(QRELS.encode()), QRELS.encode())
    run = ranking("x", 1).encode()
    batch = Batch(1, qrels, ("map",), ((5, Content(digest_of(run), run)),), code_version())

    done = score_batch(batch)

    (row,) = done.scores
    assert (row.ranking, row.measure, row.items, row.in_table) == (5, "map", 3, True)
    assert row.value == pytest.approx(MAP[1])
    assert done.failures == []


def test_what_a_library_does_with_one_run_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels = Content(digest_of(QRELS.encode()), QRELS.encode())
    good, bad = (ranking(tag).encode() for tag in ("good", "bad"))
    contents = ((1, Content(digest_of(bad), bad)), (2, Content(digest_of(good), good)))

    def read(data: bytes) -> Any:
        if data == bad:
            raise RuntimeError("a panic")
        return read_run(data)

    from primad.trec import read_run

    monkeypatch.setattr("primad.archive.batch.read_run", read)

    done = score_batch(Batch(1, qrels, ("map",), contents, code_version()))

    assert done.failures == [(1, "could not be scored (RuntimeError('a panic'))")]
    assert [row.ranking for row in done.scores] == [2]


def test_a_run_that_takes_its_process_down_is_told_and_the_others_are_scored(
    sqlite_archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(sqlite_archive, tmp_path, 5)
    monkeypatch.setenv(DEADLY, file_of(sqlite_archive, "run3"))
    monkeypatch.setattr("primad.archive.scoring.score_batch", deadly)

    done = scored(sqlite_archive, ["map"], place=Place(jobs=2))

    assert counts(done) == (5, 4, 0, 1)
    assert reasons(done)["run3"].startswith("a process that did part of the work was ended")
    assert {tag for tag, _ in kept(sqlite_archive)} == {"run0", "run1", "run2", "run4"}


# Several at once, and stopped ones -------------------------------------------------------------------------------

EVALUATE = """
import json, sys, time
from primad.archive.archive import Archive
from primad.compute import Place

def watch(things, total):
    for number, thing in enumerate(things, 1):
        print(number, flush=True)
        time.sleep(float(sys.argv[2]))
        yield thing

if __name__ == "__main__":
    archive = Archive(sys.argv[1])
    with archive.speaking():
        from primad.archive.search.finding import in_sight
        from primad.archive.scoring import evaluate

        done = evaluate(archive.folder, in_sight(), ["map", "P_1"], place=Place(jobs=1), watch=watch)
    print(json.dumps([done.computed, done.known, len(done.unscored)]))
"""


def start(archive: Archive, script: Path, pause: float) -> subprocess.Popen[str]:
    """Start an evaluation of ARCHIVE in another process, which waits that long after each run."""
    script.write_text(EVALUATE)
    arguments = [sys.executable, str(script), str(archive.folder.path), str(pause)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def test_after_a_kill_only_what_was_not_stored_is_computed(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path, 40)
    with start(archive, tmp_path / "other.py", 0.1) as other:
        assert other.stdout is not None
        for _ in range(20):  # in the middle of the second batch of 16
            other.stdout.readline()
        os.kill(other.pid, signal.SIGKILL)
    stored = kept(archive, "id")

    done = scored(archive, ["map", "P_1"])

    assert len(stored) == 2 * 32
    assert counts(done) == (40, 8, 32, 0)
    assert kept(archive, "id").items() >= stored.items()
    found = kept(archive)
    assert [found[f"run{number}", "map"] for number in range(40)] == pytest.approx([MAP[n % 4] for n in range(40)])


def test_two_processes_may_score_the_same_runs_at_once(archive: Archive, tmp_path: Path) -> None:
    filled(archive, tmp_path, 40)
    others = [start(archive, tmp_path / f"other{number}.py", 0.001) for number in range(2)]

    said = [other.communicate()[0].splitlines()[-1] for other in others]

    assert [other.returncode for other in others] == [0, 0]
    assert [sum(json.loads(one)) for one in said] == [40, 40]
    assert [json.loads(one)[2] for one in said] == [0, 0]
    assert len(kept(archive)) == 80
