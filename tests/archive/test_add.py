"""What does an archive keep, under which address, and what does it refuse?"""

import bz2
import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.archive.arriving import Refused
from primad.archive.models import Fact, Ranking, Run, Version
from primad.archive.services import Kept
from primad.errors import PairingError, UsageError
from primad.store.models import Event
from tests.archive.described import ranking, record, write, write_qrels, write_run


def kept(archive: Archive, *paths: Path | str, **options: Any) -> list[Kept]:
    """Add PATHS, all of which must be kept."""
    found = list(archive.add(paths, **options))
    refused = [one for one in found if isinstance(one, Refused)]
    assert refused == []
    return [one for one in found if isinstance(one, Kept)]


def refusals(archive: Archive, *paths: Path | str, **options: Any) -> dict[str, str]:
    """Add PATHS, and return why some of them were refused, by their names."""
    found = list(archive.add(paths, **options))
    return {Path(one.path).name: one.reason for one in found if isinstance(one, Refused)}


# What is kept ------------------------------------------------------------------------------------------------------


def test_a_run_is_found_by_its_address_with_the_same_bytes(archive: Archive, tmp_path: Path) -> None:
    path = write_run(tmp_path)

    (added,) = kept(archive, path)

    assert added.status == "added"
    assert archive.content(archive.run(added.address[:8])) == path.read_bytes()


def test_the_same_bytes_twice_are_one_run(archive: Archive, tmp_path: Path) -> None:
    first, second = write_run(tmp_path / "a"), write_run(tmp_path / "b", "other.run")

    found = kept(archive, first, second)

    assert [one.status for one in found] == ["added", "known"]
    assert found[0].address == found[1].address
    assert (Run.objects.count(), Version.objects.count()) == (1, 1)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress], ids=["gzip", "bzip2"])
def test_packed_and_plain_files_of_the_same_bytes_are_one_run(
    archive: Archive, tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    plain = write_run(tmp_path)
    packed = tmp_path / "bm25.run.packed"
    packed.write_bytes(pack(plain.read_bytes()))

    found = [*kept(archive, packed), *kept(archive, plain)]

    assert [one.status for one in found] == ["added", "known"]
    assert archive.content(archive.run(found[0].address)) == plain.read_bytes()


def test_the_searched_fields_are_those_of_the_record(archive: Archive, tmp_path: Path) -> None:
    path = write_run(
        tmp_path,
        method__retrieval=[{"name": "bm25"}, {"name": "rm3"}],
        research_goal__venue={"name": "SIGIR", "year": 2019},
        actor__role="reproducer",
        research_goal__evaluation={"baseline": ["bm25"]},
    )

    (added,) = kept(archive, path)

    run = Run.objects.select_related("collection", "ranking").get(address=added.address)
    columns = ("tag", "team", "actor", "role", "method", "venue", "year", "schema_version")
    assert {name: getattr(run, name) for name in columns} == {
        "tag": "bm25",
        "team": "h2oloo",
        "actor": "Ada",
        "role": "reproducer",
        "method": "bm25 + rm3",
        "venue": "SIGIR",
        "year": 2019,
        "schema_version": "0.2",
    }
    assert (run.collection.name, run.ranking.topics, run.ranking.depth, run.ranking.lines) == ("Core17", 3, 3, 7)
    facts = dict(Fact.objects.filter(run=run).values_list("field__name", "shown"))
    assert facts["platform.software.retrieval_toolkit"] == "anserini==0.4"


def test_the_record_is_kept_as_it_was_stated(archive: Archive, tmp_path: Path) -> None:
    stated = record("bm25", method__retrieval=[{"name": "bm25", "k1": 0.9, "b": 1e-7, "seed": 10**17, "rerank": None}])

    kept(archive, write(tmp_path, "bm25.run", stated, ranking("bm25")))

    assert Version.objects.get().record == stated.tree


def test_another_header_over_the_same_ranking_is_another_run(archive: Archive, tmp_path: Path) -> None:
    original = write_run(tmp_path, "a.run")
    repeated = write_run(tmp_path, "b.run", actor__name="Bob")

    found = kept(archive, original, repeated)

    assert [one.status for one in found] == ["added", "added"]
    assert found[0].address != found[1].address
    assert (Run.objects.count(), Ranking.objects.count()) == (2, 1)


def test_what_others_retrieved_under_their_own_tag_is_the_same_ranking(archive: Archive, tmp_path: Path) -> None:
    found = kept(archive, write_run(tmp_path, "a.run", "bm25"), write_run(tmp_path, "b.run", "my bm25"))

    assert [one.status for one in found] == ["added", "added"]
    assert (Run.objects.count(), Ranking.objects.count()) == (2, 1)
    assert archive.verify().damage == ()


def test_a_folder_is_searched_for_runs(archive: Archive, tmp_path: Path) -> None:
    write_run(tmp_path / "in" / "deep", "a.run", "a")
    write_run(tmp_path / "in", "b", "b")
    (tmp_path / "in" / "readme.txt").write_text("no run\n")

    found = kept(archive, tmp_path / "in")

    assert sorted(one.tag for one in found) == ["a", "b"]


def test_a_run_may_come_from_standard_input(
    sqlite_archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_run(tmp_path).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    (added,) = kept(sqlite_archive, "-")

    assert sqlite_archive.content(sqlite_archive.run(added.address)) == data


def test_what_is_added_is_written_down(archive: Archive, tmp_path: Path) -> None:
    (added,) = kept(archive, write_run(tmp_path))
    kept(archive, write_run(tmp_path))

    events = Event.objects.filter(subject=added.address).values_list("verb", "details")
    assert list(events) == [("added", {"tag": "bm25", "number": 1})]


def test_several_processes_keep_the_same_as_one(archive: Archive, tmp_path: Path) -> None:
    for number in range(12):
        write_run(tmp_path / "in", f"{number}.run", f"tag{number}", worse=number % 4)

    found = kept(archive, tmp_path / "in", jobs=2)

    assert sorted(one.tag for one in found) == sorted(f"tag{number}" for number in range(12))
    assert archive.verify().damage == ()
    assert [one.status for one in kept(archive, tmp_path / "in")] == ["known"] * 12


def test_essential_fields_that_are_missing_are_counted(sqlite_archive: Archive, tmp_path: Path) -> None:
    poor = record("poor")
    del poor.tree["implementation"], poor.tree["actor"]
    paths = [write(tmp_path, "poor.run", poor, ranking("poor")), write_run(tmp_path, "rich.run", "rich")]

    lacking, whole = kept(sqlite_archive, *paths)

    assert (whole.missing, whole.remarks) == (0, ())
    assert lacking.missing > 1
    assert lacking.remarks[0].startswith(f"{lacking.missing} essential fields not stated: ")


# Metadata beside the run -------------------------------------------------------------------------------------------


def test_metadata_beside_a_run_go_with_it(archive: Archive, tmp_path: Path) -> None:
    path = write(tmp_path, "bm25.run", None, ranking("bm25"))
    beside = tmp_path / "bm25.run.yml"
    beside.write_text(record("bm25").to_yaml())

    (added,) = kept(archive, tmp_path)

    version = Version.objects.get()
    assert (added.status, version.record["actor"]["team"]) == ("added", "h2oloo")
    assert archive.folder.blobs.get(version.file) == path.read_bytes()
    assert archive.folder.blobs.get(version.side) == beside.read_bytes()
    assert version.identity == added.address not in (version.file, version.side)


def test_the_same_ranking_with_other_metadata_beside_it_is_another_run(archive: Archive, tmp_path: Path) -> None:
    for name in ("Ada", "Bob"):
        write(tmp_path / name, "bm25.run", None, ranking("bm25"))
        (tmp_path / name / "bm25.run.yml").write_text(record("bm25", actor__name=name).to_yaml())

    found = kept(archive, tmp_path / "Ada", tmp_path / "Bob", tmp_path / "Ada" / "bm25.run")

    assert [one.status for one in found] == ["added", "added"]
    assert Version.objects.values("file").distinct().count() == 1
    assert Version.objects.values("side").distinct().count() == 2


# What is refused ---------------------------------------------------------------------------------------------------


def test_a_bad_file_is_refused_with_its_reason_and_the_rest_goes_on(archive: Archive, tmp_path: Path) -> None:
    good = write_run(tmp_path, "good.run")
    write(tmp_path, "broken.run", record("x"), "301 Q0 d1 1 9.5\n")
    write(tmp_path, "silent.run", None, ranking("silent"))
    write(tmp_path, "nowhere.run", record("y", data__test_collection={}), ranking("y"))

    found = list(archive.add(tmp_path))

    reasons = {Path(one.path).name: one.reason for one in found if isinstance(one, Refused)}
    assert reasons["broken.run"].startswith("line ")
    assert "expected 6 columns" in reasons["broken.run"]
    assert reasons["silent.run"] == (
        "has no metadata, neither in the file nor beside it; add it with: primad annotate, or keep the run without: "
        "--without-metadata --collection NAME"
    )
    assert reasons["nowhere.run"] == (
        "states no test collection; add data.test collection.name, or name one with --collection"
    )
    assert [Path(one.path) for one in found if isinstance(one, Kept)] == [good]
    assert Run.objects.count() == 1


def test_a_refused_file_leaves_no_content(archive: Archive, tmp_path: Path) -> None:
    refusals(archive, write(tmp_path, "broken.run", record("x"), "301 Q0 d1 1 9.5\n"))

    assert list(archive.folder.blobs) == []


def test_judgments_are_refused_with_where_they_belong(sqlite_archive: Archive, tmp_path: Path) -> None:
    (refused,) = sqlite_archive.add(write_qrels(tmp_path))

    assert isinstance(refused, Refused)
    assert refused.reason == "looks like judgments; give them with: primad archive collection NAME --qrels FILE"


def test_metadata_without_a_run_are_refused(sqlite_archive: Archive, tmp_path: Path) -> None:
    path = tmp_path / "only.yml"
    path.write_text(record("x").to_yaml())

    assert refusals(sqlite_archive, path) == {"only.yml": "expected a run, found metadata without one"}


def test_a_run_without_metadata_is_kept_where_somebody_says_so(archive: Archive, tmp_path: Path) -> None:
    path = write(tmp_path, "plain.run", None, ranking("plain"))

    (added,) = kept(archive, path, collection="Core17", without_metadata=True)

    assert (added.tag, added.collection) == ("plain", "Core17")
    assert Version.objects.get().record == {}


def test_missing_fields_are_told_and_demanded_by_a_profile_only(archive: Archive, tmp_path: Path) -> None:
    path = write_run(tmp_path, actor={})

    (told,) = kept(archive, path)
    archive.set_collection("Strict", profile="ir_metadata")
    demanded = refusals(archive, write_run(tmp_path, "b.run", "b", actor={}), collection="Strict")

    assert "essential field" in told.remarks[0]
    assert "actor.name" in told.remarks[0]
    assert "actor.name" in demanded["b.run"]


def test_the_profile_of_the_collection_that_a_record_names_is_demanded(archive: Archive, tmp_path: Path) -> None:
    own = tmp_path / "profile.yml"
    own.write_text("name: own\nessential:\n  - research goal.publication.doi\n")
    archive.set_collection("Core17", profile=str(own), ir_datasets="nyt/trec-core-2017")
    own.unlink()  # it is kept in the archive
    by_id = {"ir_datasets": "NYT/trec-core-2017"}
    paths = [
        write_run(tmp_path, "by_name.run"),
        write_run(tmp_path, "by_id.run", data__test_collection=by_id),
        write_run(tmp_path, "elsewhere.run", data__test_collection={"name": "Robust04"}),
        write_run(tmp_path, "stated.run", research_goal__publication={"doi": "10.1145/3397271.3401036"}),
    ]

    reasons = refusals(archive, *paths)

    assert sorted(reasons) == ["by_id.run", "by_name.run"]
    assert all("research goal.publication.doi" in reason for reason in reasons.values())
    assert sorted(Run.objects.values_list("collection__name", flat=True)) == ["Core17", "Robust04"]


def test_nothing_to_add_is_said(sqlite_archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "empty.run").mkdir()

    with pytest.raises(UsageError, match="expected runs to add, found none"):
        list(sqlite_archive.add(tmp_path / "empty.run"))


def test_a_file_that_is_not_there_is_refused(sqlite_archive: Archive, tmp_path: Path) -> None:
    assert refusals(sqlite_archive, tmp_path / "none.run") == {"none.run": "no such file"}


# Out of sight ------------------------------------------------------------------------------------------------------


def test_a_removed_run_is_out_of_sight_but_its_address_and_bytes_stay(archive: Archive, tmp_path: Path) -> None:
    path = write_run(tmp_path)
    (added,) = kept(archive, path)

    removed = [archive.remove("bm25", "wrong topics"), archive.remove(added.address)]

    assert removed == [True, False]
    assert archive.run(added.address).removed_at is not None
    assert archive.content(archive.run(added.address)) == path.read_bytes()
    with pytest.raises(PairingError, match="no run has the address or tag 'bm25'"):
        archive.run("bm25")


def test_a_removed_run_comes_back_when_it_is_added_again(archive: Archive, tmp_path: Path) -> None:
    path = write_run(tmp_path)
    (added,) = kept(archive, path)
    archive.remove("bm25")

    (again,) = kept(archive, path)

    assert (again.status, again.address) == ("restored", added.address)
    assert archive.run("bm25").removed_at is None
    verbs = Event.objects.filter(subject=added.address).order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["added", "removed", "restored"]


def test_the_reason_of_a_removal_is_written_down_whatever_is_in_it(archive: Archive, tmp_path: Path) -> None:
    kept(archive, write_run(tmp_path))

    archive.remove("bm25", "nul \0 and \udcff")

    reason = Event.objects.get(verb="removed").details["reason"]
    assert json.loads(json.dumps(reason)) == "nul \\x00 and \\udcff"
