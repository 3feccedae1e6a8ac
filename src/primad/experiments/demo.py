"""The demonstration's data: a small synthetic collection and four systems of different quality."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from primad import read_qrels, read_run, write_qrels, write_run
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
    return files
