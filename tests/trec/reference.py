"""What does a file say?  A reader too simple to be wrong, for tests to compare with.

read          the rows of a run or qrels as they must come out, or None where the file must be refused
contents      the rows of what primad read, in the same form
"""

import math
import re

from primad.trec import Qrels, Run

Row = tuple[bytes, bytes, float]

_SCORE = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_RELEVANCE = re.compile(rb"[+-]?[0-9]+")


def read_run(data: bytes) -> list[Row] | None:
    """Return the rows of a run, topics as first met, each ranked; None if it must be refused."""
    topics = _read(data, columns=6, place=4, value=_SCORE, kind=float)
    if topics is None or not all(math.isfinite(score) for rows in topics.values() for score in rows.values()):
        return None
    ranked = {
        topic: sorted(rows.items(), key=lambda row: (row[1], row[0]), reverse=True) for topic, rows in topics.items()
    }
    return [(topic, *row) for topic, rows in ranked.items() for row in rows]


def read_qrels(data: bytes) -> list[Row] | None:
    """Return the rows of qrels, topics as first met; None if they must be refused."""
    topics = _read(data, columns=4, place=3, value=_RELEVANCE, kind=int)
    if topics is None or not all(-(2**63) <= value < 2**63 for rows in topics.values() for value in rows.values()):
        return None
    return [(topic, *row) for topic, rows in topics.items() for row in rows.items()]


def contents(read: Run | Qrels) -> list[Row]:
    """Return the rows of READ, identifiers as bytes."""
    return [(_bytes(topic), _bytes(document), value) for topic, document, value in read.rows()]


def _read(
    data: bytes, *, columns: int, place: int, value: re.Pattern[bytes], kind: type[float]
) -> dict[bytes, dict[bytes, float]] | None:
    if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    if b"\n" not in data and b"\r" in data and all(len(line.split()) >= 4 for line in data.split(b"\r")[:2]):
        return None
    topics: dict[bytes, dict[bytes, float]] = {}
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        fields = line.split()
        if not fields or fields[0].startswith(b"#") or fields in ([b"ir_metadata.start"], [b"ir_metadata.end"]):
            continue
        is_whole = len(fields) >= columns if columns == 6 else len(fields) == columns
        if not is_whole or not value.fullmatch(fields[place]) or fields[2] in topics.get(fields[0], {}):
            return None
        topics.setdefault(fields[0], {})[fields[2]] = kind(fields[place])
    return topics or None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
