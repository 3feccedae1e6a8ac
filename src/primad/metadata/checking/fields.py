"""What is wrong with a record, field by field?

    check_fields    every finding about a record against a profile
    missing_fields  the essential fields that a record does not state
    fault_of        what is wrong with a text as the value of a field
    completeness    how much of what matters is stated

Missing fields by their importance, placeholders, types, encodings, vocabularies, and the rules that join fields: who
reproduces a run names exactly that run as baseline, and stages refer to stages that exist.  Of one code the first 100
findings are kept, and one more counts the others: a record may come from anybody, and have a fault on every line.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from primad.metadata.checking.findings import Completeness, Finding, Severity, Share
from primad.metadata.encodings import complaint
from primad.metadata.paths import EACH, find, leaves, parse, value_at, written
from primad.metadata.record import PLACEHOLDER, is_stated
from primad.metadata.schema import COMPONENTS, Field
from primad.metadata.typed import EXPECTED, type_faults
from primad.metadata.values import QUANTITY, converted
from primad.safe_yaml import Node

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from primad.metadata.paths import Path
    from primad.metadata.profile import Profile
    from primad.metadata.reading import Metadata
    from primad.metadata.record import Tree
    from primad.metadata.schema import Schema

_LONGEST_SHOWN = 60
_MOST_OF_A_CODE = 100
_MOST_STAGES_NAMED = 5
_NEAR = 0.85
_NEAR_KEY = 0.75
_MOST_UNKNOWN = 50
_OUT_OF_REACH = {
    "uncommitted changes": ("had changes that are in no commit", "commit them and run it again"),
    "unpushed changes": ("is in a commit that was not published", "push it"),
}
_REFERRING = ("reranks", "interpolates", "ensembles")


def check_fields(metadata: Metadata, profile: Profile) -> list[Finding]:
    """Return everything that is wrong with the record of METADATA for PROFILE."""
    tree, schema = metadata.record.tree, profile.schema
    check = _Check(metadata)
    filled_in = _check_values(check, tree, schema)
    for path, expected in type_faults(tree, schema):
        if path not in filled_in:
            check.add(path, "error", "type", f"expected {expected}, found {_shown(value_at(tree, path))}")
    _check_missing(check, tree, schema, filled_in)
    _check_baseline(check, tree)
    _check_stages(check, tree)
    _check_source(check, tree)
    _check_unknown(check, tree, schema)
    return check.findings + check.left_out()


class _Check:
    """Collects findings about one file, of each code as many as a person may want to read."""

    def __init__(self, metadata: Metadata) -> None:
        """Find the lines of fields in METADATA."""
        self.metadata = metadata
        self.findings: list[Finding] = []
        self._times: Counter[str] = Counter()
        self._first_left_out: dict[str, Path] = {}
        self._worst_left_out: dict[str, Severity] = {}

    def add(
        self, path: Path, severity: Severity, code: str, message: str, advice: str = "", importance: str = ""
    ) -> None:
        """Note what is wrong with the field at PATH, or only that there is more."""
        self._times[code] += 1
        if self._times[code] > _MOST_OF_A_CODE:
            self._first_left_out.setdefault(code, path)
            # A file whose only errors are left out is not free of errors.
            self._worst_left_out[code] = "error" if severity == "error" else self._worst_left_out.get(code, severity)
            return
        line = self.metadata.line_of(path)
        finding = Finding(self.metadata.name, line, written(path), severity, code, message, advice, importance)
        self.findings.append(finding)

    def left_out(self) -> list[Finding]:
        """Return for each code how many findings were left out, at the first of them."""
        return [
            Finding(
                self.metadata.name,
                self.metadata.line_of(path),
                written(path),
                self._worst_left_out[code],
                code,
                f"is the first of {self._times[code] - _MOST_OF_A_CODE:,} more of the same kind",
            )
            for code, path in self._first_left_out.items()
        ]


def _check_values(check: _Check, tree: Tree, schema: Schema) -> set[Path]:
    """Check the form of each value; return where placeholders stand."""
    placeholders: set[Path] = set()
    malformed: dict[tuple[Path, str, Severity], list[str]] = defaultdict(list)
    of_list: dict[Path, Field | None] = {}
    for path, value in leaves(tree):
        if isinstance(value, str) and PLACEHOLDER in value:
            placeholders.add(path)
            check.add(path, "error", "placeholder", f"expected a value, found {PLACEHOLDER}", "fill it in or remove it")
            continue
        if isinstance(path[-1], int):
            if path[:-1] not in of_list:
                of_list[path[:-1]] = _field_of(path, schema)
            field = of_list[path[:-1]]
        else:
            field = schema.field_at(path)
        if field is None or not is_stated(value) or isinstance(value, dict | list):
            continue
        wrong = complaint(field.encoding, value) if field.encoding else None
        if wrong:
            # Ninety libraries without version are one finding.
            place = path[:-1] if isinstance(path[-1], int) else path
            malformed[place, wrong.expected, wrong.severity].append(_shown(value))
        elif field.vocabulary and isinstance(value, str):
            _check_vocabulary(check, path, value, field)
    for (path, expected, severity), values in malformed.items():
        more = f" and {len(values) - 1} more" if len(values) > 1 else ""
        check.add(path, severity, "encoding", f"expected {expected}, found {values[0]}{more}")
    return placeholders


def _field_of(path: Path, schema: Schema) -> Field | None:
    """Return the field of the list that has an element at PATH."""
    field = schema.field_at(path[:-1])
    if field is None:
        above = schema.field_at(path[:-2])
        field = _PACKAGE if above and above.type == "libraries" else None
    return field


# One library of a language that the schema does not name.
_PACKAGE = Field("library", encoding="package")


def _check_vocabulary(check: _Check, path: Path, value: str, field: Field) -> None:
    """Refuse what a closed vocabulary has not; warn of what an open one has in nearly the same spelling."""
    name = value.split("==", 1)[0]
    if name in field.vocabulary:
        return
    if field.closed:
        known = " or ".join(field.vocabulary)
        check.add(path, "error", "vocabulary", f"expected {known}, found {_shown(value)}")
        return
    near = _near_word(name, field.vocabulary)
    if near:
        check.add(path, "warning", "vocabulary", f"found {_shown(value)}; did you mean '{near}'?")


@lru_cache(maxsize=1024)
def _near_word(name: str, vocabulary: tuple[str, ...]) -> str | None:
    """Return the word of VOCABULARY that NAME nearly is."""
    lower = {word.lower(): word for word in vocabulary}
    # P_5 is not P_10 misspelt, nor is python3 python.
    if _letters(name) in map(_letters, lower):
        return None
    near = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=_NEAR)
    return lower[near[0]] if near else None


def _letters(name: str) -> str:
    """Return NAME without its numbers."""
    return re.sub(r"[0-9]+", "", name.lower())


def _check_missing(check: _Check, tree: Tree, schema: Schema, placeholders: set[Path]) -> None:
    """Note each field that is demanded and not stated, unless a placeholder says so already."""
    said_already = {place[:length] for place in placeholders for length in range(len(place) + 1)}
    for field in _demanded(schema):
        if not _applies(field, tree):
            continue
        severity: Severity = "error" if field.importance == "essential" else "warning"
        for path in _missing(field.steps, tree):
            if path in said_already:
                continue
            message = f"is not stated, but {field.importance}"
            check.add(path, severity, "missing", message, field.why, field.importance)


def missing_fields(tree: Tree, profile: Profile) -> list[tuple[str, Field]]:
    """Return each essential field that TREE does not state, with its path."""
    return [
        (written(path), field)
        for field in _demanded(profile.schema)
        if field.importance == "essential" and _applies(field, tree)
        for path in _missing(field.steps, tree)
    ]


def fault_of(text: str, field: Field) -> str | None:
    """Return what is wrong with TEXT as the value of FIELD, None if nothing is."""
    node = Node(text)
    converted(node, field)
    is_still_text = field.type in ("integer", "number", "boolean") and isinstance(node.value, str)
    if is_still_text or (field.type == "quantity" and not QUANTITY.fullmatch(str(node.value))):
        return f"expected {EXPECTED[field.type]}, found '{text}'"
    if field.closed and text not in field.vocabulary:
        return f"expected {' or '.join(field.vocabulary)}, found '{text}'"
    wrong = complaint(field.encoding, text) if field.encoding else None
    return f"expected {wrong.expected}, found '{text}'" if wrong and wrong.severity == "error" else None


@lru_cache(maxsize=32)  # as many as profiles are kept
def _demanded(schema: Schema) -> tuple[Field, ...]:
    """Return the fields that matter."""
    return tuple(field for field in schema.fields if field.importance != "optional")


def _applies(field: Field, tree: Tree) -> bool:
    """Tell whether the demand for FIELD holds for this record."""
    if field.only_if and not _has(tree, field.only_if):
        return False
    return not (field.unless and _has(tree, field.unless))


def _has(tree: Tree, path: str) -> bool:
    """Tell whether anything stands at PATH, be it a placeholder; a blank text is nothing."""
    found = (value.strip() if isinstance(value, str) else value for _, value in find(tree, parse(path)))
    return any(value not in (None, {}, [], "") for value in found)


def _missing(steps: Path, tree: Any) -> Iterator[Path]:
    """Yield each place of TREE where the field at STEPS should be stated and is not: of a list, each such element."""
    if EACH not in steps:
        if not is_stated(value_at(tree, steps)):
            yield steps
        return
    place = steps.index(EACH)
    head, tail = steps[:place], steps[place + 1 :]
    elements = value_at(tree, head)
    for index, element in enumerate(elements if isinstance(elements, list) else ()):
        yield from ((*head, index, *rest) for rest in _missing(tail, element))


def _check_baseline(check: _Check, tree: Tree) -> None:
    """Demand of a reproducer the tag of the run that is reproduced, and only that."""
    if value_at(tree, ("actor", "role")) != "reproducer":
        return
    path = ("research goal", "evaluation", "baseline")
    baselines = value_at(tree, path)
    stated = [one for one in baselines if is_stated(one)] if isinstance(baselines, list) else []
    if len(stated) != 1:
        message = (
            f"expected exactly one tag, that of the run reproduced, as actor.role is reproducer, found {len(stated)}"
        )
        check.add(path, "error", "baseline", message, "state the tag of the run that was reproduced")


def _check_source(check: _Check, tree: Tree) -> None:
    """Warn of code that nobody else can get, as long as its author can still do something about it."""
    for key, (what, advice) in _OUT_OF_REACH.items():
        path = ("implementation", "source", key)
        if value_at(tree, path) is True:
            check.add(path, "warning", "source", f"the code that ran {what}", advice)


def _check_unknown(check: _Check, tree: Tree, schema: Schema) -> None:
    """Warn of keys that no schema knows but that look like a known one misspelt."""
    for path, mapping in itertools.islice(_unknown(tree, (), (), schema), _MOST_UNKNOWN):
        near = difflib.get_close_matches(
            str(path[-1]).lower(), _known_keys(_as_in_a_schema(path[:-1]), schema), n=1, cutoff=_NEAR_KEY
        )
        if near and near[0] not in mapping:
            check.add(path, "warning", "unknown", f"is no field of the schema; did you mean '{near[0]}'?")


def _unknown(value: Any, path: Path, steps: Path, schema: Schema) -> Iterator[tuple[Path, Tree]]:
    """Yield the path of each key below VALUE that SCHEMA does not know, and the mapping it stands in.

    STEPS is the path of VALUE as a schema has it.  Where a schema knows no keys at all, any may stand.
    """
    known = _prefixes(schema)
    if isinstance(value, list) and (*steps, EACH) in known:
        for place, element in enumerate(value):
            yield from _unknown(element, (*path, place), (*steps, EACH), schema)
    elif isinstance(value, dict) and _known_keys(steps, schema):
        for key, inner in value.items():
            if (*steps, key) not in known:
                yield (*path, key), value
            elif isinstance(inner, dict | list):
                yield from _unknown(inner, (*path, key), (*steps, key), schema)


@lru_cache(maxsize=32)
def _prefixes(schema: Schema) -> frozenset[Path]:
    """Return every path at which a field stands, or below which one stands."""
    return frozenset(field.steps[:length] for field in schema.fields for length in range(1, len(field.steps) + 1))


@lru_cache(maxsize=4096)
def _known_keys(steps: Path, schema: Schema) -> tuple[str, ...]:
    """Return the keys that SCHEMA knows in the mapping at STEPS."""
    keys = {path[len(steps)] for path in _prefixes(schema) if len(path) == len(steps) + 1 and path[:-1] == steps}
    return tuple(sorted(str(key) for key in keys if key != EACH))


def _as_in_a_schema(path: Path) -> Path:
    """Return PATH as a schema has it: without places in lists."""
    return tuple(EACH if isinstance(step, int) else step for step in path)


def _check_stages(check: _Check, tree: Tree) -> None:
    """Demand that stages refer to other stages that exist, and have names that tell them apart."""
    stages = [(path, stage) for path, stage in find(tree, ("method", "retrieval", EACH)) if isinstance(stage, dict)]
    names = Counter(stage["name"] for _, stage in stages if _is_name(stage.get("name")))
    for name, times in names.items():
        if times > 1:
            message = f"expected a name per stage, found {_shown(name)} {times} times"
            check.add(("method", "retrieval"), "warning", "stage", message)
    known = _enumerated(names)
    for path, stage in stages:
        for key in _REFERRING:
            for target in filter(is_stated, _as_list(stage.get(key))):
                if not _is_name(target) or target not in names:
                    message = f"expected the name of a stage ({known}), found {_shown(target)}"
                    check.add((*path, key), "error", "stage", message)
                elif target == stage.get("name"):
                    check.add((*path, key), "error", "stage", f"expected another stage, found {_shown(target)} itself")


def _is_name(value: Any) -> bool:
    """Tell whether VALUE can be the name of a stage."""
    return is_stated(value) and not isinstance(value, dict | list)


def _enumerated(names: Collection[Any]) -> str:
    """Return the first of NAMES as text, and how many more there are."""
    if not names:
        return "none has one"
    first = ", ".join(str(name)[:_LONGEST_SHOWN] for name in islice(names, _MOST_STAGES_NAMED))
    more = len(names) - _MOST_STAGES_NAMED
    return f"{first} and {more:,} more" if more > 0 else first


def _as_list(value: Any) -> list[Any]:
    """Return VALUE as a list."""
    return value if isinstance(value, list) else [value]


def _shown(value: Any) -> str:
    """Return VALUE as it is shown in a message."""
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def completeness(tree: Tree, profile: Profile) -> Completeness:
    """Return how many of the fields that matter for PROFILE are stated in TREE."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("general", *COMPONENTS)}
    for field in _demanded(profile.schema):
        if not _applies(field, tree) or _is_moot(field, tree):
            continue
        count = counts.setdefault(field.component, Counter())
        count[field.importance] += 1
        if next(_missing(field.steps, tree), None) is None:
            count[field.importance + " stated"] += 1
    shares = [
        Share(name, n["essential"], n["essential stated"], n["recommended"], n["recommended stated"])
        for name, n in counts.items()
    ]
    return Completeness(tuple(share for share in shares if share.total))


def _is_moot(field: Field, tree: Tree) -> bool:
    """Tell whether FIELD belongs to elements of a list that has none: then the list itself counts."""
    return EACH in field.steps and not value_at(tree, field.steps[: field.steps.index(EACH)])
