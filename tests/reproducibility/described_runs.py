"""Described runs as tests write them down: what a header says, without a ranking."""

from __future__ import annotations

from typing import Any

from primad.metadata.reading import from_tree
from primad.reproducibility.pairing import Described


def described(
    tag: str,
    *,
    team: Any = None,
    role: Any = None,
    baseline: Any = None,
    collection: Any = None,
    training: tuple[str, ...] = (),
    stages: Any = None,
    path: str | None = None,
    **components: Any,
) -> Described:
    """Return the run TAG whose record states what is given."""
    tree: dict[str, Any] = {
        "tag": tag,
        "actor": {"team": team, "role": role},
        "research goal": {"evaluation": {"baseline": baseline}},
        "data": {"test collection": {"name": collection}, "training data": [{"name": name} for name in training]},
        "method": {"retrieval": stages},
    }
    return Described(f"{tag}.run" if path is None else path, tag, from_tree(tree | components))
