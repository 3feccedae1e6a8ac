"""With --strict, are the letters those of repro_eval's own analyzer?

The analyzer runs as it is, in an environment of its own that ``make test`` makes (tests/peers).
"""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest

from primad.metadata.header import with_block
from primad.metadata.paths import leaves, put
from primad.metadata.reading import from_tree
from primad.metadata.schema import COMPONENTS
from primad.reproducibility.comparison import compare, compare_records
from primad.safe_yaml import write_yaml
from tests.agreement.test_repro_eval_handler import ENVIRONMENT, MISSING, run_handler
from tests.reproducibility.comparison.records import COMPLETE, RANKING, record, run_file, stating


@pytest.fixture(scope="module", autouse=True)
def analyzer() -> None:
    """Skip where the environment of repro_eval is missing."""
    if not (ENVIRONMENT / ".locked").exists():
        pytest.skip(MISSING)


def types_by_peer(folder: Path) -> dict[str, str]:
    """Return the type of each run in FOLDER by its name, as repro_eval's analyzer finds it."""
    found = run_handler("types", folder / "original.run", folder)
    return {Path(path).name: letters for letters, paths in found.items() for path in paths}


def types_by_us(folder: Path) -> dict[str, str]:
    """Return the type of each run in FOLDER by its name, by whole equality."""
    return {Path(run.path).name: str(run.type) for run in compare(folder / "original.run", folder, strict=True)}


def mutated(generator: random.Random) -> dict[str, Any]:
    """Return the complete record with some of its leaves changed, in any component and in fields that never count."""
    tree = copy.deepcopy(COMPLETE)
    places = [place for place, _ in leaves(tree) if place[0] in COMPONENTS]
    for place in generator.sample(places, generator.choice([0, 1, 1, 2, 5])):
        old = dict(leaves(tree))[place]
        put(tree, place, not old if isinstance(old, bool) else old + 1 if isinstance(old, int | float) else f"{old}x")
    return tree


@pytest.mark.slow
def test_whole_equality_finds_what_the_analyzer_finds(tmp_path: Path) -> None:
    run_file(tmp_path / "original.run", record())
    generator = random.Random(4)
    for number in range(150):
        tree = mutated(generator) | {"tag": f"run{number}"}
        (tmp_path / f"{number:03}.run").write_bytes(with_block(write_yaml(tree), RANKING))

    ours, theirs = types_by_us(tmp_path), types_by_peer(tmp_path)

    assert ours == theirs
    assert len(ours) == 150
    assert len(set(ours.values())) > 15


@pytest.mark.parametrize(
    ("one", "other", "theirs", "ours"),
    [
        pytest.param(
            {"data": {"test collection": {"name": "Core17"}}},
            {"data": {"test_collection": {"name": "Core17"}}},
            "primaD",
            "primad",
            id="it takes another spelling of a key for other data",
        ),
        pytest.param(
            {"platform": {"hardware": {"ram": "64 GB"}}},
            {"platform": {"hardware": {"ram": "64GB"}}},
            "Primad",
            "primad",
            id="it takes another way of writing a quantity for another platform",
        ),
        pytest.param(
            {"method": None}, {"method": None}, "primad", "pri?ad", id="it takes two empty components for the same"
        ),
        pytest.param(
            {"method": None}, {"method": {"automatic": True}}, "priMad", "pri?ad", id="it takes silence for a change"
        ),
    ],
)
def test_where_we_differ_from_the_analyzer_the_defect_is_its_own(
    tmp_path: Path, one: dict[str, Any], other: dict[str, Any], theirs: str, ours: str
) -> None:
    for name, values in {"original.run": one, "other.run": other}.items():
        (tmp_path / name).write_bytes(with_block(write_yaml(COMPLETE | values), RANKING))

    assert types_by_peer(tmp_path) == {"other.run": theirs}
    assert types_by_us(tmp_path) == {"other.run": ours}


def test_a_component_that_one_run_lacks_stops_the_analyzer_and_is_unknown_to_us(tmp_path: Path) -> None:
    run_file(tmp_path / "original.run", record())
    run_file(tmp_path / "other.run", record(without=("actor",)))

    assert types_by_us(tmp_path) == {"other.run": "prim?d"}
    with pytest.raises(AssertionError, match="KeyError: 'actor'"):
        types_by_peer(tmp_path)


def test_strict_shows_each_leaf_that_differs_also_what_one_side_alone_states() -> None:
    one = stating({"actor.name": "Ada", "actor.mail": "ada@e.org"})
    two = from_tree({"actor": {"name": "Ada", "degree": "Ph.D."}})

    found = compare_records(one, two, strict=True)

    assert str(found.type) == "????A?"
    assert [difference.to_dict() for difference in found.changed["actor"]] == [
        {"field": "actor.mail", "original": "ada@e.org", "other": None},
        {"field": "actor.degree", "original": None, "other": "Ph.D."},
    ]
