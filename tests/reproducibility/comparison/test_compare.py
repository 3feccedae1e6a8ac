"""Are runs compared wherever they come from, and is nothing lost on the way?"""

from __future__ import annotations

import pickle
import random
import re
from pathlib import Path
from typing import Any

import pytest

from primad.errors import DataError, NoMetadata, UsageError
from primad.reproducibility.comparison import compare, compare_records, parse_filters
from primad.reproducibility.comparison.compare import MOST_PAIRWISE
from primad.trec import Run
from tests.reproducibility.comparison.records import RANKING, record, run_file, stating

SWEEP = record({"tag": "sweep", "method.retrieval[0].k1": 1.2})
OTHERS = record({"tag": "others", "actor.orcid": "0000-0001-2345-6789"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an original, two other runs, one without metadata and one that cannot be read."""
    for name, of in {"original": record(), "sweep": SWEEP, "others": OTHERS}.items():
        run_file(tmp_path / f"{name}.run", of)
    (tmp_path / "bare.run").write_bytes(RANKING)
    (tmp_path / "broken.run").write_bytes(b"# ir_metadata.start\n# - x\n# ir_metadata.end\n" + RANKING)
    return tmp_path


def test_the_runs_of_a_folder_are_compared_and_the_original_is_not_one_of_them(folder: Path) -> None:
    found = compare(folder / "original.run", folder)

    assert found.original == str(folder / "original.run")
    assert [(Path(run.path).name, run.tag, str(run.type), run.name) for run in found] == [
        ("others.run", "others", "primAd", "independent repeat"),
        ("sweep.run", "sweep", "priMad", "parameter-sweep"),
    ]


def test_files_without_metadata_are_listed_and_do_not_stop_the_rest(folder: Path) -> None:
    found = compare(folder / "original.run", [folder, folder / "gone.run"])

    assert len(found) == 2
    assert [(Path(one.path).name, one.reason) for one in found.without_metadata] == [
        ("bare.run", "has no metadata, neither in the file nor beside it"),
        ("broken.run", "expected a mapping of components (platform, research goal, ...), found a list"),
        ("gone.run", "no such file"),
    ]


def test_the_original_must_have_metadata(folder: Path) -> None:
    with pytest.raises(NoMetadata):
        compare(folder / "bare.run", folder)


def test_several_processes_find_what_one_finds(folder: Path) -> None:
    one, two = (compare(folder / "original.run", folder, jobs=jobs) for jobs in (1, 2))

    assert one.to_dict() == two.to_dict()


def test_the_order_of_files_has_no_effect_on_what_is_found(folder: Path) -> None:
    names = ["sweep.run", "others.run", "bare.run"]
    expected = {run.path: run.to_dict() for run in compare(folder / "original.run", folder)}

    for seed in range(5):
        random.Random(seed).shuffle(names)
        found = compare(folder / "original.run", [folder / name for name in names])
        assert {run.path: run.to_dict() for run in found} == expected
        assert [run.path for run in found] == [str(folder / name) for name in names if name != "bare.run"]


def test_records_are_compared_without_files() -> None:
    found = compare(record(), [SWEEP, OTHERS])

    assert [(run.path, str(run.type)) for run in found] == [("sweep", "priMad"), ("others", "primAd")]
    assert found.original == "bm25"


def test_a_single_run_needs_no_list(folder: Path) -> None:
    assert str(compare(record(), SWEEP)["sweep"].type) == "priMad"
    assert len(compare(str(folder / "original.run"), str(folder / "sweep.run"))) == 1


def test_mappings_are_records(folder: Path) -> None:
    bm25 = {"tag": "bm25", "method": {"retrieval": [{"name": "bm25", "k1": 0.9}]}}
    other = {"tag": "other", "method": {"retrieval": [{"name": "bm25", "k1": 1.2}]}}

    assert [(run.path, str(run.type)) for run in compare(bm25, other)] == [("other", "???M??")]
    assert compare([bm25, other]).matrix() == [["", "???M??"], ["???M??", ""]]
    assert [run.tag for run in compare(bm25, [folder / "sweep.run", other])] == ["sweep", "other"]


def test_records_and_files_stay_in_the_order_they_were_given_in(folder: Path) -> None:
    first, last = record({"tag": "first"}), record({"tag": "last"})

    found = compare(record(), [first, folder / "sweep.run", last, folder / "bare.run", folder / "others.run"])

    assert [run.tag for run in found] == ["first", "sweep", "last", "others"]
    assert [Path(one.path).name for one in found.without_metadata] == ["bare.run"]


@pytest.mark.parametrize(
    ("others", "found"),
    [
        pytest.param(5, "int 5", id="a number"),
        pytest.param([5], "int 5", id="a number in a list"),
        pytest.param(b"run", "bytes b'run'", id="bytes"),
        pytest.param(Run.from_dict({"1": {"d": 1.0}}, tag="bm25"), "Run <Run bm25: 1 document", id="a ranking"),
        pytest.param([None], "NoneType None", id="nothing in a list"),
    ],
)
def test_what_is_no_run_is_refused_and_shown(folder: Path, others: Any, found: str) -> None:
    message = f"expected files, folders, records or mappings to compare, found {found}"

    for original in (folder / "original.run", None):
        with pytest.raises(DataError, match=re.escape(message)):
            compare(original, others)


def test_a_filter_that_is_none_is_refused() -> None:
    with pytest.raises(DataError, match="expected a Filter, such as parse_filters makes, found str 'x'"):
        compare(record(), SWEEP, filter="x")  # type: ignore[arg-type]  # that is the point


def test_filters_pass_over_runs_that_were_not_asked_for(folder: Path) -> None:
    found = compare(folder / "original.run", folder, filter=parse_filters(where=["tag=sweep"]))

    assert [run.tag for run in found] == ["sweep"]
    assert found.left_out == 1


@pytest.mark.parametrize(("assume", "letters"), [("same", "primad"), ("changed", "PRIMaD"), (None, "????a?")])
def test_unknown_components_are_assumed_as_asked_and_still_listed(assume: str | None, letters: str) -> None:
    actor = stating({"actor.team": "h2oloo"})

    found = compare_records(actor, actor, assume=assume)  # type: ignore[arg-type]  # a text of the table above

    assert str(found.type) == letters
    assert found.unknown == ("platform", "research goal", "implementation", "method", "data")
    assert found.changed == {}


def test_another_assumption_is_refused() -> None:
    with pytest.raises(DataError, match="expected assume to be 'changed' or 'same', found 'maybe'"):
        compare(record(), SWEEP, assume="maybe")  # type: ignore[arg-type]  # that is the point


def test_what_was_found_travels_between_processes() -> None:
    found = compare_records(record(), SWEEP)

    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - it was made here


# Pairs -------------------------------------------------------------------------------------------------------


def test_without_an_original_each_pair_is_compared(folder: Path) -> None:
    found = compare(folder)

    names = [Path(path).name for path in found.paths]
    assert names == ["original.run", "others.run", "sweep.run"]
    assert found.matrix() == [["", "primAd", "priMad"], ["primAd", "", "priMAd"], ["priMad", "priMAd", ""]]
    assert len(found.without_metadata) == 2
    assert found.original is None


def test_none_for_the_original_means_each_pair() -> None:
    assert (
        compare(None, [record(), SWEEP]).matrix()
        == compare([record(), SWEEP]).matrix()
        == [["", "priMad"], ["priMad", ""]]
    )


def test_records_of_one_tag_are_told_apart() -> None:
    found = compare([record(), record({"method.retrieval[0].k1": 2.0}), record()])

    assert found.paths == ("bm25", "bm25 (2)", "bm25 (3)")
    assert found.matrix()[0] == ["", "priMad", "primad"]


def test_too_many_pairs_are_refused_with_a_way_out() -> None:
    runs = [stating({"tag": str(number)}) for number in range(MOST_PAIRWISE + 1)]

    with pytest.raises(
        UsageError, match="expected at most 500 runs to compare with each other, found 501; name an original"
    ):
        compare(runs)


def test_two_originals_are_refused(folder: Path) -> None:
    with pytest.raises(DataError, match="expected one original, found 5"):
        compare(folder, [SWEEP])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param("python search.py --k1 1.2 b.run", ["1.2 → 0.9, b.run → a.run"], id="other values"),
        pytest.param("python search.py", ["python search.py → python search.py --k1 0.9 a…"], id="fewer words"),
        pytest.param("python search.py --k1 0.9 a.run", [], id="the same command"),
    ],
)
def test_commands_that_differ_are_told_where_nobody_states_the_method(command: str, said: list[str]) -> None:
    executable = "implementation.executable.cmd"

    found = compare_records(stating({executable: command}), stating({executable: "python search.py --k1 0.9 a.run"}))

    assert str(found.type) == "??i???"
    unknown = "and no field that tells methods apart is stated by both: whether it changed is not known"
    assert list(found.notes) == [f"the commands differ ({words}), {unknown}" for words in said]


def test_commands_that_differ_are_no_news_where_the_method_is_stated() -> None:
    other = record({"implementation.executable.cmd": "python search.py --k1 1.2"})

    assert compare_records(record(), other).notes == ()
