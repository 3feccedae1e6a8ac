"""Which faults of a run can be repaired without knowing more than the file says?

    fix    the run with ranks and order that follow the scores, and without placeholders

Nothing that was stated is changed: no line is dropped, no score touched.  What is left, checking says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.metadata import header
from primad.metadata.annotation import without_placeholders
from primad.metadata.paths import leaves, put
from primad.metadata.reading import metadata_in
from primad.metadata.record import PLACEHOLDER, Record
from primad.trec.files import Source, name_of, read_bytes
from primad.trec.mending import mend_ranking
from primad.trec.ranking import ranking_digest, split_header

if TYPE_CHECKING:
    from primad.metadata.reading import Metadata
    from primad.metadata.record import Tree

_ANEW = "metadata written anew, in one form and without comments"


@dataclass(frozen=True)
class Fixed:
    """A repaired file, and what was done; where nothing was, the bytes are those of the original."""

    data: bytes
    changes: tuple[str, ...]


def fix(source: Source) -> Fixed:
    """Return the run or metadata file SOURCE, repaired."""
    name = name_of(source)
    data = read_bytes(source)
    metadata = metadata_in(data, name)
    if metadata is None:
        mended = mend_ranking(data, name)
        return Fixed(mended.data, mended.changes)
    tree, changes = _filled_in(metadata.record.tree)
    if metadata.blocks:
        return _fixed_run(data, name, metadata, tree, changes)
    return Fixed(Record(tree).to_yaml().encode(), (*changes, _ANEW)) if changes else Fixed(data, ())


def _fixed_run(data: bytes, name: str, metadata: Metadata, tree: Tree, changes: tuple[str, ...]) -> Fixed:
    """Return the run with a header of TREE, or with its own if there is no reason to write another."""
    mended = mend_ranking(data, name)
    if metadata.blocks > 1:
        changes = (f"{metadata.blocks} headers joined", *changes)
    was_right = metadata.record.get("ranking.sha256") == ranking_digest(metadata.rest)
    if was_right and mended.changes:
        # The ranking is still the annotated one, in a better order; another digest stays as evidence.
        put(tree, ("ranking", "sha256"), ranking_digest(mended.ranking))
        changes = (*changes, "digest of the ranking taken anew")
    if not changes:
        return Fixed(mended.data, mended.changes)
    comments = split_header(metadata.rest)[0]
    written = header.with_block(Record(tree).to_yaml(), comments + mended.ranking)
    return Fixed(written, (*changes, _ANEW, *mended.changes))


def _filled_in(tree: Tree) -> tuple[Tree, tuple[str, ...]]:
    """Return TREE without placeholders, and how many there were."""
    count = sum(isinstance(value, str) and PLACEHOLDER in value for _, value in leaves(tree))
    if not count:
        return tree, ()
    return without_placeholders(tree), (f"{count} placeholder{'s' * (count > 1)} removed",)
