"""Annotated runs as files on the disk, with a command, its inputs and its outputs, and a folder of them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from primad.metadata.annotation import annotate
from primad.metadata.header import with_block

TOPICS = b"301 first\n302 second\n303 third\n"
QRELS = b"301 0 d1 1\n302 0 d2 0\n303 0 d1 2\n"

RECORD = f"""\
schema-version: '0.2'
run-version: '1.0'
tag: bm25+ce
platform:
  hardware: {{cpu: {{model: Xeon, number of cores: 16}}, ram: 64 GB}}
  operating system: {{kernel: 6.1.0, distribution: Debian GNU/Linux 12}}
  software:
    libraries: {{python: [numpy==2.4.0, torch==2.9.1]}}
    retrieval toolkit: [pyserini==1.2.0]
    runtime: [python==3.11.7]
research goal:
  description: Does a cross-encoder help?
  venue: {{name: ECIR, year: 2019}}
  publication: {{doi: 'https://doi.org/10.1007/978-3-030-15712-8_26'}}
  evaluation: {{reported measures: [map], baseline: [bm25]}}
implementation:
  executable: {{cmd: python search.py --topics topics.txt --seed 7 --out bm25ce.run, program: search.py}}
  source: {{lang: [python], repository: 'https://example.org/team/code.git', commit: 9548cd6a}}
method:
  automatic: true
  retrieval:
    - {{name: bm25, k1: 0.9, b: 0.4}}
    - {{name: ce, reranks: bm25, depth: 100}}
actor: {{name: Žofie Müller, orcid: 0000-0002-0661-7189, team: h2oloo, role: experimenter, mail: zofie@example.org}}
data:
  test collection:
    name: Core17
    source: https://catalog.example.org/LDC2008T19
    qrels: https://example.org/qrels.txt
    ir_datasets: nyt/trec-core-2017
  training data: [{{name: MS MARCO, ir_datasets: msmarco-passage/train}}]
  inputs:
    - {{path: topics.txt, sha256: {hashlib.sha256(TOPICS).hexdigest()}, bytes: {len(TOPICS)}}}
  outputs:
    - {{path: bm25ce.run, bytes: 171}}
resources:
  runtime: {{start time: '2026-11-16T10:00:00+00:00', stop time: '2026-11-16T10:00:07+00:00', wallclock: 7000 ms}}
  exit status: 0
  ram: {{peak: 512 MB}}
"""


def ranking(tag: str = "bm25+ce", topics: int = 3, documents: int = 2) -> bytes:
    """Return the lines of a run."""
    each = ((topic, place) for topic in range(301, 301 + topics) for place in range(1, documents + 1))
    return b"".join(f"{topic} Q0 d{place} {place} {10 - place}.5 {tag}\n".encode() for topic, place in each)


def annotated(record: str = RECORD, lines: bytes | None = None) -> bytes:
    """Return a run whose header says RECORD, with the digest of its LINES."""
    return annotate(with_block(record, ranking() if lines is None else lines), accept_ranking=True).data


def run_in(folder: Path, name: str = "bm25ce.run", record: str = RECORD, lines: bytes | None = None) -> Path:
    """Return an annotated run in FOLDER."""
    path = folder / name
    path.write_bytes(annotated(record, lines))
    return path


def experiment_in(folder: Path) -> Path:
    """Return a folder with a baseline, an advanced run, a run without metadata, judgments and topics."""
    place = folder / "core17"
    place.mkdir()
    run_in(place)
    baseline = RECORD.replace("tag: bm25+ce", "tag: bm25").replace("    - {name: ce, reranks: bm25, depth: 100}\n", "")
    run_in(place, "bm25.run", baseline, ranking("bm25"))
    (place / "silent.run").write_bytes(ranking("silent"))
    (place / "core17.qrels").write_bytes(QRELS)
    (place / "topics.txt").write_bytes(TOPICS)
    return place
