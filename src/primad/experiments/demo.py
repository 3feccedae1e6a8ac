"""The demonstration's data: a small synthetic collection and four systems of different quality.

Each run says about itself where it comes from, as every run should.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from primad import Record, annotate, read_qrels, read_run, write_qrels, write_run
from primad.experiments.synthetic import Collection, Shape

# How much noise stands between each system and the relevance of documents.
SYSTEMS = {"careful": 0.6, "plain": 0.9, "hasty": 1.4, "guessing": 4.0}
QRELS = "synthetic.qrels"
MEASURES = ("map", "ndcg_cut_10", "P_10", "recip_rank", "recall_100")


@dataclass(frozen=True)
class Files:
    """The files of the demonstration."""

    qrels: Path
    runs: tuple[Path, ...]


def write_files(folder: Path, seed: int, shape: Shape = Shape()) -> Files:
    """Write qrels and runs into FOLDER, the same ones for the same SEED."""
    folder.mkdir(parents=True, exist_ok=True)
    collection = Collection(shape, seed)
    files = Files(folder / QRELS, tuple(folder / f"{system}.run" for system in SYSTEMS))
    write_qrels(read_qrels("".join(collection.qrels_lines()).encode()), files.qrels)
    for number, ((system, noise), path) in enumerate(zip(SYSTEMS.items(), files.runs, strict=True), 1):
        write_run(read_run("".join(collection.run_lines(system, noise, number)).encode()), path)
        annotate(path, template=Record(_record(noise, seed))).save(path)
    return files


def _record(noise: float, seed: int) -> dict[str, object]:
    """Return the metadata of a system's run; the platform is left out, so that the files are the same everywhere."""
    return {
        "research goal": {"evaluation": {"reported measures": list(MEASURES)}},
        "implementation": {
            "executable": {"cmd": f"primad demo --folder demo --seed {seed}"},
            "source": {"lang": ["Python"]},
        },
        "method": {
            "automatic": True,
            "score ties": "reverse alphabetical order",
            "retrieval": [{"name": "relevance with noise", "noise": noise}],
        },
        "actor": {"name": "primad demo", "role": "experimenter"},
        "data": {"test collection": {"name": "synthetic", "qrels": QRELS}},
    }
