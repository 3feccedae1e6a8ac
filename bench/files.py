"""The files that contenders read: a synthetic collection and its runs, and experiments that were reproduced."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.synthetic import Collection, Shape

# What the systems of a study see of a document beside its relevance, and how far a reproduction is from its original:
# such that two runs of 1000 documents share some 700.
POOL = 2000
JUDGED = 1200
BLUR = 1.2
WEIGHTS = {"base": 0.8, "adv": 1.1}


def write_files(folder: Path, name: str, shape: Shape, runs: int, shuffled: int) -> None:
    """Write a synthetic collection with its runs, the first ones also with shuffled lines."""
    collection = Collection(shape, seed=1)
    (folder / f"{name}.qrels").write_text("".join(collection.qrels_lines()))
    for number in range(runs):
        path = folder / f"{name}.{number}.run"
        lines = "".join(collection.run_lines(f"run{number}", 0.6 + number / 10, number + 1))
        path.write_text(lines)
        if number < shuffled:
            mixed = lines.splitlines(keepends=True)
            random.Random(number).shuffle(mixed)
            path.with_suffix(".shuffled").write_text("".join(mixed))


def write_study(
    folder: Path, name: str, topics: int, retrieved: int, experiments: int, roles: Sequence[str] = tuple(WEIGHTS)
) -> None:
    """Write judgments, and the runs of so many EXPERIMENTS, of which the first is the original.

    The others see each document as the original does, but through a blur of their own.
    """
    draw = np.random.default_rng([1, topics])
    documents = np.array([draw.choice(500_000, POOL, replace=False) for _ in range(topics)])
    relevance = np.zeros((topics, POOL))
    relevance[:, :JUDGED] = draw.choice([0, 1, 2], p=[0.8, 0.15, 0.05], size=(topics, JUDGED))
    names = [[f"SYN-{number:06d}" for number in row] for row in documents.tolist()]
    with (folder / f"{name}.qrels").open("w") as stream:
        for topic, row in enumerate(names):
            judged = zip(row[:JUDGED], relevance[topic, :JUDGED].astype(int).tolist(), strict=True)
            stream.writelines(f"{301 + topic} 0 {document} {level}\n" for document, level in judged)
    seen = draw.normal(0, 1, relevance.shape)
    for number in range(experiments):
        for role in roles:
            scores = WEIGHTS[role] * relevance + seen + draw.normal(0, BLUR if number else 0, relevance.shape)
            _write_run(folder / f"{name}.{number}.{role}.run", names, scores, retrieved)


def _write_run(path: Path, names: list[list[str]], scores: np.ndarray, retrieved: int) -> None:
    """Write the documents with the best SCORES of each topic."""
    best = np.argsort(-scores, axis=1, kind="stable")[:, :retrieved]
    with path.open("w") as stream:
        for topic, places in enumerate(best.tolist()):
            rows = zip(places, scores[topic][places].tolist(), strict=True)
            stream.writelines(
                f"{301 + topic} Q0 {names[topic][place]} {rank} {10 + score:.4f} {path.stem}\n"
                for rank, (place, score) in enumerate(rows, 1)
            )
