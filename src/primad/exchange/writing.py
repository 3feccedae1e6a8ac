"""How does a thing get into a format of others, and onto the disk?

    export        a thing, or what stands at a path, written in a format
    Exported      what was written, where, and what could not be carried

One text can be kept in a file or only be returned; a folder is written whole or not at all, and packed where its name
ends in .zip.  Times in a zip are those of no clock: the same thing packs to the same bytes.
"""

from __future__ import annotations

import os
import zipfile
from collections import Counter
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from primad.errors import DataError, FileError, UsageError
from primad.exchange.catalogue import get_format
from primad.exchange.gathering import gather
from primad.exchange.private import private_in
from primad.exchange.stating import refuse_misstated
from primad.exchange.thing import Statement, Thing
from primad.safe_paths import safe_path
from primad.trec.files import atomic_folder, atomic_write, refuse_used
from primad.watching import Watch, unwatched

if TYPE_CHECKING:
    from primad.exchange.formats import Format, Written
    from primad.exchange.thing import File

_ZIP = ".zip"
_OTHER_PACKINGS = (".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar")
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # that a zip can say
_PERMISSIONS = 0o644 << 16
_UNIX = 3  # whose permissions these are, wherever the zip is made
_PACKAGES = {"linked": ("prov", "rdflib")}


@dataclass(frozen=True)
class Exported:
    """What was written: TEXT of a format that is one text, else the folder or zip at PATH with its FILES.

    LOST has a line on each thing that the format could not carry, REMARKS what there is to know or still to do.
    """

    format: str
    name: str
    path: str = ""
    text: str = ""
    files: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def export(
    thing: Thing | str | os.PathLike[str],
    to: str,
    output: str | os.PathLike[str] | None = None,
    *,
    stated: Statement | None = None,
    watch: Watch = unwatched,
) -> Exported:
    """Write THING, or what stands at this path, in the format TO; to OUTPUT, which a text needs not.

    STATED is what only whoever publishes it can say; WATCH sees files being read and written.
    """
    form = get_format(to)
    _refuse_missing_packages(form)
    if stated is not None:
        refuse_misstated(stated)
    if form.form == "folder" and output is None:
        raise UsageError(
            f"{form.title} is a folder of files: expected where to write it", "with --output DIR or FILE.zip"
        )
    if form.form == "folder" and output is not None and str(output).lower().endswith(_OTHER_PACKINGS):
        raise UsageError(f"expected a folder or FILE.zip to write to, found '{output}'", "name a .zip instead")
    if not isinstance(thing, Thing):
        source, thing = Path(thing), gather(thing, watch)
        _refuse_to_replace(source, thing, output)
        thing = _without_former(source, thing, output)
    if stated is not None:
        thing = thing.stating(stated)
    if thing.kind not in form.of:
        raise DataError(f"expected {_kinds(form)} for {form.title}, found {_a(thing.kind)} ({thing.name})")
    written = form.write(thing) if form.write else None
    assert written is not None  # noqa: S101 - get_format gives only formats that can be written
    return _kept(form, thing, written, None if output is None else Path(output), watch)


def _refuse_to_replace(source: Path, thing: Thing, output: str | os.PathLike[str] | None) -> None:
    """Refuse to write over SOURCE, or over a run, metadata or data in it, which would be lost.

    What was exported there before is a result or some other file, and may be written again.
    """
    if output is None or not _is_file(output):
        return
    top = source if source.is_dir() else source.parent
    own = [top / file.path for file in thing.files if file.role not in ("result", "other")]
    if any(Path(output).samefile(path) for path in (source, *own)):
        raise FileError(str(output), "is what is handed over, and would be lost", "name another file")


def _is_file(output: str | os.PathLike[str]) -> bool:
    """Tell whether there is a file at OUTPUT; what no file can be called is none."""
    return os.path.isfile(output)  # noqa: PTH113 - Path fails on such names


def _without_former(source: Path, thing: Thing, output: str | os.PathLike[str] | None) -> Thing:
    """Return THING, which stands at SOURCE, without what was exported to OUTPUT before, for it is made anew."""
    if output is None or not source.is_dir() or not _is_file(output):
        return thing
    files = tuple(file for file in thing.files if not Path(output).samefile(source / file.path))
    if not files:
        raise FileError(str(source), f"expected files to hand over, found only '{output}', which is to be written")
    return replace(thing, files=files)


def _kept(form: Format, thing: Thing, written: Written, output: Path | None, watch: Watch) -> Exported:
    """Return what was WRITTEN, after it was put to OUTPUT."""
    refuse_clashes(written.files)
    text = ""
    if form.form == "text":
        (only,) = written.files
        data = _bytes_of(only)
        text = data.decode()
        if output is not None:
            with atomic_write(output) as stream:
                stream.write(data)
    elif output is not None:
        (_zip if output.suffix.lower() == _ZIP else _folder)(output, written.files, watch)
    return Exported(
        form.name,
        thing.name,
        "" if output is None else str(output),
        text,
        tuple(file.path for file in written.files),
        (*thing.left_out, *written.lost),
        (*private_in(thing, text or None), *written.remarks),
    )


def _folder(target: Path, files: tuple[File, ...], watch: Watch) -> None:
    """Write FILES to the folder TARGET."""
    refuse_used(target)
    with atomic_folder(target) as place:
        write_files(place, files, watch)


def write_files(place: Path, files: tuple[File, ...], watch: Watch = unwatched) -> None:
    """Write FILES below the folder PLACE."""
    for file in watch(files, len(files)):
        path = place / safe_path(file.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes_of(file))


def _bytes_of(file: File) -> bytes:
    """Return the content of FILE, which may have gone since it was looked at."""
    try:
        return file.read()
    except OSError as error:
        raise FileError(str(error.filename or file.path), f"cannot be read ({error.strerror or error})") from None


def refuse_clashes(files: tuple[File, ...]) -> None:
    """Refuse FILES of which one would take the place of another, or of a folder of others, or leads elsewhere."""
    paths = Counter(safe_path(file.path) for file in files)
    folders = {str(folder) for path in paths for folder in PurePosixPath(path).parents}
    for path, number in paths.items():
        if number > 1 or path in folders:
            found = f"{number} files" if number > 1 else "a file and a folder"
            raise FileError(path, f"expected one file of this path, found {found}", "rename one of them")


def _zip(target: Path, files: tuple[File, ...], watch: Watch) -> None:
    """Pack FILES into the zip TARGET."""
    with atomic_write(target, "") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in watch(files, len(files)):
            entry = zipfile.ZipInfo(safe_path(file.path), _EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = _PERMISSIONS
            entry.create_system = _UNIX
            archive.writestr(entry, _bytes_of(file))


def _refuse_missing_packages(form: Format) -> None:
    """Say which extra is needed, if a package of it is not there."""
    missing = [name for name in _PACKAGES.get(form.extra, ()) if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"{form.title} needs the package {missing[0]}, which is not installed",
            f"install it with: pip install 'primad[{form.extra}]'",
        )


def _kinds(form: Format) -> str:
    """Return the kinds of things that FORM can tell of."""
    *others, last = map(_a, form.of)
    return f"{', '.join(others)} or {last}" if others else last


def _a(kind: str) -> str:
    """Return KIND with its article, as a sentence has it."""
    words = {"precision": "an assessment of precision", "query": "the answer to a query"}
    article = "an" if kind[0] in "aeiou" else "a"
    return words.get(kind, f"{article} {kind}")
