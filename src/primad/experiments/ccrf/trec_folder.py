"""How does a folder with TREC documents, topics and qrels become a collection?

    read_collection   the collection in a folder
    FolderError       what is wrong in it: file, line, what was expected and found

Which file is what is told by content: documents have a line that begins with <DOC>, topics one with <top>, and qrels
begin with four columns or have 'qrels' in their name.  Other files are left alone.  Files may lie in folders of the
folder and may be packed with gzip.  Text that is not UTF-8 is read as Latin-1, as the older TREC collections are.
"""

from __future__ import annotations

import gzip
import html
import io
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from primad import read_qrels
from primad.experiments.ccrf.collection import Collection, CollectionError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

# All files of a folder are held in memory together.
MAX_BYTES = 4 << 30

_PIECE = 1 << 24
_START = 1 << 16
_SHOWN = 60
_GZIP, _COMPRESS = b"\x1f\x8b", b"\x1f\x9d"
_IS_DOCUMENTS = re.compile(rb"^[ \t]*<DOC>", re.IGNORECASE | re.MULTILINE)
_IS_TOPICS = re.compile(rb"^[ \t]*<top>", re.IGNORECASE | re.MULTILINE)
_IS_QRELS = re.compile(rb"\s*\S+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+[ \t]*(\r?\n|\Z)")
_DOCUMENT = re.compile(r"<(/?)DOC>", re.IGNORECASE)
_DOCNO = re.compile(r"<DOCNO>([^<>]*)</DOCNO>", re.IGNORECASE)
_NO_TEXT = re.compile(r"<(DOCNO|DOCID|DOCHDR)>[^<]*</\1>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TOPIC = re.compile(r"<top>", re.IGNORECASE)
_END_OF_FIELD = re.compile(r"</?[A-Za-z]+>")


_Item = tuple[int, str, str]  # place in the file, id, text


class FolderError(CollectionError):
    """A folder, or a line of a file in it, that is not what was expected."""

    def __init__(self, path: Path, found: str, line: int | None = None, hint: str = "") -> None:
        """Say what was FOUND in PATH, at which LINE, and what to do about it."""
        self.path = str(path)
        self.found = found
        self.line = line
        self.hint = hint
        super().__init__(f"{path}{'' if line is None else f':{line}'}: {found}" + (f"; {hint}" if hint else ""))

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between processes whole."""
        return type(self), (Path(self.path), self.found, self.line, self.hint)


@dataclass
class _Text:
    """The text of a file, with the line of each place in it."""

    path: Path
    text: str

    def fault(self, place: int, found: str, hint: str = "") -> FolderError:
        """Return the error that says what was FOUND at a PLACE."""
        return FolderError(self.path, found, self.text.count("\n", 0, place) + 1, hint)


@dataclass
class _Found:
    """What has been read of a folder so far."""

    documents: dict[str, str] = field(default_factory=dict)
    topics: dict[str, str] = field(default_factory=dict)
    qrels: list[Path] = field(default_factory=list)


def read_collection(folder: str | os.PathLike[str], name: str | None = None) -> Collection:
    """Return the collection in FOLDER, called by NAME or as the folder is.

    Topics are those with a title; judgments of other topics are left out.
    """
    root = Path(folder)
    found = _read_files(root)
    for kind, sign, things in (
        ("documents", "<DOC> ... </DOC>", found.documents),
        ("topics", "<top> ... </top>", found.topics),
        ("qrels", "topic 0 document grade", found.qrels),
    ):
        if not things:
            raise FolderError(root, f"expected a file with TREC {kind} ({sign}), found none")
    if len(found.qrels) > 1:
        names = ", ".join(str(path.relative_to(root)) for path in found.qrels)
        raise FolderError(root, f"expected one file with qrels, found {names}", hint="move all but one elsewhere")
    judged = read_qrels(found.qrels[0]).to_dict()
    topics = _as_judged(found.topics, judged)
    qrels = {topic: judged[topic] for topic in topics if topic in judged}
    if not qrels:
        raise FolderError(found.qrels[0], "expected judgments of the folder's topics, found none")
    description = f"{len(found.documents)} documents and {len(topics)} topics in TREC format"
    return Collection(name or root.resolve().name, found.documents, topics, qrels, description)


def _read_files(root: Path) -> _Found:
    """Read all documents and topics below ROOT, and note where qrels are."""
    found, left = _Found(), MAX_BYTES
    for path in _files(root):
        data = _read(path, left)
        left -= len(data)
        start = data[:_START]
        if _IS_DOCUMENTS.search(start):
            file = _text(path, data)
            _add(found.documents, file, _documents(file), "document")
        elif _IS_TOPICS.search(start):
            file = _text(path, data)
            _add(found.topics, file, _topics(file), "topic")
        elif "qrels" in path.name.lower() or _IS_QRELS.match(start):
            found.qrels.append(path)
    return found


def _files(root: Path) -> list[Path]:
    """Return the files below ROOT that are not hidden, sorted."""
    if not root.is_dir():
        raise FolderError(root, "expected a folder, found " + ("a file" if root.exists() else "none"))
    paths = sorted(root.rglob("*"))
    return [
        path for path in paths if path.is_file() and not any(part[0] == "." for part in path.relative_to(root).parts)
    ]


def _read(path: Path, limit: int) -> bytes:
    """Return the content of PATH, unpacked if it is gzip and at most LIMIT bytes."""
    try:
        with path.open("rb") as stream:
            magic = stream.read(2)
        with gzip.open(path) if magic == _GZIP else path.open("rb") as stream:
            data = _at_most(limit, stream)
    except (OSError, EOFError, zlib.error) as error:
        raise FolderError(path, f"cannot be read ({error})") from None
    if data is None:
        raise FolderError(path, f"the folder holds more than {MAX_BYTES:,} bytes", hint="take a part of it")
    if magic == _COMPRESS:
        raise FolderError(path, "packed with compress, which cannot be read", hint="unpack it with 'gzip -d'")
    return data


def _at_most(limit: int, stream: io.BufferedIOBase) -> bytes | None:
    """Return all of STREAM, or nothing if that is more than LIMIT bytes."""
    content = io.BytesIO()
    while piece := stream.read(_PIECE):
        if content.tell() + len(piece) > limit:
            return None
        content.write(piece)
    return content.getvalue()


def _text(path: Path, data: bytes) -> _Text:
    """Return DATA as text; every byte is a letter in Latin-1."""
    try:
        return _Text(path, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _Text(path, data.decode("latin-1"))


def _add(known: dict[str, str], file: _Text, items: Iterator[_Item], kind: str) -> None:
    """Put the ITEMS of a file to those KNOWN; an id that comes twice is an error."""
    for place, identifier, text in items:
        if identifier in known:
            raise file.fault(place, f"{kind} '{identifier}' is there a second time", "leave one of them out")
        known[identifier] = text


def _documents(file: _Text) -> Iterator[_Item]:
    """Yield the documents of a file; each must end before the next begins."""
    start: re.Match[str] | None = None
    for tag in _DOCUMENT.finditer(file.text):
        if bool(tag[1]) == (start is None):
            raise file.fault(tag.start(), f"expected {'<DOC>' if start is None else '</DOC>'}, found {tag[0]}")
        if start is None:
            start = tag
        else:
            yield _document(file, start.end(), file.text[start.end() : tag.start()])
            start = None
    if start is not None:
        raise file.fault(start.start(), "expected </DOC> after this <DOC>, found the end of the file")


def _document(file: _Text, place: int, body: str) -> _Item:
    """Return the document whose BODY begins at PLACE, without its tags."""
    number = _DOCNO.search(body)
    if number is None:
        raise file.fault(place, "expected <DOCNO>...</DOCNO> in the document, found none")
    words = html.unescape(_TAG.sub(" ", _NO_TEXT.sub(" ", body))).split()
    return place, _one_word(file, place + number.start(), "DOCNO", number[1]), " ".join(words)


def _topics(file: _Text) -> Iterator[_Item]:
    """Yield the topics of a file; end tags may be absent, as they are in the older files."""
    starts = [tag.end() for tag in _TOPIC.finditer(file.text)]
    for start, end in zip(starts, [*starts[1:], len(file.text)], strict=True):
        number = re.sub(r"(?i)^number\s*:", "", _field(file, start, end, "num"))
        title = re.sub(r"(?i)^topic\s*:", "", _field(file, start, end, "title"))
        if not title.strip():
            raise file.fault(start, "expected words in the <title> of the topic, found none")
        yield start, _one_word(file, start, "number", number), title.strip()


def _field(file: _Text, start: int, end: int, name: str) -> str:
    """Return what stands behind the tag NAME of a topic, up to the next tag, with single blanks."""
    tag = re.compile(rf"<{name}>", re.IGNORECASE).search(file.text, start, end)
    if tag is None:
        raise file.fault(start, f"expected <{name}> in the topic, found none")
    stop = _END_OF_FIELD.search(file.text, tag.end(), end)
    return " ".join(html.unescape(file.text[tag.end() : stop.start() if stop else end]).split())


def _one_word(file: _Text, place: int, what: str, found: str) -> str:
    """Return FOUND without blanks around it, as an id that qrels can name."""
    words = found.split()
    if len(words) != 1:
        raise file.fault(place, f"expected a {what} of one word, found '{found.strip()[:_SHOWN]}'")
    return words[0]


def _as_judged(topics: Mapping[str, str], judged: Mapping[str, object]) -> dict[str, str]:
    """Return TOPICS under the numbers that the judgments use: topic files may say 051 where qrels say 51."""
    shorter = {topic: topic.lstrip("0") for topic in topics if topic not in judged}
    names = {topic: name for topic, name in shorter.items() if name in judged and name not in topics}
    return {names.get(topic, topic): title for topic, title in topics.items()}
