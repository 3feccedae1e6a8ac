"""Do the three experiments of the ir_metadata paper, section 6, come out as the paper calls them?

What of the records is from the paper stands in paper.py.
"""

from __future__ import annotations

import pytest

from primad.metadata.record import Record
from primad.reproducibility.comparison import compare_records
from tests.reproducibility.comparison.paper import bffmsss, bps, gc, yxl


@pytest.mark.parametrize("weight", [0.2, 0.6, 0.9])
@pytest.mark.parametrize(
    ("target", "sources"),
    [
        ("Core17", ("Robust04",)),
        ("Core18", ("Robust04",)),
        ("Core17", ("Robust04", "Robust05")),
        ("Core18", ("Robust04", "Robust05")),
    ],
    ids=["04.17", "04.18", "0405.17", "0405.18"],
)
def test_the_sweep_of_interpolation_weights_is_pri_mad(target: str, sources: tuple[str, ...], weight: float) -> None:
    found = compare_records(yxl(target, 0.1, sources), yxl(target, weight, sources))

    assert str(found.type) == "priMad"
    assert (found.name, found.parameters_only, found.in_literature) == ("parameter-sweep", True, True)
    assert [one.to_dict() for one in found.changed["method"]] == [
        {"field": "method.retrieval[2].weight", "original": 0.1, "other": weight}
    ]


@pytest.mark.parametrize("reproduction", [yxl(), bffmsss()], ids=["YXL", "BFFMSSS"])
def test_reproducing_gc_on_the_same_collection_changes_all_but_the_data(reproduction: Record) -> None:
    found = compare_records(gc(), reproduction)

    assert str(found.type) == "PRIMAd"
    assert found.type.primed() == "P'R'I'M'A'D"
    assert list(found.changed) == ["platform", "research goal", "implementation", "method", "actor"]
    assert found.collection.to_dict() == {"topics": True, "documents": True, "qrels": True}


def test_yxl_reproduce_by_another_method_which_has_a_name_composed_by_rule() -> None:
    found = compare_records(gc(), yxl())

    assert (found.name, found.in_literature) == ("independent re-use+validate", False)


@pytest.mark.parametrize(
    ("original", "reproduction"),
    [
        *((gc(), yxl(target)) for target in ("Core18", "Robust04", "Robust05")),
        *((gc("Core18", ("a search engine",)), bps(target)) for target in ("Core17", "Robust04", "Robust05")),
    ],
    ids=["YXL Core18", "YXL Robust04", "YXL Robust05", "BPS Core17", "BPS Robust04", "BPS Robust05"],
)
def test_generalizing_to_other_data_changes_everything(original: Record, reproduction: Record) -> None:
    found = compare_records(original, reproduction)

    assert str(found.type) == "PRIMAD"
    assert found.type.primed() == "P'R'I'M'A'D'"
    assert found.name == "independent re-use+validate+generalize"
    assert found.collection.to_dict() == {"topics": False, "documents": False, "qrels": False}
