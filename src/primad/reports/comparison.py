"""What changed between runs, as people and programs want to read it.

    render_comparison   the types of runs, the fields behind them, and what can be computed: table, csv or json
    render_counted      which fields count, by which rule, and why: table or json

Nothing is compared here.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from primad.metadata.schema import COMPONENTS
from primad.reports._tables import (
    DEFAULT_WIDTH,
    Row,
    aligned,
    csv_text,
    folded,
    harmless,
    json_text,
    padded,
    width_of,
    wrapped,
)
from primad.reproducibility.comparison.counted import counted, described, rule_meanings
from primad.reproducibility.comparison.names import AS_FAR_AS_KNOWN, KINDS
from primad.reproducibility.comparison.terms import VOCABULARIES

if TYPE_CHECKING:
    from primad.reproducibility.comparison import Compared, Comparison, Difference, Group, Possible, Type

# Of more runs the fields are shown only if asked for.
MOST_DETAILED = 10

_CELLS = (48, 32, 24, 16)
_LONGEST_VALUE = 200
_MOST_VALUES = 8
_MOST_FIELDS = 12
_MOST_COMMANDED = 8
_OURS = "*"
_FOOTNOTE = f"{_OURS} several kinds of the PRIMAD literature at once; the name is composed by primad"
_UNSURE = " ?"
UNSURE_NOTE = "? as far as known: of a letter ? both runs state no field in common that decides"
_HOW = (
    "A component changed if a field that counts for it is stated by both runs and differs. A field that only one of "
    "them states is listed as not stated and is never a change. A component is unknown (?) if both state no field of "
    "it in common that can decide. Case, blanks, hyphens and underscores in names do not matter."
)
_STATE = {True: "changed", False: "same", None: "unknown"}


@dataclass(frozen=True)
class View:
    """How much is shown: the fields of each run, other vocabularies, primes instead of upper case; and how wide."""

    details: bool = False
    terms: bool = False
    primed: bool = False
    width: int = DEFAULT_WIDTH

    def letters(self, type_: Type) -> str:
        """Return the letters of a type."""
        return type_.primed() if self.primed else str(type_)


def render_comparison(
    comparison: Comparison,
    form: str,
    *,
    details: bool = False,
    terms: bool = False,
    primed: bool = False,
    width: int | None = None,
) -> str:
    """Return COMPARISON in the given FORM: table, csv or json."""
    if form == "json":
        return json_text(comparison.to_dict())
    if form == "csv":
        return csv_text(_csv_rows(comparison))
    details = details or len(comparison) <= MOST_DETAILED
    return _table(comparison, View(details, terms, primed, width or DEFAULT_WIDTH))


def _table(comparison: Comparison, view: View) -> str:
    """Return a comparison as text: all runs, the fields of each, the groups, and what could not be read."""
    parts = [_matrix(comparison, view) if comparison.original is None else _runs(comparison, view)]
    if view.details:
        is_pair = comparison.original is None
        parts += ["".join(_run_lines(run, view, is_pair=is_pair)) for run in comparison]
    if comparison.original is not None:
        parts += _groups(comparison, view)
    parts.append("".join(_unread_lines(comparison, view)))
    return "\n".join(part for part in parts if part)


# Overviews -------------------------------------------------------------------------------------------------------


def _runs(comparison: Comparison, view: View) -> str:
    """Return a line for each run, below the original."""
    tag = f" ({comparison.original_tag})" if comparison.original_tag not in ("", comparison.original) else ""
    heading = wrapped(harmless(f"{comparison.original}{tag}"), view.width, "original  ")
    if not comparison.runs:
        return heading
    tables = (_run_rows(comparison, view, longest) for longest in _CELLS)
    # Names are cut only as far as the table needs it.
    rows = next((rows for rows in tables if width_of(rows) <= view.width), _run_rows(comparison, view, _CELLS[-1]))
    table = (
        aligned(rows, len(rows[0]))
        if width_of(rows) <= view.width
        else folded(padded(rows, len(rows[0])), 1, view.width)
    )
    return f"{heading}\n{table}{''.join(_footnotes(comparison, view.width))}"


def _run_rows(comparison: Comparison, view: View, longest: int) -> list[Row]:
    """Return a heading and a row for each run, names no longer than LONGEST; a column of tags only if there are any."""
    title, names = _short_names([run.path for run in comparison], longest)
    # Where the runs follow one by one, they say it with the reasons.
    has_terms = view.terms and not view.details
    has_tags = any(run.tag for run in comparison)
    rows = [[title, *(["tag"] if has_tags else []), "type", "kind", *(VOCABULARIES if has_terms else ())]]
    for run in comparison:
        row = [names[run.path], *([_cut(run.tag, longest)] if has_tags else [])]
        rows.append([*row, view.letters(run.type), _marked(run), *(_words(run) if has_terms else ())])
    return rows


def _footnotes(comparison: Comparison, width: int) -> Iterator[str]:
    """Yield what the marks on names mean, if they were used."""
    if any(not run.in_literature for run in comparison):
        yield wrapped(_FOOTNOTE, width)
    if any(run.name.endswith(AS_FAR_AS_KNOWN) for run in comparison):
        yield wrapped(UNSURE_NOTE, width)


def _marked(run: Compared) -> str:
    """Return the name of a run's kind, marked if it is ours, and if it is not sure."""
    name = run.name if run.in_literature else run.name.replace(AS_FAR_AS_KNOWN, "") + f" {_OURS}"
    unsure = run.name.endswith(AS_FAR_AS_KNOWN)
    return name.removesuffix(AS_FAR_AS_KNOWN) + (_UNSURE if unsure else "")


def _words(run: Compared) -> Row:
    """Return what each vocabulary calls a run."""
    words = {term.vocabulary: term.word for term in run.terms}
    return [words.get(name, "") for name in VOCABULARIES]


def _short_names(paths: Sequence[str], longest: int) -> tuple[str, dict[str, str]]:
    """Return the heading and the names of a column of PATHS: a folder they share stands in the heading."""
    folder = _shared_folder(paths)
    names = {path: _cut(os.path.relpath(path, folder) if folder else path, longest, front=True) for path in paths}
    return (f"run in {_cut(folder, longest - len('run in '), front=True)}" if folder else "run"), names


def _shared_folder(paths: Sequence[str]) -> str:
    """Return the folder that all PATHS share, empty if there is none."""
    try:
        folder = os.path.commonpath([str(PurePath(path).parent) for path in paths])
    except ValueError:  # some from the root on, some not
        return ""
    return "" if folder == os.curdir else folder


def _cut(text: str, longest: int, *, front: bool = False) -> str:
    """Return TEXT for a cell; of one that is too long the end is cut, or the FRONT, as the end of a path says more."""
    plain = harmless(text)
    if len(plain) <= longest:
        return plain
    return "…" + plain[1 - longest :] if front else plain[: longest - 1] + "…"


def _matrix(comparison: Comparison, view: View) -> str:
    """Return the types of all pairs, columns by number."""
    if len(comparison.paths) <= 1:
        return ""
    title, names = _short_names(comparison.paths, _CELLS[-2])
    types = {frozenset((run.original, run.path)): view.letters(run.type) for run in comparison}
    rows = [["", title, *(str(number) for number, _ in enumerate(comparison.paths, 1))]]
    for number, one in enumerate(comparison.paths, 1):
        cells = ["·" if one == two else types.get(frozenset((one, two)), "") for two in comparison.paths]
        rows.append([str(number), names[one], *cells])
    return folded(rows, 2, view.width)


# One run ---------------------------------------------------------------------------------------------------------


def _run_lines(run: Compared, view: View, *, is_pair: bool) -> Iterator[str]:
    """Yield what there is to say about one run; of a PAIR both are named."""
    name = f"{run.original} and {run.path}" if is_pair else run.path
    yield wrapped(harmless(f"{name}: {view.letters(run.type)}, {run.name}"), view.width)
    yield wrapped(run.meaning, view.width, "  ")
    for component, fields in run.changed.items():
        yield f"  {component}\n"
        for one in fields:
            yield from _difference_lines(one, component, view.width)
    yield from _listing("stated by the original only", run.only_original, view.width)
    yield from _listing("stated by this run only", run.only_other, view.width)
    if run.spelled:
        same = [f"{one.field} ({_said(one.original)} = {_said(one.other)})" for one in run.spelled]
        yield from _listing("the same but for its spelling", same, view.width)
    for note in run.notes:
        yield wrapped(note, view.width, "  note: ")
    if view.terms:
        room = max(map(len, VOCABULARIES))
        for term in run.terms:
            yield wrapped(harmless(f"{term.word}: {term.reason}"), view.width, f"  {term.vocabulary:<{room}}  ")


def _difference_lines(one: Difference, component: str, width: int) -> Iterator[str]:
    """Yield a field of COMPONENT with both values, in one line if they fit."""
    field = harmless(one.field.removeprefix(f"{component}."))
    original, other = _said(one.original), _said(one.other)
    line = f"    {field}: {original} → {other}"
    if len(line) <= width:
        yield f"{line}\n"
        return
    yield f"    {field}\n"
    yield wrapped(original, width, "      original  ")
    yield wrapped(other, width, "      this run  ")


def _listing(what: str, fields: Sequence[str], width: int) -> Iterator[str]:
    """Yield FIELDS behind what they have in common, or below it where one is too long; the last of many are counted."""
    if not fields:
        return
    shown = [harmless(field) for field in fields[:_MOST_FIELDS]]
    more = f" and {len(fields) - _MOST_FIELDS:,} more" if len(fields) > _MOST_FIELDS else ""
    heading, text = f"  {what}: ", ", ".join(shown) + more
    words = max(map(len, text.split()))
    if len(heading) + words <= width:
        yield wrapped(text, width, heading)
    else:
        yield f"{heading.rstrip()}\n"
        yield wrapped(text, width, "    ")


def _said(value: Any) -> str:
    """Return a value of a record in a line, the last of many elements only counted, and a long text cut."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "(not stated)"
    if isinstance(value, list):
        more = f" and {len(value) - _MOST_VALUES:,} more" if len(value) > _MOST_VALUES else ""
        return _cut(", ".join(_said(one) for one in value[:_MOST_VALUES]), _LONGEST_VALUE) + more
    if isinstance(value, dict):
        return _cut(", ".join(f"{key}: {_said(inner)}" for key, inner in value.items()), _LONGEST_VALUE)
    return _cut(" ".join(str(value).split()), _LONGEST_VALUE)


# Groups ----------------------------------------------------------------------------------------------------------


def _groups(comparison: Comparison, view: View) -> Iterator[str]:
    """Yield each group of runs; measures that are those of the group before are not listed again."""
    said: tuple[Possible, ...] | None = None
    for group in comparison.groups():
        count = f"{len(group.paths):,} run{'s' * (len(group.paths) != 1)}"
        lines = [wrapped(f"{view.letters(group.type)}, {group.name}: {count}", view.width)]
        lines += ["  measures as above\n"] if group.measures == said else _possible_lines(group, view.width)
        yield "".join([*lines, *_command_lines(group, comparison.original or "")])
        said = group.measures


def _possible_lines(group: Group, width: int) -> Iterator[str]:
    """Yield what can be computed for a group, what perhaps, and what not."""
    by_state = {state: [one for one in group.measures if one.is_possible is state] for state in _STATE}
    yield from _measure_lines("can be computed", by_state[True], width)
    yield from _measure_lines("perhaps", by_state[None], width)
    yield from _measure_lines("cannot be computed", by_state[False], width)


def _measure_lines(what: str, measures: Sequence[Possible], width: int) -> Iterator[str]:
    """Yield MEASURES with what they have in common, those of one reason together."""
    by_reason: dict[str, list[str]] = {}
    for one in measures:
        by_reason.setdefault(one.reason, []).append(one.measure)
    parts = [", ".join(names) + (f" ({reason})" if reason else "") for reason, names in by_reason.items()]
    if parts:
        yield wrapped("; ".join(parts), width, f"  {what}: ")


def _command_lines(group: Group, original: str) -> Iterator[str]:
    """Yield the command that assesses a group; of many runs only the first are named."""
    if len(group.paths) <= _MOST_COMMANDED:
        yield f"  {harmless(group.command)}\n"
        return
    words = ["primad", "assess", "--original", original]
    words += [word for path in group.paths[:2] for word in ("--reproduction", path)]
    yield f"  {harmless(shlex.join(words))} …\n"
    yield f"  (--format json has the command with all {len(group.paths):,} runs)\n"


def _unread_lines(comparison: Comparison, view: View) -> Iterator[str]:
    """Yield the files of which nothing can be said, and how many were not asked for."""
    for one in comparison.without_metadata:
        yield wrapped(harmless(f"{one.path}: {one.reason}"), view.width, "nothing known of ")
    if comparison.left_out:
        runs = "run does" if comparison.left_out == 1 else "runs do"
        yield f"{comparison.left_out:,} {runs} not meet the conditions\n"


# For programs ----------------------------------------------------------------------------------------------------


def _csv_rows(comparison: Comparison) -> Iterator[list[str]]:
    """Yield a heading, and a row for each run."""
    letters = [component.replace(" ", "_") for component in COMPONENTS]
    kept = ["changed_fields", "stated_by_original_only", "stated_by_run_only"]
    yield ["original", "run", "tag", "type", "name", "in_literature", "parameters_only", *letters, *kept]
    for run in comparison:
        changed = [one.field for fields in run.changed.values() for one in fields]
        yield [
            comparison.original or run.original,
            *(run.path, run.tag, str(run.type), run.name),
            *(str(flag).lower() for flag in (run.in_literature, run.parameters_only)),
            *(_STATE[change] for change in run.type.changes),
            *("; ".join(fields) for fields in (changed, run.only_original, run.only_other)),
        ]


# What counts -----------------------------------------------------------------------------------------------------


def render_counted(form: str, width: int | None = None) -> str:
    """Return which fields decide over each component, as a table or as JSON."""
    if form == "json":
        components = {name: [_rule_facts(rule) for rule in rules] for name, rules in counted().items()}
        kinds = [vars(kind) for kind in KINDS.values()]
        return json_text(
            {"schema": "primad.counted/1", "rules": rule_meanings(), "components": components, "kinds": kinds}
        )
    room = width or DEFAULT_WIDTH
    components_ = ("".join(_component_lines(name, room)) for name in COMPONENTS)
    return "\n".join(["".join(_rule_lines(room)), *components_, "".join(_kind_lines(room))])


def _rule_lines(width: int) -> Iterator[str]:
    """Yield what the rules mean."""
    yield wrapped(_HOW, width)
    for rule, meaning in rule_meanings().items():
        yield wrapped(meaning, width, f"  {rule}: ")


def _rule_facts(rule: Any) -> dict[str, Any]:
    """Return a rule for a program, without what says nothing."""
    facts = {key: value for key, value in vars(rule).items() if value and key != "component"}
    return {"except" if key == "but" else key: value for key, value in facts.items()}


def _component_lines(component: str, width: int) -> Iterator[str]:
    """Yield the rules of a component, and the fields that never count."""
    yield f"{component} ({component[0].upper()})\n"
    for rule in counted()[component]:
        is_rest = rule.rule == "parameters"
        fields = ["all else"] if is_rest else [path.removeprefix(f"{component}.") for path in rule.fields]
        kept = f", but not {', '.join(rule.but)}" if rule.but else ""
        yield wrapped(f"{', '.join(fields)}{kept}", width, f"  {rule.rule}: ")
        yield wrapped(rule.why, width, "      ")
    silent = [path.removeprefix(f"{component}.") for path in described(component)]
    if silent:
        yield wrapped(", ".join(silent), width, "  never: ")


def _kind_lines(width: int) -> Iterable[str]:
    """Yield the kinds of the literature."""
    yield "kinds of the PRIMAD literature; several at once are joined by +\n"
    room = max(map(len, KINDS))
    for kind in KINDS.values():
        yield wrapped(f"{kind.done}; shows {kind.shows}", width, f"  {kind.name:<{room}}  ")
