"""Is CV* compared between groups as the paper compares it, and only where groups can be compared?"""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from primad.qra.between import Attribute, PairedVariants, by_attribute, paired_variants
from primad.qra.example import example_measurements
from primad.qra.grouping import Group, groups_of
from primad.qra.measurement import Measurement
from primad.qra.precision import Precision, precisions


def group(name: str, attributes: Mapping[str, str], *, measurand: str = "F1", study: str = "s", **facts: Any) -> Group:
    """Return a group of a single measurement."""
    one = Measurement(object=name, measurand=measurand, value="1", study=study, attributes=attributes, **facts)
    return Group(name, measurand, (one,))


def precise(cv: float | None) -> Precision:
    """Return a precision of which nothing but CV* matters; that of QRA3 is half as large."""
    half = None if cv is None else cv / 2
    return Precision(n=2, mean=1.0, lowest=1.0, highest=1.0, cv_acl2022=cv, cv_qra3=half)


def pairs_by_objects(found: PairedVariants) -> dict[tuple[str, str], float]:
    """Return the difference of each pair."""
    return {pair.objects: pair.difference for pair in found.pairs}


@pytest.fixture(scope="module")
def published() -> list[Group]:
    """Return the 18 groups of the paper."""
    return groups_of(example_measurements("belz2022").measurements)


# By attribute ------------------------------------------------------------------------------------------------


def test_groups_are_summed_up_by_value_smallest_median_first() -> None:
    groups = [group("a", {"net": "big"}), group("b", {"net": "small"}), group("c", {"net": "big"}), group("d", {})]

    (found,) = by_attribute(groups, [precise(cv) for cv in (8.0, 3.0, 4.0, 1.0)])

    assert [(one.value, one.n, one.median, one.lowest, one.highest) for one in found.values] == [
        ("small", 1, 3.0, 3.0, 3.0),
        ("big", 2, 6.0, 4.0, 8.0),
    ]
    assert found.sentence == (
        "By net (3 groups; left out for want of it or of CV*: 1), CV* (acl2022) is smallest for small "
        "(median 3.000 %, n = 1) and largest for big (median 6.000 %, n = 2, 4.000 to 8.000); "
        "the groups may differ in other respects, too."
    )


def test_the_sentence_goes_from_the_first_to_the_last_of_all_values() -> None:
    groups = [group(size, {"net": size}) for size in ("small", "big", "huge")]

    (found,) = by_attribute(groups, [precise(cv) for cv in (3.0, 4.0, 9.0)])

    assert "smallest for small (median 3.000 %, n = 1) and largest for huge (median 9.000 %, n = 1);" in found.sentence


def test_an_attribute_becomes_json_with_the_figures_of_each_value() -> None:
    groups = [group("a", {"net": "big"}), group("b", {"net": "small"}), group("c", {"net": "big"}), group("d", {})]

    (found,) = by_attribute(groups, [precise(cv) for cv in (8.0, 3.0, 4.0, 1.0)])

    assert found.to_dict() == {
        "attribute": "net",
        "of_object": True,
        "variant": "acl2022",
        "n": 3,
        "left_out": 1,
        "values": [
            {"value": "small", "n": 1, "median": 3.0, "lowest": 3.0, "highest": 3.0},
            {"value": "big", "n": 2, "median": 6.0, "lowest": 4.0, "highest": 8.0},
        ],
    }


def test_the_chosen_variant_counts() -> None:
    groups = [group("a", {"net": "big"}), group("b", {"net": "small"})]

    (found,) = by_attribute(groups, [precise(8.0), precise(3.0)], "qra3")

    assert [one.median for one in found.values] == [1.5, 4.0]


def test_a_group_without_cv_is_left_out_and_counted() -> None:
    groups = [group("a", {"net": "big"}), group("b", {"net": "small"}), group("c", {"net": "big"})]

    (found,) = by_attribute(groups, [precise(8.0), precise(3.0), precise(None)])

    assert (found.n, found.left_out) == (2, 1)


def test_an_attribute_with_a_single_value_compares_nothing() -> None:
    groups = [group("a", {"net": "big"}), group("b", {"net": "big"})]

    assert by_attribute(groups, [precise(8.0), precise(3.0)]) == ()


def test_attributes_of_objects_come_before_facts_about_their_evaluation() -> None:
    groups = [
        group("a", {}, evaluation="human, intrinsic", task="generation", system="rules"),
        group("b", {"net": "big"}, evaluation="metric, extrinsic", task="retrieval", system="neural"),
        group("c", {"net": "small"}, measurand="MAP", evaluation="metric"),
    ]

    found = by_attribute(groups, [precise(3.0), precise(2.0), precise(1.0)])

    assert [(one.name, one.of_object, [valued.value for valued in one.values]) for one in found] == [
        ("net", True, ["small", "big"]),
        ("evaluation, human or metric", False, ["metric", "human"]),
        ("evaluation, intrinsic or extrinsic", False, ["extrinsic", "intrinsic"]),
        ("system", False, ["neural", "rules"]),
        ("task", False, ["retrieval", "generation"]),
        ("measurand", False, ["MAP", "F1"]),
    ]


def test_published_syntactic_features_have_the_smallest_and_domain_features_the_largest_cv(
    published: list[Group],
) -> None:
    found = {one.name: one for one in by_attribute(published, precisions(published))}

    assert medians(found["features"]) == {
        "POS n-grams": 3.81,
        "dependency n-grams": 4.44,
        "word n-grams": 10.52,
        "document length": 14.63,
        "embeddings": 16.63,
        "domain": 17.7,
    }
    assert medians(found["evaluation, human or metric"]) == {"metric": 4.5, "human": 13.24}


def test_comparisons_are_ready_for_json(published: list[Group]) -> None:
    figures = precisions(published)
    attributes = [one.to_dict() for one in by_attribute(published, figures)]
    variants = [one.to_dict() for one in paired_variants(published, figures)]

    assert json.loads(json.dumps([attributes, variants], allow_nan=False)) == [attributes, variants]
    (tools,) = (one["larger"] for one in variants if one["attribute"] == "third-party tools")
    assert tools == {"openNMT": 0, "openNMT and word2vec": 2}


def medians(attribute: Attribute) -> dict[str, float]:
    """Return the medians in their order, as people read them."""
    return {one.value: round(one.median, 2) for one in attribute.values}


# Pairs -------------------------------------------------------------------------------------------------------


def test_published_pairs_show_that_language_information_makes_next_to_no_difference(published: list[Group]) -> None:
    found = {one.attribute: one for one in paired_variants(published, precisions(published))}

    language = found["language information"]
    assert pairs_by_objects(language) == pytest.approx(
        {  # the printed CV* of Table 6 have three digits
            ("mult-word-", "mult-word+"): 10.440 - 10.609,
            ("mult-POS-", "mult-POS+"): 3.808 - 3.818,
            ("mult-dep-", "mult-dep+"): 4.387 - 4.500,
            ("mult-dom-", "mult-dom+"): 18.248 - 17.147,
            ("mult-emb-", "mult-emb+"): 16.226 - 17.033,
        },
        abs=1.01e-3,
    )
    assert language.larger == {"no": 4, "yes": 1}
    assert language.sentence == (
        "5 pairs of objects differ in language information alone: the median absolute difference of their CV* "
        "(acl2022) is 0.169 percentage points (2.6 % of the pair's mean), the largest 1.101 (from 17.147 "
        "to 18.248 %); CV* is larger for: no in 4, yes in 1."
    )
    assert found["features"].median_difference > 30 * language.median_difference


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(
            group("a", {"net": "big", "seed": "1"}), group("b", {"net": "small", "seed": "2"}), id="two attributes"
        ),
        pytest.param(group("a", {"net": "big"}), group("b", {"net": "big"}), id="none"),
        pytest.param(
            group("a", {"net": "big", "seed": "1"}), group("b", {"net": "small"}), id="one and perhaps another"
        ),
        pytest.param(group("a", {"net": "big"}), group("b", {"net": "small"}, study="t"), id="studies"),
        pytest.param(group("a", {"net": "big"}), group("b", {"net": "small"}, measurand="MAP"), id="measurands"),
    ],
)
def test_groups_that_do_not_differ_in_exactly_one_attribute_are_no_pair(first: Group, second: Group) -> None:
    assert paired_variants([first, second], [precise(1.0), precise(2.0)]) == ()


def test_a_variant_without_cv_is_in_no_pair() -> None:
    groups = [group("a", {"net": "big"}), group("b", {"net": "small"})]

    assert paired_variants(groups, [precise(1.0), precise(None)]) == ()


def test_each_attribute_has_its_own_pairs_with_both_differences() -> None:
    groups = [
        group("a", {"net": "big", "seed": "1"}),
        group("b", {"net": "small", "seed": "1"}),
        group("c", {"net": "big", "seed": "2"}),
    ]

    found = paired_variants(groups, [precise(cv) for cv in (4.0, 6.0, 4.0)])

    assert [
        (one.attribute, one.n, one.median_difference, one.median_relative_difference, one.larger, one.equal)
        for one in found
    ] == [("net", 1, 2.0, 40.0, {"big": 0, "small": 1}, 0), ("seed", 1, 0.0, 0.0, {"1": 0, "2": 0}, 1)]
    assert found[1].sentence.endswith("CV* is larger for: 1 in 0, 2 in 0, equal in 1.")


def test_a_pair_becomes_json_with_its_difference_and_that_in_percent_of_its_mean() -> None:
    groups = [group("a", {"net": "big"}), group("b", {"net": "small"})]

    (found,) = paired_variants(groups, [precise(3.75), precise(4.25)])

    assert found.to_dict()["pairs"] == [
        {
            "study": "s",
            "measurand": "F1",
            "objects": ["a", "b"],
            "values": ["big", "small"],
            "cv": [3.75, 4.25],
            "difference": 0.5,
            "relative_difference": 12.5,
        }
    ]
    assert found.larger == {"big": 0, "small": 1}
    assert found.sentence == (
        "1 pair of objects differs in net alone: the median absolute difference of their CV* (acl2022) is 0.500 "
        "percentage points (12.5 % of the pair's mean), the largest 0.500 (from 3.750 to 4.250 %); "
        "CV* is larger for: big in 0, small in 1."
    )


def test_the_largest_difference_is_said_with_the_values_of_its_pair_though_others_have_larger_ones() -> None:
    groups = [
        group(f"{size} {measurand}", {"net": size}, measurand=measurand)
        for measurand in ("F1", "MAP")
        for size in ("big", "small")
    ]

    (found,) = paired_variants(groups, [precise(cv) for cv in (1.0, 6.0, 20.0, 21.0)])

    assert "the largest 5.000 (from 1.000 to 6.000 %);" in found.sentence


def test_two_variants_with_a_cv_of_0_do_not_differ() -> None:
    groups = [group("a", {"net": "big"}), group("b", {"net": "small"})]

    (found,) = paired_variants(groups, [precise(0.0), precise(0.0)])

    assert (found.median_difference, found.median_relative_difference, found.equal) == (0.0, 0.0, 1)


def test_more_variants_than_anybody_could_read_are_cut_and_counted() -> None:
    groups = [group(f"seed {seed}", {"seed": str(seed)}) for seed in range(53)]

    (found,) = paired_variants(groups, [precise(float(place)) for place in range(53)])

    assert (found.n, found.left_out) == (50 * 49 // 2, 3)
    assert found.sentence.endswith("Not compared: 3 more variants.")
