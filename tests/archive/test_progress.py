"""Is it seen whether runs got better over the years, and who was compared with a weak baseline?"""

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.errors import MeasureError, PairingError
from primad.reports.archive.answers import Point, Progress
from tests.archive.described import record, write

_NUMBERS = count()


def judged(archive: Archive, folder: Path) -> None:
    """Give the collection one topic with one relevant document: a run scores one over its rank."""
    (folder / "one.qrels").write_text("1 0 d 1\n")
    archive.set_collection("Core17", qrels=[folder / "one.qrels"])


def add(
    archive: Archive, folder: Path, tag: str, rank: int, year: int | None, baseline: Sequence[str] = (), **fields: Any
) -> None:
    """Add a run of a YEAR that has the relevant document at RANK, and names BASELINE."""
    names = [f"x{place}" for place in range(1, 11)]
    names[rank - 1] = "d"
    lines = "".join(f"1 Q0 {name} {place} {20 - place} {tag}\n" for place, name in enumerate(names, 1))
    fields = {"research_goal__venue__year": year, "research_goal__evaluation__baseline": list(baseline), **fields}
    list(archive.add(write(folder, f"{next(_NUMBERS)}.run", record(tag, **fields), lines)))


@pytest.fixture
def told(archive: Archive, tmp_path: Path) -> Progress:
    """Return the progress on a collection whose improvements do not add up."""
    judged(archive, tmp_path)
    add(archive, tmp_path, "a1", 5, 2001)
    add(archive, tmp_path, "a2", 2, 2001, ["a1"])
    add(archive, tmp_path, "b1", 4, 2003, ["a1"])
    add(archive, tmp_path, "b2", 4, 2003, ["a2"], actor__team="Lab")
    add(archive, tmp_path, "b3", 10, 2003, ["unknown"])
    add(archive, tmp_path, "c1", 1, 2004, ["a1", "b1"])
    add(archive, tmp_path, "c2", 4, 2004, ["a1", "a2"], actor__name="Bo")
    add(archive, tmp_path, "again", 3, 2004, ["a1"], actor__role="reproducer")
    add(archive, tmp_path, "timeless", 1, None)
    add(archive, tmp_path, "gone", 1, 2001)
    add(archive, tmp_path, "elsewhere", 1, 2001, data__test_collection__name="Robust")
    archive.evaluate(measures=["map"])
    archive.remove("gone")
    add(archive, tmp_path, "late", 7, 2001)
    return archive.progress("core17")


def test_each_year_has_its_best_its_median_and_the_best_before(told: Progress) -> None:
    found = [
        (year.year, year.runs, year.best.tag, year.best.score, year.median, year.best_before) for year in told.years
    ]

    assert found == [
        (2001, 2, "a2", 0.5, pytest.approx(0.35), None),
        (2003, 3, "b1", 0.25, 0.25, 0.5),
        (2004, 3, "c1", 1.0, pytest.approx(1 / 3, abs=1e-6), 0.5),
    ]


def test_runs_whose_strongest_baseline_is_below_the_best_before_are_weak(told: Progress) -> None:
    assert [(year.year, year.compared, year.weak) for year in told.years] == [
        (2001, 1, ()),
        (2003, 2, ("b1",)),
        (2004, 2, ("c1",)),
    ]


def test_points_tell_which_runs_others_are_compared_with(told: Progress) -> None:
    assert [(one.year, one.tag, one.is_baseline) for one in told.points] == [
        (2001, "a2", True),
        (2001, "a1", True),
        (2003, "b1", True),
        (2003, "b2", False),
        (2003, "b3", False),
        (2004, "c1", False),
        (2004, "again", False),
        (2004, "c2", False),
    ]
    assert told.points[0] == Point(
        year=2001, address=told.years[0].best.address, tag="a2", team="h2oloo", score=0.5, is_baseline=True
    )


def test_what_follows_is_said_with_numbers(told: Progress) -> None:
    assert (told.collection, told.measure, told.without_year, told.without_score) == ("Core17", "map", 1, 1)
    assert [year.sentence for year in told.years] == [
        "2001: the best of 2 runs is a2 (h2oloo) with 0.5000; there is none of a year before.",
        (
            "2003: the best of 3 runs is b1 (h2oloo) with 0.2500, 0.2500 short of a2 (h2oloo) of 2001; "
            "of 2 compared with a baseline in the archive, 1 had one below the 0.5000 of a2 (h2oloo): b1."
        ),
        (
            "2004: the best of 3 runs is c1 (h2oloo) with 1.0000, 0.5000 better than all years before; "
            "of 2 compared with a baseline in the archive, 1 had one below the 0.5000 of a2 (h2oloo): c1."
        ),
    ]
    assert told.sentences == (
        (
            "From 2001 to 2004 the best map went from 0.5000 to 1.0000; "
            "1 of the 2 years after the first brought a better run."
        ),
        (
            "Of 4 runs after 2001 that were compared with a baseline in the archive, 2 (50 %) had one below the best "
            "run of the years before."
        ),
        "1 of 9 runs with a score states no year (research goal.venue.year).",
        "1 of 10 runs has no score by map; compute them with: primad archive evaluate -m map",
    )


def test_of_baselines_with_the_same_tag_that_of_the_same_team_is_meant(archive: Archive, tmp_path: Path) -> None:
    judged(archive, tmp_path)
    add(archive, tmp_path, "best", 1, 2000)
    add(archive, tmp_path, "bm25", 5, 2001, actor__team="Lab", actor__name="Bo")
    add(archive, tmp_path, "bm25", 1, 2001)
    add(archive, tmp_path, "lab", 1, 2002, ["bm25"], actor__team="LAB")
    add(archive, tmp_path, "ours", 1, 2002, ["BM25"])
    add(archive, tmp_path, "others", 1, 2002, ["bm25"], actor__team="Others")
    archive.evaluate(measures=["map"])

    assert archive.progress("Core17").years[-1].weak == ("lab",)


def test_of_namesakes_of_several_other_teams_nobody_knows_which_is_meant(archive: Archive, tmp_path: Path) -> None:
    judged(archive, tmp_path)
    add(archive, tmp_path, "best", 1, 2000)
    add(archive, tmp_path, "bm25", 5, 2001, actor__team="Lab", actor__name="Bo")
    add(archive, tmp_path, "bm25", 4, 2001, actor__team=None, actor__name="Cy")
    add(archive, tmp_path, "ql", 3, 2001, actor__team=None, actor__name="Cy")
    add(archive, tmp_path, "third", 1, 2002, ["bm25"], actor__team="Others")
    add(archive, tmp_path, "nobody", 1, 2002, ["bm25"], actor__team=None, actor__name="Di")
    add(archive, tmp_path, "sure", 1, 2002, ["ql"], actor__team="Others")
    archive.evaluate(measures=["map"])

    found = archive.progress("Core17")

    assert (found.years[-1].compared, found.years[-1].weak) == (1, ("sure",))
    assert [one.tag for one in found.points if one.is_baseline] == ["ql"]


def test_no_baseline_is_of_a_later_year_or_of_one_that_is_not_known(archive: Archive, tmp_path: Path) -> None:
    judged(archive, tmp_path)
    add(archive, tmp_path, "best", 1, 2000)
    add(archive, tmp_path, "bm25", 5, 2003, actor__name="Bo")
    add(archive, tmp_path, "undated", 5, None)
    add(archive, tmp_path, "early", 2, 2001, ["bm25", "undated"])
    add(archive, tmp_path, "same", 2, 2003, ["bm25"])
    add(archive, tmp_path, "bm25", 4, 2004, actor__team="Lab")
    add(archive, tmp_path, "other", 2, 2003, ["bm25"], actor__team="Others")
    archive.evaluate(measures=["map"])

    found = archive.progress("Core17")

    assert [(one.year, one.compared, one.weak) for one in found.years] == [
        (2000, 0, ()),
        (2001, 0, ()),
        (2003, 2, ("same", "other")),
        (2004, 0, ()),
    ]


def test_scores_of_earlier_code_are_told(archive: Archive, tmp_path: Path) -> None:
    from primad.archive.models import Score

    judged(archive, tmp_path)
    add(archive, tmp_path, "a", 1, 2000)
    add(archive, tmp_path, "b", 2, 2000)
    archive.evaluate(measures=["map"])
    Score.objects.filter(value=1).update(code="of another day")

    assert archive.progress("Core17").sentences[-1] == (
        "1 of these scores was computed by earlier code; renew them with: primad archive evaluate -m map"
    )


def test_that_no_run_states_a_year_is_told_with_what_to_do(sqlite_archive: Archive, tmp_path: Path) -> None:
    judged(sqlite_archive, tmp_path)
    add(sqlite_archive, tmp_path, "a", 1, None)
    sqlite_archive.evaluate(measures=["map"])

    found = sqlite_archive.progress("Core17")

    assert (found.points, found.without_year, found.without_score) == ((), 1, 0)
    assert found.sentences == (
        (
            "None of 1 run with a score states a year; state it as research goal.venue.year, and add the runs again "
            "with: primad archive add --replaces ID"
        ),
    )


def test_a_run_that_names_itself_is_compared_with_nothing(sqlite_archive: Archive, tmp_path: Path) -> None:
    judged(sqlite_archive, tmp_path)
    add(sqlite_archive, tmp_path, "a", 1, 2000)
    add(sqlite_archive, tmp_path, "b", 2, 2001, ["b"])
    sqlite_archive.evaluate(measures=["map"])

    found = sqlite_archive.progress("Core17")

    assert (found.years[1].compared, [one.is_baseline for one in found.points]) == (0, [False, False])
    assert found.years[1].sentence.endswith(
        "; none is compared with a baseline that is in the archive; reproductions are not counted."
    )


def test_by_a_measure_of_faults_the_lowest_score_is_the_best(archive: Archive, tmp_path: Path) -> None:
    judged(archive, tmp_path)
    add(archive, tmp_path, "a", 1, 2000)
    add(archive, tmp_path, "b", 9, 2001, ["c"])
    add(archive, tmp_path, "c", 8, 2000)
    archive.evaluate(measures=["unj_5"])

    found = archive.progress("Core17", "unj_5")

    assert [(one.year, one.best.tag, one.weak) for one in found.years] == [(2000, "a", ()), (2001, "b", ("b",))]
    assert "short of a (h2oloo) of 2000" in found.years[1].sentence


def test_one_year_says_nothing_about_progress(sqlite_archive: Archive, tmp_path: Path) -> None:
    judged(sqlite_archive, tmp_path)
    add(sqlite_archive, tmp_path, "a", 1, 2000)
    sqlite_archive.evaluate(measures=["map"])

    assert sqlite_archive.progress("Core17").sentences == (
        "All runs with a year are of 2000, so nothing can be said about progress.",
    )


def test_where_nothing_has_a_score_that_is_all_that_is_said(sqlite_archive: Archive, tmp_path: Path) -> None:
    judged(sqlite_archive, tmp_path)
    add(sqlite_archive, tmp_path, "a", 1, 2000)

    found = sqlite_archive.progress("Core17")

    assert (found.points, found.years, found.without_score) == ((), (), 1)
    assert found.sentences == ("1 of 1 runs has no score by map; compute them with: primad archive evaluate -m map",)


def test_what_cannot_be_asked_is_refused(archive: Archive, tmp_path: Path) -> None:
    add(archive, tmp_path, "a", 1, 2000)

    with pytest.raises(PairingError, match=r"no collection is called 'cor17'; did you mean 'core17'\?"):
        archive.progress("cor17")
    with pytest.raises(PairingError, match=r"no collection is called 'x\\x00'$"):
        archive.progress("x\0")
    with pytest.raises(MeasureError, match="the collection Core17 has no judgments"):
        archive.progress("core17")
    with pytest.raises(MeasureError, match="neither higher nor lower scores are better"):
        archive.progress("core17", "num_ret")
