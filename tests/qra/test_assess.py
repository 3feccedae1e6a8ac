"""Does an assessment put groups, precision, causes and what follows from all groups together as it was asked to?"""

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import primad
import primad.qra as package
from primad.errors import DataError, MeasurementError, UsageError
from primad.qra.assess import assess
from primad.qra.causes import Causes
from primad.qra.claims import Claim
from primad.qra.example import example_measurements
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement
from primad.qra.published import Published
from primad.qra.refusing import Refused
from primad.qra.result import GroupResult, QuantifiedAssessment

CSV = "object,measurand,value,c:seed\nA,P,50,1\nA,P,52,2\n"
YAML = (
    "qra: 1\nmeasurements:\n- {object: A, measurand: P, value: 50, conditions: {seed: 1}}\n"
    "- {object: A, measurand: P, value: 52, conditions: {seed: 2}}\n"
)
LINES = "".join(
    f'{{"object": "A", "measurand": "P", "value": "{value}", "conditions": {{"seed": "{seed}"}}}}\n'
    for value, seed in ((50, 1), (52, 2))
)
MAPPINGS = [
    {"object": "A", "measurand": "P", "value": 50, "conditions": {"seed": 1}},
    {"object": "A", "measurand": "P", "value": 52, "conditions": {"seed": 2}},
]
MEASUREMENTS = [
    Measurement(object="A", measurand="P", value=value, conditions={"seed": seed})
    for value, seed in (("50", "1"), ("52", "2"))
]
COLUMNS = {"object": ["A", "A"], "measurand": ["P", "P"], "value": ["50", "52"], "c:seed": [1, 2]}


def measured(value: str, object_: str = "A", measurand: str = "P", **more: Any) -> Measurement:
    return Measurement(object=object_, measurand=measurand, value=value, **more)


def numbers(one: GroupResult) -> tuple[float, ...]:
    """Return the values of a group."""
    return tuple(each.number for each in one.group.measurements)


@pytest.fixture(scope="module")
def published() -> QuantifiedAssessment:
    """Return the assessment of the 18 published groups."""
    return assess(example_measurements("belz2022"))


# What it takes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(MAPPINGS, id="mappings"),
        pytest.param(MEASUREMENTS, id="measurements"),
        pytest.param(iter(MEASUREMENTS), id="an iterator"),
        pytest.param([MEASUREMENTS[0], MAPPINGS[1]], id="a measurement and a mapping"),
        pytest.param(Material(tuple(MEASUREMENTS)), id="material"),
        pytest.param(pl.DataFrame(COLUMNS), id="a polars frame"),
        pytest.param(pd.DataFrame(COLUMNS), id="a pandas frame"),
        pytest.param(CSV.encode(), id="bytes"),
    ],
)
def test_the_same_values_are_assessed_alike_however_they_come(given: Any) -> None:
    (one,) = primad.qra(given)

    assert (numbers(one), one.group.stated.varying) == ((50.0, 52.0), {"seed": ("1", "2")})
    assert one.cv == pytest.approx(3.9098, abs=1e-4)


@pytest.mark.parametrize(("name", "text"), [("a.csv", CSV), ("a.qra.yaml", YAML), ("a.jsonl", LINES)])
@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_is_assessed_by_its_path(tmp_path: Path, name: str, text: str, kind: type) -> None:
    (tmp_path / name).write_text(text)

    (one,) = primad.qra(kind(tmp_path / name))

    assert (numbers(one), one.group.stated.varying) == ((50.0, 52.0), {"seed": ("1", "2")})


def test_files_are_assessed_together(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "b.csv").write_text(CSV.replace("50", "54").replace("52", "56"))

    (one,) = primad.qra([tmp_path / "a.csv", str(tmp_path / "b.csv")])

    assert numbers(one) == (50.0, 52.0, 54.0, 56.0)


@pytest.mark.parametrize("given", [None, 5, [5], [None]], ids=["nothing", "a number", "numbers", "a list of nothing"])
def test_what_is_no_measurement_is_refused(given: Any) -> None:
    with pytest.raises(DataError, match="expected files, measurements"):
        primad.qra(given)


def test_no_measurement_at_all_is_refused() -> None:
    with pytest.raises(MeasurementError, match="expected at least one measurement"):
        primad.qra([])


def test_everything_that_is_wrong_with_several_groups_is_said_at_once() -> None:
    with pytest.raises(MeasurementError) as caught:
        primad.qra([measured("nan"), measured("5", "B"), measured("inf", "C")])

    assert [flaw.expected for flaw in caught.value.flaws] == ["a finite number for A, P", "a finite number for C, P"]


# primad.qra is a package and a function ---------------------------------------------------------------------------


CALL = "primad.qra([{'object': 'A', 'measurand': 'P', 'value': value} for value in (50, 52)]).find('A', 'P').cv"


@pytest.mark.parametrize(
    "imports",
    [
        pytest.param("import primad", id="alone"),
        pytest.param("import primad, primad.qra.assess", id="after its module was imported"),
        pytest.param("import primad.qra.measurement, primad", id="after another module of it was imported"),
        pytest.param("import primad; from primad.qra.assess import assess", id="after its function was imported"),
    ],
)
def test_the_package_can_be_called_whatever_was_imported_before(imports: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{imports}\nprint(round({CALL}, 4))"], capture_output=True, text=True, check=False
    )

    assert (done.stdout, done.stderr) == ("3.9098\n", "")


def test_importing_primad_does_not_import_what_computes() -> None:
    code = "import primad, sys; print(callable(primad.qra), 'numpy' in sys.modules, 'primad.qra.assess' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "True False False\n"


def test_options_of_the_package_are_those_of_the_function() -> None:
    assert inspect.signature(primad.qra) == inspect.signature(assess)
    assert primad.qra(MEASUREMENTS, variant="qra3") == assess(MEASUREMENTS, variant="qra3")
    with pytest.raises(TypeError, match="sort"):
        primad.qra(MEASUREMENTS, sort=True)  # type: ignore[call-arg]


def test_each_option_of_the_package_reaches_the_function() -> None:
    seen: list[int] = []

    def watched(groups: Any, total: int) -> Any:
        seen.append(total)
        return groups

    (one,) = primad.qra(
        MEASUREMENTS,
        by="seed",
        where={"seed": "1"},
        conditions="seed",
        causes=True,
        margins={"P": 1},
        laboratory="seed",
        confidence=0.9,
        published=[],
        progress=watched,
    )

    assert (seen, one.confidence, one.group.subset, one.group.names) == ([1], 0.9, {"seed": "1"}, ("seed",))
    assert one.causes is not None
    assert one.equivalence is not None


def test_the_functions_for_each_statistic_are_names_of_the_package() -> None:
    assert dir(package) == package.__all__
    assert [name for name in package.__all__ if not callable(getattr(package, name))] == []
    assert package.cv_star([50, 52]) == pytest.approx(3.9098, abs=1e-4)
    assert package.krippendorff_alpha([["x", "x"], ["y", "y"]]) == 1


def test_a_name_that_the_package_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'primad\.qra' has no attribute 'cv'"):
        package.__getattr__("cv")


# Settings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"variant": "x"}, "expected one of acl2022, qra3 as variant of CV*, found 'x'", id="variant"),
        pytest.param({"confidence": 95}, "expected a confidence from 0.6 to below 1, found 95", id="percent"),
        pytest.param({"confidence": 1.0}, "expected a confidence from 0.6 to below 1, found 1.0", id="certainty"),
        pytest.param({"confidence": 0.59}, "expected a confidence from 0.6 to below 1, found 0.59", id="a coin"),
        pytest.param(
            {"confidence": float("nan")}, "expected a confidence from 0.6 to below 1, found nan", id="NaN as confidence"
        ),
        pytest.param({"margins": {"Q": 1}}, "no measurand is called 'Q'; there are P", id="margin of nothing"),
        pytest.param({"margins": {"P": 0}}, "expected a finite margin above 0 for P, found 0", id="no margin"),
        pytest.param({"margins": {"P": -1}}, "expected a finite margin above 0 for P, found -1", id="below 0"),
        pytest.param(
            {"margins": {"P": float("inf")}}, "expected a finite margin above 0 for P, found inf", id="any margin"
        ),
        pytest.param(
            {"margins": {"P": float("nan")}}, "expected a finite margin above 0 for P, found nan", id="NaN as margin"
        ),
        pytest.param({"confidence": "0.95"}, "expected a confidence from 0.6 to below 1, found 0.95", id="a text"),
        pytest.param({"confidence": None}, "expected a confidence from 0.6 to below 1, found None", id="no confidence"),
        pytest.param({"margins": {"P": "1"}}, "expected a finite margin above 0 for P, found 1", id="margin as text"),
        pytest.param({"margins": {"p": 1}}, "no measurand is called 'p' (did you mean 'P'?); there are P", id="near"),
        pytest.param(
            {"margins": 0.5},
            "expected margins by measurand, as in {'BLEU': 0.5}, found 0.5",
            id="margin of no measurand",
        ),
        pytest.param(
            {"where": "original"},
            "expected wanted values by name, as in {'role': 'original'}, found 'original'",
            id="a value without a name",
        ),
        pytest.param({"by": "gpu"}, "unknown condition 'gpu'; the measurements state seed", id="by one name"),
        pytest.param({"by": ["gpu"]}, "unknown condition 'gpu'; the measurements state seed", id="by"),
        pytest.param({"conditions": ["gpu"]}, "unknown condition 'gpu'; the measurements state seed", id="conditions"),
        pytest.param({"laboratory": "gpu"}, "unknown condition 'gpu'; the measurements state seed", id="laboratory"),
        pytest.param({"where": {"seed": ["3"]}}, "no measurement has seed=3; stated is '1', '2'", id="where"),
        pytest.param({"where": {"gpu": ["3"]}}, "no measurement states 'gpu'", id="where of nothing"),
    ],
)
def test_what_nobody_can_mean_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        assess(MEASUREMENTS, **options)

    assert str(caught.value) == message


def test_of_thousands_of_measurands_a_message_names_a_few() -> None:
    values = [measured("1", measurand=f"m{number}") for number in range(10_000)]

    with pytest.raises(UsageError) as caught:
        assess(values, margins={"Q": 1})

    assert str(caught.value) == ("no measurand is called 'Q'; there are m0, m1, m2, m3, m4, m5, m6, m7 and 9,992 more")


@pytest.mark.parametrize(
    ("one", "several"),
    [
        pytest.param({"by": "seed"}, {"by": ["seed"]}, id="by"),
        pytest.param({"conditions": "seed"}, {"conditions": ["seed"]}, id="conditions"),
        pytest.param({"conditions": "paper"}, {"conditions": ["paper"]}, id="the paper's conditions"),
        pytest.param({"where": {"seed": "1"}}, {"where": {"seed": ["1"]}}, id="where"),
        pytest.param({"where": {"seed": 1}}, {"where": {"seed": ["1"]}}, id="where, a number"),
        pytest.param({"laboratory": None}, {"laboratory": "performed_by"}, id="laboratory"),
    ],
)
def test_one_name_means_the_same_as_a_list_of_it(one: dict[str, Any], several: dict[str, Any]) -> None:
    assert assess(MEASUREMENTS, **one) == assess(MEASUREMENTS, **several)


@pytest.mark.parametrize("confidence", [0.6, 0.999])
def test_the_widest_and_the_narrowest_confidence_are_taken(confidence: float) -> None:
    (one,) = assess(MEASUREMENTS, confidence=confidence)

    assert one.confidence == confidence


def test_more_confidence_makes_wider_intervals() -> None:
    (less,), (more,) = assess(MEASUREMENTS, confidence=0.8), assess(MEASUREMENTS, confidence=0.9)

    assert less.precision.stdev_ci is not None
    assert more.precision.stdev_ci is not None
    assert less.precision.stdev_ci.low > more.precision.stdev_ci.low
    assert (less.precision.stdev_ci.high or 0) < (more.precision.stdev_ci.high or 0)


def test_one_of_the_papers_conditions_may_tell_laboratories_apart_though_nobody_states_it() -> None:
    (one,) = assess(MEASUREMENTS, laboratory="test_set")

    assert isinstance(one.laboratories, Refused)
    assert one.laboratories.reason == (
        "Test set is unknown or not stated for 2 of 2 measurements; "
        "--laboratory names another condition that tells laboratories apart"
    )


def test_laboratories_are_told_apart_by_the_condition_named() -> None:
    values = [
        measured(value, conditions={"site": site, "gpu": "a"})
        for value, site in (("10", "x"), ("12", "x"), ("20", "y"), ("22", "y"))
    ]

    (one,) = assess(values, laboratory="site")

    assert not isinstance(one.laboratories, Refused)
    assert dict(one.laboratories.replicates) == {"x": 2, "y": 2}
    assert one.laboratories.repeatability == pytest.approx(2**0.5)


def test_a_laboratory_may_be_named_as_the_paper_prints_it() -> None:
    values = [
        measured(value, conditions={"performed_by": who})
        for value, who in (("10", "x"), ("12", "x"), ("20", "y"), ("22", "y"))
    ]

    (one,) = assess(values, laboratory="Performed by")

    assert not isinstance(one.laboratories, Refused)


# Parts --------------------------------------------------------------------------------------------------------


def test_groups_are_parted_by_a_condition_and_then_not_compared_with_each_other(
    published: QuantifiedAssessment,
) -> None:
    parted = assess(
        example_measurements("belz2022"), by=["performed_by"], where={"study": ["nts"], "measurand": ["BLEU"]}
    )

    assert [(one.group.object, *one.group.subset.values(), len(one.group)) for one in parted] == [
        ("NTS_def", "Nisioi et al. (2017)", 1),
        ("NTS_def", "Cooper & Shardlow (2020)", 2),
        ("NTS_def", "Belz et al. (2022)", 4),
        ("NTS-w2v_def", "Nisioi et al. (2017)", 1),
        ("NTS-w2v_def", "Cooper & Shardlow (2020)", 1),
        ("NTS-w2v_def", "Belz et al. (2022)", 4),
    ]
    together = ("score_sets", "labels", "findings", "claims", "levels", "attributes", "paired", "pairs")
    assert {name: getattr(parted, name) for name in together} == dict.fromkeys(together, ())
    assert [name for name in together if getattr(published, name)] == [
        *("score_sets", "findings", "levels", "attributes", "paired", "pairs")
    ]


def test_what_is_left_out_of_parted_groups_is_said() -> None:
    label = Label(measurand="P", item="1", rater="r", label="x")
    claim = Claim(above="A", below="B", measurand="P")

    assert assess(MEASUREMENTS, by="seed").remarks == (
        "groups are parted by seed, so nothing is said of sets of scores and findings",
    )
    assert assess([*MEASUREMENTS, label, label, claim], by=["seed"]).remarks == (
        "groups are parted by seed, so nothing is said of sets of scores and findings, nor of 2 labels, nor of 1 claim",
    )
    assert assess([*MEASUREMENTS, label]).remarks == ()


def test_labels_are_chosen_by_what_they_say_and_not_by_what_only_measurements_do() -> None:
    labels = [
        Label(measurand=measurand, item=item, rater=rater, label=item, object=object_, study="s")
        for measurand, object_ in (("P", "A"), ("P", "B"), ("Q", "A"))
        for item in "12"
        for rater in "ab"
    ]
    values = [measured("1", "A", "P", role="original"), measured("2", "B", "Q", role="original")]

    def chosen(**where: str) -> list[tuple[str, str]]:
        return [(one.measurand, one.object) for one in assess([*values, *labels], where=where).labels]

    assert chosen(object="A") == [("P", "A"), ("Q", "A")]
    assert chosen(object="A", measurand="P") == [("P", "A")]
    assert chosen(role="original") == [("P", "A"), ("P", "B"), ("Q", "A")]


def test_several_wanted_values_of_one_name_are_alternatives_and_several_names_must_all_hold() -> None:
    values = [measured(str(place), role=role) for place, role in enumerate(("original", "reproduction", ""), start=1)]
    other = measured("9", "B", role="original")

    found = assess([*values, other], where={"role": ["original", "reproduction"], "object": ["A"]})

    assert [numbers(one) for one in found] == [(1.0, 2.0)]


def test_names_that_no_measurement_has_together_leave_nothing() -> None:
    found = assess([measured("1"), measured("2", "B", "Q")], where={"object": ["A"], "measurand": ["Q"]})

    assert (len(found), found.says_something, found.table().height) == (0, False, 0)


def test_the_kind_follows_the_conditions_that_are_looked_at() -> None:
    values = [measured("1", conditions={"a": "1", "b": "1"}), measured("2", conditions={"a": "1", "b": "2"})]

    assert [assess(values, conditions=names).groups[0].group.kind for names in (None, ["a"], ["b"])] == [
        *("reproducibility", "repeatability", "reproducibility")
    ]


# What else is said of a group -------------------------------------------------------------------------------------


def test_causes_are_looked_for_if_they_are_wanted() -> None:
    (without,), (with_causes,) = assess(MEASUREMENTS), assess(MEASUREMENTS, causes=True)

    assert without.causes is None
    assert isinstance(with_causes.causes, Causes)


def test_a_published_group_is_placed_among_the_others_without_itself(published: QuantifiedAssessment) -> None:
    one = published.find("NTS_def", "BLEU")

    assert one is not None
    assert not isinstance(one.placement, Refused)
    assert (one.placement.n, one.placement.lower) == (14, 0)


def test_a_group_is_placed_among_the_groups_handed_over() -> None:
    others = [
        Published(object=f"O{cv}", measurand="P", n=2, evaluation="metric", cv_acl2022=cv, cv_qra3=cv)
        for cv in (1, 2, 3, 5)
    ]

    (one,) = assess([measured("50", evaluation="metric"), measured("52", evaluation="metric")], published=others)

    assert not isinstance(one.placement, Refused)
    assert (one.placement.n, one.placement.lower) == (4, 3)


def test_a_group_is_placed_nowhere_if_no_other_is_published() -> None:
    (one,) = assess(MEASUREMENTS, published=[])

    assert isinstance(one.placement, Refused)


def test_equivalence_is_tested_for_the_measurands_with_a_margin_alone() -> None:
    values = [
        measured(value, measurand=name, role=role)
        for name in ("P", "Q")
        for value, role in (("50", "original"), ("50.1", "reproduction"), ("49.9", "reproduction"))
    ]

    first, second = assess(values, margins={"P": 5})

    assert first.equivalence is not None
    assert first.equivalence.to_dict()["margin"] == 5
    assert first.equivalence.to_dict()["alpha"] == 0.05
    assert second.equivalence is None


def test_remarks_of_reading_are_kept() -> None:
    assert assess(Material(tuple(MEASUREMENTS), remarks=("read with care",))).remarks == ("read with care",)


def test_claims_and_labels_are_assessed_beside_measurements() -> None:
    values = [
        measured(value, object_, role=role, source=role)
        for role, pair in (("original", (("2", "A"), ("1", "B"))), ("reproduction", (("3", "A"), ("4", "B"))))
        for value, object_ in pair
    ]
    labels = [Label(measurand="Clarity", item=item, rater=rater, label=item) for item in "12" for rater in "ab"]

    found = assess([*values, Claim(above="A", below="B", measurand="P"), *labels])

    assert [(one.claim.above, one.claim.below) for one in found.claims] == [("A", "B")]
    assert [one.measurand for one in found.labels] == ["Clarity"]
    assert [(one.upheld, one.pairs) for one in found.findings] == [(0, 1)]
