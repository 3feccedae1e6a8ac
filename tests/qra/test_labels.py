"""Is the agreement of raters what the publications print, and what other software finds?"""

import json
import math
import random
from collections.abc import Callable
from typing import Any, get_args

import pytest
from nltk.metrics.agreement import AnnotationTask
from statsmodels.stats.inter_rater import fleiss_kappa as their_kappa

from primad.errors import DataError, MeasurementError, UndefinedMeasure
from primad.qra import labels as labels_module
from primad.qra.labels import LEVELS, Label, Level, fleiss_kappa, krippendorff_alpha, label_agreements
from primad.qra.refusing import Refused

# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, part C: four observers, twelve units, gaps.
UNITS: list[list[int | None]] = [
    [1, 1, None, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [None, 5, 5, 5],
    [None, None, 1, 1],
    [None, 3, None, None],
]
PRINTED: dict[Level, float] = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}

# Fleiss (1971), table 1: how often six psychiatrists gave thirty patients each of five diagnoses; kappa = .430.
DIAGNOSES = """
    00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
    00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
PATIENTS = [[int(digit) for digit in patient] for patient in DIAGNOSES.split()]


def random_items(seed: int, *, gaps: bool) -> list[list[int | None]]:
    """Return labels from 1 to 5 of 40 items by 4 raters, at least two for each item."""
    draw = random.Random(seed)
    items = []
    for _ in range(40):
        middle = draw.randint(1, 5)
        row: list[int | None] = [min(5, max(1, middle + draw.choice((-1, 0, 0, 1)))) for _ in range(4)]
        for place in draw.sample(range(4), draw.randint(0, 2)) if gaps else ():
            row[place] = None
        items.append(row)
    return items


def distance(level: Level, items: list[list[int | None]]) -> Callable[[int, int], float]:
    """Return how far two labels are apart, by the definition of Krippendorff (2011)."""
    totals = [sum(label == value for row in items for label in row) for value in range(7)]

    def ordinal(one: int, other: int) -> float:
        low, high = sorted((one, other))
        return float((sum(totals[low : high + 1]) - (totals[low] + totals[high]) / 2) ** 2)

    distances: dict[Level, Callable[[int, int], float]] = {
        "nominal": lambda one, other: float(one != other),
        "ordinal": ordinal,
        "interval": lambda one, other: float((one - other) ** 2),
        "ratio": lambda one, other: ((one - other) / (one + other)) ** 2,
    }
    return distances[level]


def label(item: str, rater: str, text: str, **fields: Any) -> Label:
    return Label(measurand="Fluency", item=item, rater=rater, label=text, **fields)


# Krippendorff's alpha ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_the_one_that_krippendorff_prints(level: Level) -> None:
    assert round(krippendorff_alpha(UNITS, level), 3) == PRINTED[level]


@pytest.mark.parametrize("gaps", [False, True], ids=["complete", "gaps"])
@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_that_of_nltk(level: Level, *, gaps: bool) -> None:
    items = random_items(3, gaps=gaps)
    task = AnnotationTask(
        data=[
            (str(rater), str(item), label)
            for item, row in enumerate(items)
            for rater, label in enumerate(row)
            if label is not None
        ],
        distance=distance(level, items),
    )

    assert krippendorff_alpha(items, level) == pytest.approx(task.alpha(), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_one_for_full_agreement_and_below_zero_for_systematic_disagreement(level: Level) -> None:
    assert krippendorff_alpha([[1, 1], [2, 2], [7, 7]], level) == 1
    assert krippendorff_alpha([[1, 2], [2, 1], [1, 2]], level) == pytest.approx(-2 / 3)


def test_items_with_a_single_label_count_for_nothing() -> None:
    items = [["a", "a"], ["b", "b"], ["a", "b"]]

    assert krippendorff_alpha([*items, ["c", None], [None, None]]) == krippendorff_alpha(items)


@pytest.mark.parametrize("start", [1e6, 1e15, -1e15, 8e15])
@pytest.mark.parametrize("level", ["interval", "ordinal"])
def test_alpha_does_not_depend_on_where_numbers_start(level: Level, start: float) -> None:
    moved = [[None if one is None else one + start for one in row] for row in UNITS]

    assert krippendorff_alpha(moved, level) == pytest.approx(krippendorff_alpha(UNITS, level))


@pytest.mark.parametrize("pair", [(-1, 1), (1, 4), (2, 3), (-3, -2)])
def test_two_numbers_are_as_far_apart_as_two_names_whatever_they_are(pair: tuple[int, int]) -> None:
    one, other = pair

    assert krippendorff_alpha([[one, one], [other, other], [one, other]], "interval") == pytest.approx(4 / 9)


@pytest.mark.parametrize("piece", [1, 10], ids=["one number", "two numbers"])
def test_ratios_computed_some_at_a_time_have_the_same_alpha(monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    monkeypatch.setattr(labels_module, "_PIECE", piece)

    assert round(krippendorff_alpha(UNITS, "ratio"), 3) == PRINTED["ratio"]


@pytest.mark.parametrize("level", ["interval", "ratio"])
def test_numbers_near_the_largest_there_are_have_an_alpha(level: Level) -> None:
    assert krippendorff_alpha([[1e308, 1e308], [5e307, 5e307], [1e308, 5e307]], level) == pytest.approx(4 / 9)


def test_labels_of_zero_have_ratios() -> None:
    assert krippendorff_alpha([[0, 0], [0, 1], [1, 1]], "ratio") == krippendorff_alpha([[0, 0], [0, 1], [1, 1]])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("items", "reason"),
    [
        pytest.param([], "it needs at least 2 items with two labels each, found 0", id="nothing"),
        pytest.param([[1, None], [None, 2]], "it needs at least 2 items with two labels each, found 0", id="no pair"),
        pytest.param([[1, 2], [1, None]], "it needs at least 2 items with two labels each, found 1", id="one pair"),
        pytest.param(
            [[3, 3], [3, 3]],
            "all 4 labels are the same, so that nothing shows whether raters can tell items apart",
            id="all the same",
        ),
    ],
)
def test_an_alpha_that_says_nothing_is_refused(items: list[list[int | None]], reason: str, level: Level) -> None:
    with pytest.raises(UndefinedMeasure) as caught:
        krippendorff_alpha(items, level)

    assert caught.value.reason == reason


def test_ratios_of_negative_labels_are_refused() -> None:
    with pytest.raises(UndefinedMeasure, match="ratios need labels of 0 and above, found -1"):
        krippendorff_alpha([[1, 2], [-1, 3]], "ratio")


@pytest.mark.parametrize(
    ("items", "level", "message"),
    [
        pytest.param([["a", "b"], [1, 2]], "ordinal", "expected labels that are numbers", id="text"),
        pytest.param(
            [[1, math.nan], [1, 2]], "interval", "expected labels that are finite numbers, found nan", id="nan"
        ),
        pytest.param([[1, 2], [1, 2]], "cardinal", "expected a level among nominal, ordinal", id="unknown level"),
    ],
)
def test_what_cannot_be_compared_is_an_error(items: list[list[object]], level: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        krippendorff_alpha(items, level)


# Fleiss' kappa -----------------------------------------------------------------------------------------------


def test_kappa_is_the_one_that_fleiss_prints() -> None:
    assert len(PATIENTS) == 30
    assert round(fleiss_kappa(PATIENTS), 3) == 0.430


def test_kappa_is_that_of_statsmodels() -> None:
    draw = random.Random(5)
    counts = [
        [row.count(label) for label in range(4)] for row in ([draw.randrange(4) for _ in range(7)] for _ in range(50))
    ]

    assert fleiss_kappa(counts) == pytest.approx(their_kappa(counts), abs=1e-12)
    assert fleiss_kappa(PATIENTS) == pytest.approx(their_kappa(PATIENTS), abs=1e-12)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        pytest.param([], "it needs at least 2 items, found 0", id="nothing"),
        pytest.param([[1, 1]], "it needs at least 2 items, found 1", id="one item"),
        pytest.param(
            [[2, 1], [1, 1]],
            "it needs equally many labels for each item, found 2 to 3; Krippendorff's alpha allows for missing labels",
            id="a missing label",
        ),
        pytest.param(
            [[1, 1], [2, 1], [2, 2]],
            "it needs equally many labels for each item, found 2 to 4; Krippendorff's alpha allows for missing labels",
            id="three numbers of labels",
        ),
        pytest.param([[1, 0], [0, 1]], "it needs at least 2 labels for each item, found 1", id="one rater"),
        pytest.param(
            [[0, 2], [0, 2]],
            "all 4 labels are the same, so that nothing shows whether raters can tell items apart",
            id="all the same",
        ),
    ],
)
def test_a_kappa_that_says_nothing_is_refused(counts: list[list[int]], reason: str) -> None:
    with pytest.raises(UndefinedMeasure) as caught:
        fleiss_kappa(counts)

    assert caught.value.reason == reason


@pytest.mark.parametrize("counts", [[[1, 1], [2]], [[3, -1], [1, 1]], [[0.5, 1.5], [1, 1]]])
def test_what_is_no_table_of_counts_is_an_error(counts: list[list[int]]) -> None:
    with pytest.raises(DataError, match="expected a row of counts for each item"):
        fleiss_kappa(counts)


# Labels of files ---------------------------------------------------------------------------------------------


def test_agreement_is_per_study_object_and_measurand() -> None:
    labels = [
        label(str(item), f"rater {rater}", str(text), study="s", object=name, level="ordinal")
        for name in ("A", "B")
        for item, row in enumerate(UNITS)
        for rater, text in enumerate(row)
        if text is not None and (name == "A" or item < 2)
    ]

    first, second = label_agreements(labels)

    assert (first.study, first.object, first.measurand, first.level) == ("s", "A", "Fluency", "ordinal")
    assert (first.items, first.compared, first.raters, first.labels) == (12, 11, 4, 41)
    assert first.alpha == pytest.approx(0.815, abs=5e-4)
    assert isinstance(first.kappa, Refused)
    assert (second.object, second.items, second.labels) == ("B", 2, 7)


def test_an_empty_label_is_a_missing_one() -> None:
    texts = {"1": ("a", "a", ""), "2": ("b", "b", "b"), "3": ("a", "b", "")}
    labels = [label(item, str(rater), text) for item, row in texts.items() for rater, text in enumerate(row)]

    (found,) = label_agreements(labels)

    assert found.labels == 7
    assert found.alpha == krippendorff_alpha([["a", "a"], ["b", "b", "b"], ["a", "b"]])
    assert found.sentence == (
        "Fluency: Krippendorff's alpha (nominal) is 0.500 over 3 raters, 7 labels, 3 of 3 items with at least two; "
        "1 is full agreement, 0 what chance gives. No Fleiss' kappa: it needs equally many labels for each item, "
        "found 2 to 3; Krippendorff's alpha allows for missing labels."
    )


def test_complete_labels_have_both_figures() -> None:
    labels = [
        label(str(item), str(rater), str(diagnosis))
        for item, patient in enumerate(PATIENTS)
        for rater, diagnosis in enumerate(place for place, count in enumerate(patient) for _ in range(count))
    ]

    (found,) = label_agreements(labels)

    assert found.kappa == pytest.approx(0.430, abs=5e-4)
    assert found.alpha == pytest.approx(0.433, abs=1e-3)  # alpha is kappa but for a correction of small samples
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["fleiss_kappa"] == found.kappa


def test_labels_that_are_all_the_same_are_reported_with_the_reason() -> None:
    (found,) = label_agreements([label(item, rater, "a") for item in "12" for rater in "xy"])

    reason = "all 4 labels are the same, so that nothing shows whether raters can tell items apart"
    assert found.sentence == (
        f"Fluency: no Krippendorff's alpha, for {reason} (2 raters, 4 labels, 2 of 2 items with at least two). "
        f"No Fleiss' kappa: {reason}."
    )
    assert found.to_dict()["krippendorff_alpha"] == {"undefined": reason}


def test_everything_that_is_wrong_with_labels_is_said_at_once() -> None:
    labels = [
        label("1", "x", "2", level="ordinal", file="l.csv", line=2),
        label("1", "y", "good", level="ordinal", file="l.csv", line=3),
        label("1", "x", "3", level="ordinal", file="l.csv", line=4),
        label("2", "x", "3", level="nominal", file="l.csv", line=5),
    ]

    with pytest.raises(MeasurementError) as caught:
        label_agreements(labels)

    assert str(caught.value).splitlines() == [
        "l.csv:3: label: expected a finite number, because the level is ordinal, found 'good'",
        "l.csv:4: label: expected one label of 1 by x, found another one at l.csv:2",
        "l.csv:5: level: expected 'ordinal' as in the first label of Fluency, found 'nominal'",
    ]


def test_a_label_handed_over_in_python_is_named_by_what_it_is() -> None:
    with pytest.raises(MeasurementError, match=r"^Fluency, 1, x: label: expected one label of 1 by x"):
        label_agreements([label("1", "x", "a"), label("1", "x", "b")])


def test_a_label_of_a_file_without_lines_is_named_by_the_file() -> None:
    with pytest.raises(MeasurementError, match=r"^l\.json: label: expected one label of 1 by x, found another one at "):
        label_agreements([label("1", "x", text, file="l.json") for text in "ab"])


def test_a_single_label_agrees_with_none() -> None:
    (found,) = label_agreements([label("1", "x", "a", level="nominal")])

    assert (found.items, found.compared, found.raters, found.labels) == (1, 0, 1, 1)
    assert isinstance(found.alpha, Refused)
    assert found.alpha.reason == "it needs at least 2 items with two labels each, found 0"


def test_no_labels_have_no_agreement() -> None:
    assert label_agreements([]) == ()


def test_every_level_is_listed() -> None:
    assert get_args(Level) == LEVELS
