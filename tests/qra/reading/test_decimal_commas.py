"""Are numbers with a decimal comma read where they can be, and is it said how to write them where they cannot?"""

import pytest

from primad.errors import MeasurementError
from primad.qra.material import Material
from primad.qra.measurement import Scale
from primad.qra.reading.read import read_measurements


def read(text: str) -> Material:
    return read_measurements(text.encode(), name="a.csv")


def flaws_of(text: str) -> list[str]:
    """Return the flaws of TEXT as a person reads them."""
    with pytest.raises(MeasurementError) as raised:
        read(text)
    return [str(flaw) for flaw in raised.value.flaws]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        pytest.param("40,90", "40.90", id="a comma"),
        pytest.param("-,5", "-.5", id="nothing before the comma"),
        pytest.param("40,90 %", "40.90 %", id="percent"),
        pytest.param("1,5e-3", "1.5e-3", id="a power of ten"),
        pytest.param("40.90", "40.90", id="a point"),
    ],
)
def test_where_semicolons_part_columns_a_decimal_comma_is_read_as_a_point(written: str, kept: str) -> None:
    material = read(f"object;measurand;value;c:note\nA;P;{written};1,5\n")

    (one,) = material.measurements
    assert (one.value, one.number) == (kept, float(kept.removesuffix(" %")))
    assert one.conditions == {"note": "1,5"}
    said = () if written == kept else ("a.csv: a comma in a number is read as a decimal point",)
    assert material.remarks == said


def test_scales_and_standard_errors_may_have_a_decimal_comma_too() -> None:
    header = "object;measurand;value;scale_min;scale_max;standard_error"

    (one,) = read(f"{header}\nA;P;2;0,5;4,5;0,25\n").measurements

    assert (one.scale, one.standard_error) == (Scale(0.5, 4.5), 0.25)


def test_where_tabs_part_columns_a_decimal_comma_is_a_flaw() -> None:
    assert flaws_of("object\tmeasurand\tvalue\nA\tP\t40,90\n") == [
        "a.csv:2: value: expected a number with a decimal point, such as 40.90 for A, P, found '40,90'"
    ]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        pytest.param("A,P,40,31,x", "5; if '40,31' is one number, write 40.31", id="a number in two cells"),
        pytest.param("A,P, -40, 31%,x", "5; if '-40,31%' is one number, write -40.31%", id="with signs"),
        pytest.param("A,P,40.5,31,x", "5", id="a number and another one"),
        pytest.param("A,P,40,x,y", "5", id="no two numbers"),
        pytest.param("40,31", "2", id="too few cells"),
    ],
)
def test_a_row_with_too_many_cells_is_a_flaw_that_points_at_a_decimal_comma(row: str, found: str) -> None:
    assert flaws_of(f"object,measurand,value,source\n{row}\n") == [
        f"a.csv:2: row: expected 4 cells as in the header, found {found}"
    ]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_only_where_commas_part_columns_can_a_comma_have_parted_a_number(separator: str) -> None:
    text = "object,measurand,value\nA,P,40,31\n".replace(",", separator)

    assert flaws_of(text) == ["a.csv:2: row: expected 3 cells as in the header, found 4"]
