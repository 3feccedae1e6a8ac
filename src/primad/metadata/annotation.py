"""How does a run get its metadata, and what wins where several sources speak?

    annotate     the run with a header made of what was set, a template, the header it had, and what was captured
    template_of  what a template says: of another run, only what a person has stated
    stated       what people have stated, without what tools find out
    Annotation   the outcome: the record, the bytes of the run, and what there is to say about it

What is set wins over the template, the template over the header, the header over what is captured.  What was recorded
while the run was made is about that run.  What is captured here and now is not, if the run is older or from another
machine: where a component of its header contradicts what is captured, nothing captured is added to that component.

The ranking is not touched.  Its digest goes into the header; where the header already has another one, the ranking was
changed after it was annotated, and is not annotated again unless that is accepted.
"""

from __future__ import annotations

import copy
import os
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, NoMetadata
from primad.metadata import header, settings
from primad.metadata.paths import leaves, parse, put, remove, value_at, written
from primad.metadata.reading import Metadata, from_tree, metadata_beside, metadata_in, read_metadata
from primad.metadata.record import FOUND_OUT, PLACEHOLDER, Record, is_stated, merged
from primad.metadata.sameness import says_the_same
from primad.metadata.secrets import redact, redact_tree
from primad.metadata.versions import NEWEST
from primad.safe_yaml import MAX_BYTES, Node
from primad.trec.files import Source, atomic_write, name_of, packing_of, read_bytes, stamp_of
from primad.trec.ranking import ranking_digest, split_header

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from primad.metadata.record import Tree

FIRST_RUN_VERSION = "1.0"

_BEFORE_THE_TAG = 5  # columns: topic, Q0, document, rank and score


@dataclass(frozen=True)
class Annotation:
    """A run with its new header.

    ``name`` is the file it was read from, ``changed`` tells whether the bytes differ from those that were read,
    ``remarks`` are sentences for a person, and ``has_captured`` tells whether anything captured was added.
    """

    name: str
    record: Record
    data: bytes
    changed: bool
    remarks: tuple[str, ...]
    stamp: tuple[int, ...] = ()
    has_captured: bool = False

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the annotated run to PATH, whole or not at all.

        Written into the file it came from, it is packed as that was; elsewhere, as the name of PATH says.
        """
        in_place = _is_same(path, self.name)
        if in_place and not self.changed:
            return
        if in_place and self.stamp != stamp_of(path):
            raise FileError(str(path), "was changed while it was annotated", "annotate it when it is whole")
        with atomic_write(path, packing_of(path) if in_place else None) as stream:
            stream.write(self.data)


def _is_same(path: str | os.PathLike[str], name: str) -> bool:
    """Tell whether PATH is the file that was read as NAME, by whatever way."""
    try:
        return FilePath(path).samefile(name)
    except (OSError, ValueError):  # one of them is not there
        return False


def annotate(
    run: Source,
    *,
    template: Source | Record | None = None,
    values: Mapping[str, Any] | None = None,
    captured: Tree | None = None,
    recorded: Tree | None = None,
    upgrade: bool = False,
    accept_ranking: bool = False,
) -> Annotation:
    r"""Return RUN (a run, or a metadata file of its own) with the record that all sources make together.

    TEMPLATE is a record or the file of one, VALUES set single fields, CAPTURED is what ``capture`` gave here and now,
    RECORDED what was noted while the run was made.

    >>> annotation = annotate(b"1 Q0 d1 1 0.5 bm25\n", values={"actor.team": "h2oloo"})
    >>> annotation.record.tag, annotation.record["actor.team"]
    ('bm25', 'h2oloo')
    """
    name, stamp = name_of(run), stamp_of(run)
    data = read_bytes(run)
    existing = metadata_in(data, name)
    is_run = existing is None or existing.blocks > 0
    remarks: list[str] = []
    if existing is None:
        rest = header.split(data, name).rest
        existing, remarks = _beside(name, rest)
        existing = replace(existing, rest=rest)
    if is_run:
        _refuse_nothing(existing.rest, name)
        _refuse_changed_ranking(existing, name, accept=accept_ranking)
    tree, more = stated(template_of(template), values or {}, existing.record.tree)
    remarks += more
    tree, hidden = _without_secrets(tree)  # before anything of it is shown
    captured, more = _fitting(from_tree(captured or {}).tree, existing.record.tree)
    remarks += more
    tree = merged(tree, from_tree(recorded or {}).tree)
    has_captured = merged(tree, captured) != tree
    tree = merged(tree, captured)
    _complete(tree, existing.rest if is_run else None, upgrade=upgrade)
    remarks += [f"moved: {move}" for move in existing.moves] if upgrade else []
    tree, more = _without_secrets(tree)
    record = Record(Record(tree).ordered())
    text = _refuse_unreadable(record.to_yaml(), name)
    written_data = header.with_block(text, existing.rest) if is_run else text.encode()
    return Annotation(name, record, written_data, written_data != data, (*remarks, *hidden, *more), stamp, has_captured)


def template_of(source: Source | Record | None) -> Record | None:
    """Return what the template SOURCE says; of another run, only what a person has stated, for the rest is its own."""
    if source is None or isinstance(source, Record):
        return source
    metadata = read_metadata(source)
    if not metadata.blocks:
        return metadata.record
    tree = copy.deepcopy(metadata.record.tree)
    for field in FOUND_OUT:
        remove(tree, parse(field))
    return Record(tree)


def _beside(name: str, ranking: bytes) -> tuple[Metadata, list[str]]:
    """Return the metadata beside the run NAME, empty if there is none or if it is about another run."""
    nothing = Metadata(Record(), name, Node({}))
    try:
        found = metadata_beside(name)
    except NoMetadata:
        found = None  # several files: none of them is surely about this run
    if found is None:
        return nothing, []
    tag = found.record.tag
    if tag and tag != tag_of(ranking):
        return nothing, [f"{found.name} was left alone: it is about the run '{tag}'"]
    return found, [f"metadata of {found.name} was taken over"]


def _refuse_nothing(rest: bytes, name: str) -> None:
    """Refuse to describe a run without a single line."""
    if not split_header(rest)[1].strip():
        raise FileError(name, "expected a run, found no ranking lines", "is it the file you meant?")


def _refuse_changed_ranking(existing: Metadata, name: str, *, accept: bool) -> None:
    """Keep the evidence that a ranking is not the one that was annotated."""
    noted = existing.record.get("ranking.sha256")
    if noted and not accept and noted != ranking_digest(existing.rest):
        raise FileError(
            name,
            "the ranking was changed after it was annotated, so its metadata may describe another run",
            "if it still is right, accept the ranking with --accept-ranking",
        )


def stated(template: Record | None, values: Mapping[str, Any], tree: Tree) -> tuple[Tree, list[str]]:
    """Return what people have stated: VALUES over TEMPLATE over TREE, which a header has."""
    empty = []
    if template:
        filled_in = from_tree(without_placeholders(template.tree)).tree
        empty = [] if any(leaves(filled_in)) else ["nothing in the template is filled in"]
        tree = merged(filled_in, tree)
    tree, remarks = settings.apply(values, tree)
    return from_tree(tree).tree, [*empty, *remarks]


def without_placeholders(tree: Any) -> Any:
    """Return TREE without the values of a skeleton that nobody has filled in."""
    if isinstance(tree, dict):
        inner = {key: without_placeholders(value) for key, value in tree.items()}
        return {key: value for key, value in inner.items() if value not in (None, {}, [])}
    if isinstance(tree, list):
        return [inner for value in tree if (inner := without_placeholders(value)) not in (None, {}, [])]
    return None if isinstance(tree, str) and PLACEHOLDER in tree else tree


def _fitting(captured: Tree, existing: Tree) -> tuple[Tree, list[str]]:
    """Return the components of CAPTURED that do not contradict what the header says, and why others are left out."""
    fitting, remarks = {}, []
    for component, tree in captured.items():
        contradiction = next(_contradictions(tree, existing.get(component), (component,)), None)
        if contradiction is None:
            fitting[component] = tree
        else:
            field, here, there = contradiction
            remarks.append(
                f"nothing captured was added to {component}: {field} is stated as {there}, here it is {here}"
            )
    return fitting, remarks


def _contradictions(captured: Any, stated: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield the fields that are stated otherwise than they were captured, with both values."""
    for place, value in leaves(captured, path):
        if any(isinstance(step, int) for step in place):
            continue
        there = value_at(stated, place[len(path) :])
        if is_stated(there) and not says_the_same(place, there, value):
            yield written(place), redact(repr(value)), redact(repr(there))


def _complete(tree: Tree, ranking: bytes | None, *, upgrade: bool) -> None:
    """Add what every header has: versions, the tag and the digest of the ranking."""
    if upgrade or not is_stated(tree.get("schema-version")):
        tree["schema-version"] = NEWEST
    if not is_stated(tree.get("run-version")):
        tree["run-version"] = FIRST_RUN_VERSION
    if ranking is None:
        return
    if not is_stated(tree.get("tag")):
        tag = tag_of(ranking)
        tree.update({"tag": tag} if tag else {})
    put(tree, ("ranking", "sha256"), ranking_digest(ranking))


def tag_of(ranking: bytes) -> str:
    """Return the tag in the first line of RANKING."""
    line = split_header(ranking)[1].split(b"\n", 1)[0].split(b"\r", 1)[0]
    tag = line.split(None, _BEFORE_THE_TAG)[_BEFORE_THE_TAG:]
    return tag[0].decode(errors="replace").strip() if tag else ""


def _refuse_unreadable(text: str, name: str) -> str:
    """Return TEXT, the metadata for the file NAME, if it is not too long to be read again."""
    size = len(text.encode())
    if size > MAX_BYTES:
        expected = f"expected metadata of at most {MAX_BYTES:,} bytes, found {size:,}"
        raise FileError(name, expected, "keep long series of measurements in a file of their own")
    return text


def _without_secrets(tree: Tree) -> tuple[Tree, list[str]]:
    """Return TREE without passwords and tokens, and where some were."""
    clean = redact_tree(tree)
    before, after = dict(leaves(tree)), dict(leaves(clean))
    changed = [written(path) for path, value in after.items() if before.get(path) != value]
    return clean, [f"a secret was taken out of {field}" for field in changed]
