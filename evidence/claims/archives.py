"""How large may an archive get, how fast is it, and is it the same everywhere?"""

from __future__ import annotations

from evidence.claim import Goal, Quote, shown_by
from evidence.claims.speed import benched, ratio_of
from evidence.reading import Cell, cells

_EVALUATING = "Evaluating 2,000 runs of 50 topics x 1,000 documents in an archive"
_SEARCHING = "Searching in 100,000 runs"
_BESIDE = "beside pytrec_eval"
_KEPT = "contents are unpacked and their digests computed, and scores of topics are kept, where pytrec_eval only reads"


def _search(database: str) -> Cell:
    """Return the place of the 95th percentile of searches in DATABASE."""
    return Cell(_SEARCHING, database, "95th percentile")


CLAIMS = (
    *(
        benched(
            "archive",
            f"searching-in-{database.lower()}",
            f"95 of 100 searches in 100,000 runs in {database} are answered within 50 ms.",
            cells(p95=_search(database), longest=Cell(_SEARCHING, database, "longest")),
            "{p95:.1f} ms, the longest {longest:.1f} ms",
            goal=Goal("p95", " ms", most=50, why="facets of a broad query count the values of every run that it finds"),
        )
        for database in ("SQLite", "PostgreSQL")
    ),
    *(
        benched(
            "archive",
            f"evaluating-an-archive-{name}",
            f"An archive is evaluated three times as fast as pytrec_eval evaluates plain files, {way}.",
            cells(
                ratio=Cell(_EVALUATING, row, _BESIDE),
                rate=Cell(_EVALUATING, row, "runs a second"),
                memory=Cell(_EVALUATING, row, "peak MB"),
            ),
            "{ratio:.1f}x, {rate:.1f} runs a second, {memory:.0f} MB",
            goal=Goal("ratio", "x", least=3, why=why),
        )
        for name, row, way, why in (
            ("alone", "primad, 1 process", "one process beside one", _KEPT),
            ("in-a-pool", "primad, 2 processes", "two processes beside two", f"{_KEPT}, by one process for all"),
            (
                "on-dask",
                "primad, Dask with 2 workers",
                "two workers of Dask beside two processes",
                f"{_KEPT}; contents and scores travel, and scheduler and database share the two processors",
            ),
        )
    ),
    benched(
        "archive",
        "memory-of-an-archive",
        "Memory does not grow with the number of runs that are evaluated in an archive.",
        ratio_of(
            few=Cell(_EVALUATING, "primad, 1 process", "100 runs"),
            many=Cell(_EVALUATING, "primad, 1 process", "2,000 runs"),
        ),
        "{few:.0f} MB for 100 runs, {many:.0f} MB for 2,000",
        Quote("docs/guides/scale.md", "Memory stays as it is: it does not grow with the number of runs."),
    ),
    shown_by(
        "archives-in-two-databases",
        "An archive keeps, versions and finds runs in SQLite and PostgreSQL by the same code.",
        "tests/archive/test_add.py tests/archive/test_versions.py tests/archive/test_search.py",
        "src/primad/archive src/primad/store",
        Quote("README.md", "a folder on a laptop or a PostgreSQL for a lab, by the same code"),
        Quote(
            "README.md",
            "every run under a permanent address with its history, found again by any field of its metadata",
        ),
        is_long=True,
    ),
    shown_by(
        "archives-on-clusters",
        "An archive is evaluated on several processes, on Dask and on Slurm, with the same scores.",
        "tests/archive/test_clusters.py tests/test_compute_dask.py tests/test_compute_slurm.py",
        "src/primad/archive src/primad/compute",
        Quote("README.md", "evaluates on several processes, on a Dask cluster or on Slurm"),
        is_long=True,
    ),
    shown_by(
        "several-archivists",
        "Several processes may write to an archive at once, and each file is kept once.",
        "tests/archive/test_together.py",
        "src/primad/archive src/primad/store",
        Quote("docs/guides/scale.md", "Several archivists may write to PostgreSQL at once (a test does it)"),
    ),
)
