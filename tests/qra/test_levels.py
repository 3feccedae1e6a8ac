"""Are results of all types summed up by system, criterion and study, each criterion counting once?"""

import json
from collections.abc import Sequence

import pytest

from primad.qra.correlations import kendall_tau, kendall_w, pearson, spearman
from primad.qra.example import example_measurements
from primad.qra.experiments import score_tables
from primad.qra.findings import findings
from primad.qra.grouping import groups_of
from primad.qra.labels import Label, label_agreements
from primad.qra.levels import NAMES, Figure, Summary, summaries
from primad.qra.measurement import Measurement, Role
from primad.qra.precision import Precision
from primad.qra.score_sets import score_sets


def column(source: str, measurand: str, values: Sequence[float], role: Role = "reproduction") -> list[Measurement]:
    """Return the values of objects A, B, C … by SOURCE."""
    return [
        Measurement(object=name, measurand=measurand, value=str(value), source=source, role=role, study="s")
        for name, value in zip("ABCDEFGH", values, strict=False)
    ]


MEASUREMENTS = [
    *column("O", "F1", [1, 2, 3], "original"),
    *column("X", "F1", [1, 3, 2]),
    *column("Y", "F1", [3, 2, 1]),
    *column("O", "BLEU", [10, 20], "original"),
    *column("X", "BLEU", [10, 20]),
]


def precision(cv: float | None) -> Precision:
    return Precision(n=2, mean=1, lowest=1, highest=1, cv_acl2022=cv, cv_qra3=None if cv is None else cv / 2)


def summed(cvs: Sequence[float | None], labels: Sequence[Label] = ()) -> dict[tuple[str, str, str], Summary]:
    """Return the summaries of MEASUREMENTS by level, measurand and object, the groups having these CVS."""
    tables = score_tables(MEASUREMENTS)
    found = summaries(
        groups_of(MEASUREMENTS),
        [precision(cv) for cv in cvs],
        "acl2022",
        score_sets(tables),
        label_agreements(labels),
        findings(tables),
    )
    return {(one.level, one.measurand, one.object): one for one in found}


def test_a_system_is_one_object_under_one_measurand() -> None:
    found = summed([1, 2, 6, 5, 7])

    assert found["system", "F1", "C"].values == {"cv": Figure(6, 6, 1)}
    assert found["system", "F1", "C"].sentence == "s, F1, C (system): CV* (acl2022, in %) 6.000."


def test_a_criterion_is_the_mean_over_its_objects_and_experiments() -> None:
    values = summed([1, 2, 6, 5, 7])["criterion", "F1", ""].values

    original, first, second = [1, 2, 3], [1, 3, 2], [3, 2, 1]
    assert values["cv"] == Figure(3, 2, 3)
    assert values["pearson"].mean == pytest.approx((pearson(original, first) + pearson(original, second)) / 2)
    assert values["spearman"].mean == pytest.approx((spearman(original, first) + spearman(original, second)) / 2)
    assert values["tau"].mean == pytest.approx((kendall_tau(original, first) + kendall_tau(original, second)) / 2)
    assert (values["w"].mean, values["w"].n) == (kendall_w([original, first, second]), 1)
    assert values["upheld"].mean == pytest.approx((2 / 3 + 0) / 2)
    assert values["upheld"].n == 2


def test_a_study_is_the_mean_over_its_criteria_each_counting_once() -> None:
    values = summed([1, 2, 6, 5, 7])["study", "", ""].values

    assert values["cv"] == Figure(4.5, 4.5, 2)
    assert values["upheld"].mean == pytest.approx((1 / 3 + 1) / 2)
    assert values["upheld"].n == 2
    assert values["w"].n == 1


def test_groups_without_cv_do_not_count() -> None:
    found = summed([1, None, 5, None, None])

    assert found["criterion", "F1", ""].values["cv"] == Figure(3, 3, 2)
    assert found["study", "", ""].values["cv"] == Figure(3, 3, 1)
    assert ("system", "F1", "B") not in found
    assert "cv" not in found["criterion", "BLEU", ""].values


def test_the_variant_asked_for_is_the_one_summed_up() -> None:
    (group,) = groups_of(column("O", "F1", [1]))

    system, criterion, study = summaries([group], [precision(8)], "qra3")

    assert [one.values["cv"].mean for one in (system, criterion, study)] == [4, 4, 4]
    assert study.variant == "qra3"


def test_agreement_of_labels_counts_for_its_object_and_its_criterion() -> None:
    labels = [
        Label(study="s", object=name, measurand="F1", item=item, rater=rater, label=text)
        for name, texts in {"A": ["aa", "bb", "ab"], "B": ["aa", "bb", "bb"]}.items()
        for item, row in zip("123", texts, strict=True)
        for rater, text in zip("xy", row, strict=True)
    ]

    found = summed([1, 2, 6, 5, 7], labels)

    assert found["system", "F1", "B"].values["alpha"] == Figure(1, 1, 1)
    assert found["criterion", "F1", ""].values["alpha"].mean == pytest.approx((4 / 9 + 1) / 2)
    assert found["criterion", "F1", ""].values["kappa"].n == 2
    assert found["study", "", ""].values["alpha"].n == 1


def test_parts_of_an_object_are_systems_of_their_own() -> None:
    measurements = [
        Measurement(object="A", measurand="F1", value=value, conditions={"seed": seed})
        for value, seed in (("1", "1"), ("2", "1"), ("3", "2"), ("4", "2"))
    ]
    groups = groups_of(measurements, by=["seed"])

    found = summaries(groups, [precision(1), precision(3)], "acl2022")

    assert [(one.level, one.object, one.values["cv"].mean) for one in found] == [
        ("system", "A, seed=1", 1),
        ("system", "A, seed=2", 3),
        ("criterion", "", 2),
        ("study", "", 2),
    ]
    assert found[-1].title == "all measurements"


def test_figures_are_explained_with_what_they_are_over() -> None:
    found = summed([1, 2, 6, 5, 7])

    assert found["criterion", "BLEU", ""].sentence == (
        "s, BLEU (criterion): CV* (acl2022, in %) mean 6.000, median 6.000 (n = 2 objects); "
        "share of findings upheld 1.000 (n = 1 reproduction)."
    )
    assert found["study", "", ""].sentence.startswith(
        "s (study): CV* (acl2022, in %) mean 4.500, median 4.500 (n = 2 criteria); Pearson -0.250 (n = 1 criterion)"
    )


def test_a_summary_is_written_as_json_in_the_order_of_types() -> None:
    summary = summed([1, 2, 6, 5, 7])["criterion", "F1", ""]

    written = json.loads(json.dumps(summary.to_dict(), allow_nan=False))

    assert list(written["values"]) == [name for name in NAMES if name not in {"alpha", "kappa"}]
    assert written["values"]["cv"] == {"mean": 3, "median": 2, "n": 3}


def test_the_published_studies_have_a_summary_at_each_level() -> None:
    measurements = example_measurements("belz2022").measurements
    tables = score_tables(measurements)
    groups = groups_of(measurements)

    found = summaries(groups, [precision(1)] * len(groups), "acl2022", score_sets(tables), (), findings(tables))

    levels = [one.level for one in found]
    assert [levels.count(level) for level in ("system", "criterion", "study")] == [18, 6, 3]


def test_nothing_comes_to_nothing() -> None:
    assert summaries([], [], "acl2022") == ()
