"""Runs in files as people keep them: silent ones, described ones, and sweeps; and the qrels that judge them.

BASE, ADV, MINE, MINE_ADV   rankings of an original and of its reproduction
save, swept                 a run in a file, with a header if it is to say anything; one of a sweep of k1
save_all                    silent runs on two collections, and their qrels
save_records, save_sweep    a folder of an original and its reproduction by their records; one of a sweep
values                      one value of each reproduction of an assessment
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from primad import Assessment, annotate

# The first letters of a ranking are its documents; a and b are relevant.
BASE = ("acbd", "cabd", "cdab", "acdb", "dacb")
ADV = ("abcd", "acbd", "cabd", "abdc", "adcb")
MINE = ("acbd", "cadb", "cdab", "adcb", "dacb")
MINE_ADV = ("abcd", "abcd", "cadb", "abdc", "dacb")
CORE17 = {"data.test collection.name": "Core17"}
EXPERIMENTER = {"actor.role": "experimenter", "actor.team": "us"} | CORE17
REPRODUCER = {"actor.role": "reproducer", "actor.team": "them"} | CORE17
BASELINE = "research goal.evaluation.baseline"


def ranking(lists: Iterable[str], tag: str, prefix: str = "") -> bytes:
    """Return a run with one of LISTS for each topic, from topic 1 on."""
    rows = [
        f"{topic} Q0 {prefix}{document} {rank} {10 - rank} {tag}\n"
        for topic, documents in enumerate(lists, 1)
        for rank, document in enumerate(documents, 1)
    ]
    return "".join(rows).encode()


def judgments(prefix: str = "") -> str:
    """Return qrels in which a and b are relevant, c and d are not."""
    return "".join(f"{topic} 0 {prefix}{d} {int(d in 'ab')}\n" for topic in range(1, 6) for d in "abcd")


def save(path: str, lists: Iterable[str], values: dict[str, Any] | None = None, prefix: str = "") -> None:
    """Write a run, with a header that states VALUES if there are any; it is tagged like the file."""
    tag = Path(path).stem
    data = ranking(lists, tag, prefix)
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_bytes(annotate(data, values={"tag": tag} | values).data if values else data)


def swept(path: str, lists: Iterable[str], k1: object, collection: str = "Core17", prefix: str = "") -> None:
    """Write a run of a sweep of K1 on COLLECTION."""
    facts = {
        "data.test collection.name": collection,
        "method.retrieval": [{"name": "bm25", "method": "BM25", "k1": k1}],
    }
    save(path, lists, facts, prefix)


def save_all() -> None:
    """Write runs that say nothing about themselves, and qrels."""
    Path("qrels").write_text(judgments())
    Path("other.qrels").write_text(judgments("x"))
    for path, lists in {"base.run": BASE, "adv.run": ADV, "mine.run": MINE, "mine_adv.run": MINE_ADV}.items():
        save(path, lists)
    save("there.run", MINE, prefix="x")
    save("there_adv.run", MINE_ADV, prefix="x")


def save_records(folder: str = "runs") -> str:
    """Write an original pair and a reproduced one that say what they are, and return their folder."""
    save(f"{folder}/b1.run", BASE, EXPERIMENTER)
    save(f"{folder}/a1.run", ADV, EXPERIMENTER | {BASELINE: ["b1"]})
    save(f"{folder}/b2.run", MINE, REPRODUCER | {BASELINE: ["b1"]})
    save(f"{folder}/a2.run", MINE_ADV, REPRODUCER | {BASELINE: ["a1"]})
    return folder


def save_sweep(folder: str = "sweep") -> str:
    """Write runs that differ in k1 only, and return their folder."""
    swept(f"{folder}/low.run", BASE, 0.5)
    swept(f"{folder}/mid.run", MINE, 1.0)
    swept(f"{folder}/high.run", ADV, 10)
    return folder


def values(found: Assessment, measure: str, of: str = "map") -> dict[str, float | None]:
    """Return a value of each reproduction's baseline, or of both runs."""
    return {
        one.name: v.value
        for one in found
        for v in one.values
        if v.measure == measure and v.of == of and v.run != "advanced"
    }
