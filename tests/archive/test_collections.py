"""Which collection does a run belong to, and what is known of it?"""

import io
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.archive.models import Collection, CollectionName, Qrels, Run
from primad.errors import FileError, FormatError, SchemaError, UsageError
from primad.store.models import Event
from tests.archive.described import QRELS, write_qrels, write_run
from tests.archive.test_add import kept

ID = "nyt/trec-core-2017"


def write_called(folder: Path, tag: str, *, beside: str = "", **names: str) -> Path:
    """Write a run whose record calls its test collection by NAMES."""
    return write_run(folder, f"{tag}{beside}.run", tag, data__test_collection=dict(names))


def members() -> dict[str, list[str]]:
    """Return the tags of the runs of each collection."""
    found: dict[str, list[str]] = {name: [] for name in Collection.objects.values_list("name", flat=True)}
    for name, tag in Run.objects.order_by("tag").values_list("collection__name", "tag"):
        found[name].append(tag)
    return found


# By what records say -------------------------------------------------------------------------------------------------


def test_a_new_name_makes_a_new_collection(archive: Archive, tmp_path: Path) -> None:
    found = kept(archive, write_called(tmp_path, "a", name="Core17"), write_called(tmp_path, "b", name="Robust04"))

    assert [one.collection for one in found] == ["Core17", "Robust04"]
    assert members() == {"Core17": ["a"], "Robust04": ["b"]}


def test_case_accents_and_spacing_of_a_name_do_not_matter(archive: Archive, tmp_path: Path) -> None:
    names = ["Core 17", "CORE  17", " core 17 ", "Còre 17"]
    kept(archive, *(write_called(tmp_path, f"r{place}", name=name) for place, name in enumerate(names)))

    assert members() == {"Core 17": ["r0", "r1", "r2", "r3"]}


@pytest.mark.parametrize("order", list(permutations("abc")), ids="".join)
def test_a_record_that_gives_both_makes_one_collection_of_a_name_and_an_identifier_in_any_order(
    archive: Archive, tmp_path: Path, order: tuple[str, ...]
) -> None:
    paths = {
        "a": write_called(tmp_path, "a", name="Core17"),
        "b": write_called(tmp_path, "b", ir_datasets=ID),
        "c": write_called(tmp_path, "c", name="Core17", ir_datasets=ID),
    }

    for tag in order:
        kept(archive, paths[tag])

    assert members() == {"Core17": ["a", "b", "c"]}
    collection = Collection.objects.get()
    assert collection.ir_datasets == ID
    assert sorted(collection.names.values_list("folded", flat=True)) == ["core17", ID]


def test_the_same_holds_for_runs_that_come_together(archive: Archive, tmp_path: Path) -> None:
    write_called(tmp_path / "in", "a", name="Core17")
    write_called(tmp_path / "in", "b", ir_datasets=ID)
    write_called(tmp_path / "in", "c", name="Core17", ir_datasets=ID)

    found = kept(archive, tmp_path / "in")

    assert {one.collection for one in found} == {"Core17"}
    assert members() == {"Core17": ["a", "b", "c"]}


def test_collections_that_became_one_are_told_and_written_down(archive: Archive, tmp_path: Path) -> None:
    kept(archive, write_called(tmp_path, "a", name="Core17"), write_called(tmp_path, "b", ir_datasets=ID))

    (told,) = kept(archive, write_called(tmp_path, "c", name="Core17", ir_datasets=ID))

    assert told.remarks == (f"the collections Core17 and {ID} are one, by what its record says",)
    assert Event.objects.filter(verb="collection", details__joined=ID).count() == 1


def test_judgments_stay_when_collections_become_one(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection(ID, qrels=[write_qrels(tmp_path)])
    kept(archive, write_called(tmp_path, "a", name="Core17"))

    kept(archive, write_called(tmp_path, "c", name="Core17", ir_datasets=ID))

    assert members() == {ID: ["a", "c"]}
    assert Collection.objects.get().qrels == Qrels.objects.get()


def test_collections_that_both_have_judgments_are_never_made_one(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "other.qrels").write_text(QRELS.replace(" 1\n", " 2\n"))
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    archive.set_collection("By id", ir_datasets=ID, qrels=[tmp_path / "other.qrels"])

    (added,) = kept(archive, write_called(tmp_path, "c", name="Core17", ir_datasets=ID))

    assert (added.collection, members()) == ("By id", {"Core17": [], "By id": ["c"]})
    assert added.remarks == ("belongs to By id by its ir_datasets; Core17 is another collection",)


def test_a_name_with_another_identifier_is_another_collection(archive: Archive, tmp_path: Path) -> None:
    nyt = "The New York Times Annotated Corpus"
    paths = [
        write_called(tmp_path, "a", name=nyt, ir_datasets=ID),
        write_called(tmp_path, "b", name=nyt, ir_datasets="nyt/wksup"),
        write_called(tmp_path, "c", name=nyt, ir_datasets="nyt/wksup"),
        write_called(tmp_path, "d", name=nyt),
    ]

    found = kept(archive, *paths)

    assert members() == {nyt: ["a", "d"], "nyt/wksup": ["b", "c"]}
    assert [one.remarks for one in found[:3]] == [(), (), ()]


@pytest.mark.parametrize("together", [True, False], ids=["together", "one by one"])
def test_a_name_that_several_collections_have_is_remarked_on_where_nothing_else_is_stated(
    archive: Archive, tmp_path: Path, *, together: bool
) -> None:
    paths = [
        write_called(tmp_path, "a", name="NYT", ir_datasets=ID),
        write_called(tmp_path, "b", name="NYT"),
        write_called(tmp_path, "c", name="nyt", ir_datasets="nyt/other"),
        write_called(tmp_path, "d", name="NYT"),
        write_called(tmp_path, "e", name="Robust04", ir_datasets="robust04"),
        write_called(tmp_path, "f", name="Robust04"),
    ]

    found = kept(archive, *paths) if together else [one for path in paths for one in kept(archive, path)]

    assert {one.tag: one.remarks for one in found if one.remarks} == {
        "d": (f"NYT is the name of several collections ({ID}, nyt/other); taken for {ID}; say which with --collection",)
    }
    (told,) = kept(archive, write_called(tmp_path, "g", name="NYT"), collection="nyt/other")
    assert (told.collection, told.remarks) == ("nyt/other", ())


def test_the_source_of_the_documents_tells_no_collections_apart_where_a_name_is_stated(
    archive: Archive, tmp_path: Path
) -> None:
    source = "https://catalog.ldc.upenn.edu/LDC2008T19"
    kept(
        archive,
        write_called(tmp_path, "a", name="Core17", source=source),
        write_called(tmp_path, "b", name="Core18", source=source),
        write_called(tmp_path, "c", source=source),
    )

    assert members() == {"Core17": ["a"], "Core18": ["b"], source: ["c"]}


def test_a_name_of_marks_only_is_no_name(archive: Archive, tmp_path: Path) -> None:
    (refused,) = archive.add(write_called(tmp_path, "a", name="\u0301"))

    assert refused.status == "refused"
    assert Collection.objects.count() == 0


def test_a_name_of_a_thousand_letters_is_cut_and_found_again(archive: Archive, tmp_path: Path) -> None:
    found = kept(archive, *(write_called(tmp_path, tag, name="ä" * 1000 + tag) for tag in ("a", "b")))

    assert {one.collection for one in found} == {"ä" * 200}


# By what a person says -----------------------------------------------------------------------------------------------


def test_a_named_collection_wins_over_what_records_say(archive: Archive, tmp_path: Path) -> None:
    (added,) = kept(archive, write_called(tmp_path, "a", name="Robust04"), collection="Core17")

    assert (added.collection, members()) == ("Core17", {"Core17": ["a"]})


def test_a_named_collection_is_found_by_any_of_its_names(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", ir_datasets=ID, also=["TREC Common Core 2017"])

    names = ["core17", ID.upper(), "trec common core 2017"]
    found = [kept(archive, write_called(tmp_path, f"r{n}", name="x"), collection=name) for n, name in enumerate(names)]

    assert [one[0].collection for one in found] == ["Core17"] * 3


def test_a_known_run_stays_in_its_collection_and_that_is_said(archive: Archive, tmp_path: Path) -> None:
    path = write_called(tmp_path, "a", name="Robust04")
    kept(archive, path)

    (again,) = kept(archive, path, collection="Core17")

    assert (again.status, again.collection) == ("known", "Robust04")
    assert again.remarks == ("is in the collection Robust04, and stays there",)


def test_the_last_judgments_are_current_and_earlier_ones_are_kept(archive: Archive, tmp_path: Path) -> None:
    first = write_qrels(tmp_path)
    second = tmp_path / "second.qrels"
    second.write_text(QRELS + "303 0 d9 1\n")

    archive.set_collection("Core17", qrels=[first])
    archive.set_collection("core17", qrels=[second])

    collection = Collection.objects.get()
    assert (collection.name, collection.qrels and collection.qrels.name) == ("Core17", "second.qrels")
    assert list(Qrels.objects.order_by("pk").values_list("name", "topics", "judgments")) == [
        ("core17.qrels", 3, 7),
        ("second.qrels", 3, 8),
    ]
    assert archive.folder.blobs.get(Qrels.objects.get(name="core17.qrels").digest) == first.read_bytes()


def test_the_same_judgments_in_another_order_are_there_once(archive: Archive, tmp_path: Path) -> None:
    turned = tmp_path / "turned.qrels"
    turned.write_text("\n".join(reversed(QRELS.splitlines())).replace(" ", "\t") + "\n")

    archive.set_collection("Core17", qrels=[write_qrels(tmp_path), turned])

    assert Qrels.objects.get().name == "core17.qrels"


def test_what_is_not_given_stays(archive: Archive, tmp_path: Path) -> None:
    topics = tmp_path / "topics.txt"
    topics.write_text("301: international organized crime\n")
    archive.set_collection("Core17", topics=topics, profile="ir_metadata", ir_datasets=ID)

    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])

    collection = Collection.objects.get()
    assert (collection.profile, collection.ir_datasets) == ("ir_metadata", ID)
    assert archive.folder.blobs.get(collection.topics) == topics.read_bytes()


def test_a_person_gives_a_better_name_to_a_collection_that_records_made(archive: Archive, tmp_path: Path) -> None:
    kept(archive, write_called(tmp_path, "a", ir_datasets=ID))

    archive.set_collection("Core17", ir_datasets=ID)

    assert members() == {"Core17": ["a"]}


def test_a_person_makes_one_collection_of_two(archive: Archive, tmp_path: Path) -> None:
    kept(archive, write_called(tmp_path, "a", name="Core17"), write_called(tmp_path, "b", ir_datasets=ID))
    kept(archive, write_called(tmp_path, "c", name="TREC Core"))

    archive.set_collection("Core17", ir_datasets=ID, also=["trec core"], qrels=[write_qrels(tmp_path)])

    assert members() == {"Core17": ["a", "b", "c"]}


def test_a_person_corrects_an_identifier(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    kept(archive, write_called(tmp_path, "wrong", name="Core17", ir_datasets="nyt/typo"))
    kept(archive, write_called(tmp_path, "right", name="Core17", ir_datasets=ID))
    before = members()

    archive.set_collection("Core17", ir_datasets=ID)

    assert before == {"Core17": ["wrong"], ID: ["right"]}
    assert members() == {"Core17": ["right", "wrong"]}


def test_a_name_that_a_judged_collection_has_is_refused_for_another(archive: Archive) -> None:
    archive.set_collection("Core17", profile="ir_metadata")
    archive.set_collection("Robust04", profile="ir_metadata")

    with pytest.raises(UsageError, match="the name 'robust04' is that of the collection Robust04, which is another"):
        archive.set_collection("Core17", also=["Robust04"])

    assert sorted(CollectionName.objects.values_list("folded", flat=True)) == ["core17", "robust04"]


@pytest.mark.parametrize("name", ["", "  ", "\u0301", "x" * 201], ids=["none", "blank", "mark", "long"])
def test_what_is_no_name_is_refused(sqlite_archive: Archive, name: str) -> None:
    with pytest.raises(UsageError, match="expected the name of a collection"):
        sqlite_archive.set_collection(name)


def test_a_name_may_have_any_bytes_in_it(archive: Archive) -> None:
    archive.set_collection("nul \0 and \udcff")

    assert Collection.objects.get().name == "nul \\x00 and \\udcff"


@pytest.mark.parametrize(
    ("options", "error", "found"),
    [
        ({"qrels": ["none.qrels"]}, FileError, "no such file"),
        ({"topics": "none.txt"}, FileError, "no such file"),
        ({"profile": "none"}, SchemaError, "unknown profile 'none'"),
    ],
    ids=["qrels", "topics", "profile"],
)
def test_a_wrong_file_changes_nothing(
    sqlite_archive: Archive, options: dict[str, Any], error: type[Exception], found: str
) -> None:
    with pytest.raises(error, match=found):
        sqlite_archive.set_collection("Core17", **options)

    assert Collection.objects.count() == 0


def test_a_mistyped_name_becomes_another_name_and_renames_nothing(sqlite_archive: Archive) -> None:
    sqlite_archive.set_collection("Core17")

    sqlite_archive.set_collection("Cor17", also=["core17"])

    (collection,) = sqlite_archive.collections()
    assert (collection.name, sorted(collection.names)) == ("Core17", ["cor17", "core17"])


def test_a_run_is_no_topics(sqlite_archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="expected topics, found a run; are topics and run swapped"):
        sqlite_archive.set_collection("Core17", topics=write_run(tmp_path))


def test_judgments_that_come_by_standard_input_are_stored_whole(
    sqlite_archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(QRELS.encode())))

    sqlite_archive.set_collection("Core17", qrels=["-"])

    stored = Qrels.objects.get()
    assert sqlite_archive.folder.blobs.get(stored.digest) == QRELS.encode()
    assert (stored.name, stored.judgments) == ("<stdin>", len(QRELS.splitlines()))


def test_wrong_judgments_are_named_by_their_file(sqlite_archive: Archive, tmp_path: Path) -> None:
    path = tmp_path / "wrong.qrels"
    path.write_text("301 0 d1\n")

    with pytest.raises(FormatError) as caught:
        sqlite_archive.set_collection("Core17", qrels=[path])

    assert (caught.value.path, caught.value.line) == (str(path), 1)
