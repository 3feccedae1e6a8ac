"""Under which conditions was a run made, as far as its record tells?  PRIMAD in the words of measurement.

    conditions_of   the conditions of each of some runs that are measurements of one object

The fields that count are those by which runs are compared (metadata/schemas/counted.yaml); times, costs and
descriptions are no conditions.  Names are prefixed by the stage: what concerns the run begins with ``object.``, what
concerns the test collection with ``measurement.data.``.  The research goal is the measurand, so it is no condition.  A
seed belongs to the data that a system is trained by.

Runs that are compared decide together: of identifiers the first that all state counts, spellings of one thing get one
spelling, and of packages only those count that all runs name.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from primad.metadata.paths import parse
from primad.metadata.record import is_stated
from primad.metadata.schema import Field, load_schema
from primad.metadata.secrets import redact
from primad.qra.conditions import UNKNOWN
from primad.reproducibility.comparison.agreement import packages_in, verdict_on
from primad.reproducibility.comparison.counted import Counted, counted
from primad.reproducibility.comparison.programs import is_only_a_starter, programs_in
from primad.reproducibility.comparison.stages import Key, Leaf, lay_side_by_side

if TYPE_CHECKING:
    from primad.metadata.paths import Path
    from primad.metadata.record import Record

Records = Sequence["Record | None"]
Column = tuple[str, list[str]]

# Stated as not known where a group states nothing about how its runs were made: nobody may call that repeatability.
NOT_RECORDED = "object.implementation"

_COLLECTION = "data.test collection"
_SEEDS = ("seed", "random seed")
_EXECUTABLE = "implementation.executable"
_FEW_PACKAGES = 3
_LONGEST = 200
# Of the digest of a program or of a commit the beginning tells enough.
_DIGEST = re.compile(r"[0-9a-f]{40,128}")
_SHOWN_DIGITS = 16
# Of more different values, only what is written alike is taken for one.
_MOST_SPELLINGS = 200


def conditions_of(records: Records) -> list[dict[str, str]]:
    """Return the conditions that each of RECORDS, those of runs of one object, states; None for a run without record.

    >>> from primad.metadata.reading import from_tree
    >>> conditions_of([from_tree({"actor": {"team": "h2oloo"}}), from_tree({"actor": {"team": "H2OLOO"}})])
    [{'object.actor.team': 'h2oloo'}, {'object.actor.team': 'h2oloo'}]
    """
    found: list[dict[str, str]] = [{} for _ in records]
    for name, texts in (*_of_components(records), *_of_methods(records)):
        for conditions, text in zip(found, texts, strict=True):
            if text:
                conditions[name] = text
    of_all = set.intersection(*map(set, found)) if found else set()
    if not any(name.startswith("object.") for name in of_all):
        found = [{NOT_RECORDED: UNKNOWN, **conditions} for conditions in found]
    return found


def _of_components(records: Records) -> Iterator[Column]:
    """Yield what RECORDS state of platform, implementation, actor and data."""
    for component, rules in counted().items():
        for rule in rules if component not in ("research goal", "method") else ():
            if rule.rule != "stages":  # which are looked at with the method
                for path in _deciding(rule, records):
                    yield _name(path), _texts(rule, path, [_stated(rule, path, record) for record in records])


def _deciding(rule: Counted, records: Records) -> Sequence[str]:
    """Return the fields of RULE that count: all, or the first that all of RECORDS state, else that most of them do."""
    if rule.rule not in ("first stated on both", "program"):
        return rule.fields
    shares = [sum(_stated(rule, path, record) is not None for record in records) for path in rule.fields]
    return [rule.fields[shares.index(max(shares))]] if any(shares) else ()


def _stated(rule: Counted, path: str, record: Record | None) -> Any:
    """Return what RECORD states at PATH that counts by RULE, None if nothing."""
    value = record.get(path) if record else None
    if value is None or record is None:
        return None
    if rule.rule == "program":
        return _program(path, value, record)
    if rule.rule == "members":
        return sorted(map(_text, map(_called, value if isinstance(value, list) else [value])))
    return value


def _program(path: str, value: Any, record: Record) -> Any:
    """Return what the VALUE at PATH tells about the program that was run, None if it tells of what only started it."""
    command = record.get(f"{_EXECUTABLE}.cmd", "")
    line = shlex.join(map(str, command)) if isinstance(command, list) else str(command)
    if path.endswith(".cmd"):
        return list(programs_in(line)) or None
    program = str(record.get(f"{_EXECUTABLE}.program", ""))
    is_code = path.endswith(".program") and program.startswith("-")
    return None if is_code or (program and is_only_a_starter(program, line)) else value


def _called(thing: Any) -> Any:
    """Return what a member of a list is called, or all that is said of it."""
    if not isinstance(thing, dict):
        return thing
    return next((thing[key] for key in ("name", "ir_datasets", "source") if is_stated(thing.get(key))), thing)


def _name(path: str) -> str:
    """Return what the field at PATH is called as a condition of measurement."""
    return f"measurement.{path}" if path.startswith(_COLLECTION) else f"object.{path}"


# Methods ---------------------------------------------------------------------------------------------------------


def _of_methods(records: Records) -> Iterator[Column]:
    """Yield what RECORDS state of their methods: the stages, and each parameter."""
    methods = [lay_side_by_side(record, record).original if record else {} for record in records]
    left_out = [parse(path) for rule in counted()["method"] for path in rule.but]
    classes = [parse(path) for rule in counted()["implementation"] if rule.rule == "stages" for path in rule.fields]
    for key in dict.fromkeys(key for leaves in methods for key in leaves):
        column = [leaves.get(key) for leaves in methods]
        pattern = next(leaf.pattern for leaf in column if leaf)
        is_class = pattern in classes
        if is_class or not any(pattern[: len(head)] == head for head in left_out):
            yield _name_of_leaf(key, is_class=is_class), _leaf_texts(pattern, column)


def _name_of_leaf(key: Key, *, is_class: bool) -> str:
    """Return what a value of a method is called as a condition; a second stage of one name has its number."""
    steps = [step.strip().removesuffix(" 1") or "1" for step in key]
    component = "implementation" if is_class else "data" if key[-1] in _SEEDS else "method"
    return ".".join(["object", component, *steps])


def _leaf_texts(pattern: Path, column: Sequence[Leaf | None]) -> list[str]:
    """Return the values of a method's leaf in one spelling; a list has an order unless the schema says otherwise."""
    field = load_schema().field_at(pattern)
    is_ordered = field is None or field.path.endswith("[].name")
    values = [
        _text(leaf.value) if leaf and is_ordered and isinstance(leaf.value, list) else leaf and leaf.value
        for leaf in column
    ]
    return _spelled_once(values, field or Field("method"))


# Values ----------------------------------------------------------------------------------------------------------


def _texts(rule: Counted, path: str, values: Sequence[Any]) -> list[str]:
    """Return the VALUES of the field at PATH as texts that are equal where RULE takes them for the same."""
    field = load_schema().field_at(parse(path)) or Field(path)
    if field.type == "libraries" or field.encoding == "package":
        return _packages(values)
    if path == f"{_EXECUTABLE}.cmd":  # the programs are told already
        field = Field(f"{_EXECUTABLE}.program")
    return _spelled_once(values, field, rule.same)


def _spelled_once(values: Sequence[Any], field: Field, same: Sequence[Sequence[str]] = ()) -> list[str]:
    """Return VALUES as texts, what says the same in the spelling that came first; empty for None."""
    texts: dict[str, str] = {}
    different: list[Any] = []
    for value in values:
        written = repr(value)
        if value is None or written in texts:
            continue
        known = different if len(different) < _MOST_SPELLINGS else ()
        alike = next((one for one in known if verdict_on(field, one, value, same) != "changed"), value)
        texts[written] = texts[repr(alike)] if alike is not value else _text(value)
        different += [value] * (alike is value)
    return ["" if value is None else texts[repr(value)] for value in values]


def _packages(values: Sequence[Any]) -> list[str]:
    """Return which of the packages that all VALUES name differ in version, or that none does."""
    lists = [packages_in(value) for value in values]
    stating = [packages for packages in lists if packages]
    shared = [
        key
        for key in (stating[0] if stating else ())
        if all(key in one and bool(one[key][1]) == bool(stating[0][key][1]) for one in stating)
    ]
    moved = [key for key in shared if len({packages[key][1] for packages in stating}) > 1]
    shown = moved or (shared if len(shared) <= _FEW_PACKAGES else [])
    same = f"{len(shared)} packages in the same versions"
    return [
        (_text([_pinned(*packages[key]) for key in shown]) if shown else same) if packages and shared else ""
        for packages in lists
    ]


def _pinned(name: str, versions: frozenset[str]) -> str:
    """Return a package with its versions."""
    return f"{name} {' and '.join(sorted(versions))}".strip()


def _text(value: Any) -> str:
    """Return VALUE in one line; of a long one the beginning, and a digest by which it is told from others."""
    text = redact(" ".join(_written(value).split()))
    if _DIGEST.fullmatch(text):
        return text[:_SHOWN_DIGITS]
    if len(text) <= _LONGEST:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{text[: _LONGEST - 30]}… (sha256 {digest})"


def _written(value: Any) -> str:
    """Return VALUE as text, whatever it holds."""
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_written(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(_written, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
