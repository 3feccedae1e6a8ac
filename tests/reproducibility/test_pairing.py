"""Which runs reproduce the original, and which belong together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import PairingError, PrimadError, UsageError
from primad.metadata.record import Record
from primad.reproducibility.pairing import Described, Found, find_pairs
from tests.reproducibility.described_runs import described

# As the ir_metadata paper tells it: Grossman and Cormack's runs for Core17, and two teams that reproduced them.
BASE = described("WCrobust04", team="GC", role="experimenter", collection="Core17", training=("Robust04",))
TOP = described(
    "WCrobust0405",
    team="GC",
    role="experimenter",
    baseline=["WCrobust04"],
    collection="Core17",
    training=("Robust04", "Robust05"),
)


def reproduced(tag: str, target: Any, team: str, collection: str = "Core17", **facts: Any) -> Described:
    """Return a reproducer's run."""
    return described(tag, team=team, role="reproducer", baseline=target, collection=collection, **facts)


BFF = [reproduced("bff04", "WCrobust04", "BFFMSSS"), reproduced("bff0405", "WCrobust0405", "BFFMSSS")]
YXL = [reproduced("yxl04", "WCrobust04", "YXL", "Core18"), reproduced("yxl0405", "WCrobust0405", "YXL", "Core18")]


def tags(found: Found) -> dict[str, tuple[str, ...]]:
    """Return the tags of each reproduction by its name."""
    return {pair.name: tuple(run.tag for run in pair.runs) for pair in found.reproductions}


# The original --------------------------------------------------------------------------------------------------------


def test_the_advanced_run_of_the_original_is_the_one_that_names_the_baseline() -> None:
    found = find_pairs([TOP, *BFF, BASE], ["WCrobust04"])

    assert found.original.runs == (BASE, TOP)
    assert found.original.name == "GC"
    assert found.original.why == "WCrobust0405 names WCrobust04 as its baseline"


def test_the_original_may_be_named_by_its_file() -> None:
    assert find_pairs([TOP, *BFF, BASE], ["./WCrobust04.run", "WCrobust0405.run"]).original.runs == (BASE, TOP)


def test_the_original_need_not_be_among_the_others() -> None:
    assert tags(find_pairs(BFF, [BASE, TOP])) == {"BFFMSSS": ("bff04", "bff0405")}


def test_an_advanced_run_named_alone_is_assessed_alone() -> None:
    found = find_pairs([BASE, TOP, *BFF], ["WCrobust0405"])

    assert found.original.runs == (TOP,)
    assert tags(found) == {"BFFMSSS": ("bff0405",)}


def test_another_teams_run_that_is_compared_with_the_baseline_is_no_advanced_run_of_the_original() -> None:
    stranger = described("new", team="Other", role="experimenter", baseline=["WCrobust04"], collection="Core17")

    assert find_pairs([BASE, stranger, *BFF], ["WCrobust04"]).original.runs == (BASE,)


def test_a_run_on_another_collection_is_no_advanced_run_of_the_original() -> None:
    elsewhere = described("new", team="GC", role="experimenter", baseline=["WCrobust04"], collection="Core18")

    assert find_pairs([BASE, elsewhere, *BFF], ["WCrobust04"]).original.runs == (BASE,)


def test_who_states_no_role_is_an_experimenter() -> None:
    plain = [described("bm25"), described("rm3", baseline="bm25")]

    assert find_pairs([*plain, reproduced("mine", "bm25", "Me")], ["bm25"]).original.runs == tuple(plain)


def test_of_several_advanced_runs_the_one_that_was_reproduced_is_meant() -> None:
    second = described("WCother", team="GC", role="experimenter", baseline=["WCrobust04"], collection="Core17")

    found = find_pairs([BASE, TOP, second, *BFF], ["WCrobust04"])

    assert found.original.runs == (BASE, TOP)
    assert found.original.why == "of the runs that name WCrobust04 as their baseline only WCrobust0405 is reproduced"


def test_several_advanced_runs_that_were_all_reproduced_are_an_error_that_lists_them() -> None:
    second = described("WCother", team="GC", role="experimenter", baseline=["WCrobust04"], collection="Core17")

    with pytest.raises(PairingError, match="name one: --original WCrobust04 ADVANCED") as error:
        find_pairs([BASE, TOP, second, *BFF, reproduced("x", "WCother", "BFFMSSS")], ["WCrobust04"])

    assert error.value.candidates == ["WCother", "WCrobust0405"]


def test_of_several_advanced_runs_that_nobody_reproduced_none_is_taken() -> None:
    second = described("WCother", team="GC", role="experimenter", baseline=["WCrobust04"], collection="Core17")

    found = find_pairs([BASE, TOP, second, BFF[0]], ["WCrobust04"])

    assert found.original.runs == (BASE,)
    assert "(WCother, WCrobust0405) none is reproduced" in found.original.why


@pytest.mark.parametrize(
    ("original", "message"),
    [
        pytest.param(
            ["absent"], "no run has the tag or path 'absent'; there are: WCrobust04, WCrobust0405", id="absent"
        ),
        pytest.param(["a\x1b[2J"], r"no run has the tag or path 'a\\x1b\[2J'", id="one that steers a terminal"),
        pytest.param([""], "no run has the tag or path ''", id="nothing"),
        pytest.param(["WCrobust04", "WCrobust04"], "the same file", id="the same twice"),
        pytest.param(
            ["WCrobust0405", "WCrobust04"], "so the order is: --original WCrobust04 WCrobust0405", id="wrong order"
        ),
    ],
)
def test_an_original_that_cannot_be_meant_is_refused(original: list[str], message: str) -> None:
    with pytest.raises(PairingError, match=message):
        find_pairs([BASE, TOP], original)


@pytest.mark.parametrize("number", [0, 3])
def test_an_original_has_one_or_two_runs(number: int) -> None:
    with pytest.raises(UsageError, match=f"found {number}"):
        find_pairs([BASE, TOP], ["WCrobust04"] * number)


def test_a_tag_that_occurs_twice_is_an_error_with_the_paths() -> None:
    twin = described("WCrobust04", team="GC", path="old/WCrobust04.run")

    with pytest.raises(PairingError, match="occurs 2 times, name one of the files") as error:
        find_pairs([BASE, twin, *BFF], ["WCrobust04"])

    assert error.value.candidates == ["WCrobust04.run", "old/WCrobust04.run"]


def test_a_tag_that_occurs_twice_is_an_error_also_where_a_file_is_named_since_others_refer_to_it_by_tag() -> None:
    twin = described("WCrobust04", team="GC", path="old/WCrobust04.run")

    with pytest.raises(PairingError, match="not known which run others refer to"):
        find_pairs([BASE, twin, *BFF], ["WCrobust04.run"])


def test_a_reproduction_may_keep_the_tag_of_what_it_reproduces() -> None:
    again = [
        reproduced("WCrobust04", "WCrobust04", "BFFMSSS", path="again/base.run"),
        reproduced("WCrobust0405", "WCrobust0405", "BFFMSSS", path="again/top.run"),
    ]

    found = find_pairs([*again, BASE, TOP], ["WCrobust04"])

    assert found.original.runs == (BASE, TOP)
    assert [pair.runs for pair in found.reproductions] == [tuple(again)]


# The reproductions ---------------------------------------------------------------------------------------------------


def test_runs_that_name_the_originals_runs_are_its_reproductions_also_on_another_collection() -> None:
    found = find_pairs([*YXL, BASE, TOP, *BFF], ["WCrobust04"])

    assert tags(found) == {"BFFMSSS": ("bff04", "bff0405"), "YXL": ("yxl04", "yxl0405")}
    assert found.reproductions[1].why == (
        "yxl04 says that it reproduces WCrobust04, and yxl0405 that it reproduces WCrobust0405; "
        "both by YXL, on Core18, 2 of 6 components equal"
    )


def test_a_baseline_on_one_collection_does_not_go_with_an_advanced_run_on_another() -> None:
    found = find_pairs([BASE, TOP, BFF[0], reproduced("b18", "WCrobust0405", "BFFMSSS", "Core18")], ["WCrobust04"])

    assert tags(found) == {"BFFMSSS": ("bff04",)}
    assert found.remarks == ("b18 reproduces WCrobust0405, but no reproduced baseline goes with it: it was left out",)


def test_a_team_that_reproduced_on_two_collections_has_a_pair_on_each() -> None:
    runs = [
        reproduced(f"{part}{year}", target, "BPS", f"Core{year}")
        for year in (17, 18)
        for part, target in (("b", "WCrobust04"), ("a", "WCrobust0405"))
    ]

    assert tags(find_pairs([BASE, TOP, *runs], ["WCrobust04"])) == {
        "BPS Core17": ("b17", "a17"),
        "BPS Core18": ("b18", "a18"),
    }


def test_equal_components_decide_which_of_a_teams_runs_belong_together() -> None:
    runs = [
        reproduced(f"{part}{weight}", target, "BFFMSSS", stages=[{"name": "lr", "C": weight}])
        for weight in (1, 2, 3)
        for part, target in (("b", "WCrobust04"), ("a", "WCrobust0405"))
    ]

    found = find_pairs([BASE, TOP, *runs], ["WCrobust04"])

    assert list(tags(found).values()) == [("b1", "a1"), ("b2", "a2"), ("b3", "a3")]
    assert found.reproductions[0].name == "BFFMSSS b1"


def test_a_differing_field_less_decides_where_as_many_components_are_equal() -> None:
    stages = {"near": [{"name": "lr", "C": 1, "e": 1}], "far": [{"name": "lr", "C": 3, "e": 3}]}
    runs = [reproduced("b", "WCrobust04", "BFFMSSS", stages=[{"name": "lr", "C": 1, "e": 2}])]
    runs += [reproduced(tag, "WCrobust0405", "BFFMSSS", stages=stage) for tag, stage in stages.items()]

    assert tags(find_pairs([BASE, TOP, *runs], ["WCrobust04"])) == {"BFFMSSS": ("b", "near")}


def test_pairs_that_fit_equally_well_are_an_error_that_lists_them() -> None:
    with pytest.raises(PairingError, match="name the runs with --reproduction") as error:
        find_pairs([BASE, TOP, *BFF, reproduced("bff0405b", "WCrobust0405", "BFFMSSS")], ["WCrobust04"])

    assert error.value.candidates == ["bff04 with bff0405", "bff04 with bff0405b"]


def test_a_known_team_is_preferred_to_one_that_is_not_stated() -> None:
    nobody = described("who", role="reproducer", baseline="WCrobust0405", collection="Core17")

    assert tags(find_pairs([BASE, TOP, *BFF, nobody], ["WCrobust04"])) == {"BFFMSSS": ("bff04", "bff0405")}


def test_runs_without_an_actor_belong_together_if_there_is_no_other_choice() -> None:
    runs = [described(tag, role="reproducer", baseline=of) for tag, of in (("b", "WCrobust04"), ("a", "WCrobust0405"))]

    found = find_pairs([BASE, TOP, *runs], ["WCrobust04"])

    assert tags(found) == {"b": ("b", "a")}
    assert "actor not stated by both, test collection not stated by both" in found.reproductions[0].why


def test_a_reproduced_baseline_without_a_partner_is_a_reproduction_of_the_baseline_alone() -> None:
    found = find_pairs([BASE, TOP, BFF[0], *YXL], ["WCrobust04"])

    assert tags(found) == {"BFFMSSS": ("bff04",), "YXL": ("yxl04", "yxl0405")}
    assert found.reproductions[0].why.endswith("no run that goes with it says that it reproduces WCrobust0405")


def test_the_run_that_names_a_reproduced_baseline_goes_with_it_where_nothing_better_is_known() -> None:
    follower = described("mine", team="BFFMSSS", role="experimenter", baseline=["bff04"], collection="Core17")

    found = find_pairs([BASE, TOP, BFF[0], follower], ["WCrobust04"])

    assert tags(found) == {"BFFMSSS": ("bff04", "mine")}
    assert found.reproductions[0].why.endswith("though it does not say that it reproduces WCrobust0405")


def test_an_experiment_that_names_no_target_is_no_reproduction_however_similar() -> None:
    same = [
        described("x04", team="Other", collection="Core17", training=("Robust04",)),
        described("x0405", team="Other", baseline="x04", collection="Core17", training=("Robust04", "Robust05")),
    ]

    assert tags(find_pairs([BASE, TOP, *same, *BFF], ["WCrobust04"])) == {"BFFMSSS": ("bff04", "bff0405")}


def test_a_reproducers_run_that_names_no_target_is_mentioned() -> None:
    silent = described("silent", team="Other", role="reproducer")

    assert find_pairs([BASE, TOP, *BFF, silent], ["WCrobust04"]).remarks == (
        "silent is a reproducer's, but does not name what it reproduces",
    )


def test_a_run_that_says_that_it_reproduces_both_runs_is_an_error() -> None:
    torn = reproduced("torn", ["WCrobust04", "WCrobust0405"], "Other")

    with pytest.raises(PairingError, match="name both WCrobust04 and WCrobust0405") as error:
        find_pairs([BASE, TOP, torn], ["WCrobust04"])

    assert error.value.candidates == ["torn.run"]


def test_that_nothing_reproduces_the_original_is_an_error_that_says_what_a_reproduction_states() -> None:
    with pytest.raises(PairingError, match=r"actor.role: reproducer, .*baseline: WCrobust04.*found none among 1"):
        find_pairs([BASE, TOP, described("x")], ["WCrobust04"])


def test_that_nothing_reproduces_the_original_is_no_error_where_a_sweep_will_do() -> None:
    assert find_pairs([BASE, TOP], ["WCrobust04"], needed=False).reproductions == ()


def test_where_only_the_advanced_run_was_reproduced_the_error_says_how_to_assess_that() -> None:
    with pytest.raises(PairingError, match="to assess these alone, name that run as the only original"):
        find_pairs([BASE, TOP, BFF[1]], ["WCrobust04"])


def test_reproductions_by_the_originals_own_team_do_not_take_its_name() -> None:
    again = [reproduced("again04", "WCrobust04", "GC"), reproduced("again0405", "WCrobust0405", "GC")]

    found = find_pairs([BASE, TOP, *again], ["WCrobust04"])

    assert (found.original.name, *tags(found)) == ("GC", "GC Core17")


# What strangers write ------------------------------------------------------------------------------------------------


def test_a_run_that_names_itself_is_not_its_own_advanced_run() -> None:
    own = described("bm25", baseline=["bm25"])

    assert find_pairs([own, reproduced("mine", "bm25", "Me")], ["bm25"]).original.runs == (own,)


def test_runs_that_name_each_other_are_taken_as_they_were_named() -> None:
    circle = [described("a", baseline=["b"]), described("b", baseline=["a"])]

    found = find_pairs([*circle, reproduced("mine", "a", "Me")], ["a", "b"])

    assert [run.tag for run in found.original.runs] == ["a", "b"]


def test_a_hundred_targets_are_looked_through() -> None:
    many = reproduced("many", [f"run{number}" for number in range(99)] + ["WCrobust04"], "Me")

    assert tags(find_pairs([BASE, many], ["WCrobust04"])) == {"Me": ("many",)}


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param({"actor": {"role": ["reproducer"], "team": ["a", "b"]}}, id="lists"),
        pytest.param({"actor": "me", "research goal": "fame", "data": ["Core17"]}, id="texts"),
        pytest.param({"actor": {"role": {"a": 1}}, "research goal": {"evaluation": {"baseline": {"b": 2}}}}, id="maps"),
        pytest.param({"research goal": {"evaluation": {"baseline": [[["WCrobust04"]], 7, None, True]}}}, id="nested"),
        pytest.param({}, id="nothing"),
    ],
)
def test_other_shapes_than_expected_stop_nothing(tree: dict[str, Any]) -> None:
    strange = Described("strange.run", "strange", Record(tree))

    assert tags(find_pairs([BASE, TOP, strange, *BFF], ["WCrobust04"])) == {"BFFMSSS": ("bff04", "bff0405")}


def test_names_and_reasons_do_not_steer_a_terminal() -> None:
    runs = [
        reproduced("b\x1b[2J", "WCrobust04", "Evil\x1b]0;x\x07"),
        reproduced("a\x9b", "WCrobust0405", "Evil\x1b]0;x\x07"),
    ]

    pair = find_pairs([BASE, TOP, *runs], ["WCrobust04"]).reproductions[0]

    assert pair.name == "Evil\\x1b]0;x\\x07"
    assert (pair.name + pair.why).isprintable()


EVERY = [
    BASE,
    TOP,
    *BFF,
    *YXL,
    reproduced("gc", "WCrobust04", "GC"),
    reproduced("lone", "WCrobust0405", "Lone"),
    described("new", team="Other", baseline=["WCrobust04"]),
    described("none", role="reproducer"),
    described("follower", team="GC", baseline=["gc"], collection="Core17"),
    reproduced("torn", ["WCrobust04", "WCrobust0405"], "Torn"),
    reproduced("bff0405b", "WCrobust0405", "BFFMSSS"),
]


def outcome(runs: list[Described]) -> tuple[Any, ...]:
    """Return everything that is found in RUNS, or the error."""
    try:
        found = find_pairs(runs, [BASE, TOP])
    except PrimadError as error:
        return (str(error),)
    return tuple((pair.name, pair.why, *pair.runs) for pair in (found.original, *found.reproductions)), found.remarks


@given(st.sets(st.integers(0, len(EVERY) - 1)).flatmap(lambda chosen: st.permutations(sorted(chosen))))
def test_the_order_of_the_runs_has_no_effect(order: list[int]) -> None:
    assert outcome([EVERY[place] for place in order]) == outcome([EVERY[place] for place in sorted(order)])
