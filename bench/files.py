"""The files that contenders read: a synthetic collection and its runs."""

from __future__ import annotations

import random
from pathlib import Path

from primad.experiments.synthetic import Collection, Shape


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
