"""When is a file a new version of a run, and what stays of the former ones?"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.archive.models import Fact, Run, Version
from primad.archive.services import _version_number
from primad.errors import PairingError, UsageError
from primad.store.models import Event
from tests.archive.described import record, write, write_run
from tests.archive.test_add import kept


def run_version(number: str) -> dict[str, Any]:
    """Return the field run-version, whose name has a dash."""
    return {"run-version": number}


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        ("1.0", "1.1", "new version"),
        ("1.9", "1.10", "new version"),
        ("1.0", "1.0.1", "new version"),
        ("", "1.0", "new version"),
        ("1.1", "1.0", "added"),
        ("1.0", "1.0.0", "added"),
        ("1.0", "", "added"),
    ],
)
def test_only_a_higher_run_version_makes_a_new_version(
    sqlite_archive: Archive, tmp_path: Path, earlier: str, later: str, expected: str
) -> None:
    first = write_run(tmp_path, "a.run", **run_version(earlier))
    second = write_run(tmp_path, "b.run", **run_version(later), research_goal__venue__name="ECIR")

    found = [*kept(sqlite_archive, first), *kept(sqlite_archive, second)]

    assert [one.status for one in found] == ["added", expected]
    assert (found[0].address == found[1].address) == (expected == "new version")


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"tag": "other"}, id="another tag"),
        pytest.param({"actor__name": "Bob"}, id="another actor"),
        pytest.param({"actor__team": "other"}, id="another team"),
        pytest.param({"actor__orcid": "0000-0002-0661-7189"}, id="another ORCID"),
        pytest.param({"worse": 1}, id="another ranking"),
    ],
)
def test_a_higher_run_version_of_something_else_is_another_run(
    archive: Archive, tmp_path: Path, other: dict[str, Any]
) -> None:
    found = kept(
        archive,
        write_run(tmp_path, "a.run", **run_version("1.0")),
        write_run(tmp_path, "b.run", **run_version("2.0"), **other),
    )

    assert [one.status for one in found] == ["added", "added"]
    assert Run.objects.count() == 2


def test_a_new_version_hangs_under_the_address_of_the_first(archive: Archive, tmp_path: Path) -> None:
    first = write_run(tmp_path, "a.run", **run_version("1.0"))
    second = write_run(tmp_path, "b.run", **run_version("2.0"), research_goal__venue__name="ECIR")

    (added,) = kept(archive, first)
    (renewed,) = kept(archive, second)

    assert renewed.address == added.address
    run = archive.run(added.address)
    assert (run.number, run.venue) == (2, "ECIR")
    assert archive.content(run) == second.read_bytes()
    history = list(Version.objects.order_by("number").values_list("number", "run_version", "name"))
    assert history == [(1, "1.0", "a.run"), (2, "2.0", "b.run")]
    contents = [archive.folder.blobs.get(version.file) for version in Version.objects.order_by("number")]
    assert contents == [first.read_bytes(), second.read_bytes()]
    assert archive.verify().damage == ()


def test_what_only_a_former_version_stated_is_not_found_any_more(archive: Archive, tmp_path: Path) -> None:
    kept(archive, write_run(tmp_path, "a.run", **run_version("1.0"), method__indexing={"stemmer": "porter"}))
    kept(archive, write_run(tmp_path, "b.run", **run_version("2.0"), research_goal__venue={"year": 2021}))

    facts = dict(Fact.objects.values_list("field__name", "shown"))
    assert "method.indexing.stemmer" not in facts
    assert facts["research_goal.venue.year"] == "2021"
    assert Run.objects.get().year == 2021


def test_the_file_of_a_former_version_is_known(archive: Archive, tmp_path: Path) -> None:
    first = write_run(tmp_path, "a.run", **run_version("1.0"))
    kept(archive, first, write_run(tmp_path, "b.run", **run_version("2.0")))

    (again,) = kept(archive, first)

    assert (again.status, archive.run(again.address).number) == ("known", 2)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param({"name": "Ada"}, {"name": "Ada"}, "new version", id="the same name"),
        pytest.param({"team": "D"}, {"team": "D"}, "new version", id="the same team"),
        pytest.param({"team": "D"}, {"team": "E"}, "added", id="two teams without names"),
        pytest.param({"name": "Ada", "team": "D"}, {"name": "Ada"}, "added", id="a team that is stated once"),
        pytest.param(
            {"orcid": "0000-0002-0661-7189"},
            {"orcid": "https://orcid.org/0000-0002-0661-7189"},
            "new version",
            id="the same ORCID in both forms",
        ),
        pytest.param(
            {"role": "experimenter"}, {"role": "experimenter"}, "added", id="two who say nothing of who they are"
        ),
    ],
)
def test_an_actor_is_the_same_by_name_team_and_orcid(
    archive: Archive, tmp_path: Path, first: dict[str, str], second: dict[str, str], expected: str
) -> None:
    found = kept(
        archive,
        write_run(tmp_path, "a.run", **run_version("1.0"), actor=first),
        write_run(tmp_path, "b.run", **run_version("2.0"), actor=second),
    )

    assert [one.status for one in found] == ["added", expected]


@pytest.mark.parametrize("together", [True, False], ids=["together", "one by one"])
def test_a_lower_run_version_that_comes_later_is_another_run(
    archive: Archive, tmp_path: Path, *, together: bool
) -> None:
    paths = [write_run(tmp_path, f"{number}.run", **run_version(number)) for number in ("2.0", "1.0", "3.0")]

    found = kept(archive, *paths) if together else [one for path in paths for one in kept(archive, path)]

    assert [one.status for one in found] == ["added", "added", "new version"]
    assert [Path(one.path).name for one in found] == ["2.0.run", "1.0.run", "3.0.run"]
    assert found[2].address == found[0].address != found[1].address


def test_the_number_of_jobs_changes_no_address(new_archive: Callable[[], Archive], tmp_path: Path) -> None:
    # The first file takes longest to read: with several jobs the others are done before it.
    long = "".join(f"{topic} Q0 d{rank} {rank} {-rank} bm25\n" for topic in range(60) for rank in range(500))
    write(tmp_path / "in", "0.run", record(), long)
    for place, number in enumerate(["1.0", "3.0", "2.0", "4.0"], 1):
        write_run(tmp_path / "in", f"{place}.run", **run_version(number))
    write(tmp_path / "in", "5.run", record(), "no ranking\n")

    here, there = (
        [(one.path, one.status, getattr(one, "address", "")) for one in new_archive().add(tmp_path / "in", jobs=jobs)]
        for jobs in (1, 3)
    )

    assert there == here
    assert [status for _, status, _ in here] == ["added", "added", "new version", "added", "new version", "refused"]


def test_of_several_runs_with_the_same_ranking_the_newest_is_renewed(archive: Archive, tmp_path: Path) -> None:
    first = kept(archive, write_run(tmp_path, "a.run", **run_version("1.0")))
    second = kept(archive, write_run(tmp_path, "b.run", **run_version("1.0"), research_goal__venue__name="ECIR"))
    third = kept(archive, write_run(tmp_path, "c.run", **run_version("2.0")))
    fourth = kept(archive, write_run(tmp_path, "d.run", **run_version("3.0")))

    assert [one[0].address for one in (third, fourth)] == [second[0].address] * 2
    assert Version.objects.filter(run__address=first[0].address).count() == 1


def test_a_removed_run_gets_no_new_version_by_itself(archive: Archive, tmp_path: Path) -> None:
    kept(archive, write_run(tmp_path, "a.run", **run_version("1.0")))
    archive.remove("bm25")

    (added,) = kept(archive, write_run(tmp_path, "b.run", **run_version("2.0")))

    assert added.status == "added"


# Replacing -----------------------------------------------------------------------------------------------------------


def test_a_file_replaces_the_run_that_is_named_whatever_it_says(archive: Archive, tmp_path: Path) -> None:
    (added,) = kept(archive, write_run(tmp_path, "a.run", "old", **run_version("5.0")))

    (renewed,) = kept(
        archive,
        write_run(tmp_path, "b.run", "new", worse=2, **run_version("1.0"), data__test_collection={"name": "Other"}),
        replaces=added.address[:10],
    )

    assert (renewed.status, renewed.address, renewed.tag) == ("new version", added.address, "new")
    assert (archive.run("new").number, renewed.collection) == (2, "Other")
    verbs = Event.objects.filter(subject=added.address).order_by("pk").values_list("verb", "details__number")
    assert list(verbs) == [("added", 1), ("new version", 2)]


def test_a_run_is_not_replaced_by_the_file_of_another(archive: Archive, tmp_path: Path) -> None:
    one, other = kept(archive, write_run(tmp_path, "a.run", "a"), write_run(tmp_path, "b.run", "b"))

    with pytest.raises(UsageError, match=r"expected a new version of the run a \(.*\), found a file of the run b \("):
        kept(archive, tmp_path / "b.run", replaces=one.address)

    assert [archive.run(run.address).number for run in (one, other)] == [1, 1]


def test_a_run_that_is_replaced_by_itself_is_known(archive: Archive, tmp_path: Path) -> None:
    (added,) = kept(archive, write_run(tmp_path))

    (again,) = kept(archive, tmp_path / "bm25.run", replaces=added.address)

    assert (again.status, archive.run(added.address).number) == ("known", 1)


def test_a_removed_run_that_is_replaced_is_in_sight_again(archive: Archive, tmp_path: Path) -> None:
    (added,) = kept(archive, write_run(tmp_path, "a.run"))
    archive.remove("bm25")

    kept(archive, write_run(tmp_path, "b.run", actor__team="other"), replaces=added.address)

    assert archive.run("bm25").number == 2


def test_one_file_replaces_one_run(sqlite_archive: Archive, tmp_path: Path) -> None:
    paths = [write_run(tmp_path, "a.run", "a"), write_run(tmp_path, "b.run", "b")]

    with pytest.raises(UsageError, match="expected one file together with --replaces, found 2"):
        list(sqlite_archive.add(paths, replaces="a"))
    with pytest.raises(PairingError, match="no run has the address or tag 'none'"):
        list(sqlite_archive.add(paths[0], replaces="none"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.10", (1, 10)),
        (" V1.2 ", (1, 2)),
        ("2.0.0", (2,)),
        ("", ()),
        ("1..2", ()),
        ("1.0-beta", ()),
        ("9" * 500, ()),
    ],
)
def test_a_run_version_is_read_as_numbers_or_not_at_all(text: str, expected: tuple[int, ...]) -> None:
    assert _version_number(text) == expected
