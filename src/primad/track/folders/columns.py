"""Which columns of a track stand in its folder of YAML, and how?

    COLUMNS    the columns of each kind of row that are written out as they are
    described  a row as a plain tree; what is as it is by default is left out
    in_order   a tree as every database has it
    values_of  the columns that a node describes, checked, each with its line where it is wrong

Columns that point to other rows or to files are not here: they become names and folders, in exporting and importing.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from primad.errors import FormatError, Problem
from primad.metadata.showing import harmless
from primad.safe_yaml import Node
from primad.store.models import Event
from primad.track import models

COLUMNS: dict[Any, tuple[str, ...]] = {
    models.Track: ("slug", "title", "about", "source", "phase", "dates", "budget", "blind", "created_at"),
    models.Task: (
        "title",
        "about",
        "kind",
        "scorer",
        "settings",
        "primary",
        "profile",
        "limits",
        "network_to_install",
        "original",
    ),
    models.DataSet: ("about", "public"),
    models.Team: ("title", "contact", "note"),
    models.Submission: ("title", "about", "submitted_at", "eligible", "reason", "withdrawn_at"),
    models.Output: ("configuration", "values", "scored", "conditions", "record"),
    models.System: ("version", "kind", "manifest", "operating_system", "language", "instructions", "submitted_at"),
    models.Analyst: ("title", "role", "background", "conflicts"),
    models.Machine: ("facts", "record"),
    models.Assignment: ("by_hand", "note"),
    models.Attempt: (
        "configuration",
        "state",
        "stage",
        "reason",
        "note",
        "opened_at",
        "closed_at",
        "run_seconds",
        "replay",
        "scored",
        "record",
        "level",
        "level_note",
    ),
    models.Span: ("stage", "started_at", "ended_at", "note", "corrected"),
    models.Question: ("asked_at", "text", "answered_at", "answer"),
    models.Sheet: ("answers", "locked_at"),
    models.Verdict: ("agreement", "points", "primary", "submitted", "replicated", "content", "made_at"),
    models.Published: ("table", "name", "content"),
    Event: ("whom", "verb", "subject", "details"),
}
_LAST_YEAR = 9999
_LARGEST_INTEGER = 1 << 31  # that a column of either database holds
_EXPECTED = {
    "CharField": "a text",
    "TextField": "a text",
    "JSONField": "a mapping",
    "BooleanField": "yes or no",
    "IntegerField": "a whole number",
    "FloatField": "a number",
    "DateTimeField": "a time such as 2016-05-01T12:00:00+00:00",
}


def _field(model: Any, name: str) -> Any:
    """Return the column NAME of MODEL as Django has it."""
    return model._meta.get_field(name)  # noqa: SLF001 - Django documents it


def described(row: Any) -> dict[str, Any]:
    """Return ROW as a plain tree, columns that are as they are by default left out."""
    model = type(row)
    values = {name: getattr(row, name) for name in COLUMNS[model]}
    return {
        name: value.isoformat() if isinstance(value, datetime) else in_order(value)
        for name, value in values.items()
        if value is not None and value != _default(model, name)
    }


def in_order(tree: Any) -> Any:
    """Return TREE with the keys of mappings in order: PostgreSQL keeps them in an order of its own."""
    if isinstance(tree, dict):
        return {key: in_order(tree[key]) for key in sorted(tree)}
    return [in_order(one) for one in tree] if isinstance(tree, list) else tree


def _default(model: Any, name: str) -> Any:
    """Return what the column NAME of MODEL is by default, None where it has no default."""
    field = _field(model, name)
    return field.get_default() if field.has_default() else None


def values_of(model: Any, node: Node, file: str, others: Sequence[str] = ()) -> dict[str, Any]:
    """Return the columns of MODEL that NODE, in FILE, describes; OTHERS are keys that somebody else reads.

    A time that must be there and is not is now: who writes a folder by hand need not know it.
    """
    if not isinstance(node.value, dict):
        raise FormatError(file, [Problem(node.line or 1, "a mapping", f"{node.text or 'something else'!r:.60}")])
    known = COLUMNS[model]
    problems = list(_unknown(node, (*known, *others)))
    values: dict[str, Any] = {}
    for name in known:
        found = node.value.get(name)
        field = _field(model, name)
        if found is None or found.value is None:
            if not field.has_default() and not field.null and field.get_internal_type() != "DateTimeField":
                problems.append(Problem(node.line or 1, f"a value for {name}", "none"))
            elif not field.has_default() and not field.null:
                values[name] = datetime.now(UTC)
            continue
        try:
            values[name] = _value(field, found)
        except ValueError as error:
            expected = f"{_EXPECTED[field.get_internal_type()]} as {name}{error}"
            problems.append(Problem(found.line, expected, f"{_shown(found)!r}"))
    if problems:
        raise FormatError(file, problems)
    return values


def _unknown(node: Node, known: Sequence[str]) -> Iterator[Problem]:
    """Yield what is wrong with keys of NODE that are none of the KNOWN."""
    for key, value in node.value.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            yield Problem(value.line, f"one of {', '.join(known)}", f"'{harmless(key[:60])}'{meant}")


def _shown(node: Node) -> str:
    """Return NODE as a message has room for it."""
    return harmless(str(node.text if node.text is not None else node.plain())[:60])


def _value(field: Any, node: Node) -> Any:
    """Return the value of NODE as the column FIELD has it; a ValueError says what else was expected."""
    kind = field.get_internal_type()
    value = node.plain()
    if kind in ("CharField", "TextField"):
        return _text(field, node)
    if kind == "DateTimeField":
        return _moment(node)
    is_right = {
        "JSONField": isinstance(value, dict),
        "BooleanField": isinstance(value, bool),
        "IntegerField": isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST_INTEGER,
        "FloatField": isinstance(value, int | float) and not isinstance(value, bool),
    }[kind]
    if not is_right:
        raise ValueError
    return float(value) if kind == "FloatField" else value


def _text(field: Any, node: Node) -> str:
    """Return the text of NODE, numbers and the like as they were written."""
    if isinstance(node.value, dict | list):
        raise ValueError  # noqa: TRY004 - said above as what was expected
    text = node.value if isinstance(node.value, str) else str(node.text)
    if field.max_length and len(text) > field.max_length:
        raise ValueError(f" of at most {field.max_length} characters")
    if field.choices and text not in dict(field.choices):
        raise ValueError(f", one of {', '.join(filter(None, dict(field.choices)))}")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _moment(node: Node) -> datetime:
    """Return the time that NODE writes; one without a zone is in UTC."""
    text = node.value if isinstance(node.value, str) else str(node.text)
    moment = datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if not 1 < moment.year < _LAST_YEAR:  # some zone has no such time
        raise ValueError
    return moment
