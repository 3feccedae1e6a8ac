"""Of what is a run a measurement, and is it the original or a reproduction?  Told from records alone.

    objects_of   the object and the role of each run, and what is to be said where that is in doubt
    Told         object and role

A reproducer's baseline field names the run that was reproduced, so its object is that run's, and so on: all runs that
lead to one have its tag as object, and it is the original.  An experimenter's baseline field names what the run was
compared with, which is another object.  A run that neither reproduces nor is reproduced has the names of its stages as
object, else its tag.  Where these names are also the tag of a run that was reproduced, they mean something else: the
run is a measurement of "bm25 (method)", not of the run bm25.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from primad.errors import UsageError
from primad.metadata.normal_form import spelled
from primad.metadata.paths import parse, written
from primad.metadata.schema import load_schema
from primad.reproducibility._words import listed, shown, texts
from primad.reproducibility.comparison.agreement import plain_text
from primad.reproducibility.pairing import Described

if TYPE_CHECKING:
    from primad.metadata.record import Record
    from primad.qra.measurement import Role

_BETWEEN_STAGES = " + "
_NO_TAG = " (method)"


@dataclass(frozen=True, slots=True)
class Told:
    """What a run is a measurement of, and whether it is the one that others reproduce."""

    object: str
    role: Role = ""


def objects_of(
    runs: Sequence[tuple[str, Record | None]], object_field: str | None = None
) -> tuple[list[Told], list[str]]:
    """Return what each of RUNS, tags with records, is a measurement of, and what is to be said about it.

    With OBJECT_FIELD it is what the record states there, as in method.name.
    """
    described = [Described(str(place), tag, record) if record else None for place, (tag, record) in enumerate(runs)]
    known = [one for one in described if one]
    by_tag = _by_tag(known)
    roots, remarks = _roots(known, by_tag)
    reproduced = {tag for place, tag in roots.items() if tag}
    told = [
        _told(tag, one, roots.get(one.path, "") if one else "", reproduced, by_tag)
        for (tag, _), one in zip(runs, described, strict=True)
    ]
    remarks += [
        f"the tag '{shown(tag)}' occurs {len(by_tag[tag])} times, so it is not known which of these runs was reproduced"
        for tag in sorted(reproduced)
        if len(by_tag.get(tag, ())) > 1
    ]
    if object_field:
        told, more = _by_field([record for _, record in runs], told, object_field)
        remarks += more
    objects = _spelled_once(told)
    return objects, remarks if object_field else [*remarks, *_told_by_stages(objects, runs)]


def _told_by_stages(objects: Sequence[Told], runs: Sequence[tuple[str, Record | None]]) -> Iterator[str]:
    """Yield which objects hold several runs for no other reason than that their stages have the same names."""
    tags: dict[str, set[str]] = defaultdict(set)
    for one, (tag, record) in zip(objects, runs, strict=True):
        if not one.role and record is not None and one.object != tag:
            tags[one.object].add(tag)
    for name, different in tags.items():
        if len(different) > 1:
            yield (
                f"{listed(sorted(different))} are taken for one object, '{name}', by the names of their retrieval "
                "stages; if they are different systems, name the field that tells them apart with --object"
            )


def _by_tag(known: Sequence[Described]) -> dict[str, list[Described]]:
    """Return the runs that others can mean by a tag; a reproduction may have kept the tag of what it reproduces."""
    by_tag: dict[str, list[Described]] = defaultdict(list)
    for run in known:
        if run.tag and not (run.is_reproducer and run.tag in run.names):
            by_tag[run.tag].append(run)
    return dict(by_tag)


def _roots(known: Sequence[Described], by_tag: Mapping[str, list[Described]]) -> tuple[dict[str, str], list[str]]:
    """Return for each run that reproduces another the tag of the first in that chain, and what is in doubt."""
    roots: dict[str, str] = {}
    remarks: list[str] = []
    for run in known:
        if not run.is_reproducer:
            continue
        target = _target(run, by_tag)
        if target:
            roots[run.path] = _end_of_chain(target, by_tag)
        elif run.names:
            few = listed(sorted(run.names))
            remarks.append(f"{run} names several runs as what it reproduces ({few}), so it is known by its stages")
    return roots, remarks


def _target(run: Described, by_tag: Mapping[str, list[Described]]) -> str:
    """Return the tag of the one run that RUN reproduces, empty if there is none or several."""
    names = run.names if len(run.names) == 1 else [name for name in run.names if name in by_tag]
    return next(iter(names)) if len(names) == 1 else ""


def _end_of_chain(tag: str, by_tag: Mapping[str, list[Described]]) -> str:
    """Return the tag at which the chain of reproductions from TAG on ends; of a ring the first by name."""
    seen: list[str] = []
    while tag not in seen:
        seen.append(tag)
        runs = by_tag.get(tag, ())
        following = _target(runs[0], by_tag) if len(runs) == 1 and runs[0].is_reproducer else ""
        if not following:
            return tag
        tag = following
    return min(seen[seen.index(tag) :])


def _told(
    tag: str, run: Described | None, root: str, reproduced: set[str], by_tag: Mapping[str, list[Described]]
) -> Told:
    """Return what a run is a measurement of: what it leads to, itself if others lead to it, its stages, its tag."""
    if root and run and root != tag:
        return Told(root, "reproduction")
    if tag in reproduced:
        is_reproduction = bool(root) and run not in by_tag.get(tag, ())
        is_only_one = [run] == by_tag.get(tag)
        return Told(tag, "reproduction" if is_reproduction else "original" if is_only_one else "")
    return Told(_by_stages(run, reproduced) if run and _stages(run.record) else tag)


def _by_stages(run: Described, reproduced: set[str]) -> str:
    """Return the names of the stages of RUN, told from the tag of one of the REPRODUCED runs, which it is not."""
    stages = _stages(run.record)
    claimed = {plain_text(name) for name in run.names} if run.is_reproducer else set()
    tags = {plain_text(tag) for tag in reproduced} - claimed
    return stages + _NO_TAG if plain_text(stages) in tags else stages


def _stages(record: Record) -> str:
    """Return the names of the stages of a method, else the name of the method, empty if neither is stated."""
    stages = [text for _, name in record.find("method.retrieval[].name") for text in texts(name)]
    return shown(_BETWEEN_STAGES.join(stages) or listed(texts(record.get("method.name"))), longest=200)


def _by_field(records: Sequence[Record | None], told: list[Told], object_field: str) -> tuple[list[Told], list[str]]:
    """Return TOLD with what RECORDS state at OBJECT_FIELD as object, where they state it."""
    path = written(spelled(parse(object_field), load_schema()))
    if not path:
        raise UsageError(f"expected a field such as method.name, found '{shown(object_field)}'")
    stated = [_value(record, path) if record else "" for record in records]
    silent = sum(not text for text in stated)
    if silent == len(stated):
        raise UsageError(f"no run states '{shown(object_field)}', so it cannot tell what was measured")
    found = [replace(one, object=text) if text else one for one, text in zip(told, stated, strict=True)]
    said = f"{silent} of {len(stated)} runs do not state {shown(path)}, so their objects are told otherwise"
    return found, [said] * bool(silent)


def _value(record: Record, path: str) -> str:
    """Return what RECORD states at PATH, of lists all elements."""
    values: list[Any] = [value for _, value in record.find(path)]
    return shown(_BETWEEN_STAGES.join(text for value in values for text in _texts(value)), longest=200)


def _texts(value: Any) -> tuple[str, ...]:
    """Return VALUE as texts; of a mapping its name."""
    if isinstance(value, dict):
        return texts(value.get("name"))
    if isinstance(value, list):
        return tuple(text for inner in value for text in _texts(inner))
    return (str(value).lower(),) if isinstance(value, bool) else texts(value)


def _spelled_once(told: Sequence[Told]) -> list[Told]:
    """Return TOLD with objects that differ in their spelling only in the spelling that came first."""
    first: dict[Any, str] = {}
    return [replace(one, object=first.setdefault(plain_text(one.object), one.object)) for one in told]
