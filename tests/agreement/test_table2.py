"""Does an assessment of published topic scores give every number of a published table, and show what is wrong with it?

Table 2 of the ir_metadata paper (doi:10.1145/3477495.3531738) compares a reproduction of two runs on TREC Common Core
2017 with the originals.  The topic scores behind it are published, the runs are not.  What the table calls RMSE is
nRMSE, and its p-values pair topics at random.
"""

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from primad import Assessment
from primad.reproducibility.assessment.request import Request, fulfil
from primad.reproducibility.assessment.result import ROLES, Of, Reproduction, Role, Value
from primad.reproducibility.assessment.settings import Settings
from tests.cli.running import primad

Column = NDArray[np.float64]

NAMES: Mapping[Role, str] = {"baseline": "wcrobust04", "advanced": "wcrobust0405"}
ORIGINALS: Mapping[Role, str] = {"baseline": "WCrobust04", "advanced": "WCrobust0405"}
FILES = {"ap": "ap", "ktu": "kendalls_tau_1000", "rbo": "rbo_1000_p08"}
# As the table has it, for the baseline and the advanced run.
PRINTED = {
    "original AP": (0.3711, 0.4278),
    "AP": (0.3612, 0.4208),
    "KTU": (0.0051, 0.0111),
    "RBO": (0.5747, 0.6706),
    "RMSE": (0.1071, 0.0712),
    "p": (0.7885, 0.8249),
}
PRINTED_ER, PRINTED_DRI = 1.0514, -0.0123


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    """Return where the published tables are."""
    return shared_data / "ccrf_scores"


def paths(folder: Path, kind: str) -> list[str]:
    """Return the tables of a KIND: of baselines, and of advanced runs."""
    return [str(folder / f"rpl_{name}_{FILES[kind]}.csv") for name in NAMES.values()]


@pytest.fixture(scope="module")
def found(folder: Path) -> Assessment:
    """Return the assessment of all reproductions in the published tables."""
    return fulfil(
        Request(
            scores=paths(folder, "ap"),
            values={kind: paths(folder, kind) for kind in ("ktu", "rbo")},
            settings=Settings(measures=("AP",), intervals=False),
        )
    )


@pytest.fixture(scope="module")
def columns(folder: Path) -> dict[str, dict[str, Column]]:
    """Return the published values by kind and run, read by nothing of ours, topics in order."""
    read: dict[str, dict[str, Column]] = {}
    for kind in FILES:
        for path in paths(folder, kind):
            with open(path, encoding="utf-8", newline="") as stream:  # noqa: PTH123
                header, *rows = csv.reader(stream)
            rows.sort()
            table = np.array([[float(cell) for cell in row[1:]] for row in rows])
            read.setdefault(kind, {}).update(zip(header[1:], table.T, strict=True))
    return read


@pytest.fixture(scope="module")
def bffmsss(found: Assessment) -> Reproduction:
    """Return the reproduction that the table calls BFFMSSS."""
    return found["reproduction 1"]


def value(one: Reproduction, measure: str, run: Of, of: str = "AP") -> Value:
    """Return a value that is there."""
    (only,) = (v for v in one.values if (v.measure, v.run, v.of) == (measure, run, of))
    return only


def both(one: Reproduction, measure: str, of: str = "AP") -> tuple[float | None, ...]:
    """Return the value of the baseline and of the advanced run, with the digits of the table."""
    return tuple(None if (v := value(one, measure, role, of).value) is None else round(v, 4) for role in ROLES)


def pairs(columns: dict[str, dict[str, Column]], number: int) -> list[tuple[Column, Column]]:
    """Return the AP of original and reproduction NUMBER, for the baseline and the advanced run."""
    scores = columns["ap"]
    return [(scores[ORIGINALS[role]], scores[f"rpl_{NAMES[role]}_{number}"]) for role in ROLES]


# The table, number by number ---------------------------------------------------------------------------------------


def test_original_and_reproduction_have_the_printed_average_precision(found: Assessment, bffmsss: Reproduction) -> None:
    means = [original.value for role in ROLES if (original := found.original.find("arp", of="AP", run=role))]

    assert np.round([mean for mean in means if mean is not None], 4).tolist() == list(PRINTED["original AP"])
    assert both(bffmsss, "arp") == PRINTED["AP"]


@pytest.mark.parametrize(
    ("measure", "row"), [pytest.param("ktu", "KTU", id="KTU"), pytest.param("rbo", "RBO", id="RBO")]
)
def test_order_as_others_computed_it_is_printed_and_reported_as_theirs(
    folder: Path, bffmsss: Reproduction, measure: str, row: str
) -> None:
    assert both(bffmsss, measure, of="") == PRINTED[row]
    for role, path in zip(ROLES, paths(folder, measure), strict=True):
        theirs = value(bffmsss, measure, role, of="")
        assert (theirs.variant, theirs.note) == (f"as given in {path}, mean over 50 topics", "computed by others")


def test_what_is_printed_as_rmse_is_nrmse(bffmsss: Reproduction) -> None:
    assert both(bffmsss, "rmse") == (0.0741, 0.0460)
    assert both(bffmsss, "nrmse") == PRINTED["RMSE"]


def test_topics_that_are_paired_give_other_p_values_than_those_printed(bffmsss: Reproduction) -> None:
    assert both(bffmsss, "p") == (0.3493, 0.2869)
    assert {value(bffmsss, "p", role).variant for role in ROLES} == {"paired t-test"}


def test_the_overall_effect_is_as_printed(bffmsss: Reproduction) -> None:
    er, dri = (value(bffmsss, measure, "both").value for measure in ("er", "dri"))

    assert (er and round(er, 4), dri and round(dri, 4)) == (PRINTED_ER, PRINTED_DRI)


def test_without_the_values_of_others_order_is_undefined(folder: Path) -> None:
    request = Request(scores=paths(folder, "ap"), settings=Settings(measures=("AP",), intervals=False))

    one = fulfil(request)["reproduction 1"]

    assert {value(one, name, "baseline", of="").undefined for name in ("ktu", "rbo", "tau", "rbo_ext")} == {
        "only scores were given, no rankings"
    }


def test_the_command_line_prints_the_same_numbers(folder: Path, found: Assessment) -> None:
    ktu, rbo = (paths(folder, kind) for kind in ("ktu", "rbo"))

    outcome = primad(
        *("assess", "--scores", *paths(folder, "ap"), "-m", "AP", "--no-intervals", "--format", "json"),
        *("--values", f"ktu={ktu[0]}", ktu[1], "--values", f"rbo={rbo[0]}", rbo[1]),
    )

    assert (outcome.code, outcome.err) == (0, "")
    printed = json.loads(outcome.out)
    assert printed["reproductions"] == json.loads(json.dumps(found.to_dict()))["reproductions"]
    assert printed["original"] == json.loads(json.dumps(found.original.to_dict()))


def test_one_reproduction_can_be_named_by_its_columns(folder: Path, bffmsss: Reproduction) -> None:
    outcome = primad(
        *("assess", "--scores", *paths(folder, "ap"), "-m", "AP", "--no-intervals", "--format", "json"),
        *("--original", *ORIGINALS.values(), "--reproduction", *(f"rpl_{name}_1" for name in NAMES.values())),
    )

    (one,) = json.loads(outcome.out)["reproductions"]
    assert one["name"] == "rpl_wcrobust0405_1"
    effects = {value["measure"]: value["value"] for value in one["values"] if value["run"] == "both"}
    assert effects == {name: value(bffmsss, name, "both").value for name in ("er", "dri")}


def test_the_table_names_the_numbers_for_a_reader(folder: Path) -> None:
    outcome = primad(
        *("assess", "--scores", *paths(folder, "ap"), "-m", "AP", "--no-intervals"),
        *("--original", *ORIGINALS.values(), "--reproduction", *(f"rpl_{name}_1" for name in NAMES.values())),
    )

    assert outcome.code == 0
    for number in ("0.3711", "0.4278", "0.3612", "0.4208", "0.0741", "0.0460", "0.1071", "0.0712", "1.0514", "-0.0123"):
        assert number in outcome.out


# All fifty reproductions -------------------------------------------------------------------------------------------

NUMBERS = range(1, 51)


def test_there_are_fifty_reproductions_on_fifty_topics(found: Assessment) -> None:
    assert sorted(one.name for one in found) == sorted(f"reproduction {number}" for number in NUMBERS)
    assert {facts.topics for one in found for facts in one.runs.values()} == {50}


def test_each_reproduction_has_the_scores_that_numpy_and_scipy_compute(
    found: Assessment, columns: dict[str, dict[str, Column]]
) -> None:
    for number in NUMBERS:
        one = found[f"reproduction {number}"]
        for role, (original, reproduced) in zip(ROLES, pairs(columns, number), strict=True):
            rmse = np.sqrt(np.mean((original - reproduced) ** 2))
            expected = {
                "arp": reproduced.mean(),
                "rmse": rmse,
                "nrmse": rmse / np.sqrt(np.mean(np.maximum(original, 1 - original) ** 2)),
                "p": stats.ttest_rel(original, reproduced).pvalue,
                "d": (reproduced - original).mean() / (reproduced - original).std(ddof=1),
            }
            assert {name: value(one, name, role).value for name in expected} == pytest.approx(expected, abs=1e-12)


def test_each_reproduction_has_the_order_that_others_published(
    found: Assessment, columns: dict[str, dict[str, Column]]
) -> None:
    for number in NUMBERS:
        for role in ROLES:
            for kind in ("ktu", "rbo"):
                mean = columns[kind][f"rpl_{NAMES[role]}_{number}"].mean()
                theirs = value(found[f"reproduction {number}"], kind, role, of="").value
                assert theirs == pytest.approx(mean, abs=1e-12)


def test_each_reproduction_has_the_effect_that_numpy_computes(
    found: Assessment, columns: dict[str, dict[str, Column]]
) -> None:
    for number in NUMBERS:
        (base, own_base), (advanced, own_advanced) = pairs(columns, number)
        gain, own_gain = (advanced - base).mean(), (own_advanced - own_base).mean()
        expected = {"er": own_gain / gain, "dri": gain / base.mean() - own_gain / own_base.mean()}
        one = found[f"reproduction {number}"]
        assert {name: value(one, name, "both").value for name in expected} == pytest.approx(expected, abs=1e-12)


# Where the printed p-values come from --------------------------------------------------------------------------------


def test_the_printed_p_values_are_those_of_topics_paired_at_random(columns: dict[str, dict[str, Column]]) -> None:
    random = np.random.default_rng(17)
    for printed, (original, reproduced) in zip(PRINTED["p"], pairs(columns, 1), strict=True):
        shuffled = random.permuted(np.tile(reproduced, (4000, 1)), axis=1)
        p = stats.ttest_rel(np.tile(original, (4000, 1)), shuffled, axis=1).pvalue
        low, high = np.percentile(p, [5, 95])

        assert low < printed < high
        assert stats.ttest_rel(original, reproduced).pvalue < p.min() - 0.2


def test_an_unpaired_test_comes_close_to_the_printed_p_values(columns: dict[str, dict[str, Column]]) -> None:
    unpaired = [stats.ttest_ind(original, reproduced).pvalue for original, reproduced in pairs(columns, 1)]

    assert np.round(unpaired, 4).tolist() == [0.7900, 0.8284]


def test_scores_given_as_those_of_other_topics_are_tested_unpaired(
    tmp_path: Path, columns: dict[str, dict[str, Column]]
) -> None:
    files = []
    for role, (original, reproduced) in zip(ROLES, pairs(columns, 1), strict=True):
        rows = [f"o{place},{score!r}," for place, score in enumerate(original.tolist())]
        rows += [f"r{place},,{score!r}" for place, score in enumerate(reproduced.tolist())]
        files.append(tmp_path / f"{role}.csv")
        files[-1].write_text("\n".join(["topic,original run,reproduced", *rows]))

    one = fulfil(
        Request(scores=[str(file) for file in files], settings=Settings(measures=("AP",), test="student"))
    ).reproductions[0]

    assert both(one, "p") == (0.7900, 0.8284)
    assert {value(one, "p", role).variant for role in ROLES} == {"Student's t-test"}
    er, dri = (value(one, measure, "both").value for measure in ("er", "dri"))
    assert (er and round(er, 4), dri and round(dri, 4)) == (PRINTED_ER, PRINTED_DRI)
