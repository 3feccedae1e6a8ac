"""Is what was reproduced told from tables of topic scores, where no runs are left?"""

from collections.abc import Callable
from pathlib import Path

import pytest

from primad import Assessment
from primad.errors import FileError, FormatError, PairingError, UsageError
from primad.reproducibility.assessment.result import Value
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.assessment.tables import assess_tables

BASE = "topic,orig,r_1,r_2\n1,0.2,0.3,0.2\n2,0.6,0.5,0.6\n"
ADVANCED = "topic,ORIG,a_2,a_1\n1,0.5,0.5,0.4\n2,0.7,0.7,0.5\n"
ORDER = ("tau", "tau_shared", "overlap", "rbo_ext", "ktu", "rbo")
SETTINGS = Settings(measures=("AP",), intervals=False)

Save = Callable[..., str]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Return what writes a table and gives its path."""

    def write(text: str, name: str = "base.csv") -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


@pytest.fixture
def both(save: Save) -> list[str]:
    """Return the tables of baselines and advanced runs."""
    return [save(BASE), save(ADVANCED, "adv.csv")]


def value(found: Assessment, reproduction: str, measure: str, run: str = "baseline", of: str = "AP") -> Value:
    """Return a value that is there."""
    (only,) = (v for v in found[reproduction].values if (v.measure, v.run, v.of) == (measure, run, of))
    return only


def test_runs_are_columns_and_named_with_their_table(both: list[str]) -> None:
    found = assess_tables(both, [], [], {}, SETTINGS)

    assert {role: (facts.path, facts.tag, facts.topics) for role, facts in found.original.runs.items()} == {
        "baseline": (f"{both[0]}: orig", "orig", 2),
        "advanced": (f"{both[1]}: ORIG", "ORIG", 2),
    }
    assert [one.name for one in found] == ["reproduction 1", "reproduction 2"]


def test_everything_that_needs_no_ranking_is_there(both: list[str]) -> None:
    found = assess_tables(both, [], [], {}, SETTINGS)

    assert value(found, "reproduction 1", "arp").value == pytest.approx(0.4)
    assert value(found, "reproduction 1", "rmse").value == pytest.approx(0.1)
    assert value(found, "reproduction 1", "er", "both").value == pytest.approx(0.05 / 0.2)
    assert value(found, "reproduction 1", "dri", "both").value == pytest.approx(0.5 - 0.05 / 0.4)
    assert value(found, "reproduction 2", "rmse", "advanced").value == 0.0
    assert value(found, "reproduction 2", "er", "both").value == pytest.approx(1.0)


def test_order_is_undefined_without_rankings(both: list[str]) -> None:
    found = assess_tables(both, [], [], {}, SETTINGS)

    assert {name: value(found, "reproduction 1", name, of="").undefined for name in ORDER} == dict.fromkeys(
        ORDER, "only scores were given, no rankings"
    )


def test_one_table_is_of_baselines(save: Save) -> None:
    found = assess_tables([save(BASE)], [], [], {}, SETTINGS)

    assert [one.name for one in found] == ["r_1", "r_2"]
    assert value(found, "r_1", "er", "both").undefined == "it needs a baseline and an advanced run on both sides"


def test_original_and_reproductions_may_be_named(both: list[str]) -> None:
    found = assess_tables(both, ["r_1", "a_1"], [["orig", "ORIG"]], {}, SETTINGS)

    assert [one.name for one in found] == ["ORIG"]
    assert found.original.runs["baseline"].tag == "r_1"
    assert value(found, "ORIG", "er", "both").value == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("named", "taken"),
    [
        pytest.param([], "orig of {0} and ORIG of {1}", id="none is named"),
        pytest.param(["orig"], "ORIG of {1}", id="one is named"),
        pytest.param(["orig", "ORIG"], "", id="both are named"),
    ],
)
def test_an_original_that_nobody_named_is_told(both: list[str], named: list[str], taken: str) -> None:
    found = assess_tables(both, named, [], {}, SETTINGS)

    told = [one for one in found.remarks if one.startswith("the original is ")]
    expected = f"the original is {taken.format(*both)}: the first run, as --original names none"
    assert told == ([expected] if taken else [])


def test_scores_that_one_run_lacks_leave_the_topic_out_and_say_so(save: Save) -> None:
    found = assess_tables([save("t,a,b\n1,0.5,0.5\n2,0.5,NA\n3,0.5,0.25\n")], [], [], {}, SETTINGS)

    assert value(found, "b", "rmse").value == pytest.approx((0.0625 / 2) ** 0.5)
    assert found["b"].remarks == (
        "1 of 3 topics of the baseline run only in original, left out where topics are paired: 2",
    )


def test_runs_without_a_topic_in_common_are_tested_unpaired(save: Save) -> None:
    found = assess_tables([save("t,a,b\n1,0.5,\n2,0.25,\n3,,0.5\n4,,0.75\n")], [], [], {}, SETTINGS)

    assert value(found, "b", "p").variant == "Welch's t-test"
    assert value(found, "b", "rmse").undefined == "other topics: scores cannot be compared topic by topic"


# Values that others have computed --------------------------------------------------------------------------------


def test_values_of_others_stand_in_place_of_what_is_undefined(both: list[str], save: Save) -> None:
    table = save("topic,r_1,r_2\n1,0.25,0\n2,0.5,1\n", "rbo.csv")

    found = assess_tables(both, [], [], {"rbo": [table]}, SETTINGS)

    theirs = value(found, "reproduction 1", "rbo", of="")
    assert theirs.value == 0.375
    assert (theirs.note, theirs.undefined) == ("computed by others", "")
    assert theirs.variant == f"as given in {table}, mean over 2 topics"
    assert theirs.topics == {"1": 0.25, "2": 0.5}
    assert value(found, "reproduction 2", "rbo", of="").value == 0.5
    assert value(found, "reproduction 1", "rbo", "advanced", of="").undefined == "only scores were given, no rankings"
    assert value(found, "reproduction 1", "ktu", of="").undefined == "only scores were given, no rankings"


@pytest.mark.parametrize("turned", [False, True])
def test_tables_of_values_are_told_apart_by_their_columns(both: list[str], save: Save, *, turned: bool) -> None:
    tables = [save("topic,r_1\n1,0.25\n", "rbo1.csv"), save("topic,a_1\n1,0.75\n", "rbo2.csv")]

    found = assess_tables(both, [], [], {"rbo": tables[::-1] if turned else tables}, SETTINGS)

    assert [value(found, "reproduction 1", "rbo", run, of="").value for run in ("baseline", "advanced")] == [0.25, 0.75]


def test_tables_of_values_with_the_same_columns_are_of_baselines_first(save: Save) -> None:
    scores = [save("t,o,mine\n1,0.5,0.5\n2,0.25,0.5\n", name) for name in ("base.csv", "adv.csv")]
    tables = [save("t,mine\n1,0.25\n", "rbo1.csv"), save("t,mine\n1,0.75\n", "rbo2.csv")]

    found = assess_tables(scores, [], [], {"rbo": tables}, SETTINGS)

    assert [value(found, "mine", "rbo", run, of="").value for run in ("baseline", "advanced")] == [0.25, 0.75]


def test_one_table_of_values_with_the_columns_of_both_roles_is_about_baselines_only(save: Save) -> None:
    scores = [save("t,o,mine\n1,0.5,0.5\n2,0.25,0.5\n", name) for name in ("base.csv", "adv.csv")]

    found = assess_tables(scores, [], [], {"rbo": [save("t,mine\n1,0.25\n2,0.75\n", "rbo.csv")]}, SETTINGS)

    assert value(found, "mine", "rbo", of="").value == 0.5
    assert value(found, "mine", "rbo", "advanced", of="").undefined == "only scores were given, no rankings"
    assert [v.run for v in found["mine"].values if v.note == "computed by others"] == ["baseline"]


def test_one_table_of_values_may_be_about_advanced_runs(both: list[str], save: Save) -> None:
    table = save("topic,a_1,a_2\n1,0.25,0\n2,0.5,1\n", "rbo.csv")

    found = assess_tables(both, [], [], {"rbo": [table]}, SETTINGS)

    assert value(found, "reproduction 1", "rbo", "advanced", of="").value == 0.375
    assert value(found, "reproduction 1", "rbo", of="").undefined == "only scores were given, no rankings"


def test_values_of_a_measure_may_be_spread_over_tables_of_one_role(both: list[str], save: Save) -> None:
    tables = [save("topic,r_1\n1,0.25\n2,0.25\n", "rbo1.csv"), save("topic,r_2\n1,0.75\n2,0.75\n", "rbo2.csv")]

    found = assess_tables(both, [], [], {"rbo": tables}, SETTINGS)

    assert [value(found, f"reproduction {number}", "rbo", of="").value for number in (1, 2)] == [0.25, 0.75]


@pytest.mark.parametrize(
    ("table", "remark"),
    [
        pytest.param("topic,r_1\n1,0.25\n2,0.5\n", None, id="the same"),
        pytest.param("topic,r_1\n1,0.25\n", "1 topic only in {} or only in the scores: 2", id="one less"),
        pytest.param(
            "topic,r_1\n1,0.25\n2,0.5\n10,0\n9,1\n", "2 topics only in {} or only in the scores: 9, 10", id="more"
        ),
        pytest.param("topic,r_1\n3,0.25\n1,0.5\n", "2 topics only in {} or only in the scores: 2, 3", id="others"),
    ],
)
def test_values_of_other_topics_than_the_scores_are_said_to_be(
    both: list[str], save: Save, table: str, remark: str | None
) -> None:
    path = save(table, "rbo.csv")

    found = assess_tables(both, [], [], {"rbo": [path]}, SETTINGS)

    assert found["reproduction 1"].remarks == ((f"rbo of r_1: {remark.format(path)}",) if remark else ())
    assert found["reproduction 2"].remarks == ()


def test_what_was_computed_here_is_not_replaced_by_values_of_others(both: list[str], save: Save) -> None:
    table = save("topic,r_1\n1,0.75\n", "rmse.csv")

    found = assess_tables(both, [], [], {"rmse": [table]}, SETTINGS)

    assert value(found, "reproduction 1", "rmse").value == pytest.approx(0.1)
    assert value(found, "reproduction 1", "rmse", of="").value == 0.75


def test_values_of_a_measure_that_nobody_knows_are_reported_too(both: list[str], save: Save) -> None:
    found = assess_tables(both, [], [], {"tau_ap": [save("topic,r_1\n1,0.75\n", "f.csv")]}, SETTINGS)

    assert value(found, "reproduction 1", "tau_ap", of="").value == 0.75


def test_values_have_intervals_if_wanted(both: list[str], save: Save) -> None:
    table = save("topic,r_1\n1,0.25\n2,0.5\n3,0.75\n", "rbo.csv")

    interval = value(
        assess_tables(both, [], [], {"rbo": [table]}, Settings(measures=("AP",))), "reproduction 1", "rbo", of=""
    ).interval

    assert interval is not None
    assert 0.5 in interval


def test_values_about_none_of_the_reproductions_are_refused(both: list[str], save: Save) -> None:
    table = save("topic,x,y\n1,0.25,0.5\n", "rbo.csv")

    with pytest.raises(FileError, match="expected columns of the same names as the scores have, found x, y"):
        assess_tables(both, [], [], {"rbo": [table]}, SETTINGS)


@pytest.mark.parametrize("name", ["arp", "p", "d", "wall", "cpu", "memory", "energy"])
def test_values_of_what_is_no_measure_of_topics_are_refused(both: list[str], save: Save, name: str) -> None:
    table = save("topic,r_1\n1,0.25\n", "f.csv")

    with pytest.raises(UsageError, match=f"--values is for measures of topics; '{name}' is none"):
        assess_tables(both, [], [], {"rbo": [table], name: [table]}, SETTINGS)


# What cannot be meant --------------------------------------------------------------------------------------------


def test_three_tables_are_refused(save: Save) -> None:
    with pytest.raises(UsageError, match="expected scores of baselines and of advanced runs, found 3 files"):
        assess_tables([save(BASE)] * 3, [], [], {}, SETTINGS)


def test_a_table_has_scores_of_one_measure(save: Save) -> None:
    with pytest.raises(UsageError, match="a table has scores of one measure; expected one name after -m"):
        assess_tables([save(BASE)], [], [], {}, Settings(measures=("map", "ndcg")))


def test_tables_whose_runs_cannot_be_paired_are_refused_with_the_candidates(save: Save) -> None:
    with pytest.raises(PairingError) as caught:
        assess_tables([save(BASE), save("t,o,a_1,a_3\n1,0,0,0\n", "adv.csv")], [], [], {}, SETTINGS)

    assert caught.value.candidates == ["r_2", "a_3"]


def test_a_table_that_cannot_be_read_is_refused_with_its_line(both: list[str], save: Save) -> None:
    with pytest.raises(FormatError, match=r"rbo\.csv:2: expected a finite number as score, found 'x'"):
        assess_tables(both, [], [], {"rbo": [save("t,r_1\n1,x\n", "rbo.csv")]}, SETTINGS)


def test_a_margin_may_be_stated_for_the_measure_of_the_table(save: Save) -> None:
    settings = Settings(measures=("AP",), margins={"AP": 0.5}, intervals=False)

    answers = assess_tables([save(BASE)], [], [], {}, settings)["r_1"].answers

    assert [answer.margin and answer.margin.high for answer in answers if answer.level == "effectiveness"] == [0.5]
