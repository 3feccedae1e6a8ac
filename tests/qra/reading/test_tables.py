"""Are tables of measurements and labels read as they are written, and is everything wrong in them said?"""

import pytest

from primad.errors import Flaw, MeasurementError
from primad.qra.grouping import ONE_SCALE
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.qra.reading.read import read_measurements

NEEDED = (
    "measurements need the columns object, measurand and value, "
    "labels need the columns measurand, item, rater and label"
)


def read(text: str, name: str = "a.csv") -> Material:
    return read_measurements(text.encode(), name=name)


def flaws_of(text: str) -> list[str]:
    """Return the flaws of TEXT as a person reads them."""
    with pytest.raises(MeasurementError) as raised:
        read(text)
    return [str(flaw) for flaw in raised.value.flaws]


# What is there -----------------------------------------------------------------------------------------------


def test_every_column_reaches_its_field() -> None:
    header = (
        "object,measurand,value,scale_min,scale_max,unit,direction,source,role,experiment,outputs,standard_error,"
        "items,study,task,evaluation,system,id,c:seed,c:Beam size,a:features"
    )
    row = 'A,BLEU,84.50,0,100,points,higher,doi:1,original,run 1,sha256:0,0.5,20,nts,MT,"metric, intrinsic",neural,'

    assert read(f"{header}\n{row}A/1,1,?,words\n").measurements == (
        Measurement(
            object="A",
            measurand="BLEU",
            value="84.50",
            scale=Scale(0, 100),
            unit="points",
            direction="higher",
            source="doi:1",
            role="original",
            experiment="run 1",
            conditions={"seed": "1", "Beam size": "?"},
            outputs="sha256:0",
            standard_error=0.5,
            items=20,
            study="nts",
            task="MT",
            evaluation="metric, intrinsic",
            system="neural",
            attributes={"features": "words"},
            name="A/1",
            file="a.csv",
            line=2,
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("object,measurand,value\nA,P,0.50\n", id="three columns"),
        pytest.param("value,object,measurand\n0.50,A,P\n", id="another order"),
        pytest.param(" Object , MEASURAND,Value\nA,P,0.50\n", id="upper case and blanks in the header"),
        pytest.param("object,measurand,value\n A , P, 0.50 \n", id="blanks around cells"),
        pytest.param("\ufeffobject,measurand,value\r\nA,P,0.50\r\n", id="byte order mark and CRLF"),
        pytest.param("object;measurand;value\nA;P;0.50\n", id="semicolons"),
        pytest.param("object\tmeasurand\tvalue\nA\tP\t0.50", id="tabs, no end of the last line"),
        pytest.param('"object","measurand","value"\n"A","P","0.50"\n', id="everything quoted"),
        pytest.param("\n\nobject,measurand,value\n\nA,P,0.50\n,,\n \n", id="blank lines and rows"),
        pytest.param("object,measurand,value,\nA,P,0.50,\n", id="a column without a name"),
        pytest.param("object,measurand,value,c:seed,c:env\nA,P,0.50,, \n", id="blank conditions"),
        pytest.param("object\rmeasurand\rvalue".replace("\r", ",") + "\rA,P,0.50\r", id="carriage returns"),
    ],
)
def test_a_table_is_read_however_it_is_written(text: str) -> None:
    (measurement,) = read(text).measurements

    assert (measurement.object, measurement.measurand, measurement.value) == ("A", "P", "0.50")
    assert measurement.conditions == {}


def test_a_cell_may_have_several_lines_and_lines_are_counted_on() -> None:
    material = read('object,measurand,value,c:note\nA,P,1,"two\nlines, and ""quotes"""\nB,P,2,\n')

    assert [one.line for one in material.measurements] == [2, 4]
    assert material.measurements[0].conditions == {"note": 'two\nlines, and "quotes"'}


def test_equal_conditions_and_scales_are_kept_once() -> None:
    rows = "".join(f"A,P,{count},0,100,x,y\n" for count in range(3))

    first, *others = read("object,measurand,value,scale_min,scale_max,c:a,c:b\n" + rows).measurements

    assert all(one.conditions is first.conditions and one.scale is first.scale for one in others)


def test_one_bound_is_a_scale() -> None:
    material = read("object,measurand,value,scale_min,scale_max\nA,P,1,0,\nA,P,1,,10\n")

    assert [one.scale for one in material.measurements] == [Scale(0, None), Scale(None, 10)]


def test_roles_and_directions_may_be_in_upper_case() -> None:
    (one,) = read("object,measurand,value,role,direction\nA,P,1,Original,LOWER\n").measurements

    assert (one.role, one.direction) == ("original", "lower")


def test_columns_that_nobody_knows_are_remarked_with_what_was_meant() -> None:
    material = read("object,measurand,value,rol,colour\nA,P,1,original,red\n")

    assert material.remarks == (
        "a.csv: not read: 'rol' (did you mean 'role'?), 'colour'; a condition is a column 'c:colour'",
    )


def test_a_column_like_a_field_is_still_perhaps_a_condition() -> None:
    material = read("object,measurand,value,rol\nA,P,1,original\n")

    assert material.remarks == ("a.csv: not read: 'rol' (did you mean 'role'?); a condition is a column 'c:rol'",)


def test_a_hundred_thousand_strange_columns_are_remarked_in_one_line() -> None:
    strange = ",".join(f"x{count}" for count in range(100_000))

    (remark,) = read(f"object,measurand,value,{strange}\nA,P,1{',' * 100_000}\n").remarks

    assert remark.endswith("'x6', 'x7' and others; a condition is a column 'c:x0'")


def test_a_table_with_items_and_labels_holds_labels() -> None:
    material = read("measurand,item,rater,label,object,study,level\nfluency,7,r1,3,A,s,Ordinal\nfluency,7,r2,,,,\n")

    assert material.labels == (
        Label(
            measurand="fluency",
            item="7",
            rater="r1",
            label="3",
            object="A",
            study="s",
            level="ordinal",
            file="a.csv",
            line=2,
        ),
        Label(measurand="fluency", item="7", rater="r2", label="", file="a.csv", line=3),
    )
    assert material.measurements == ()


def test_a_condition_beside_labels_is_remarked_not_read() -> None:
    material = read("measurand,item,rater,label,c:seed\nfluency,7,r1,3,1\n")

    assert material.remarks == ("a.csv: not read: 'c:seed'",)


# What is wrong -----------------------------------------------------------------------------------------------


def test_every_flaw_of_a_table_is_said_at_once() -> None:
    text = (
        "object,measurand,value,scale_min,scale_max,role,direction,standard_error,items\n"
        "A,P,n/a,0,100,original,higher,,\n"
        ",,5,0,100,copy,up,,\n"
        "A,P,5,100,0,,,-1,0\n"
        "A,P,5,low,inf,,,x,2.5\n"
        "A,P,5\n"
    )

    assert flaws_of(text) == [
        "a.csv:2: value: expected a finite number (leave the measurement out if there is none) for A, P, found 'n/a'",
        "a.csv:3: object: expected a text, found nothing",
        "a.csv:3: measurand: expected a text, found nothing",
        "a.csv:3: direction: expected one of higher, lower, found 'up'",
        "a.csv:3: role: expected one of original, reproduction, found 'copy'",
        "a.csv:4: scale_min: expected a number below scale_max, which is 0, found 100",
        "a.csv:4: standard_error: expected a finite number of at least 0, or nothing, found '-1'",
        "a.csv:4: items: expected a whole number of at least 1, or nothing, found '0'",
        "a.csv:5: scale_min: expected a finite number, or nothing, found 'low'",
        "a.csv:5: scale_max: expected a finite number, or nothing, found 'inf'",
        "a.csv:5: standard_error: expected a finite number of at least 0, or nothing, found 'x'",
        "a.csv:5: items: expected a whole number of at least 1, or nothing, found '2.5'",
        "a.csv:6: row: expected 9 cells as in the header, found 3",
    ]


@pytest.mark.parametrize(
    ("value", "expected", "found"),
    [
        pytest.param("", "a finite number (leave the measurement out if there is none)", "nothing", id="blank"),
        pytest.param("nan", "a finite number (leave the measurement out if there is none)", "'nan'", id="nan"),
        pytest.param("inf", "a finite number (leave the measurement out if there is none)", "'inf'", id="inf"),
        pytest.param(
            "1e999", "a finite number (leave the measurement out if there is none)", "'1e999'", id="too large"
        ),
        pytest.param('"12,5"', "a number with a decimal point, such as 12.5", "'12,5'", id="comma"),
        pytest.param('"0,125"', "a number with a decimal point, such as 0.125", "'0,125'", id="comma, three decimals"),
        pytest.param(
            '"1,234.5"',
            "a number without separators of thousands, and with a point before the decimals",
            "'1,234.5'",
            id="thousands",
        ),
        pytest.param(
            "84.5 ± 0.2", "the number alone (standard_error is a field of its own)", "'84.5 ± 0.2'", id="with its error"
        ),
    ],
)
def test_a_value_that_is_no_number_is_a_flaw_with_advice(value: str, expected: str, found: str) -> None:
    with pytest.raises(MeasurementError) as raised:
        read(f"object,measurand,value\nA,P,{value}\n")

    assert raised.value.flaws == (Flaw("a.csv:2", "value", f"{expected} for A, P", found),)


@pytest.mark.parametrize(
    ("rows", "flaw"),
    [
        pytest.param(
            'A,P,1\n"A,P,2\nA,P,3\n',
            "a.csv:3: row: expected cells whose quotes are closed, "
            'found a cell that does not end; is a quote (") left open?',
            id="left open",
        ),
        pytest.param(
            '"A" and B,P,1\n',
            "a.csv:2: row: expected ',' behind a closing quote, "
            'found more of the cell; inside quotes, write "" for a quote',
            id="closed too early",
        ),
    ],
)
def test_a_quote_that_is_out_of_place_is_a_flaw_and_swallows_no_rows(rows: str, flaw: str) -> None:
    assert flaws_of(f"object,measurand,value\n{rows}") == [flaw]


def test_a_quote_left_open_in_the_header_is_the_only_flaw() -> None:
    (flaw,) = flaws_of('"object,measurand,value\nA,P,1\n')

    assert flaw == (
        "a.csv:1: row: expected cells whose quotes are closed, "
        'found a cell that does not end; is a quote (") left open?'
    )


def test_quotes_inside_a_cell_are_read() -> None:
    (one,) = read('object,measurand,value\n"say ""no""",P 5" wide,1\n').measurements

    assert (one.object, one.measurand) == ('say "no"', 'P 5" wide')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "object,mesurand,value\nA,P,1\nA,P,2\n",
            ["a.csv:1: header: expected a column 'measurand', found none; is it 'mesurand'?"],
            id="a column misspelled, said once",
        ),
        pytest.param(
            "\nobject\nA\n",
            [
                "a.csv:2: header: expected a column 'measurand', found none",
                f"a.csv:2: header: expected a column 'value', found none; {NEEDED}",
            ],
            id="columns missing",
        ),
        pytest.param(
            "object,measurand,value,Value,c:a, c: a\nA,P,1,1,,\n",
            [
                "a.csv:1: header: expected each column once, found 'value' 2 times",
                "a.csv:1: header: expected each column once, found 'c:a' 2 times",
            ],
            id="columns twice",
        ),
        pytest.param(
            "object,measurand,value,c:\nA,P,1,x\n",
            ["a.csv:1: header: expected a name after 'c:', found nothing"],
            id="a condition without a name",
        ),
        pytest.param(
            "object,measurand,value\n",
            ["a.csv: measurements: expected at least one measurement, label or claim, found none"],
            id="a header alone",
        ),
        pytest.param("", ["a.csv: file: expected measurements, found an empty file"], id="nothing"),
        pytest.param(" \n\n", ["a.csv: file: expected measurements, found an empty file"], id="blanks"),
        pytest.param('""\n', ["a.csv: header: expected a row of column names, found none"], id="an empty cell"),
        pytest.param(
            "measurand,item,label,level\nP,1,2,scale\n",
            [
                f"a.csv:1: header: expected a column 'rater', found none; {NEEDED}",
                "a.csv:2: level: expected one of nominal, ordinal, interval, ratio, found 'scale'",
            ],
            id="labels without raters",
        ),
    ],
)
def test_a_header_that_does_not_do_is_a_flaw(text: str, expected: list[str]) -> None:
    assert flaws_of(text) == expected


def test_a_table_of_something_else_is_told_what_tables_need() -> None:
    assert flaws_of("name,score\nA,1\nB,2\n") == [
        "a.csv:1: header: expected a column 'object', found none",
        "a.csv:1: header: expected a column 'measurand', found none",
        f"a.csv:1: header: expected a column 'value', found none; {NEEDED}",
    ]


def test_a_header_that_does_not_do_is_no_ground_to_compare_values() -> None:
    text = "object,measurand,valeu,scale_min,scale_max\nA,P,4,1,5\nA,P,3,1,5\n"

    assert flaws_of(text) == ["a.csv:1: header: expected a column 'value', found none; is it 'valeu'?"]


def test_a_value_off_its_scale_is_told_beside_rows_that_cannot_be_read() -> None:
    rows = "A,P,39.5,1,5,\nA,P,x,1,5,\nA,P,3,1,7,\nA,P,7,1,5,copy\nA,P,4\nB,P,1,1,5,\nB,P,1,1,5,\n"

    assert flaws_of(f"object,measurand,value,scale_min,scale_max,role\n{rows}") == [
        "a.csv:3: value: expected a finite number (leave the measurement out if there is none) for A, P, found 'x'",
        "a.csv:5: role: expected one of original, reproduction, found 'copy'",
        "a.csv:6: row: expected 6 cells as in the header, found 3",
        "a.csv:2: value: expected A, P on its scale of 1 to 5, found 39.5",
        "a.csv:4: scale: expected 1 to 5 as in the first measurement of A, P, found 1 to 7" + ONE_SCALE,
        "a.csv:5: value: expected A, P on its scale of 1 to 5, found 7",
    ]


def test_a_cell_of_a_hundred_thousand_letters_is_read_and_one_of_a_million_is_a_flaw() -> None:
    assert len(read(f"object,measurand,value\n{'A' * 100_000},P,1\n").measurements[0].object) == 100_000

    (flaw,) = flaws_of(f"object,measurand,value\nA,P,1\n{'A' * 1_000_000},P,1\n")
    assert flaw == (
        "a.csv:3: row: expected cells whose quotes are closed, "
        'found a cell that does not end within 131,072 characters; is a quote (") left open?'
    )


def test_a_line_of_five_million_cells_is_a_flaw() -> None:
    assert flaws_of("object,measurand,value\nA,P,1\n" + "," * 5_000_000) == [
        "a.csv:3: row: expected lines of at most 4,194,304 characters, found a longer one"
    ]


def test_reading_ends_where_nearly_everything_is_wrong() -> None:
    found = flaws_of("object,measurand,value\n" + "A,P,x\n" * 20_000)

    assert len(found) == 10_001
    assert found[-1] == "a.csv:10001: file: expected fewer than 10,000 flaws, found more; the rest was not read"


def test_a_long_text_is_cut_short_and_control_characters_are_spelled_out() -> None:
    (flaw,) = flaws_of(f"object,measurand,value\nA,P,\x1b[31m{'x' * 1000}\n")

    assert flaw.endswith(f"found '\\x1b[31m{'x' * 55}…'")
