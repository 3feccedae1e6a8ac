"""Is precision that of the originals on their own collection, over all who reproduced them there and nobody else?"""

from pathlib import Path
from statistics import mean

import pytest

from primad.errors import MeasurementError
from primad.experiments.ccrf import outcomes
from primad.experiments.ccrf.dataset import Dataset
from primad.experiments.ccrf.plan import KEYWORDS, ORIGINAL_LATER, ORIGINAL_TEAM, RERANKING, TRANSFERRING
from tests.experiments.ccrf.studies import ap_of, done, ranked, tiny

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("study")]


def measured(dataset: Dataset) -> dict[str, dict[str, float]]:
    """Return for each original the tags of the runs that count for its precision, and what is measured of them."""
    return {
        one.group.object: {Path(each.name).stem: float(each.value) for each in one.group.measurements}
        for one in outcomes.precise(dataset)
    }


def test_there_is_a_group_for_each_original_with_its_reproductions_on_the_same_collection(study: Dataset) -> None:
    found = {name: set(values) for name, values in measured(study).items()}

    judgments, pseudo = ("original-", "reranked-", "reimplemented-", "ensemble-"), ("pseudo-", "transferred-")
    assert found == {
        f"{methods[0]}{pair}": {f"{method}{pair}" for method in methods}
        for methods in (judgments, pseudo)
        for pair in ("one.three", "one+two.three")
    }


def test_in_each_group_one_run_is_the_original_and_causes_are_looked_for(study: Dataset) -> None:
    for one in outcomes.precise(study):
        roles = {Path(each.name).stem: each.role for each in one.group.measurements}
        assert [tag for tag, role in roles.items() if role == "original"] == [one.group.object]
        assert one.group.measurand == "map"
        assert one.causes is not None


def test_what_is_measured_is_the_mean_of_the_scores(study: Dataset) -> None:
    ap = ap_of(study, "three")

    for values in measured(study).values():
        assert values == pytest.approx({tag: mean(ap[tag]) for tag in values})


@pytest.mark.parametrize(
    "later_original", [pytest.param(False, id="one original"), pytest.param(True, id="with an original of its own")]
)
def test_reproductions_on_another_collection_do_not_count_even_if_its_name_is_the_end_of_the_other(
    tmp_path: Path, *, later_original: bool
) -> None:
    source, other, target = tiny("a"), tiny("b"), tiny("x.b")
    dataset = Dataset(tmp_path, [source, other, target])
    done(dataset, KEYWORDS, "bm25.x.b", ranked("d2", "d1"), target)
    done(dataset, ORIGINAL_TEAM, "original-a.x.b", ranked("d1"), target, source, names="bm25.x.b")
    done(dataset, RERANKING, "reranked-a.x.b", ranked("d2", "d1"), target, source, names="original-a.x.b")
    done(dataset, RERANKING, "reranked-a.b", ranked("d2", "d3", "d1"), other, source, names="original-a.x.b")
    expected = {"original-a.x.b": {"original-a.x.b": 1.0, "reranked-a.x.b": 0.5}}
    if later_original:
        done(dataset, ORIGINAL_LATER, "pseudo-a.b", ranked("d1"), other, source)
        done(dataset, TRANSFERRING, "transferred-a.b", ranked("d2", "d1"), other, source, names="pseudo-a.b")
        expected |= {"pseudo-a.b": {"pseudo-a.b": 1.0, "transferred-a.b": 0.5}}

    assert measured(dataset) == expected


def test_without_an_original_there_is_nothing_to_be_precise_about(tmp_path: Path) -> None:
    source, target = tiny("a"), tiny("b")
    dataset = Dataset(tmp_path, [source, target])
    done(dataset, RERANKING, "reranked-a.b", ranked("d1"), target, source)

    with pytest.raises(MeasurementError, match="expected at least one measurement, label or claim, found none"):
        outcomes.precise(dataset)
