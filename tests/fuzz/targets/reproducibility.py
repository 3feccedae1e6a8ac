"""Tables of scores, where there are no runs, and reproductions that are assessed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from primad.reports.assessment.text import render
from primad.reproducibility import Assessment, assess
from primad.reproducibility.assessment.score_files import experiments_in, read_scores
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.assessment.tables import assess_tables
from tests.fuzz.mutating import mutated
from tests.fuzz.target import packed, strict_json, target, unpacked, write_files
from tests.fuzz.targets.trec import QRELS, RUN, make_qrels, make_run

WIDE = b"topic,original,first,second\n301,0.25,0.2,0.3\n302,0.5,0.5,0.125\n303,0,0.1,0.2\nall,0.25,0.26,0.2\n"
LONG = b"run,topic,measure,score\n" + b"".join(
    b"%s,%d,%s,0.%d\n" % (run, topic, measure, topic % 7)
    for run in (b"a", b"b")
    for topic in (301, 302)
    for measure in (b"map", b"P_10")
)
TABLES = (WIDE, WIDE.replace(b",", b"\t"), WIDE.replace(b",", b";").replace(b".", b","), LONG)


def make_table(chance: Random) -> bytes:
    """Return a damaged table of scores."""
    return mutated(chance.choice(TABLES), chance, TABLES)


@target("scores", make_table, weight=120)
def take_table(data: bytes, _place: Path) -> Any:
    """Read a table of scores, and find the experiments in it."""
    file = read_scores(data, "map" if len(data) % 2 else "")
    first, others = experiments_in([file])
    return file.runs, first, others


def make_reproduction(chance: Random) -> bytes:
    """Return runs and qrels of which one is damaged."""
    files = {"a.run": RUN, "b.run": RUN, "x.qrels": QRELS}
    name = chance.choice(list(files))
    return packed(files | {name: make_qrels(chance) if name == "x.qrels" else make_run(chance)})


@target("assess", make_reproduction, weight=1)
def take_reproduction(data: bytes, place: Path) -> Any:
    """Say how well a run was reproduced, and write it down."""
    folder = write_files(unpacked(data), place / "files")
    runs = folder / "a.run", folder / "b.run"
    return _said(assess(*runs, folder / "x.qrels", measures=["map", "P_5"]))


@target("assess-scores", make_table, weight=1)
def take_scores(data: bytes, place: Path) -> Any:
    """Say how well runs were reproduced of which only scores are known."""
    path = place / "scores.csv"
    path.write_bytes(data)
    return _said(assess_tables([str(path)], (), (), {}, Settings.of({"measures": ["score"]})))


def _said(found: Assessment) -> Any:
    """Return FOUND as JSON has it, which has no NaN."""
    render(found, "table").encode()
    return strict_json(render(found, "json"))
