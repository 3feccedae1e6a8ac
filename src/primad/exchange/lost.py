"""What does a format not carry?

    fields_lost     the fields of records that a format has no place for, component by component
    files_lost      the files that it leaves behind
    material_lost   measured values, labels and claims
    facts_lost      what else is known of a thing
    not_carried     all of that, and the commands that no record tells

A format says what it carries, and the rest is found by comparison: so a field that is new to the schema is listed as
lost by every format that nobody has taught it, and none drops anything in silence.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from primad.exchange.plain_text import counted, one_line
from primad.metadata.paths import leaves, parse
from primad.metadata.record import is_stated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from primad.exchange.thing import Role, Thing
    from primad.metadata.paths import Path

# The parts of a record that are listed by name; what is below them is counted.
_DEPTH = 2
_NAMES = {
    "run": ("run", "runs"),
    "metadata": ("file of metadata", "files of metadata"),
    "qrels": ("file of judgments", "files of judgments"),
    "topics": ("file of topics", "files of topics"),
    "measurements": ("file of measurements", "files of measurements"),
    "result": ("file of results", "files of results"),
    "system": ("file of a system", "files of a system"),
    "transcript": ("transcript", "transcripts"),
    "sheet": ("score sheet", "score sheets"),
    "other": ("other file", "other files"),
}
_MATERIAL = {
    "measurements": ("measured value", "measured values"),
    "labels": ("label of an item", "labels of items"),
    "claims": ("claim", "claims"),
}


def fields_lost(thing: Thing, carried: Iterable[str]) -> Iterator[str]:
    """Yield a line for each part of the records of THING that no path of CARRIED leads to, with the number of values.

    A path carries all that is below it, and ``[]`` stands for each element of a list.
    """
    known = {_of_any_element(parse(path)) for path in carried}
    counts: Counter[tuple[str, ...]] = Counter()
    for record in thing.records():
        for path, value in leaves(record.tree):
            if is_stated(value) and not _is_below(_of_any_element(path), known):
                counts[_listed(path)] += 1
    for part, number in counts.items():
        yield f"{'.'.join(part)}: {counted(number, 'value')}"


def files_lost(thing: Thing, carried: Iterable[Role] = ()) -> Iterator[str]:
    """Yield a line for each role of files of THING that is none of those CARRIED."""
    counts = Counter(file.role for file in thing.files if file.role not in set(carried))
    for role, number in counts.items():
        yield f"the content of {counted(number, *_NAMES[role])}"


def material_lost(thing: Thing, carried: Collection[str] = ()) -> Iterator[str]:
    """Yield a line for each kind of what was measured in THING that is none of those CARRIED."""
    for kind, words in _MATERIAL.items():
        number = len(getattr(thing.material, kind))
        if number and kind not in carried:
            yield counted(number, *words)


def facts_lost(thing: Thing, told: Collection[str] = ()) -> Iterator[str]:
    """Yield a line with the names of the facts of THING that are none of those TOLD."""
    names = [one_line(name) for name, value in thing.facts.items() if name not in told and is_stated(value)]
    if names:
        yield f"{counted(len(names), 'fact')} ({', '.join(names)})"


def not_carried(
    thing: Thing,
    fields: Iterable[str] | None,
    *,
    files: Iterable[Role] = (),
    facts: Collection[str] = (),
    material: Collection[str] = (),
    deeds: bool = False,
) -> Iterator[str]:
    """Yield a line for all of THING but the FIELDS of records, FILES, FACTS, MATERIAL and DEEDS that are carried.

    No FIELDS at all are not looked at: then each record is carried whole.
    """
    yield from () if fields is None else fields_lost(thing, fields)
    yield from files_lost(thing, files)
    yield from facts_lost(thing, facts)
    yield from material_lost(thing, material)
    if thing.deeds and not deeds:
        yield f"{counted(len(thing.deeds), 'command')} that no record tells"


def _of_any_element(path: Path) -> Path:
    """Return PATH with all elements of lists as the first one."""
    return tuple(0 if isinstance(step, int) else step for step in path)


def _is_below(path: Path, known: Collection[Path]) -> bool:
    """Tell whether PATH, or a path above it, is one of those KNOWN."""
    return any(path[:length] in known for length in range(1, len(path) + 1))


def _listed(path: Path) -> tuple[str, ...]:
    """Return the part of a record that PATH is counted in."""
    return tuple(str(step) for step in path[:_DEPTH] if isinstance(step, str))
