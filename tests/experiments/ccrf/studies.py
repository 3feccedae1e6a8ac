"""A study small enough to be carried out in a few seconds, and runs made as the study makes them."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

from primad import evaluate
from primad.experiments.ccrf.collection import Collection
from primad.experiments.ccrf.dataset import Dataset, Spread
from primad.experiments.ccrf.fusion import Retrieved
from primad.experiments.ccrf.generator import Shape, generate
from primad.experiments.ccrf.plan import Made, Team, Work, plan

NAMES = ("one", "two", "three")  # the first two are learned from, the third is searched
SHAPE = Shape(documents=120, topics=6, pool=25, concepts=1000)
WEIGHTS = (0.1, 0.5, 0.9)
DEPTH = 40
RUNS = 35  # of the whole plan
COMMAND = ("primad", "demo", "--seed", "1")


def small_collections(names: tuple[str, ...] = NAMES) -> list[Collection]:
    """Return synthetic collections with six topics."""
    return list(generate(1, names, shape=SHAPE).values())


def small_study(folder: Path, spread: Spread = map) -> Dataset:
    """Carry out the whole plan in FOLDER.

    The notes of a recording that goes on lie in the working folder: in that of the tests, a checkout, they would count
    as files that nobody has checked in.
    """
    collections = small_collections()
    folder.mkdir(parents=True, exist_ok=True)
    with chdir(folder):
        dataset = Dataset(folder, collections, COMMAND)
        for _ in dataset.add_all(plan(collections, seed=1, weights=WEIGHTS, depth=DEPTH), spread):
            pass
        dataset.close()
    return dataset


def done(
    dataset: Dataset, team: Team, tag: str, found: Retrieved, target: Collection, *sources: Collection, names: str = ""
) -> Path:
    """Let TEAM keep what was FOUND in TARGET, having learned from SOURCES, and return its run."""
    (kept,) = dataset.add(Work("a test", sources, target, lambda: [Made(team, tag, found, names)]))
    return kept.path


def ranking_of(path: Path) -> bytes:
    """Return the lines of a run without its header."""
    return b"".join(line for line in path.read_bytes().splitlines(keepends=True) if not line.startswith(b"#"))


def ap_of(dataset: Dataset, target: str) -> dict[str, list[float]]:
    """Return the AP of each topic, by the tags of the runs on TARGET."""
    runs = [one.path for one in dataset.kept if one.target == target]
    return {run.tag: run.scores["map"].tolist() for run in evaluate(dataset.qrels(target), runs, ["map"])}


def tiny(name: str, text: str = "red rose") -> Collection:
    """Return a collection with one topic and a judged document d1 with this TEXT; what the others say is no matter."""
    others = dict.fromkeys(("d2", "d3"), "blue sky tree")
    return Collection(name, {"d1": text, **others}, {"1": "rose"}, {"1": {"d1": 1}})


def ranked(*documents: str) -> Retrieved:
    """Return a ranking of DOCUMENTS for the only topic of a tiny collection."""
    scores = {document: float(len(documents) - place) for place, document in enumerate(documents)}
    return Retrieved({"1": scores}, [{"name": "by hand", "method": "by hand"}])
