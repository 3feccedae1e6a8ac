"""Does anything but an answer or a PrimadError come out of a file, whatever is in it?

Each case is also read by the plain reader in reference.py, which must come to the same rows, or refuse it too.
"""

from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from primad.errors import PrimadError
from primad.trec import Qrels, Run, read_qrels, read_run
from primad.trec.files import read_bytes
from tests.trec import reference
from tests.trec.archives import KINDS

pytestmark = pytest.mark.slow

CASES = 250
RUNS = (
    "trec_eval/results.test",
    "trec_eval/results.comment.test",
    "osirrc_core17/runs/anserini__2019-06-18__bm25.run.gz",
    "osirrc_core17/runs/jass__2019-06-18__JASS_c17_10_percent.txt.gz",
)
QRELS = ("trec_eval/qrels.test", "trec_eval/qrels.test.with-comments", "osirrc_core17/qrels.core17.txt")
PIECES = (
    b"\n",
    b"\r\n",
    b"\r",
    b" ",
    b"\t",
    b"\0",
    b"#",
    b"\n#",
    b"-",
    b"1e400",
    b"nan",
    b"\xe9",
    b"\xc2\x85",
    b'"',
    b"",
)


def mutated(data: bytes, random: Random) -> bytes:
    """Return DATA with one to three bytes turned, parts cut out, doubled or put in."""
    for _ in range(random.randint(1, 3)):
        start = random.randrange(len(data) + 1)
        end = min(len(data), start + random.choice((1, 2, 20, 100)))
        change = random.choice(("turn", "cut", "end", "double", "put", "noise"))
        if change == "turn" and start < len(data):
            data = data[:start] + bytes([data[start] ^ (1 << random.randrange(8))]) + data[start + 1 :]
        elif change == "cut":
            data = data[:start] + data[end:]
        elif change == "end":
            data = data[:end]
        elif change == "double":
            data = data[:end] + data[start:end] + data[end:]
        elif change == "put":
            data = data[:start] + random.choice(PIECES) + data[start:]
        else:
            data = data[:start] + random.randbytes(random.randint(1, 4)) + data[start:]
    return data


def check_run(data: bytes) -> None:
    """Read DATA as a run, and compare with the plain reader."""
    try:
        run = read_run(data)
    except PrimadError:
        assert expected_run(data) is None, data
    else:
        check_invariants(run)
        assert reference.contents(run) == expected_run(data), data


def check_qrels(data: bytes) -> None:
    """Read DATA as qrels, and compare with the plain reader."""
    try:
        qrels = read_qrels(data)
    except PrimadError:
        assert reference.read_qrels(data) is None, data
    else:
        check_invariants(qrels)
        assert reference.contents(qrels) == reference.read_qrels(data), data


def expected_run(data: bytes) -> list[reference.Row] | None:
    try:
        return reference.read_run(read_bytes(data))
    except PrimadError:
        return None


def check_invariants(read: Run | Qrels) -> None:
    offsets = read.offsets.tolist()
    assert offsets[0] == 0
    assert offsets[-1] == len(read) == len(read.documents) == len(read.values) > 0
    assert len(read.topics) == len(set(read.topics)) == len(offsets) - 1
    assert np.isfinite(read.values).all()
    documents = read.held_documents.to_list()
    for start, end in pairwise(offsets):
        assert len(set(documents[start:end])) == end - start > 0
        if isinstance(read, Run):
            ranked = list(zip(read.scores[start:end].tolist(), documents[start:end], strict=True))
            assert ranked == sorted(ranked, reverse=True)


def beginning_of(path: Path, size: int = 3000) -> bytes:
    return read_bytes(path)[:size].rsplit(b"\n", 1)[0] + b"\n"


@pytest.mark.parametrize("name", RUNS)
def test_a_mutated_run_is_read_right_or_refused(shared_data: Path, name: str) -> None:
    data = beginning_of(shared_data / name)
    random = Random(name)

    check_run(data)
    for _ in range(CASES):
        check_run(mutated(data, random))


@pytest.mark.parametrize("name", QRELS)
def test_mutated_qrels_are_read_right_or_refused(shared_data: Path, name: str) -> None:
    data = beginning_of(shared_data / name)
    random = Random(name)

    check_qrels(data)
    for _ in range(CASES):
        check_qrels(mutated(data, random))


@pytest.mark.parametrize("kind", KINDS)
def test_a_mutated_archive_is_read_right_or_refused(shared_data: Path, kind: str) -> None:
    data = KINDS[kind](beginning_of(shared_data / RUNS[0]))
    random = Random(kind)

    check_run(data)
    for _ in range(CASES):
        check_run(mutated(data, random))


def test_the_mutated_beginning_of_a_real_archive_is_read_right_or_refused(shared_data: Path) -> None:
    data = (shared_data / RUNS[2]).read_bytes()[:3000]
    random = Random(0)

    for _ in range(CASES):
        check_run(mutated(data, random))


def generated(random: Random) -> bytes:
    """Return a few lines that are nearly a run."""
    values = ("0.5", "1", ".5", "-1e3", "1E-3", "0", "-0", "nan", "1e999", "x")
    lines = []
    for number in range(random.randint(1, 6)):
        topic, document = random.choice("12é"), random.choice("ab") + str(random.choice((0, number, number)))
        value = random.choices(values, weights=[9] * 7 + [1] * 3)[0]
        fields = [topic, "Q0", document, str(number), value, "t"]
        lines.append(random.choice((" ", " ", "\t", "  ")).join(fields[: random.choices((6, 5, 4), (20, 1, 1))[0]]))
    return random.choice(("\n", "\n", "\r\n")).join(lines).encode()


def test_generated_files_are_read_right_or_refused() -> None:
    random = Random(1)

    for _ in range(CASES):
        check_run(generated(random))
        check_run(mutated(generated(random), random))


@settings(deadline=None, max_examples=100)
@given(st.binary())
@example(b"\x1f\x8b")
@example(b"BZh91AY&SY")
@example(b"\xfd7zXZ\x00")
@example(b"\x28\xb5\x2f\xfd")
@example(b"\xef\xbb\xbf")
@example(b"\r")
@example(b"#")
def test_any_bytes_are_read_right_or_refused(data: bytes) -> None:
    check_run(data)
    check_qrels(data)


FIELD = st.sampled_from(["1", "2", "Q0", "d1", "d2", "0.5", "1e3", "nan", "#", "é", "\u00a0", "\u0085", "\u2028", "t"])
BLANK = st.sampled_from([" ", " ", " ", "\t", "\n", "\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x1f"])


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(FIELD, BLANK), max_size=30))
def test_any_words_are_read_right_or_refused(words: list[tuple[str, str]]) -> None:
    data = "".join(field + blank for field, blank in words).encode()

    check_run(data)
    check_qrels(data)


@settings(deadline=None, max_examples=75)
@given(st.text())
def test_any_text_is_read_right_or_refused(text: str) -> None:
    check_run(b"1 Q0 d 1 0.5 " + text.encode())
    check_qrels(text.encode() + b" 0 d 1\n")
