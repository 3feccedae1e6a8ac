"""Is JSON read with its numbers as written, in lines and as a document, and is doubtful JSON refused?"""

import pytest

from primad.errors import MeasurementError
from primad.qra.claims import Claim
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.qra.reading.read import read_measurements

ONE = '{"object": "A", "measurand": "P", "value": 84.50}'


def read(text: str, name: str = "a.jsonl") -> Material:
    return read_measurements(text.encode(), name=name)


def flaws_of(text: str, name: str = "a.jsonl") -> list[str]:
    """Return the flaws of TEXT as a person reads them."""
    with pytest.raises(MeasurementError) as raised:
        read(text, name)
    return [str(flaw) for flaw in raised.value.flaws]


# What is there -----------------------------------------------------------------------------------------------


def test_an_object_has_the_keys_of_a_table_or_nested_ones() -> None:
    line = (
        '{"object": "A", "measurand": "P", "value": "0.50", "scale": [0, 1.0], "items": 20, "id": "x",'
        ' "conditions": {"seed": 7, "lower": true, "none": null}, "c:env": "e1", "a:size": "S",'
        ' "attributes": {"tool": "t"}, "evaluation": ["human", "intrinsic"]}\n'
    )

    assert read(line).measurements == (
        Measurement(
            object="A",
            measurand="P",
            value="0.50",
            scale=Scale(0, 1),
            items=20,
            conditions={"seed": "7", "lower": "true", "env": "e1"},
            attributes={"size": "S", "tool": "t"},
            evaluation="human, intrinsic",
            name="x",
            file="a.jsonl",
            line=1,
        ),
    )


@pytest.mark.parametrize("number", ["84.50", "-0.10", "1E-3", "5", "12345678901234567890.50"])
def test_a_number_stays_as_it_was_written(number: str) -> None:
    assert read(ONE.replace("84.50", number)).measurements[0].value == number


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.json", "a", "<stdin>"])
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(f"{ONE}\n\n{ONE}\r\n", [1, 3], id="lines"),
        pytest.param(f"[{ONE},\n {ONE}]\n", [1, 2], id="an array"),
        pytest.param(f'{{"measurements": [{ONE}, {ONE}]}}', [1, 1], id="a document in one line"),
    ],
)
def test_the_content_tells_lines_from_documents(name: str, text: str, lines: list[int]) -> None:
    measurements = read(text, name).measurements

    assert [(one.value, one.line) for one in measurements] == [("84.50", line) for line in lines]


def test_entries_of_a_document_are_known_by_their_lines() -> None:
    text = f'\n{{\t"measurements":\n [\n\t{ONE}\n,\n{ONE}]}}\n'

    assert [one.line for one in read(text, "a.json").measurements] == [4, 6]


def test_a_document_says_once_what_is_shared_as_yaml_does() -> None:
    text = (
        '{"qra": 1, "study": "s", "conditions": {"seed": 1}, "measurands": {"P": {"scale": [0, 100]}},\n'
        f'"measurements": [{ONE}],\n'
        '"labels": [{"measurand": "P", "item": 1, "rater": "r", "label": "yes"}],\n'
        '"claims": [{"above": "A", "below": "B", "measurand": "P"}]}'
    )

    material = read(text, "a.json")

    assert material.measurements == (
        Measurement(
            object="A",
            measurand="P",
            value="84.50",
            scale=Scale(0, 100),
            study="s",
            conditions={"seed": "1"},
            file="a.json",
            line=2,
        ),
    )
    assert material.labels == (
        Label(measurand="P", item="1", rater="r", label="yes", study="s", file="a.json", line=3),
    )
    assert material.claims == (Claim(above="A", below="B", measurand="P", study="s", file="a.json", line=4),)


def test_lines_may_hold_labels_and_claims_too() -> None:
    text = '{"measurand": "P", "item": 1, "rater": "r", "label": 2}\n{"above": "A", "below": "B", "measurand": "P"}'

    material = read(text)

    assert [label.label for label in material.labels] == ["2"]
    assert [claim.text for claim in material.claims] == ["A above B on P"]


def test_keys_that_nobody_knows_are_remarked_once() -> None:
    line = ONE.replace("}", ', "rol": "original", "colour": "red"}')

    assert read(f"{line}\n{line}\n").remarks == ("a.jsonl: not read: 'rol' (did you mean 'role'?), 'colour'",)


# What is wrong -----------------------------------------------------------------------------------------------


def test_a_line_that_is_no_json_does_not_hide_the_flaws_of_the_others() -> None:
    text = f'{{"object": "A"\n[1]\n{ONE}\n{{"object": "A", "measurand": "P", "value": "n/a"}}\n'

    assert flaws_of(text) == [
        "a.jsonl:1: JSON: expected one object, found '{\"object\": \"A\"' (Expecting ',' delimiter, column 15)",
        "a.jsonl:2: record: expected a mapping with keys such as object, measurand, value, found a list of 1",
        "a.jsonl:4: value: expected a finite number (leave the measurement out if there is none) for A, P, found 'n/a'",
    ]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_keys_twice_and_numbers_that_are_none_are_flaws(name: str) -> None:
    text = '{"object": "A", "object": "B", "measurand": "P", "value": 1, "conditions": {"x": NaN, "y": -Infinity}}'

    assert flaws_of(text, name) == [
        f"{name}:1: JSON: expected finite numbers, found NaN",
        f"{name}:1: JSON: expected finite numbers, found -Infinity",
        f"{name}:1: JSON: expected each key once, found 'object' again",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[1", "a.json:1: JSON: expected a document, found what is none (expecting ','", id="open list"),
        pytest.param('{\n"a"', "a.json:2: JSON: expected a document, found what is none (expecting ':'", id="no value"),
        pytest.param("{1: 2}", "a.json:1: JSON: expected a document, found what is none (expecting a n", id="no name"),
        pytest.param("{}\n{}\n[", "a.json:1: object: expected a text, found nothing", id="empty objects"),
        pytest.param("[] x", "a.json:1: JSON: expected a document, found what is none (something after", id="more"),
        pytest.param("[,]", "a.json:1: JSON: expected a document, found what is none (Expecting value", id="comma"),
        pytest.param("[]", "a.json: measurements: expected at least one measurement, label or claim", id="no entry"),
        pytest.param('"text"', "a.json:1: JSON: expected a document, found what is none (expecting '{'", id="a text"),
        pytest.param("[" * 100_000, "a.json: JSON: expected lists and objects of a few levels, found more", id="deep"),
        pytest.param('{"a":' * 100_000, "a.json: JSON: expected lists and objects of a few levels", id="deep objects"),
        pytest.param(
            '{"study": "a",\n"study": "b"}', "a.json:2: JSON: expected each key once, found 'study' again", id="twice"
        ),
        pytest.param('{"measurments": []}', "a.json:1: object: expected a text, found nothing", id="a wrong list"),
        pytest.param(
            '{\n"measurments": []}',
            "a.json:2: key: expected a known key, found 'measurments'; did you mean 'measurements'?",
            id="a wrong list in a document",
        ),
    ],
)
def test_a_document_that_is_none_is_a_flaw(text: str, expected: str) -> None:
    assert flaws_of(text, "a.json")[0].startswith(expected)


def test_deep_lines_are_flaws() -> None:
    assert flaws_of('{"a":' * 100_000) == ["a.jsonl:1: JSON: expected lists and objects of a few levels, found more"]
