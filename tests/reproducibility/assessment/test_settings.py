"""Are settings that have no meaning refused before anything is computed?"""

import pickle
from typing import Any

import ir_measures
import pytest

from primad.errors import UsageError
from primad.reproducibility.assessment.settings import Settings


def test_the_defaults_are_those_that_are_documented() -> None:
    settings = Settings()

    assert settings.measures == ("map", "ndcg", "P_10")
    assert (settings.p, settings.depth, settings.ties) == (0.95, 1000, "")
    assert (settings.test, settings.correction, settings.confidence) == ("t", "holm", 0.95)
    assert settings.intervals
    assert settings.margins == {}
    assert settings.alpha == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        pytest.param({"p": 0}, "expected a p of rank-biased overlap between 0 and 1, found 0", id="p of 0"),
        pytest.param({"p": 1}, "expected a p of rank-biased overlap between 0 and 1, found 1", id="p of 1"),
        pytest.param({"p": float("nan")}, "expected a p of rank-biased overlap between 0 and 1, found nan", id="p nan"),
        pytest.param({"p": "0.8"}, "expected a p of rank-biased overlap between 0 and 1, found '0.8'", id="p as text"),
        pytest.param({"confidence": 95}, "expected a confidence between 0 and 1, found 95", id="per cent"),
        pytest.param({"confidence": None}, "expected a confidence between 0 and 1, found None", id="no confidence"),
        pytest.param({"depth": 0}, "expected a depth of at least 1, found 0", id="depth 0"),
        pytest.param({"depth": 2.5}, "expected a depth of at least 1, found 2.5", id="broken depth"),
        pytest.param({"depth": True}, "expected a depth of at least 1, found True", id="depth true"),
        pytest.param({"p": True}, "expected a p of rank-biased overlap between 0 and 1, found True", id="p true"),
        pytest.param({"rules": None}, "expected rules as primad.Rules(...) makes them, found None", id="no rules"),
        pytest.param(
            {"rules": {"complete": True}},
            "expected rules as primad.Rules(...) makes them, found {'complete': True}",
            id="rules as a dict",
        ),
        pytest.param(
            {"margins": None}, "expected margins by measure, as in {'map': 0.01}, found None", id="no margins"
        ),
        pytest.param(
            {"margins": 0.01}, "expected margins by measure, as in {'map': 0.01}, found 0.01", id="one margin"
        ),
        pytest.param(
            {"margins": [("map", 0.01)]},
            "expected margins by measure, as in {'map': 0.01}, found [('map', 0.01)]",
            id="margins as pairs",
        ),
        pytest.param({"margins": {"er": True}}, "expected a margin above 0 for 'er', found True", id="margin true"),
        pytest.param({"depth": "10"}, "expected a depth of at least 1, found '10'", id="depth as text"),
        pytest.param({"margins": {"map": 0}}, "expected a margin above 0 for 'map', found 0", id="margin of 0"),
        pytest.param({"margins": {"er": -0.1}}, "expected a margin above 0 for 'er', found -0.1", id="negative margin"),
        pytest.param({"margins": {"er": float("inf")}}, "expected a margin above 0 for 'er', found inf", id="endless"),
        pytest.param({"margins": {"er": float("nan")}}, "expected a margin above 0 for 'er', found nan", id="nan"),
        pytest.param({"margins": {"er": "1"}}, "expected a margin above 0 for 'er', found '1'", id="margin as text"),
        pytest.param({"measures": ()}, "expected at least one effectiveness measure, found none", id="no measure"),
        pytest.param({"ties": "c"}, "expected as ties one of '', 'w', 'a', 'b', found 'c'", id="ties"),
        pytest.param(
            {"test": "z"}, "expected as test one of 't', 'student', 'wilcoxon', 'permutation', found 'z'", id="test"
        ),
        pytest.param(
            {"correction": "hochberg"},
            "expected as correction one of 'holm', 'bonferroni', 'none', found 'hochberg'",
            id="correction",
        ),
    ],
)
def test_what_has_no_meaning_is_refused(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Settings(**setting)

    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        pytest.param({}, Settings(), id="nothing"),
        pytest.param({"measures": "map"}, Settings(measures=("map",)), id="a measure as text"),
        pytest.param({"measures": ["map", "P_10"]}, Settings(measures=("map", "P_10")), id="a list of measures"),
        pytest.param({"measures": iter(("map", "P_10"))}, Settings(measures=("map", "P_10")), id="a series"),
        pytest.param({"measures": ir_measures.nDCG @ 10}, Settings(measures=("nDCG@10",)), id="a measure itself"),
        pytest.param(
            {"measures": (ir_measures.AP, "P_10")}, Settings(measures=("AP", "P_10")), id="a measure itself among texts"
        ),
        pytest.param({"p": 0.5, "ties": "a"}, Settings(p=0.5, ties="a"), id="what is no measure"),
    ],
)
def test_settings_are_those_that_are_stated_by_name(stated: dict[str, Any], expected: Settings) -> None:
    before = dict(stated)

    assert Settings.of(stated) == expected
    assert stated == before


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        pytest.param(
            {"measure": "map"},
            "expected one of the settings measures, rules, p, depth, ties, test, correction, confidence, intervals, "
            "margins, found 'measure'",
            id="no such setting",
        ),
        pytest.param({"alpha": 0.1, "p": 7}, "margins, found 'alpha'", id="what follows from others"),
        pytest.param({"measures": []}, "expected at least one effectiveness measure, found none", id="no measure"),
        pytest.param({"measures": None}, "expected at least one effectiveness measure, found none", id="None"),
        pytest.param({"depth": 0}, "expected a depth of at least 1, found 0", id="no meaning"),
    ],
)
def test_what_is_no_setting_or_has_no_meaning_is_refused(stated: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Settings.of(stated)

    assert str(caught.value).endswith(message)


def test_settings_travel_between_processes_whole() -> None:
    settings = Settings(measures=("map",), margins={"map": 0.01}, ties="a")

    assert pickle.loads(pickle.dumps(settings)) == settings  # noqa: S301 - what was pickled here
