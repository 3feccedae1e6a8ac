"""Of what a run is a measurement, and whether it is the original."""

from __future__ import annotations

from typing import Any

import pytest

from primad.errors import UsageError
from primad.metadata.record import Record
from primad.reproducibility.measurements.objects import Told, objects_of
from tests.reproducibility.described_runs import described

Tagged = tuple[str, Record | None]


def run(tag: str, **facts: Any) -> Tagged:
    """Return the run TAG whose record states FACTS."""
    return tag, described(tag, **facts).record


def reproduction(tag: str, of: Any, **facts: Any) -> Tagged:
    """Return a reproducer's run of what it names."""
    return run(tag, role="reproducer", baseline=of, **facts)


def test_a_reproduction_has_the_run_it_reproduces_as_its_object() -> None:
    told, remarks = objects_of([run("WCrobust04"), reproduction("bff04", "WCrobust04")])

    assert told == [Told("WCrobust04", "original"), Told("WCrobust04", "reproduction")]
    assert remarks == []


def test_a_reproduction_of_a_reproduction_leads_to_the_first() -> None:
    told, _ = objects_of([reproduction("third", "second"), reproduction("second", "first"), run("first")])

    assert told == [Told("first", "reproduction"), Told("first", "reproduction"), Told("first", "original")]


def test_reproductions_of_a_run_that_is_not_there_have_one_object() -> None:
    told, _ = objects_of([reproduction("a", "WCrobust04"), reproduction("b", ["WCrobust04"])])

    assert told == [Told("WCrobust04", "reproduction")] * 2


def test_a_ring_of_reproductions_ends_and_is_one_object() -> None:
    told, _ = objects_of([reproduction("a", "b"), reproduction("b", "c"), reproduction("c", "a")])

    assert {one.object for one in told} == {"a"}


def test_a_run_that_says_it_reproduces_itself_ends() -> None:
    assert objects_of([reproduction("a", "a")])[0] == [Told("a", "reproduction")]


def test_a_reproduction_may_keep_the_tag_of_what_it_reproduces() -> None:
    told, _ = objects_of([run("bm25"), reproduction("bm25", "bm25", team="other")])

    assert told == [Told("bm25", "original"), Told("bm25", "reproduction")]


def test_an_experimenter_s_baseline_is_another_object() -> None:
    told, _ = objects_of([run("WCrobust04"), run("WCrobust0405", baseline=["WCrobust04"])])

    assert told == [Told("WCrobust04"), Told("WCrobust0405")]


def test_of_two_runs_with_the_reproduced_tag_neither_is_called_the_original() -> None:
    told, remarks = objects_of([run("bm25"), run("bm25"), reproduction("mine", "bm25")])

    assert told == [Told("bm25"), Told("bm25"), Told("bm25", "reproduction")]
    assert remarks == ["the tag 'bm25' occurs 2 times, so it is not known which of these runs was reproduced"]


def test_runs_whose_stages_are_called_as_a_reproduced_run_is_tagged_are_another_object() -> None:
    others = [run(tag, stages=[{"name": "BM25"}]) for tag in ("fast", "slow")]
    first = run("bm25", stages=[{"name": "bm25"}])

    told, remarks = objects_of([first, reproduction("mine", "bm25", stages=[{"name": "bm25"}]), *others])

    assert told == [Told("bm25", "original"), Told("bm25", "reproduction"), *[Told("BM25 (method)")] * 2]
    (remark,) = remarks
    assert remark.startswith("fast, slow are taken for one object, 'BM25 (method)', by the names of their ")
    assert [one.object for one in objects_of([first, *others])[0]] == ["bm25"] * 3  # nobody reproduced it


def test_a_reproduction_of_two_runs_is_known_by_its_stages_and_said_to_be() -> None:
    told, remarks = objects_of([run("a"), run("b"), reproduction("c", ["a", "b"], stages=[{"name": "bm25"}])])

    assert told[2] == Told("bm25")
    assert remarks == ["c names several runs as what it reproduces (a, b), so it is known by its stages"]


def test_a_run_by_itself_has_its_stages_as_object_however_they_are_spelled() -> None:
    stages = [{"name": "BM25"}, {"name": "monoT5"}]
    told, _ = objects_of([run("x", stages=stages), run("y", stages=[{"name": "bm25"}, {"name": "monot5"}])])

    assert told == [Told("BM25 + monoT5")] * 2


def test_a_run_without_metadata_has_its_tag_as_object() -> None:
    assert objects_of([("bm25", None), ("rm3", None)])[0] == [Told("bm25"), Told("rm3")]


def test_a_field_that_is_asked_for_tells_the_object() -> None:
    told, remarks = objects_of([run("x", team="h2oloo"), run("y", team="H2OLOO"), ("z", None)], "actor.team")

    assert told == [Told("h2oloo"), Told("h2oloo"), Told("z")]
    assert remarks == ["1 of 3 runs do not state actor.team, so their objects are told otherwise"]


@pytest.mark.parametrize("field", ["actor.shoe size", "[", "..."])
def test_a_field_that_no_run_states_is_refused(field: str) -> None:
    with pytest.raises(UsageError, match=r"no run states|expected a field"):
        objects_of([run("x", team="h2oloo")], field)


def test_objects_cannot_steer_a_terminal() -> None:
    told, _ = objects_of([run("x", stages=[{"name": "bm25\x1b[2J"}])])

    assert told == [Told("bm25\\x1b[2J")]


def test_runs_that_only_share_the_names_of_their_stages_are_pointed_out() -> None:
    runs = [run(tag, stages=[{"name": "bm25"}]) for tag in ("fast", "slow")]

    told, remarks = objects_of(runs)

    assert [one.object for one in told] == ["bm25", "bm25"]
    (remark,) = remarks
    assert remark.startswith("fast, slow are taken for one object, 'bm25', by the names of their retrieval stages; ")
    assert objects_of(runs, "tag")[1] == []
