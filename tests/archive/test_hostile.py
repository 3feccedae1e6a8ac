"""Does an archive survive files that are meant to do harm, and go on with the others?

Whatever such a file is, it is kept as it is or refused with a reason; the good run beside it is kept in any case.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.archive.arriving import Refused
from primad.archive.models import Fact, Run, Version
from primad.archive.search.facts import MOST_FACTS
from primad.archive.services import Kept
from tests.archive.described import ranking, record, write, write_run

GOOD = "good"
HEADER = "# ir_metadata.start\n{}# ir_metadata.end\n"
NAMED = "# data: {test collection: {name: Core17}}\n"


def added_beside_a_good_run(archive: Archive, folder: Path) -> dict[str, Kept | Refused]:
    """Add what is in FOLDER and a good run, which must be kept, and return what became of the others."""
    write_run(folder, "good.run", GOOD, worse=3)
    found = {Path(one.path).name: one for one in archive.add(folder)}
    good = found.pop("good.run")
    assert good.status in ("added", "known")
    assert archive.verify().damage == ()
    return found


def write_header(folder: Path, lines: str, name: str = "bad.run") -> Path:
    """Write a run with LINES in its header, as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(HEADER.format(lines + NAMED) + ranking("bad"), errors="surrogatepass")
    return path


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("# actor: {name: a\0b}\n", id="a null byte"),
        pytest.param('# actor: {name: "a\\0b"}\n', id="a null byte, escaped"),
        pytest.param("# actor: {name: \ud800}\n", id="half a character"),
        pytest.param('# actor: {name: "\\uD800"}\n', id="half a character, escaped"),
        pytest.param("# actor: {name: &a [*a]}\n", id="an alias of itself"),
        pytest.param("# actor: !!python/object/apply:os.system [id]\n", id="an object"),
        pytest.param("# actor: " + "[" * 5000 + "]" * 5000 + "\n", id="deep"),
        pytest.param("# actor: {name: " + "a" * 2_000_000 + "}\n", id="two megabytes"),
        pytest.param("# run-version: " + "9" * 5000 + "\n", id="a long version"),
        pytest.param("# actor: {name: .inf, team: .nan, age: -.inf}\n", id="no finite numbers"),
        pytest.param("# method: {retrieval: [{k1: " + "9" * 5000 + ", b: 1e400, c: -1e-400}]}\n", id="huge numbers"),
        pytest.param("# actor: {born: 2017-01-01, at: 2017-01-01T10:00:00Z, t: 12:30:45}\n", id="dates"),
        pytest.param("# tag: " + "t" * 10_000 + "\n", id="a long tag"),
        pytest.param("# tag: [a, {b: c}]\n", id="a tag that is a list"),
        pytest.param("# ? {a: b}\n# : c\n", id="a mapping as key"),
        pytest.param("# " + "k" * 5000 + ": v\n", id="a long key"),
        pytest.param('# "k\\0": 1\n', id="a null byte in a key"),
        pytest.param('# actor: {name: "\u202e\u0007\u200b"}\n', id="letters that turn the line"),
        pytest.param("# actor: {name: 'ﷺ" * 100 + "}\n", id="quotes without end"),
        pytest.param("# research goal: {publication: {abstract: " + "ﷺ " * 20_000 + "}}\n", id="letters that grow"),
    ],
)
def test_a_header_that_means_harm_stops_nobody(archive: Archive, tmp_path: Path, lines: str) -> None:
    write_header(tmp_path / "in", lines)

    found = added_beside_a_good_run(archive, tmp_path / "in")["bad.run"]

    if isinstance(found, Refused):
        assert found.reason
        assert Run.objects.count() == 1
    else:
        assert archive.content(archive.run(found.address)) == (tmp_path / "in" / "bad.run").read_bytes()


def test_dates_and_numbers_without_end_are_kept_as_they_are_written(archive: Archive, tmp_path: Path) -> None:
    values = "born: 2017-01-01, size: .inf, share: .nan, count: 123456789012345678901234567890, ratio: 1e400"
    write_header(tmp_path / "in", f"# method: {{retrieval: [{{name: bm25, {values}}}]}}\n")

    added_beside_a_good_run(archive, tmp_path / "in")

    stage = Version.objects.get(name="bad.run").record["method"]["retrieval"][0]
    assert stage == {
        "name": "bm25",
        "born": "2017-01-01",
        "size": ".inf",
        "share": ".nan",
        "count": "123456789012345678901234567890",
        "ratio": "1e400",
    }


def test_a_tag_of_ten_thousand_letters_is_cut_where_it_is_searched_only(archive: Archive, tmp_path: Path) -> None:
    tag = "t" * 10_000
    path = write(tmp_path, "long.run", record(tag), ranking(tag))

    (added,) = archive.add(path)

    assert added.status == "added"
    assert Run.objects.get().tag == "t" * 200
    assert Version.objects.get().record["tag"] == tag


def test_bytes_that_are_no_text_are_kept_in_the_file_and_written_out_in_the_tag(
    archive: Archive, tmp_path: Path
) -> None:
    path = tmp_path / "bytes.run"
    path.write_bytes(HEADER.format(NAMED).encode() + b"301 Q0 d\xff 1 9.5 t\xfe\n")

    (added,) = archive.add(path, collection="Core17")

    assert (added.status, Run.objects.get().tag) == ("added", "t\\xfe")
    assert archive.content(Run.objects.get()) == path.read_bytes()


def test_of_more_facts_than_are_searched_the_first_are_kept_and_the_record_is_whole(
    archive: Archive, tmp_path: Path
) -> None:
    many: dict[str, Any] = {f"parameter {number}": number for number in range(2 * MOST_FACTS)}
    path = write_run(tmp_path, method__retrieval=[{"name": "bm25", **many}])

    (added,) = archive.add(path)

    assert added.status == "added"
    assert Fact.objects.count() == MOST_FACTS
    assert len(Version.objects.get().record["method"]["retrieval"][0]) == 1 + 2 * MOST_FACTS


def test_a_run_with_a_long_list_of_packages_is_found_by_who_made_it_and_how(archive: Archive, tmp_path: Path) -> None:
    packages = [f"package{number}==1.{number}" for number in range(2 * MOST_FACTS)]
    path = write_run(tmp_path, platform__software__libraries={"python": packages})

    (added,) = archive.add(path)

    found = archive.search("team:h2oloo method:bm25 role:experimenter retrieval.k1:0.9")
    assert added.status == "added"
    assert [hit.address for hit in found.hits] == [added.address]


def test_many_runs_with_fields_of_their_own_are_kept_together(archive: Archive, tmp_path: Path) -> None:
    for run in range(20):
        own = {f"field {run} {number}": number for number in range(MOST_FACTS)}
        write_run(tmp_path / "in", f"{run}.run", f"tag{run}", method__retrieval=[{"name": "bm25", **own}])

    found = list(archive.add(tmp_path / "in"))

    assert {one.status for one in found} == {"added"}
    assert Fact.objects.count() == 20 * MOST_FACTS


def test_garbage_named_as_a_run_is_refused(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "garbage.run").write_bytes(bytes(range(256)) * 100)
    (tmp_path / "in" / "broken.run.gz").write_bytes(b"\x1f\x8b\x08garbage")
    (tmp_path / "in" / "empty.run").write_bytes(b"")

    found = added_beside_a_good_run(archive, tmp_path / "in")

    assert sorted(found) == ["broken.run.gz", "empty.run", "garbage.run"]
    assert {one.status for one in found.values()} == {"refused"}
    assert all(isinstance(one, Refused) and one.reason for one in found.values())


def test_what_is_no_file_in_a_folder_is_passed_over(sqlite_archive: Archive, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "folder.run").mkdir(parents=True)
    os.mkfifo(folder / "pipe.run")
    (folder / "loop.run").symlink_to("loop.run")
    (folder / "around").symlink_to(folder)
    (folder / "gone.run").symlink_to("nowhere")

    assert added_beside_a_good_run(sqlite_archive, folder) == {}


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        pytest.param(lambda path: path.symlink_to(path.name), "Too many levels of symbolic links", id="loop"),
        pytest.param(lambda path: path.symlink_to("/proc/self/mem"), "cannot be read (", id="unreadable"),
    ],
)
def test_what_is_named_and_cannot_be_read_is_refused(
    sqlite_archive: Archive, tmp_path: Path, make: Any, reason: str
) -> None:
    path = tmp_path / "bad.run"
    make(path)

    found = list(sqlite_archive.add([path, write_run(tmp_path, "good.run")]))

    assert [one.status for one in found] == ["refused", "added"]
    assert isinstance(found[0], Refused)
    assert reason in found[0].reason


def test_a_file_whose_name_is_no_text_is_kept(archive: Archive, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/run\xff.run"))
    path.write_bytes(write_run(tmp_path, "good.run").read_bytes())

    (added,) = archive.add(path)

    assert added.status == "added"
    assert Version.objects.get().name == "run\\udcff.run"


def test_a_side_file_that_means_harm_is_refused_with_its_run(archive: Archive, tmp_path: Path) -> None:
    write(tmp_path / "in", "bad.run", None, ranking("bad"))
    (tmp_path / "in" / "bad.run.yml").write_text("actor: {name: &a [*a]}\n" + "x" * 100)

    found = added_beside_a_good_run(archive, tmp_path / "in")

    assert found["bad.run"].status == "refused"
