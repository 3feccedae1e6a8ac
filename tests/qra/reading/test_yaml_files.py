"""Does YAML say once what measurements share, and is every slip in it told with its line?"""

import re
from importlib import resources
from pathlib import Path

import pytest

from primad.errors import MeasurementError
from primad.qra.claims import Claim
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.qra.reading.read import material_of, read_measurements


def read(text: str) -> Material:
    return read_measurements(text.encode(), name="a.yaml")


def flaws_of(text: str) -> list[str]:
    """Return the flaws of TEXT as a person reads them."""
    with pytest.raises(MeasurementError) as raised:
        read(text)
    return [str(flaw) for flaw in raised.value.flaws]


TOP = "qra, study, task, evaluation, conditions, measurands, objects, measurements, labels, claims"
OF_MEASUREMENTS = (
    "object, measurand, value, scale_min, scale_max, unit, direction, source, role, experiment, outputs, "
    "standard_error, items, study, task, evaluation, system, id, scale, conditions, attributes"
)
FULL = """\
qra: 1
study: nts
task: simplification
evaluation: [metric, intrinsic]
conditions:
  code_by: Nisioi
  seed: 007
  test_set: yes
measurands:
  BLEU:
    scale: [0, 100]
    unit: points
    direction: higher
  clarity:
    scale: [1, null]
    evaluation: human, intrinsic
    level: ordinal
objects:
  NTS:
    system: neural
    attributes: {tool: openNMT, size: 12}
measurements:
- id: NTS/1
  object: NTS
  measurand: BLEU
  value: 84.50
  source: doi:1
  role: original
  experiment: run 1
  outputs: sha256:0
  standard_error: 0.5
  items: 20
- object: NTS
  measurand: clarity
  value: 5
  study: other
  attributes: {size: 13}
  conditions:
    seed: 2
    test_set:
    beam: "5"
labels:
- {measurand: clarity, item: 7, rater: r1, label: 3}
- {measurand: clarity, item: 7, rater: r2, label: , object: NTS, level: nominal, study: other}
claims:
- {above: NTS, below: base, measurand: BLEU}
- above: base
  below: NTS
  measurand: clarity
  test: welch
  correction: holm
  alpha: 0.01
  name: second
  source: doi:2
"""


# What is there -----------------------------------------------------------------------------------------------


def test_a_measurement_gets_what_is_said_for_all_for_its_measurand_and_for_its_object() -> None:
    assert read(FULL).measurements[0] == Measurement(
        object="NTS",
        measurand="BLEU",
        value="84.50",
        scale=Scale(0, 100),
        unit="points",
        direction="higher",
        source="doi:1",
        role="original",
        experiment="run 1",
        conditions={"code_by": "Nisioi", "seed": "007", "test_set": "yes"},
        outputs="sha256:0",
        standard_error=0.5,
        items=20,
        study="nts",
        task="simplification",
        evaluation="metric, intrinsic",
        system="neural",
        attributes={"tool": "openNMT", "size": "12"},
        name="NTS/1",
        file="a.yaml",
        line=23,
    )


def test_a_measurement_may_say_it_otherwise_and_a_blank_takes_it_back() -> None:
    one = read(FULL).measurements[1]

    assert one.conditions == {"code_by": "Nisioi", "seed": "2", "beam": "5"}
    assert one.attributes == {"tool": "openNMT", "size": "13"}
    assert (one.study, one.evaluation, one.scale) == ("other", "human, intrinsic", Scale(1, None))


def test_labels_take_their_level_and_study_from_above() -> None:
    first = Label(
        measurand="clarity", item="7", rater="r1", label="3", study="nts", level="ordinal", file="a.yaml", line=43
    )
    second = Label(
        measurand="clarity", item="7", rater="r2", label="", object="NTS", study="other", file="a.yaml", line=44
    )

    assert read(FULL).labels == (first, second)


def test_claims_are_read_with_their_tests() -> None:
    first = Claim(above="NTS", below="base", measurand="BLEU", study="nts", file="a.yaml", line=46)
    second = Claim(
        above="base",
        below="NTS",
        measurand="clarity",
        test="welch",
        correction="holm",
        alpha=0.01,
        study="nts",
        source="doi:2",
        name="second",
        file="a.yaml",
        line=47,
    )

    assert read(FULL).claims == (first, second)


@pytest.mark.parametrize("written", ["84.50", "'84.50'", "+84.50", "8.450e1", "84.50%"])
def test_a_value_stays_as_it_was_written(written: str) -> None:
    (one,) = read(f"measurements: [{{object: A, measurand: P, value: {written}}}]").measurements

    assert one.value == written.strip("'")


def test_the_files_and_the_table_of_the_paper_say_the_same(shared_data: Path) -> None:
    folder = shared_data.parent / "reference" / "measurement_format"

    def said(material: Material) -> list[tuple[str, ...]]:
        # The table has no study, and writes % for the unit percent.
        return sorted(
            (
                one.object,
                one.measurand,
                one.value,
                one.source,
                one.role,
                str(one.scale),
                str(sorted(one.conditions.items())),
            )
            for one in material.measurements
        )

    from_yaml = material_of(sorted(folder.glob("*.qra.yaml")))
    from_table = read_measurements(folder / "all.csv")

    assert len(from_table.measurements) == 116
    assert said(from_yaml) == said(from_table)


def test_names_that_nothing_is_measured_under_are_remarked() -> None:
    text = "measurands: {BLUE: {unit: points}}\nobjects: {B: {system: x}}\n"

    material = read(text + "measurements: [{object: A, measurand: BLEU, value: 1}]")

    assert material.remarks == (
        "a.yaml: measurands: nothing is measured under 'BLUE'; did you mean 'BLEU'?",
        "a.yaml: objects: nothing is measured under 'B'",
    )


# What is wrong -----------------------------------------------------------------------------------------------


def test_every_slip_is_told_with_its_own_line() -> None:
    text = """\
qra: 2
measurment: []
measurands:
  BLEU:
    scale: [100, 0]
    dircetion: higher
measurements:
- object: A
  measurand: BLEU
  value: many
  roll: original
- object: A
  measurand: P
  value: [1, 2]
  scale: 7
  conditions: seed
  items: {n: 3}
- just text
- {measurand: BLEU, value: 3}
labels:
- {measurand: P, item: 1, rater: r, label: 2, level: metric}
claims:
- {above: A, below: A, measurand: P, test: t, alpha: 5}
"""

    assert [flaw.split(", found ") for flaw in flaws_of(text)] == [
        ["a.yaml:2: key: expected a known key", "'measurment'; did you mean 'measurements'?"],
        ["a.yaml:1: qra: expected 1, the version of this format", "'2'"],
        ["a.yaml:6: key: expected a known key", "'dircetion'; did you mean 'direction'?"],
        ["a.yaml:11: key: expected a known key", "'roll'; did you mean 'role'?"],
        [
            "a.yaml:10: value: expected a finite number (leave the measurement out if there is none) for A, BLEU",
            "'many'",
        ],
        ["a.yaml:5: scale_min: expected a number below scale_max, which is 0", "100"],
        ["a.yaml:14: value: expected a text or a number", "a list of 2"],
        ["a.yaml:15: scale: expected the lowest and the highest value, such as [0, 100]", "'7'"],
        ["a.yaml:16: conditions: expected a mapping of names to texts", "'seed'"],
        ["a.yaml:17: items: expected a text or a number", "a mapping"],
        ["a.yaml:14: value: expected a finite number (leave the measurement out if there is none) for A, P", "nothing"],
        ["a.yaml:18: record: expected a mapping with keys such as object, measurand, value", "'just text'"],
        ["a.yaml:19: object: expected a text", "nothing"],
        ["a.yaml:21: level: expected one of nominal, ordinal, interval, ratio", "'metric'"],
        ["a.yaml:23: below: expected another object than above", "'A'"],
        ["a.yaml:23: test: expected one of order, welch", "'t'"],
        ["a.yaml:23: alpha: expected a number between 0 and 1", "'5'"],
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "study: a\nstudy: b\nmeasurements: []",
            "a.yaml:2: YAML: expected each key once, found 'study' again (first in line 1)",
            id="a key twice",
        ),
        pytest.param("a: b: c", "a.yaml:1: YAML: expected YAML, found a line that is none (mapping", id="no YAML"),
        pytest.param("x: &a [1]\ny: *a", "a.yaml:2: YAML: expected each value written out, found the al", id="alias"),
        pytest.param("[" * 100, "a.yaml:1: YAML: expected at most 32 levels, found more", id="deep"),
        pytest.param("- 1", "a.yaml:1: file: expected a mapping with keys such as measurements", id="a list"),
        pytest.param("# nothing", "a.yaml: file: expected measurements, found an empty file", id="a comment"),
        pytest.param("study: a", "a.yaml: measurements: expected at least one measurement, label or", id="no list"),
        pytest.param("measurements: []", "a.yaml: measurements: expected at least one measurement", id="empty list"),
        pytest.param("measurements: {a: 1}", "a.yaml:1: measurements: expected a list, found", id="no list there"),
        pytest.param("measurands: 3", "a.yaml:1: measurands: expected a mapping of names to facts", id="no mapping"),
        pytest.param(
            "conditions: {seed: [1, 2]}",
            "a.yaml:1: conditions 'seed': expected a text or a number, found a list of 2",
            id="a list of seeds",
        ),
        pytest.param("evaluation: {a: 1}", "a.yaml:1: evaluation: expected a text or a number, found a m", id="a map"),
    ],
)
def test_a_file_that_is_no_document_is_a_flaw(text: str, expected: str) -> None:
    assert flaws_of(text)[0].startswith(expected)


def test_keys_are_listed_once_if_none_is_near() -> None:
    text = """\
colour: red
shape: round
measurements:
- {object: A, measurand: P, value: 1, colour: red}
- {object: A, measurand: P, value: 2, colour: red, sorce: X}
"""

    assert flaws_of(text) == [
        f"a.yaml:1: key: expected one of {TOP}, found 'colour'",
        "a.yaml:2: key: expected a known key, found 'shape'",
        f"a.yaml:4: key: expected one of {OF_MEASUREMENTS}, found 'colour'",
        "a.yaml:5: key: expected a known key, found 'colour'",
        "a.yaml:5: key: expected a known key, found 'sorce'; did you mean 'source'?",
    ]


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        pytest.param("value: 40,31", "'31'; write 40.31 with a point", id="a value"),
        pytest.param("value: -40, 31%", "'31%'; write -40.31% with a point", id="with signs"),
        pytest.param("value: 1, source: x, 31", "'31'; write decimals with a point", id="behind a text"),
        pytest.param("31, value: 1", "'31'; write decimals with a point", id="behind a name"),
    ],
)
def test_decimals_that_became_a_key_are_told_how_to_be_written(fields: str, found: str) -> None:
    assert flaws_of(f"measurements: [{{object: A, measurand: P, {fields}}}]") == [
        f"a.yaml:1: key: expected a known key, found {found}"
    ]


def test_a_value_off_its_scale_is_told_beside_a_key_that_nobody_knows() -> None:
    text = """\
measurands: {P: {scale: [1, 5]}}
measurements:
- {object: A, measurand: P, value: 39.5}
- {object: A, measurand: P, value: 4, sorce: X}
- {object: A, measurand: P, value: 6, rolle: original}
"""

    assert flaws_of(text) == [
        "a.yaml:4: key: expected a known key, found 'sorce'; did you mean 'source'?",
        "a.yaml:5: key: expected a known key, found 'rolle'; did you mean 'role'?",
        "a.yaml:3: value: expected A, P on its scale of 1 to 5, found 39.5",
        "a.yaml:5: value: expected A, P on its scale of 1 to 5, found 6",
    ]


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        pytest.param(
            """\
measurements:
- {object: A, measurand: P, value: 4, scal: [1, 5]}
- {object: A, measurand: P, value: 3, scale: [1, 5]}
""",
            "a.yaml:2: key: expected a known key, found 'scal'; did you mean 'scale'?",
            id="of one measurement",
        ),
        pytest.param(
            """\
measurands: {P: {scale: [5, 1]}}
measurements:
- {object: A, measurand: P, value: 4}
- {object: A, measurand: P, value: 3}
- {object: A, measurand: P, value: 3, scale: [1, 5]}
""",
            "a.yaml:1: scale_min: expected a number below scale_max, which is 1, found 5",
            id="of a measurand",
        ),
        pytest.param(
            """\
measurements:
- {object: A, measurand: P, value: 0}
- {object: A, measurand: P, value: 0}
- {object: A, measurand: P, valeu: 3, value: 3}
""",
            "a.yaml:4: key: expected a known key, found 'valeu'; did you mean 'value'?",
            id="of a value that would change the mean",
        ),
    ],
)
def test_a_slip_is_not_told_again_as_a_difference_between_measurements(text: str, flaw: str) -> None:
    assert flaws_of(text) == [flaw]


TEMPLATE = resources.files("primad.qra").joinpath("template.qra.yaml").read_text(encoding="utf-8")


def test_the_template_gives_no_result_before_values_are_filled_in() -> None:
    lines = [at for at, line in enumerate(TEMPLATE.splitlines(), start=1) if line.strip().startswith("value:")]
    wanted = "a finite number (leave the measurement out if there is none) for system A, BLEU"

    assert flaws_of(TEMPLATE) == [f"a.yaml:{at}: value: expected {wanted}, found nothing" for at in lines]
    assert len(lines) == 2


def test_what_the_template_has_in_comments_can_be_read_too() -> None:
    filled = re.sub(r"value: +# as ([0-9.]+)", r"value: \1 #", TEMPLATE)
    optional = [line.removeprefix("# ") for line in TEMPLATE.splitlines()[1:] if line.startswith("# ")]

    plain, full = read(filled), read("\n".join([filled, *optional]))

    assert (plain.labels, plain.claims, len(plain.measurements)) == ((), (), 2)
    assert [(one.measurand, one.item, one.label, one.level) for one in full.labels] == [
        ("fluency", "7", "3", "ordinal")
    ]
    assert [one.text for one in full.claims] == ["system A above system B on BLEU"]
