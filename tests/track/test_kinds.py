"""What comes of tasks in which something is reproduced or measured, and of attempts at runs?"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from primad.errors import DataError, PrimadError, UsageError
from primad.track.models import Output
from primad.track.outputs import NewOutput
from primad.track.track import Track

QRELS = b"1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n2 0 d3 1\n"


def run(tag: str, *documents: str) -> bytes:
    """Return a run that ranks DOCUMENTS for both topics."""
    lines = [
        f"{topic} Q0 {document} {rank} {10 - rank} {tag}\n"
        for topic in (1, 2)
        for rank, document in enumerate(documents, 1)
    ]
    return "".join(lines).encode()


def judged(track: Track, files: Path, kind: str, more: Mapping[str, str] | None = None, **facts: Any) -> None:
    """Give TRACK a task of a KIND on two topics, with MORE settings, and two teams; it is in the phase results then."""
    (files / "qrels").write_bytes(QRELS)
    settings = {"measures": ["map"], **(more or {})}
    track.set_task("adhoc", title="BM25 on two topics", scorer="trec", settings=settings, kind=kind, **facts)
    track.set_data_set("adhoc", "topics", gold=files / "qrels")
    for team in ("alpha", "beta"):
        track.set_team(team)
    track.move_to("results")


def test_reimplementations_are_assessed_beside_the_original(track: Track, files: Path) -> None:
    (files / "original").mkdir()
    (files / "original/base.run").write_bytes(run("base", "d2", "d1"))
    (files / "original/adv.run").write_bytes(run("adv", "d1", "d2"))
    original = {"baseline": "base.run", "advanced": "adv.run"}
    judged(track, files, "reproduce", original=original, original_files=files / "original")
    for team, advanced in (("alpha", ("d1", "d2")), ("beta", ("d2", "d1"))):
        base = NewOutput({"b.run": run("b", "d2", "d1")}, configuration="baseline")
        track.submit(team, "ours", [base, NewOutput({"a.run": run("a", *advanced)}, configuration="advanced")])

    found = track.assess_task("adhoc")

    ratios = {one.name: value.value for one in found.reproductions if (value := one.find("er", of="map"))}
    assert ratios == {"alpha/ours": pytest.approx(1.0), "beta/ours": pytest.approx(0.0)}
    assert [one.who for one in track.report().outcomes] == ["alpha/ours", "beta/ours"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param({}, 0.5, id="by default"),
        pytest.param({"complete": "no"}, 1.0, id="left out"),
    ],
)
def test_topics_that_a_reimplementation_lacks_count_as_its_scorer_counts_them(
    settings: dict[str, str], expected: float, track: Track, files: Path
) -> None:
    (files / "original.run").write_bytes(run("base", "d1"))
    judged(track, files, "reproduce", original_files=files / "original.run", more=settings)
    # By hand: topic 1 has the average precision 1, topic 2 is missing.
    track.submit("alpha", "ours", [NewOutput({"b.run": b"1 Q0 d1 1 9 b\n"}, configuration="baseline")])

    (found,) = track.assess_task("adhoc").reproductions

    mean = found.find("arp", of="map")
    assert mean is not None
    assert mean.value == pytest.approx(expected)
    assert Output.objects.get().scored == {"map": pytest.approx(expected)}


def test_repeated_evaluations_are_quantified_with_the_original(track: Track, files: Path) -> None:
    original = {"object": "BM25", "values": {"map": 0.50}, "conditions": {"toolkit": "Anserini"}}
    judged(track, files, "measure", original=original)
    for team, value in (("alpha", 0.52), ("beta", 0.48)):
        track.submit(team, "ours", [NewOutput(values={"map": value}, conditions={"toolkit": "Pyserini"})])

    (group,) = track.quantify_task("adhoc").groups

    assert (group.group.object, group.group.measurand, group.precision.n) == ("BM25", "map", 3)
    # By hand: values .50, .52, .48 have the mean .50 and the deviation .02; c4(3) = .886227, the factor 1 + 1/12.
    assert group.cv == pytest.approx((1 + 1 / 12) * 100 * (0.02 / 0.886227) / 0.5, rel=1e-4)


def test_an_original_of_which_no_report_can_be_made_is_refused(sqlite_track: Track) -> None:
    with pytest.raises(DataError, match=r"expected a mapping as conditions of the original, found '\[1\]'"):
        sqlite_track.set_task("adhoc", scorer="trec", kind="measure", original={"conditions": [1]})


@pytest.mark.parametrize(
    ("gold", "told"),
    [
        pytest.param({"base.run": run("base", "d1")}, "base.run:1: expected 4 columns", id="a run"),
        pytest.param({"paper.pdf": b"%PDF-1.7\n\0\1"}, "paper.pdf: expected text", id="a paper"),
        pytest.param({"a": QRELS, "b": QRELS}, "b: expected each topic in one file only", id="the same twice"),
    ],
)
def test_a_gold_standard_that_is_no_qrels_is_refused_by_its_name(
    gold: dict[str, bytes], told: str, track: Track, files: Path
) -> None:
    (files / "gold").mkdir()
    for name, content in gold.items():
        (files / "gold" / name).write_bytes(content)
    track.set_task("adhoc", title="BM25 on two topics", scorer="trec")

    with pytest.raises(PrimadError, match=re.escape(told)):
        track.set_data_set("adhoc", "topics", gold=files / "gold")


def test_a_task_of_another_kind_is_refused(track: Track, files: Path) -> None:
    judged(track, files, "replicate")

    with pytest.raises(UsageError, match="expected a task of the kind reproduce, found adhoc"):
        track.assess_task("adhoc")


def test_a_task_that_nobody_took_part_in_says_so_in_the_report(track: Track, files: Path) -> None:
    judged(track, files, "measure")

    assert [one.sentence for one in track.report().outcomes] == ["nobody has submitted a measured value to adhoc"]


def test_an_attempt_at_a_run_is_assessed_by_all_measures(sqlite_track: Track, files: Path) -> None:
    track = sqlite_track
    judged(track, files, "replicate")
    track.set_analyst("ann", role="user")
    track.submit("alpha", "run", [NewOutput({"a.run": run("a", "d1", "d2")})])
    track.submit_remote("alpha/run", "ssh to the server")
    track.move_to("assignment")
    track.assign("ann", "alpha/run")
    track.move_to("replication")
    (files / "mine.run").write_bytes(run("mine", "d2", "d1"))
    number = track.start("ann", "alpha/run").number
    track.stop(number, "succeeded", output=files / "mine.run")

    found = track.assess(number)

    assert found is not None
    value = found.reproductions[0].find("rmse", of="map")
    assert value is not None
    # By hand: average precision is 1 and .5 as submitted, .5 and .25 here.
    assert value.value == pytest.approx(((0.5**2 + 0.25**2) / 2) ** 0.5)
