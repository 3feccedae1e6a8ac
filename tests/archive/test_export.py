"""Do exported runs come back as the same runs?"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.archive.exporting import safe_name
from primad.archive.models import Run, Version
from primad.errors import FileError
from tests.archive.described import QRELS, ranking, record, write, write_qrels, write_run
from tests.archive.test_add import kept
from tests.archive.test_versions import run_version


def files(folder: Path) -> list[str]:
    """Return the names of all files in FOLDER."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def current() -> dict[tuple[str, ...], Any]:
    """Return the records of all runs in sight, by their rankings and tags."""
    versions = Version.objects.filter(run__removed_at=None).select_related("run__ranking")
    return {
        (version.run.ranking.digest, version.run.tag, version.file, version.side): version.record
        for version in versions
        if version.number == version.run.number
    }


def test_exported_runs_come_back_under_their_addresses_with_their_records(
    new_archive: Callable[[], Archive], tmp_path: Path
) -> None:
    archive = new_archive()
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    paths = [write_run(tmp_path / "in", f"{number}.run", f"tag{number}", number) for number in range(4)]
    paths += [write_run(tmp_path / "in", "robust.run", "robust", data__test_collection={"name": "Robust 04"})]
    write(tmp_path / "in", "side.run", None, ranking("side"))
    (tmp_path / "in" / "side.run.yml").write_text(record("side").to_yaml())
    kept(archive, *paths, tmp_path / "in" / "side.run")
    before, addresses = current(), set(Run.objects.values_list("address", flat=True))

    exported = archive.export(tmp_path / "out")
    other = new_archive()
    found = kept(other, tmp_path / "out")

    assert (exported.runs, len(found)) == (6, 6)
    assert {one.address for one in found} == addresses
    assert current() == before
    assert sorted({one.collection for one in found}) == ["Core17", "Robust 04"]


def history() -> list[tuple[Any, ...]]:
    """Return all versions of all runs, in the order of addresses and numbers."""
    versions = Version.objects.order_by("run__address", "number")
    return list(versions.values_list("run__address", "run__number", "number", "file", "side", "run_version"))


def test_a_run_comes_back_with_all_its_versions(new_archive: Callable[[], Archive], tmp_path: Path) -> None:
    archive = new_archive()
    for number in range(1, 12):
        kept(archive, write_run(tmp_path, f"{number}.run", "a", **run_version(f"{number}.0")))
    kept(archive, write_run(tmp_path, "b.run", "b"))
    write(tmp_path, "side.run", None, ranking("side"))
    for stated in ("1.0", "2.0"):
        (tmp_path / "side.run.yml").write_text(record("side", **run_version(stated)).to_yaml())
        kept(archive, tmp_path / "side.run")
    before = history(), current()

    exported = archive.export(tmp_path / "out")
    names = [name for name in files(tmp_path / "out") if name.endswith(".run")]
    kept(new_archive(), tmp_path / "out")

    assert (exported.runs, len(before[0])) == (3, 14)
    assert names == [
        *(f"Core17/a.v{number:02}.run" for number in range(1, 12)),
        *("Core17/b.run", "Core17/side.v1.run", "Core17/side.v2.run"),
    ]
    assert (history(), current()) == before


def test_runs_of_the_same_ranking_tag_and_actor_stay_apart_on_their_way(
    new_archive: Callable[[], Archive], tmp_path: Path
) -> None:
    archive = new_archive()
    for place, number in enumerate(["2.0", "1.0", "0.5", "3.0", "0.7"]):
        kept(archive, write_run(tmp_path, f"{place}.run", **run_version(number)))
    before = history()

    archive.export(tmp_path / "out")
    kept(new_archive(), tmp_path / "out")

    assert [row[1:3] + row[-1:] for row in sorted(before, key=lambda row: row[-1])] == [
        (2, 1, "0.5"),
        (2, 2, "0.7"),
        (1, 1, "1.0"),
        (2, 1, "2.0"),
        (2, 2, "3.0"),
    ]
    assert history() == before


def test_a_run_is_named_after_its_tag_in_the_folder_of_its_collection(sqlite_archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "topics.txt").write_text("301: crime\n")
    sqlite_archive.set_collection("Core17", qrels=[write_qrels(tmp_path)], topics=tmp_path / "topics.txt")
    first = kept(sqlite_archive, write_run(tmp_path, "x.run", "BM25 (k1=0.9)"))
    second = kept(sqlite_archive, write_run(tmp_path, "y.run", "BM25 (k1=0.9)", actor__name="Bob"))
    kept(sqlite_archive, write(tmp_path, "z.run", None, ranking("z")), collection="Core17", without_metadata=True)

    sqlite_archive.export(tmp_path / "out")

    assert files(tmp_path / "out") == [
        "Core17/BM25_k1_0.9.run",
        "Core17/BM25_k1_0.9_2.run",
        "Core17/collection.json",
        *(name for name in files(tmp_path / "out") if name.endswith(".qrels")),
        "Core17/topics.txt",
        "Core17/z.run",
    ]
    assert (tmp_path / "out/Core17/BM25_k1_0.9.run").read_bytes() == (tmp_path / "x.run").read_bytes()
    assert first[0].tag == second[0].tag


def test_a_collection_says_what_it_is_called_and_judged_by(sqlite_archive: Archive, tmp_path: Path) -> None:
    second = tmp_path / "second.txt"
    second.write_text(QRELS + "303 0 d9 1\n")
    profile = tmp_path / "profile.yml"
    profile.write_text("name: own\nrecommended:\n  - actor.team\n")
    sqlite_archive.set_collection(
        "Core 17", ir_datasets="nyt/core", qrels=[write_qrels(tmp_path), second], profile=str(profile)
    )
    kept(sqlite_archive, write_run(tmp_path), collection="core 17")

    exported = sqlite_archive.export(tmp_path / "out")

    place = tmp_path / "out" / "Core_17"
    facts = json.loads((place / "collection.json").read_text())
    assert (facts["name"], facts["also"], facts["ir_datasets"]) == ("Core 17", ["core 17", "nyt/core"], "nyt/core")
    assert [name.partition("-")[0] for name in facts["qrels"]] == ["core17", "second"]
    assert (place / facts["current_qrels"]).read_bytes() == second.read_bytes()
    assert (place / facts["profile"]).read_bytes() == profile.read_bytes()
    (told,) = exported.collections
    assert (told.name, told.folder, told.ir_datasets, told.also) == ("Core 17", "Core_17", "nyt/core", ())
    assert (list(told.qrels), told.profile) == (facts["qrels"], facts["profile"])


def test_tags_that_mean_harm_stay_in_the_folder_and_apart(new_archive: Callable[[], Archive], tmp_path: Path) -> None:
    tags = [
        "../../evil",
        "/etc/passwd",
        ".hidden",
        "-rf",
        "x.run",
        "x",
        "x.run.run",
        "検索",
        "索検",
        "CON",
        "a" * 300,
        "A/B",
    ]
    archive = new_archive()
    for number, tag in enumerate(tags):
        write(tmp_path / "in" / str(number), "bad.run", None, ranking(str(number)))
        (tmp_path / "in" / str(number) / "bad.run.meta").write_text(
            record(tag, data__test_collection={"name": "../up"}).to_yaml()
        )
    kept(archive, tmp_path / "in")
    before = current()

    archive.export(tmp_path / "out")
    (place,) = (tmp_path / "out").iterdir()
    kept(new_archive(), tmp_path / "out")

    assert place.name == "up"
    assert current() == before
    assert not any(path.name.startswith((".", "-")) for path in place.iterdir())
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir() and "archive" not in path.name) == [
        "in",
        "out",
    ]


def test_removed_runs_stay(sqlite_archive: Archive, tmp_path: Path) -> None:
    kept(sqlite_archive, write_run(tmp_path, "a.run", "a"), write_run(tmp_path, "b.run", "b"))
    sqlite_archive.remove("a")

    assert sqlite_archive.export(tmp_path / "out").runs == 1
    assert files(tmp_path / "out") == ["Core17/b.run", "Core17/collection.json"]


def test_only_the_runs_that_a_query_finds_are_exported(archive: Archive, tmp_path: Path) -> None:
    kept(archive, write_run(tmp_path, "a.run", "a"), write_run(tmp_path, "b.run", "b", actor__team="other"))

    assert archive.export(tmp_path / "out", "team:other").runs == 1
    assert files(tmp_path / "out") == ["Core17/b.run", "Core17/collection.json"]


def test_a_folder_with_something_in_it_is_not_written_over(sqlite_archive: Archive, tmp_path: Path) -> None:
    kept(sqlite_archive, write_run(tmp_path))
    (tmp_path / "empty").mkdir()

    with pytest.raises(FileError, match="expected a new or an empty folder, found files in it; name another folder"):
        sqlite_archive.export(tmp_path)

    assert sqlite_archive.export(tmp_path / "empty").runs == 1


def test_a_damaged_run_leaves_no_folder(sqlite_archive: Archive, tmp_path: Path) -> None:
    kept(sqlite_archive, write_run(tmp_path, "a.run", "a"), write_run(tmp_path, "b.run", "b"))
    sqlite_archive.folder.blobs.path_of(Version.objects.get(run__tag="b").file).unlink()

    with pytest.raises(FileError, match="no such content; restore it from a backup"):
        sqlite_archive.export(tmp_path / "out")

    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob(".primad-*"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("bm25", "bm25"), ("../x", "x"), ("a b/c", "a_b_c"), ("..", ""), ("", ""), ("x" * 99, "x" * 80), ("a.", "a")],
)
def test_a_safe_name_is_no_path_and_not_hidden(text: str, expected: str) -> None:
    assert safe_name(text) == expected
