"""Are files looked at before anything is stored, and kept or refused for the reasons that were told?"""

import gzip
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from primad.store.actors import acting
from primad.trec.ranking import split_header
from tests.web.archive.pages import Parsed, address_of, sent, shown, upload
from tests.web.small_site import QRELS, SmallSite, run_text

GOOD = run_text("new", 5)
BROKEN = GOOD.replace("3 Q0 d1 5 5 new", "3 Q0 d1 5 five new")
BARE = split_header(GOOD.encode())[1]
SIDE = b"\n".join(line.removeprefix(b"# ") for line in split_header(GOOD.encode())[0].splitlines()[1:-1]) + b"\n"


@pytest.fixture
def small_limit(shelf: SmallSite) -> Iterator[SmallSite]:
    """Return a site that takes a megabyte."""
    with override_settings(PRIMAD=replace(settings.PRIMAD, upload_limit=1 << 20)):
        yield shelf


def stored(site: SmallSite) -> set[Path]:
    """Return the contents that are kept."""
    return {path for path in (site.folder / "blobs").rglob("*") if path.is_file()}


def tags(site: SmallSite) -> set[str]:
    """Return the tags of the runs that are kept."""
    return {hit.tag for hit in site.archive().search("").hits}


def test_checking_stores_nothing(shelf: SmallSite) -> None:
    before = stored(shelf)

    answer = upload(shelf.client("user"), "check", sent(new__run=GOOD, a__run=BARE, a__yml=SIDE))

    assert "2 of 2 files would be kept. Nothing is stored yet" in shown(answer)
    assert stored(shelf) == before
    assert tags(shelf) == {"first", "second", "third"}


def test_every_finding_has_its_line_and_says_what_was_expected_and_found(shelf: SmallSite) -> None:
    line = 1 + BROKEN.splitlines().index(next(one for one in BROKEN.splitlines() if " five " in one))

    text = shown(upload(shelf.client("user"), "check", sent(new__run=BROKEN)))

    assert "would be refused" in text
    assert f'<td>new.run</td><td class="number">{line}</td><td>error</td>' in text
    assert "&#39;five&#39;" in text
    assert gettempdir() not in text.partition('id="outcome"')[2]


def test_what_is_added_links_to_its_page_and_can_be_undone(shelf: SmallSite) -> None:
    client = shelf.client("user")

    answer = upload(client, "add", sent(new__run=GOOD))
    path = f"/archive/runs/{address_of(shelf, 'new')}/"

    assert path in Parsed(shown(answer)).links()
    assert f"{path}remove/" in [one.get("action") for one in Parsed(shown(answer)).all("form")]
    assert tags(shelf) == {"first", "second", "third", "new"}

    client.post(f"{path}remove/", {"reason": "added by mistake"})
    assert tags(shelf) == {"first", "second", "third"}


@pytest.mark.parametrize(
    ("fields", "offered"),
    [
        pytest.param({}, ["Score it"], id="on a collection with judgments"),
        pytest.param({"collection": "Nowhere"}, [], id="on one without"),
    ],
)
def test_runs_are_offered_to_be_scored_where_their_collection_has_judgments(
    shelf: SmallSite, fields: dict[str, str], offered: list[str]
) -> None:
    text = shown(upload(shelf.client("user"), "add", sent(new__run=GOOD), **fields))

    assert "new.run" in text
    assert [word for word in ("Score it", "Score them") if word in text] == offered


def test_what_is_known_already_is_told_and_offers_no_undo(shelf: SmallSite) -> None:
    text = shown(upload(shelf.client("user"), "add", sent(first__run=run_text("first", year="2018"))))

    assert "was there already" in text
    assert "Undo<span" not in text


@pytest.mark.parametrize(
    ("files", "fields", "reason"),
    [
        pytest.param({"new__run": BARE}, {}, "has no metadata", id="no metadata"),
        pytest.param({"new__run": BARE}, {"without_metadata": "1"}, "states no test collection", id="no collection"),
        pytest.param({"small__qrels": QRELS}, {}, "looks like judgments", id="judgments"),
        pytest.param({"new__run": BROKEN}, {}, "expected", id="a broken line"),
        pytest.param({"new__run": b""}, {}, "has no metadata", id="nothing"),
        pytest.param({"new__run": b"\x1f\x8b\x08half"}, {}, "truncated or damaged archive", id="half a packed file"),
        pytest.param({"a__yml": SIDE}, {}, "expected the run that this metadata file belongs to", id="metadata alone"),
    ],
)
def test_what_is_refused_is_refused_for_the_reason_that_the_check_has_told(
    shelf: SmallSite, files: dict[str, str | bytes], fields: dict[str, str], reason: str
) -> None:
    client = shelf.client("user")

    looked = shown(upload(client, "check", sent(**files), **fields))
    added = shown(upload(client, "add", sent(**files), **fields))

    for text in (looked, added):
        assert reason in text
        assert "primad archive" not in text
    assert "0 of 1 file would be kept." in looked
    assert "1 file was refused." in added
    assert tags(shelf) == {"first", "second", "third"}


def test_runs_without_metadata_are_taken_where_somebody_says_so(shelf: SmallSite) -> None:
    chosen = {"without_metadata": "1", "collection": "small"}

    text = shown(upload(shelf.client("user"), "add", sent(bare__run=BARE), **chosen))

    assert "1 run is in the archive." in text
    assert tags(shelf) == {"first", "second", "third", "new"}


def test_the_profile_of_a_collection_is_demanded_by_the_check_as_well(shelf: SmallSite) -> None:
    with acting(shelf.actor("administrator")):
        shelf.archive().set_collection("small", profile="ir_metadata")
    client = shelf.client("user")

    looked = shown(upload(client, "check", sent(new__run=GOOD)))
    added = shown(upload(client, "add", sent(new__run=GOOD)))

    assert "would be refused" in looked
    assert "<code>actor.name</code> (essential)" in looked
    assert "1 file was refused." in added


def test_one_file_that_is_refused_does_not_keep_others_out(shelf: SmallSite) -> None:
    text = shown(upload(shelf.client("user"), "add", sent(new__run=GOOD, broken__run=BROKEN)))

    assert "1 run is in the archive." in text
    assert "<strong>broken.run</strong>" in text
    assert "new" in tags(shelf)


def test_a_packed_run_is_unpacked_and_one_that_unpacks_to_too_much_is_refused(small_limit: SmallSite) -> None:
    bomb = gzip.compress(b"# " + b"0" * (4 << 20) + b"\n")
    client = small_limit.client("user")

    looked = shown(upload(client, "check", sent(good__run__gz=gzip.compress(GOOD.encode()), bomb__run__gz=bomb)))
    added = shown(upload(client, "add", sent(good__run__gz=gzip.compress(GOOD.encode()), bomb__run__gz=bomb)))

    for text in (looked, added):
        assert "unpacks to more than 1,048,576 bytes" in text
    assert "1 of 2 files would be kept." in looked
    assert "1 run is in the archive." in added


def test_metadata_that_unpack_to_too_much_keep_their_run_out(small_limit: SmallSite) -> None:
    bomb = gzip.compress(b"# " + b"0" * (4 << 20) + b"\n")

    text = shown(upload(small_limit.client("user"), "add", sent(a__run=BARE, a__yml=bomb)))

    assert "unpacks to more than 1,048,576 bytes" in text
    assert tags(small_limit) == {"first", "second", "third"}


def test_metadata_that_cannot_be_read_keep_only_their_own_run_out_and_every_file_is_listed(
    small_limit: SmallSite,
) -> None:
    bomb = gzip.compress(b"# " + b"0" * (4 << 20) + b"\n")
    files: dict[str, str | bytes] = {"good__run": GOOD, "a__run": BARE, "a__yml": bomb, "b__run": run_text("b", 7)}
    client = small_limit.client("user")

    looked = shown(upload(client, "check", sent(**files)))
    added = shown(upload(client, "add", sent(**files)))

    assert "2 of 4 files would be kept." in looked
    assert "2 runs are in the archive." in added
    assert "2 files were refused." in added
    assert "<strong>a.run</strong>: its metadata are in a.yml, which cannot be read: " in added
    assert "<strong>a.yml</strong>: unpacks to more" in added
    assert tags(small_limit) == {"first", "second", "third", "new", "b"}


def test_that_a_run_has_no_metadata_is_no_error_where_somebody_takes_it_without(shelf: SmallSite) -> None:
    client = shelf.client("user")

    wished = shown(upload(client, "check", sent(new__run=BARE), without_metadata="1", collection="small"))
    refused = shown(upload(client, "check", sent(new__run=BARE), collection="small"))

    assert "would be kept" in wished
    assert "<td>error</td>" not in wished
    assert "the run is taken without metadata, as you chose" in wished
    assert "<td>error</td>" in refused


def test_whoever_added_a_run_can_replace_it_by_a_file_with_another_ranking(shelf: SmallSite) -> None:
    client = shelf.client("user")
    upload(client, "add", sent(new__run=GOOD))
    address = address_of(shelf, "new")

    way = f"/archive/upload/?replaces={address}"
    assert way in Parsed(shown(client.get(f"/archive/runs/{address}/"))).links()
    (hidden,) = [one for one in Parsed(shown(client.get(way))).all("input") if one.get("name") == "replaces"]
    upload(client, "add", sent(new__run=run_text("new", 7)), replaces=str(hidden["value"]))

    versions = shelf.archive().show(address).versions
    assert [one.number for one in versions] == [1, 2]
    assert tags(shelf) == {"first", "second", "third", "new"}


def test_a_run_is_replaced_by_one_file_and_by_nobody_else_than_whoever_added_it(shelf: SmallSite) -> None:
    client = shelf.client("user")
    upload(client, "add", sent(new__run=GOOD))
    address = address_of(shelf, "new")

    two = upload(client, "add", sent(a__run=run_text("a", 7), b__run=run_text("b", 6)), replaces=address)
    other = upload(shelf.client("rival"), "add", sent(new__run=run_text("new", 7)), replaces=address)

    assert "expected one run as the new version of new, found 2; choose one" in shown(two)
    assert other.status_code == 403
    assert "replaces=" not in shown(shelf.client("rival").get(f"/archive/runs/{address}/"))
    assert len(shelf.archive().show(address).versions) == 1


@pytest.mark.parametrize(
    ("name", "is_kept"),
    [
        pytest.param("../../new.run", True, id="a path"),
        pytest.param("C:\\runs\\new.run", True, id="a path of Windows"),
        pytest.param("-rf", False, id="an option"),
        pytest.param(".hidden", False, id="hidden"),
        pytest.param("n" * 200 + ".run", False, id="too long"),
        pytest.param("new\x1b[2J.run", True, id="steering"),
        pytest.param("<img src=x>.run", True, id="markup"),
    ],
)
def test_files_may_be_called_anything_that_a_folder_can_hold(shelf: SmallSite, name: str, *, is_kept: bool) -> None:
    file = SimpleUploadedFile("new.run", GOOD.encode())
    file._name = name  # Django cuts names that come otherwise

    answer = upload(shelf.client("user"), "add", [file])

    assert answer.status_code == (200 if is_kept else 422)
    assert ("new" in tags(shelf)) is is_kept
    assert "<img" not in shown(answer)


def test_files_of_the_same_name_no_files_and_too_many_are_refused(shelf: SmallSite) -> None:
    client = shelf.client("user")
    twice = [*sent(new__run=GOOD), *sent(new__run=BROKEN)]

    assert "found two called &#39;new.run&#39;; rename one" in shown(upload(client, "add", twice))
    assert "expected files, found none" in shown(client.post("/archive/upload/", {"do": "add"}))
    assert "expected check or add, found &#39;burn&#39;" in shown(upload(client, "burn", sent(new__run=GOOD)))
    assert tags(shelf) == {"first", "second", "third"}


def test_nothing_of_what_was_sent_is_left_in_the_folder_for_temporary_files(
    shelf: SmallSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))

    for do in ("check", "add"):
        upload(shelf.client("user"), do, sent(new__run=GOOD, broken__run=BROKEN))

    assert list(place.iterdir()) == []
