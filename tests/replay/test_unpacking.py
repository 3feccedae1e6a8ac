"""Does a bundle come out whole, and does nothing of a hostile one reach the disk?"""

import bz2
import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from primad.errors import FileError
from primad.replay.unpacking import LIMITS, ArchiveLimits, Unpacked, unpack
from primad.trec.files import PACKINGS

MANIFEST = "primad-system.yaml"
FILES = {MANIFEST: b"name: a\nrun: ./go\n", "go": b"#!/bin/sh\n", "data/codes.tsv": b"1\tA00\n"}
SMALL = replace(LIMITS, members=50, bytes=1 << 20, ratio=20, ratio_from=1 << 16)

Entry = tuple[str, bytes, dict[str, object]]


def tar_of(*entries: Entry) -> bytes:
    """Return a tar archive of ENTRIES: name, content, and attributes of the header."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content, attributes in entries:
            header = tarfile.TarInfo(name)
            header.size = len(content)
            for key, value in attributes.items():
                setattr(header, key, value)
            archive.addfile(header, io.BytesIO(content))
    return out.getvalue()


def zip_of(*entries: Entry) -> bytes:
    """Return a zip archive of ENTRIES: name, content, and attributes of the header."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, attributes in entries:
            header = zipfile.ZipInfo(name)
            header.compress_type = zipfile.ZIP_DEFLATED
            for key, value in attributes.items():
                setattr(header, key, value)
            archive.writestr(header, content)
    return out.getvalue()


def plain(files: dict[str, bytes], below: str = "") -> list[Entry]:
    return [(below + name, content, {}) for name, content in files.items()]


def zstd(data: bytes) -> bytes:
    packed: bytes = import_module(PACKINGS[".zst"]).compress(data)
    return packed


def everything_below(folder: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")
    }


def refusal(bundle: bytes, tmp_path: Path, limits: ArchiveLimits = SMALL) -> str:
    """Return why BUNDLE is refused; nothing is left of it, neither in the folder nor beside it."""
    place = tmp_path / "deep" / "place"
    place.mkdir(parents=True)
    before = everything_below(tmp_path)
    with pytest.raises(FileError) as caught:
        unpack(bundle, place / "system", limits)
    assert everything_below(tmp_path) == before
    return caught.value.found.removeprefix("is not unpacked, for it ")


kinds = pytest.mark.parametrize("archive", [pytest.param(tar_of, id="tar"), pytest.param(zip_of, id="zip")])
Archive = Callable[..., bytes]


# What comes out ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(zip_of(*plain(FILES)), id="zip"),
        pytest.param(tar_of(*plain(FILES)), id="tar"),
        pytest.param(gzip.compress(tar_of(*plain(FILES))), id="tar.gz"),
        pytest.param(bz2.compress(tar_of(*plain(FILES))), id="tar.bz2"),
        pytest.param(lzma.compress(tar_of(*plain(FILES))), id="tar.xz"),
        pytest.param(zstd(tar_of(*plain(FILES))), id="tar.zst"),
    ],
)
def test_an_archive_is_told_by_its_content_and_comes_out_whole(packed: bytes, tmp_path: Path) -> None:
    (tmp_path / "bundle.txt").write_bytes(packed)

    found = unpack(tmp_path / "bundle.txt", tmp_path / "system")

    assert found == Unpacked(tmp_path / "system", ("data/codes.tsv", "go", MANIFEST), 34)
    assert everything_below(tmp_path / "system") == {**FILES, "data": None}
    assert sorted(one.name for one in tmp_path.iterdir()) == ["bundle.txt", "system"]


@kinds
def test_the_folder_that_all_files_are_in_is_left_away_if_the_manifest_is_in_it(
    archive: Archive, tmp_path: Path
) -> None:
    named_alike = {**FILES, "mine-1.0/x": b"x"}

    found = unpack(archive(*plain(named_alike, "mine-1.0/")), tmp_path / "system")

    assert found.stripped == "mine-1.0"
    assert found.files == ("data/codes.tsv", "go", "mine-1.0/x", MANIFEST)
    assert everything_below(tmp_path / "system") == {**named_alike, "data": None, "mine-1.0": None}


def test_what_a_mac_puts_beside_the_folder_is_left_away(tmp_path: Path) -> None:
    bundle = zip_of(*plain(FILES, "mine/"), ("__MACOSX/mine/._go", b"x", {}))

    found = unpack(bundle, tmp_path / "system")

    assert (found.files, found.stripped) == (("data/codes.tsv", "go", MANIFEST), "mine")
    assert everything_below(tmp_path / "system") == {**FILES, "data": None}


@kinds
def test_a_folder_without_manifest_stays(archive: Archive, tmp_path: Path) -> None:
    found = unpack(archive(("data/a", b"1", {}), ("data/b", b"2", {})), tmp_path / "inputs")

    assert (found.files, found.stripped) == (("data/a", "data/b"), "")


def test_names_that_begin_with_a_point_and_folders_that_are_listed_are_understood(tmp_path: Path) -> None:
    folder = {"type": tarfile.DIRTYPE, "mode": 0o700}
    bundle = tar_of(("./", b"", folder), ("./a", b"", folder), ("./a/b", b"1", {}), ("./a", b"", folder))

    assert unpack(bundle, tmp_path / "system").files == ("a/b",)
    assert (tmp_path / "system" / "a").stat().st_mode & 0o7777 == 0o755


@pytest.mark.parametrize(
    "bundle",
    [
        pytest.param(tar_of(("a", b"1", {"mode": 0o6711}), ("b", b"2", {"mode": 0o1666})), id="tar"),
        pytest.param(
            zip_of(
                ("a", b"1", {"external_attr": 0o106711 << 16, "create_system": 3}),
                ("b", b"2", {"external_attr": 0o101666 << 16, "create_system": 3}),
            ),
            id="zip",
        ),
    ],
)
def test_of_permissions_only_the_one_to_execute_is_taken(bundle: bytes, tmp_path: Path) -> None:
    unpack(bundle, tmp_path / "system")

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "system").iterdir()}
    assert modes == {"a": 0o755, "b": 0o644}


def test_a_strict_umask_does_not_shut_others_out(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        unpack(zip_of(*plain(FILES)), tmp_path / "system")
    finally:
        os.umask(before)

    places = [tmp_path / "system", *(tmp_path / "system").rglob("*")]
    assert {path.stat().st_mode & 0o777 for path in places if path.is_dir()} == {0o755}
    assert {path.stat().st_mode & 0o777 for path in places if path.is_file()} == {0o644}


def test_an_archive_in_the_archive_is_a_file_like_others(tmp_path: Path) -> None:
    bomb = zip_of(("zeros", bytes(1 << 22), {}))

    unpack(zip_of(("inner.zip", bomb, {}), ("inner.tar.gz", gzip.compress(bomb), {})), tmp_path / "system", SMALL)

    assert everything_below(tmp_path / "system") == {"inner.zip": bomb, "inner.tar.gz": gzip.compress(bomb)}


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "system").mkdir()

    unpack(zip_of(*plain(FILES)), tmp_path / "system")

    assert everything_below(tmp_path / "system") == {**FILES, "data": None}


def test_a_folder_with_files_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")

    with pytest.raises(FileError, match="expected a new or an empty folder, found files in it"):
        unpack(zip_of(*plain(FILES)), tmp_path)
    assert everything_below(tmp_path) == {"mine": b"kept"}


# Names ---------------------------------------------------------------------------------------------------------------


@kinds
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("../../outside", "holds '../../outside', which leads out of the folder", id="up"),
        pytest.param("a/../../outside", "holds 'a/../../outside', which leads out of the folder", id="up inside"),
        pytest.param("/tmp/outside", "holds '/tmp/outside', which is an absolute name", id="absolute"),  # noqa: S108 - never written
        pytest.param("C:/outside", "holds 'C:/outside', which is a name of another system", id="drive"),
        pytest.param("..\\outside", r"holds '..\\outside', which is a name of another system", id="backslash"),
        pytest.param("a\x1b[2Jb", r"holds 'a\x1b[2Jb', whose name has characters that cannot", id="escape"),
        pytest.param("a\u202eb", r"holds 'a\u202eb', whose name has characters that cannot", id="direction of writing"),
        pytest.param("a\nb", r"holds 'a\nb', whose name has characters that cannot", id="end of line"),
        pytest.param("a" * 256, "whose name is longer than 255 bytes", id="long name"),
        pytest.param("é" * 128, "whose name is longer than 255 bytes", id="long name in bytes"),
        pytest.param("/".join(["a" * 100] * 11), "or its path than 1,000 characters", id="long path"),
        pytest.param("/".join("a" * 33), "which is more than 32 folders deep", id="deep"),
    ],
)
def test_a_name_that_could_do_harm_is_refused(archive: Archive, name: str, reason: str, tmp_path: Path) -> None:
    assert reason in refusal(archive((MANIFEST, b"name: a\n", {}), (name, b"x", {})), tmp_path)


def test_a_folder_with_content_is_refused(tmp_path: Path) -> None:
    bundle = zip_of(("aX", b"content", {})).replace(b"aX", b"a/")

    assert refusal(bundle, tmp_path) == "holds a folder with content of its own, 'a/'"


def test_what_a_zip_library_cuts_off_from_a_name_counts(tmp_path: Path) -> None:
    bundle = zip_of(("goXevil", b"x", {})).replace(b"goXevil", b"go\0evil")

    assert (
        refusal(bundle, tmp_path)
        == r"holds 'go\x00evil', whose name has characters that cannot be printed, or is no text"
    )


def test_a_file_without_a_name_is_refused(tmp_path: Path) -> None:
    bundle = zip_of(("X", b"x", {}))
    for start, length, name in ((b"PK\x03\x04", 26, 30), (b"PK\x01\x02", 28, 46)):
        at = bundle.index(start)
        bundle = bundle[: at + length] + b"\0\0" + bundle[at + length + 2 : at + name] + bundle[at + name + 1 :]
    end = bundle.index(b"PK\x05\x06")
    sizes = struct.pack("<2L", end - bundle.index(b"PK\x01\x02"), bundle.index(b"PK\x01\x02"))

    assert refusal(bundle[: end + 12] + sizes + bundle[end + 20 :], tmp_path) == "holds a file without a name, ''"


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with io.BytesIO() as out:
        with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
            archive.addfile(tarfile.TarInfo("caf\udce9"))
        assert "whose name has characters that cannot be printed, or is no text" in refusal(out.getvalue(), tmp_path)


@kinds
@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        pytest.param("a/b", "a/B", "holds 'a/b' and 'a/B', which are the same name on some systems", id="case"),
        pytest.param("a/b", "A/c", "holds 'a' and 'A', which are the same name on some systems", id="folders"),
        pytest.param("\u00e9", "e\u0301", "which are the same name on some systems", id="normal form"),
        pytest.param("stra\u00dfe", "STRASSE", "which are the same name on some systems", id="folded"),
        pytest.param("a", "a/b", "holds 'a/b', where there is both a file and a folder", id="file, then folder"),
        pytest.param("a/b", "a", "holds 'a', where there is both a file and a folder", id="folder, then file"),
        pytest.param("a", "./a", "holds './a' twice", id="the same in other words"),
    ],
)
def test_two_members_for_one_name_are_refused(
    archive: Archive, one: str, other: str, reason: str, tmp_path: Path
) -> None:
    assert reason in refusal(archive((one, b"1", {}), (other, b"2", {})), tmp_path)


def test_a_member_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    assert refusal(tar_of(("a", b"1", {}), ("a", b"2", {})), tmp_path) == "holds 'a' twice"


def test_a_member_that_is_twice_in_a_zip_is_refused(tmp_path: Path) -> None:
    bundle = zip_of(("a", b"1", {}), ("b", b"2", {})).replace(b"b", b"a")

    assert refusal(bundle, tmp_path) == "holds 'a' twice"


# What is no file -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        pytest.param(tarfile.SYMTYPE, "holds a symbolic link, 'x'", id="symbolic link"),
        pytest.param(tarfile.LNKTYPE, "holds a hard link, 'x'", id="hard link"),
        pytest.param(tarfile.CHRTYPE, "holds a device, 'x'", id="character device"),
        pytest.param(tarfile.BLKTYPE, "holds a device, 'x'", id="block device"),
        pytest.param(tarfile.FIFOTYPE, "holds a pipe, 'x'", id="pipe"),
    ],
)
def test_links_and_devices_in_a_tar_are_refused(kind: bytes, reason: str, tmp_path: Path) -> None:
    bundle = tar_of(("a", b"1", {}), ("x", b"", {"type": kind, "linkname": "/etc/passwd", "devmajor": 1}))

    assert refusal(bundle, tmp_path) == reason


def test_a_link_that_a_later_member_would_be_written_through_is_refused(tmp_path: Path) -> None:
    bundle = tar_of(("x", b"", {"type": tarfile.SYMTYPE, "linkname": ".."}), ("x/outside", b"1", {}))

    assert refusal(bundle, tmp_path) == "holds a symbolic link, 'x'"


def test_a_file_with_holes_is_refused(tmp_path: Path) -> None:
    sparse: dict[str, object] = {
        "pax_headers": {"GNU.sparse.major": "0", "GNU.sparse.size": "1000000000", "GNU.sparse.map": "0,1"}
    }

    assert refusal(tar_of(("x", b"1", sparse)), tmp_path) == "holds a file with holes, 'x'"


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        pytest.param(stat.S_IFLNK, "holds a symbolic link, 'x'", id="link"),
        pytest.param(stat.S_IFCHR, "holds a device, 'x'", id="device"),
        pytest.param(stat.S_IFIFO, "holds no plain file, 'x'", id="pipe"),
    ],
)
def test_links_and_devices_in_a_zip_are_refused(mode: int, reason: str, tmp_path: Path) -> None:
    bundle = zip_of(("x", b"/etc/passwd", {"create_system": 3, "external_attr": (mode | 0o644) << 16}))

    assert refusal(bundle, tmp_path) == reason


# Bombs ---------------------------------------------------------------------------------------------------------------


@kinds
def test_more_bytes_than_allowed_are_refused(archive: Archive, tmp_path: Path) -> None:
    bundle = archive(*((f"f{number}", bytes(range(256)) * 1024, {}) for number in range(5)))

    assert "unpacks to more than 1,048,576 bytes" in refusal(bundle, tmp_path, replace(SMALL, ratio=1e9))


@pytest.mark.parametrize(
    "pack",
    [
        pytest.param(lambda data: zip_of(("zeros", data, {})), id="zip"),
        pytest.param(lambda data: gzip.compress(tar_of(("zeros", data, {}))), id="tar.gz"),
        pytest.param(lambda data: bz2.compress(tar_of(("zeros", data, {}))), id="tar.bz2"),
        pytest.param(lambda data: lzma.compress(tar_of(("zeros", data, {}))), id="tar.xz"),
        pytest.param(lambda data: zstd(tar_of(("zeros", data, {}))), id="tar.zst"),
    ],
)
def test_what_unpacks_to_many_times_its_size_is_refused(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    bomb = pack(bytes(40 << 20))

    assert "more than 200 times its own size" in refusal(bomb, tmp_path, LIMITS)


def test_a_stream_that_never_becomes_an_archive_is_left_at_its_first_block(tmp_path: Path) -> None:
    assert refusal(gzip.compress(b"x" * (1 << 24)), tmp_path).startswith("is not a zip or tar archive")


def test_a_stream_of_zeros_behind_the_end_of_the_archive_is_not_read_for_ever(tmp_path: Path) -> None:
    bomb = gzip.compress(tar_of(*plain(FILES)) + bytes(1 << 24))

    assert "times its own size" in refusal(bomb, tmp_path)


def test_an_archive_that_is_packed_twice_is_not_unpacked_twice(tmp_path: Path) -> None:
    bundle = gzip.compress(gzip.compress(tar_of(*plain(FILES))))

    assert refusal(bundle, tmp_path).startswith("is not a zip or tar archive")


def test_a_header_that_wants_all_memory_is_refused(tmp_path: Path) -> None:
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, 1 << 32

    bundle = header.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 16)
    assert refusal(bundle, tmp_path) == "holds a header of 4,294,967,296 bytes"


def test_headers_about_headers_about_headers_are_refused(tmp_path: Path) -> None:
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XGLTYPE, 0

    assert refusal(header.tobuf(tarfile.PAX_FORMAT) * 5000, tmp_path) == "is damaged (RecursionError)"


def zip_with_overlapping_members(count: int) -> bytes:
    """Return a zip archive whose members all are the same bytes, under other names."""
    one = zip_of(("a", bytes(1 << 16), {}))
    start = one.index(b"PK\x01\x02")
    entry, end = one[start : one.index(b"PK\x05\x06")], one[one.index(b"PK\x05\x06") :]
    entries = entry * count
    sizes = struct.pack("<2H2L", count, count, len(entries), start)
    return one[:start] + entries + end[:8] + sizes + end[20:]


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    assert refusal(zip_with_overlapping_members(40), tmp_path) == "has members that overlap, such as 'a'"


@kinds
def test_more_members_than_allowed_are_refused(archive: Archive, tmp_path: Path) -> None:
    bundle = archive(*((f"f{number}", b"", {}) for number in range(51)))

    assert refusal(bundle, tmp_path) == "holds more than 50 files and folders"


def test_a_folder_that_is_listed_over_and_over_is_refused(tmp_path: Path) -> None:
    folder: Entry = ("a", b"", {"type": tarfile.DIRTYPE})
    bundle = tar_of(*[folder] * 51)

    assert refusal(bundle, tmp_path) == "holds more than 50 files and folders"


def test_folders_that_only_paths_name_count_as_members(tmp_path: Path) -> None:
    bundle = zip_of(*((f"{number}/a/b/c/d", b"", {}) for number in range(11)))

    assert refusal(bundle, tmp_path) == "holds more than 50 files and folders"


@pytest.mark.slow
def test_a_tar_of_100_000_members_is_refused(tmp_path: Path) -> None:
    start = tarfile.TarInfo("000000").tobuf(tarfile.USTAR_FORMAT)
    # A header is the sum of its own bytes, too, with blanks where the sum stands.
    rest = sum(start[6:148]) + sum(start[156:]) + 8 * ord(" ")
    names = (b"%06d" % number for number in range(100_000))
    headers = [name + start[6:148] + b"%06o\0 " % (rest + sum(name)) + start[156:] for name in names]
    bundle = zstd(b"".join(headers) + bytes(1024))

    assert refusal(bundle, tmp_path, LIMITS) == "holds more than 20,000 files and folders"


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        pytest.param(60_000, "holds more than 20,000 files and folders", id="counted"),
        pytest.param(1, "holds more than 20,000 files and folders", id="counted wrongly"),
    ],
)
def test_a_zip_of_very_many_members_is_refused_before_its_list_is_read(
    stated: int, reason: str, tmp_path: Path
) -> None:
    start, entries = zip_of(("a", b"", {}))[:31], b"no list" * 3_000_000
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, stated, stated, len(entries), len(start), 0)
    bundle = start + entries + end

    assert refusal(bundle, tmp_path, LIMITS) == reason


def test_a_zip_of_100_000_members_is_refused(tmp_path: Path) -> None:
    one = zip_of(("a", b"", {}))
    start, end = one.index(b"PK\x01\x02"), one.index(b"PK\x05\x06")
    entries = one[start:end] * 100_000
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 100_000, 100_000, len(entries), start)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, start + len(entries), 1)
    last = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)

    found = refusal(one[:start] + entries + record + locator + last, tmp_path, LIMITS)
    assert "more than 65,535 members" in found


# Lies and damage -----------------------------------------------------------------------------------------------------


def test_an_encrypted_file_is_refused(tmp_path: Path) -> None:
    bundle = bytearray(zip_of(("a", b"1", {})))
    for start, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        bundle[bundle.index(start) + flags] |= 1

    assert refusal(bytes(bundle), tmp_path) == "holds an encrypted file, 'a'"


def test_a_packing_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    bundle = bytearray(zip_of(("a", b"1", {})))
    for start, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        bundle[bundle.index(start) + place] = 99

    assert refusal(bytes(bundle), tmp_path) == "holds a file that is packed in an unknown way, 'a'"


def test_a_size_below_zero_is_refused(tmp_path: Path) -> None:
    bundle = tar_of(("a", b"1", {"pax_headers": {"size": "-512"}}), ("b", b"2", {}))

    assert refusal(bundle, tmp_path) == "states -512 bytes of 'a'"


def test_a_size_that_the_list_of_a_zip_states_otherwise_is_refused(tmp_path: Path) -> None:
    bundle = bytearray(zip_of(("a", bytes(5000), {})))
    struct.pack_into("<L", bundle, bundle.index(b"PK\x01\x02") + 24, 10)

    assert refusal(bytes(bundle), tmp_path) == "states two different sizes of 'a'"


@pytest.mark.parametrize(
    ("size", "reason"),
    [
        pytest.param(10, "is truncated or damaged (Bad CRC-32 for file 'a')", id="less"),
        pytest.param(6000, "states 6,000 bytes of 'a', and has 5,000", id="more"),
    ],
)
def test_a_size_that_is_wrong_throughout_is_refused(size: int, reason: str, tmp_path: Path) -> None:
    bundle = bytearray(zip_of(("a", bytes(5000), {})))
    for start, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<L", bundle, bundle.index(start) + place, size)

    assert refusal(bytes(bundle), tmp_path) == reason


def test_what_stands_before_or_behind_a_zip_is_refused(tmp_path: Path) -> None:
    good, other = zip_of(("a", b"1", {})), zip_of(("b", b"2", {}))

    assert refusal(good + b"more", tmp_path) == "has something behind its end"
    (tmp_path / "again").mkdir()
    assert refusal(good + other, tmp_path / "again") == "has something before its first member"


def test_what_stands_behind_a_tar_is_refused(tmp_path: Path) -> None:
    end = tar_of(("a", b"1", {}))[:1024] + bytes(1024)

    assert refusal(end + b"more", tmp_path) == "has something behind its end"


@pytest.mark.parametrize(
    "bundle",
    [
        pytest.param(zip_of(*plain(FILES))[:-40], id="zip"),
        pytest.param(tar_of(*plain(FILES))[:1500], id="tar, within a member"),
        pytest.param(tar_of(*plain(FILES))[:1024], id="tar, between members"),
        pytest.param(gzip.compress(tar_of(*plain(FILES)))[:-9], id="tar.gz"),
        pytest.param(bz2.compress(tar_of(*plain(FILES)))[:-9], id="tar.bz2"),
        pytest.param(lzma.compress(tar_of(*plain(FILES)))[:-40], id="tar.xz"),
        pytest.param(zstd(tar_of(*plain(FILES)))[:-3], id="tar.zst"),
        pytest.param(tar_of(("a", b"1", {}))[:1024] + b"x" * 512, id="tar with a header that is none"),
        pytest.param(gzip.compress(tar_of(*plain(FILES)))[:-6] + b"xxxxxx", id="another checksum"),
    ],
)
def test_half_an_archive_is_refused_and_not_taken_for_a_whole_one(bundle: bytes, tmp_path: Path) -> None:
    assert "damaged" in refusal(bundle, tmp_path)


@pytest.mark.parametrize(
    ("bundle", "reason"),
    [
        pytest.param(b"", "is not a zip or tar archive", id="nothing"),
        pytest.param(b"name: a\nrun: b\n" * 100, "is not a zip or tar archive", id="a text"),
        pytest.param(tar_of(), "holds no file", id="an empty tar"),
        pytest.param(zip_of(), "holds no file", id="an empty zip"),
        pytest.param(tar_of(("a", b"", {"type": tarfile.DIRTYPE})), "holds no file", id="folders only"),
    ],
)
def test_what_is_no_bundle_is_refused(bundle: bytes, reason: str, tmp_path: Path) -> None:
    assert refusal(bundle, tmp_path).startswith(reason)


def test_a_bundle_that_is_not_there_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"gone\.zip: no such file"):
        unpack(tmp_path / "gone.zip", tmp_path / "system")
    with pytest.raises(FileError, match="found a folder"):
        unpack(tmp_path, tmp_path / "system")
    assert list(tmp_path.iterdir()) == []
