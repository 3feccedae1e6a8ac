"""Things to hand over: ordinary ones, and odd and hostile ones that every format must write.

a_run           an annotated run with every kind of field
an_experiment   a folder of runs by two people, with judgments and topics
odd_things      things that nobody would make on purpose, and some that somebody would, by name
"""

from __future__ import annotations

from functools import cache
from typing import Any

from primad.exchange.thing import File, Statement, Thing
from primad.metadata.reading import from_tree

STATED = Statement("BM25 and RM3 on Core17", "CC-BY-4.0", "2026-11-17", "Zenodo", "10.5281/zenodo.1234567")

TREE: dict[str, Any] = {
    "schema-version": "0.2",
    "run-version": "1.0",
    "tag": "bm25+rm3",
    "platform": {
        "hardware": {"cpu": {"model": "Xeon Gold 6144", "number of cores": 16}, "ram": "64 GB"},
        "operating system": {"kernel": "5.4.0-90-generic", "distribution": "Ubuntu 20.04.3 LTS"},
        "software": {"libraries": {"python": ["numpy==2.4.6"]}, "retrieval toolkit": ["anserini==0.3.0"]},
    },
    "research goal": {
        "description": "Does relevance feedback still help over a well-tuned baseline?",
        "venue": {"name": "SIGIR", "year": 2020},
        "publication": {"doi": "https://doi.org/10.1145/3397271.3401036"},
        "evaluation": {"reported measures": ["map", "P_10"], "baseline": ["bm25"]},
    },
    "implementation": {
        "executable": {"cmd": "java -jar anserini.jar -bm25 -rm3"},
        "source": {
            "lang": ["java"],
            "repository": "https://github.com/castorini/anserini",
            "commit": "9548cd6",
        },
    },
    "method": {
        "automatic": True,
        "indexing": {"stemmer": "Porter"},
        "retrieval": [{"name": "bm25", "k1": 0.9, "b": 0.4}, {"name": "rm3", "reranks": "bm25", "weight": 0.5}],
    },
    "actor": {
        "name": "Jan van der Berg",
        "orcid": "0000-0002-0661-7189",
        "team": "h2oloo",
        "role": "experimenter",
        "mail": "jan@example.org",
    },
    "data": {
        "test collection": {
            "name": "The New York Times Annotated Corpus",
            "source": "https://catalog.ldc.upenn.edu/LDC2008T19",
            "qrels": "https://trec.nist.gov/data/core/qrels.txt",
            "topics": "https://trec.nist.gov/data/core/core_nist.txt",
            "ir_datasets": "nyt/trec-core-2017",
        },
        "training data": [{"name": "TREC disks 4 and 5"}],
        "inputs": [{"path": "topics.txt", "sha256": "0" * 64, "bytes": 12}],
    },
    "resources": {
        "exit status": 0,
        "runtime": {"start time": "2026-11-16T23:59:00+00:00", "stop time": "2026-11-17T00:10:00+00:00"},
    },
}
RUN = b"307 Q0 d1 1 2.5 bm25+rm3\n307 Q0 d2 2 1.5 bm25+rm3\n310 Q0 d1 1 3.5 bm25+rm3\n"
QRELS = b"307 0 d1 1\n307 0 d2 0\n310 0 d1 0\n310 0 d3 2\n"
TOPICS = (
    b"<top>\n<num> Number: 307\n<title> new hydroelectric projects\n</top>\n"
    b"<top>\n<num> Number: 310\n<title> radio waves and brain cancer\n</top>\n"
)


def a_run(stated: Statement = STATED, **changed: Any) -> Thing:
    """Return a run whose record is TREE with the parts CHANGED."""
    names = {"research_goal": "research goal", "run_version": "run-version"}
    tree = TREE | {names.get(key, key): value for key, value in changed.items()}
    record = from_tree({key: value for key, value in tree.items() if value is not None})
    file = File.of_bytes(RUN, "bm25+rm3.run", "run", record=record)
    goal = str(record.get("research goal.description", ""))
    return Thing("run", "bm25_rm3", record.tag, goal, (file,)).stating(stated)


def an_experiment(stated: Statement = STATED) -> Thing:
    """Return two runs by two people, judgments and topics."""
    first = a_run().files[0].record
    second = a_run(tag="bm25", actor={"name": "Ada Lovelace", "team": "h2oloo"}).files[0].record
    files = (
        File.of_bytes(RUN, "runs/bm25+rm3.run", "run", record=first),
        File.of_bytes(RUN.replace(b"bm25+rm3", b"bm25"), "runs/bm25.run", "run", record=second),
        File.of_bytes(QRELS, "core17.qrels", "qrels"),
        File.of_bytes(TOPICS, "topics.core17.txt", "topics"),
    )
    return Thing("experiment", "core17", "core17", "Two runs on Core17.", files).stating(stated)


@cache
def odd_things() -> dict[str, Thing]:
    """Return things with odd and hostile records, by what is odd about them."""
    nobody = Statement()
    people = [a_run(tag=f"run{n}", actor={"name": f"Person{n} Number{n}"}).files[0] for n in range(100)]
    return {
        "whole": a_run(),
        "experiment": an_experiment(),
        "nothing stated": Thing("run", "thing", "thing"),
        "no actor": a_run(nobody, actor=None),
        "100 people": Thing("experiment", "many", "many", files=tuple(people)),
        "newlines": a_run(actor={"name": "Ada\nLovelace\r\n  King", "team": "a\u2028b"}, tag="two\nlines"),
        "markup": _titled("<b>R&D</b> \\alpha {braces} 50% $x_1$ #1 ~a^b \"quoted\" 'single' `code` | pipe * [a](b)"),
        "right to left": _titled("אחזור מידע و استرجاع المعلومات", actor={"name": "محمد علي"}),
        "control characters": _titled("a\x00b\x1b[31mred\x7f\ufffe\x85c", actor={"name": "A\x07da\x00 L"}),
        "only controls": _titled("\x00\x01", actor={"name": "\x07\x00"}),
        "1 MB description": Thing("run", "long", "long", "word & more\n" * 90_000, a_run().files),
        "one long word": Thing("run", "long", "long", "x" * 6_000, a_run().files),
        "O'Brien": a_run(actor={"name": "Conan O'Brien"}),
        "Null": a_run(actor={"name": "Christopher Null"}, tag="null"),
        "by number": a_run(actor={"name": "user 1"}),
        "No": a_run(actor={"name": "No"}, tag="no"),
        "numbers": _titled("2026-11-17", tag="1e5", run_version="2026-11-17", actor={"name": "12", "team": "007"}),
        "Chinese": _titled("信息检索实验", actor={"name": "王小明", "team": "清华大学"}),
        "accents": _titled("Évaluation à l'œil", actor={"name": "Zoë Søren-Ångström", "team": "Łódź"}),
        "team only": a_run(actor={"team": "R&D and friends, Inc."}),
        "yaml": _titled("- a: b # c\n&anchor *alias !tag %TAG | > ? @ `", actor={"name": "? - : x"}),
        "unbalanced": _titled("}} {a} \\", actor={"name": "Max {Mustermann"}),
        "odd addresses": a_run(
            Statement(licence="see the file", doi="none", publisher="{Pub} & Co, and Sons"),
            implementation={"source": {"repository": "https://example.org/検索 x|y", "commit": "1e5"}},
        ),
        "emoji": _titled("🔎 retrieval 👩‍🔬", actor={"name": "👩‍🔬 Science"}),
        "surrogate": _titled("lone \udc80 surrogate"),
        "wrong ORCID": a_run(actor={"name": "Ada Lovelace", "orcid": "0000-0002-0661-7188"}),
        "authors known": a_run(
            research_goal={
                "publication": {
                    "doi": "10.1145/3397271.3401036",
                    "title": "How to Measure the Reproducibility of System-oriented IR Experiments",
                    "authors": ["Timo Breuer", "Nicola Ferro", "Norbert Fuhr"],
                },
                "venue": {"name": "SIGIR", "year": 2020},
            }
        ),
    }


def _titled(title: str, **changed: Any) -> Thing:
    """Return a run that its publisher calls TITLE."""
    return a_run(Statement(title, "MIT", "2026-11-17", "Zenodo"), **changed)
