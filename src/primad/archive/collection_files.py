"""Which files say what a collection is judged by, and what is asked in it?

    Judgments      a qrels file whose content is stored
    judgments_at   the judgments in a file, checked and stored
    topics_at      the topics in a file, stored

A file is read once: what comes by standard input is not there a second time, and what is checked is what is stored.
"""

from __future__ import annotations

import hashlib
import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.archive.search.facts import LONGEST, storable
from primad.errors import FileError, FormatError
from primad.trec.files import name_of, read_bytes
from primad.trec.ranking import looks_like_ranking, ranking_lines

if TYPE_CHECKING:
    from primad.store.folder import DataFolder


@dataclass(frozen=True)
class Judgments:
    """A qrels file whose content is stored: the DIGEST of the file, and that of what it says, its CONTENT."""

    digest: str
    content: str
    name: str
    topics: int
    judgments: int


def judgments_at(folder: DataFolder, path: str | os.PathLike[str]) -> Judgments:
    """Return the judgments at PATH, their content stored in FOLDER."""
    from primad.trec import read_qrels

    name, data = name_of(path), read_bytes(path)
    try:
        qrels = read_qrels(data)
    except FormatError as error:
        raise FormatError(name, error.problems, error.total, error.hint) from None
    except FileError as error:
        raise FileError(name, error.found, error.hint) from None
    rows = "\n".join(sorted(f"{topic} {document} {level}" for topic, document, level in qrels.rows()))
    content = hashlib.sha256(rows.encode("utf-8", "surrogatepass")).hexdigest()
    return Judgments(folder.blobs.put(data), content, file_name(name), len(qrels.topics), len(qrels))


def topics_at(folder: DataFolder, path: str | os.PathLike[str]) -> str:
    """Return the digest of the topics at PATH, their content stored in FOLDER; a run is refused."""
    data = read_bytes(path)
    if looks_like_ranking(ranking_lines(io.BytesIO(data))):
        raise FileError(name_of(path), "expected topics, found a run", "are topics and run swapped?")
    return folder.blobs.put(data)


def file_name(path: str) -> str:
    """Return the last part of PATH as a column can hold it."""
    return str(storable(path.rstrip("/").rpartition("/")[2]))[:LONGEST]
