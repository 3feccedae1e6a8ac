"""Which modules are mutated, and which tests should notice?  Those whose answer is a number, or a word for one.

A module has the tests whose file mirrors it and the examples in its docstrings; some have further ones.
"""

from __future__ import annotations

from pathlib import Path

from tests.mutants.running import Subject

_MODULES = {
    "evaluation/measures": "average_precision counts gain precision sets strings",
    "reproducibility": "effects effect_size score_error order_measures significance equivalence verdict sharing scales "
    "ranking_agreement",
    "reproducibility/order": "depths inversions ktu overlap pairs rankings rbo reasons tau tied_rbo tied_tau",
    "reproducibility/comparison": "letters",
    "qra": "precision intervals correlations equivalence labels claims laboratories prediction findings rounding pairs "
    "between levels",
    "track": "sheet",
}
_ORDER = "tests/reproducibility/order"
_FURTHER = {
    "reproducibility/order/tied_tau": f"{_ORDER}/test_tau.py",
    "reproducibility/order_measures": "tests/reproducibility/test_registry.py",
    "reproducibility/sharing": "tests/reproducibility/assessment/test_collection.py",
}


def subjects() -> dict[str, Subject]:
    """Return all modules by name, with their tests."""
    named = [f"{room}/{name}" for room, names in _MODULES.items() for name in names.split()]
    return {one.name: one for one in map(_subject, named)}


def _subject(module: str) -> Subject:
    """Return MODULE, which is below src/primad, and its tests."""
    room, _, name = module.rpartition("/")
    mirror = f"tests/{room}/test_{name}.py"
    further = _FURTHER.get(module, "").split()
    return Subject(f"src/primad/{module}.py", tuple([mirror] * Path(mirror).exists() + further))
