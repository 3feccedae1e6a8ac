"""Does a statistic that cannot be had leave its reason, and does anything else that goes wrong still come out?"""

import json

import pytest

from primad.errors import DataError, UndefinedMeasure
from primad.qra.precision import cv_star
from primad.qra.refusing import Refused, tried


def undefined() -> float:
    raise UndefinedMeasure("CV*", "it needs at least 2 values, found 1")


def test_what_a_function_returns_is_returned() -> None:
    assert tried(cv_star, [0.95, 0.97]) == pytest.approx(2.0771, abs=1e-4)


def test_options_are_handed_on() -> None:
    assert tried(cv_star, [0.95, 0.97], variant="qra3") == pytest.approx(1.8463, abs=1e-4)


def test_an_undefined_statistic_is_refused_with_its_name_and_reason() -> None:
    assert tried(undefined) == Refused("CV*", "it needs at least 2 values, found 1")


@pytest.mark.parametrize("error", [DataError("wrong"), ValueError("a fault")], ids=["wrong data", "a fault"])
def test_any_other_error_comes_through(error: Exception) -> None:
    def fails() -> float:
        raise error

    with pytest.raises(type(error), match=str(error)):
        tried(fails)


def test_a_refusal_is_a_sentence_and_json() -> None:
    refused = Refused("CV*", "it needs at least 2 values, found 1")

    assert refused.sentence == "No CV*: it needs at least 2 values, found 1."
    assert json.loads(json.dumps(refused.to_dict())) == {"undefined": "it needs at least 2 values, found 1"}
