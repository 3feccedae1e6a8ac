"""Are the right runs put beside a run, with the right numbers?"""

import sys
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import connection
from scipy import stats

from primad.archive.archive import Archive
from primad.errors import MeasureError
from primad.reports.archive.answers import Baseline
from tests.archive.described import ranking, record, write, write_qrels, write_run
from tests.archive.test_add import kept

_NUMBERS = count()


def added(archive: Archive, folder: Path, tag: str, worse: int = 0, **fields: Any) -> str:
    """Add a run, and return its address."""
    (kept,) = archive.add(write_run(folder, f"{next(_NUMBERS)}.run", tag, worse, **fields))
    return kept.address  # type: ignore[union-attr]


def judged(archive: Archive, folder: Path) -> None:
    """Give the collection of the runs its judgments."""
    archive.set_collection("Core17", qrels=[write_qrels(folder)])


# Baselines -------------------------------------------------------------------------------------------------------


def test_the_strongest_runs_of_the_collection_come_first(archive: Archive, tmp_path: Path) -> None:
    judged(archive, tmp_path)
    own = added(archive, tmp_path, "own", 1)
    for tag, worse in (("weak", 3), ("strong", 0), ("middle", 2), ("gone", 0)):
        added(archive, tmp_path, tag, worse)
    added(archive, tmp_path, "elsewhere", 0, data__test_collection__name="Robust04")
    archive.evaluate(measures=["map"])
    archive.remove("gone")
    late = ranking("late") + "303 Q0 d9 3 1 late\n"
    list(archive.add(write(tmp_path, "late.run", record("late"), late)))

    found = archive.baselines_for(own, limit=2)

    assert [one.run.tag for one in found.baselines] == ["strong", "middle"]
    assert (found.run.tag, found.measure, found.total) == ("own", "map", 3)
    assert found.score == pytest.approx(31 / 36, abs=1e-6)
    assert found.baselines[0].score == pytest.approx(1.0)
    assert found.baselines[0].run.scores == {"map": pytest.approx(1.0)}
    assert found.remarks == (
        "1 of 5 runs on Core17 has no score by map; compute them with: primad archive evaluate -m map",
    )


def scored(archive: Archive, folder: Path, orders: dict[str, list[str]]) -> None:
    """Add runs on four topics, each with one relevant document, at the ranks that ORDERS have."""
    qrels = "".join(f"{topic} 0 d 1\n" for topic in range(4))
    (folder / "four.qrels").write_text(qrels)
    archive.set_collection("Core17", qrels=[folder / "four.qrels"])
    for tag, ranks in orders.items():
        lines = []
        for topic, rank in enumerate(ranks):
            names = [f"x{place}" for place in range(1, 11)]
            names[int(rank) - 1] = "d"
            lines += [f"{topic} Q0 {name} {place} {20 - place} {tag}" for place, name in enumerate(names, 1)]
        list(archive.add(write(folder, f"{tag}.run", record(tag), "\n".join(lines) + "\n")))
    archive.evaluate(measures=["map"])


def test_a_difference_is_tested_as_scipy_tests_it_and_corrected_by_holm(archive: Archive, tmp_path: Path) -> None:
    ranks = {"own": [4, 5, 2, 10], "a": [1, 2, 1, 3], "b": [2, 5, 1, 8], "c": [5, 4, 3, 9]}
    scored(archive, tmp_path, {tag: [str(rank) for rank in some] for tag, some in ranks.items()})

    found = {one.run.tag: one for one in archive.baselines_for("own").baselines}

    own = 1 / np.array(ranks["own"])
    p_values = []
    for tag in "abc":
        differences = 1 / np.array(ranks[tag]) - own
        expected = stats.ttest_1samp(differences, 0)
        interval = expected.confidence_interval(0.95)
        p_values.append(expected.pvalue)
        assert found[tag].difference == pytest.approx(differences.mean(), abs=1e-6)
        assert found[tag].interval == pytest.approx(tuple(interval), abs=1e-6)
        assert found[tag].p == pytest.approx(expected.pvalue, abs=1e-6)
    first, second, third = sorted(p_values)
    holm = {first: 3 * first, second: max(3 * first, 2 * second), third: max(3 * first, 2 * second, third)}
    assert [found[tag].p_holm for tag in "abc"] == pytest.approx([min(holm[p], 1) for p in p_values], abs=1e-6)
    assert list(found) == ["a", "b", "c"]


def test_what_is_corrected_for_are_the_runs_listed(archive: Archive, tmp_path: Path) -> None:
    scored(archive, tmp_path, {"own": ["4", "5", "2", "10"], "a": ["1", "2", "1", "3"], "b": ["2", "5", "1", "8"]})

    (only,) = archive.baselines_for("own", limit=1).baselines

    assert only.p is not None
    assert only.p_holm == only.p


def only_baseline(archive: Archive, tag: str, measure: str = "map") -> Baseline:
    """Return the only baseline of the run with TAG."""
    (found,) = archive.baselines_for(tag, measure=measure).baselines
    return found


def test_a_run_with_the_same_ranking_is_listed_and_nothing_is_tested(archive: Archive, tmp_path: Path) -> None:
    judged(archive, tmp_path)
    own = added(archive, tmp_path, "bm25")
    added(archive, tmp_path, "bm25", actor__name="Bo", actor__team="Lab")
    archive.evaluate(measures=["map"])

    found = archive.baselines_for(own)
    (only,) = found.baselines

    assert (only.difference, only.p, only.p_holm, only.interval) == (0.0, None, None, None)
    assert only.why_no_test == "its ranking is the same"
    assert only.type == "primAd"
    assert found.remarks == ("1 of the runs listed has the ranking of bm25 itself, so there is nothing to test",)


def test_the_type_is_that_from_the_given_run_to_the_other(archive: Archive, tmp_path: Path) -> None:
    judged(archive, tmp_path)
    added(archive, tmp_path, "own", 1)
    added(archive, tmp_path, "other", 0, method__retrieval=[{"name": "bm25", "k1": 1.2}])
    archive.evaluate(measures=["map"])

    found = only_baseline(archive, "own")

    assert (found.type, found.type_name) == ("priMad", "parameter-sweep")


@pytest.mark.parametrize(
    ("judgments", "why"),
    [
        pytest.param("301 0 d1 1\n", "a test needs at least 2 topics, found 1", id="one topic"),
        pytest.param("301 0 d1 1\n302 0 d1 1\n", "every topic differs by the same amount", id="one difference"),
    ],
)
def test_why_a_difference_is_not_tested_is_said(
    sqlite_archive: Archive, tmp_path: Path, judgments: str, why: str
) -> None:
    (tmp_path / "few.qrels").write_text(judgments)
    sqlite_archive.set_collection("Core17", qrels=[tmp_path / "few.qrels"])
    lines = "301 Q0 {0} 1 2 {1}\n302 Q0 {0} 1 2 {1}\n"
    for tag, document in (("own", "d1"), ("other", "d2")):
        list(sqlite_archive.add(write(tmp_path, f"{tag}.run", record(tag), lines.format(document, tag))))
    sqlite_archive.evaluate(measures=["map"])

    found = only_baseline(sqlite_archive, "own")

    assert (found.p, found.interval) == (None, None)
    assert found.why_no_test.startswith(why)


def test_a_judged_topic_that_a_run_lacks_counts_as_0_in_the_difference_as_in_the_scores(
    archive: Archive, tmp_path: Path
) -> None:
    (tmp_path / "five.qrels").write_text("".join(f"{topic} 0 d 1\n" for topic in range(5)))
    archive.set_collection("Core17", qrels=[tmp_path / "five.qrels"])
    ranks = {"own": {0: 1, 1: 2}, "other": {1: 1, 2: 4, 3: 1}}  # nobody has topic 4
    for tag, some in ranks.items():
        lines = "".join(
            f"{topic} Q0 {'d' if place == rank else f'x{place}'} {place} {9 - place} {tag}\n"
            for topic, rank in some.items()
            for place in range(1, 5)
        )
        list(archive.add(write(tmp_path, f"{tag}.run", record(tag), lines)))
    archive.evaluate(measures=["map"])

    found = archive.baselines_for("own")

    (other,) = found.baselines
    expected = stats.ttest_rel([0, 1, 0.25, 1, 0], [1, 0.5, 0, 0, 0])
    assert found.score == pytest.approx(1.5 / 5)
    assert other.score == pytest.approx(2.25 / 5)
    assert other.difference == pytest.approx(0.75 / 5)
    assert other.p == pytest.approx(expected.pvalue)
    assert other.interval == pytest.approx(tuple(expected.confidence_interval(0.95)))


def test_scores_of_different_code_are_not_tested_and_earlier_ones_are_told(archive: Archive, tmp_path: Path) -> None:
    from primad.archive.models import Run, Score

    scored(archive, tmp_path, {"own": ["4", "5", "2", "10"], "a": ["1", "2", "1", "3"], "b": ["2", "5", "1", "8"]})
    Score.objects.filter(ranking__in=Run.objects.filter(tag="a").values("ranking")).update(code="of another day")

    found = archive.baselines_for("own")

    first, second = found.baselines
    assert (first.run.tag, first.difference, first.p) == ("a", None, None)
    assert first.why_no_test == "its score was computed by other code"
    assert second.p is not None
    assert second.p_holm == second.p
    assert found.remarks == (
        "1 of these scores was computed by earlier code; renew them with: primad archive evaluate -m map",
    )


def test_a_removed_run_that_is_named_by_its_address_has_its_score(archive: Archive, tmp_path: Path) -> None:
    judged(archive, tmp_path)
    own = added(archive, tmp_path, "own", 1)
    added(archive, tmp_path, "other", 0)
    archive.evaluate(measures=["map"])
    archive.remove(own)

    found = archive.baselines_for(own)

    assert found.score == pytest.approx(31 / 36, abs=1e-6)
    assert [one.difference for one in found.baselines] == [pytest.approx(5 / 36, abs=1e-6)]
    assert (found.total, found.remarks) == (1, ())


def test_a_measure_without_a_better_side_has_no_strongest_runs(sqlite_archive: Archive, tmp_path: Path) -> None:
    judged(sqlite_archive, tmp_path)
    added(sqlite_archive, tmp_path, "own", 1)

    with pytest.raises(MeasureError, match="neither higher nor lower scores are better"):
        sqlite_archive.baselines_for("own", measure="num_ret")


def test_however_many_runs_are_listed_no_question_has_many_parameters(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from primad.archive import neighbours

    monkeypatch.setattr(neighbours, "_AT_ONCE", 2)
    judged(archive, tmp_path)
    for number in range(5):
        added(archive, tmp_path, f"run{number}", number % 4)
    archive.evaluate(measures=["map"])
    asked: list[int] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 - as Django calls it
        if "archive_version" in sql:
            asked.append(len(params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        found = archive.baselines_for("run0", limit=sys.maxsize)

    assert len(found.baselines) == 4
    assert asked == [2, 2, 1]


def test_scores_that_are_no_means_are_not_tested(sqlite_archive: Archive, tmp_path: Path) -> None:
    judged(sqlite_archive, tmp_path)
    added(sqlite_archive, tmp_path, "own", 1)
    added(sqlite_archive, tmp_path, "other", 0)
    sqlite_archive.evaluate(measures=["gm_map"])

    found = only_baseline(sqlite_archive, "own", "gm_map")

    assert found.why_no_test == "the score of a run by gm_map is no mean of those of its topics"


def test_a_run_without_a_score_gets_baselines_that_are_not_tested(archive: Archive, tmp_path: Path) -> None:
    judged(archive, tmp_path)
    added(archive, tmp_path, "other", 0)
    archive.evaluate(measures=["map"])
    added(archive, tmp_path, "own", 1)

    found = archive.baselines_for("own")

    assert found.score is None
    assert found.baselines[0].why_no_test == "the scores of single topics are not known"
    assert found.remarks == (
        "1 of 2 runs on Core17 has no score by map; compute them with: primad archive evaluate -m map",
    )


def test_a_collection_without_judgments_has_no_baselines(archive: Archive, tmp_path: Path) -> None:
    added(archive, tmp_path, "own")

    with pytest.raises(
        MeasureError, match="the collection Core17 has no judgments; give them with: primad archive coll"
    ):
        archive.baselines_for("own")


def test_what_to_type_for_a_collection_with_a_long_name_has_all_of_it(sqlite_archive: Archive, tmp_path: Path) -> None:
    name = "A collection of newspapers and patents of many years, judged twice"
    kept(sqlite_archive, write_run(tmp_path, "a.run", "own"), collection=name)

    with pytest.raises(MeasureError, match=f"give them with: primad archive collection '{name}' --qrels FILE"):
        sqlite_archive.baselines_for("own")


# Reproductions ---------------------------------------------------------------------------------------------------


def reproducer(tag: str, **fields: Any) -> dict[str, Any]:
    """Return the fields of a run that reproduces the one with TAG."""
    return {
        "actor__role": "reproducer",
        "actor__team": "Lab",
        "actor__name": "Bo",
        "research_goal__evaluation__baseline": [tag],
        **fields,
    }


def test_runs_that_say_so_and_runs_with_the_same_ranking_are_reproductions(archive: Archive, tmp_path: Path) -> None:
    own = added(archive, tmp_path, "bm25", 1)
    on_other = added(archive, tmp_path, "bm25-on-robust", 0, **reproducer("bm25", data__test_collection__name="Robust"))
    again = added(archive, tmp_path, "bm25-again", 2, **reproducer("bm25"))
    copy = added(archive, tmp_path, "bm25", 1, actor__name="Cy", actor__team="Elsewhere")
    same = added(archive, tmp_path, "bm25", 1, **reproducer("bm25", method__retrieval=[{"name": "BM25", "k1": 1.2}]))
    added(archive, tmp_path, "improved", 0, research_goal__evaluation__baseline=["bm25"])
    added(archive, tmp_path, "of-another", 0, **reproducer("ql"))
    gone = added(archive, tmp_path, "gone", 2, **reproducer("bm25", actor__name="Di"))
    archive.remove(gone)

    found = archive.reproductions_of(own)

    assert [(one.run.address, one.is_perfect, one.why) for one in found.reproductions] == [
        (copy, True, "another header, of another actor, over an identical ranking"),
        (same, True, "it says that it reproduces bm25, and its ranking is identical"),
        (again, False, "it says that it reproduces bm25"),
        (on_other, False, "it says that it reproduces bm25"),
    ]
    assert [one.type[3:] for one in found.reproductions] == ["mAd", "MAd", "mAd", "mAD"]
    assert found.run.address == own


def test_an_original_is_no_reproduction_of_what_reproduces_it(archive: Archive, tmp_path: Path) -> None:
    own = added(archive, tmp_path, "bm25", 1)
    copy = added(archive, tmp_path, "bm25", 1, **reproducer("bm25"))

    found = archive.reproductions_of(copy)

    assert found.reproductions == ()
    assert [one.run.address for one in archive.reproductions_of(own).reproductions] == [copy]


def test_the_tag_must_be_the_same_letter_by_letter(sqlite_archive: Archive, tmp_path: Path) -> None:
    added(sqlite_archive, tmp_path, "bm25", 1)
    added(sqlite_archive, tmp_path, "other", 2, **reproducer("BM25"))

    assert sqlite_archive.reproductions_of("bm25").reproductions == ()


def test_of_runs_with_the_same_tag_the_one_on_the_same_collection_is_meant(archive: Archive, tmp_path: Path) -> None:
    here = added(archive, tmp_path, "bm25", 1)
    there = added(archive, tmp_path, "bm25", 0, data__test_collection__name="Robust")
    again = added(archive, tmp_path, "again", 2, **reproducer("bm25"))
    elsewhere = added(archive, tmp_path, "elsewhere", 2, **reproducer("bm25", data__test_collection__name="Web"))

    assert [one.run.address for one in archive.reproductions_of(here).reproductions] == [again, elsewhere]
    assert [one.run.address for one in archive.reproductions_of(there).reproductions] == [elsewhere]


def test_that_it_is_not_known_which_run_is_meant_is_told(archive: Archive, tmp_path: Path) -> None:
    own = added(archive, tmp_path, "bm25", 1)
    other = added(archive, tmp_path, "bm25", 0, actor__name="Bo")
    added(archive, tmp_path, "again", 2, **reproducer("bm25"))

    found = archive.reproductions_of(own)

    assert len(found.reproductions) == 1
    assert found.remarks == (
        f"other runs have the tag bm25, too ({other[:12]}); whoever reproduces bm25 may mean one of them",
    )


def test_that_nobody_reproduces_a_run_is_told_with_what_would_say_so(sqlite_archive: Archive, tmp_path: Path) -> None:
    added(sqlite_archive, tmp_path, "bm25", 1)

    found = sqlite_archive.reproductions_of("bm25")

    assert found.reproductions == ()
    assert found.remarks == (
        (
            "no other run has the same ranking, and none says that it reproduces bm25 "
            "(actor.role: reproducer, research goal.evaluation.baseline: bm25)"
        ),
    )
