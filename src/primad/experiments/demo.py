"""The demonstration's data: a small synthetic collection, four systems, and two of them made again by somebody else.

Each run says about itself where it comes from, as every run should.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from primad import Record, annotate, read_qrels, read_run, write_qrels, write_run
from primad.experiments.synthetic import Collection, Shape

# How much noise stands between each system and the relevance of documents.
SYSTEMS = {"careful": 0.6, "plain": 0.9, "hasty": 1.4, "guessing": 4.0}
BASELINE, ADVANCED = "plain", "careful"
# The reproduction hits the advanced system less well than the baseline.
REPRODUCED = {BASELINE: 0.92, ADVANCED: 0.68}
QRELS = "synthetic.qrels"
AGAIN = "again"
MEASURES = ("map", "ndcg_cut_10", "P_10", "recip_rank", "recall_100")


@dataclass(frozen=True)
class Files:
    """The files of the demonstration: judgments, runs, and the runs of the reproduction."""

    qrels: Path
    runs: tuple[Path, ...]
    reproduced: tuple[Path, ...]


def write_files(folder: Path, seed: int, shape: Shape = Shape()) -> Files:
    """Write qrels and runs into FOLDER, the same ones for the same SEED."""
    (folder / AGAIN).mkdir(parents=True, exist_ok=True)
    collection = Collection(shape, seed)
    write_qrels(read_qrels("".join(collection.qrels_lines()).encode()), folder / QRELS)
    runs = [
        _write(folder / f"{system}.run", collection, noise, _record(system, noise, seed))
        for system, noise in SYSTEMS.items()
    ]
    reproduced = [
        _write(folder / AGAIN / f"{system}.run", collection, noise, _reproduced(system, seed))
        for system, noise in REPRODUCED.items()
    ]
    return Files(folder / QRELS, tuple(runs), tuple(reproduced))


def _write(path: Path, collection: Collection, noise: float, record: dict[str, Any]) -> Path:
    """Write the run of a system with that much NOISE, and what it says about itself."""
    number = list(SYSTEMS).index(path.stem) + 1  # who makes a system again meets the same chance
    write_run(read_run("".join(collection.run_lines(record["tag"], noise, number)).encode()), path)
    annotate(path, template=Record(record)).save(path)
    return path


def _record(system: str, noise: float, seed: int) -> dict[str, Any]:
    """Return the metadata of a run; the platform is left out, so that the files are the same everywhere."""
    baseline = {"baseline": [BASELINE]} if system == ADVANCED else {}
    return {
        "tag": system,
        "research goal": {"evaluation": {"reported measures": list(MEASURES), **baseline}},
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


def _reproduced(system: str, seed: int) -> dict[str, Any]:
    """Return the metadata of a run that somebody else has made again, by the same method in another language."""
    record = _record(system, SYSTEMS[system], seed)
    evaluation = {"reported measures": list(MEASURES), "baseline": [system]}
    return record | {
        "tag": f"{system}-again",
        "research goal": {"evaluation": evaluation},
        "implementation": {"executable": {"cmd": f"java Again --seed {seed}"}, "source": {"lang": ["Java"]}},
        "actor": {"name": "somebody else", "role": "reproducer"},
    }
