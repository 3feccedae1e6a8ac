"""What a run says about itself, and what is wrong with it, as people and programs want to read it.

    render_record   a record as a readable tree, as YAML or as JSON
    render_checks   findings about files as a table or as JSON
    render_fields   the fields of a profile as a table, or with all facts
    render_schema   the same as JSON Schema

Nothing is checked or computed here.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from primad.metadata.record import is_stated
from primad.metadata.schema import COMPONENTS
from primad.metadata.showing import harmless
from primad.metadata.typed import json_schema
from primad.reports._tables import DEFAULT_WIDTH, json_text
from primad.reports.lists import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.metadata.checking.findings import Checked, Completeness, Finding, RankingFacts
    from primad.metadata.profile import Profile
    from primad.metadata.reading import Metadata
    from primad.metadata.schema import Schema

JSON_VERSION = 1

_TIE_ORDERS = {
    "no ties": "",
    "falling document identifiers": ", in the order of falling identifiers",
    "rising document identifiers": ", in the order of rising identifiers",
    "neither": ", in no order of identifiers",
}
_LAYOUT = "\n\t" + "".join(map(chr, range(0xDC80, 0xDD00)))  # stray bytes of names go out as they came in
_MOST_ELEMENTS = 12
_NARROWEST = 40


def render_record(metadata: Metadata, form: str, width: int | None = None) -> str:
    """Return the record of METADATA in the given FORM: tree, yaml or json."""
    if form == "yaml":
        return metadata.record.to_yaml()
    if form == "json":
        return json_text(
            {
                "version": JSON_VERSION,
                "file": metadata.name,
                "record": metadata.record.ordered(),
                "moved": [{"from": move.old, "to": move.new} for move in metadata.moves],
            }
        )
    tree = _tree(metadata.record.ordered(), "", width or DEFAULT_WIDTH)
    return harmless("".join(f"{line}\n" for line in tree), keep=_LAYOUT)


def _tree(tree: dict[str, Any], indent: str, width: int) -> Iterator[str]:
    """Yield the lines of a readable tree: keys that belong together are aligned."""
    room = max((len(key) for key, value in tree.items() if not _is_nested(value)), default=0)
    for key, value in tree.items():
        if not _is_nested(value):
            said = _listed(value) if isinstance(value, list) else _said(value)
            yield from _hanging(f"{indent}{key:<{room}}  ", said, width)
        elif isinstance(value, dict):
            yield f"{indent}{key}"
            yield from _tree(value, indent + "  ", width)
        else:
            yield f"{indent}{key}"
            yield from _elements(value, indent + "  ", width)


def _is_nested(value: Any) -> bool:
    """Tell whether VALUE takes lines of its own: a mapping, or a list of such."""
    inner = value if isinstance(value, list) else [value]
    return any(isinstance(one, dict | list) and one for one in inner)


def _elements(values: list[Any], indent: str, width: int) -> Iterator[str]:
    """Yield the lines of a list that holds mappings or lists, one below the other."""
    for value in values:
        inner = value if isinstance(value, dict) and value else {"": value}
        first, *others = _tree(inner, indent + "  ", width)
        yield f"{indent}- {first.strip()}".rstrip()
        yield from others


def _listed(values: list[Any]) -> str:
    """Return the elements of a list in a line, the last ones of a long list only counted."""
    shown = ", ".join(_said(value) for value in values[:_MOST_ELEMENTS])
    more = f" and {len(values) - _MOST_ELEMENTS} more" if len(values) > _MOST_ELEMENTS else ""
    return shown + more or _said(None)


def _hanging(start: str, text: str, width: int) -> Iterator[str]:
    """Yield TEXT behind START, further lines below the text."""
    room = max(width - len(start), _NARROWEST)
    wrap = textwrap.TextWrapper(room, break_long_words=False, break_on_hyphens=False).wrap
    lines = [part for line in text.split("\n") for part in wrap(line) or [""]]
    for place, line in enumerate(lines):
        yield f"{start if place == 0 else ' ' * len(start)}{line}".rstrip()


def _said(value: Any) -> str:
    """Return a value as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).strip() if is_stated(value) else "(not stated)"


def render_checks(checked: Sequence[Checked], form: str, width: int | None = None) -> str:
    """Return what was found about files in the given FORM: table or json."""
    if form == "json":
        good = all(one.is_good for one in checked)
        return json_text({"version": JSON_VERSION, "good": good, "files": [*map(_facts, checked)]})
    several = len(checked) > 1
    parts = [
        "\n".join(_file_lines(one, width or DEFAULT_WIDTH))
        for one in checked
        if not (several and one.is_good and not one.findings)
    ]
    return harmless("\n\n".join([*parts, _summary(checked)] if several else parts) + "\n", keep=_LAYOUT)


def _file_lines(one: Checked, width: int) -> Iterator[str]:
    """Yield what was found about one file."""
    verdict = "good" if one.is_good else "not good"
    yield f"{one.file}: {verdict}; {many(one.errors, 'error')}, {many(one.warnings, 'warning')}"
    if one.metadata_file != one.file:
        yield f"  metadata in {one.metadata_file}"
    if one.ranking:
        yield from _hanging("  ranking: ", _said_ranking(one.ranking), width)
    if one.completeness:
        yield from _hanging("  complete: ", _said_completeness(one.completeness), width)
    for severity in ("error", "warning"):
        found = [finding for finding in one.findings if finding.severity == severity]
        for finding in (finding for finding in found if not _is_minor(finding)):
            yield from _finding_lines(finding, one, width)
        yield from _missing_lines([finding for finding in found if _is_minor(finding)], width)


def _is_minor(finding: Finding) -> bool:
    """Tell whether FINDING is one of many fields that would be nice to have."""
    return finding.code == "missing" and finding.importance == "recommended"


def _finding_lines(finding: Finding, one: Checked, width: int) -> Iterator[str]:
    """Yield a finding: where, how bad, what; and what to do or why it matters below it."""
    files = {one.metadata_file: "metadata, ", one.file: ""}
    where = files.get(finding.file, f"{finding.file}, ") + (f"line {finding.line}: " if finding.line else "")
    what = f"{finding.field} {finding.message}" if finding.code == "missing" else _with_field(finding)
    yield from _hanging(f"  {finding.severity:<7}  ", f"{where}{what}", width)
    if finding.advice:
        yield from _hanging(" " * 11, finding.advice, width)


def _with_field(finding: Finding) -> str:
    """Return the message, with the field it is about."""
    return f"{finding.field}: {finding.message}" if finding.field else finding.message


def _missing_lines(findings: Sequence[Finding], width: int) -> Iterator[str]:
    """Yield the recommended fields that are missing, a line for each component."""
    by_component: dict[str, list[str]] = defaultdict(list)
    for finding in findings:
        component, dot, field = finding.field.partition(".")
        by_component[component if dot else "general"].append(field or component)
    known = [name for name in ("general", *COMPONENTS) if name in by_component]
    for component in dict.fromkeys([*known, *by_component]):
        fields = ", ".join(by_component[component])
        yield from _hanging("  warning  ", f"{component}: recommended and not stated: {fields}", width)


def _said_ranking(facts: RankingFacts) -> str:
    """Return what a ranking is like."""
    depth = many(facts.depth, "document")
    depth = depth if facts.depth == facts.shortest else f"{facts.shortest:,} to {depth}"
    ties = f"{100 * facts.tied_share:.1f} % of scores tied{_TIE_ORDERS[facts.tie_order]}"
    size = f"{many(facts.lines, 'line')}, {many(facts.topics, 'topic')}"
    return f"{size}, {depth} a topic, {ties}"


def _said_completeness(share: Completeness) -> str:
    """Return how complete the record is, in all and by component."""
    whole = share.whole
    parts = ", ".join(f"{one.component} {one.percent} %" for one in share.components)
    counts = {
        "essential": (whole.essential_stated, whole.essential),
        "recommended": (whole.recommended_stated, whole.recommended),
    }
    fields = ", ".join(f"{stated} of {total} {what}" for what, (stated, total) in counts.items() if total)
    return f"{whole.percent} % ({fields} fields): {parts}" if fields else f"{whole.percent} %, as nothing is demanded"


def _summary(checked: Sequence[Checked]) -> str:
    """Return how many files are good."""
    good = sum(one.is_good for one in checked)
    clean = sum(not one.findings for one in checked)
    return f"{good:,} of {many(len(checked), 'file')} good, {clean:,} of them without any finding"


def _facts(one: Checked) -> dict[str, Any]:
    """Return what was found about one file for a program."""
    share = one.completeness
    facts: dict[str, Any] = {"file": one.file, "metadata_file": one.metadata_file, "good": one.is_good}
    if share:
        facts["completeness"] = {part.component: _share(part) for part in (share.whole, *share.components)}
    if one.ranking:
        facts["ranking"] = vars(one.ranking)
    facts["findings"] = [
        {key: value for key, value in vars(finding).items() if value != ""} for finding in one.findings
    ]
    return facts


def _share(part: Any) -> dict[str, int]:
    """Return a share for a program."""
    return {**{key: value for key, value in vars(part).items() if key != "component"}, "percent": part.percent}


def render_fields(profile: Profile, form: str, width: int | None = None) -> str:
    """Return the fields of PROFILE in the given FORM: a table of what matters, or all facts as JSON."""
    if form == "fields":
        fields = [field.facts() for field in profile.schema.fields]
        return json_text(
            {"version": JSON_VERSION, "profile": profile.name, "schema": profile.schema.version, "fields": fields}
        )
    lines: list[str] = []
    for field in profile.schema.fields:
        lines += _hanging(f"{field.path}  ", f"({field.importance}) {field.meaning}", width or DEFAULT_WIDTH)
    return "".join(f"{line}\n" for line in lines)


def render_schema(profile: Profile) -> str:
    """Return the fields of PROFILE as JSON Schema."""
    return json_text(json_schema(profile.schema))


def render_versions(schemas: Sequence[Schema]) -> str:
    """Return the versions of the schema, a line for each."""
    return "".join(f"{schema.version}  {schema.title}\n" for schema in schemas)
