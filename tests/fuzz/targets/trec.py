"""Run and qrels files: what is in them, packed or not, with or without a header."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path
from random import Random
from typing import Any

from primad.errors import PrimadError
from primad.trec import read_qrels, read_run
from primad.trec.inspection import inspect_ranking
from primad.trec.mending import mend_ranking
from primad.trec.ranking import ranking_digest, retrieved_digest, shape_if_clean
from tests.fuzz.mutating import mutated
from tests.fuzz.target import target

HEADER = b"""\
# ir_metadata.start
# schema-version: '0.2'
# tag: bm25
# actor:
#   team: alpha
# ir_metadata.end
"""
RUN = b"".join(
    b"%d Q0 d%d %d %.4f bm25\n" % (topic, document, document, 9.5 - document / 3)
    for topic in range(301, 305)
    for document in range(1, 6)
)
QRELS = b"".join(
    b"%d 0 d%d %d\n" % (topic, document, (topic + document) % 3 - 1)
    for topic in range(301, 305)
    for document in range(7)
)
RUNS = (
    RUN,
    HEADER + RUN,
    RUN.replace(b" ", b"\t"),
    RUN.replace(b"\n", b"\r\n"),
    b"\xef\xbb\xbf" + RUN,
    gzip.compress(RUN, mtime=0),
    bz2.compress(HEADER + RUN),
    lzma.compress(RUN),
    b"301 Q0 d1 1 0.5\n",
    "301 Q0 dé 1 0.5 ü\n302 Q0 d1 1 1e3 ü\n".encode(),
)
ALL_QRELS = (QRELS, QRELS.replace(b" ", b"\t"), b"# a comment\n" + QRELS, gzip.compress(QRELS, mtime=0), b"1 0 d 1\n")
_VALUES = (
    b"0.5",
    b"1",
    b".5",
    b"-1e3",
    b"1E-3",
    b"0",
    b"-0",
    b"nan",
    b"1e999",
    b"1e400",
    b"x",
    b"",
    b"00001",
    b"1e-310",
)


def make_run(chance: Random) -> bytes:
    """Return a run that is damaged, or lines that are nearly one."""
    if chance.random() < 0.2:
        return _lines(chance, b"Q0", (b"bm25", b"", b"a b"))
    return mutated(chance.choice(RUNS), chance, RUNS)


def make_qrels(chance: Random) -> bytes:
    """Return qrels that are damaged, or lines that are nearly some."""
    if chance.random() < 0.2:
        return _lines(chance, b"0", (b"1", b"-2", b"x", b"9999999999"))
    return mutated(chance.choice(ALL_QRELS), chance, ALL_QRELS)


def _lines(chance: Random, second: bytes, lasts: tuple[bytes, ...]) -> bytes:
    """Return lines of six columns whose values are odd."""
    lines = []
    for number in range(chance.randint(1, 8)):
        words = [chance.choice((b"1", b"2", b"\xc3\xa9")), second, b"d%d" % chance.choice((0, number)), b"%d" % number]
        words += [chance.choice(_VALUES), chance.choice(lasts)]
        lines.append(chance.choice((b" ", b"\t", b"  ")).join(words[: chance.choice((6, 6, 6, 5, 4))]))
    return chance.choice((b"\n", b"\n", b"\r\n", b"\r")).join(lines)


@target("run", make_run, weight=30)
def take_run(data: bytes, _place: Path) -> Any:
    """Read a run."""
    run = read_run(data)
    return run.scores, run.offsets


@target("run-inspected", make_run, weight=15)
def take_inspected(data: bytes, _place: Path) -> Any:
    """Say what is wrong with a run, mend it, and name what it retrieves."""
    found = inspect_ranking(data, "x.run")
    shape_if_clean(data)
    ranking_digest(data)
    _retrieved(data)
    mended = mend_ranking(data, "x.run")
    return found, mended


def _retrieved(data: bytes) -> None:
    """Ask for the digest of what is retrieved; what is no run has none."""
    try:
        retrieved_digest(data)
    except PrimadError:
        return


@target("qrels", make_qrels, weight=30)
def take_qrels(data: bytes, _place: Path) -> Any:
    """Read qrels."""
    return read_qrels(data).values
