"""Which figures do tests find that they do not print?  ``python -m evidence.figures NAME`` prints one.

published   how many numbers of the tables of ACL 2022 come out
noise       how much of pure noise the best condition of a published group explains
limits      what a step of a replay may use unless others are stated
pages       how many addresses, roles and methods a site is asked with
questions   the same of its API
branches    how many branches of the code tests took, by the last run of make coverage
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_ROOT = Path(__file__).resolve().parents[1]
_SAMPLES = 20_000


def published() -> str:
    """Return how many printed numbers come out to the last digit."""
    from tests.qra.test_published_tables import as_printed, printed_and_computed

    tables = json.loads((_ROOT.parent / "shared" / "reference" / "qra_tables.json").read_text("utf-8"))
    found = printed_and_computed(tables).values()
    right = sum(as_printed(value, printed) == printed for printed, value in found)
    return f"{right} of {len(found)} printed numbers"


def noise() -> str:
    """Return the least and the most that the best condition of a published group explains of pure noise, on average.

    Only conditions count that say something: those with more than one value, and fewer than there are measurements.
    """
    from primad import example_measurements

    groups = defaultdict(list)
    for one in example_measurements("belz2022").measurements:
        groups[one.object, one.measurand].append(one)
    explained, sizes = [], []
    for group in groups.values():
        names = sorted({name for one in group for name in one.conditions})
        columns = [np.array([str(one.conditions.get(name)) for one in group]) for name in names]
        telling = [labels for labels in columns if 1 < len(set(labels)) < len(group)]
        if telling:
            drawn = np.random.default_rng(1).normal(size=(_SAMPLES, len(group)))
            explained.append(float(np.max([_eta2(drawn, labels) for labels in telling], axis=0).mean()))
            sizes.append(len(group))
    low, high = (round(100 * share) for share in (min(explained), max(explained)))
    return f"{low} to {high} % of pure noise, {min(sizes)} to {max(sizes)} values"


def _eta2(values: Values, labels: NDArray[np.str_]) -> Values:
    """Return the share of the squares that lies between groups, for each row of VALUES."""

    def squares(part: Values) -> Values:
        found: Values = ((part - part.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
        return found

    within: Values = np.sum([squares(values[..., labels == one]) for one in sorted(set(labels))], axis=0)
    return 1 - within / squares(values)


def limits() -> str:
    """Return what a step may use."""
    from primad.replay.result import Limits

    one = Limits()
    return (
        f"{one.seconds / 3600:g} hours, {one.log / 1e6:g} MB of log, {one.memory / 1e9:g} GB of memory, "
        f"{one.disk / 1e9:g} GB of disk, {one.output / 1e9:g} GB and {one.files:,} files of output"
    )


def pages() -> str:
    """Return what a site is asked with."""
    import tests.conftest  # noqa: F401 - which sets up what models need
    from tests.web.people import ROLES
    from tests.web.test_matrix import ASKED, METHODS

    return f"{len(ASKED)} addresses, {len(ROLES)} roles, {len(METHODS)} methods"


def questions() -> str:
    """Return what its API is asked with."""
    import tests.conftest  # noqa: F401 - which sets up what models need
    from tests.web.people import ROLES
    from tests.web.test_api_matrix import ROWS

    answers = sum(len(statuses) for row in ROWS.values() for statuses in row.answers.values())
    return f"{len(ROWS)} addresses, {answers} answers to {len(ROLES)} roles"


def branches() -> str:
    """Return which share of all branches tests took, in rooms below web and in web itself."""
    from coverage import Coverage

    coverage = Coverage()
    coverage.load()
    with tempfile.TemporaryDirectory() as folder:
        coverage.json_report(outfile=f"{folder}/coverage.json")
        files = json.loads(Path(folder, "coverage.json").read_text("utf-8"))["files"]
    taken, there = Counter[bool](), Counter[bool]()
    for path, found in files.items():
        in_web = "src/primad/web/" in path
        taken[in_web] += found["summary"]["covered_branches"]
        there[in_web] += found["summary"]["num_branches"]
    shares = {in_web: 100 * taken[in_web] / there[in_web] for in_web in there}
    return f"{shares[False]:.1f} % of {there[False]:,} branches, {shares[True]:.1f} % of {there[True]:,} in web"


FIGURES: dict[str, Callable[[], str]] = {
    one.__name__: one for one in (published, noise, limits, pages, questions, branches)
}

if __name__ == "__main__":
    sys.stdout.write(f"{FIGURES[sys.argv[1]]()}\n")
