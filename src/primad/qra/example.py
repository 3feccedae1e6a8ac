"""Which measurements ship with the package, to try it on and to compare with?

    EXAMPLES               their names, and where each comes from
    example_measurements   all measurements of one of them

They are facts from publications, in the format that people write by hand; each file names its source.
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib import resources

from primad.errors import UsageError
from primad.qra.material import Material
from primad.qra.reading.read import read_measurements

EXAMPLES = {"belz2022": "Belz, Popović and Mille (2022), Quantified Reproducibility Assessment of NLP Results"}

_FILES = {"belz2022": ("pass", "nts", "essay")}  # in the order of its tables


@cache
def example_measurements(name: str) -> Material:
    """Return the measurements of the example NAME."""
    if name not in EXAMPLES:
        near = difflib.get_close_matches(name.casefold(), EXAMPLES, n=1)
        known = f"did you mean '{near[0]}'?" if near else f"there is {', '.join(EXAMPLES)}"
        raise UsageError(f"unknown example '{name}'; {known}")
    folder = resources.files("primad.qra").joinpath("examples", name)
    files = [folder.joinpath(f"{study}.qra.yaml") for study in _FILES[name]]
    return sum((read_measurements(file.read_bytes(), name=f"{name}/{file.name}") for file in files), Material())
