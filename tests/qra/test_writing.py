"""Does reading give back what was written, and is YAML as short as a person would write it?"""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from primad.qra.claims import Claim
from primad.qra.labels import LEVELS, Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.qra.reading.read import material_of, read_measurements
from primad.qra.writing import as_csv, as_json_lines, as_yaml

TEXTS = st.text(max_size=12).map(str.strip)
NAMES = TEXTS.filter(bool)
# Numbers nearer to 0 than any measured one cannot be read: they would have exponents of three digits.
BOUNDS = st.floats(-1e18, 1e18).map(lambda bound: 0.0 if abs(bound) < 1e-99 else bound)
NUMBERS = st.one_of(
    st.decimals(-1000, 1000, places=2).map(str), st.sampled_from(["84.50", "1e-3", "-.5", "91%", "+3", "007"])
)
MAPPINGS = st.dictionaries(NAMES, NAMES, max_size=3)
SCALES = st.one_of(
    st.just(Scale()),
    BOUNDS.map(Scale),
    BOUNDS.map(lambda high: Scale(None, high)),
    st.tuples(BOUNDS, BOUNDS).filter(lambda pair: pair[0] < pair[1]).map(lambda pair: Scale(*pair)),
)
MEASUREMENTS = st.builds(
    Measurement,
    object=NAMES,
    measurand=NAMES,
    value=NUMBERS,
    scale=SCALES,
    unit=TEXTS,
    direction=st.sampled_from(["higher", "lower", ""]),
    source=TEXTS,
    role=st.sampled_from(["original", "reproduction", ""]),
    experiment=TEXTS,
    conditions=MAPPINGS,
    outputs=TEXTS,
    standard_error=st.none() | st.just(0.0) | st.floats(1e-99, 1e9),
    items=st.none() | st.integers(1, 10**20),
    study=TEXTS,
    task=TEXTS,
    evaluation=TEXTS,
    system=TEXTS,
    attributes=MAPPINGS,
    name=TEXTS,
    file=st.just(""),
    line=st.just(0),
)
LABELS = st.builds(
    Label,
    measurand=NAMES,
    item=NAMES,
    rater=NAMES,
    label=TEXTS,
    object=TEXTS,
    study=TEXTS,
    level=st.sampled_from(LEVELS),
    file=st.just(""),
    line=st.just(0),
)
CLAIMS = st.builds(
    Claim,
    above=NAMES,
    below=NAMES,
    measurand=NAMES,
    test=st.sampled_from(["order", "welch"]),
    correction=st.sampled_from(["none", "bonferroni", "holm"]),
    alpha=st.floats(0.001, 0.999),
    study=TEXTS,
    source=TEXTS,
    name=TEXTS,
    file=st.just(""),
    line=st.just(0),
).filter(lambda claim: claim.above != claim.below)


def unplaced(material: Material) -> Material:
    """Return MATERIAL without the file and the lines it was read from."""
    return Material(
        tuple(replace(one, file="", line=0) for one in material.measurements),
        tuple(replace(one, file="", line=0) for one in material.labels),
        tuple(replace(one, file="", line=0) for one in material.claims),
    )


def read_back(text: str, name: str) -> Material:
    return unplaced(read_measurements(text.encode(), name=name))


# Back again --------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.lists(MEASUREMENTS, min_size=1, max_size=5))
@example([Measurement(object="a\rb", measurand="m\nn", value="1", conditions={"x\ry": 'say "no", please'})])
def test_csv_gives_back_the_same_measurements(measurements: list[Measurement]) -> None:
    assert read_back(as_csv(measurements), "a.csv") == Material(tuple(measurements))


@settings(max_examples=50)
@given(st.lists(MEASUREMENTS, min_size=1, max_size=5))
@example([Measurement(object="a\u2028b", measurand="m\x85n", value="1")])
def test_json_lines_give_back_the_same_measurements(measurements: list[Measurement]) -> None:
    assert read_back(as_json_lines(measurements), "a.jsonl") == Material(tuple(measurements))


@settings(max_examples=50)
@given(st.lists(MEASUREMENTS, max_size=5), st.lists(LABELS, max_size=3), st.lists(CLAIMS, max_size=3))
@example([Measurement(object="yes", measurand="null", value="1e5", unit="0x1F", conditions={"<<": "~"})], [], [])
def test_yaml_gives_back_the_same_material(
    measurements: list[Measurement], labels: list[Label], claims: list[Claim]
) -> None:
    material = Material(tuple(measurements), tuple(labels), tuple(claims))

    if material != Material():
        assert read_back(as_yaml(material), "a.yaml") == material


@settings(max_examples=50)
@given(st.lists(MEASUREMENTS, min_size=1, max_size=3), st.integers(2, 4))
def test_yaml_gives_back_measurements_that_share_nearly_everything(measurements: list[Measurement], times: int) -> None:
    repeated = tuple(replace(one, value=f"{count}.0") for one in measurements for count in range(times))

    assert read_back(as_yaml(Material(repeated)), "a.yaml") == Material(repeated)


@pytest.mark.parametrize("name", ["pass", "nts", "essay"])
def test_the_measurements_of_the_paper_survive_all_three_formats(shared_data: Path, name: str) -> None:
    path = shared_data.parent / "reference" / "measurement_format" / f"{name}.qra.yaml"
    material = unplaced(read_measurements(path))

    assert read_back(as_yaml(material), "a.yaml") == material
    assert read_back(as_csv(material.measurements), "a.csv") == material
    assert read_back(as_json_lines(material.measurements), "a.jsonl") == material


# Form --------------------------------------------------------------------------------------------------------


def test_yaml_says_once_what_measurements_share() -> None:
    first = Measurement(
        object="NTS",
        measurand="BLEU",
        value="84.50",
        scale=Scale(0, 100),
        unit="points",
        direction="higher",
        conditions={"code_by": "A", "seed": "1"},
        study="nts",
        evaluation="metric",
        system="neural",
        attributes={"tool": "openNMT"},
    )
    material = Material((first, replace(first, value="84.20", conditions={"code_by": "A", "seed": "2"})))

    assert as_yaml(material) == (
        "qra: 1\n"
        "study: nts\n"
        "evaluation: metric\n"
        "conditions:\n"
        "  code_by: A\n"
        "measurands:\n"
        "  BLEU:\n"
        "    scale:\n"
        "    - 0\n"
        "    - 100\n"
        "    unit: points\n"
        "    direction: higher\n"
        "objects:\n"
        "  NTS:\n"
        "    system: neural\n"
        "    attributes:\n"
        "      tool: openNMT\n"
        "measurements:\n"
        "- object: NTS\n"
        "  measurand: BLEU\n"
        "  value: '84.50'\n"
        "  conditions:\n"
        "    seed: '1'\n"
        "- object: NTS\n"
        "  measurand: BLEU\n"
        "  value: '84.20'\n"
        "  conditions:\n"
        "    seed: '2'\n"
    )


def test_csv_has_the_columns_that_are_needed_and_conditions_at_the_end() -> None:
    first = Measurement(object="A", measurand="P", value="0.50", conditions={"seed": "1"})
    second = Measurement(object="B", measurand="P", value="0.25", scale=Scale(0, 1), items=20, attributes={"size": "S"})

    assert as_csv([first, second]) == (
        "object,measurand,value,items,scale_min,scale_max,c:seed,a:size\nA,P,0.50,,,,1,\nB,P,0.25,20,0,1,,S\n"
    )


def test_json_lines_nest_conditions_and_bounds() -> None:
    measurement = Measurement(object="A", measurand="P", value="0.50", scale=Scale(0, None), conditions={"seed": "1"})

    assert as_json_lines([measurement]) == (
        '{"object": "A", "measurand": "P", "value": "0.50", "scale": [0, null], "conditions": {"seed": "1"}}\n'
    )


def test_a_label_that_is_missing_is_written() -> None:
    label = Label(measurand="fluency", item="7", rater="r1", label="")

    assert material_of(as_yaml(Material(labels=(label,))).encode()).labels[0].label == ""
    assert "label: ''" in as_yaml(Material(labels=(label,)))
