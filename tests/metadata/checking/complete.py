"""A record in which nothing is missing and nothing is wrong, for tests that break one thing at a time."""

from primad.metadata.annotation import annotate
from primad.metadata.header import with_block

RANKING = b"1 Q0 a 1 2.0 bm25\n1 Q0 b 2 1.0 bm25\n2 Q0 a 1 2.0 bm25\n"

RECORD = """\
schema-version: '0.2'
run-version: '1.0'
tag: bm25
platform:
  hardware:
    cpu: {model: Xeon, architecture: x86_64, operation mode: 64-bit, number of cores: 16}
    ram: 64 GB
  operating system: {kernel: 5.4.0-90-generic, distribution: Ubuntu 20.04.3 LTS}
  software:
    libraries: {python: [numpy==1.15.4]}
    retrieval toolkit: [anserini==0.3.0]
    runtime: [python==3.11.7]
research goal:
  venue: {name: ECIR, year: 2019}
  publication: {doi: 'https://doi.org/10.1007/978-3-030-15712-8_26'}
  evaluation:
    reported measures: [map]
    baseline: [WCrobust04]
    significance test: [{name: t-test, correction method: none}]
implementation:
  executable: {cmd: python search.py}
  source: {lang: [python], repository: 'https://example.org/team/code', commit: 9548cd6}
method:
  automatic: true
  score ties: reverse alphabetical order
  indexing: {tokenizer: standard, stemmer: Porter, stopwords: Lucene}
  retrieval:
    - {name: bm25, k1: 0.9}
    - {name: reranker, reranks: bm25}
actor: {name: Jimmy Lin, orcid: 0000-0002-0661-7189, team: h2oloo, role: experimenter}
data:
  test collection:
    name: Core17
    source: https://catalog.ldc.upenn.edu/LDC2008T19
    qrels: https://trec.nist.gov/data/core/qrels.txt
    topics: https://trec.nist.gov/data/core/core_nist.txt
    ir_datasets: nyt/trec-core-2017
ranking: {sha256: '%s'}
""" % ("0" * 64)


def line_of(text: str) -> int:
    """Return the line of RECORD that holds TEXT."""
    (number,) = [number for number, line in enumerate(RECORD.splitlines(), 1) if text in line]
    return number


def run_with(record: str = RECORD, ranking: bytes = RANKING) -> bytes:
    """Return a run whose header says RECORD, with the digest that it should have."""
    return annotate(with_block(record, ranking), accept_ranking=True).data
