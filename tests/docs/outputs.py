"""Which commands print JSON, and how is each asked for it?  test_json.py holds what they print against their schemas.

CASES    commands on a copy of the demonstration, in `demo`, and on SMALL files, by the schema of what they print
SMALL    files that they need, by name
"""

RUNS = "demo/dataset/runs/wire05"
QRELS = "demo/dataset/qrels/wire05.qrels"
ORIGINAL = f"{RUNS}/original/original-news93.wire05.run"

SMALL = {
    "search.py": 'open("bm25.run", "w").write("1 Q0 d2 1 2.5 bm25\\n1 Q0 d1 2 1.5 bm25\\n")\n',
    "small.qrels": "1 0 d1 1\n1 0 d2 0\n2 0 d3 1\n",
    "tied.run": "1 Q0 d1 1 2.5 tied\n1 Q0 d2 2 2.5 tied\n",
    "gold.tsv": "doc1\tA00\ndoc1\tB10\ndoc2\tC20\n",
    "mine.tsv": "doc1\tA00\ndoc1\tB10\ndoc2\tD30\n",
    "again.tsv": "doc1\tA00\ndoc1\tE40\ndoc2\tD30\n",
    "ada.yml": "actor: {team: alpha}\n",
    "ben.yml": "actor: {team: beta}\n",
    "untested.qra.yaml": """\
measurements:
- {object: A, measurand: BLEU, value: 84.5, role: original}
- {object: B, measurand: BLEU, value: 80.1, role: original}
claims:
- {above: A, below: B, measurand: BLEU}
""",
    "study.qra.yaml": """\
qra: 1
study: simplification
measurands:
  BLEU: {scale: [0, 100], direction: higher, evaluation: metric}
conditions: {code_by: Ours (2024), test_set: Ours (2024)}
measurements:
- {object: A, measurand: BLEU, value: 84.5, source: Ours, role: original, conditions: {trained_by: Ours}}
- {object: A, measurand: BLEU, value: 84.5, source: Theirs, role: reproduction, conditions: {trained_by: Ours}}
- {object: A, measurand: BLEU, value: 87.4, source: Theirs, role: reproduction, conditions: {trained_by: Theirs}}
- {object: B, measurand: BLEU, value: 80.1, source: Ours, role: original, conditions: {trained_by: Ours}}
- {object: B, measurand: BLEU, value: 81.0, source: Theirs, role: reproduction, conditions: {trained_by: Theirs}}
claims:
- {above: A, below: B, measurand: BLEU}
""",
}

CASES = [
    ("primad.evaluate/1", "primad evaluate small.qrels tied.run -m map -m num_ret --per-topic --ties"),
    ("primad.check", f"primad check {ORIGINAL} tied.run"),
    ("primad.compare/1", f"primad compare {ORIGINAL} {RUNS}/reimplementing tied.run --terms"),
    ("primad.compare/1", f"primad compare {RUNS}/original {RUNS}/reimplementing --pairwise"),
    ("primad.compare/1", "primad compare ada.yml ben.yml"),
    ("primad.counted/1", "primad compare --explain"),
    (
        "primad.assess/1",
        f"primad assess --original original-news93.wire05 --in {RUNS} --qrels {QRELS} -m map --per-topic",
    ),
    ("primad.as_reported/1", f"primad assess --as-reported {ORIGINAL} --qrels {QRELS}"),
    ("primad.qra/1", "primad qra --example belz2022 --causes"),
    ("primad.qra/1", "primad qra study.qra.yaml --causes"),
    ("primad.qra/1", "primad qra untested.qra.yaml"),
    ("primad.score/1", "primad score coding gold.tsv mine.tsv again.tsv"),
    ("primad.repetition/1", "primad exec --repeat 2 --qrels small.qrels -m map -- python search.py"),
    ("primad.pack/1", "primad pack bm25.run.1 --output bm25.tar.gz"),
    ("primad.rerun.plan/1", "primad rerun bm25.run.1 --dry-run"),
    ("primad.rerun/1", "primad rerun bm25.run.1"),
    ("primad.export/1", f"primad export {ORIGINAL} --to ro-crate --output crate"),
    ("primad.export/1", f"primad export {ORIGINAL} --to bibtex"),
    ("primad.import/1", "primad import crate --output imported"),
    ("primad.doctor/1", "primad doctor"),
    ("primad.archive.search/1", "primad archive search --facets team --archive demo/archive"),
    (
        "primad.archive.baselines/1",
        "primad archive search --baseline-for reimplemented-news93.wire05 --archive demo/archive",
    ),
    (
        "primad.archive.reproductions/1",
        "primad archive search --reproductions-of original-news93.wire05 --archive demo/archive",
    ),
    ("primad.archive.collections/1", "primad archive collection --archive demo/archive"),
    ("primad.archive.overview/1", "primad archive overview --archive demo/archive"),
    ("primad.archive.progress/1", "primad archive progress wire05 --archive demo/archive"),
    ("primad.archive.verify/1", "primad archive verify --archive demo/archive"),
    ("primad.archive.evaluate/1", "primad archive evaluate tag:bm25.wire05 -m P_10 --archive demo/archive"),
    ("primad.archive.add/1", f"primad archive add {ORIGINAL} tied.run --archive demo/archive"),
    ("primad.archive.show/1", "primad archive show bm25.wire05 --archive demo/archive"),
    ("primad.assess/1", "primad archive assess original-news93.wire05 -m map --archive demo/archive"),
    ("primad.qra/1", "primad archive qra --archive demo/archive"),
    ("primad.track/1", "primad track show --archive demo/archive"),
    ("primad.track/1", "primad track show coding --archive demo/archive"),
    ("primad.track/1", "primad track show lexicon/dictionary --archive demo/archive"),
    ("primad.track/1", "primad track show 1 --archive demo/archive"),
    ("primad.track/1", "primad track show lexicon --archive demo/archive"),
    ("primad.track/1", "primad track show uma --archive demo/archive"),
    ("primad.track/1", "primad track sheet uma lexicon/dictionary --print --archive demo/archive"),
    ("primad.track/1", "primad track verdict 1 --archive demo/archive"),
    ("primad.track/1", "primad track level 1 --archive demo/archive"),
    ("primad.track-report/1", "primad track report --archive demo/archive"),
]
